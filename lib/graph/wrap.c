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

/* 0 if the row is valid. No branches within the row, so the loop runs at memory speed. */
static uint32_t row_faults(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    uint32_t falls = 0, largest = begin < end ? graph->target[end - 1] : 0;
    for (uint64_t arc = begin + 1; arc < end; ++arc) falls |= graph->target[arc] < graph->target[arc - 1];
    return falls | (begin < end && largest >= graph->vertices);
}

/* Checks the row's bounds before its contents. */
static bool row_is_bad(const struct gws_graph *graph, uint64_t vertex)
{
    uint64_t begin = graph->offset[vertex], end = graph->offset[vertex + 1];
    return begin > end || end > graph->arcs || row_faults(graph, begin, end) != 0;
}

static void check_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct row_check *check = context;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        if (!row_is_bad(check->graph, vertex)) continue;
        /* relaxed, here and at the end: a minimum; the final read follows the loop's barrier. */
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
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the row of vertex %llu is not in ascending order",
                              (unsigned long long)vertex);
}

gws_status gws_graph_check_rows(struct gws_runtime *runtime, const struct gws_graph *graph,
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
    gws_parallel_for(runtime, graph->vertices, 1 << 12, check_vertices, &check);
    uint64_t bad = atomic_load_explicit(&check.first_bad, memory_order_relaxed);
    return bad == graph->vertices ? GWS_OK : describe_row(graph, bad, where);
}

/* ---- wrapping ---- */

gws_status gws_graph_wrap(struct gws_runtime *runtime, uint64_t vertices, const uint64_t *offset,
                          const uint32_t *target, const int32_t *weight, bool directed, bool trusted,
                          struct gws_graph **graph)
{
    struct gws_graph *made;
    if (vertices > GWS_NO_VERTEX) return GWS_TOO_LARGE;
    gws_status status = gws__graph_new(runtime, vertices, offset[vertices], &made);
    if (status != GWS_OK) return status;
    made->offset = offset;
    made->target = target;
    made->weight = weight;
    made->directed = directed;
    if (!trusted) status = gws_graph_check_rows(runtime, made, NULL);
    if (status == GWS_OK)
        *graph = made;
    else
        gws_graph_destroy(made);
    return status;
}
