/* SPDX-License-Identifier: MIT */
/* Partitions the points into the buckets of a plan, in one pass over tiles of the input that fit a cache. A worker
 * sorts each tile's records in place by bucket, and within a bucket by number. A bucket therefore consists of one run
 * per tile. The worker that divides the bucket gathers the runs. This scheme needs no barrier after counting. The
 * worker that fills a page also touches it first. Workers read each point, and convert it to a key, only once. */
#ifndef GWS_SPACE_OCTREE_PARTITION_H
#define GWS_SPACE_OCTREE_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "octree_state.h"

/* In a record of a point, the low bits hold the point's number, in as many bits as the largest number needs. The high
 * bits hold the bits of the key below the record's base, an octant's level. They hold 14 levels for a million points,
 * and 10 for 2^32. Where these levels end, octree_divide.c rebases the records. This function returns the mask of the
 * number for `points` points. */
static inline uint64_t gws__octree_number_mask(uint64_t points)
{
    return points > 1 ? UINT64_MAX >> __builtin_clzll(points - 1) : 0;
}

/* Divides an octant of that level into its leaves and writes the leaves' points into the index. The octant's points,
 * from[0 .. count - 1], begin at `position` of the leaf order. The base of the records is level, and the records are
 * sorted by number. `to` has the capacity for count records. The function overwrites both arrays. Requires count > K
 * and a level above the depth limit. */
gws__octree_handle gws__octree_divide(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                      uint64_t *from, uint64_t *to, uint64_t count, uint64_t position, unsigned level);

/* A plan splits the points into buckets that fit a cache. Buckets are octants of any level, chosen from a sample, so
 * the plan splits dense regions more finely (as sample sort chooses its splitters: Frazer, McKellar, J. ACM 1970).
 * Buckets are numbered in key order. A bucket that is larger than planned, or empty, costs time but is not an
 * error. */

enum { gws__octree_table_bits = 9, gws__octree_table_size = 1 << gws__octree_table_bits, gws__octree_block = 1024 };
#define GWS__OCTREE_SPLIT UINT32_C(0x80000000)

/* Tables map keys to buckets, three levels at a time. An entry is a bucket, or GWS__OCTREE_SPLIT plus the beginning of
 * the next table. The first table has twice the size, so GWS__OCTREE_NO_KEY maps to the last bucket, after the buckets
 * of octants. */
struct gws__octree_plan {
    uint32_t buckets;    /* buckets of octants; below 2^16 */
    uint32_t splits;     /* number of split octants; 0: the root is the only bucket */
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

/* Returns true if an octant of that level, whose entries begin at `at`, is one bucket. */
static inline bool gws__octree_plan_is_bucket(const struct gws__octree_plan *plan, uint32_t at, unsigned level)
{
    uint32_t entry = plan->table[at];
    return !(entry & GWS__OCTREE_SPLIT) && plan->level[entry] <= level;
}

/* Finds the buckets of count <= gws__octree_block keys. */
void gws__octree_buckets_of(const struct gws__octree_plan *plan, const uint64_t *key, unsigned count, uint16_t *bucket);

/* Sorts keys in ascending order. `other` is scratch for count keys. */
void gws__octree_sort_keys(uint64_t *key, uint64_t *other, uint64_t count);

/* Non-temporal stores, for data that exceeds the caches and fills whole cache lines. The processor fetches no line
 * before the store overwrites the line. These stores pay off only in used memory, because the system clears a page at
 * its first touch and so brings the page into a cache. */

/* Returns true if a thread has touched that memory, of more than a page, before. Returns false on systems that cannot
 * tell. */
bool gws__octree_is_touched(const void *memory, uint64_t bytes);

/* Copies bytes with non-temporal stores. After the call, these stores are ordered like ordinary stores. */
void gws__octree_stream(void *to, const void *from, uint64_t bytes);

struct gws__octree_partition {
    struct gws__octree_state *state;
    struct gws__octree_plan plan;
    uint64_t tiles, tile_points; /* tile_points: points per tile */
    uint32_t *begin; /* for each tile the first record of each bucket, relative to the tile, in plan.buckets + 2
                        entries. The last bucket holds the points without a key */
    uint64_t *start; /* first position of each bucket in the leaf order; plan.buckets + 2 entries */
    /* The partition merges a split octant that is a leaf after all into its first bucket. The octant's buckets are
     * first .. end[first] - 1, and end[b] = b for all but the first of them. For unmerged buckets end[b] = b + 1. */
    uint32_t *end;
    uint64_t *record; /* points->count entries */
    /* Used only during the partition: */
    uint64_t *total; /* each worker's number of points per bucket */
    uint64_t *key;   /* each worker's keys of a tile */
    uint16_t *bucket;
    uint64_t *staging; /* each worker's sorted tile before the worker streams it; NULL without non-temporal stores */
};

/* Makes the plan and sorts the records into buckets. After GWS_NO_MEMORY, the caller still clears the partition. */
gws_status gws__octree_partition_make(struct gws__octree_partition *partition, uint64_t bucket_points);

static inline uint64_t gws__octree_bucket_points(const struct gws__octree_partition *partition, uint64_t bucket)
{
    return partition->start[partition->end[bucket]] - partition->start[bucket];
}

/* Returns the range of a bucket's records in a tile. */
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
