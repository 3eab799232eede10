/* SPDX-License-Identifier: MIT */
/* Fills the rows of a graph in order, bucket by bucket of consecutive rows: sorts each bucket in cache, and closes the
 * gaps that duplicates leave. */
#include "build.h"

#include <string.h>

enum {
    min_capacity = 1 << 15,
    capacities = 128 /* of all workers, in all arcs */
};

/* ---- scratch ---- */

gws_status gws__arc_scratches_open(struct gws_runtime *runtime, uint64_t capacity, bool weighted,
                                   struct gws__arc_scratches *scratches)
{
    const uint32_t workers = gws_runtime_workers(runtime);
    *scratches = (struct gws__arc_scratches){.capacity = capacity};
    scratches->scratch = gws_allocate(runtime, workers, sizeof *scratches->scratch);
    scratches->key = gws_allocate(runtime, 2 * capacity * workers, sizeof *scratches->key);
    if (weighted) scratches->weight = gws_allocate(runtime, 2 * capacity * workers, sizeof *scratches->weight);
    if (!scratches->scratch || !scratches->key || (weighted && !scratches->weight)) return GWS_NO_MEMORY;
    for (uint32_t worker = 0; worker < workers; ++worker) {
        struct gws__arc_scratch *scratch = &scratches->scratch[worker];
        *scratch = (struct gws__arc_scratch){.capacity = capacity};
        for (uint32_t i = 0; i < 2; ++i) {
            scratch->key[i] = scratches->key + (2 * worker + i) * capacity;
            if (weighted) scratch->weight[i] = scratches->weight + (2 * worker + i) * capacity;
        }
    }
    return GWS_OK;
}

void gws__arc_scratches_close(struct gws_runtime *runtime, const struct gws__arc_scratches *scratches)
{
    const uint32_t workers = gws_runtime_workers(runtime);
    gws_release(runtime, scratches->key, 2 * scratches->capacity * workers, sizeof *scratches->key);
    gws_release(runtime, scratches->weight, 2 * scratches->capacity * workers, sizeof *scratches->weight);
    gws_release(runtime, scratches->scratch, workers, sizeof *scratches->scratch);
}

/* ---- a sorted bucket ---- */

uint64_t gws__arcs_write_rows(const struct gws__arcs *arcs, bool drop_duplicates, uint64_t *offset, uint64_t rows,
                              uint64_t begin)
{
    uint64_t row = 0, out = 0;
    offset[0] = begin;
    for (uint64_t i = 0; i < arcs->count; ++i) {
        uint64_t low = arcs->low[i];
        if (drop_duplicates) {
            if (i > 0 && arcs->low[i - 1] == low && arcs->target[out - 1] == arcs->target[i]) continue;
            arcs->target[out] = arcs->target[i];
            if (arcs->weight) arcs->weight[out] = arcs->weight[i];
        }
        while (row < low) offset[++row] = begin + out;
        ++out;
    }
    while (row + 1 < rows) offset[++row] = begin + out;
    return out;
}

/* ---- rows ---- */

uint32_t gws__rows_shift(uint64_t rows, uint64_t arcs, uint64_t bucket_arcs)
{
    uint32_t shift = 0;
    while (shift < 16 && (arcs / bucket_arcs) * (UINT64_C(2) << shift) <= rows) shift++;
    return shift;
}

struct row_filling {
    struct gws_runtime *runtime;
    struct gws_graph *graph;
    const struct gws__row_source *source;
    uint64_t *offset;
    uint32_t *target;
    int32_t *weight; /* or NULL */
    bool drop_duplicates;
    uint64_t first;      /* bucket of the window */
    uint64_t dropped;    /* arcs that are duplicates, before the window */
    uint64_t *remaining; /* arcs of each bucket */
    uint64_t capacity;   /* arcs of a bucket that a worker sorts; larger buckets are sorted one by one */
    uint16_t *low;       /* capacity for each worker */
    struct gws__arc_scratches scratches;
};

static uint64_t arcs_of(const struct row_filling *filling, uint64_t bucket)
{
    return filling->source->start[bucket + 1] - filling->source->start[bucket];
}

static void fill_bucket(struct row_filling *filling, uint32_t worker, uint64_t bucket, uint16_t *low)
{
    const struct gws__row_source *source = filling->source;
    const uint64_t at = source->start[bucket] - filling->dropped, all = filling->graph->vertices;
    const uint64_t first = bucket << source->shift, end = (bucket + 1) << source->shift;
    const struct gws__arcs arcs = {.low = low,
                                   .target = filling->target + at,
                                   .weight = filling->weight ? filling->weight + at : NULL,
                                   .count = arcs_of(filling, bucket),
                                   .low_bits = source->shift,
                                   .target_bits = source->target_bits};
    source->fill(source->context, bucket, &arcs);
    gws__arcs_sort(&arcs, &filling->scratches.scratch[worker]);
    filling->remaining[bucket] = gws__arcs_write_rows(&arcs, filling->drop_duplicates, filling->offset + first,
                                                      (end < all ? end : all) - first, at);
}

static void fill_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct row_filling *filling = context;
    for (uint64_t bucket = filling->first + begin; bucket < filling->first + end; bucket++)
        if (arcs_of(filling, bucket) <= filling->capacity)
            fill_bucket(filling, worker, bucket, filling->low + worker * filling->capacity);
}

/* Fills a bucket that is too large for the workers' arrays. */
static gws_status fill_large(struct row_filling *filling, uint64_t bucket)
{
    const uint64_t count = arcs_of(filling, bucket);
    uint16_t *low = gws_allocate(filling->runtime, count, sizeof *low);
    if (!low) return GWS_NO_MEMORY;
    fill_bucket(filling, 0, bucket, low);
    gws_release(filling->runtime, low, count, sizeof *low);
    return gws_cancelled(filling->runtime) ? GWS_CANCELLED : GWS_OK;
}

/* Closes the gaps that duplicates have left in the buckets up to end - 1. */
static void close_gaps(struct row_filling *filling, uint64_t end)
{
    const struct gws__row_source *source = filling->source;
    const uint64_t all = filling->graph->vertices, dropped = filling->dropped;
    uint64_t to = source->start[filling->first] - dropped;
    for (uint64_t bucket = filling->first; bucket < end; bucket++) {
        const uint64_t from = source->start[bucket] - dropped, count = filling->remaining[bucket];
        const uint64_t first = bucket << source->shift, last = (bucket + 1) << source->shift;
        if (from > to) {
            memmove(filling->target + to, filling->target + from, count * sizeof *filling->target);
            if (filling->weight) memmove(filling->weight + to, filling->weight + from, count * sizeof *filling->weight);
            for (uint64_t row = first; row < last && row < all; row++) filling->offset[row] -= from - to;
        }
        to += count;
    }
    filling->dropped = source->start[end] - to;
}

/* Fills the buckets from filling->first to end - 1. */
static gws_status fill_window(struct row_filling *filling, uint64_t end)
{
    const struct gws_loop loop = {.count = end - filling->first, .chunk = 1, .body = fill_buckets, .context = filling};
    gws_status status = gws_parallel_try(filling->runtime, &loop);
    for (uint64_t bucket = filling->first; bucket < end && status == GWS_OK; bucket++)
        if (arcs_of(filling, bucket) > filling->capacity) status = fill_large(filling, bucket);
    if (status != GWS_OK) return status;
    close_gaps(filling, end);
    filling->source->filled(filling->source->context, end);
    return GWS_OK;
}

static gws_status fill_all(struct row_filling *filling)
{
    const struct gws__row_source *source = filling->source;
    const uint64_t window = source->start[source->buckets] / source->windows + 1;
    gws_status status = GWS_OK;
    while (filling->first < source->buckets && status == GWS_OK) {
        uint64_t end = filling->first + 1;
        while (end < source->buckets && source->start[end] - source->start[filling->first] < window) end++;
        if (source->prepare) status = source->prepare(source->context, filling->first, end);
        if (status == GWS_OK) status = fill_window(filling, end);
        filling->first = end;
    }
    return status;
}

static gws_status open_filling(struct row_filling *filling)
{
    struct gws_runtime *runtime = filling->runtime;
    const uint64_t workers = gws_runtime_workers(runtime), arcs = filling->source->start[filling->source->buckets];
    filling->capacity = arcs / (capacities * workers) > min_capacity ? arcs / (capacities * workers) : min_capacity;
    if (filling->capacity > arcs) filling->capacity = arcs;
    filling->remaining = gws_allocate(runtime, filling->source->buckets, sizeof *filling->remaining);
    filling->low = gws_allocate(runtime, workers * filling->capacity, sizeof *filling->low);
    if (!filling->remaining || !filling->low) return GWS_NO_MEMORY;
    return gws__arc_scratches_open(runtime, filling->capacity, filling->weight != NULL, &filling->scratches);
}

gws_status gws__graph_fill_rows(struct gws_runtime *runtime, struct gws_graph *graph,
                                const struct gws__row_source *source, bool drop_duplicates)
{
    const struct gws__graph_array *owned = graph->owner->owned;
    struct row_filling filling = {.runtime = runtime,
                                  .graph = graph,
                                  .source = source,
                                  .offset = owned[GWS__PART_OFFSET].memory,
                                  .target = owned[GWS__PART_TARGET].memory,
                                  .weight = owned[GWS__PART_WEIGHT].memory,
                                  .drop_duplicates = drop_duplicates};
    gws_status status = open_filling(&filling);
    if (status == GWS_OK) status = fill_all(&filling);
    if (status == GWS_OK)
        filling.offset[graph->vertices] = graph->arcs = source->start[source->buckets] - filling.dropped;
    gws__arc_scratches_close(runtime, &filling.scratches);
    gws_release(runtime, filling.remaining, source->buckets, sizeof *filling.remaining);
    gws_release(runtime, filling.low, gws_runtime_workers(runtime) * filling.capacity, sizeof *filling.low);
    return status;
}
