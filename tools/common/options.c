/* SPDX-License-Identifier: MIT */
/* Parsing goes through getopt_long(), whose numbers are the rows' places counted over all groups. */
#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"
#include "console.h"

enum { FIRST_ROW = 256, HELP = 1, VERSION = 2, HELP_COLUMN = 28, CALLED = 64 };

int options_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    if (text[0] < '0' || text[0] > '9') return 0;
    char *end;
    errno = 0;
    unsigned long long read = strtoull(text, &end, 10);
    if (errno || *end || read < least || read > most) return 0;
    *number = read;
    return 1;
}

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

/* How complaints call a row, into text (CALLED bytes). Returns text. */
static const char *call(const struct option_row *row, char *text)
{
    if (row->name)
        snprintf(text, CALLED, "--%s", row->name);
    else
        snprintf(text, CALLED, "-%c", row->letter);
    return text;
}

/* ---- --help ---- */

static void print_row(const struct option_row *row)
{
    const char *between = !row->argument ? "" : row->name ? "=" : " ", *argument = row->argument ? row->argument : "";
    char called[CALLED], letter[] = {'-', row->letter, ',', ' ', '\0'};
    int width = printf("  %s%s%s%s", row->name && row->letter ? letter : "", call(row, called), between, argument);
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

/* ---- values ---- */

static int bad_number(const struct option_row *row, const char *value)
{
    char called[CALLED];
    call(row, called);
    if (row->most == UINT64_MAX)
        return console_usage("%s: expected a whole number from %" PRIu64 " on, got '%s'", called, row->least, value);
    return console_usage("%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", got '%s'", called, row->least,
                         row->most, value);
}

/* 0: it is no unit. */
static uint64_t unit_of(const char *name)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } unit[] = {{"", 1},
                {"k", 1000},
                {"M", 1000000},
                {"G", 1000000000},
                {"T", 1000000000000},
                {"Ki", UINT64_C(1) << 10},
                {"Mi", UINT64_C(1) << 20},
                {"Gi", UINT64_C(1) << 30},
                {"Ti", UINT64_C(1) << 40}};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (strcmp(unit[i].name, name) == 0) return unit[i].bytes;
    return 0;
}

static int store_bytes(const struct option_row *row, const char *value, uint64_t *field)
{
    char called[CALLED], *end = NULL;
    errno = 0;
    unsigned long long read = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
    uint64_t unit = end ? unit_of(end) : 0;
    if (errno || !unit || read > UINT64_MAX / unit || read * unit < row->least || read * unit > row->most)
        return console_usage("%s: expected a number of bytes from %" PRIu64 " on, such as 800M or 8Gi, got '%s'",
                             call(row, called), row->least, value);
    *field = read * unit;
    return -1;
}

const char *options_real(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    bool plain = end > text && (size_t)(end - text) <= strspn(text, "0123456789.eE-+");
    return plain && isfinite(*number) ? end : NULL;
}

/* Without a sign. */
static int store_real(const struct option_row *row, const char *value, double *field)
{
    char called[CALLED];
    double read;
    const char *end = options_real(value, &read);
    if (end && !*end && *value != '-' && *value != '+' && read <= row->highest) {
        *field = read;
        return -1;
    }
    return console_usage("%s: expected a number from 0 to %.10g, got '%s'", call(row, called), row->highest, value);
}

static int bad_choice(const struct option_row *row, const char *value)
{
    char list[256] = "";
    for (uint32_t i = 0; row->choice[i]; i++) {
        size_t used = strlen(list);
        const char *between = i == 0 ? "" : row->choice[i + 1] ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", between, row->choice[i]);
    }
    char called[CALLED];
    return console_usage("%s: expected %s%s, got '%s'", call(row, called), list, row->value ? ", or its number" : "",
                         value);
}

static int store_choice(const struct option_row *row, const char *value, int *field)
{
    uint64_t number = UINT64_MAX;
    if (row->value) options_number(value, 0, UINT32_MAX, &number);
    for (int i = 0; row->choice[i]; i++) {
        if (strcmp(row->choice[i], value) != 0 && number != (uint64_t)i) continue;
        *field = i;
        return -1;
    }
    return bad_choice(row, value);
}

static int store(const struct option_row *row, char *settings, const char *value)
{
    void *field = settings + row->field;
    char called[CALLED];
    switch (row->kind) {
    case OPTION_SET:
        *(int *)field = row->value;
        return -1;
    case OPTION_NUMBER:
        return options_number(value, row->least, row->most, field) ? -1 : bad_number(row, value);
    case OPTION_BYTES:
        return store_bytes(row, value, field);
    case OPTION_REAL:
        return store_real(row, value, field);
    case OPTION_TEXT:
        if (!*value) return console_usage("%s: expected %s, got ''", call(row, called), row->argument);
        *(const char **)field = value;
        return -1;
    case OPTION_CHOICE:
        return store_choice(row, value, field);
    }
    return -1;
}

/* ---- names ---- */

static int find_name(option_name_at *at, int column, const char *name, bool *found)
{
    const char *about, *row;
    bool help = name && strcmp(name, "help") == 0;
    *found = !name;
    for (uint32_t i = 0; !*found && (row = at(i, &about)); i++) {
        if (help) printf("%-*s%s\n", column, row, about);
        *found = strcmp(name, row) == 0;
    }
    return help && !*found ? console_finish() : -1;
}

/* The option's name is what its values are called, too. */
int options_check_name(const char *option, option_name_at *at, int column, const char *name)
{
    bool found;
    int status = find_name(at, column, name, &found);
    if (status >= 0 || found) return status;
    return console_usage("--%s: no %s '%s'; --%s help lists them", option, option, name, option);
}

int options_check_ability(const char *option, option_name_at *at, int column, const char *name)
{
    bool found;
    int status = find_name(at, column, name, &found);
    if (status >= 0 || found) return status;
    return console_usage("--%s: this processor has no '%s'; --%s help lists what it has", option, name, option);
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
    char *settings = NULL, *others, called[CALLED], called_other[CALLED];
    const struct option_row *row = row_at(line, place, &settings), *other;
    for (uint32_t i = 0; (other = row_at(line, i, &others)); i++) {
        if (!words->given[i] || others + other->field != settings + row->field) continue;
        if (i != place)
            return console_usage("%s and %s exclude each other", call(other, called_other), call(row, called));
        if (strcmp(words->given[i], value) != 0)
            return console_usage("%s is given twice, as '%s' and as '%s'", call(row, called), words->given[i], value);
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
        int status = store(row, settings, value);
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
