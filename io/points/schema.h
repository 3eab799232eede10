/* SPDX-License-Identifier: MIT */
/* What the rows of a file of points hold: fields, and what becomes of each. */
#ifndef GWS_IO_POINTS_SCHEMA_H
#define GWS_IO_POINTS_SCHEMA_H

#include "../input/input.h"
#include "../points_io.h"

/* A field's role: an axis (0, 1, 2 for x, y, z), column role - GWS__ROLE_COLUMN, or read past. */
enum { GWS__ROLE_SKIP = -1, GWS__ROLE_COLUMN = 3 };

struct gws__field {
    char name[GWS_POINTS_NAME];
    enum gws_number_kind kind; /* in the file, and of the column */
    int32_t role;
    uint64_t offset; /* bytes from the row's first one, in binary files */
};

/* Opened with an input and a precision, filled field by field, settled once, then read-only. */
struct gws__schema {
    struct gws__input *input;
    enum gws_precision precision; /* that is asked for */
    uint32_t fields;
    uint64_t room;
    struct gws__field *field;
    uint64_t stride; /* bytes of a row in a binary file: the sum of the fields unless set */
    uint32_t columns;
    bool big_endian;
    bool is_double;
    bool scaled; /* coordinates are number * scale + shift, in doubles */
    double scale[3], shift[3];
};

/* A number of rows that a file declares, or does not. */
struct gws__count {
    bool declared;
    uint64_t rows;
};

void gws__schema_close(struct gws__schema *schema);

/* Appends a field of that name (length bytes of any text; a "-" or "_" is read past) and kind behind the others.
 * GWS_TOO_LARGE (more than GWS_POINTS_COLUMNS), GWS_NO_MEMORY. */
gws_status gws__schema_add(struct gws__schema *schema, const char *name, size_t length, enum gws_number_kind kind);

/* The fields that a list such as "x,y:f64,-" names, into an empty schema. GWS_INVALID. */
gws_status gws__schema_list(struct gws__schema *schema, const char *list, enum gws_number_kind usual);

/* Finds x, y and z by name, gives the others their columns and makes their names differ. GWS_SYNTAX (no x, y or z).
 * What reads rows does this first. */
gws_status gws__schema_settle(struct gws__schema *schema);

/* Room for count points as the schema has them. GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__schema_make(const struct gws__schema *schema, uint64_t count, struct gws_points *points);

/* Where a field's numbers go, and as what: NULL where they are read past. */
void *gws__schema_place(const struct gws__schema *schema, uint32_t field, const struct gws_points *points,
                        enum gws_number_kind *kind);

/* A kind by its short name such as "f32" (length bytes), and back. */
bool gws__kind_named(const char *name, size_t length, enum gws_number_kind *kind);
const char *gws__kind_name(enum gws_number_kind kind);

/* Rows of numbers as text, a row a line. */

struct gws__text {
    struct gws__schema *schema;
    struct gws__count count;
    bool limited; /* there are other lines behind those declared: what they are is not looked at; a row is a line */
    bool free;    /* commas and semicolons, comments with # or //, empty fields and blank lines are allowed */
};

/* Reads what is left of the schema's input. Numbers of columns of integers must be such; a field that is read past may
 * be any word. Errors: GWS_SYNTAX, GWS_OUT_OF_RANGE, GWS_TRUNCATED (fewer rows than declared), GWS_TOO_LARGE,
 * GWS_NO_MEMORY.
 */
gws_status gws__text_read(const struct gws__text *text, struct gws_points *points);

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
