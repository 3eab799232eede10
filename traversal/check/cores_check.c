/* SPDX-License-Identifier: MIT */
/* Checks corenesses without the algorithm's code. A vertex of coreness k must have at least k neighbours of coreness k
 * or more. Then, for every k, the vertices of coreness k or more each have k neighbours among themselves, as the
 * definition requires. So no coreness is too large. A serial removal takes a vertex with the fewest remaining
 * neighbours at each step, and must never find more neighbours than the largest coreness so far (Batagelj, Zaversnik,
 * "An O(m) algorithm for cores decomposition of networks", 2003). So no coreness is too small. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../cores.h"
#include "ask.h"

struct cores_check {
    const struct gws_graph *graph; /* an undirected graph */
    const uint32_t *core;
    _Atomic uint64_t first; /* the smallest faulty vertex */
};

/* ---- not too large ---- */

static void count_supporters(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct cores_check *check = context;
    const struct gws_graph *graph = check->graph;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t supporters = 0, last = UINT64_MAX;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; last = graph->target[a++])
            supporters +=
                graph->target[a] != v && graph->target[a] != last && check->core[graph->target[a]] >= check->core[v];
        uint64_t first = atomic_load(&check->first);
        while (supporters < check->core[v] && v < first && !atomic_compare_exchange_weak(&check->first, &first, v))
            continue;
    }
}

/* ---- not too small ---- */

/* The vertices by the number of remaining neighbours. order[begin[d] ..] has the vertices with d, and place[] is the
 * inverse of order. */
struct removal_order {
    uint32_t *left, *order, *place, *begin;
    uint64_t vertices, bins;
};

static uint32_t neighbours_of(const struct gws_graph *graph, uint64_t v)
{
    uint32_t count = 0;
    uint64_t last = UINT64_MAX;
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; last = graph->target[a++])
        count += graph->target[a] != v && graph->target[a] != last;
    return count;
}

static void sort_vertices(struct removal_order *order)
{
    uint32_t sum = 0;
    memset(order->begin, 0, order->bins * sizeof *order->begin);
    for (uint64_t v = 0; v < order->vertices; v++) order->begin[order->left[v]]++;
    for (uint64_t d = 0; d < order->bins; d++) {
        uint32_t count = order->begin[d];
        order->begin[d] = sum;
        sum += count;
    }
    for (uint64_t v = 0; v < order->vertices; v++) {
        order->place[v] = order->begin[order->left[v]]++;
        order->order[order->place[v]] = (uint32_t)v;
    }
    for (uint64_t d = order->bins - 1; d > 0; d--) order->begin[d] = order->begin[d - 1];
    order->begin[0] = 0;
}

/* Moves v from its bin to the bin below. v changes places with the first vertex of its bin, which then begins one
 * entry later. */
static void lower(struct removal_order *order, uint32_t v)
{
    uint32_t at = order->begin[order->left[v]]++, other = order->order[at];
    order->order[at] = v;
    order->order[order->place[v]] = other;
    order->place[other] = order->place[v];
    order->place[v] = at;
    order->left[v]--;
}

/* Returns the first vertex whose coreness is larger than in the result, or GWS_NO_VERTEX. */
static uint32_t remove_all(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *core,
                           struct removal_order *order)
{
    for (uint64_t i = 0; i < order->vertices && !ask_stop(runtime, i); i++) {
        uint32_t v = order->order[i];
        uint64_t last = UINT64_MAX;
        if (order->left[v] > core[v]) return v;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; last = graph->target[a++]) {
            uint32_t to = graph->target[a];
            if (to != v && to != last && order->left[to] > order->left[v]) lower(order, to);
        }
    }
    return GWS_NO_VERTEX;
}

static gws_status find_larger(struct gws_runtime *runtime, struct cores_check *check, uint32_t *found)
{
    const struct gws_graph *graph = check->graph;
    struct removal_order order = {.vertices = graph->vertices, .bins = 1};
    order.left = gws_allocate(runtime, graph->vertices, sizeof *order.left);
    order.order = gws_allocate(runtime, graph->vertices, sizeof *order.order);
    order.place = gws_allocate(runtime, graph->vertices, sizeof *order.place);
    for (uint64_t v = 0; order.left && v < graph->vertices && !ask_stop(runtime, v); v++) {
        order.left[v] = neighbours_of(graph, v);
        if (order.left[v] >= order.bins) order.bins = order.left[v] + UINT64_C(1);
    }
    order.begin = gws_allocate(runtime, order.bins, sizeof *order.begin);
    bool made = order.left && order.order && order.place && order.begin;
    if (made && !gws_cancelled(runtime)) { /* the numbers of neighbours are complete */
        sort_vertices(&order);
        *found = remove_all(runtime, graph, check->core, &order);
    }
    gws_release(runtime, order.begin, order.bins, sizeof *order.begin);
    gws_release(runtime, order.place, graph->vertices, sizeof *order.place);
    gws_release(runtime, order.order, graph->vertices, sizeof *order.order);
    gws_release(runtime, order.left, graph->vertices, sizeof *order.left);
    return made ? GWS_OK : GWS_NO_MEMORY;
}

/* ---- the verdict ---- */

static gws_status check_cores(struct gws_runtime *runtime, struct cores_check *check, struct gws_diagnostic *where)
{
    uint32_t larger = GWS_NO_VERTEX;
    ask_for(runtime, check->graph->vertices, 4096, count_supporters, check);
    if (check->first != UINT64_MAX)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "vertex %" PRIu64 " has fewer neighbours of coreness %" PRIu32 " or more than that",
                                  gws_graph_id(check->graph, (uint32_t)check->first), check->core[check->first]);
    gws_status status = find_larger(runtime, check, &larger);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (larger == GWS_NO_VERTEX) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "vertex %" PRIu64 " has a larger coreness than %" PRIu32,
                              gws_graph_id(check->graph, larger), check->core[larger]);
}

static gws_status cores_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                              const struct gws_cores_result *result, struct gws_diagnostic *where)
{
    struct gws_graph *symmetric = NULL;
    uint32_t max = 0;
    if (result->vertices != graph->vertices)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    if (!result->core)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "a result without core cannot be checked");
    for (uint64_t v = 0; v < graph->vertices; v++) max = result->core[v] > max ? result->core[v] : max;
    if (max != result->max_core)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the largest coreness is %" PRIu32 ", the result says %" PRIu32, max,
                                  result->max_core);
    gws_status status = graph->directed ? gws_graph_symmetrise(runtime, graph, &symmetric) : GWS_OK;
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    struct cores_check check = {.graph = symmetric ? symmetric : graph, .core = result->core, .first = UINT64_MAX};
    status = check_cores(runtime, &check, where);
    gws_graph_destroy(symmetric);
    return status;
}

gws_status gws_cores_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                           const struct gws_cores_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, cores_check(runtime, graph, result, where), where));
}
