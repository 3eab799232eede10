/* SPDX-License-Identifier: MIT */
/* Closeness, harmonic centrality and eccentricity. All of them are sums over the numbers of vertices at each depth.
 * Searches count these vertices by one of three methods. On small graphs each worker runs batches of sources of its
 * own. On other graphs all workers share a batch. On large graphs of many levels, where batches share little, one
 * search runs after another. */
#include <string.h>

#include "../../bfs.h"
#include "../../closeness.h"
#include "../../engine/batch.h"
#include "../../engine/sample.h"

enum {
    default_memory = 64 << 20,
    many_levels = 64, /* a large graph with more levels is searched from one source after another */
};

struct gws__closeness_scratch {
    struct gws_allocator allocator;
    uint64_t capacity; /* number of sources that fit */
};

struct closeness {
    struct gws_runtime *runtime;
    const struct gws_graph *graph, *in; /* graph: the searched graph, which is the reverse for distances to a vertex */
    struct gws_closeness_result *result;
    struct gws__batch *batch; /* one per worker */
};

/* ---- the sums ---- */

static void add_depth(struct gws_closeness_result *result, uint64_t entry, uint32_t depth, uint64_t count)
{
    if (count == 0) return;
    result->reached[entry] += (uint32_t)count;
    if (depth == 0) return;
    result->total[entry] += depth * count;
    result->harmonic[entry] += (double)count / depth;
    result->eccentricity[entry] = depth;
}

static void clear_entry(struct gws_closeness_result *result, uint64_t entry)
{
    result->reached[entry] = result->eccentricity[entry] = 0;
    result->total[entry] = 0;
    result->harmonic[entry] = 0;
}

static void run_batch(const struct closeness *all, struct gws__batch *batch, uint64_t first)
{
    uint64_t left = all->result->sources - first;
    uint32_t source[gws__batch_max], count = left < 64 * batch->words ? (uint32_t)left : 64 * batch->words;
    for (uint32_t i = 0; i < count; i++) {
        source[i] = all->result->source ? all->result->source[first + i] : (uint32_t)(first + i);
        clear_entry(all->result, first + i);
    }
    gws__batch_start(batch, source, count);
    do {
        for (uint32_t i = 0; i < count; i++) add_depth(all->result, first + i, batch->level, batch->count[i]);
    } while (gws__batch_advance(batch));
}

/* ---- methods ---- */

static void run_batches(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct closeness *all = context;
    for (uint64_t b = begin; b < end; b++) run_batch(all, &all->batch[worker], b * 64 * all->batch[worker].words);
}

static gws_status search_apart(struct closeness *all, uint32_t words)
{
    uint32_t workers = gws_runtime_workers(all->runtime);
    uint64_t batches = (all->result->sources + 64 * words - 1) / (64 * words);
    gws_status status = GWS_OK;
    all->batch = gws_allocate(all->runtime, workers, sizeof *all->batch);
    if (!all->batch) return GWS_NO_MEMORY;
    memset(all->batch, 0, workers * sizeof *all->batch);
    for (uint32_t w = 0; w < workers && status == GWS_OK; w++)
        status = gws__batch_open(all->runtime, all->graph, all->in, words, true, &all->batch[w]);
    struct gws_loop loop = {.count = batches, .chunk = 1, .body = run_batches, .context = all};
    if (status == GWS_OK) status = gws_parallel_try(all->runtime, &loop);
    gws_report_progress(all->runtime, "closeness", all->result->sources, all->result->sources);
    for (uint32_t w = 0; w < workers; w++) gws__batch_close(&all->batch[w]);
    gws_release(all->runtime, all->batch, workers, sizeof *all->batch);
    return status;
}

static gws_status search_together(const struct closeness *all, uint32_t words)
{
    struct gws__batch batch;
    gws_status status = gws__batch_open(all->runtime, all->graph, all->in, words, false, &batch);
    for (uint64_t first = 0; first < all->result->sources && status == GWS_OK; first += 64 * words) {
        run_batch(all, &batch, first);
        gws_report_progress(all->runtime, "closeness", first + batch.sources, all->result->sources);
        if (gws_cancelled(all->runtime)) status = GWS_CANCELLED;
    }
    gws__batch_close(&batch);
    return status;
}

/* Searches from one source after another. Stops after the first source if the graph has few levels. *done is the number
 * of sources. */
static gws_status search_singly(const struct closeness *all, uint64_t *done)
{
    struct gws_bfs_result bfs = {0};
    gws_status status = GWS_OK;
    for (*done = 0; *done < all->result->sources; ++*done) {
        uint64_t i = *done;
        status =
            gws_bfs(all->runtime, all->graph, all->result->source ? all->result->source[i] : (uint32_t)i, NULL, &bfs);
        if (status != GWS_OK || (i == 0 && all->result->sources > 1 && bfs.levels <= many_levels)) break;
        clear_entry(all->result, i);
        for (uint32_t depth = 0; depth < bfs.levels; depth++) add_depth(all->result, i, depth, bfs.level[depth].size);
        gws_report_progress(all->runtime, "closeness", i + 1, all->result->sources);
    }
    gws_bfs_result_clear(&bfs);
    return status;
}

static gws_status search(struct closeness *all, uint64_t memory)
{
    uint64_t workers = gws_runtime_workers(all->runtime), sources = all->result->sources, done = 0;
    const uint32_t wide = gws__batch_words;
    if (memory == 0) memory = default_memory;
    if (sources >= 64 * wide * workers && gws__batch_bytes(all->runtime, all->graph, wide, true) <= memory / workers)
        return search_apart(all, wide);
    if (sources >= 32 * workers && gws__batch_bytes(all->runtime, all->graph, 1, true) <= memory / workers)
        return search_apart(all, 1);
    gws_status status = search_singly(all, &done);
    if (status != GWS_OK || done == sources) return status;
    bool fits = sources > 64 && gws__batch_bytes(all->runtime, all->graph, wide, false) <= memory;
    return search_together(all, fits ? wide : 1);
}

/* ---- the result ---- */

static void finish(const struct closeness *all, bool unscaled)
{
    struct gws_closeness_result *result = all->result;
    double others = (double)result->vertices - 1;
    result->diameter = 0;
    result->radius = UINT32_MAX;
    for (uint64_t i = 0; i < result->sources; i++) {
        double reached = (double)result->reached[i] - 1;
        result->closeness[i] = 0;
        if (reached <= 0) continue;
        result->closeness[i] = reached / (double)result->total[i] * (unscaled ? 1 : reached / others);
        if (result->eccentricity[i] > result->diameter) result->diameter = result->eccentricity[i];
        if (result->eccentricity[i] < result->radius) result->radius = result->eccentricity[i];
    }
    if (result->diameter == 0) result->radius = 0;
}

/* Returns the size of a block with all arrays of a result behind the scratch: two arrays of 8-byte entries, total, two
 * arrays of 4-byte entries, and source. */
static uint64_t bytes_for(uint64_t capacity)
{
    return sizeof(struct gws__closeness_scratch) + capacity * (3 * sizeof(double) + 3 * sizeof(uint32_t));
}

static gws_status prepare(struct gws_runtime *runtime, uint64_t sources, struct gws_closeness_result *result)
{
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    struct gws__closeness_scratch *scratch = result->scratch;
    if (scratch && scratch->capacity >= sources && scratch->allocator.allocate == allocator->allocate &&
        scratch->allocator.context == allocator->context)
        return GWS_OK;
    if (sources > PTRDIFF_MAX / 64) return GWS_NO_MEMORY;
    scratch = allocator->allocate(allocator->context, (size_t)bytes_for(sources));
    if (!scratch) return GWS_NO_MEMORY;
    *scratch = (struct gws__closeness_scratch){.allocator = *allocator, .capacity = sources};
    gws_closeness_result_clear(result);
    result->scratch = scratch;
    result->closeness = (double *)(void *)(scratch + 1);
    result->harmonic = result->closeness + sources;
    result->total = (uint64_t *)(void *)(result->harmonic + sources);
    result->reached = (uint32_t *)(void *)(result->total + sources);
    result->eccentricity = result->reached + sources;
    return GWS_OK;
}

static gws_status list_sources(struct gws_runtime *runtime, const struct gws_graph *graph,
                               const struct gws_closeness_options *options, struct gws_closeness_result *result)
{
    bool samples = !options->source && options->samples > 0 && options->samples < graph->vertices;
    uint64_t sources = options->source ? options->sources : samples ? options->samples : graph->vertices;
    gws_status status = prepare(runtime, sources, result);
    if (status != GWS_OK) return status;
    result->vertices = graph->vertices;
    result->sources = sources;
    result->source = options->source || samples ? result->eccentricity + result->scratch->capacity : NULL;
    if (samples) return gws__sample_vertices(runtime, graph, sources, options->seed, result->source);
    if (options->source && sources > 0) memmove(result->source, options->source, sources * sizeof *result->source);
    return GWS_OK;
}

static gws_status closeness(struct gws_runtime *runtime, const struct gws_graph *graph,
                            const struct gws_closeness_options *options, struct gws_closeness_result *result)
{
    static const struct gws_closeness_options defaults;
    const struct gws_graph *reverse = graph->directed ? graph->reverse : graph;
    double began = gws_clock_ms();
    if (!options) options = &defaults;
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        if (options->source[i] >= graph->vertices) return GWS_OUT_OF_RANGE;
    if (!reverse) return GWS_NEEDS_REVERSE;
    gws_status status = list_sources(runtime, graph, options, result);
    struct closeness all = {.runtime = runtime, .graph = reverse, .in = graph, .result = result};
    if (options->outgoing)
        all = (struct closeness){.runtime = runtime, .graph = graph, .in = reverse, .result = result};
    if (status == GWS_OK) status = search(&all, options->memory);
    if (status != GWS_OK) {
        gws_closeness_result_clear(result);
        return status;
    }
    finish(&all, options->unscaled);
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_closeness(struct gws_runtime *runtime, const struct gws_graph *graph,
                         const struct gws_closeness_options *options, struct gws_closeness_result *result)
{
    return GWS_CALL(runtime, NULL, closeness(runtime, graph, options, result));
}

void gws_closeness_result_clear(struct gws_closeness_result *result)
{
    if (!result) return;
    struct gws__closeness_scratch *scratch = result->scratch;
    if (scratch) {
        struct gws_allocator allocator = scratch->allocator;
        allocator.release(allocator.context, scratch, (size_t)bytes_for(scratch->capacity));
    }
    *result = (struct gws_closeness_result){0};
}
