/* SPDX-License-Identifier: MIT */
/* Parses a command line by getopt_long(). The value of a row in getopt_long() is FIRST_ROW plus the row's index over
 * all groups. */
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
    const char *help = row->kind == OPTION_CHOICE && !strchr(argument, '|') ? "|help" : "";
    char label[OPTION_LABEL], short_option[] = {'-', row->short_name, ',', ' ', '\0'};
    int width = printf("  %s%s%s%s%s", row->name && row->short_name ? short_option : "", option_label(row, label),
                       between, argument, help);
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
    print_row(&(struct option_row){.name = "help", .short_name = 'h', .help = "print the options and exit"});
    print_row(&(struct option_row){.name = "version", .help = "print the version and exit"});
    printf("\n%s", line->closing);
    return console_finish();
}

/* ---- parsing ---- */

/* A row, the settings that it writes to, and its value. NULL: the option is not given; "": it is given and takes no
 * value. */
struct slot {
    const struct option_row *row;
    char *settings;
    const char *given;
};

/* The rows of all groups, and the arguments of getopt_long(): the long options, and the letters, which all take
 * values. */
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
    *letters++ = ':'; /* getopt_long() then distinguishes a missing value from an unknown option */
    *letters++ = 'h';
    for (uint32_t i = 0; i < parser->rows; i++) {
        const struct option_row *row = parser->slot[i].row;
        int value = row->argument ? required_argument : no_argument;
        if (row->name) *option++ = (struct option){row->name, value, NULL, FIRST_ROW + (int)i};
        if (row->short_name) *letters++ = row->short_name;
        if (row->short_name) *letters++ = ':';
    }
    *option++ = (struct option){"help", no_argument, NULL, HELP};
    *option = (struct option){"version", no_argument, NULL, VERSION};
}

/* Returns the row for a result of getopt_long(); NULL: none. */
static struct slot *slot_of(const struct parser *parser, int result)
{
    if (result >= FIRST_ROW) return &parser->slot[result - FIRST_ROW];
    for (uint32_t i = 0; i < parser->rows; i++)
        if (parser->slot[i].row->short_name == result) return &parser->slot[i];
    return NULL;
}

/* Stores the value. Refuses two options for one field and two values of one option, because the first one would have no
 * effect. */
static int set_given(const struct parser *parser, struct slot *slot, const char *value)
{
    char label[OPTION_LABEL], other_label[OPTION_LABEL];
    option_label(slot->row, label);
    for (struct slot *other = parser->slot; other < parser->slot + parser->rows; other++) {
        if (!other->given || other->settings + other->row->field != slot->settings + slot->row->field) continue;
        if (other != slot)
            return console_usage("%s and %s exclude each other", option_label(other->row, other_label), label);
        if (strcmp(slot->given, value) != 0)
            return console_usage("%s is given twice, as '%s' and as '%s'", label, slot->given, value);
    }
    slot->given = value;
    return -1;
}

/* Returns the present name of a former option; NULL: none. */
static const char *present_name(const struct command_line *line, const char *argument, size_t length)
{
    for (uint32_t i = 0; line->renamed && line->renamed[i]; i += 2)
        if (length == strlen(line->renamed[i]) + 2 && strncmp(argument + 2, line->renamed[i], length - 2) == 0)
            return line->renamed[i + 1];
    return NULL;
}

/* Reports an argument that getopt_long() refused: an unknown option, a missing value or a superfluous one. */
static int refuse(const struct command_line *line, int result, char **argv)
{
    const char *argument = argv[optind - 1];
    int length = (int)strcspn(argument, "=");
    const char *present = present_name(line, argument, (size_t)length);
    if (result == ':') return console_usage("%.*s needs a value", length, argument);
    if (optopt >= FIRST_ROW || optopt == HELP || optopt == VERSION)
        return console_usage("%.*s takes no value", length, argument);
    if (optopt) return console_usage("unknown option -%c; %s --help lists the options", optopt, line->name);
    if (present) return console_usage("%.*s is now called --%s", length, argument, present);
    const char *nearest = options_nearest(line, argument + 2, (size_t)length - 2);
    if (nearest)
        return console_usage("unknown option %.*s; do you mean --%s? %s --help lists the options", length, argument,
                             nearest, line->name);
    return console_usage("unknown or ambiguous option %.*s; %s --help lists the options", length, argument, line->name);
}

static int parse(const struct parser *parser, int argc, char **argv)
{
    opterr = 0;
    for (int result; (result = getopt_long(argc, argv, parser->letters, parser->option, NULL)) != -1;) {
        if (result == HELP || result == 'h') return options_help(parser->line);
        if (result == VERSION) {
            printf("%s %s\n", parser->line->name, gws_version());
            return console_finish();
        }
        struct slot *slot = slot_of(parser, result);
        if (!slot) return refuse(parser->line, result, argv);
        const char *value = optarg ? optarg : "";
        int status = options_store(slot->row, slot->settings, value);
        if (status < 0) status = set_given(parser, slot, value);
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
