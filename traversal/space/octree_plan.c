/* SPDX-License-Identifier: MIT */
/* Cuts by a sample; see octree_deal.h. The sample's keys are put in order three levels at a time, and no further than
 * octants are cut: everybody waits for this. */
#include "octree_deal.h"

#include <string.h>

#include "../../lib/random.h"

enum { most_sample = 1 << 15, points_a_sample = 16, most_splits = 1 << 13, run = 8 };

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

static bool is_bucket(const struct cutting *cutting, uint64_t count, unsigned level)
{
    return count <= cutting->few || level == cutting->state->depth || cutting->plan->splits == cutting->plan->room;
}

static uint32_t add_bucket(struct gws__octree_plan *plan, unsigned level)
{
    plan->level[plan->buckets] = (uint8_t)level;
    return plan->buckets++;
}

static uint32_t cut(struct cutting *cutting, uint64_t *key, uint64_t *other, uint64_t count, unsigned level);

/* The octant made of `span` of those of parted, a power of 8, from `first` on. */
static uint32_t cut_parted(struct cutting *cutting, const struct parted *parted, unsigned first, unsigned span,
                           unsigned level)
{
    struct gws__octree_plan *plan = cutting->plan;
    uint64_t begin = parted->start[first], count = parted->start[first + span] - begin;
    if (span == 1) return cut(cutting, parted->key + begin, parted->other + begin, count, level);
    if (is_bucket(cutting, count, level)) return add_bucket(plan, level);
    uint32_t split = plan->splits++;
    plan->split[split].level = level;
    for (unsigned digit = 0; digit < 8; digit++)
        plan->split[split].child[digit] = cut_parted(cutting, parted, first + digit * (span / 8), span / 8, level + 1);
    return split | GWS__OCTREE_SPLIT;
}

/* The octant of the sampled keys, whose level is a multiple of three: a bucket or a split. Other is room for as many
 * keys; both are overwritten. At most a third of GWS_OCTREE_DEPTH calls deep, with 4 KiB of stack each. */
static uint32_t cut(struct cutting *cutting, uint64_t *key, uint64_t *other, uint64_t count, unsigned level)
{
    if (is_bucket(cutting, count, level)) return add_bucket(cutting->plan, level);
    struct parted parted = {.key = other, .other = key};
    part(&parted, key, count, level);
    return cut_parted(cutting, &parted, 0, gws__octree_table_size, level);
}

/* ---- tables ---- */

static uint32_t add_table(struct gws__octree_plan *plan, uint32_t split);

/* Fills span entries with what lies below a bucket or split. */
static void fill(struct gws__octree_plan *plan, uint64_t at, uint32_t span, uint32_t what)
{
    if (!(what & GWS__OCTREE_SPLIT)) {
        for (uint32_t i = 0; i < span; i++) plan->table[at + i] = what;
    } else if (span == 1) {
        plan->table[at] = add_table(plan, what & ~GWS__OCTREE_SPLIT) | GWS__OCTREE_SPLIT;
    } else {
        const struct gws__octree_split *split = &plan->split[what & ~GWS__OCTREE_SPLIT];
        for (uint32_t c = 0; c < 8; c++) fill(plan, at + c * (span / 8), span / 8, split->child[c]);
    }
}

static uint32_t add_table(struct gws__octree_plan *plan, uint32_t split)
{
    uint64_t at = plan->table_room;
    plan->table_room += gws__octree_table_size;
    fill(plan, at, gws__octree_table_size, split | GWS__OCTREE_SPLIT);
    return (uint32_t)at;
}

static gws_status make_tables(const struct gws__octree_state *state, struct gws__octree_plan *plan, uint32_t root)
{
    uint64_t room = 2 * gws__octree_table_size;
    for (uint32_t s = 1; s < plan->splits; s++)
        if (plan->split[s].level % 3 == 0) room += gws__octree_table_size;
    plan->table = gws_allocate(state->runtime, room, sizeof *plan->table);
    if (!plan->table) return GWS_NO_MEMORY;
    plan->table_room = 2 * gws__octree_table_size;
    fill(plan, 0, gws__octree_table_size, root);
    fill(plan, gws__octree_table_size, gws__octree_table_size, plan->buckets);
    plan->level[plan->buckets] = 0;
    return GWS_OK;
}

/* A split adds seven buckets to the one it was; one more is for points without a key. */
static uint64_t level_room(const struct gws__octree_plan *plan)
{
    return 7 * (uint64_t)plan->room + 2;
}

/* Each split holds more than `few` of the sampled points, and so no level has more of them than that allows. */
static uint32_t split_room(uint64_t sampled, uint64_t few)
{
    uint64_t room = sampled / (few + 1) * GWS_OCTREE_DEPTH;
    return room < most_splits ? (uint32_t)room : most_splits;
}

gws_status gws__octree_plan_make(const struct gws__octree_state *state, uint64_t bucket_points,
                                 struct gws__octree_plan *plan)
{
    uint64_t points = state->points->count, count = points / points_a_sample;
    if (count > most_sample) count = most_sample;
    if (points <= bucket_points) count = 0;
    struct cutting cutting = {.state = state, .plan = plan};
    cutting.few = points ? (uint64_t)((double)bucket_points * (double)count / (double)points) : 0;
    plan->room = split_room(count, cutting.few);
    uint64_t *key = gws_allocate(state->runtime, 2 * count, sizeof *key);
    plan->split = gws_allocate(state->runtime, plan->room, sizeof *plan->split);
    plan->level = gws_allocate(state->runtime, level_room(plan), sizeof *plan->level);
    gws_status status = GWS_NO_MEMORY;
    if (key && plan->split && plan->level) {
        uint64_t drawn = count ? draw(state, key, count) : 0;
        status = make_tables(state, plan, cut(&cutting, key, key + count, drawn, 0));
    }
    gws_release(state->runtime, key, 2 * count, sizeof *key);
    return status;
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

uint32_t gws__octree_plan_below(const struct gws__octree_plan *plan, uint32_t what, uint32_t *end)
{
    uint32_t first = what, last = what;
    while (first & GWS__OCTREE_SPLIT) first = plan->split[first & ~GWS__OCTREE_SPLIT].child[0];
    while (last & GWS__OCTREE_SPLIT) last = plan->split[last & ~GWS__OCTREE_SPLIT].child[7];
    *end = last + 1;
    return first;
}

void gws__octree_plan_clear(struct gws_runtime *runtime, struct gws__octree_plan *plan)
{
    gws_release(runtime, plan->split, plan->room, sizeof *plan->split);
    gws_release(runtime, plan->level, level_room(plan), sizeof *plan->level);
    gws_release(runtime, plan->table, plan->table_room, sizeof *plan->table);
    *plan = (struct gws__octree_plan){0};
}
