/* SPDX-License-Identifier: MIT */
/* What readers of points share: the fields of a row and what becomes of each; rows as text and as bytes; and the lines
 * that a file begins with. */
#ifndef GWS_IO_POINTS_READER_H
#define GWS_IO_POINTS_READER_H

#include "../input/buffer.h"
#include "../output/output.h"
#include "../points_io.h"
#include "../question_io.h"
#include "../text/reader.h"

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
    uint64_t capacity;
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

/* Appends a field of that name (length bytes of any text; a "-" or "_" is read past) and kind trailing the others.
 * GWS_TOO_LARGE (more than GWS_POINTS_COLUMNS), GWS_NO_MEMORY. */
gws_status gws__schema_add(struct gws__schema *schema, const char *name, size_t length, enum gws_number_kind kind);

/* Fields called x, y, z, column4, column5 ... Errors as above. */
gws_status gws__schema_by_position(struct gws__schema *schema, uint64_t columns, enum gws_number_kind kind);

/* The fields that a list such as "x,y:f64,-" names, into an empty schema. GWS_INVALID. */
gws_status gws__schema_list(struct gws__schema *schema, const char *list, enum gws_number_kind usual);

/* Finds x, y and z by name, gives the others their columns and makes their names differ. GWS_SYNTAX (no x, y or z).
 * What reads rows does this first. */
gws_status gws__schema_finalise(struct gws__schema *schema);

/* Room for count points as the schema has them. GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__schema_make(const struct gws__schema *schema, uint64_t count, struct gws_points *points);

/* Where a field's numbers go, and as what: NULL where they are read past. */
void *gws__schema_destination(const struct gws__schema *schema, uint32_t field, const struct gws_points *points,
                              enum gws_number_kind *kind);

/* What kinds are called: in lists of columns ("f32"), by NumPy ("f4"), in PLY ("float", none of 64-bit integers) and by
 * VTK ("Float32"). */
enum gws__kind_names { GWS__KIND_LIST, GWS__KIND_NUMPY, GWS__KIND_PLY, GWS__KIND_VTK };

/* A kind by its name (length bytes; upper or lower case are one in PLY and VTK), and back: NULL if it has none. */
bool gws__kind_named(const char *text, size_t length, enum gws__kind_names names, enum gws_number_kind *kind);
const char *gws__kind_name(enum gws_number_kind kind, enum gws__kind_names names);

/* Rows of numbers as text, a row a line. */

struct gws__text {
    struct gws__schema *schema;
    struct gws__count count;
    bool limited; /* there are other lines trailing those declared: what they are is not looked at; a row is a line */
    bool free;    /* commas and semicolons, comments with # or //, empty fields and blank lines are allowed */
};

/* Reads what is left of the schema's input. Numbers of columns of integers must be such; a field that is read past may
 * be any token. Errors: GWS_SYNTAX, GWS_OUT_OF_RANGE, GWS_TRUNCATED (fewer rows than declared), GWS_TOO_LARGE,
 * GWS_NO_MEMORY.
 */
gws_status gws__text_read(const struct gws__text *text, struct gws_points *points);

/* Where the token at p ends: at a blank, or where free also at a comma or semicolon, or end. */
const char *gws__text_token(const char *p, const char *end, bool free);

/* True where a line is a comment. */
bool gws__text_comment(const char *p, const char *end);

/* True for a token that may name a column before the first row: nothing (between commas), "-", letters and the like, or
 * whatever is quoted. */
bool gws__text_is_name(const char *token, const char *end);

/* Any number, also nan and inf, at p; NULL if there is none. */
const char *gws__text_number(const char *p, const char *end, double *value);

/* ---- binary rows of one length ---- */

/* Where the rows lie. */
struct gws__binary_rows {
    uint64_t skip;           /* bytes before them, from where the input stands */
    struct gws__count count; /* not declared: up to the input's end */
    uint64_t trailing;       /* bytes that must follow them, whatever those are */
};

/* Reads rows of the schema's input. Errors: GWS_TRUNCATED, GWS_CORRUPT (a compressed input's checksum; the end is not
 * that of a row), GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__binary_rows_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                 struct gws_points *points);

/* The same where a field's numbers lie one after the other, field by field; the count is declared. */
gws_status gws__binary_columns_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                    struct gws_points *points);

/* Numbers of binary rows to columns. */

/* count numbers, stride bytes apart, in the file's order of bytes. */
struct gws__strided {
    const unsigned char *bytes;
    uint64_t stride, count;
    enum gws_number_kind kind;
    bool swap;
};

/* Copies them to destination[first] ... as they are. */
void gws__decode_column(const struct gws__strided *strided, void *destination, uint64_t first);

/* Copies them as coordinates: number * scale + shift in doubles if scaled, then rounded to float unless is_double. */
void gws__decode_axis(const struct gws__strided *strided, const struct gws__schema *schema, int axis, void *destination,
                      uint64_t first);

/* Rows that come in chunks, in any order and by several workers, and in the end are one point set. */

struct gws__row_block_list;

struct gws__blocks {
    const struct gws__schema *schema;
    struct gws__row_block_list *list; /* one for each worker */
};

gws_status gws__blocks_open(const struct gws__schema *schema, struct gws__blocks *blocks);
void gws__blocks_close(struct gws__blocks *blocks);

/* Takes over a set of rows that the schema's gws__schema_make() made, of which the first points->count count; index is
 * its destination among the others. On one worker at a time. GWS_NO_MEMORY: then it stays the caller's. */
gws_status gws__blocks_add(struct gws__blocks *blocks, uint32_t worker, uint64_t index,
                           const struct gws_points *points);

/* All rows so far. */
uint64_t gws__blocks_count(const struct gws__blocks *blocks);

/* Joins the blocks, which are used up, in the order of their indexes. GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__blocks_assemble(struct gws__blocks *blocks, struct gws_points *points);

/* ---- the lines that a file begins with, whatever comes trailing them ----
 *
 * They are read from the input's first bytes, which stay to be taken. */

enum { GWS__HEADER_BYTES = 1 << 17 };

struct gws__header {
    struct gws__input *input;
    const char *text, *at, *end; /* the first byte, the one trailing the lines that were taken, the end */
    uint64_t lines;              /* taken */
    bool all;                    /* text is the whole input */
};

/* Looks at the first bytes. Before anything is taken but a byte-order mark. */
gws_status gws__header_open(struct gws__input *input, struct gws__header *header);

/* Takes the next line, its tokens in *tokens; what is what should be there, for the message at the end of the input. */
gws_status gws__header_line(struct gws__header *header, const char *what, struct gws__tokens *tokens);

/* Takes the lines from the input itself, for text to go on trailing them. */
gws_status gws__header_skip(const struct gws__header *header);

/* Adds a field; on failure the message names the line. */
gws_status gws__header_field(const struct gws__header *header, struct gws__schema *schema, const char *name,
                             size_t length, enum gws_number_kind kind);

/* What every reader of a format is. The header is open, nothing is taken of it; the schema is empty and closed by the
 * caller. */
struct gws__points_reading {
    struct gws__input *input;
    struct gws__header header;
    const struct gws_points_read_options *options;
    struct gws__schema schema;
};

typedef gws_status gws__points_reader(struct gws__points_reading *reading, struct gws_points *points);

gws__points_reader gws__points_read_ply, gws__points_read_pcd, gws__points_read_xyz, gws__points_read_las,
    gws__points_read_npy, gws__points_read_gwsp;

/* ---- all formats ---- */

/* gws_points_read() from an input, which stays the caller's to close. options is not NULL. */
gws_status gws__points_read_input(struct gws__input *input, const struct gws_points_read_options *options,
                                  struct gws_points *points);

/* The format that a name's ending stands for, or GWS_POINTS_AUTO. */
enum gws_points_format gws__points_format_of_name(const char *name);

/* Points on their way to a file: x, y and z are the first three fields, the columns follow. */
struct gws__points_writing {
    struct gws_runtime *runtime;
    struct gws_output *output; /* open */
    const struct gws_points *points;
    uint32_t fields;
    const struct gws_points_column *field;
    const char *path;
    struct gws_where *where;
};

typedef gws_status gws__points_writer(const struct gws__points_writing *writing);

gws__points_writer gws__points_write_vtp, gws__points_write_gwsp;

/* gws_questions_read() of an input that is open. */
gws_status gws__queries_read_input(struct gws__input *input, const struct gws_question_kind *kind, uint32_t kinds,
                                   struct gws_question **question, uint64_t *count);

#endif
