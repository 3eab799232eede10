/* SPDX-License-Identifier: MIT */
/* Chooses splits from a sample (see octree_partition.h). The planner sorts the sample's keys three levels at a time,
 * and only below split octants, because all workers wait for the plan. */
#include "octree_partition.h"

#include <string.h>

#include "../../lib/random.h"

enum {
    max_sample = 1 << 15,
    points_per_sample = 16,
    max_plan_splits = 1 << 13,
    max_plan_tables = 1 << 11,
    sample_run = 8
};

struct splitting {
    const struct gws__octree_state *state;
    struct gws__octree_plan *plan;
    uint64_t max_points; /* limit of sampled points per bucket */
};

/* Sorts by radix, byte by byte, lowest first. The number of passes is even, so the result is in key. */
void gws__octree_sort_keys(uint64_t *key, uint64_t *other, uint64_t count)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        uint64_t position[257] = {0};
        for (uint64_t i = 0; i < count; i++) position[(key[i] >> shift & 255) + 1]++;
        for (unsigned b = 1; b < 256; b++) position[b] += position[b - 1];
        for (uint64_t i = 0; i < count; i++) other[position[key[i] >> shift & 255]++] = key[i];
        uint64_t *swap = key;
        key = other;
        other = swap;
    }
}

struct sampling {
    const struct gws__octree_state *state;
    uint64_t *key;
    uint64_t runs;
};

static void sample_runs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct sampling *sampling = context;
    const struct gws__octree_state *state = sampling->state;
    (void)worker;
    for (uint64_t r = begin; r < end; r++) {
        uint64_t point = gws_random_at(sampling->runs, r) % (state->points->count - sample_run + 1);
        gws__octree_keys(&state->grid, state->points, point, sample_run, sampling->key + r * sample_run);
    }
}

/* Samples keys of random points, in short runs that share a cache line. Omits points without a key. The choice of the
 * sample does not change the tree. */
static uint64_t draw_sample(const struct gws__octree_state *state, uint64_t *key, uint64_t count)
{
    struct sampling sampling = {state, key, count / sample_run};
    gws_parallel_for(state->runtime, sampling.runs, 64, sample_runs, &sampling);
    uint64_t sampled = 0;
    for (uint64_t i = 0; i < sampling.runs * sample_run; i++)
        if (key[i] != GWS__OCTREE_NO_KEY) key[sampled++] = key[i];
    return sampled;
}

/* ---- splitting ---- */

/* The sampled keys of one octant, sorted by octants three levels below, and scratch for as many keys. */
struct sorted {
    uint64_t *key, *other;
    uint32_t start[gws__octree_table_size + 1];
};

static void sort_keys(struct sorted *sorted, const uint64_t *from, uint64_t count, unsigned level)
{
    enum { mask = gws__octree_table_size - 1 };
    unsigned shift = gws__octree_key_bits - 3 * level - gws__octree_table_bits;
    uint32_t next[gws__octree_table_size] = {0}, sum = 0;
    for (uint64_t i = 0; i < count; i++) next[from[i] >> shift & mask]++;
    for (unsigned o = 0; o < gws__octree_table_size; o++) {
        uint32_t size = next[o];
        sorted->start[o] = next[o] = sum;
        sum += size;
    }
    sorted->start[gws__octree_table_size] = sum;
    for (uint64_t i = 0; i < count; i++) sorted->key[next[from[i] >> shift & mask]++] = from[i];
}

/* Returns true if an octant becomes one bucket. Such an octant has few points or lies at the depth limit, or the plan
 * has reached the limit of splits or tables. */
static bool is_bucket(const struct splitting *splitting, uint64_t count, unsigned level)
{
    const struct gws__octree_plan *plan = splitting->plan;
    return count <= splitting->max_points || level == splitting->state->depth || plan->splits == plan->max_splits ||
           (level % 3 == 0 && plan->tables == plan->max_tables);
}

static uint32_t split(struct splitting *splitting, uint64_t *key, uint64_t *other, uint64_t count, unsigned level);

/* Splits the octant that consists of `span` sorted octants, a power of 8, from `first` on, and fills their entries of
 * the table. */
static void split_sorted(struct splitting *splitting, const struct sorted *sorted, uint32_t table, unsigned first,
                         unsigned span, unsigned level)
{
    struct gws__octree_plan *plan = splitting->plan;
    uint64_t begin = sorted->start[first], count = sorted->start[first + span] - begin;
    if (is_bucket(splitting, count, level)) {
        for (unsigned i = first; i < first + span; i++) plan->table[table + i] = plan->buckets;
        plan->level[plan->buckets++] = (uint8_t)level;
    } else if (span == 1) {
        uint32_t below = split(splitting, sorted->key + begin, sorted->other + begin, count, level);
        plan->table[table + first] = below | GWS__OCTREE_SPLIT;
    } else {
        plan->splits++;
        for (unsigned c = 0; c < 8; c++)
            split_sorted(splitting, sorted, table, first + c * (span / 8), span / 8, level + 1);
    }
}

/* Makes the table of the octant of the sampled keys. The octant's level is a multiple of three. `other` has the
 * capacity for as many keys. The function overwrites both arrays. The recursion is at most GWS_OCTREE_DEPTH / 3 calls
 * deep, with 4 KiB of stack per call. */
static uint32_t split(struct splitting *splitting, uint64_t *key, uint64_t *other, uint64_t count, unsigned level)
{
    struct sorted sorted = {.key = other, .other = key};
    uint32_t table = splitting->plan->tables * gws__octree_table_size;
    splitting->plan->tables += level == 0 ? 2 : 1; /* the first table has twice the size */
    sort_keys(&sorted, key, count, level);
    split_sorted(splitting, &sorted, table, 0, gws__octree_table_size, level);
    return table;
}

/* ---- all ---- */

/* Returns the capacity of level[]. A split replaces one bucket by eight, and one more bucket holds points without a
 * key. */
static uint64_t max_levels(const struct gws__octree_plan *plan)
{
    return 7 * (uint64_t)plan->max_splits + 2;
}

/* Limits the splits of a plan. Each split octant holds more than `max_points` sampled points, which limits the number
 * of splits per level. */
static void limit_plan(struct gws__octree_plan *plan, uint64_t sampled, uint64_t max_points)
{
    uint64_t level = sampled / (max_points + 1), splits = level * GWS_OCTREE_DEPTH,
             tables = 2 + level * (GWS_OCTREE_DEPTH / 3);
    plan->max_splits = splits < max_plan_splits ? (uint32_t)splits : max_plan_splits;
    plan->max_tables = tables < max_plan_tables ? (uint32_t)tables : max_plan_tables;
}

gws_status gws__octree_plan_make(const struct gws__octree_state *state, uint64_t bucket_points,
                                 struct gws__octree_plan *plan)
{
    uint64_t points = state->points->count, count = points / points_per_sample;
    if (count > max_sample) count = max_sample;
    if (points <= bucket_points) count = 0;
    struct splitting splitting = {.state = state, .plan = plan};
    splitting.max_points = points ? (uint64_t)((double)bucket_points * (double)count / (double)points) : 0;
    limit_plan(plan, count, splitting.max_points);
    uint64_t *key = gws_allocate(state->runtime, 2 * count, sizeof *key);
    plan->table =
        gws_allocate(state->runtime, (uint64_t)plan->max_tables * gws__octree_table_size, sizeof *plan->table);
    plan->level = gws_allocate(state->runtime, max_levels(plan), sizeof *plan->level);
    bool allocated = key && plan->table && plan->level;
    if (allocated) {
        (void)split(&splitting, key, key + count, count ? draw_sample(state, key, count) : 0, 0);
        for (unsigned i = 0; i < gws__octree_table_size; i++)
            plan->table[gws__octree_table_size + i] = plan->buckets; /* for points without a key */
        plan->level[plan->buckets] = 0;
    }
    gws_release(state->runtime, key, 2 * count, sizeof *key);
    return allocated ? GWS_OK : GWS_NO_MEMORY;
}

/* Looks up the bits of a key, from `shift` on, in the table that an entry leads to. The first table has twice the size.
 */
static inline uint32_t look_up(const uint32_t *table, uint32_t entry, uint64_t key, unsigned shift)
{
    bool first = shift == gws__octree_key_bits - gws__octree_table_bits;
    uint64_t size = first ? 2 * gws__octree_table_size : gws__octree_table_size;
    return table[(entry & ~GWS__OCTREE_SPLIT) + (key >> shift & (size - 1))];
}

/* Returns the bucket or table that all keys have in common. *shift: the number of key bits below that octant. */
static uint32_t look_up_all(const uint32_t *table, const uint64_t *key, unsigned count, unsigned *shift)
{
    uint64_t differ = 0;
    for (unsigned i = 1; i < count; i++) differ |= key[i] ^ key[0];
    uint32_t entry = GWS__OCTREE_SPLIT;
    for (*shift = gws__octree_key_bits; entry & GWS__OCTREE_SPLIT; entry = look_up(table, entry, key[0], *shift)) {
        if (differ >> (*shift - gws__octree_table_bits)) break;
        *shift -= gws__octree_table_bits;
    }
    return entry;
}

/* Looks keys up table by table. The function lists keys that continue in a further table without a branch. Processors
 * would mispredict such a branch where the plan splits only some buckets of a table. */
void gws__octree_buckets_of(const struct gws__octree_plan *plan, const uint64_t *key, unsigned count, uint16_t *bucket)
{
    const uint32_t *table = plan->table;
    uint32_t entry[gws__octree_block];
    uint16_t on[gws__octree_block];
    unsigned shift, left = 0;
    uint32_t all = look_up_all(table, key, count, &shift);
    if (!(all & GWS__OCTREE_SPLIT)) {
        for (unsigned i = 0; i < count; i++) bucket[i] = (uint16_t)all;
        return;
    }
    shift -= gws__octree_table_bits;
    for (unsigned i = 0; i < count; i++) {
        entry[i] = look_up(table, all, key[i], shift);
        on[left] = (uint16_t)i;
        left += (entry[i] & GWS__OCTREE_SPLIT) != 0;
    }
    while (left > 0) {
        unsigned listed = left;
        left = 0;
        shift -= gws__octree_table_bits;
        for (unsigned j = 0; j < listed; j++) {
            unsigned i = on[j];
            entry[i] = look_up(table, entry[i], key[i], shift);
            on[left] = (uint16_t)i;
            left += (entry[i] & GWS__OCTREE_SPLIT) != 0;
        }
    }
    for (unsigned i = 0; i < count; i++) bucket[i] = (uint16_t)entry[i];
}

uint32_t gws__octree_plan_below(const struct gws__octree_plan *plan, uint32_t at, uint32_t span, uint32_t *end)
{
    uint32_t first = plan->table[at], last = plan->table[at + span - 1];
    while (first & GWS__OCTREE_SPLIT) first = plan->table[first & ~GWS__OCTREE_SPLIT];
    while (last & GWS__OCTREE_SPLIT) last = plan->table[(last & ~GWS__OCTREE_SPLIT) + gws__octree_table_size - 1];
    *end = last + 1;
    return first;
}

void gws__octree_plan_clear(struct gws_runtime *runtime, struct gws__octree_plan *plan)
{
    gws_release(runtime, plan->level, max_levels(plan), sizeof *plan->level);
    gws_release(runtime, plan->table, (uint64_t)plan->max_tables * gws__octree_table_size, sizeof *plan->table);
    *plan = (struct gws__octree_plan){0};
}
