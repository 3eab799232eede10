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

/* A field's role is an axis (0, 1, 2 for x, y, z), column number role - GWS__ROLE_COLUMN, or a field to skip. */
enum { GWS__ROLE_SKIP = -1, GWS__ROLE_COLUMN = 3 };

struct gws__field {
    char name[GWS_POINTS_NAME];
    enum gws_number_kind kind; /* the field's kind in the file; its column has the same kind */
    int32_t role;
    uint64_t offset; /* bytes from the start of the row, in binary files */
};

/* The fields of a row. A reader opens a schema with an input and a precision, adds the fields and finalises the schema
 * once. A finalised schema is read-only. */
struct gws__schema {
    struct gws__input *input;
    enum gws_precision precision; /* the requested precision */
    uint32_t fields;
    uint64_t capacity;
    struct gws__field *field;
    uint64_t stride; /* bytes of a row in a binary file: the sum of the fields, unless a reader sets another stride */
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

/* Appends a field with the name (length bytes of any text; "-" and "_" mark a field to skip) and the kind. Errors:
 * GWS_TOO_LARGE (more than GWS_POINTS_COLUMNS), GWS_NO_MEMORY. */
gws_status gws__schema_add(struct gws__schema *schema, const char *name, size_t length, enum gws_number_kind kind);

/* Adds fields with the names x, y, z, column4, column5 ... Errors: those of gws__schema_add(). */
gws_status gws__schema_by_position(struct gws__schema *schema, uint64_t columns, enum gws_number_kind kind);

/* Adds the fields that a list such as "x,y:f64,-" names to an empty schema. Errors: GWS_INVALID. */
gws_status gws__schema_list(struct gws__schema *schema, const char *list, enum gws_number_kind usual);

/* Finds x, y and z by name, assigns columns to the other fields and makes their names unique. Every reader of rows
 * calls this function first. Errors: GWS_SYNTAX (no x, y or z). */
gws_status gws__schema_finalise(struct gws__schema *schema);

/* Allocates count points with the schema's columns. Errors: GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__schema_make(const struct gws__schema *schema, uint64_t count, struct gws_points *points);

/* Returns the destination array of a field, and its kind, or NULL if the schema skips the field. */
void *gws__schema_destination(const struct gws__schema *schema, uint32_t field, const struct gws_points *points,
                              enum gws_number_kind *kind);

/* Names of kinds: in lists of columns ("f32"), in NumPy ("f4"), in PLY ("float", no 64-bit integers) and in VTK
 * ("Float32"). */
enum gws__kind_names { GWS__KIND_LIST, GWS__KIND_NUMPY, GWS__KIND_PLY, GWS__KIND_VTK };

/* gws__kind_named() finds a kind by its name (length bytes), ignoring case in PLY and VTK. gws__kind_name() finds a
 * name by its kind, and returns NULL if the kind has no name. */
bool gws__kind_named(const char *text, size_t length, enum gws__kind_names names, enum gws_number_kind *kind);
const char *gws__kind_name(enum gws_number_kind kind, enum gws__kind_names names);

/* ---- rows of numbers as text, a row a line ---- */

struct gws__text {
    struct gws__schema *schema;
    struct gws__count count;
    bool limited; /* each row is one line, and the reader ignores other lines after the declared rows */
    bool free;    /* commas and semicolons, comments with # or //, empty fields and blank lines are allowed */
};

/* Reads the rest of the schema's input. Columns of integers must contain integers. A skipped field may be any token.
 * Errors: GWS_SYNTAX, GWS_OUT_OF_RANGE, GWS_TRUNCATED (fewer rows than declared), GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__text_read(const struct gws__text *text, struct gws_points *points);

/* Returns the end of the token at p, which is a blank or end, and with `free` also a comma or semicolon. */
const char *gws__text_token(const char *p, const char *end, bool free);

/* Returns true if the line is a comment. */
bool gws__text_comment(const char *p, const char *end);

/* Returns true if the token may name a column before the first row: an empty token (between commas), "-", a token that
 * begins like a name, or any quoted token. */
bool gws__text_is_name(const char *token, const char *end);

/* Reads any number at p, including nan and inf. Returns NULL if p has no number. */
const char *gws__text_number(const char *p, const char *end, double *value);

/* ---- binary rows of one length ---- */

/* The position of the rows in the input. */
struct gws__binary_rows {
    uint64_t skip;           /* bytes before the rows, from the input's position */
    struct gws__count count; /* if not declared, rows extend to the input's end */
    uint64_t trailing;       /* bytes that must follow the rows, with any content */
};

/* Reads rows of the schema's input. Errors: GWS_TRUNCATED, GWS_CORRUPT (a wrong checksum, or an input that ends within
 * a row), GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__binary_rows_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                 struct gws_points *points);

/* Reads rows as gws__binary_rows_read() does, but from numbers stored field by field. The count must be declared. */
gws_status gws__binary_columns_read(struct gws__schema *schema, const struct gws__binary_rows *binary,
                                    struct gws_points *points);

/* ---- numbers of binary rows to columns ---- */

/* `count` numbers, stride bytes apart, in the file's byte order. */
struct gws__strided {
    const unsigned char *bytes;
    uint64_t stride, count;
    enum gws_number_kind kind;
    bool swap;
};

/* Copies the numbers to data[first] ... without conversion. */
void gws__decode_column(const struct gws__strided *strided, void *data, uint64_t first);

/* Converts the numbers to coordinates. A scaled coordinate is number * scale + shift in doubles. Rounds coordinates to
 * float unless is_double. */
void gws__decode_axis(const struct gws__strided *strided, const struct gws__schema *schema, int axis, void *data,
                      uint64_t first);

/* Converts the numbers of field f to its destination, from row `first` on. The kind and the byte order are the field's
 * and the schema's, whatever strided says. gws__decode_rows() converts all fields of the rows begin ... end - 1, the
 * first of which is at bytes. */
void gws__decode_field(const struct gws__schema *schema, uint32_t f, const struct gws__strided *strided,
                       const struct gws_points *points, uint64_t first);
void gws__decode_rows(const struct gws__schema *schema, const struct gws_points *points, const unsigned char *bytes,
                      uint64_t begin, uint64_t end);

/* ---- blocks of rows, which workers add in any order and one point set joins ---- */

struct gws__row_block_list;

struct gws__blocks {
    const struct gws__schema *schema;
    struct gws__row_block_list *list; /* one for each worker */
};

gws_status gws__blocks_open(const struct gws__schema *schema, struct gws__blocks *blocks);
void gws__blocks_close(struct gws__blocks *blocks);

/* Takes ownership of rows from the schema's gws__schema_make(), of which the first points->count are valid. index is
 * the block's position among all blocks. One thread at a time may use a worker number. After GWS_NO_MEMORY the caller
 * keeps the rows. */
gws_status gws__blocks_add(struct gws__blocks *blocks, uint32_t worker, uint64_t index,
                           const struct gws_points *points);

/* Returns the number of rows so far. */
uint64_t gws__blocks_count(const struct gws__blocks *blocks);

/* Assembles the blocks in the order of their indexes, and empties them. Errors: GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__blocks_assemble(struct gws__blocks *blocks, struct gws_points *points);

/* ---- header lines, followed by any content ----
 *
 * The functions read header lines from the input's first bytes, which remain unread in the input. */

enum { GWS__HEADER_BYTES = 1 << 17 };

struct gws__header {
    struct gws__input *input;
    const char *text, *at, *end; /* text: the first byte; at: the byte after the lines read so far */
    uint64_t lines;              /* number of lines read so far */
    bool all;                    /* text is the whole input */
};

/* Peeks at the first bytes. Call this function before reading anything except a byte-order mark. */
gws_status gws__header_open(struct gws__input *input, struct gws__header *header);

/* Reads the next line into *tokens. `what` is the expected content, for the message at the end of the input. */
gws_status gws__header_line(struct gws__header *header, const char *what, struct gws__tokens *tokens);

/* Reads the header's lines from the input itself. The text after the header is then next in the input. */
gws_status gws__header_skip(const struct gws__header *header);

/* Adds a field. The message of a failure names the line. */
gws_status gws__header_field(const struct gws__header *header, struct gws__schema *schema, const char *name,
                             size_t length, enum gws_number_kind kind);

/* The arguments of a format's reader. The header is open, but the caller has read no header line. The schema is empty,
 * and the caller frees it. */
struct gws__points_reading {
    struct gws__input *input;
    struct gws__header header;
    const struct gws_points_read_options *options;
    struct gws__schema schema;
};

typedef gws_status gws__points_reader(struct gws__points_reading *reading, struct gws_points *points);

gws__points_reader gws__points_read_ply, gws__points_read_pcd, gws__points_read_xyz, gws__points_read_las,
    gws__points_read_npy, gws__points_read_gwsp, gws__points_read_hdf5;

/* ---- all formats ---- */

/* Does the work of gws_points_read() with an open input, which the caller closes. options is not NULL. */
gws_status gws__points_read_input(struct gws__input *input, const struct gws_points_read_options *options,
                                  struct gws_points *points);

/* Returns the format of a name's suffix, or GWS_POINTS_AUTO. */
enum gws_points_format gws__points_format_of_name(const char *name);

/* The points to write. The first three fields are x, y and z, and the other fields are the columns. */
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

/* Writes a number of a column as text of at most GWS__TEXT_F64 bytes, and returns its end. Floats have the shortest
 * text that reads back as the same number. */
char *gws__points_format_number(const struct gws_points_column *field, uint64_t row, char *text);

/* Writes the fields row after row, little-endian. */
gws__points_writer gws__points_write_rows;

gws__points_writer gws__points_write_vtp, gws__points_write_gwsp, gws__points_write_pcd;

/* Does the work of gws_queries_read() with an open input. */
gws_status gws__queries_read_input(struct gws__input *input, const struct gws_query_kind *kind, uint32_t kinds,
                                   struct gws_query **query, uint64_t *count);

#endif
