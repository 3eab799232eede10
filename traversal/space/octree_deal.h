/* SPDX-License-Identifier: MIT */
/* Points are dealt out to the buckets of a plan in two passes over pieces of the input: the first counts how many each
 * piece has for each bucket, the second writes their records there. Pieces and buckets in order, and both passes in the
 * points' order, so that a bucket's records are in the order of their numbers. */
#ifndef GWS_SPACE_OCTREE_DEAL_H
#define GWS_SPACE_OCTREE_DEAL_H

#include "octree_divide.h"
#include "octree_plan.h"

struct gws__octree_deal {
    struct gws__octree_state *state;
    struct gws__octree_plan plan;
    uint64_t pieces;
    uint64_t *place; /* of each piece, for each bucket, where its next record goes; before that, how many it has */
    uint64_t
        *start;   /* where each bucket begins; plan.buckets + 2 entries, the last bucket holding points without a key */
    void *record; /* points->count entries */
    uint64_t size; /* of a record */
};

/* Makes the plan, counts, and gives each piece its places. GWS_NO_MEMORY: to be cleared all the same. */
gws_status gws__octree_deal_count(struct gws__octree_deal *deal, uint64_t bucket_points);

/* Makes and writes the records. */
gws_status gws__octree_deal_write(struct gws__octree_deal *deal);

void gws__octree_deal_clear(struct gws__octree_deal *deal);

#endif
