/* SPDX-License-Identifier: MIT */
/* Cuts by a sample; see octree_deal.h. The sample's keys are put in order three levels at a time, and no further than
 * octants are cut: everybody waits for this. */
#include "octree_deal.h"

#include <string.h>

#include "../../lib/random.h"

enum { most_sample = 1 << 15, points_a_sample = 16, most_splits = 1 << 13, most_tables = 1 << 11, run = 8 };

struct cutting {
    const struct gws__octree_state *state;
    struct gws__octree_plan *plan;
    uint64_t few; /* sampled points that a bucket may have */
};

/* By bytes, the lowest first; the result lies in key again, as there are eight. */
void gws__octree_sort_keys(uint64_t *key, uint64_t *other, uint64_t count)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        uint64_t place[257] = {0};
        for (uint64_t i = 0; i < count; i++) place[(key[i] >> shift & 255) + 1]++;
        for (unsigned b = 1; b < 256; b++) place[b] += place[b - 1];
        for (uint64_t i = 0; i < count; i++) other[place[key[i] >> shift & 255]++] = key[i];
        uint64_t *swap = key;
        key = other;
        other = swap;
    }
}

struct drawing {
    const struct gws__octree_state *state;
    uint64_t *key;
    uint64_t runs;
};

static void draw_runs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct drawing *drawing = context;
    const struct gws__octree_state *state = drawing->state;
    (void)worker;
    for (uint64_t r = begin; r < end; r++) {
        uint64_t point = gws_random_at(drawing->runs, r) % (state->points->count - run + 1);
        gws__octree_keys(&state->grid, state->points, point, run, drawing->key + r * run);
    }
}

/* The keys of points chosen at random, a few side by side at a time, for they come in one line of memory; those without
 * a key are left out. Which ones does not change the tree. */
static uint64_t draw(const struct gws__octree_state *state, uint64_t *key, uint64_t count)
{
    struct drawing drawing = {state, key, count / run};
    gws_parallel_for(state->runtime, drawing.runs, 64, draw_runs, &drawing);
    uint64_t drawn = 0;
    for (uint64_t i = 0; i < drawing.runs * run; i++)
        if (key[i] != GWS__OCTREE_NO_KEY) key[drawn++] = key[i];
    return drawn;
}

/* ---- cutting ---- */

/* The sampled keys of one octant, in the order of the octants three levels below, and as many places for keys. */
struct parted {
    uint64_t *key, *other;
    uint32_t start[gws__octree_table_size + 1];
};

static void part(struct parted *parted, const uint64_t *from, uint64_t count, unsigned level)
{
    enum { mask = gws__octree_table_size - 1 };
    unsigned shift = gws__octree_key_bits - 3 * level - gws__octree_table_bits;
    uint32_t next[gws__octree_table_size] = {0}, sum = 0;
    for (uint64_t i = 0; i < count; i++) next[from[i] >> shift & mask]++;
    for (unsigned o = 0; o < gws__octree_table_size; o++) {
        uint32_t size = next[o];
        parted->start[o] = next[o] = sum;
        sum += size;
    }
    parted->start[gws__octree_table_size] = sum;
    for (uint64_t i = 0; i < count; i++) parted->key[next[from[i] >> shift & mask]++] = from[i];
}

/* Whether an octant is one bucket: there may be no more splits, or, where one begins, tables. */
static bool is_bucket(const struct cutting *cutting, uint64_t count, unsigned level)
{
    const struct gws__octree_plan *plan = cutting->plan;
    return count <= cutting->few || level == cutting->state->depth || plan->splits == plan->room ||
           (level % 3 == 0 && plan->tables == plan->table_room);
}

static uint32_t cut(struct cutting *cutting, uint64_t *key, uint64_t *other, uint64_t count, unsigned level);

/* Cuts the octant made of `span` of those of parted, a power of 8, from `first` on, whose entries these are in a table.
 */
static void cut_parted(struct cutting *cutting, const struct parted *parted, uint32_t table, unsigned first,
                       unsigned span, unsigned level)
{
    struct gws__octree_plan *plan = cutting->plan;
    uint64_t begin = parted->start[first], count = parted->start[first + span] - begin;
    if (is_bucket(cutting, count, level)) {
        for (unsigned i = first; i < first + span; i++) plan->table[table + i] = plan->buckets;
        plan->level[plan->buckets++] = (uint8_t)level;
    } else if (span == 1) {
        uint32_t below = cut(cutting, parted->key + begin, parted->other + begin, count, level);
        plan->table[table + first] = below | GWS__OCTREE_SPLIT;
    } else {
        plan->splits++;
        for (unsigned c = 0; c < 8; c++)
            cut_parted(cutting, parted, table, first + c * (span / 8), span / 8, level + 1);
    }
}

/* The table of the octant of the sampled keys, whose level is a multiple of three. Other is room for as many keys; both
 * are overwritten. At most a third of GWS_OCTREE_DEPTH calls deep, with 4 KiB of stack each. */
static uint32_t cut(struct cutting *cutting, uint64_t *key, uint64_t *other, uint64_t count, unsigned level)
{
    struct parted parted = {.key = other, .other = key};
    uint32_t table = cutting->plan->tables * gws__octree_table_size;
    cutting->plan->tables += level == 0 ? 2 : 1; /* the first is twice as long */
    part(&parted, key, count, level);
    cut_parted(cutting, &parted, table, 0, gws__octree_table_size, level);
    return table;
}

/* ---- all ---- */

/* A split adds seven buckets to the one it was; one more is for points without a key. */
static uint64_t level_room(const struct gws__octree_plan *plan)
{
    return 7 * (uint64_t)plan->room + 2;
}

/* Each split holds more than `few` of the sampled points, and so no level has more of them than that allows. */
static void find_room(struct gws__octree_plan *plan, uint64_t sampled, uint64_t few)
{
    uint64_t level = sampled / (few + 1), splits = level * GWS_OCTREE_DEPTH,
             tables = 2 + level * (GWS_OCTREE_DEPTH / 3);
    plan->room = splits < most_splits ? (uint32_t)splits : most_splits;
    plan->table_room = tables < most_tables ? (uint32_t)tables : most_tables;
}

gws_status gws__octree_plan_make(const struct gws__octree_state *state, uint64_t bucket_points,
                                 struct gws__octree_plan *plan)
{
    uint64_t points = state->points->count, count = points / points_a_sample;
    if (count > most_sample) count = most_sample;
    if (points <= bucket_points) count = 0;
    struct cutting cutting = {.state = state, .plan = plan};
    cutting.few = points ? (uint64_t)((double)bucket_points * (double)count / (double)points) : 0;
    find_room(plan, count, cutting.few);
    uint64_t *key = gws_allocate(state->runtime, 2 * count, sizeof *key);
    plan->table =
        gws_allocate(state->runtime, (uint64_t)plan->table_room * gws__octree_table_size, sizeof *plan->table);
    plan->level = gws_allocate(state->runtime, level_room(plan), sizeof *plan->level);
    bool room = key && plan->table && plan->level;
    if (room) {
        (void)cut(&cutting, key, key + count, count ? draw(state, key, count) : 0, 0);
        for (unsigned i = 0; i < gws__octree_table_size; i++)
            plan->table[gws__octree_table_size + i] = plan->buckets; /* of points without a key */
        plan->level[plan->buckets] = 0;
    }
    gws_release(state->runtime, key, 2 * count, sizeof *key);
    return room ? GWS_OK : GWS_NO_MEMORY;
}

/* Where an entry's table says that a key falls, whose bits from shift on are looked up: the first table is twice as
 * long.
 */
static inline uint32_t look_up(const uint32_t *table, uint32_t entry, uint64_t key, unsigned shift)
{
    bool first = shift == gws__octree_key_bits - gws__octree_table_bits;
    uint64_t size = first ? 2 * gws__octree_table_size : gws__octree_table_size;
    return table[(entry & ~GWS__OCTREE_SPLIT) + (key >> shift & (size - 1))];
}

/* The bucket or table that all keys fall into together; *shift: what was looked up of them. */
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

/* Table by table: keys that go on are listed without a branch, which would be foretold wrongly where some buckets of a
 * table are cut further and others are not. */
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
    gws_release(runtime, plan->level, level_room(plan), sizeof *plan->level);
    gws_release(runtime, plan->table, (uint64_t)plan->table_room * gws__octree_table_size, sizeof *plan->table);
    *plan = (struct gws__octree_plan){0};
}
