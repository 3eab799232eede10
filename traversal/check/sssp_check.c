/* SPDX-License-Identifier: MIT */
/* Checks shortest paths from the result and the graph only. The check shares no code with the search.
 *
 * The rules suffice. The parents lead to the source over arcs whose weights are the differences of the distances. So
 * each distance is the length of a path, and no distance is too small. No arc offers a shorter distance, so no
 * distance is too large, and the search misses no vertex. Distances do not fall from a parent to its child, so a cycle
 * of parents could only consist of equal distances. The check follows such vertices to their ancestors. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "../sssp.h"
#include "ask.h"

enum fault { FAULT_NONE, FAULT_HALF, FAULT_ROOT, FAULT_RANGE, FAULT_TREE_ARC, FAULT_ARC, FAULT_WEIGHT, FAULT_CYCLE };

static const char *const fault_text[] = {
    [FAULT_HALF] = "has a distance without a parent or a parent without a distance",
    [FAULT_ROOT] = "is its own parent, but is not the source",
    [FAULT_RANGE] = "has an invalid distance or parent",
    [FAULT_TREE_ARC] = "has no arc from its parent of the length of their distances' difference",
    [FAULT_ARC] = "has an arc that offers a shorter distance",
    [FAULT_WEIGHT] = "has an arc of a negative or infinite weight",
    [FAULT_CYCLE] = "is on a cycle of parents",
};

struct sssp_check {
    const struct gws_graph *graph;
    const struct gws_sssp_result *result;
    _Atomic uint64_t reached, reached_arcs;
    _Atomic uint64_t level; /* number of vertices at the distance of their parents */
    _Atomic uint64_t first; /* the smallest faulty vertex and its fault: vertex << 8 | fault */
};

static bool is_reached(const struct sssp_check *check, uint64_t vertex)
{
    return check->result->distance ? check->result->distance[vertex] != GWS_NO_DISTANCE
                                   : check->result->real_distance[vertex] != (double)INFINITY;
}

static bool is_distance(const struct sssp_check *check, uint64_t vertex)
{
    return check->result->distance ? check->result->distance[vertex] <= INT64_MAX
                                   : check->result->real_distance[vertex] >= 0;
}

static double weight_of(const struct gws_graph *graph, uint64_t arc)
{
    return graph->real_weight ? (double)graph->real_weight[arc] : graph->weight ? (double)graph->weight[arc] : 1;
}

/* Returns the sign of the distance of `from` plus the arc's weight minus the distance of `to`. An unreached vertex has
 * the largest distance. */
static int compare(const struct sssp_check *check, uint32_t from, uint64_t arc, uint32_t to)
{
    const double *real = check->result->real_distance;
    if (real) {
        double sum = real[from] + weight_of(check->graph, arc);
        return (sum > real[to]) - (sum < real[to]);
    }
    const uint64_t *distance = check->result->distance;
    uint64_t sum = distance[from] + (uint64_t)weight_of(check->graph, arc);
    return (sum > distance[to]) - (sum < distance[to]);
}

static bool has_tree_arc(const struct sssp_check *check, uint32_t parent, uint32_t vertex)
{
    const struct gws_graph *graph = check->graph;
    uint64_t end = graph->offset[parent + (uint64_t)1];
    for (uint64_t a = gws_graph_find_arc(graph, parent, vertex); a < end && graph->target[a] == vertex; a++)
        if (compare(check, parent, a, vertex) == 0) return true;
    return false;
}

/* Returns true if the vertex has the distance of its parent. */
static bool is_level(const struct sssp_check *check, uint64_t vertex)
{
    const struct gws_sssp_result *result = check->result;
    uint32_t parent = result->parent[vertex];
    if (!is_reached(check, vertex) || parent == vertex) return false;
    if (result->distance) return result->distance[vertex] == result->distance[parent];
    return result->real_distance[vertex] <= result->real_distance[parent];
}

static enum fault check_vertex(const struct sssp_check *check, uint32_t vertex)
{
    const struct gws_graph *graph = check->graph;
    uint32_t parent = check->result->parent[vertex];
    if (is_reached(check, vertex) == (parent == GWS_NO_VERTEX)) return FAULT_HALF;
    if (parent == GWS_NO_VERTEX) return FAULT_NONE;
    if (parent >= graph->vertices || !is_reached(check, parent) || !is_distance(check, vertex)) return FAULT_RANGE;
    bool is_source = vertex == check->result->source;
    if ((parent == vertex) != is_source) return FAULT_ROOT;
    if (!is_source && !has_tree_arc(check, parent, vertex)) return FAULT_TREE_ARC;
    for (uint64_t a = graph->offset[vertex]; a < graph->offset[vertex + (uint64_t)1]; a++) {
        double weight = weight_of(graph, a);
        if (!(weight >= 0 && weight < (double)INFINITY)) return FAULT_WEIGHT;
        if (compare(check, vertex, a, graph->target[a]) < 0) return FAULT_ARC;
    }
    return FAULT_NONE;
}

static void record_fault(struct sssp_check *check, uint64_t vertex, enum fault fault)
{
    uint64_t mine = vertex << 8 | fault, first = atomic_load(&check->first);
    while (mine < first && !atomic_compare_exchange_weak(&check->first, &first, mine)) continue;
}

static void check_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct sssp_check *check = context;
    uint64_t reached = 0, arcs = 0, level = 0;
    for (uint64_t v = begin; v < end; v++) {
        enum fault fault = check_vertex(check, (uint32_t)v);
        if (fault != FAULT_NONE) record_fault(check, v, fault);
        if (fault != FAULT_NONE || !is_reached(check, v)) continue;
        reached++;
        arcs += gws_graph_degree(check->graph, (uint32_t)v);
        level += is_level(check, v);
    }
    /* relaxed: the caller reads the sums after the loop has ended. */
    atomic_fetch_add_explicit(&check->reached, reached, memory_order_relaxed);
    atomic_fetch_add_explicit(&check->reached_arcs, arcs, memory_order_relaxed);
    atomic_fetch_add_explicit(&check->level, level, memory_order_relaxed);
}

/* Follows vertices that have the distances of their parents. A walk ends at an ancestor with another distance than its
 * parent, or at a vertex that some walk has passed. `last` holds for each vertex the walk that passed it. */
static void follow_level(struct gws_runtime *runtime, struct sssp_check *check, uint32_t *last)
{
    uint64_t vertices = check->graph->vertices;
    memset(last, 0xff, vertices * sizeof *last);
    for (uint64_t v = 0; v < vertices && !ask_stop(runtime, v); v++) {
        uint64_t at = v;
        while (is_level(check, at) && last[at] == UINT32_MAX) {
            last[at] = (uint32_t)v;
            at = check->result->parent[at];
        }
        if (is_level(check, at) && last[at] == v) record_fault(check, at, FAULT_CYCLE);
    }
}

static gws_status fail(struct gws_diagnostic *where, const char *message)
{
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%s", message);
}

static gws_status check_counts(const struct sssp_check *check, struct gws_diagnostic *where)
{
    const struct gws_sssp_result *result = check->result;
    double max = 0;
    if (check->reached != result->reached || check->reached_arcs != result->reached_arcs)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "%" PRIu64 " vertices and %" PRIu64 " arcs are reached, the result says %" PRIu64
                                  " and %" PRIu64,
                                  check->reached, check->reached_arcs, result->reached, result->reached_arcs);
    for (uint64_t v = 0; v < result->vertices; v++) {
        if (!is_reached(check, v)) continue;
        double distance = result->distance ? (double)result->distance[v] : result->real_distance[v];
        if (distance > max) max = distance;
    }
    if (max != result->max_distance) return fail(where, "the largest distance is not the one that the result says");
    return GWS_OK;
}

static gws_status check_all(struct gws_runtime *runtime, struct sssp_check *check, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = check->graph;
    ask_for(runtime, graph->vertices, 4096, check_range, check);
    if (check->first == UINT64_MAX && check->level > 0) {
        uint32_t *last = gws_allocate(runtime, graph->vertices, sizeof *last);
        if (!last) return gws_diagnostic_status(where, GWS_NO_MEMORY);
        follow_level(runtime, check, last);
        gws_release(runtime, last, graph->vertices, sizeof *last);
    }
    if (check->first == UINT64_MAX) return check_counts(check, where);
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 " %s",
                              gws_graph_id(graph, (uint32_t)(check->first >> 8)), fault_text[check->first & 255]);
}

static gws_status sssp_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                             const struct gws_sssp_result *result, struct gws_diagnostic *where)
{
    if (result->vertices != graph->vertices || result->source >= graph->vertices)
        return fail(where, "the result belongs to another graph");
    if (!result->parent || !(graph->real_weight ? (const void *)result->real_distance : (const void *)result->distance))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "a result without distances or parents cannot be checked");
    struct sssp_check check = {.graph = graph, .result = result, .first = UINT64_MAX};
    bool is_zero =
        graph->real_weight ? !(result->real_distance[result->source] != 0) : result->distance[result->source] == 0;
    if (!is_zero || result->parent[result->source] != result->source)
        return fail(where, "the source is not its own parent at distance 0");
    return check_all(runtime, &check, where);
}

gws_status gws_sssp_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                          const struct gws_sssp_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, sssp_check(runtime, graph, result, where), where));
}
