/* SPDX-License-Identifier: MIT */
/* Output files. The checks run before the work, because a failed write would lose the results. */
#ifndef TOOLS_COMMON_OUTPUTS_H
#define TOOLS_COMMON_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "../../graphws.h"

/* Returns true for "-", which means standard output. */
bool output_is_stdout(const char *path);

/* Returns true if a name has this ending and something before it. */
bool name_ends(const char *name, const char *suffix);

/* name_ends() for the name without .gz at its end. */
bool packed_name_ends(const char *name, const char *suffix);

/* Refuses a file in a folder that is not writable. Returns -1, or the exit status. */
int output_check(const char *path);

/* Refuses a table whose name has an unknown ending. option: the option that names the file. */
int output_check_table(const char *option, const char *path);

/* A file named by an option or an operand. */
struct named_file {
    const char *option; /* "--out"; "GRAPH" */
    const char *path;   /* "-": standard output or input; NULL: not given */
    bool written;
};

/* Refuses two outputs to one file, including standard output, and an output to an input file. Returns -1, or the exit
 * status. */
int outputs_check(const struct named_file *file, uint32_t files);

/* Writes a file atomically. Returns -1, or the exit status after reporting the error. */
int output_write(struct gws_runtime *runtime, const char *path, const char *text, size_t size);

#endif
