/* SPDX-License-Identifier: MIT */
/* The members of a JSON object in a file, such as the output of gtask --json. A member has a path: "ms.median" is a
 * member of a member. The values of a list have the list's path, one after another. */
#ifndef TOOLS_GSIM_RUN_FILE_H
#define TOOLS_GSIM_RUN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/json.h"

enum { RUN_FILE_PATH = 64 };

struct run_member {
    char path[RUN_FILE_PATH];
    const char *value; /* in the file's text: a string without its quotes, with its escapes; a number; a word */
    size_t length;
    bool is_text;
};

struct run_file {
    char *text; /* the file, with a NUL at the end */
    struct run_member *member;
    size_t members, capacity;
};

/* Reads the file. Reports an error, and returns -1 or the exit status. The caller clears the result also then. */
int run_file_read(const char *path, struct run_file *file);
void run_file_clear(struct run_file *file);

/* Returns the first value with the path; NULL: none. */
const struct run_member *run_file_member(const struct run_file *file, const char *path);

/* Returns whether the member has the path. */
bool run_member_is_at(const struct run_member *member, const char *path);

/* Compares a value with a text. */
bool run_member_is(const struct run_member *member, const char *text);

/* Sets the member of a struct at data that the field describes to the value of "parameters.KEY". Returns false if it is
 * absent or of another type. A text keeps its previous value. */
bool run_file_parameter(const struct run_file *file, const struct json_field *field, void *data);

/* Returns the sum of the numbers with the path; negative: there are none. */
double run_file_sum(const struct run_file *file, const char *path);

#endif
