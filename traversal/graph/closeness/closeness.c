/* SPDX-License-Identifier: MIT */
/* Closeness, harmonic centrality and eccentricity. All of them are sums over the numbers of vertices at each depth.
 * Searches count these vertices by one of three methods. On small graphs each worker runs batches of sources of its
 * own. On other graphs all workers share a batch. On large graphs of many levels, where batches share little, one
 * search runs after another. */
#include <string.h>

#include "../../bfs.h"
#include "../../engine/batch.h"
#include "state.h"

enum {
    default_memory = 64 << 20,
    many_levels = 64, /* a large graph with more levels is searched from one source after another */
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

/* ---- the call ---- */

static gws_status closeness(struct gws_runtime *runtime, const struct gws_graph *graph,
                            const struct gws_closeness_options *options, struct gws_closeness_result *result)
{
    static const struct gws_closeness_options defaults;
    const struct gws_graph *reverse = graph->directed ? graph->reverse : graph;
    double began = gws_clock_ms();
    if (!options) options = &defaults;
    gws_status status = gws__closeness_list_sources(runtime, graph, options, result);
    if (status != GWS_OK) return status;
    struct closeness all = {.runtime = runtime, .graph = reverse, .in = graph, .result = result};
    if (options->outgoing)
        all = (struct closeness){.runtime = runtime, .graph = graph, .in = reverse, .result = result};
    status = search(&all, options->memory);
    if (status != GWS_OK) {
        gws_closeness_result_clear(result);
        return status;
    }
    gws__closeness_finish(result, options->unscaled);
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_closeness(struct gws_runtime *runtime, const struct gws_graph *graph,
                         const struct gws_closeness_options *options, struct gws_closeness_result *result)
{
    return GWS_CALL(runtime, NULL, closeness(runtime, graph, options, result));
}
