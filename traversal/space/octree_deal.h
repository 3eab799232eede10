/* SPDX-License-Identifier: MIT */
/* Points are dealt out to the buckets of a plan in one pass over pieces of the input that fit a cache: each piece's
 * records are put into the order of buckets, and within a bucket that of their numbers, where the piece lies. A bucket
 * is then a stretch of each piece, gathered by who divides it. So nobody waits for what others counted, pages are
 * touched first by the one worker who fills them, and the points are read and turned into keys once. */
#ifndef GWS_SPACE_OCTREE_DEAL_H
#define GWS_SPACE_OCTREE_DEAL_H

#include "octree_divide.h"
#include "octree_plan.h"

struct gws__octree_deal {
    struct gws__octree_state *state;
    struct gws__octree_plan plan;
    uint64_t pieces, most; /* points that a piece may have */
    uint32_t *begin;       /* of each piece, where each bucket's records begin among its own: plan.buckets + 2 entries a
                              piece,       the last bucket holding points without a key */
    uint64_t *start;       /* where each bucket begins in the leaf order; as many entries */
    /* A split whose octant is a leaf, after all, is one bucket: its first goes up to end[first], and the others have
     * end[b] = b. End is b + 1 elsewhere. */
    uint32_t *end;
    void *record;  /* points->count entries */
    uint64_t size; /* of a record */
    /* Only while it is dealt. */
    uint64_t *total; /* each worker's points in each bucket */
    uint64_t *key;   /* each worker's piece */
    uint16_t *bucket;
    void *room; /* each worker's piece in order, where records are written past the caches; else NULL */
};

/* Makes the plan and the records. GWS_NO_MEMORY: to be cleared all the same. */
gws_status gws__octree_deal_make(struct gws__octree_deal *deal, uint64_t bucket_points);

static inline uint64_t gws__octree_dealt(const struct gws__octree_deal *deal, uint64_t bucket)
{
    return deal->start[deal->end[bucket]] - deal->start[bucket];
}

/* A bucket's records in a piece. */
static inline struct gws_range gws__octree_deal_stretch(const struct gws__octree_deal *deal, uint64_t piece,
                                                        uint64_t bucket)
{
    const uint32_t *row = deal->begin + piece * (deal->plan.buckets + UINT64_C(2));
    uint64_t begin = piece * deal->most;
    return (struct gws_range){begin + row[bucket], begin + row[deal->end[bucket]]};
}

/* A bucket's records, gathered at `to`, in the order of their numbers but for buckets that were put together. */
void gws__octree_deal_gather(const struct gws__octree_deal *deal, uint64_t bucket, void *to);

void gws__octree_deal_clear(struct gws__octree_deal *deal);

#endif
