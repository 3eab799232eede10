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

/* A row, where it writes, and what it was given: NULL: nothing; "" for what takes no value. */
struct slot {
    const struct option_row *row;
    char *settings;
    const char *given;
};

/* The rows of all groups, and what getopt_long() wants to know: long options, and letters, all with values. */
struct parser {
    const struct command_line *line;
    uint32_t rows;
    struct slot *slot;
    struct option *option;
    char *letters;
};

static bool make(struct parser *parser)
{
    const struct command_line *line = parser->line;
    for (uint32_t i = 0; i < line->groups; i++) parser->rows += line->group[i].rows;
    struct slot *slot = parser->slot = calloc(parser->rows + 1, sizeof *slot);
    parser->option = calloc(parser->rows + 3, sizeof *parser->option);
    parser->letters = calloc(2 * parser->rows + 3, 1);
    if (!slot || !parser->option || !parser->letters) return false;
    for (uint32_t i = 0; i < line->groups; i++)
        for (uint32_t k = 0; k < line->group[i].rows; k++)
            *slot++ = (struct slot){.row = &line->group[i].row[k], .settings = line->group[i].settings};
    return true;
}

static void fill(const struct parser *parser)
{
    struct option *option = parser->option;
    char *letters = parser->letters;
    *letters++ = ':'; /* tell a missing value from an unknown option */
    *letters++ = 'h';
    for (uint32_t i = 0; i < parser->rows; i++) {
        const struct option_row *row = parser->slot[i].row;
        int value = row->argument ? required_argument : no_argument;
        if (row->name) *option++ = (struct option){row->name, value, NULL, FIRST_ROW + (int)i};
        if (row->letter) *letters++ = row->letter;
        if (row->letter) *letters++ = ':';
    }
    *option++ = (struct option){"help", no_argument, NULL, HELP};
    *option = (struct option){"version", no_argument, NULL, VERSION};
}

/* The row that getopt_long() answered with, NULL: none. */
static struct slot *slot_answered(const struct parser *parser, int answer)
{
    if (answer >= FIRST_ROW) return &parser->slot[answer - FIRST_ROW];
    for (uint32_t i = 0; i < parser->rows; i++)
        if (parser->slot[i].row->letter == answer) return &parser->slot[i];
    return NULL;
}

/* Two options for one field, or two values of one: the first would do nothing. */
static int note(const struct parser *parser, struct slot *slot, const char *value)
{
    char called[OPTION_CALLED], called_other[OPTION_CALLED];
    options_call(slot->row, called);
    for (struct slot *other = parser->slot; other < parser->slot + parser->rows; other++) {
        if (!other->given || other->settings + other->row->field != slot->settings + slot->row->field) continue;
        if (other != slot)
            return console_usage("%s and %s exclude each other", options_call(other->row, called_other), called);
        if (strcmp(slot->given, value) != 0)
            return console_usage("%s is given twice, as '%s' and as '%s'", called, slot->given, value);
    }
    slot->given = value;
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

static int parse(const struct parser *parser, int argc, char **argv)
{
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, parser->letters, parser->option, NULL)) != -1;) {
        if (answer == HELP || answer == 'h') return options_help(parser->line);
        if (answer == VERSION) {
            printf("%s %s\n", parser->line->name, gws_version());
            return console_finish();
        }
        struct slot *slot = slot_answered(parser, answer);
        if (!slot) return refuse(parser->line, answer, argv);
        const char *value = optarg ? optarg : "";
        int status = options_store(slot->row, slot->settings, value);
        if (status < 0) status = note(parser, slot, value);
        if (status >= 0) return status;
    }
    return -1;
}

int options_parse(const struct command_line *line, int argc, char **argv, int *operand)
{
    struct parser parser = {.line = line};
    int status;
    console_begin(line->name);
    if (make(&parser)) {
        fill(&parser);
        status = parse(&parser, argc, argv);
    } else {
        status = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    }
    free(parser.slot);
    free(parser.option);
    free(parser.letters);
    *operand = optind;
    return status;
}
