/* SPDX-License-Identifier: MIT */
/* Communities on threads: the levels of Louvain and Leiden, and the summary that every method reports. */
#include "../../communities.h"

#include <math.h>
#include <string.h>

#include "state.h"

enum { default_iterations = 10, default_passes = 2 };

/* ---- levels ---- */

double gws__modularity(double resolution, uint64_t inside, uint64_t total, uint64_t squares)
{
    if (total == 0) return 0;
    return (double)inside / (double)total - double_product(resolution, (double)squares * 0x1p-60);
}

static double modularity(const struct gws__communities *run)
{
    uint64_t squares = 0;
    for (uint64_t v = 0; run->total > 0 && v < run->level.nodes; v++)
        squares += modularity_square(atomic_load_explicit(&run->degrees[v], memory_order_relaxed), run->total);
    return gws__modularity(run->resolution, run->inside, run->total, squares);
}

/* The flags serve as scratch. */
static uint64_t count_communities(struct gws__communities *run)
{
    uint64_t count = 0;
    gws__communities_set_flags(run, false);
    for (uint64_t v = 0; v < run->level.nodes && !gws_cancelled_at(run->runtime, v); v++) {
        count += !gws__has_flag(run, run->community[v]);
        gws__set_flag(run, run->community[v]);
    }
    return count;
}

/* Moves the nodes of the level. *ends: no level follows. */
static gws_status run_level(struct gws__communities *run, bool refines, bool *ends)
{
    uint64_t moves = 0;
    gws_status status = gws__level_reserve(run, refines);
    if (status == GWS_OK) status = gws__communities_sum(run, run->community);
    if (status == GWS_OK && run->total > 0) status = gws__communities_move(run, &moves);
    if (status == GWS_OK) *ends = refines ? count_communities(run) == run->level.nodes : moves == 0;
    return status;
}

static gws_status run_levels(struct gws__communities *run, const struct gws_communities_options *options,
                             uint32_t *levels)
{
    bool refines = options->method == GWS_COMMUNITIES_LEIDEN, ends = false;
    for (uint32_t level = 0;;) {
        uint64_t nodes = run->level.nodes;
        gws_status status = run_level(run, refines, &ends);
        gws_report_progress(run->runtime, "moving vertices", ++*levels, options->max_levels);
        if (status == GWS_OK && gws_cancelled(run->runtime)) status = GWS_CANCELLED;
        if (status != GWS_OK || ++level == options->max_levels || ends) return status;
        if (refines) status = gws__communities_refine(run);
        if (status == GWS_OK) status = gws__communities_aggregate(run, refines);
        if (status != GWS_OK || run->level.nodes == nodes) return status;
    }
}

static uint32_t root_of(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

/* Splits communities into their connected parts. The vertices of a single node are already connected. `parent` is
 * scratch. */
static gws_status split_communities(struct gws__communities *run, uint32_t *parent)
{
    for (uint64_t v = 0; v < run->level.nodes; v++) parent[v] = (uint32_t)v;
    for (uint64_t v = 0; v < run->level.nodes; v++) {
        if (v % 1024 == 0 && gws_cancelled(run->runtime)) return GWS_CANCELLED;
        for (uint64_t arc = run->level.rows[0].offset[v]; arc < run->level.rows[0].offset[v + 1]; arc++) {
            uint32_t to = run->level.rows[0].target[arc];
            if (run->community[to] != run->community[v]) continue;
            uint32_t a = root_of(parent, (uint32_t)v), b = root_of(parent, to);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (uint64_t v = 0; v < run->level.nodes && !gws_cancelled_at(run->runtime, v); v++)
        run->community[v] = root_of(parent, (uint32_t)v);
    return GWS_OK;
}

/* Replaces node[] by the labels of the vertices: the smallest vertex of each community. `smallest` is scratch. */
static gws_status write_labels(struct gws__communities *run, uint32_t *smallest)
{
    memset(smallest, 0xff, run->level.nodes * sizeof *smallest);
    for (uint64_t v = 0; v < run->graph->vertices; v++) {
        if (gws_cancelled_at(run->runtime, v)) return GWS_CANCELLED;
        uint32_t *first = &smallest[run->community[run->node[v]]];
        if (*first == GWS_NO_VERTEX) *first = (uint32_t)v;
        run->node[v] = *first;
    }
    return GWS_OK;
}

/* ---- the call ---- */

static gws_status open_run(struct gws__communities *run, const struct gws_communities_result *result)
{
    uint64_t vertices = result->vertices;
    run->node = result->community;
    run->community = gws_allocate(run->runtime, vertices, sizeof *run->community);
    run->next = gws_allocate(run->runtime, gws__blocks(vertices), sizeof *run->next);
    run->flags = gws_allocate(run->runtime, gws__blocks(vertices), sizeof *run->flags);
    if (!run->community || !run->next || !run->flags) return GWS_NO_MEMORY;
    for (uint64_t v = 0; v < vertices; v++) run->community[v] = (uint32_t)v;
    return GWS_OK;
}

static void close_run(struct gws__communities *run)
{
    uint64_t vertices = run->graph->vertices;
    gws__level_clear(run->runtime, &run->level);
    gws__level_release(run);
    gws_release(run->runtime, run->community, vertices, sizeof *run->community);
    gws_release(run->runtime, run->next, gws__blocks(vertices), sizeof *run->next);
    gws_release(run->runtime, (void *)run->flags, gws__blocks(vertices), sizeof *run->flags);
    gws__tables_clear(run->runtime, &run->tables);
}

/* Counts the communities, and sums up their modularity in the graph. */
static gws_status summarise(struct gws__communities *run, const struct gws_communities_options *options,
                            struct gws_communities_result *result)
{
    gws_status status = gws__level_first(run, options->ignore_weights);
    if (status == GWS_OK) status = gws__level_reserve(run, false);
    if (status == GWS_OK) status = gws__communities_sum(run, result->community);
    if (status != GWS_OK) return status;
    result->modularity = modularity(run);
    uint32_t *members = (uint32_t *)(void *)run->degree;
    memset(members, 0, result->vertices * sizeof *members);
    for (uint64_t v = 0; v < result->vertices; v++) {
        if (gws_cancelled_at(run->runtime, v)) return GWS_CANCELLED;
        uint32_t now = ++members[result->community[v]];
        result->count += now == 1;
        if (now > result->largest) result->largest = now;
    }
    return GWS_OK;
}

/* Runs one pass through all levels. The first pass starts with single vertices, a later pass with the labels. */
static gws_status run_pass(struct gws__communities *run, const struct gws_communities_options *options,
                           struct gws_communities_result *result)
{
    gws__level_clear(run->runtime, &run->level);
    gws_status status = gws__level_first(run, options->ignore_weights);
    for (uint64_t v = 0; v < result->vertices; v++) run->node[v] = (uint32_t)v;
    if (status == GWS_OK) status = run_levels(run, options, &result->levels);
    uint32_t *scratch = (uint32_t *)(void *)run->degree;
    if (status == GWS_OK && options->method == GWS_COMMUNITIES_LEIDEN) status = split_communities(run, scratch);
    if (status == GWS_OK) status = write_labels(run, scratch);
    if (status != GWS_OK) return status;
    memcpy(run->community, result->community, result->vertices * sizeof *run->community);
    return GWS_OK;
}

static gws_status find(struct gws__communities *run, const struct gws_communities_options *options,
                       struct gws_communities_result *result)
{
    uint32_t passes = options->method == GWS_COMMUNITIES_LEIDEN ? options->passes : 1;
    gws_status status;
    if (options->method == GWS_COMMUNITIES_CDLP) {
        status = gws__communities_propagate(run->runtime, run->graph, options->iterations, result->community,
                                            &result->levels);
    } else {
        status = open_run(run, result);
        for (uint32_t pass = 0; status == GWS_OK && pass < passes; pass++) status = run_pass(run, options, result);
    }
    gws__level_clear(run->runtime, &run->level);
    if (status == GWS_OK) status = summarise(run, options, result);
    close_run(run);
    return status;
}

gws_status gws__communities_options(const struct gws_graph *graph, const struct gws_communities_options *options,
                                    struct gws_communities_options *all)
{
    *all = options ? *options : (struct gws_communities_options){0};
    if (all->resolution == 0) all->resolution = 1;
    if (all->iterations == 0) all->iterations = default_iterations;
    if (all->passes == 0) all->passes = default_passes;
    if (all->method < GWS_COMMUNITIES_LEIDEN || all->method > GWS_COMMUNITIES_CDLP) return GWS_INVALID;
    if (all->method == GWS_COMMUNITIES_CDLP) all->ignore_weights = true;
    if (!(all->resolution > 0) || isinf(all->resolution)) return GWS_INVALID;
    return graph->directed && !graph->reverse ? GWS_NEEDS_REVERSE : GWS_OK;
}

static gws_status communities(struct gws_runtime *runtime, const struct gws_graph *graph,
                              const struct gws_communities_options *options, struct gws_communities_result *result)
{
    struct gws_communities_options all;
    double began = gws_clock_ms();
    gws_status status = gws__communities_options(graph, options, &all);
    if (status != GWS_OK) return status;
    struct gws_communities_result made = {.vertices = graph->vertices, .allocator = *gws_runtime_allocator(runtime)};
    made.community = gws_allocate(runtime, graph->vertices, sizeof *made.community);
    if (!made.community) return GWS_NO_MEMORY;
    struct gws__communities run = {.runtime = runtime, .graph = graph, .resolution = all.resolution};
    if (graph->vertices > 0) status = find(&run, &all, &made);
    if (status != GWS_OK) {
        gws_communities_result_clear(&made);
        return status;
    }
    gws_communities_result_clear(result);
    made.ms = gws_clock_ms() - began;
    *result = made;
    return GWS_OK;
}

gws_status gws_communities(struct gws_runtime *runtime, const struct gws_graph *graph,
                           const struct gws_communities_options *options, struct gws_communities_result *result)
{
    return GWS_CALL(runtime, NULL, communities(runtime, graph, options, result));
}

void gws_communities_result_clear(struct gws_communities_result *result)
{
    if (!result) return;
    uint64_t bytes = result->vertices * sizeof *result->community;
    if (result->community)
        result->allocator.release(result->allocator.context, result->community, bytes > 0 ? (size_t)bytes : 1);
    *result = (struct gws_communities_result){0};
}
