/* SPDX-License-Identifier: MIT */
/* Points are dealt out to the buckets of a plan in one pass over pieces of the input that fit a cache: each piece's
 * records are put into the order of buckets, and within a bucket that of their numbers, where the piece lies. A bucket
 * is then a stretch of each piece, gathered by who divides it. So nobody waits for what others counted, pages are
 * touched first by the one worker who fills them, and the points are read and turned into keys once. */
#ifndef GWS_SPACE_OCTREE_DEAL_H
#define GWS_SPACE_OCTREE_DEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "octree_state.h"

/* A record of a point: the low bits hold its number, as many as the largest needs, those above the bits of the key that
 * follow the octant whose level is the record's base: 14 levels of them for a million points, 10 for 2^32. A record is
 * made anew where they end. These are the bits of the number of one of `points` points. */
static inline uint64_t gws__octree_number_mask(uint64_t points)
{
    return points > 1 ? UINT64_MAX >> __builtin_clzll(points - 1) : 0;
}

/* Divides an octant of level's points, from[0 .. count - 1], which lie at place of the leaf order, down to its leaves,
 * and writes the leaves' points into the index. The records' base is level, their order that of their numbers; to is
 * room for as many. Both are overwritten. count > K, level above the depth limit. */
gws__octree_handle gws__octree_divide(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                      uint64_t *from, uint64_t *to, uint64_t count, uint64_t place, unsigned level);

/* Where to cut a set of points into buckets that fit a cache: octants of any level, found from a sample, so that dense
 * spots are cut more finely (as sample sort chooses its splitters: Frazer, McKellar, J. ACM 1970). Buckets are numbered
 * in the order of their keys. A bucket may turn out larger than planned, or empty: that costs time, nothing else. */

enum { gws__octree_table_bits = 9, gws__octree_table_size = 1 << gws__octree_table_bits, gws__octree_block = 1024 };
#define GWS__OCTREE_SPLIT UINT32_C(0x80000000)

/* Tables say which bucket a key falls into: three levels at a time, an entry is a bucket, or GWS__OCTREE_SPLIT and
 * where the next table begins. The first table is twice as long, so that GWS__OCTREE_NO_KEY falls into the last bucket,
 * one behind those of the octants. */
struct gws__octree_plan {
    uint32_t buckets; /* of octants; below 2^16 */
    uint32_t splits;  /* octants that are cut; 0: the root is the only bucket */
    uint32_t room;    /* splits that there may be */
    uint8_t *level;   /* of each bucket, buckets + 1 entries */
    uint32_t *table;
    uint32_t tables, table_room; /* of gws__octree_table_size entries */
};

gws_status gws__octree_plan_make(const struct gws__octree_state *state, uint64_t bucket_points,
                                 struct gws__octree_plan *plan);
void gws__octree_plan_clear(struct gws_runtime *runtime, struct gws__octree_plan *plan);

/* The buckets that an octant is made of, which has span entries from at on: those from the one returned to *end - 1. */
uint32_t gws__octree_plan_below(const struct gws__octree_plan *plan, uint32_t at, uint32_t span, uint32_t *end);

/* Whether an octant of that level, whose entries begin at at, is one bucket. */
static inline bool gws__octree_plan_is_bucket(const struct gws__octree_plan *plan, uint32_t at, unsigned level)
{
    uint32_t entry = plan->table[at];
    return !(entry & GWS__OCTREE_SPLIT) && plan->level[entry] <= level;
}

/* Into which bucket each of count <= gws__octree_block keys falls. */
void gws__octree_buckets_of(const struct gws__octree_plan *plan, const uint64_t *key, unsigned count, uint16_t *bucket);

/* Keys in rising order, by way of as many in other. */
void gws__octree_sort_keys(uint64_t *key, uint64_t *other, uint64_t count);

/* Writing past the caches: for what is too long for them and is written in whole lines, so that no line is fetched
 * before it is overwritten. It pays where memory was used before; pages that the system clears at the first touch are
 * in a cache by that. */

/* Was that memory, of more than a page, touched before? False where the system cannot say. */
bool gws__octree_is_touched(const void *memory, uint64_t bytes);

/* Copies bytes; others see them as after any write. */
void gws__octree_stream(void *to, const void *from, uint64_t bytes);

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
    uint64_t *record; /* points->count entries */
    /* Only while it is dealt. */
    uint64_t *total; /* each worker's points in each bucket */
    uint64_t *key;   /* each worker's piece */
    uint16_t *bucket;
    uint64_t *room; /* each worker's piece in order, where records are written past the caches; else NULL */
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
void gws__octree_deal_gather(const struct gws__octree_deal *deal, uint64_t bucket, uint64_t *to);

void gws__octree_deal_clear(struct gws__octree_deal *deal);

#endif
