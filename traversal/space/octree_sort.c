/* SPDX-License-Identifier: MIT */
/* Building by sorting: one pass over the points deals them out to buckets that fit a cache (octree_deal.c), then each
 * bucket is one task, gathered and divided in its worker's own room (octree_divide.c). The floor is to read the
 * points, write and read a record of 8 bytes, and write the index, 32 bytes a point for floats. */
#include <string.h>

#include "octree_deal.h"

enum { most_bucket = 1 << 16, least_bucket = 1 << 11, buckets_a_worker = 16 };

struct sort {
    struct gws__octree_deal deal;
    gws__octree_handle *handle; /* of each bucket */
    uint64_t *scratch;          /* twice room records for each worker */
    uint64_t room;
    uint64_t tasks; /* buckets with points */
};

/* A leaf that is one bucket, however large: straight from where it was dealt to. */
static void settle_bucket(const struct gws__octree_deal *deal, uint64_t bucket)
{
    struct gws__octree_index index = gws__octree_index_at(deal->state, deal->start[bucket]);
    uint64_t mask = gws__octree_number_mask(deal->state->points->count), place = 0;
    for (uint64_t p = 0; p < deal->pieces; p++) {
        struct gws_range stretch = gws__octree_deal_stretch(deal, p, bucket);
        for (uint64_t i = stretch.begin; i < stretch.end; i++) gws__octree_put(index, place++, deal->record[i] & mask);
    }
}

/* A leaf that is several buckets: their points' numbers take the place of their records, and are put in order. */
static void settle_several(const struct gws__octree_state *state, uint64_t *record, uint64_t *other, uint64_t count,
                           uint64_t place)
{
    struct gws__octree_index index = gws__octree_index_at(state, place);
    uint64_t mask = gws__octree_number_mask(state->points->count);
    for (uint64_t i = 0; i < count; i++) record[i] &= mask;
    gws__octree_sort_keys(record, other, count);
    for (uint64_t i = 0; i < count; i++) gws__octree_put(index, i, record[i]);
}

static bool is_several(const struct gws__octree_deal *deal, uint64_t bucket)
{
    return deal->end[bucket] > bucket + 1;
}

static bool is_settled(const struct gws__octree_deal *deal, uint64_t bucket)
{
    return !is_several(deal, bucket) &&
           gws__octree_settled(deal->state, gws__octree_dealt(deal, bucket), deal->plan.level[bucket]);
}

static gws__octree_handle grow_bucket(const struct sort *sort, uint32_t worker, uint64_t bucket)
{
    const struct gws__octree_deal *deal = &sort->deal;
    struct gws__octree_state *state = deal->state;
    uint64_t count = gws__octree_dealt(deal, bucket), begin = deal->start[bucket];
    unsigned level = deal->plan.level[bucket];
    if (count == 0) return 0;
    if (is_settled(deal, bucket)) {
        settle_bucket(deal, bucket);
        return gws__octree_leaf(count);
    }
    uint64_t *from = sort->scratch + 2 * worker * sort->room, *to = from + sort->room;
    gws__octree_deal_gather(deal, bucket, from);
    if (!is_several(deal, bucket))
        return gws__octree_divide(state, &state->arena[worker], from, to, count, begin, level);
    settle_several(state, from, to, count, begin);
    return gws__octree_leaf(count);
}

static void grow_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct sort *sort = context;
    for (uint64_t bucket = begin; bucket < end; bucket++) sort->handle[bucket] = grow_bucket(sort, worker, bucket);
}

/* ---- what lies above the buckets ---- */

/* The handle of an octant of span entries of the plan's tables from at on, whose buckets' handles are there. One that
 * was cut but is a leaf is its first bucket. Laying out is shared as dividing was: by buckets. */
static gws__octree_handle join(const struct sort *sort, uint32_t at, uint32_t span, unsigned level)
{
    const struct gws__octree_plan *plan = &sort->deal.plan;
    struct gws__octree_state *state = sort->deal.state;
    uint32_t end, first = gws__octree_plan_below(plan, at, span, &end);
    if (gws__octree_plan_is_bucket(plan, at, level) || sort->deal.end[first] == end) return sort->handle[first];
    if (span == 1) return join(sort, plan->table[at] & ~GWS__OCTREE_SPLIT, gws__octree_table_size, level);
    gws__octree_handle child[8];
    unsigned mask = 0, made = 0;
    for (unsigned c = 0; c < 8; c++) {
        gws__octree_handle one = join(sort, at + c * (span / 8), span / 8, level + 1);
        if (!one) continue;
        mask |= 1U << c;
        child[made++] = one;
    }
    struct gws__octree_inner *inner = gws__octree_inner_new(state->runtime, &state->arena[0], mask);
    if (!inner) return gws__octree_leaf(0);
    memcpy(inner->child, child, made * sizeof *child);
    return gws__octree_shared_branch(inner);
}

/* ---- all ---- */

/* Room for the fullest bucket that is to be gathered, twice, for each worker. */
static gws_status make_room(struct sort *sort)
{
    const struct gws__octree_deal *deal = &sort->deal;
    struct gws_runtime *runtime = deal->state->runtime;
    for (uint64_t b = 0; b < deal->plan.buckets; b++) {
        uint64_t size = gws__octree_dealt(deal, b);
        sort->tasks += size > 0;
        if (size > sort->room && !is_settled(deal, b)) sort->room = size;
    }
    sort->handle = gws_allocate(runtime, deal->plan.buckets, sizeof *sort->handle);
    sort->scratch = gws_allocate(runtime, 2 * sort->room * gws_runtime_workers(runtime), sizeof *sort->scratch);
    return sort->handle && sort->scratch ? GWS_OK : GWS_NO_MEMORY;
}

static gws_status divide_buckets(struct sort *sort)
{
    struct gws__octree_state *state = sort->deal.state;
    struct gws_loop loop = {.count = sort->deal.plan.buckets, .chunk = 1, .body = grow_buckets, .context = sort};
    gws_parallel_run(state->runtime, &loop);
    state->root = join(sort, 0, gws__octree_table_size, 0);
    if (!state->root) state->root = gws__octree_leaf(0);
    state->tasks = sort->tasks;
    return gws__octree_arenas_failed(state->runtime, state->arena) ? GWS_NO_MEMORY : GWS_OK;
}

/* Leaves that are larger than buckets would otherwise be are buckets. */
static uint64_t bucket_points(const struct gws__octree_state *state)
{
    uint64_t wanted = state->points->count / (buckets_a_worker * (uint64_t)gws_runtime_workers(state->runtime));
    if (state->leaf > most_bucket) return state->leaf;
    if (wanted < least_bucket) return least_bucket;
    return wanted < most_bucket ? wanted : most_bucket;
}

static gws_status sort(struct sort *sort)
{
    struct gws__octree_state *state = sort->deal.state;
    struct gws__octree_deal *deal = &sort->deal;
    gws_status status = gws__octree_deal_make(deal, bucket_points(state));
    if (status != GWS_OK) return status;
    uint64_t kept = deal->start[deal->plan.buckets];
    if (kept < state->points->count && !state->drop) return gws__octree_no_key(state);
    status = gws__octree_index_new(state, kept);
    if (status == GWS_OK) status = make_room(sort);
    return status == GWS_OK ? divide_buckets(sort) : status;
}

/* The records' memory is for the nodes now. */
static void hand_on(struct gws__octree_deal *deal)
{
    struct gws__octree_state *state = deal->state;
    state->spare = deal->record;
    state->spare_bytes = state->points->count * sizeof *deal->record;
    deal->record = NULL;
}

gws_status gws__octree_sort(struct gws__octree_state *state)
{
    struct sort all = {.deal = {.state = state}};
    state->arena = gws__octree_arenas_new(state->runtime);
    gws_status status = state->arena ? sort(&all) : GWS_NO_MEMORY;
    gws_release(state->runtime, all.handle, all.deal.plan.buckets, sizeof *all.handle);
    gws_release(state->runtime, all.scratch, 2 * all.room * gws_runtime_workers(state->runtime), sizeof *all.scratch);
    if (status == GWS_OK) hand_on(&all.deal);
    gws__octree_deal_clear(&all.deal);
    return status;
}
