/* SPDX-License-Identifier: MIT */
/* The diameter by bounds on eccentricities (BoundingDiameters: Takes, Kosters, CIKM 2011). A search from v, of
 * eccentricity e, bounds the eccentricity of every vertex w at distance d: the eccentricity is at least max(d, e - d)
 * and at most e + d. Before any search, the size of the component of w is an upper bound. A vertex is a candidate while
 * its upper bound exceeds the largest eccentricity found. */
#include <string.h>

#include "../../../lib/parallel.h"
#include "../../bfs.h"
#include "../../closeness.h"

/* The best candidates of one worker: one by largest upper bound and one by smallest lower bound; then by degree, then
 * by number. */
struct candidates {
    uint32_t high, low;
    uint32_t farthest;                     /* the smallest vertex at the largest distance of the last search */
    char line[128 - 3 * sizeof(uint32_t)]; /* padding against false sharing */
};

struct diameter_bounds {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    uint32_t *lower, *upper;
    struct candidates *best; /* one entry per worker */
    uint32_t workers;
    struct gws_bfs_result bfs; /* the last search; empty: no search has run */
    struct gws_diameter_result found;
};

static bool is_better(const struct diameter_bounds *b, uint32_t a, uint32_t v, bool high)
{
    if (v == GWS_NO_VERTEX) return a != GWS_NO_VERTEX;
    if (a == GWS_NO_VERTEX) return false;
    uint32_t mine = high ? b->upper[a] : b->lower[v], its = high ? b->upper[v] : b->lower[a];
    if (mine != its) return mine > its;
    uint64_t degree = gws_graph_degree(b->graph, a), its_degree = gws_graph_degree(b->graph, v);
    return degree != its_degree ? degree > its_degree : a < v;
}

static void add_candidate(const struct diameter_bounds *b, struct candidates *best, uint32_t vertex)
{
    if (is_better(b, vertex, best->high, true)) best->high = vertex;
    if (is_better(b, vertex, best->low, false)) best->low = vertex;
}

/* Applies the last search to the bounds, and finds the best candidates. */
static void bound(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct diameter_bounds *b = context;
    const uint32_t *depth = b->bfs.depth, last = b->bfs.levels - 1;
    for (uint64_t v = begin; v < end; v++) {
        if (depth && depth[v] != GWS_NO_VERTEX) {
            uint32_t shortest = depth[v] > last - depth[v] ? depth[v] : last - depth[v];
            if (b->lower[v] < shortest) b->lower[v] = shortest;
            if (b->upper[v] > last + depth[v]) b->upper[v] = last + depth[v];
            if (depth[v] == last && v < b->best[worker].farthest) b->best[worker].farthest = (uint32_t)v;
        }
        if (b->upper[v] > b->found.diameter) add_candidate(b, &b->best[worker], (uint32_t)v);
    }
}

static gws_status find_candidates(struct diameter_bounds *b, struct candidates *all)
{
    *all = (struct candidates){.high = GWS_NO_VERTEX, .low = GWS_NO_VERTEX, .farthest = GWS_NO_VERTEX};
    for (uint32_t w = 0; w < b->workers; w++) b->best[w] = *all;
    gws_status status = gws_parallel_try_for(b->runtime, b->graph->vertices, 8192, bound, b);
    for (uint32_t w = 0; w < b->workers; w++) {
        if (is_better(b, b->best[w].high, all->high, true)) all->high = b->best[w].high;
        if (is_better(b, b->best[w].low, all->low, false)) all->low = b->best[w].low;
        if (b->best[w].farthest < all->farthest) all->farthest = b->best[w].farthest;
    }
    return status;
}

/* The first two searches start from candidates of largest upper bound: a hub, and a vertex far from the hub. Then both
 * kinds of candidates take turns. */
static gws_status search(struct diameter_bounds *b)
{
    struct candidates best;
    gws_status status = find_candidates(b, &best);
    while (status == GWS_OK && best.high != GWS_NO_VERTEX) {
        uint32_t from = b->found.searches < 2 || b->found.searches % 2 ? best.high : best.low;
        status = gws_bfs(b->runtime, b->graph, from, NULL, &b->bfs);
        if (status != GWS_OK) return status;
        b->found.searches++;
        gws_report_progress(b->runtime, "bounding the diameter", b->found.searches, 0);
        bool larger = b->bfs.levels - 1 > b->found.diameter;
        if (larger) b->found.diameter = b->bfs.levels - 1;
        status = find_candidates(b, &best);
        if (larger) b->found.from = from;
        if (larger) b->found.to = best.farthest;
    }
    return status;
}

/* Sets the first upper bound of a vertex: the number of other vertices in its component. */
static gws_status bound_by_size(struct diameter_bounds *b)
{
    uint64_t n = b->graph->vertices;
    gws_status status = gws_graph_components(b->runtime, b->graph, b->upper, NULL);
    if (status != GWS_OK) return status;
    memset(b->lower, 0, n * sizeof *b->lower);
    for (uint64_t v = 0; v < n && !gws_cancelled_at(b->runtime, v); v++) b->lower[b->upper[v]]++;
    for (uint64_t v = 0; v < n && !gws_cancelled_at(b->runtime, v); v++) b->upper[v] = b->lower[b->upper[v]] - 1;
    if (gws_cancelled(b->runtime)) return GWS_CANCELLED;
    memset(b->lower, 0, n * sizeof *b->lower);
    return GWS_OK;
}

static gws_status run(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_diameter_result *result,
                      double began)
{
    struct diameter_bounds b = {.runtime = runtime, .graph = graph, .workers = gws_runtime_workers(runtime)};
    uint32_t first = graph->vertices ? 0 : GWS_NO_VERTEX;
    b.found = (struct gws_diameter_result){.vertices = graph->vertices, .from = first, .to = first};
    b.lower = gws_allocate(runtime, graph->vertices, sizeof *b.lower);
    b.upper = gws_allocate(runtime, graph->vertices, sizeof *b.upper);
    b.best = gws_allocate(runtime, b.workers, sizeof *b.best);
    gws_status status = b.lower && b.upper && b.best ? bound_by_size(&b) : GWS_NO_MEMORY;
    b.found.prepare_ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = search(&b);
    gws_release(runtime, b.lower, graph->vertices, sizeof *b.lower);
    gws_release(runtime, b.upper, graph->vertices, sizeof *b.upper);
    gws_release(runtime, b.best, b.workers, sizeof *b.best);
    gws_bfs_result_clear(&b.bfs);
    if (status != GWS_OK) return status;
    b.found.ms = gws_clock_ms() - began - b.found.prepare_ms;
    *result = b.found;
    return GWS_OK;
}

static gws_status diameter(struct gws_runtime *runtime, const struct gws_graph *graph,
                           struct gws_diameter_result *result)
{
    double began = gws_clock_ms();
    struct gws_graph *symmetric = NULL;
    gws_status status = graph->directed ? gws_graph_symmetrise(runtime, graph, &symmetric) : GWS_OK;
    if (status == GWS_OK) status = run(runtime, symmetric ? symmetric : graph, result, began);
    gws_graph_destroy(symmetric);
    return status;
}

gws_status gws_diameter(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_diameter_result *result)
{
    return GWS_CALL(runtime, NULL, diameter(runtime, graph, result));
}
