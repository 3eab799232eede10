/* SPDX-License-Identifier: MIT */
/* Runs batched queries (see octree_query_state.h). */
#include "octree_query_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { queries_per_block = 32, blocks_at_once = 4, min_hits = 256 };

/* The location of a block's answers before the merge. */
struct query_block {
    uint32_t worker;
    uint64_t at;
};

gws_status gws__octree_can_answer(const struct gws_octree *tree, struct gws_diagnostic *where)
{
    if (tree->x || tree->points == 0) return GWS_OK;
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the tree has no points in leaf order");
}

static bool is_valid(const struct gws__octree_kind *kind, const double *values)
{
    bool can = !kind->radius || values[kind->numbers - 1] >= 0;
    for (uint32_t i = 0; i < kind->finite; i++) can &= isfinite(values[i]);
    for (int a = 0; kind->corners && a < 3; a++) can &= values[a] <= values[3 + a];
    return can;
}

gws_status gws__octree_check_queries(const struct gws__octree_kind *kind, const void *query, uint64_t count, uint64_t k,
                                     struct gws_diagnostic *where)
{
    if (count > (UINT64_C(1) << 48) / (k ? k : 1)) return GWS_TOO_LARGE;
    for (uint64_t q = 0; q < count; q++)
        if (!is_valid(kind, (const double *)query + q * kind->numbers))
            return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s %llu %s", kind->name, (unsigned long long)q,
                                      kind->flaw);
    return GWS_OK;
}

void gws__octree_find_unit(struct gws__octree_batch *batch)
{
    const struct gws_octree *tree = batch->tree;
    double largest = 0;
    int exponent = 0;
    for (int a = 0; a < 3; a++) largest = fmax(largest, fmax(fabs(tree->low[a]), fabs(tree->high[a])));
    (void)frexp(largest, &exponent);
    if (exponent >= -gws__octree_plain_exponent && exponent <= gws__octree_plain_exponent) exponent = 0;
    batch->unit = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    for (int a = 0; a < 3; a++) {
        double low = tree->low[a] * batch->unit, high = tree->high[a] * batch->unit;
        batch->low[a] = low;
        batch->width[a] = high - low;
        batch->slack[a] = 64 * DBL_EPSILON * fmax(fabs(low), fabs(high));
    }
}

/* Adds the recent answers to the totals. */
static void add_hits(struct gws__octree_query_context *context)
{
    const double *value = context->batch->totals->value;
    for (uint64_t h = 0; value && h < context->hits; h++) context->sum += value[context->point[h]];
    context->count += context->hits;
    context->hits = 0;
}

bool gws__octree_reserve_hits(struct gws__octree_query_context *context, uint64_t added)
{
    struct gws_runtime *runtime = context->batch->runtime;
    bool distances = context->batch->kind->distances;
    if (context->failed) return false;
    if (context->capacity - context->hits >= added) return true;
    if (context->batch->totals) add_hits(context);
    if (context->capacity - context->hits >= added) return true;
    uint64_t capacity = context->capacity + context->capacity / 2 + added + min_hits;
    uint64_t *point = gws_allocate(runtime, capacity, sizeof *point);
    double *distance = distances && point ? gws_allocate(runtime, capacity, sizeof *distance) : NULL;
    if (!point || (distances && !distance)) {
        gws_release(runtime, point, capacity, sizeof *point);
        context->failed = true;
        return false;
    }
    if (context->hits) memcpy(point, context->point, context->hits * sizeof *point);
    if (context->hits && distances) memcpy(distance, context->distance, context->hits * sizeof *distance);
    gws_release(runtime, context->point, context->capacity, sizeof *point);
    gws_release(runtime, context->distance, context->capacity, sizeof *distance);
    context->point = point;
    context->distance = distance;
    context->capacity = capacity;
    return true;
}

/* ---- running queries ---- */

static uint64_t blocks_of(const struct gws__octree_batch *batch)
{
    return batch->count / queries_per_block + (batch->count % queries_per_block != 0);
}

/* Returns the queries of a block, as indices into the order of execution. */
static struct gws_range queries_of_block(const struct gws__octree_batch *batch, uint64_t block)
{
    uint64_t begin = block * queries_per_block, rest = batch->count - begin;
    return (struct gws_range){begin, begin + (rest < queries_per_block ? rest : queries_per_block)};
}

static uint64_t query_at(const struct gws__octree_batch *batch, uint64_t i)
{
    return batch->order ? gws_octree_point(batch->order, i) : i;
}

/* Stores the totals of the query. */
static void end_query(struct gws__octree_query_context *context, uint64_t query)
{
    const struct gws_octree_totals *totals = context->batch->totals;
    add_hits(context);
    totals->count[query] = context->count;
    if (totals->value) totals->sum[query] = context->sum;
    context->count = 0;
    context->sum = 0;
}

static void answer_blocks(void *argument, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__octree_batch *batch = argument;
    struct gws__octree_query_context *context = &batch->context[worker];
    if (worker == 0) gws_report_progress(batch->runtime, "answering queries", begin, blocks_of(batch));
    for (uint64_t b = begin; b < end; b++) {
        struct gws_range block = queries_of_block(batch, b);
        batch->block[b] = (struct query_block){worker, context->hits};
        for (uint64_t i = block.begin; i < block.end; i++) {
            uint64_t query = query_at(batch, i);
            if (batch->k) context->hits = query * batch->k;
            uint64_t before = context->hits;
            if (!context->failed && batch->tree->points > 0) batch->kind->run(context, query);
            batch->offset[query] = context->hits - before;
            if (batch->totals) end_query(context, query);
        }
    }
}

static void copy_block(const struct gws__octree_batch *batch, uint64_t block, struct gws_octree_hits *hits)
{
    struct gws_range range = queries_of_block(batch, block);
    const struct gws__octree_query_context *context = &batch->context[batch->block[block].worker];
    uint64_t at = batch->block[block].at;
    for (uint64_t i = range.begin; i < range.end; i++) {
        uint64_t query = query_at(batch, i), to = hits->offset[query];
        uint64_t count = hits->offset[query + 1] - to;
        for (uint64_t h = 0; h < count; h++) hits->point[to + h] = context->point[at + h];
        for (uint64_t h = 0; hits->distance && h < count; h++) hits->distance[to + h] = context->distance[at + h];
        at += count;
    }
}

struct batch_gather {
    struct gws__octree_batch *batch;
    struct gws_octree_hits *hits;
};

static void gather_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct batch_gather *batch_gather = context;
    (void)worker;
    for (uint64_t b = begin; b < end; b++) copy_block(batch_gather->batch, b, batch_gather->hits);
}

/* ---- all ---- */

uint64_t gws__octree_sum_offsets(uint64_t *offset, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t q = 0; q < count; q++) {
        uint64_t hits = offset[q];
        offset[q] = sum;
        sum += hits;
    }
    return offset[count] = sum;
}

static gws_status answer_every(struct gws__octree_batch *batch)
{
    struct gws_runtime *runtime = batch->runtime;
    struct gws_loop loop = {
        .count = blocks_of(batch), .chunk = blocks_at_once, .body = answer_blocks, .context = batch};
    bool failed = false;
    gws_report_progress(runtime, "answering queries", 0, loop.count);
    gws_status status = gws_parallel_try(runtime, &loop);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) failed |= batch->context[w].failed;
    return failed ? GWS_NO_MEMORY : status;
}

/* Answers a batch in which every query has k answers. Workers write the answers to their final positions. */
static gws_status answer_in_place(struct gws__octree_batch *batch, struct gws_octree_hits *made)
{
    uint64_t hits = batch->count * batch->k;
    uint32_t workers = gws_runtime_workers(batch->runtime);
    gws_status status = gws__octree_hits_allocate(batch->runtime, made, hits, batch->kind->distances);
    if (status != GWS_OK) return status;
    for (uint32_t w = 0; w < workers; w++) {
        batch->context[w].point = made->point;
        batch->context[w].distance = made->distance;
        batch->context[w].capacity = hits;
    }
    status = answer_every(batch); /* memory suffices, but the call may be cancelled */
    for (uint32_t w = 0; w < workers; w++) {
        batch->context[w].point = NULL;
        batch->context[w].distance = NULL;
    }
    (void)gws__octree_sum_offsets(made->offset, batch->count);
    return status;
}

static gws_status answer_all(struct gws__octree_batch *batch, struct gws_octree_hits *made)
{
    struct gws_runtime *runtime = batch->runtime;
    gws__octree_find_unit(batch);
    if (batch->k) return answer_in_place(batch, made);
    gws_status status = answer_every(batch);
    if (status != GWS_OK || batch->totals) return status;
    uint64_t hits = gws__octree_sum_offsets(made->offset, batch->count);
    status = gws__octree_hits_allocate(runtime, made, hits, batch->kind->distances);
    if (status != GWS_OK) return status;
    struct batch_gather batch_gather = {.batch = batch, .hits = made};
    return gws_parallel_try_for(runtime, blocks_of(batch), 64, gather_blocks, &batch_gather);
}

static void clear_contexts(const struct gws__octree_batch *batch)
{
    uint32_t workers = gws_runtime_workers(batch->runtime);
    for (uint32_t w = 0; batch->context && w < workers; w++) {
        gws_release(batch->runtime, batch->context[w].point, batch->context[w].capacity, sizeof(uint64_t));
        gws_release(batch->runtime, batch->context[w].distance, batch->context[w].capacity, sizeof(double));
    }
    gws_release(batch->runtime, batch->context, workers, sizeof *batch->context);
}

static gws_status answer(struct gws__octree_batch *batch, struct gws_octree_hits *hits)
{
    struct gws_runtime *runtime = batch->runtime;
    struct gws_octree_hits made = {.queries = batch->count};
    uint32_t workers = gws_runtime_workers(runtime);
    batch->context = gws_allocate(runtime, workers, sizeof *batch->context);
    for (uint32_t w = 0; batch->context && w < workers; w++) {
        memset(&batch->context[w], 0, offsetof(struct gws__octree_query_context, squared));
        batch->context[w].batch = batch;
    }
    batch->block = gws_allocate(runtime, blocks_of(batch), sizeof *batch->block);
    (void)gws__octree_hits_offsets(runtime, &made);
    batch->offset = made.offset;
    struct gws_octree *order = made.offset ? gws__octree_query_order(batch) : NULL;
    batch->order = order;
    gws_status status = batch->context && batch->block && made.offset ? answer_all(batch, &made) : GWS_NO_MEMORY;
    gws_octree_destroy(order);
    clear_contexts(batch);
    gws_release(runtime, batch->block, blocks_of(batch), sizeof *batch->block);
    return gws__octree_hits_end(status, &made, hits);
}

gws_status gws__octree_answer(struct gws_runtime *runtime, const struct gws_octree *tree,
                              const struct gws__octree_kind *kind, const void *query, uint64_t count, uint64_t k,
                              struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    struct gws__octree_batch batch = {.runtime = runtime,
                                      .tree = tree,
                                      .kind = kind,
                                      .query = query,
                                      .count = count,
                                      .k = k < tree->points ? k : tree->points};
    gws_status status = gws__octree_can_answer(tree, where);
    if (status == GWS_OK) status = gws__octree_check_queries(kind, query, count, batch.k, where);
    return status == GWS_OK ? answer(&batch, hits) : status;
}

gws_status gws__octree_total(struct gws_runtime *runtime, const struct gws_octree *tree,
                             const struct gws__octree_kind *kind, const void *query, uint64_t count,
                             const struct gws_octree_totals *totals, struct gws_diagnostic *where)
{
    struct gws_octree_hits none = {0};
    struct gws__octree_batch batch = {
        .runtime = runtime, .tree = tree, .kind = kind, .query = query, .count = count, .totals = totals};
    gws_status status = gws__octree_can_answer(tree, where);
    if (status == GWS_OK) status = gws__octree_check_queries(kind, query, count, 0, where);
    if (status == GWS_OK) status = answer(&batch, &none);
    gws_octree_hits_clear(&none);
    return status;
}
