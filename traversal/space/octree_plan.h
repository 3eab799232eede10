/* SPDX-License-Identifier: MIT */
/* Where to cut a set of points into buckets that fit a cache: octants of any level, found from a sample, so that dense
 * spots are cut more finely (as sample sort chooses its splitters: Frazer, McKellar, J. ACM 1970). Buckets are numbered
 * in the order of their keys. A bucket may turn out larger than planned, or empty: that costs time, nothing else. */
#ifndef GWS_SPACE_OCTREE_PLAN_H
#define GWS_SPACE_OCTREE_PLAN_H

#include "octree_state.h"

/* An octant that is cut: its children, each a bucket, or a split with gws__octree_split_flag added. */
struct gws__octree_split {
    uint32_t child[8];
    uint32_t level;
};

enum { gws__octree_table_bits = 9, gws__octree_table_size = 1 << gws__octree_table_bits, gws__octree_block = 1024 };
#define GWS__OCTREE_SPLIT UINT32_C(0x80000000)

/* Tables say which bucket a key falls into: three levels at a time, an entry is a bucket, or GWS__OCTREE_SPLIT and
 * where the next table begins. The first table is twice as long, so that GWS__OCTREE_NO_KEY falls into the last bucket,
 * one behind those of the octants. */
struct gws__octree_plan {
    uint32_t buckets; /* of octants; below 2^16 */
    uint32_t splits;  /* split[0] is the root; 0: the root is the only bucket */
    uint32_t room;    /* splits that there may be */
    struct gws__octree_split *split;
    uint8_t *level; /* of each bucket, buckets + 1 entries */
    uint32_t *table;
    uint64_t table_room;
};

gws_status gws__octree_plan_make(const struct gws__octree_state *state, uint64_t bucket_points,
                                 struct gws__octree_plan *plan);
void gws__octree_plan_clear(struct gws_runtime *runtime, struct gws__octree_plan *plan);

/* The buckets that a bucket or split is made of: those from the one returned to *end - 1. */
uint32_t gws__octree_plan_below(const struct gws__octree_plan *plan, uint32_t what, uint32_t *end);

/* Into which bucket each of count <= gws__octree_block keys falls. */
void gws__octree_buckets_of(const struct gws__octree_plan *plan, const uint64_t *key, unsigned count, uint16_t *bucket);

/* Keys in rising order, by way of as many in other. */
void gws__octree_sort_keys(uint64_t *key, uint64_t *other, uint64_t count);

#endif
