/* SPDX-License-Identifier: MIT */
/* Rows that come in pieces, in any order and by several workers, and in the end are one point set. */
#ifndef GWS_IO_POINTS_BLOCKS_H
#define GWS_IO_POINTS_BLOCKS_H

#include "schema.h"

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
