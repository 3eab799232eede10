/* SPDX-License-Identifier: MIT */
/* Checks closeness centrality and diameters by serial searches. The searches start from all vertices if that takes
 * little work, otherwise from vertices spread over the graph. The check shares no code with the computation. The check
 * also compares neighbours of an undirected graph. The distances of two neighbours to any vertex differ by at most
 * one. So their sums differ by at most the number of vertices of the component, and their eccentricities by at most
 * one. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../closeness.h"
#include "ask.h"

enum { max_arcs = 1 << 28, min_repeated = 4 };

/* A serial search. */
struct from_one {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    uint32_t *depth, *queue;
    uint64_t reached, total;
    uint32_t farthest; /* the depth of the last vertex */
    double harmonic;
};

static gws_status open_search(struct gws_runtime *runtime, const struct gws_graph *graph, struct from_one *one)
{
    one->runtime = runtime;
    one->graph = graph;
    one->depth = gws_allocate(runtime, graph->vertices, 2 * sizeof *one->depth);
    one->queue = one->depth ? one->depth + graph->vertices : NULL;
    return one->depth ? GWS_OK : GWS_NO_MEMORY;
}

static void close_search(struct gws_runtime *runtime, struct from_one *one)
{
    gws_release(runtime, one->depth, one->graph->vertices, 2 * sizeof *one->depth);
}

static void search(struct from_one *one, uint32_t source)
{
    const struct gws_graph *graph = one->graph;
    memset(one->depth, 0xff, graph->vertices * sizeof *one->depth);
    one->depth[source] = 0;
    one->queue[0] = source;
    one->reached = 1;
    one->total = 0;
    one->farthest = 0;
    one->harmonic = 0;
    for (uint64_t head = 0; head < one->reached && !ask_stop(one->runtime, head); head++) {
        uint32_t v = one->queue[head];
        one->farthest = one->depth[v];
        one->total += one->depth[v];
        if (one->depth[v] > 0) one->harmonic += 1.0 / one->depth[v];
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
            if (one->depth[graph->target[a]] != GWS_NO_VERTEX) continue;
            one->depth[graph->target[a]] = one->depth[v] + 1;
            one->queue[one->reached++] = graph->target[a];
        }
    }
}

/* Returns how many of the `wanted` searches the check repeats. */
static uint64_t searches_for(const struct gws_graph *graph, uint64_t wanted)
{
    uint64_t many = max_arcs / (graph->arcs + graph->vertices + 1);
    if (many < min_repeated) many = min_repeated;
    return wanted < many ? wanted : many;
}

/* ---- closeness ---- */

static gws_status wrong(const struct gws_graph *graph, uint32_t vertex, const char *what, struct gws_diagnostic *where)
{
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 ": %s",
                              gws_graph_id(graph, vertex), what);
}

static bool near(double found, double wanted)
{
    return fabs(found - wanted) <= 1e-9 * fabs(wanted);
}

static uint32_t vertex_of(const struct gws_closeness_result *result, uint64_t entry)
{
    return result->source ? result->source[entry] : (uint32_t)entry;
}

static const char *check_entry(const struct gws_closeness_result *result, uint64_t i, bool unscaled)
{
    uint64_t reached = result->reached[i], others = reached - 1;
    if (reached == 0 || reached > result->vertices) return "invalid number of reached vertices";
    if ((reached == 1) != (result->eccentricity[i] == 0) || result->eccentricity[i] > others)
        return "invalid eccentricity";
    if (result->total[i] < others || result->total[i] > others * result->eccentricity[i])
        return "invalid sum of distances";
    double wanted = others ? (double)others / (double)result->total[i] : 0;
    if (!unscaled && others) wanted *= (double)others / ((double)result->vertices - 1);
    if (!near(result->closeness[i], wanted)) return "invalid closeness";
    return NULL;
}

static gws_status check_entries(const struct gws_graph *graph, const struct gws_closeness_result *result, bool unscaled,
                                struct gws_diagnostic *where)
{
    uint32_t diameter = 0, radius = UINT32_MAX;
    for (uint64_t i = 0; i < result->sources; i++) {
        if (vertex_of(result, i) >= graph->vertices)
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "a source is not a vertex");
        const char *fault = check_entry(result, i, unscaled);
        if (fault) return wrong(graph, vertex_of(result, i), fault, where);
        if (result->eccentricity[i] > diameter) diameter = result->eccentricity[i];
        if (result->eccentricity[i] > 0 && result->eccentricity[i] < radius) radius = result->eccentricity[i];
    }
    if (diameter != result->diameter || (diameter ? radius : 0) != result->radius)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "invalid diameter or radius");
    return GWS_OK;
}

static gws_status check_neighbours(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   const struct gws_closeness_result *result, struct gws_diagnostic *where)
{
    for (uint64_t v = 0; v < graph->vertices && !ask_stop(runtime, v); v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            uint32_t w = graph->target[a];
            if (result->reached[w] != result->reached[v] || result->eccentricity[w] > result->eccentricity[v] + 1 ||
                result->total[w] > result->total[v] + result->reached[v])
                return wrong(graph, w, "the values differ too much from those of a neighbour", where);
        }
    return GWS_OK;
}

static gws_status repeat(struct gws_runtime *runtime, const struct gws_graph *graph,
                         const struct gws_closeness_result *result, struct gws_diagnostic *where)
{
    struct from_one one;
    uint64_t count = searches_for(graph, result->sources);
    gws_status status = open_search(runtime, graph, &one);
    if (status != GWS_OK) return status;
    for (uint64_t j = 0; j < count && status == GWS_OK && !gws_cancelled(runtime); j++) {
        uint64_t i = (uint64_t)((long double)result->sources * (long double)j / (long double)count);
        search(&one, vertex_of(result, i));
        if (one.reached != result->reached[i] || one.total != result->total[i] ||
            one.farthest != result->eccentricity[i] || !near(result->harmonic[i], one.harmonic))
            status = wrong(graph, vertex_of(result, i), "a search finds other distances", where);
    }
    close_search(runtime, &one);
    return status;
}

static gws_status closeness_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  const struct gws_closeness_options *options,
                                  const struct gws_closeness_result *result, struct gws_diagnostic *where)
{
    const struct gws_graph *searched = graph->directed && !(options && options->outgoing) ? graph->reverse : graph;
    if (result->vertices != graph->vertices || (!result->source && result->sources != graph->vertices) ||
        !result->closeness)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    if (!searched) return GWS_NEEDS_REVERSE;
    gws_status status = check_entries(graph, result, options && options->unscaled, where);
    if (status == GWS_OK && !graph->directed && !result->source)
        status = check_neighbours(runtime, graph, result, where);
    return status == GWS_OK ? repeat(runtime, searched, result, where) : status;
}

gws_status gws_closeness_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                               const struct gws_closeness_options *options, const struct gws_closeness_result *result,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, closeness_check(runtime, graph, options, result, where), where));
}

/* ---- the diameter ---- */

static gws_status check_vertices(struct from_one *one, const struct gws_diameter_result *result,
                                 struct gws_diagnostic *where)
{
    const struct gws_graph *graph = one->graph;
    if (result->from >= graph->vertices || result->to >= graph->vertices)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "an end of the diameter is not a vertex");
    search(one, result->from);
    if (one->depth[result->to] != result->diameter || one->farthest != result->diameter)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the ends have distance %" PRIu32 " and eccentricity %" PRIu32
                                  ", the result says %" PRIu32,
                                  one->depth[result->to], one->farthest, result->diameter);
    uint64_t count = searches_for(graph, graph->vertices);
    for (uint64_t j = 0; j < count && !gws_cancelled(one->runtime); j++) {
        uint32_t v = (uint32_t)((long double)graph->vertices * (long double)j / (long double)count);
        search(one, v);
        if (one->farthest > result->diameter) return wrong(graph, v, "the eccentricity exceeds the diameter", where);
        if (one->depth[result->from] != GWS_NO_VERTEX && 2 * (uint64_t)one->farthest < result->diameter)
            return wrong(graph, v, "the eccentricity is less than half the diameter", where);
    }
    return GWS_OK;
}

static gws_status diameter_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_diameter_result *result, struct gws_diagnostic *where)
{
    struct gws_graph *symmetric = NULL;
    struct from_one one;
    if (result->vertices != graph->vertices || (graph->vertices == 0 && result->diameter != 0))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    if (graph->vertices == 0) return GWS_OK;
    gws_status status = graph->directed ? gws_graph_symmetrise(runtime, graph, &symmetric) : GWS_OK;
    if (status != GWS_OK) return status;
    status = open_search(runtime, symmetric ? symmetric : graph, &one);
    if (status == GWS_OK) {
        status = check_vertices(&one, result, where);
        close_search(runtime, &one);
    }
    gws_graph_destroy(symmetric);
    return status;
}

gws_status gws_diameter_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                              const struct gws_diameter_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, diameter_check(runtime, graph, result, where), where));
}
