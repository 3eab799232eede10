/* SPDX-License-Identifier: MIT */
/* Breadth-first searches from many sources on a device: runs of traversal/engine/batch_device.c that count the pairs at
 * each distance, and may store the distances. */
#include "../bfs_batch_device.h"

#include <string.h>

#include "../../kernels/graph/bfs_batch_words.h"
#include "../../lib/parallel.h"
#include "../../lib/poison.h"
#include "../engine/batch_device.h"

struct gws_bfs_batch_device {
    struct gws__batch_device batch;
    uint32_t max_sources, max_distance; /* max_distance: UINT32_MAX: no limit */
    uint32_t width;                     /* 1, 2 or 4 bytes, which hold every distance so far */
    bool distances;                     /* the runs store them */
    bool ran;                           /* the arrays are those of a complete run ... */
    uint32_t sources, levels;           /* ... with so many sources and levels */
};

struct gws__bfs_batch_scratch {
    struct gws_allocator allocator;
    uint64_t bytes; /* of this block, which has the arrays behind the scratch */
};

/* Returns the largest distance for which there is space in the arrays. */
static uint32_t max_depth(const struct gws_bfs_batch_device *of)
{
    const uint32_t holds = (uint32_t)(UINT32_MAX >> (32 - 8 * of->width)) - 1;
    return holds < of->max_distance ? holds : of->max_distance;
}

/* ---- opening ---- */

/* Makes the arrays for distances of `width` bytes. */
static gws_status widen(struct gws_bfs_batch_device *of, uint32_t width, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = of->batch.kernel.info;
    const uint64_t vertices = info->graph->vertices;
    struct gws_device_buffer **pairs = &of->batch.buffer[BATCH_PAIRS], **distance = &of->batch.buffer[BATCH_DISTANCE];
    of->width = width;
    const uint64_t depths = max_depth(of) < vertices ? max_depth(of) + (uint64_t)1 : vertices;
    gws_device_buffer_free(*pairs);
    gws_device_buffer_free(*distance);
    *pairs = *distance = NULL;
    gws_status status = gws_device_buffer_new(info->device, (depths + 1) * sizeof(uint64_t), pairs, where);
    if (status != GWS_OK || !of->distances) return status;
    return gws_device_buffer_new(info->device, (of->max_sources * vertices * width + 3) / 4 * 4, distance, where);
}

static gws_status open_on(struct gws_bfs_batch_device *made, struct gws_device_graph *on_device,
                          struct gws_diagnostic *where)
{
    const struct gws_graph *graph = made->batch.kernel.info->graph;
    if (made->max_sources > GWS_BFS_BATCH_SOURCES)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "a run has at most %d sources",
                                  GWS_BFS_BATCH_SOURCES);
    if (graph->directed && !graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    gws_status status = gws__batch_device_open(&made->batch, on_device, where);
    if (status == GWS_OK) status = gws__batch_device_reserve(&made->batch, made->max_sources, true, where);
    return status == GWS_OK ? widen(made, made->distances ? 1 : 2, where) : status;
}

static gws_status batch_device_open(struct gws_device_graph *on_device,
                                    const struct gws_bfs_batch_device_options *options,
                                    struct gws_bfs_batch_device **batch, struct gws_diagnostic *where)
{
    static const struct gws_bfs_batch_device_options defaults;
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    if (!options) options = &defaults;
    struct gws_bfs_batch_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_bfs_batch_device){.distances = options->distances};
    made->batch.kernel.info = info;
    made->max_sources = options->sources ? options->sources : GWS_BFS_BATCH_SOURCES;
    made->max_distance = options->max_distance ? options->max_distance : UINT32_MAX;
    gws_status status = open_on(made, on_device, where);
    if (status == GWS_OK)
        *batch = made;
    else
        gws_bfs_batch_device_close(made);
    return status;
}

gws_status gws_bfs_batch_device_open(struct gws_device_graph *on_device,
                                     const struct gws_bfs_batch_device_options *options,
                                     struct gws_bfs_batch_device **batch, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    batch_device_open(on_device, options, batch, where));
}

void gws_bfs_batch_device_close(struct gws_bfs_batch_device *batch)
{
    if (!batch) return;
    struct gws_runtime *runtime = batch->batch.kernel.info->runtime;
    gws__batch_device_close(&batch->batch);
    gws_release(runtime, batch, 1, sizeof *batch);
}

/* ---- runs ---- */

static gws_status clear_arrays(const struct gws_bfs_batch_device *of, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t i = BATCH_REACHED; i <= BATCH_HARMONIC && status == GWS_OK; i++)
        status = gws_buffer_poison(of->batch.buffer[i], GWS_POISON, where);
    if (status == GWS_OK) status = gws_buffer_poison(of->batch.buffer[BATCH_PAIRS], 0, where);
    return status == GWS_OK ? gws_buffer_poison(of->batch.buffer[BATCH_DISTANCE], UINT32_MAX, where) : status;
}

/* Searches from all sources of a run. Sets *unfinished if a search ended at max_depth(). */
static gws_status search(struct gws_bfs_batch_device *of, uint32_t count, bool *unfinished,
                         struct gws_diagnostic *where)
{
    struct gws__batch_launch launch = {.outgoing = true, .listed = true, .max_depth = max_depth(of)};
    const uint32_t step = 64 * of->batch.words;
    uint32_t counts[BATCH_COUNTS];
    *unfinished = false;
    of->levels = 0;
    if (of->distances) launch.width = of->width;
    gws_status status = clear_arrays(of, where);
    for (uint32_t first = 0; first < count && status == GWS_OK; first += step) {
        launch.first = first;
        launch.sources = count - first < step ? count - first : step;
        status = gws__batch_device_launch(&of->batch, &launch, where);
        if (status == GWS_OK) status = gws_device_read(of->batch.buffer[BATCH_COUNT], 0, counts, sizeof counts, where);
        if (status != GWS_OK) return status;
        if (counts[BATCH_LEVELS] > of->levels) of->levels = counts[BATCH_LEVELS];
        if (counts[BATCH_UNFINISHED]) *unfinished = true;
    }
    return status;
}

static gws_status batch_device_run(struct gws_bfs_batch_device *of, const uint32_t *source, uint32_t count,
                                   struct gws_bfs_batch_device_result *result, struct gws_diagnostic *where)
{
    const uint64_t vertices = of->batch.kernel.info->graph->vertices;
    const double began = gws_clock_ms();
    bool unfinished = false;
    if (count > of->max_sources)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "more sources than the options allow");
    for (uint32_t i = 0; i < count; i++)
        if (source[i] >= vertices) return gws_diagnostic_status(where, GWS_OUT_OF_RANGE);
    of->ran = false;
    gws_status status = GWS_OK;
    if (count > 0)
        status = gws_device_write(of->batch.buffer[BATCH_SOURCE_LIST], 0, source, count * sizeof *source, where);
    if (status == GWS_OK) status = search(of, count, &unfinished, where);
    while (status == GWS_OK && unfinished && max_depth(of) < of->max_distance) {
        status = widen(of, 2 * of->width, where);
        if (status == GWS_OK) status = search(of, count, &unfinished, where);
    }
    if (status != GWS_OK) return status;
    of->ran = true;
    of->sources = count;
    result->vertices = vertices;
    result->sources = count;
    result->levels = of->levels;
    result->width = of->distances ? of->width : 0;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_bfs_batch_device_run(struct gws_bfs_batch_device *batch, const uint32_t *source, uint32_t count,
                                    struct gws_bfs_batch_device_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(batch->batch.kernel.info->runtime, where, batch_device_run(batch, source, count, result, where));
}

struct gws_device_buffer *gws_bfs_batch_device_buffer(const struct gws_bfs_batch_device *batch,
                                                      enum gws_bfs_batch_array array)
{
    static const enum gws__batch_buffer which[GWS_BFS_BATCH_ARRAYS] = {BATCH_REACHED, BATCH_ECCENTRICITY, BATCH_TOTAL,
                                                                       BATCH_PAIRS, BATCH_DISTANCE};
    return batch->batch.buffer[which[array]];
}

/* ---- results on the host ---- */

void gws_bfs_batch_device_result_clear(struct gws_bfs_batch_device_result *result)
{
    if (!result) return;
    struct gws__bfs_batch_scratch *scratch = result->scratch;
    if (scratch) {
        struct gws_allocator allocator = scratch->allocator;
        allocator.release(allocator.context, scratch, (size_t)scratch->bytes);
    }
    *result = (struct gws_bfs_batch_device_result){0};
}

/* Makes a block of at least so many bytes. */
static gws_status reserve(const struct gws_allocator *allocator, uint64_t bytes,
                          struct gws_bfs_batch_device_result *result)
{
    struct gws__bfs_batch_scratch *scratch = result->scratch;
    if (scratch && scratch->bytes >= bytes && scratch->allocator.allocate == allocator->allocate &&
        scratch->allocator.context == allocator->context)
        return GWS_OK;
    if (bytes > PTRDIFF_MAX) return GWS_NO_MEMORY;
    scratch = allocator->allocate(allocator->context, (size_t)bytes);
    if (!scratch) return GWS_NO_MEMORY;
    *scratch = (struct gws__bfs_batch_scratch){.allocator = *allocator, .bytes = bytes};
    gws_bfs_batch_device_result_clear(result);
    result->scratch = scratch;
    return GWS_OK;
}

/* Sets the fields of the result and its pointers to the arrays of the block. */
static gws_status prepare(const struct gws_bfs_batch_device *of, struct gws_bfs_batch_device_result *result)
{
    const struct gws_device_graph_info *info = of->batch.kernel.info;
    const uint64_t vertices = info->graph->vertices, words = of->sources + (uint64_t)of->levels;
    const uint32_t width = of->distances ? of->width : 0;
    const uint64_t bytes = sizeof(struct gws__bfs_batch_scratch) + words * sizeof(uint64_t) +
                           2 * (uint64_t)of->sources * sizeof(uint32_t) + of->sources * vertices * width;
    gws_status status = reserve(gws_runtime_allocator(info->runtime), bytes, result);
    if (status != GWS_OK) return status;
    result->vertices = vertices;
    result->sources = of->sources;
    result->levels = of->levels;
    result->width = width;
    result->total = (uint64_t *)(void *)(result->scratch + 1);
    result->pairs = result->total + of->sources;
    result->reached = (uint32_t *)(void *)(result->pairs + of->levels);
    result->farthest = result->reached + of->sources;
    result->distance = width ? result->farthest + of->sources : NULL;
    return GWS_OK;
}

static gws_status batch_device_fetch(struct gws_bfs_batch_device *of, struct gws_bfs_batch_device_result *result,
                                     struct gws_diagnostic *where)
{
    const double began = gws_clock_ms(), ms = result->ms;
    if (!of->ran) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no run is complete");
    gws_status status = prepare(of, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    const uint64_t sources = of->sources;
    const struct {
        enum gws_bfs_batch_array array;
        void *to;
        uint64_t bytes;
    } part[GWS_BFS_BATCH_ARRAYS] = {
        {GWS_BFS_BATCH_REACHED, result->reached, sources * sizeof *result->reached},
        {GWS_BFS_BATCH_FARTHEST, result->farthest, sources * sizeof *result->farthest},
        {GWS_BFS_BATCH_TOTAL, result->total, sources * sizeof *result->total},
        {GWS_BFS_BATCH_PAIRS, result->pairs, of->levels * sizeof *result->pairs},
        {GWS_BFS_BATCH_DISTANCES, result->distance, sources * result->vertices * result->width}};
    for (uint32_t i = 0; i < GWS_BFS_BATCH_ARRAYS && status == GWS_OK; i++)
        if (part[i].bytes > 0)
            status =
                gws_device_read(gws_bfs_batch_device_buffer(of, part[i].array), 0, part[i].to, part[i].bytes, where);
    result->ms = ms;
    result->fetch_ms = gws_clock_ms() - began;
    return status;
}

gws_status gws_bfs_batch_device_fetch(struct gws_bfs_batch_device *batch, struct gws_bfs_batch_device_result *result,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(batch->batch.kernel.info->runtime, where, batch_device_fetch(batch, result, where));
}
