/* SPDX-License-Identifier: MIT */
/* The command line of a tool: groups of option rows, from which the parser, --help and the man page's list of options
 * are made (docs/tour.md, "To add an option"). Options of several tools are rows of engine.c and session.c.
 *
 * A row names a field of its group's settings by offset; parsing writes there. Every tool has --help (-h) and --version
 * besides. Options and operands may come in any order; "--" ends the options. A value follows its option as the next
 * argument, after '=', or, where the option is a letter, at once. An option that is given twice with different values,
 * and two options for one field, are refused. */
#ifndef TOOLS_COMMON_OPTIONS_H
#define TOOLS_COMMON_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_SET,    /* takes no value; the field, an int, becomes .value */
    OPTION_NUMBER, /* the field is a uint64_t; .least to .most are legal */
    OPTION_BYTES,  /* the same, and k, M, G, T or Ki, Mi, Gi, Ti may follow: thousands, or 1024s */
    OPTION_REAL,   /* the field is a double; 0 to .highest is legal */
    OPTION_TEXT,   /* the field is a const char *, not empty */
    OPTION_CHOICE /* the field, an int, becomes the index of the value in .choice; with .value the index may be given */
};

struct option_row {
    const char *name;     /* without the dashes; NULL: it has a letter alone */
    char letter;          /* such as 't' for -t; 0: none. Options with a letter take a value. */
    const char *argument; /* the value's name in --help; NULL for OPTION_SET */
    const char *help;     /* lines are parted by '\n' */
    enum option_kind kind;
    int value;
    size_t field; /* offset in the group's settings */
    uint64_t least, most;
    double highest;
    const char *const *choice; /* ended by NULL */
    const char *const *was;    /* pairs, ended by NULL: a choice's old name, which is refused, and its new one */
};

/* A row's parts by its kind, as in {NUMBER("threads", "N", FIELD(threads), 1, 4096, "worker threads"), .letter = 't'}.
 * NULL for a name: the option has a letter alone. What they are given are parts of an initialiser, some a list.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define FLAG(n, place, v, text) .name = n, .help = text, .kind = OPTION_SET, .field = place, .value = v
#define NUMBER(n, what, place, min, max, text)                                                                         \
    OPTION_VALUE(OPTION_NUMBER, n, what, place, text), .least = min, .most = max
#define BYTES(n, what, place, min, max, text)                                                                          \
    OPTION_VALUE(OPTION_BYTES, n, what, place, text), .least = min, .most = max
#define REAL(n, what, place, max, text) OPTION_VALUE(OPTION_REAL, n, what, place, text), .highest = max
#define TEXT(n, what, place, text) OPTION_VALUE(OPTION_TEXT, n, what, place, text)
#define CHOICE(n, what, place, list, text) OPTION_VALUE(OPTION_CHOICE, n, what, place, text), .choice = list
#define OPTION_VALUE(type, n, what, place, text) .name = n, .argument = what, .help = text, .kind = type, .field = place
/* NOLINTEND(bugprone-macro-parentheses) */

struct option_group {
    const char *heading; /* NULL: goes on under the one before */
    const struct option_row *row;
    uint32_t rows;
    void *settings;
};

struct command_line {
    const char *name;     /* the tool's */
    const char *synopsis; /* lines of usage, parted by '\n', each without the tool's name */
    const char *about;
    const char *closing; /* ends --help: exit statuses and examples */
    const struct option_group *group;
    uint32_t groups;
};

/* Reads argv into the groups' settings and moves the operands to the end of argv, the first at *operand. Answers -1, or
 * the status to exit with: after --help and --version, and after a mistake that has been reported. */
int options_parse(const struct command_line *line, int argc, char **argv, int *operand);

/* Writes a value into the field of its row, once it is one of the row's kind: -1, or the status to exit with. */
int options_store(const struct option_row *row, char *settings, const char *value);

/* How complaints call a row, into text (OPTION_CALLED bytes). Returns text. */
enum { OPTION_CALLED = 64 };
const char *options_call(const struct option_row *row, char *text);

/* Prints --help on standard output; the status to exit with. */
int options_help(const struct command_line *line);

/* Refuses the value of --OPTION unless at() lists it, and answers "help" by that list, what is said of each name in a
 * column of its own: -1, or the status to exit with. NULL, which is no value, is right. The second is for what this
 * processor may lack. */
typedef const char *option_name_at(uint32_t i, const char **about);
int options_check_name(const char *option, option_name_at *at, int column, const char *name);
int options_check_ability(const char *option, option_name_at *at, int column, const char *name);

/* Reads all of text as a number from least to most; digits only. */
int options_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* Reads a finite number at text: a sign, digits, a point, an exponent; no blank, no other base, no name of a number.
 * Returns what is behind it, NULL where there is none. */
const char *options_real(const char *text, double *number);

#endif
