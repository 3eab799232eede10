/* SPDX-License-Identifier: MIT */
/* The common parts of the point readers: the fields of a row and their destinations, rows as text and as bytes, and the
 * header lines of a file. */
#ifndef GWS_IO_POINTS_READER_H
#define GWS_IO_POINTS_READER_H

#include "../input/input.h"
#include "../output/output.h"
#include "../points_io.h"
#include "../query_io.h"
#include "../text/reader.h"

/* A field's role: an axis (0, 1, 2 for x, y, z), column number role - GWS__ROLE_COLUMN, or a field to skip. */
enum { GWS__ROLE_SKIP = -1, GWS__ROLE_COLUMN = 3 };

struct gws__field {
    char name[GWS_POINTS_NAME];
    enum gws_number_kind kind; /* in the file; a column has the same kind */
    int32_t role;
    uint64_t offset; /* bytes from the start of the row, in binary files */
};

/* The fields of a row. A reader opens it with an input and a precision, adds the fields and finalises it once; it is
 * read-only then. */
struct gws__schema {
    struct gws__input *input;
    enum gws_precision precision; /* the requested precision */
    uint32_t fields;
    uint64_t capacity;
    struct gws__field *field;
    uint64_t stride; /* bytes of a row in a binary file: the sum of the fields, unless it is set explicitly */
    uint32_t columns;
    bool big_endian;
    bool is_double;
    bool scaled; /* coordinates are number * scale + shift, in doubles */
    double scale[3], shift[3];
};

/* The number of rows, if a file declares it. */
struct gws__count {
    bool declared;
    uint64_t rows;
};

/* Appends a field of that name (length bytes of any text; "-" and "_" mark a field to skip) and kind. GWS_TOO_LARGE
 * (more than GWS_POINTS_COLUMNS), GWS_NO_MEMORY. */
gws_status gws__schema_add(struct gws__schema *schema, const char *name, size_t length, enum gws_number_kind kind);

/* Adds fields with the names x, y, z, column4, column5 ... Errors as above. */
gws_status gws__schema_by_position(struct gws__schema *schema, uint64_t columns, enum gws_number_kind kind);

/* Adds the fields that a list such as "x,y:f64,-" names to an empty schema. GWS_INVALID. */
gws_status gws__schema_list(struct gws__schema *schema, const char *list, enum gws_number_kind usual);

/* Finds x, y and z by name, assigns columns to the other fields and makes their names unique. GWS_SYNTAX (no x, y or
 * z). Every reader of rows calls this first. */
gws_status gws__schema_finalise(struct gws__schema *schema);

/* Allocates count points with the schema's columns. GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__schema_make(const struct gws__schema *schema, uint64_t count, struct gws_points *points);

/* The destination array of a field and its kind; NULL if the field is skipped. */
void *gws__schema_destination(const struct gws__schema *schema, uint32_t field, const struct gws_points *points,
                              enum gws_number_kind *kind);

/* Names of kinds: in lists of columns ("f32"), in NumPy ("f4"), in PLY ("float", no 64-bit integers) and in VTK
 * ("Float32"). */
enum gws__kind_names { GWS__KIND_LIST, GWS__KIND_NUMPY, GWS__KIND_PLY, GWS__KIND_VTK };

/* Finds a kind by its name (length bytes; case is ignored in PLY and VTK), and a name by its kind: NULL if it has
 * none. */
bool gws__kind_named(const char *text, size_t length, enum gws__kind_names names, enum gws_number_kind *kind);
const char *gws__kind_name(enum gws_number_kind kind, enum gws__kind_names names);

/* ---- rows of numbers as text, a row a line ---- */

struct gws__text {
    struct gws__schema *schema;
    struct gws__count count;
    bool limited; /* other lines may follow the declared rows and are ignored; each row is one line */
    bool free;    /* commas and semicolons, comments with # or //, empty fields and blank lines are allowed */
};

/* Reads the rest of the schema's input. Columns of integers must contain integers; a field that is skipped may be any
 * token. Errors: GWS_SYNTAX, GWS_OUT_OF_RANGE, GWS_TRUNCATED (fewer rows than declared), GWS_TOO_LARGE,
 * GWS_NO_MEMORY. */
gws_status gws__text_read(const struct gws__text *text, struct gws_points *points);

/* The end of the token at p: a blank, end, or with `free` also a comma or semicolon. */
const char *gws__text_token(const char *p, const char *end, bool free);

/* True if the line is a comment. */
bool gws__text_comment(const char *p, const char *end);

/* True if the token may name a column before the first row: an empty one (between commas), "-", letters and the like,
 * or any quoted token. */
bool gws__text_is_name(const char *token, const char *end);

/* Reads any number at p, including nan and inf; NULL if there is none. */
const char *gws__text_number(const char *p, const char *end, double *value);

/* ---- binary rows of one length ---- */

/* The position of the rows in the input. */
struct gws__binary_rows {
    uint64_t skip;           /* bytes before the rows, from the input's position */
    struct gws__count count; /* not declared: rows up to the input's end */
    uint64_t trailing;       /* bytes that must follow the rows, with any content */
};

/* Reads rows of the schema's input. Errors: GWS_TRUNCATED, GWS_CORRUPT (a compressed input's checksum; the input ends
 * within a row), GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__binary_rows_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                 struct gws_points *points);

/* The same for numbers stored field by field. The count must be declared. */
gws_status gws__binary_columns_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                    struct gws_points *points);

/* ---- numbers of binary rows to columns ---- */

/* count numbers, stride bytes apart, in the file's byte order. */
struct gws__strided {
    const unsigned char *bytes;
    uint64_t stride, count;
    enum gws_number_kind kind;
    bool swap;
};

/* Copies them to data[first] ... without conversion. */
void gws__decode_column(const struct gws__strided *strided, void *data, uint64_t first);

/* Copies them as coordinates: number * scale + shift in doubles if scaled, then rounded to float unless is_double. */
void gws__decode_axis(const struct gws__strided *strided, const struct gws__schema *schema, int axis, void *data,
                      uint64_t first);

/* ---- blocks of rows: several workers add them in any order, and one point set results ---- */

struct gws__row_block_list;

struct gws__blocks {
    const struct gws__schema *schema;
    struct gws__row_block_list *list; /* one for each worker */
};

gws_status gws__blocks_open(const struct gws__schema *schema, struct gws__blocks *blocks);
void gws__blocks_close(struct gws__blocks *blocks);

/* Takes ownership of rows from the schema's gws__schema_make(); the first points->count are valid. index is the block's
 * position among the others. A worker number must be used by one thread at a time. GWS_NO_MEMORY: the caller keeps the
 * rows. */
gws_status gws__blocks_add(struct gws__blocks *blocks, uint32_t worker, uint64_t index,
                           const struct gws_points *points);

/* The number of rows so far. */
uint64_t gws__blocks_count(const struct gws__blocks *blocks);

/* Assembles the blocks in the order of their indexes; the blocks are empty afterwards. GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__blocks_assemble(struct gws__blocks *blocks, struct gws_points *points);

/* ---- header lines, followed by any content ----
 *
 * They are read from the input's first bytes, which remain unread in the input. */

enum { GWS__HEADER_BYTES = 1 << 17 };

struct gws__header {
    struct gws__input *input;
    const char *text, *at, *end; /* the first byte, the byte after the lines read so far, the end */
    uint64_t lines;              /* read so far */
    bool all;                    /* text is the whole input */
};

/* Peeks at the first bytes. Call it before reading anything except a byte-order mark. */
gws_status gws__header_open(struct gws__input *input, struct gws__header *header);

/* Reads the next line into *tokens; `what` is the expected content, for the message at the end of the input. */
gws_status gws__header_line(struct gws__header *header, const char *what, struct gws__tokens *tokens);

/* Reads the header's lines from the input itself, so that text after them can be read. */
gws_status gws__header_skip(const struct gws__header *header);

/* Adds a field; on failure the message names the line. */
gws_status gws__header_field(const struct gws__header *header, struct gws__schema *schema, const char *name,
                             size_t length, enum gws_number_kind kind);

/* The arguments of a format's reader. The header is open and no line of it was read. The schema is empty; the caller
 * frees it. */
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

/* gws_points_read() from an open input, which the caller closes. options is not NULL. */
gws_status gws__points_read_input(struct gws__input *input, const struct gws_points_read_options *options,
                                  struct gws_points *points);

/* The format of a name's suffix, or GWS_POINTS_AUTO. */
enum gws_points_format gws__points_format_of_name(const char *name);

/* Points being written: the first three fields are x, y and z, the columns follow. */
struct gws__points_writing {
    struct gws_runtime *runtime;
    struct gws_output *output; /* open */
    const struct gws_points *points;
    uint32_t fields;
    const struct gws_points_column *field;
    const char *path;
    struct gws_diagnostic *where;
};

typedef gws_status gws__points_writer(const struct gws__points_writing *writing);

gws__points_writer gws__points_write_vtp, gws__points_write_gwsp;

/* gws_queries_read() from an open input. */
gws_status gws__queries_read_input(struct gws__input *input, const struct gws_query_kind *kind, uint32_t kinds,
                                   struct gws_query **query, uint64_t *count);

#endif
