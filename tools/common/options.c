/* SPDX-License-Identifier: MIT */
/* Parsing goes through getopt_long(), whose numbers are the rows' places counted over all groups. */
#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"
#include "console.h"

enum { FIRST_ROW = 256, HELP = 1, VERSION = 2, HELP_COLUMN = 28 };

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

/* ---- --help ---- */

static void print_row(const struct option_row *row)
{
    int width = printf("  --%s%s%s", row->name, row->argument ? "=" : "", row->argument ? row->argument : "");
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

static int print_help(const struct command_line *line)
{
    print_usage(stdout, line);
    printf("%s\n", line->about);
    for (uint32_t i = 0; i < line->groups; i++) {
        if (line->group[i].heading) printf("\n%s\n", line->group[i].heading);
        for (uint32_t k = 0; k < line->group[i].rows; k++) print_row(&line->group[i].row[k]);
    }
    printf("\nAbout\n");
    print_row(&(struct option_row){.name = "help", .help = "print this and exit"});
    print_row(&(struct option_row){.name = "version", .help = "print the version and exit"});
    printf("\n%s", line->closing);
    return console_finish();
}

/* ---- values ---- */

static int bad_number(const struct option_row *row, const char *value)
{
    if (row->most == UINT64_MAX)
        return console_usage("--%s: expected a whole number from %" PRIu64 " on, got '%s'", row->name, row->least,
                             value);
    return console_usage("--%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", got '%s'", row->name,
                         row->least, row->most, value);
}

static int bad_choice(const struct option_row *row, const char *value)
{
    char list[256] = "";
    for (uint32_t i = 0; row->choice[i]; i++) {
        size_t used = strlen(list);
        const char *between = i == 0 ? "" : row->choice[i + 1] ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", between, row->choice[i]);
    }
    return console_usage("--%s: expected %s, got '%s'", row->name, list, value);
}

static int store_choice(const struct option_row *row, const char *value, int *field)
{
    for (int i = 0; row->choice[i]; i++) {
        if (strcmp(row->choice[i], value) != 0) continue;
        *field = i;
        return -1;
    }
    return bad_choice(row, value);
}

static int store(const struct option_row *row, char *settings, const char *value)
{
    void *field = settings + row->field;
    switch (row->kind) {
    case OPTION_SET:
        *(int *)field = row->value;
        return -1;
    case OPTION_NUMBER:
        return options_number(value, row->least, row->most, field) ? -1 : bad_number(row, value);
    case OPTION_TEXT:
        if (!*value) return console_usage("--%s: expected %s, got ''", row->name, row->argument);
        *(const char **)field = value;
        return -1;
    case OPTION_CHOICE:
        return store_choice(row, value, field);
    }
    return -1;
}

/* ---- parsing ---- */

static uint32_t count_rows(const struct command_line *line)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < line->groups; i++) rows += line->group[i].rows;
    return rows;
}

static void fill_long_options(const struct command_line *line, struct option *option)
{
    char *settings;
    const struct option_row *row;
    for (uint32_t i = 0; (row = row_at(line, i, &settings)); i++)
        *option++ =
            (struct option){row->name, row->argument ? required_argument : no_argument, NULL, FIRST_ROW + (int)i};
    *option++ = (struct option){"help", no_argument, NULL, HELP};
    *option++ = (struct option){"version", no_argument, NULL, VERSION};
    *option = (struct option){0};
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

static int parse(const struct command_line *line, const struct option *options, int argc, char **argv)
{
    opterr = 0;
    for (int answer; (answer = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        if (answer == HELP || answer == 'h') return print_help(line);
        if (answer == VERSION) {
            printf("%s %s\n", line->name, gws_version());
            return console_finish();
        }
        char *settings = NULL;
        const struct option_row *row =
            answer < FIRST_ROW ? NULL : row_at(line, (uint32_t)answer - FIRST_ROW, &settings);
        if (!row) return refuse(line, answer, argv);
        int status = store(row, settings, optarg);
        if (status >= 0) return status;
    }
    return -1;
}

int options_parse(const struct command_line *line, int argc, char **argv, int *operand)
{
    console_begin(line->name);
    struct option *options = calloc(count_rows(line) + 3, sizeof *options);
    if (!options) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    fill_long_options(line, options);
    int status = parse(line, options, argc, argv);
    free(options);
    *operand = optind;
    return status;
}
