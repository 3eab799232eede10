/* SPDX-License-Identifier: MIT */
/* Tools whose first argument names a subcommand: a workload of gtask or an algorithm of graphws. A subcommand is a row
 * of the tool's table. The option rows of a subcommand fill in a state of the subcommand's own type. */
#ifndef TOOLS_COMMON_SUBCOMMAND_H
#define TOOLS_COMMON_SUBCOMMAND_H

#include "options.h"

/* Option rows for the struct at this offset in the state. */
struct subcommand_rows {
    const struct option_row *row;
    uint32_t rows;
    size_t offset;
};

struct subcommand {
    const char *name, *about;
    const struct subcommand_rows *group; /* the subcommand's options */
    uint32_t groups;
    size_t bytes;        /* size of the state */
    const void *initial; /* the state before options fill it in */
};

/* Initialises the members that depend on the type of the state, on `group` and on `initial`. */
#define SUBCOMMAND_STATE(type)                                                                                         \
    .command.group = group, .command.groups = sizeof group / sizeof *group, .command.bytes = sizeof(type),             \
    .command.initial = &initial

struct subcommand_tool {
    const char *name;                      /* of the tool */
    const char *kind;                      /* the first argument's name in messages: "WORKLOAD" */
    const char *operand;                   /* the operand's name: "GRAPH"; NULL: there is none */
    const char *about;                     /* the first lines of --help, before the table */
    const char *closing;                   /* see struct command_line */
    const char *also;                      /* a command that the caller runs, which `about` names too; NULL: none */
    const struct subcommand *const *table; /* ended by NULL */
    const struct option_group *common;     /* options of all subcommands, after their own */
    uint32_t commons;
};

/* The result of parsing a command line. */
struct subcommand_call {
    const struct subcommand *command; /* NULL: none was named */
    void *state;                      /* the caller frees it by free(), also after an error */
    const char *operand;              /* NULL: none was given */
};

/* Parses argv. Without a subcommand, --help prints the options of all, --version works, and the caller handles options
 * whose value "help" lists names. Returns -1, or the exit status. */
int subcommand_parse(const struct subcommand_tool *tool, int argc, char **argv, struct subcommand_call *call);

/* Reports that no subcommand was named, with the list of them, and returns the exit status. */
int subcommand_refuse_none(const struct subcommand_tool *tool);

#endif
