/* SPDX-License-Identifier: MIT */
/* Graphs with weights of every kind, and a plain serial search as an oracle. */
#ifndef GWS_TESTS_SSSP_WEIGHTS_H
#define GWS_TESTS_SSSP_WEIGHTS_H

#include "../bfs/shapes.h"

#include <math.h>

#include "../../../../traversal/path.h"
#include "../../../../traversal/sssp.h"

enum weights { NO_WEIGHTS, SMALL, ZEROS, LARGE, REAL, REAL_ZEROS, weight_kinds };

/* Returns a weight that is equal for both arcs of an edge. */
static inline double draw_weight(enum weights kind, uint64_t from, uint64_t to)
{
    uint64_t bits = gws_random_at(from < to ? from : to, from < to ? to : from) >> 33;
    switch (kind) {
    case SMALL:
        return (double)(bits % 255 + 1);
    case ZEROS:
        return (double)(bits % 3 == 0 ? bits % 5 : 0);
    case LARGE:
        return (double)(bits % 2 ? bits % 1000 : INT32_MAX - bits % 1000);
    case REAL:
        return (double)(float)(0.001 + (double)(bits % 100000) / 317);
    case REAL_ZEROS:
        return bits % 3 ? 0 : (double)(float)((double)bits / 1e15);
    default:
        return 1;
    }
}

/* A graph that owns no array except its weights. */
struct weighted {
    struct gws_graph *plain, *graph;
    void *weight;
};

static inline struct weighted add_weights(struct gws_graph *plain, enum weights kind)
{
    struct weighted made = {.plain = plain, .weight = malloc((plain->arcs + 1) * 4)};
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    bool is_real = kind == REAL || kind == REAL_ZEROS;
    for (uint64_t v = 0; v < plain->vertices; v++)
        for (uint64_t a = plain->offset[v]; a < plain->offset[v + 1]; a++) {
            double weight = draw_weight(kind, v, plain->target[a]);
            if (is_real)
                ((float *)made.weight)[a] = (float)weight;
            else
                ((int32_t *)made.weight)[a] = (int32_t)weight;
        }
    gws_status status =
        is_real ? gws_graph_wrap_real(runtime, plain->vertices, plain->offset, plain->target, made.weight,
                                      plain->directed, false, &made.graph)
                : gws_graph_wrap(runtime, plain->vertices, plain->offset, plain->target,
                                 kind == NO_WEIGHTS ? NULL : made.weight, plain->directed, false, &made.graph);
    ck_assert_int_eq(status, GWS_OK);
    gws_runtime_close(runtime);
    return made;
}

static inline void weighted_free(struct weighted *made)
{
    gws_graph_destroy(made->graph);
    gws_graph_destroy(made->plain);
    free(made->weight);
}

static inline double weight_at(const struct gws_graph *graph, uint64_t arc)
{
    if (graph->real_weight) return (double)graph->real_weight[arc];
    return graph->weight ? (double)graph->weight[arc] : 1;
}

/* Corrects distances from a queue of vertices until no distance falls (Bellman, Ford, Moore). Sums of integers are
 * exact. */
static inline double *search_serially(const struct gws_graph *graph, uint32_t source)
{
    uint64_t capacity = graph->vertices + 1, head = 0, size = 1;
    double *distance = malloc(capacity * sizeof *distance);
    uint32_t *queue = malloc(capacity * sizeof *queue);
    bool *waits = calloc(capacity, 1);
    for (uint64_t v = 0; v < graph->vertices; v++) distance[v] = (double)INFINITY;
    distance[source] = 0;
    queue[0] = source;
    waits[source] = true;
    while (size > 0) {
        uint32_t v = queue[head];
        head = (head + 1) % capacity;
        size--;
        waits[v] = false;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
            uint32_t to = graph->target[a];
            if (distance[v] + weight_at(graph, a) >= distance[to]) continue;
            distance[to] = distance[v] + weight_at(graph, a);
            if (waits[to]) continue;
            waits[to] = true;
            queue[(head + size++) % capacity] = to;
        }
    }
    free(queue);
    free(waits);
    return distance;
}

static inline void compare_distances(const struct gws_graph *graph, const double *wanted,
                                     const struct gws_sssp_result *result)
{
    uint64_t reached = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        bool is_reached = wanted[v] < (double)INFINITY;
        double found = result->real_distance                    ? result->real_distance[v]
                       : result->distance[v] == GWS_NO_DISTANCE ? (double)INFINITY
                                                                : (double)result->distance[v];
        reached += is_reached;
        if (is_reached == (result->parent[v] == GWS_NO_VERTEX) || (is_reached && found != wanted[v]) ||
            (!is_reached && found < (double)INFINITY))
            ck_abort_msg("vertex %u: distance %g, not %g", (uint32_t)v, found, wanted[v]);
    }
    ck_assert_uint_eq(result->reached, reached);
}

#endif
