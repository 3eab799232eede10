/* SPDX-License-Identifier: MIT */
/* Partitions the points into the buckets of a plan, in one pass over tiles of the input that fit a cache. Each tile's
 * records are sorted in place by bucket, and within a bucket by number. A bucket therefore consists of one run per
 * tile; the worker that divides the bucket gathers the runs. This avoids a barrier after counting, each page is first
 * touched by the worker that fills it, and each point is read and converted to a key once. */
#ifndef GWS_SPACE_OCTREE_PARTITION_H
#define GWS_SPACE_OCTREE_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "octree_state.h"

/* A record of a point: the low bits hold its number, in as many bits as the largest number needs. The high bits hold
 * the bits of the key below the record's base, an octant's level: 14 levels for a million points, 10 for 2^32. Records
 * are rebased where these levels end. This function returns the mask of the number for `points` points. */
static inline uint64_t gws__octree_number_mask(uint64_t points)
{
    return points > 1 ? UINT64_MAX >> __builtin_clzll(points - 1) : 0;
}

/* Divides an octant of that level into its leaves and writes the leaves' points into the index. Its points, from[0 ..
 * count - 1], begin at `position` of the leaf order. The base of the records is level, and they are sorted by number.
 * `to` has the capacity for count records. Both arrays are overwritten. Requires count > K and a level above the depth
 * limit. */
gws__octree_handle gws__octree_divide(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                      uint64_t *from, uint64_t *to, uint64_t count, uint64_t position, unsigned level);

/* A plan splits the points into buckets that fit a cache: octants of any level, chosen from a sample, so that dense
 * regions are split more finely (as sample sort chooses its splitters: Frazer, McKellar, J. ACM 1970). Buckets are
 * numbered in key order. A bucket may turn out larger than planned, or empty, which only costs time. */

enum { gws__octree_table_bits = 9, gws__octree_table_size = 1 << gws__octree_table_bits, gws__octree_block = 1024 };
#define GWS__OCTREE_SPLIT UINT32_C(0x80000000)

/* Tables map keys to buckets, three levels at a time. An entry is a bucket, or GWS__OCTREE_SPLIT plus the beginning of
 * the next table. The first table has twice the size, so that GWS__OCTREE_NO_KEY maps to the last bucket, after the
 * buckets of octants. */
struct gws__octree_plan {
    uint32_t buckets;    /* buckets of octants; below 2^16 */
    uint32_t splits;     /* octants that are split; 0: the root is the only bucket */
    uint32_t max_splits; /* limit of splits */
    uint8_t *level;      /* level of each bucket, buckets + 1 entries */
    uint32_t *table;
    uint32_t tables, max_tables; /* tables of gws__octree_table_size entries */
};

gws_status gws__octree_plan_make(const struct gws__octree_state *state, uint64_t bucket_points,
                                 struct gws__octree_plan *plan);
void gws__octree_plan_clear(struct gws_runtime *runtime, struct gws__octree_plan *plan);

/* Returns the first bucket, and the end of the buckets in *end, of an octant with span entries from `at` on. */
uint32_t gws__octree_plan_below(const struct gws__octree_plan *plan, uint32_t at, uint32_t span, uint32_t *end);

/* Whether an octant of that level, whose entries begin at `at`, is one bucket. */
static inline bool gws__octree_plan_is_bucket(const struct gws__octree_plan *plan, uint32_t at, unsigned level)
{
    uint32_t entry = plan->table[at];
    return !(entry & GWS__OCTREE_SPLIT) && plan->level[entry] <= level;
}

/* Finds the buckets of count <= gws__octree_block keys. */
void gws__octree_buckets_of(const struct gws__octree_plan *plan, const uint64_t *key, unsigned count, uint16_t *bucket);

/* Sorts keys in ascending order; `other` is scratch for count keys. */
void gws__octree_sort_keys(uint64_t *key, uint64_t *other, uint64_t count);

/* Non-temporal stores, for data that exceeds the caches and is written in whole cache lines: no line is fetched before
 * it is overwritten. They pay off only in memory that was used before, because the system's clearing of a page at its
 * first touch brings the page into a cache. */

/* Whether that memory, of more than a page, was touched before. False where the system does not tell. */
bool gws__octree_is_touched(const void *memory, uint64_t bytes);

/* Copies bytes with non-temporal stores; afterwards they are ordered like ordinary stores. */
void gws__octree_stream(void *to, const void *from, uint64_t bytes);

struct gws__octree_partition {
    struct gws__octree_state *state;
    struct gws__octree_plan plan;
    uint64_t tiles, tile_points; /* tile_points: points per tile */
    uint32_t *begin; /* for each tile the first record of each bucket, relative to the tile: plan.buckets + 2 entries
                      * per tile; the last bucket holds the points without a key */
    uint64_t *start; /* first position of each bucket in the leaf order; plan.buckets + 2 entries */
    /* A split octant that turned out to be a leaf is merged into its first bucket: its buckets are first .. end[first]
     * - 1, and end[b] = b for the others. Elsewhere end[b] = b + 1. */
    uint32_t *end;
    uint64_t *record; /* points->count entries */
    /* Only during the partition: */
    uint64_t *total; /* each worker's number of points per bucket */
    uint64_t *key;   /* each worker's keys of a tile */
    uint16_t *bucket;
    uint64_t *staging; /* each worker's sorted tile before it is streamed; NULL without non-temporal stores */
};

/* Makes the plan and sorts the records into buckets. After GWS_NO_MEMORY, the caller still clears the partition. */
gws_status gws__octree_partition_make(struct gws__octree_partition *partition, uint64_t bucket_points);

static inline uint64_t gws__octree_bucket_points(const struct gws__octree_partition *partition, uint64_t bucket)
{
    return partition->start[partition->end[bucket]] - partition->start[bucket];
}

/* The range of a bucket's records in a tile. */
static inline struct gws_range gws__octree_bucket_run(const struct gws__octree_partition *partition, uint64_t tile,
                                                      uint64_t bucket)
{
    const uint32_t *row = partition->begin + tile * (partition->plan.buckets + UINT64_C(2));
    uint64_t begin = tile * partition->tile_points;
    return (struct gws_range){begin + row[bucket], begin + row[partition->end[bucket]]};
}

/* Gathers a bucket's records into `to`, sorted by number within each unmerged bucket. */
void gws__octree_bucket_gather(const struct gws__octree_partition *partition, uint64_t bucket, uint64_t *to);

void gws__octree_partition_clear(struct gws__octree_partition *partition);

#endif
