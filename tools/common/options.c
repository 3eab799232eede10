/* SPDX-License-Identifier: MIT */
/* Parsing goes through getopt_long(), whose numbers are the rows' places counted over all groups. */
#define _GNU_SOURCE
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"
#include "console.h"

enum { FIRST_ROW = 256, HELP = 1, VERSION = 2, HELP_COLUMN = 28 };

static const struct option_row *row_at(const struct command_line *line, uint32_t place, char **settings)
{
    for (uint32_t i = 0; i < line->groups; i++) {
        if (place < line->group[i].rows) {
            *settings = line->group[i].settings;
            return &line->group[i].row[place];
        }
        place -= line->group[i].rows;
    }
    return NULL;
}

/* ---- --help ---- */

static void print_row(const struct option_row *row)
{
    const char *between = !row->argument ? "" : row->name ? "=" : " ", *argument = row->argument ? row->argument : "";
    char called[OPTION_CALLED], letter[] = {'-', row->letter, ',', ' ', '\0'};
    int width =
        printf("  %s%s%s%s", row->name && row->letter ? letter : "", options_call(row, called), between, argument);
    const char *text = row->help;
    if (width + 2 > HELP_COLUMN) width = printf("\n") - 1;
    for (;;) {
        int length = (int)strcspn(text, "\n");
        printf("%*s%.*s\n", HELP_COLUMN - width, "", length, text);
        if (!text[length]) return;
        text += length + 1;
        width = 0;
    }
}

static void print_usage(FILE *out, const struct command_line *line)
{
    const char *text = line->synopsis;
    for (const char *before = "usage:";; before = "      ") {
        int length = (int)strcspn(text, "\n");
        fprintf(out, "%s %s %.*s\n", before, line->name, length, text);
        if (!text[length]) return;
        text += length + 1;
    }
}

int options_help(const struct command_line *line)
{
    print_usage(stdout, line);
    printf("%s\n", line->about);
    for (uint32_t i = 0; i < line->groups; i++) {
        if (line->group[i].heading) printf("\n%s\n", line->group[i].heading);
        for (uint32_t k = 0; k < line->group[i].rows; k++) print_row(&line->group[i].row[k]);
    }
    printf("\nAbout\n");
    print_row(&(struct option_row){.name = "help", .letter = 'h', .help = "print the options and exit"});
    print_row(&(struct option_row){.name = "version", .help = "print the version and exit"});
    printf("\n%s", line->closing);
    return console_finish();
}

/* ---- parsing ---- */

static uint32_t count_rows(const struct command_line *line)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < line->groups; i++) rows += line->group[i].rows;
    return rows;
}

/* What getopt_long() wants to know: long options, and letters, all with values. And what each row was given. */
struct words {
    struct option *option;
    char *letters;
    const char **given; /* NULL: nothing; "" for what takes no value */
};

static void fill(const struct command_line *line, const struct words *words)
{
    struct option *option = words->option;
    char *letters = words->letters, *settings;
    const struct option_row *row;
    *letters++ = ':'; /* tell a missing value from an unknown option */
    *letters++ = 'h';
    for (uint32_t i = 0; (row = row_at(line, i, &settings)); i++) {
        int value = row->argument ? required_argument : no_argument;
        if (row->name) *option++ = (struct option){row->name, value, NULL, FIRST_ROW + (int)i};
        if (row->letter) *letters++ = row->letter;
        if (row->letter) *letters++ = ':';
    }
    *option++ = (struct option){"help", no_argument, NULL, HELP};
    *option++ = (struct option){"version", no_argument, NULL, VERSION};
    *option = (struct option){0};
    *letters = '\0';
}

/* The place of the row that getopt_long() answered with; that of none if there is no such row. */
static uint32_t place_answered(const struct command_line *line, int answer)
{
    if (answer >= FIRST_ROW) return (uint32_t)answer - FIRST_ROW;
    const struct option_row *row;
    char *settings;
    uint32_t i = 0;
    while ((row = row_at(line, i, &settings)) && row->letter != answer) i++;
    return i;
}

/* Two options for one field, or two values of one: the first would do nothing. */
static int note(const struct command_line *line, const struct words *words, uint32_t place, const char *value)
{
    char *settings = NULL, *others, called[OPTION_CALLED], called_other[OPTION_CALLED];
    const struct option_row *row = row_at(line, place, &settings), *other;
    for (uint32_t i = 0; (other = row_at(line, i, &others)); i++) {
        if (!words->given[i] || others + other->field != settings + row->field) continue;
        if (i != place)
            return console_usage("%s and %s exclude each other", options_call(other, called_other),
                                 options_call(row, called));
        if (strcmp(words->given[i], value) != 0)
            return console_usage("%s is given twice, as '%s' and as '%s'", options_call(row, called), words->given[i],
                                 value);
    }
    words->given[place] = value;
    return -1;
}

/* What getopt_long() could not read: an option that does not exist, one without its value, or one with a needless one.
 */
static int refuse(const struct command_line *line, int answer, char **argv)
{
    const char *word = argv[optind - 1];
    int length = (int)strcspn(word, "=");
    if (answer == ':') return console_usage("%.*s needs a value", length, word);
    if (optopt >= FIRST_ROW || optopt == HELP || optopt == VERSION)
        return console_usage("%.*s takes no value", length, word);
    if (optopt) return console_usage("no option -%c; %s --help lists them", optopt, line->name);
    return console_usage("no option %.*s, or it is too short to tell; %s --help lists them", length, word, line->name);
}

static int parse(const struct command_line *line, const struct words *words, int argc, char **argv)
{
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, words->letters, words->option, NULL)) != -1;) {
        if (answer == HELP || answer == 'h') return options_help(line);
        if (answer == VERSION) {
            printf("%s %s\n", line->name, gws_version());
            return console_finish();
        }
        char *settings = NULL;
        const uint32_t place = place_answered(line, answer);
        const struct option_row *row = row_at(line, place, &settings);
        if (!row) return refuse(line, answer, argv);
        const char *value = optarg ? optarg : "";
        int status = options_store(row, settings, value);
        if (status < 0) status = note(line, words, place, value);
        if (status >= 0) return status;
    }
    return -1;
}

int options_parse(const struct command_line *line, int argc, char **argv, int *operand)
{
    console_begin(line->name);
    uint32_t rows = count_rows(line);
    struct words words = {calloc(rows + 3, sizeof *words.option), calloc(2 * rows + 3, 1),
                          calloc(rows + 1, sizeof *words.given)};
    int status;
    if (words.option && words.letters && words.given) {
        fill(line, &words);
        status = parse(line, &words, argc, argv);
    } else {
        status = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    }
    free(words.option);
    free(words.letters);
    free(words.given);
    *operand = optind;
    return status;
}
