/* SPDX-License-Identifier: MIT */
/* Binary rows of one length. */
#ifndef GWS_IO_POINTS_RECORDS_H
#define GWS_IO_POINTS_RECORDS_H

#include "../input/buffer.h"
#include "schema.h"

/* Where the rows lie. */
struct gws__records {
    uint64_t skip;           /* bytes before them, from where the input stands */
    struct gws__count count; /* not declared: up to the input's end */
    uint64_t behind;         /* bytes that must follow them, whatever those are */
};

/* Reads rows of the schema's input. Errors: GWS_TRUNCATED, GWS_CORRUPT (a compressed input's checksum; the end is not
 * that of a row), GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__records_read(struct gws__schema *schema, const struct gws__records *records, struct gws_points *points);

/* The same where a field's numbers lie one after the other, field by field; the count is declared. */
gws_status gws__columns_read(struct gws__schema *schema, const struct gws__records *records, struct gws_points *points);

/* Numbers of binary rows to columns. */

/* count numbers, stride bytes apart, in the file's order of bytes. */
struct gws__run {
    const unsigned char *bytes;
    uint64_t stride, count;
    enum gws_number_kind kind;
    bool swap;
};

/* Copies them to place[first] ... as they are. */
void gws__decode_column(const struct gws__run *run, void *place, uint64_t first);

/* Copies them as coordinates: number * scale + shift in doubles if scaled, then rounded to float unless is_double. */
void gws__decode_axis(const struct gws__run *run, const struct gws__schema *schema, int axis, void *place,
                      uint64_t first);

/* True if the file's order of bytes is not this computer's. */
bool gws__decode_swaps(bool big_endian);

/* Rows that are not plain, with every mistake named. */

/* Where a field goes: place NULL is nowhere. */
struct gws__target {
    void *place;
    enum gws_number_kind kind;
};

struct gws__row {
    const struct gws__piece *piece;
    const struct gws__text *text;
    const char *at, *end; /* end: its line feed */
};

/* Reads one row into places row of the targets; *is_row becomes false for a comment or a blank line. */
gws_status gws__row_careful(struct gws__row *row, const struct gws__target *target, uint64_t number, bool *is_row);

/* Puts a number in its place as the column's kind; false if that cannot hold it, and for 64-bit integers. */
bool gws__text_store(void *place, enum gws_number_kind kind, uint64_t row, double value);

/* Rows that come in pieces, in any order and by several workers, and in the end are one point set. */

struct gws__block_list;

struct gws__blocks {
    const struct gws__schema *schema;
    struct gws__block_list *list; /* one for each worker */
};

gws_status gws__blocks_open(const struct gws__schema *schema, struct gws__blocks *blocks);
void gws__blocks_close(struct gws__blocks *blocks);

/* Takes over a set of rows that the schema's gws__schema_make() made, of which the first points->count count; index is
 * its place among the others. On one worker at a time. GWS_NO_MEMORY: then it stays the caller's. */
gws_status gws__blocks_add(struct gws__blocks *blocks, uint32_t worker, uint64_t index,
                           const struct gws_points *points);

/* All rows so far. */
uint64_t gws__blocks_count(const struct gws__blocks *blocks);

/* Joins the blocks, which are used up, in the order of their indexes. GWS_TOO_LARGE, GWS_NO_MEMORY. */
gws_status gws__blocks_join(struct gws__blocks *blocks, struct gws_points *points);

#endif
