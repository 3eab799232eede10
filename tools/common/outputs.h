/* SPDX-License-Identifier: MIT */
/* Output files, looked at before the work that would be lost if they could not be written. */
#ifndef TOOLS_COMMON_OUTPUTS_H
#define TOOLS_COMMON_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "../../graphws.h"

/* True for "-", which is standard output. */
bool output_is_stdout(const char *path);

/* True if a name ends so, and has something before that. */
bool name_ends(const char *name, const char *ending);

/* The same of its name or, if that ends in .gz, of what is before. */
bool packed_name_ends(const char *name, const char *ending);

/* Refuses a file whose folder cannot be written in: the status to exit with, or -1. */
int output_check(const char *path);

/* Refuses a table whose name has no ending that is known; option is the one that named it. */
int output_check_table(const char *option, const char *path);

/* A file that the command line names: by an option or an operand. NULL as its path: it does not. */
struct named_file {
    const char *option; /* "--out"; "GRAPH" */
    const char *path;   /* "-": standard output, or input */
    bool written;
};

/* Refuses two outputs to one file, standard output among them, and inputs that are outputs: the status to exit with, or
 * -1. */
int outputs_check(const struct named_file *file, uint32_t files);

/* Writes a file, whole or not at all: -1, or the status to exit with after the mistake has been reported. */
int output_write(struct gws_runtime *runtime, const char *path, const char *text, size_t size);

#endif
