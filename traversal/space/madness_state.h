/* SPDX-License-Identifier: MIT */
/* What the builder of MADNESS trees leaves behind: each worker's families, in slabs, and the tree that owns them. */
#ifndef GWS_SPACE_MADNESS_STATE_H
#define GWS_SPACE_MADNESS_STATE_H

#include "../../lib/parallel.h"
#include "../madness.h"

/* A piece of memory that one worker fills: room families, then their coefficients, each family's on a multiple of 64
 * bytes. */
struct gws__madness_slab {
    struct gws__madness_slab *next;
    uint64_t bytes; /* all of it */
    uint64_t count, room;
    double *coefficient; /* of family 0 */
    struct gws_madness_family family[];
};

struct gws__madness_owner {
    struct gws_allocator allocator;
    struct gws__madness_slab *slab; /* all of them, chained */
    struct gws_madness_family *family;
    struct gws_madness_part *part;
    struct gws_madness_tree tree;
};

/* Where a family stands in the order of its function: its box's place among all boxes of the deepest level. */
uint64_t gws__madness_key(uint32_t level, const uint32_t at[3]);

/* Fills in what follows from owner->slab: families, parts, counts; tree.boxes is there. */
gws_status gws__madness_gather(struct gws_runtime *runtime, struct gws__madness_owner *owner);

/* The points of a rule of count points in the children of a box, along one axis: 2 * count entries. */
void gws__madness_points(const double *point, uint32_t count, double low, double high, uint32_t level, uint32_t at,
                         double *x);

#endif
