/* SPDX-License-Identifier: MIT */
/* Finishes rows in place: sorts them, bucket by bucket of consecutive rows, and closes the gaps that duplicates
 * leave. */
#include "build.h"

#include <string.h>

enum { bucket_arcs = 1 << 12, min_capacity = 1 << 15 };

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

/* ---- rows in place ---- */

struct row_sort {
    struct gws_runtime *runtime;
    struct gws_graph *graph;
    uint64_t *offset;
    uint32_t *target;
    int32_t *weight; /* or NULL */
    bool drop_duplicates;
    uint32_t shift, target_bits; /* a bucket has 2^shift rows */
    uint64_t buckets, *start;    /* buckets + 1 entries: the start of each bucket */
    uint64_t *remaining;         /* of each bucket */
    uint64_t capacity;           /* arcs of a bucket that a worker sorts; larger buckets are sorted one by one */
    uint16_t *low;               /* capacity for each worker */
    struct gws__arc_scratches scratches;
};

static void sort_bucket(struct row_sort *sort, uint32_t worker, uint64_t bucket, uint16_t *low)
{
    const uint64_t at = sort->start[bucket], first = bucket << sort->shift, all = sort->graph->vertices;
    const uint64_t last = (bucket + 1) << sort->shift < all ? (bucket + 1) << sort->shift : all;
    const struct gws__arcs arcs = {.low = low,
                                   .target = sort->target + at,
                                   .weight = sort->weight ? sort->weight + at : NULL,
                                   .count = sort->start[bucket + 1] - at,
                                   .low_bits = sort->shift,
                                   .target_bits = sort->target_bits};
    for (uint64_t row = first; row < last; row++) {
        const uint64_t end = row + 1 < last ? sort->offset[row + 1] : sort->start[bucket + 1];
        for (uint64_t arc = sort->offset[row]; arc < end; arc++) low[arc - at] = (uint16_t)(row - first);
    }
    gws__arcs_sort(&arcs, &sort->scratches.scratch[worker]);
    sort->remaining[bucket] =
        gws__arcs_write_rows(&arcs, sort->drop_duplicates, sort->offset + first, last - first, at);
}

static void sort_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct row_sort *sort = context;
    for (uint64_t bucket = begin; bucket < end; bucket++)
        if (sort->start[bucket + 1] - sort->start[bucket] <= sort->capacity)
            sort_bucket(sort, worker, bucket, sort->low + worker * sort->capacity);
}

/* Sorts the buckets that are too large for the workers' arrays. */
static gws_status sort_large(struct row_sort *sort)
{
    uint64_t largest = 0;
    for (uint64_t bucket = 0; bucket < sort->buckets; bucket++) {
        const uint64_t count = sort->start[bucket + 1] - sort->start[bucket];
        if (count > largest) largest = count;
    }
    if (largest <= sort->capacity) return GWS_OK;
    uint16_t *low = gws_allocate(sort->runtime, largest, sizeof *low);
    if (!low) return GWS_NO_MEMORY;
    for (uint64_t bucket = 0; bucket < sort->buckets && !gws_cancelled(sort->runtime); bucket++)
        if (sort->start[bucket + 1] - sort->start[bucket] > sort->capacity) sort_bucket(sort, 0, bucket, low);
    gws_release(sort->runtime, low, largest, sizeof *low);
    return gws_cancelled(sort->runtime) ? GWS_CANCELLED : GWS_OK;
}

static void close_gaps(struct row_sort *sort)
{
    const uint64_t all = sort->graph->vertices;
    uint64_t to = 0;
    for (uint64_t bucket = 0; bucket < sort->buckets; bucket++) {
        const uint64_t from = sort->start[bucket], count = sort->remaining[bucket];
        const uint64_t first = bucket << sort->shift, last = (bucket + 1) << sort->shift;
        if (from > to) {
            memmove(sort->target + to, sort->target + from, count * sizeof *sort->target);
            if (sort->weight) memmove(sort->weight + to, sort->weight + from, count * sizeof *sort->weight);
            for (uint64_t row = first; row < last && row < all; row++) sort->offset[row] -= from - to;
        }
        to += count;
    }
    sort->offset[all] = sort->graph->arcs = to;
}

static gws_status open_sort(struct row_sort *sort)
{
    struct gws_runtime *runtime = sort->runtime;
    const uint64_t workers = gws_runtime_workers(runtime), vertices = sort->graph->vertices, arcs = sort->graph->arcs;
    while (sort->shift < 16 && (arcs / bucket_arcs) * (UINT64_C(2) << sort->shift) <= vertices) sort->shift++;
    sort->buckets = (vertices + (UINT64_C(1) << sort->shift) - 1) >> sort->shift;
    sort->capacity = arcs / (32 * workers) > min_capacity ? arcs / (32 * workers) : min_capacity;
    if (sort->capacity > arcs) sort->capacity = arcs;
    sort->start = gws_allocate(runtime, sort->buckets + 1, sizeof *sort->start);
    sort->remaining = gws_allocate(runtime, sort->buckets, sizeof *sort->remaining);
    sort->low = gws_allocate(runtime, workers * sort->capacity, sizeof *sort->low);
    if (!sort->start || !sort->remaining || !sort->low) return GWS_NO_MEMORY;
    for (uint64_t bucket = 0; bucket < sort->buckets; bucket++)
        sort->start[bucket] = sort->offset[bucket << sort->shift];
    sort->start[sort->buckets] = arcs;
    return gws__arc_scratches_open(runtime, sort->capacity, sort->weight != NULL, &sort->scratches);
}

gws_status gws__graph_sort_rows(struct gws_runtime *runtime, struct gws_graph *graph, uint64_t targets,
                                bool drop_duplicates)
{
    const struct gws__graph_array *owned = graph->owner->owned;
    struct row_sort sort = {.runtime = runtime,
                            .graph = graph,
                            .offset = owned[GWS__PART_OFFSET].memory,
                            .target = owned[GWS__PART_TARGET].memory,
                            .weight = owned[GWS__PART_WEIGHT].memory,
                            .drop_duplicates = drop_duplicates,
                            .target_bits = gws__bits_below(targets)};
    gws_status status = open_sort(&sort);
    if (status == GWS_OK) {
        const struct gws_loop loop = {.count = sort.buckets, .chunk = 1, .body = sort_buckets, .context = &sort};
        status = gws_parallel_try(runtime, &loop);
    }
    if (status == GWS_OK) status = sort_large(&sort);
    if (status == GWS_OK) close_gaps(&sort);
    gws__arc_scratches_close(runtime, &sort.scratches);
    gws_release(runtime, sort.start, sort.buckets + 1, sizeof *sort.start);
    gws_release(runtime, sort.remaining, sort.buckets, sizeof *sort.remaining);
    gws_release(runtime, sort.low, gws_runtime_workers(runtime) * sort.capacity, sizeof *sort.low);
    return status;
}
