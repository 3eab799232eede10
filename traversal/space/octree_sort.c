/* SPDX-License-Identifier: MIT */
/* Building by sorting: two passes over the points deal them out to buckets that fit a cache (octree_deal.c), then each
 * bucket is one task, divided where it lies (octree_divide_body.h). The floor is those passes: read the points twice,
 * write and read a record of 8 bytes, write the index, 44 bytes a point for floats. */
#include <string.h>

#include "octree_deal.h"

enum { most_bucket = 1 << 16, least_bucket = 1 << 11, buckets_a_worker = 32 };

struct sort {
    struct gws__octree_deal deal;
    gws__octree_sprout *sprout; /* of each bucket */
    void *scratch;              /* room records for each worker */
    uint64_t room;
    uint64_t tasks; /* buckets with points */
};

static uint64_t size_of(const struct sort *sort, uint64_t bucket)
{
    return sort->deal.start[bucket + 1] - sort->deal.start[bucket];
}

static void copy_index(const struct gws__octree_deal *deal, uint64_t begin, uint64_t end)
{
    struct gws__octree_state *state = deal->state;
    const gws__octree_narrow *narrow = deal->record;
    const struct gws__octree_wide *wide = deal->record;
    uint64_t mask = gws__octree_number_mask(state->points->count);
    for (uint64_t i = begin; i < end; i++) {
        if (state->wide)
            state->index64[i] = wide[i].number;
        else
            state->index32[i] = (uint32_t)(narrow[i] & mask);
    }
}

static void grow_bucket(struct sort *sort, uint32_t worker, uint64_t bucket)
{
    struct gws__octree_deal *deal = &sort->deal;
    struct gws__octree_state *state = deal->state;
    uint64_t begin = deal->start[bucket], count = size_of(sort, bucket);
    unsigned level = deal->plan.level[bucket];
    if (gws__octree_settled(state, count, level)) {
        copy_index(deal, begin, begin + count);
        sort->sprout[bucket] = count ? gws__octree_leaf(count) : 0;
    } else if (state->wide) {
        sort->sprout[bucket] = gws__octree_divide_wide(
            state, &state->arena[worker], (struct gws__octree_wide *)deal->record + begin,
            (struct gws__octree_wide *)sort->scratch + worker * sort->room, count, begin, level);
    } else {
        sort->sprout[bucket] =
            gws__octree_divide_narrow(state, &state->arena[worker], (gws__octree_narrow *)deal->record + begin,
                                      (gws__octree_narrow *)sort->scratch + worker * sort->room, count, begin, level);
    }
}

static void grow_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    for (uint64_t bucket = begin; bucket < end; bucket++) grow_bucket(context, worker, bucket);
}

/* ---- what lies above the buckets ---- */

/* The sprout of a bucket or split, whose buckets' sprouts are there. A split that turned out to be a leaf was merged
 * into its first bucket. */
static gws__octree_sprout join(const struct sort *sort, uint32_t what)
{
    const struct gws__octree_plan *plan = &sort->deal.plan;
    struct gws__octree_state *state = sort->deal.state;
    uint32_t end, first = gws__octree_plan_below(plan, what, &end);
    if (!(what & GWS__OCTREE_SPLIT) || sort->deal.start[end] - sort->deal.start[first] <= state->leaf)
        return sort->sprout[first];
    gws__octree_sprout child[8];
    unsigned mask = 0, made = 0;
    for (unsigned c = 0; c < 8; c++) {
        gws__octree_sprout one = join(sort, plan->split[what & ~GWS__OCTREE_SPLIT].child[c]);
        if (!one) continue;
        mask |= 1U << c;
        child[made++] = one;
    }
    struct gws__octree_twig *twig = gws__octree_twig_new(state->runtime, &state->arena[0], mask);
    if (!twig) return gws__octree_leaf(0);
    memcpy(twig->child, child, made * sizeof *child);
    return gws__octree_branch(twig);
}

/* ---- all ---- */

/* Room for the fullest bucket that is to be divided, for each worker. */
static gws_status make_room(struct sort *sort)
{
    const struct gws__octree_deal *deal = &sort->deal;
    struct gws_runtime *runtime = deal->state->runtime;
    uint64_t most = 0;
    for (uint64_t b = 0; b < deal->plan.buckets; b++) {
        uint64_t size = size_of(sort, b);
        sort->tasks += size > 0;
        if (size > most && !gws__octree_settled(deal->state, size, deal->plan.level[b])) most = size;
    }
    sort->room = most;
    sort->sprout = gws_allocate(runtime, deal->plan.buckets, sizeof *sort->sprout);
    sort->scratch = gws_allocate(runtime, most * gws_runtime_workers(runtime), deal->size);
    return sort->sprout && sort->scratch ? GWS_OK : GWS_NO_MEMORY;
}

static gws_status divide_buckets(struct sort *sort)
{
    struct gws__octree_state *state = sort->deal.state;
    struct gws_loop loop = {.count = sort->deal.plan.buckets, .chunk = 1, .body = grow_buckets, .context = sort};
    gws_parallel_run(state->runtime, &loop);
    state->root = join(sort, sort->deal.plan.splits ? GWS__OCTREE_SPLIT : 0);
    if (!state->root) state->root = gws__octree_leaf(0);
    state->tasks = sort->tasks;
    return gws__octree_arenas_failed(state->runtime, state->arena) ? GWS_NO_MEMORY : GWS_OK;
}

static uint64_t bucket_points(const struct gws__octree_state *state)
{
    uint64_t workers = gws_runtime_workers(state->runtime);
    uint64_t wanted = workers == 1 ? most_bucket : state->points->count / (buckets_a_worker * workers);
    if (wanted < least_bucket) return least_bucket;
    return wanted < most_bucket ? wanted : most_bucket;
}

static gws_status sort(struct sort *sort)
{
    struct gws__octree_state *state = sort->deal.state;
    struct gws__octree_deal *deal = &sort->deal;
    gws_status status = gws__octree_deal_count(deal, bucket_points(state));
    if (status != GWS_OK) return status;
    uint64_t kept = deal->start[deal->plan.buckets];
    if (kept < state->points->count && !state->drop) return gws__octree_no_key(state);
    status = gws__octree_deal_write(deal);
    if (status == GWS_OK) status = gws__octree_index_new(state, kept);
    if (status == GWS_OK) status = make_room(sort);
    return status == GWS_OK ? divide_buckets(sort) : status;
}

gws_status gws__octree_sort(struct gws__octree_state *state)
{
    struct sort all = {.deal = {.state = state}};
    state->arena = gws__octree_arenas_new(state->runtime);
    gws_status status = state->arena ? sort(&all) : GWS_NO_MEMORY;
    gws_release(state->runtime, all.sprout, all.deal.plan.buckets, sizeof *all.sprout);
    gws_release(state->runtime, all.scratch, all.room * gws_runtime_workers(state->runtime), all.deal.size);
    gws__octree_deal_clear(&all.deal);
    return status;
}
