/* SPDX-License-Identifier: MIT */
#include "octree_deal.h"

#include <string.h>

enum { block = 1024, pieces_a_worker = 4, least_piece = 1 << 14 };

static uint64_t columns(const struct gws__octree_deal *deal)
{
    return deal->plan.buckets + UINT64_C(1);
}

/* The points of a piece. */
static struct gws_range piece_of(const struct gws__octree_deal *deal, uint64_t piece)
{
    uint64_t count = deal->state->points->count, each = count / deal->pieces, rest = count % deal->pieces;
    uint64_t begin = piece * each + (piece < rest ? piece : rest);
    return (struct gws_range){begin, begin + each + (piece < rest)};
}

/* ---- the first pass ---- */

static void count_piece(const struct gws__octree_deal *deal, struct gws_range piece, uint64_t *count)
{
    const struct gws__octree_state *state = deal->state;
    const uint32_t *table = deal->plan.table;
    uint64_t key[block];
    memset(count, 0, columns(deal) * sizeof *count);
    for (uint64_t at = piece.begin; at < piece.end; at += block) {
        uint64_t several = piece.end - at < block ? piece.end - at : block;
        gws__octree_keys(&state->grid, state->points, at, several, key);
        for (uint64_t i = 0; i < several; i++) count[gws__octree_bucket_of(table, key[i])]++;
    }
}

static void count_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__octree_deal *deal = context;
    (void)worker;
    for (uint64_t piece = begin; piece < end; piece++)
        count_piece(deal, piece_of(deal, piece), deal->place + piece * columns(deal));
}

/* ---- a split whose octant is to be a leaf, after all ---- */

static uint64_t count_below(const struct gws__octree_deal *deal, uint32_t first, uint32_t end)
{
    uint64_t sum = 0;
    for (uint64_t piece = 0; piece < deal->pieces; piece++)
        for (uint32_t b = first; b < end; b++) sum += deal->place[piece * columns(deal) + b];
    return sum;
}

/* All buckets first .. end - 1 become the first one, which is the split's octant. */
static void merge(struct gws__octree_deal *deal, uint32_t first, uint32_t end, uint32_t level, uint32_t *other)
{
    for (uint32_t b = first; b < end; b++) other[b] = first;
    deal->plan.level[first] = (uint8_t)level;
    for (uint64_t piece = 0; piece < deal->pieces; piece++) {
        uint64_t *count = deal->place + piece * columns(deal);
        for (uint32_t b = first + 1; b < end; b++) {
            count[first] += count[b];
            count[b] = 0;
        }
    }
}

/* Splits are numbered from above: those below a merged one find their buckets merged already. Only where K is large
 * can there be any, since a split was seen to hold many points of the sample. */
static gws_status merge_leaves(struct gws__octree_deal *deal)
{
    struct gws_runtime *runtime = deal->state->runtime;
    uint32_t buckets = deal->plan.buckets, merged = 0, done = 0;
    uint32_t *other = gws_allocate(runtime, buckets, sizeof *other);
    if (!other) return GWS_NO_MEMORY;
    for (uint32_t b = 0; b < buckets; b++) other[b] = b;
    for (uint32_t s = 0; s < deal->plan.splits; s++) {
        uint32_t end, first = gws__octree_plan_below(&deal->plan, s | GWS__OCTREE_SPLIT, &end);
        if (first < done || count_below(deal, first, end) > deal->state->leaf) continue;
        merge(deal, first, end, deal->plan.split[s].level, other);
        done = end;
        merged++;
    }
    if (merged) gws__octree_plan_rename(&deal->plan, other);
    gws_release(runtime, other, buckets, sizeof *other);
    return GWS_OK;
}

/* ---- */

static void counts_to_places(struct gws__octree_deal *deal)
{
    uint64_t sum = 0;
    for (uint64_t b = 0; b < columns(deal); b++) {
        deal->start[b] = sum;
        for (uint64_t piece = 0; piece < deal->pieces; piece++) {
            uint64_t *place = &deal->place[piece * columns(deal) + b], count = *place;
            *place = sum;
            sum += count;
        }
    }
    deal->start[columns(deal)] = sum;
}

gws_status gws__octree_deal_count(struct gws__octree_deal *deal, uint64_t bucket_points)
{
    struct gws_runtime *runtime = deal->state->runtime;
    gws_status status = gws__octree_plan_make(deal->state, bucket_points, &deal->plan);
    if (status != GWS_OK) return status;
    uint64_t most = gws_runtime_workers(runtime) == 1 ? 1 : pieces_a_worker * (uint64_t)gws_runtime_workers(runtime);
    deal->pieces = deal->state->points->count / least_piece + 1;
    if (deal->pieces > most) deal->pieces = most;
    deal->place = gws_allocate(runtime, deal->pieces * columns(deal), sizeof *deal->place);
    deal->start = gws_allocate(runtime, columns(deal) + 1, sizeof *deal->start);
    if (!deal->place || !deal->start) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = deal->pieces, .chunk = 1, .body = count_pieces, .context = deal};
    gws_parallel_run(runtime, &loop);
    status = merge_leaves(deal);
    if (status == GWS_OK) counts_to_places(deal);
    return status;
}

/* ---- the second pass ---- */

static void write_narrow(const struct gws__octree_deal *deal, const uint64_t *key, uint64_t at, uint64_t count,
                         uint64_t *place)
{
    const uint32_t *table = deal->plan.table;
    const uint8_t *level = deal->plan.level;
    gws__octree_narrow *record = deal->record;
    uint64_t mask = gws__octree_number_mask(deal->state->points->count);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bucket = gws__octree_bucket_of(table, key[i]);
        uint64_t rest = key[i] << ((3U * level[bucket] + 1) & 63);
        record[place[bucket]++] = (rest & ~mask) | (at + i);
    }
}

static void write_wide(const struct gws__octree_deal *deal, const uint64_t *key, uint64_t at, uint64_t count,
                       uint64_t *place)
{
    const uint32_t *table = deal->plan.table;
    struct gws__octree_wide *record = deal->record;
    for (uint64_t i = 0; i < count; i++)
        record[place[gws__octree_bucket_of(table, key[i])]++] = (struct gws__octree_wide){key[i] << 1, at + i};
}

static void write_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__octree_deal *deal = context;
    const struct gws__octree_state *state = deal->state;
    uint64_t key[block];
    (void)worker;
    for (uint64_t p = begin; p < end; p++) {
        struct gws_range piece = piece_of(deal, p);
        uint64_t *place = deal->place + p * columns(deal);
        for (uint64_t at = piece.begin; at < piece.end; at += block) {
            uint64_t several = piece.end - at < block ? piece.end - at : block;
            gws__octree_keys(&state->grid, state->points, at, several, key);
            (state->wide ? write_wide : write_narrow)(deal, key, at, several, place);
        }
    }
}

gws_status gws__octree_deal_write(struct gws__octree_deal *deal)
{
    struct gws_runtime *runtime = deal->state->runtime;
    deal->size = deal->state->wide ? sizeof(struct gws__octree_wide) : sizeof(gws__octree_narrow);
    deal->record = gws_allocate(runtime, deal->state->points->count, deal->size);
    if (!deal->record) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = deal->pieces, .chunk = 1, .body = write_pieces, .context = deal};
    gws_parallel_run(runtime, &loop);
    return GWS_OK;
}

void gws__octree_deal_clear(struct gws__octree_deal *deal)
{
    struct gws_runtime *runtime = deal->state->runtime;
    gws_release(runtime, deal->place, deal->pieces * columns(deal), sizeof *deal->place);
    gws_release(runtime, deal->start, columns(deal) + 1, sizeof *deal->start);
    gws_release(runtime, deal->record, deal->state->points->count, deal->size);
    gws__octree_plan_clear(runtime, &deal->plan);
}
