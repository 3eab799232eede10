/* SPDX-License-Identifier: MIT */
/* Shortest paths by delta-stepping (Meyer, Sanders, J. Algorithms 2003): a bucket holds the active vertices whose
 * distances lie in one interval of width delta. The search processes the lowest bucket until it is empty. Each worker
 * has its own bins of each bucket, as in gapbs (Beamer, Asanovic, Patterson 2015). Without a barrier, it processes the
 * vertices that it adds to the current bucket itself (bucket fusion, Zhang et al., CGO 2020). Here a round covers
 * several buckets. delta is so small that little work is repeated, and a round has enough buckets to occupy all
 * workers. Each worker processes its part in the order of the buckets.
 *
 * State encoding. A bin is a list of blocks of entries. A worker has bins for 64 consecutive buckets; entries of higher
 * buckets wait in `far`. An entry has a tag of the distance that added it. A worker skips the entry if the distance has
 * fallen since, so each distance of a vertex is expanded once. The blocks of a round are the tasks of a loop, and
 * thieves steal blocks. Long rows become segments, the tasks of a second loop.
 *
 * Distances (packed.c, wide.c, real.c): most graphs have integer distances so small that distance and parent share a
 * word. Otherwise, the search starts again with 63-bit distances.
 *
 * The parents are a tree. A vertex gets its final distance d from a parent that already has distance d - weight. If the
 * parent's distance falls later, the parent offers the vertex a shorter distance, unless rounding makes both equal. A
 * cycle of parents would consist of equal distances. A distance changes only when it falls, so each vertex of the cycle
 * would have its distance later than its parent, which is impossible. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plan.h"
#include "rounds.h"

/* ---- a search ---- */

static struct gws__sssp_faults run_rounds(struct sssp *search)
{
    struct gws__sssp_faults faults = gws__sssp_faults_of(search); /* the entry of the source may lack memory */
    while (!faults.cancelled && !faults.no_memory && !faults.bad_weight && !faults.too_far) {
        search->base = gws__sssp_lowest_bucket(search);
        if (search->base == UINT64_MAX) break;
        gws_status status = gws__sssp_round(search);
        if (status != GWS_OK)
            return (struct gws__sssp_faults){.no_memory = status == GWS_NO_MEMORY,
                                             .cancelled = status == GWS_CANCELLED};
        search->rounds++;
        gws_report_progress(search->runtime, "relaxing arcs", search->rounds, 0);
        if (search->workers > 1) gws__sssp_adapt(search, gws__sssp_arcs(search), search->workers);
        faults = gws__sssp_faults_of(search);
    }
    return faults;
}

static struct gws__sssp_faults run(struct sssp *search, const struct gws__sssp_loops *loops)
{
    search->loops = loops;
    search->base = 0;
    search->fused = 1;
    search->arcs = 0;
    if (gws__sssp_uncounted(search, search->graph->vertices, loops->fill) != GWS_OK)
        return (struct gws__sssp_faults){.cancelled = true};
    loops->start(search);
    for (uint32_t w = 0; w < search->workers; w++) search->scratch->worker[w].limit = gws__sssp_limit(search, 0);
    gws__sssp_add(search, &search->scratch->worker[0], 0, (struct gws__sssp_entry){search->source, 0});
    return run_rounds(search);
}

static gws_status no_memory(struct gws_diagnostic *where)
{
    return gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0, "out of memory for shortest paths");
}

static gws_status search_all(struct sssp *search, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = search->graph;
    struct gws__sssp_faults faults = run(search, graph->real_weight ? &gws__sssp_real : &gws__sssp_packed);
    if (faults.too_far && !faults.bad_weight && !faults.no_memory) {
        gws__sssp_bins_clear(search->scratch);
        faults = run(search, &gws__sssp_wide);
    }
    if (faults.cancelled) return gws_diagnostic_status(where, GWS_CANCELLED);
    if (faults.no_memory) return no_memory(where);
    if (faults.bad_weight) return gws__sssp_bad_weight(graph, where);
    return gws_diagnostic_status(where, gws__sssp_uncounted(search, graph->vertices, search->loops->finish));
}

static void sum_up(const struct sssp *search, struct gws_sssp_result *result)
{
    uint64_t max = 0;
    result->reached = result->reached_arcs = result->relaxations = 0;
    for (uint32_t w = 0; w < search->workers; w++) {
        const struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        result->reached += worker->reached;
        result->reached_arcs += worker->reached_arcs;
        result->relaxations += worker->arcs;
        if (worker->max_distance > max) max = worker->max_distance;
        gws_parallel_add_stats(search->runtime, w, worker->tasks, 0, 0);
    }
    bool is_real = search->graph->real_weight != NULL;
    result->distance = is_real ? NULL : search->scratch->distance;
    result->real_distance = is_real ? search->scratch->distance : NULL;
    result->parent = search->parent;
    result->source = search->source;
    result->rounds = search->rounds;
    result->max_distance = (double)max;
    if (is_real) memcpy(&result->max_distance, &max, sizeof max);
}

static gws_status sssp(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                       const struct gws_sssp_options *options, struct gws_sssp_result *result,
                       struct gws_diagnostic *where)
{
    double began = gws_clock_ms(), delta = options ? options->delta : 0;
    if (source >= graph->vertices)
        return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "the source is not a vertex of the graph");
    if (!(delta >= 0 && isfinite(delta)))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "delta is negative or not finite");
    gws_status status = gws__sssp_prepare(runtime, graph, result);
    if (status != GWS_OK) return no_memory(where);
    struct sssp search = {.runtime = runtime, .graph = graph, .source = source, .scratch = result->scratch};
    search.workers = gws_runtime_workers(runtime);
    search.word = result->scratch->distance;
    search.parent = result->scratch->parent;
    while ((graph->vertices - 1) >> search.parent_bits) search.parent_bits++;
    gws__sssp_plan(&search, delta);
    status = search_all(&search, where);
    if (status != GWS_OK) {
        gws_sssp_result_clear(result);
        return status;
    }
    sum_up(&search, result);
    result->delta = search.delta;
    result->ms = gws_clock_ms() - began;
    result->fetch_ms = 0;
    return GWS_OK;
}

gws_status gws_sssp(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                    const struct gws_sssp_options *options, struct gws_sssp_result *result,
                    struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, sssp(runtime, graph, source, options, result, where));
}
