/* SPDX-License-Identifier: MIT */
/* Rows of numbers as text, a row a line. */
#ifndef GWS_IO_POINTS_TEXT_H
#define GWS_IO_POINTS_TEXT_H

#include "schema.h"

struct gws__text {
    const struct gws__schema *schema;
    struct gws__count count;
    bool limited; /* there are other lines behind those declared: what they are is not looked at; a row is a line */
    bool free;    /* commas and semicolons, comments with # or //, empty fields and blank lines are allowed */
};

/* Reads what is left of the input. Numbers of columns of integers must be such; a field that is read past may be any
 * word. Errors: GWS_SYNTAX, GWS_OUT_OF_RANGE, GWS_TRUNCATED (fewer rows than declared), GWS_TOO_LARGE, GWS_NO_MEMORY.
 */
gws_status gws__text_read(struct gws__input *input, const struct gws__text *text, struct gws_points *points,
                          struct gws_where *where);

/* Where the word at p ends: at a blank, or where free also at a comma or semicolon, or end. */
const char *gws__text_word(const char *p, const char *end, bool free);

/* True where a line is a comment. */
bool gws__text_comment(const char *p, const char *end);

/* True for a word that may name a column before the first row: nothing (between commas), "-", letters and the like, or
 * whatever is quoted. */
bool gws__text_is_name(const char *word, const char *end);

/* Any number, also nan and inf, at p; NULL if there is none. */
const char *gws__text_number(const char *p, const char *end, double *value);

#endif
