/* SPDX-License-Identifier: MIT */
/* The command line of a tool: groups of option rows. The parser, --help and the option list of the man page come from
 * the rows (docs/tour.md, "To add an option"). runtime_options.c and session.c have the rows of options that several
 * tools share.
 *
 * A row names a field of its group's settings by offset; the parser writes the value to this field. Every tool also has
 * --help (-h) and --version. Options and operands may come in any order; "--" ends the options. A value follows its
 * option as the next argument, after '=', or, for a one-letter option, directly. The parser refuses an option that is
 * given twice with different values, and two options for one field. */
#ifndef TOOLS_COMMON_OPTIONS_H
#define TOOLS_COMMON_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_SET,    /* takes no value; sets the field, an int, to .value */
    OPTION_NUMBER, /* the field is a uint64_t; .min to .max are legal */
    OPTION_BYTES,  /* as OPTION_NUMBER, with an optional unit: k, M, G, T (powers of 1000) or Ki, Mi, Gi, Ti (of 1024)
                    */
    OPTION_REAL,   /* the field is a double; 0 to .highest is legal */
    OPTION_TEXT,   /* the field is a const char *; the value is not empty */
    OPTION_CHOICE  /* sets the field, an int, to the value's index in .choice; if .value is set, the index is legal too.
                      The value "help" lists the choices */
};

struct option_row {
    const char *name;     /* without the dashes; NULL: the option has only a letter */
    char short_name;      /* such as 't' for -t; 0: none. An option with a letter takes a value. */
    const char *argument; /* the value's name in --help; NULL for OPTION_SET */
    const char *help;     /* lines are separated by '\n' */
    enum option_kind kind;
    int value;
    size_t field; /* offset in the group's settings */
    uint64_t min, max;
    double highest;
    const char *const *choice;  /* ended by NULL */
    const char *const *renamed; /* pairs, ended by NULL: a former value, which is refused, and its present name */
};

/* Initialisers of a row by kind, as in {NUMBER("threads", "N", FIELD(threads), 1, 4096, "worker threads"), .short_name
 * = 't'}. A name of NULL means that the option has only a letter. The arguments are parts of an initialiser, so
 * parentheses around them would not compile. NOLINTBEGIN(bugprone-macro-parentheses) */
#define FLAG(n, offset, v, text) .name = n, .help = text, .kind = OPTION_SET, .field = offset, .value = v
#define NUMBER(n, what, offset, low, high, text)                                                                       \
    OPTION_VALUE(OPTION_NUMBER, n, what, offset, text), .min = low, .max = high
#define BYTES(n, what, offset, low, high, text)                                                                        \
    OPTION_VALUE(OPTION_BYTES, n, what, offset, text), .min = low, .max = high
#define REAL(n, what, offset, high, text) OPTION_VALUE(OPTION_REAL, n, what, offset, text), .highest = high
#define TEXT(n, what, offset, text) OPTION_VALUE(OPTION_TEXT, n, what, offset, text)
#define CHOICE(n, what, offset, list, text) OPTION_VALUE(OPTION_CHOICE, n, what, offset, text), .choice = list
#define OPTION_VALUE(type, n, what, offset, text)                                                                      \
    .name = n, .argument = what, .help = text, .kind = type, .field = offset
/* NOLINTEND(bugprone-macro-parentheses) */

struct option_group {
    const char *heading; /* NULL: continues the previous group */
    const struct option_row *row;
    uint32_t rows;
    void *settings;
};

struct command_line {
    const char *name;     /* the tool's name */
    const char *synopsis; /* usage lines without the tool's name, separated by '\n' */
    const char *about;
    const char *closing;        /* the end of --help: exit statuses and examples */
    const char *const *renamed; /* pairs, ended by NULL: a former option, which is refused, and its present name */
    const struct option_group *group;
    uint32_t groups;
};

/* Parses argv into the groups' settings and moves the operands to the end of argv, the first to *operand. Returns -1,
 * or the exit status after --help, --version or a reported error. */
int options_parse(const struct command_line *line, int argc, char **argv, int *operand);

/* Checks a value and writes it into the field of its row. Returns -1, or the exit status. */
int options_store(const struct option_row *row, char *settings, const char *value);

/* Writes the name of an option for error messages into text (OPTION_LABEL bytes). Returns text. */
enum { OPTION_LABEL = 64 };
const char *option_label(const struct option_row *row, char *text);

/* Returns the name of the one option that is nearest to a misspelt name of `length` bytes, by the fewest characters
 * inserted, removed, replaced or swapped with their neighbour: one of up to five characters, two of a longer name. NULL
 * if none is that near, or several are equally near. */
const char *options_nearest(const struct command_line *line, const char *name, size_t length);

/* Prints --help on standard output and returns the exit status. */
int options_help(const struct command_line *line);

/* Refuses the value of --OPTION unless at() lists it. Answers "help" with that list; descriptions begin in `column`.
 * NULL means no value and passes. options_check_ability() is for names that depend on this processor's features. Both
 * return -1, or the exit status. */
typedef const char *option_name_at(uint32_t i, const char **about);
int options_check_name(const char *option, option_name_at *at, int column, const char *name);
int options_check_ability(const char *option, option_name_at *at, int column, const char *name);

/* Parses all of text as a decimal number from min to max. Returns 1 on success, otherwise 0. */
int options_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

/* Parses a finite decimal number at text: a sign, digits, a point, an exponent; no blanks, other bases or names such as
 * "inf". Returns the end of the number, or NULL if there is none. */
const char *options_real(const char *text, double *number);

#endif
