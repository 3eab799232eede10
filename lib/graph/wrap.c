/* SPDX-License-Identifier: MIT */
/* Graphs over the caller's arrays, and the check of such arrays. */
#include <stdatomic.h>

#include "../parallel.h"
#include "build.h"

/* ---- checking rows ---- */

struct row_check {
    const struct gws_graph *graph;
    _Atomic uint64_t first_bad; /* the smallest vertex with an invalid row; vertices if there is none */
};

static bool weights_finite(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    bool finite = true;
    for (uint64_t arc = begin; graph->real_weight && arc < end; ++arc)
        finite &= gws__weight_is_finite(graph->real_weight[arc]);
    return finite;
}

/* Returns 0 if the row is valid. The loop over the row has no branches and so runs at memory speed. */
static uint32_t row_faults(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    uint32_t falls = 0, largest = begin < end ? graph->target[end - 1] : 0;
    for (uint64_t arc = begin + 1; arc < end; ++arc) falls |= graph->target[arc] < graph->target[arc - 1];
    return falls | (begin < end && largest >= graph->vertices);
}

/* Returns whether the row is invalid. The function checks the row's bounds before its contents. */
static bool row_is_bad(const struct gws_graph *graph, uint64_t vertex)
{
    uint64_t begin = graph->offset[vertex], end = graph->offset[vertex + 1];
    return begin > end || end > graph->arcs || row_faults(graph, begin, end) != 0 || !weights_finite(graph, begin, end);
}

static void check_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct row_check *check = context;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        if (!row_is_bad(check->graph, vertex)) continue;
        /* relaxed, here and at the end: the word is a minimum, and its final read follows the loop's barrier. */
        uint64_t seen = atomic_load_explicit(&check->first_bad, memory_order_relaxed);
        while (vertex < seen && !atomic_compare_exchange_weak_explicit(&check->first_bad, &seen, vertex,
                                                                       memory_order_relaxed, memory_order_relaxed)) {
        }
        return;
    }
}

static gws_status describe_row(const struct gws_graph *graph, uint64_t vertex, struct gws_diagnostic *where)
{
    uint64_t begin = graph->offset[vertex], end = graph->offset[vertex + 1];
    if (begin > end)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "offsets fall after vertex %llu",
                                  (unsigned long long)vertex);
    if (end > graph->arcs)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the row of vertex %llu ends behind the last arc",
                                  (unsigned long long)vertex);
    for (uint64_t arc = begin; arc < end; ++arc)
        if (graph->target[arc] >= graph->vertices)
            return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0,
                                      "vertex %llu has an arc to %lu, but vertices are numbered below %llu",
                                      (unsigned long long)vertex, (unsigned long)graph->target[arc],
                                      (unsigned long long)graph->vertices);
    const char *wrong =
        weights_finite(graph, begin, end) ? "is not in ascending order" : "has a weight that is not finite";
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the row of vertex %llu %s", (unsigned long long)vertex,
                              wrong);
}

static gws_status graph_check_rows(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   struct gws_diagnostic *where)
{
    struct row_check check = {.graph = graph};
    if (graph->vertices > GWS_NO_VERTEX)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^32 - 1 vertices");
    if (graph->offset[0] != 0)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the first row does not begin at 0");
    if (graph->offset[graph->vertices] != graph->arcs)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the last row does not end at the last arc");
    atomic_init(&check.first_bad, graph->vertices);
    gws_status status = gws_parallel_try_for(runtime, graph->vertices, 1 << 12, check_vertices, &check);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    uint64_t bad = atomic_load_explicit(&check.first_bad, memory_order_relaxed);
    return bad == graph->vertices ? GWS_OK : describe_row(graph, bad, where);
}

gws_status gws_graph_check_rows(struct gws_runtime *runtime, const struct gws_graph *graph,
                                struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, graph_check_rows(runtime, graph, where));
}

/* ---- wrapping ---- */

static gws_status wrap(struct gws_runtime *runtime, const struct gws_graph *view, bool trusted,
                       struct gws_graph **graph)
{
    struct gws_graph *made;
    if (view->vertices > GWS_NO_VERTEX) return GWS_TOO_LARGE;
    gws_status status = gws__graph_new(runtime, view->vertices, view->offset[view->vertices], &made);
    if (status != GWS_OK) return status;
    made->offset = view->offset;
    made->target = view->target;
    made->weight = view->weight;
    made->real_weight = view->real_weight;
    made->directed = view->directed;
    if (!trusted) status = gws_graph_check_rows(runtime, made, NULL);
    if (status == GWS_OK)
        *graph = made;
    else
        gws_graph_destroy(made);
    return status;
}

gws_status gws_graph_wrap(struct gws_runtime *runtime, uint64_t vertices, const uint64_t *offset,
                          const uint32_t *target, const int32_t *weight, bool directed, bool trusted,
                          struct gws_graph **graph)
{
    const struct gws_graph view = {
        .vertices = vertices, .offset = offset, .target = target, .weight = weight, .directed = directed};
    return wrap(runtime, &view, trusted, graph);
}

gws_status gws_graph_wrap_real(struct gws_runtime *runtime, uint64_t vertices, const uint64_t *offset,
                               const uint32_t *target, const float *real_weight, bool directed, bool trusted,
                               struct gws_graph **graph)
{
    const struct gws_graph view = {
        .vertices = vertices, .offset = offset, .target = target, .real_weight = real_weight, .directed = directed};
    return wrap(runtime, &view, trusted, graph);
}
