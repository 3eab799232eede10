/* SPDX-License-Identifier: MIT */
/* Converts graphs from igraph_t and back. igraph stores the sources and the targets of the edges in two vectors.
 * gws_graph_build() sorts the edges into rows. */
#define _POSIX_C_SOURCE 200809L /* locale_t, in adapter.h */
#include <math.h>
#include <string.h>

#include "../lib/parallel.h"
#include "adapter.h"

enum { grain = 65536, chunk = 16384 };

/* ---- from igraph ---- */

struct import {
    const igraph_t *from;
    const uint32_t *number;
    const igraph_vector_t *weights;
    enum gws_weights keep;
    uint64_t edges;
    struct gws_edge *edge;
    int32_t *weight; /* integer or real weights; both NULL if weights is NULL */
    float *real_weight;
};

static void copy_edges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct import *import = context;
    for (uint64_t e = begin; e < end; e++) {
        uint32_t from = (uint32_t)IGRAPH_FROM(import->from, e), to = (uint32_t)IGRAPH_TO(import->from, e);
        import->edge[e].from = import->number ? import->number[from] : from;
        import->edge[e].to = import->number ? import->number[to] : to;
    }
}

static bool fits_integer(double weight)
{
    return weight >= INT32_MIN && weight <= INT32_MAX; /* false for NaN */
}

/* Returns true if the graph needs real weights. */
static bool has_reals(const struct import *import)
{
    bool real = false;
    for (uint64_t e = 0; e < import->edges && import->keep == GWS_WEIGHTS_KEEP && !real; e++) {
        double given = (double)VECTOR(*import->weights)[e];
        real = !fits_integer(given) || nearbyint(given) != given;
    }
    return real;
}

static gws_status copy_weights(const struct import *import, struct gws_diagnostic *where)
{
    const bool real = import->real_weight != NULL;
    for (uint64_t e = 0; e < import->edges; e++) {
        double given = (double)VECTOR(*import->weights)[e], weight = nearbyint(given);
        if (real ? !isfinite((float)given) : !fits_integer(weight))
            return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0,
                                      "edge %llu has the weight %g; expected a 32-bit %s", (unsigned long long)e, given,
                                      real ? "float" : "integer");
        if (real)
            import->real_weight[e] = (float)given;
        else
            import->weight[e] = (int32_t)weight;
    }
    return GWS_OK;
}

static gws_status build(struct gws_runtime *runtime, struct import *import, const struct gws_read_options *options,
                        struct gws_graph **graph, struct gws_diagnostic *where)
{
    struct gws_loop loop = {
        .count = import->edges, .chunk = chunk, .grain = grain, .body = copy_edges, .context = import};
    gws_parallel_run(runtime, &loop);
    gws_status status = import->weights ? copy_weights(import, where) : GWS_OK;
    if (status != GWS_OK) return status;
    bool directed = options->direction == GWS_EDGES_AS_FILE ? igraph_is_directed(import->from)
                                                            : options->direction == GWS_EDGES_DIRECTED;
    struct gws_build_options build_options = {.kind = directed ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE,
                                              .remove_loops = options->remove_loops,
                                              .remove_duplicates = options->remove_duplicates ||
                                                                   options->direction == GWS_EDGES_UNDIRECTED};
    struct gws_edge_block block = {
        .edge = import->edge, .weight = import->weight, .real_weight = import->real_weight, .count = import->edges};
    struct gws_edges edges = {.vertices = (uint64_t)igraph_vcount(import->from), .blocks = 1, .block = &block};
    status = gws_graph_build(runtime, &edges, &build_options, graph);
    return status == GWS_OK ? GWS_OK : gws_diagnostic_set(where, status, NULL, 0, 0, "%s", gws_status_text(status));
}

gws_status gws__igraph_convert(struct gws_runtime *runtime, const igraph_t *from, const igraph_vector_t *weights,
                               const struct gws_read_options *options, const uint32_t *number, struct gws_graph **graph,
                               struct gws_diagnostic *where)
{
    static const struct gws_read_options defaults;
    if (!options) options = &defaults;
    struct import import = {
        .from = from, .number = number, .keep = options->weights, .edges = (uint64_t)igraph_ecount(from)};
    if ((uint64_t)igraph_vcount(from) >= GWS_NO_VERTEX)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^32 - 2 vertices");
    if (weights && options->weights != GWS_WEIGHTS_DROP) import.weights = weights;
    if (import.weights && (uint64_t)igraph_vector_size(weights) != import.edges)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the numbers of weights and edges differ");
    import.edge = gws_allocate(runtime, import.edges, sizeof *import.edge);
    if (import.weights && has_reals(&import))
        import.real_weight = gws_allocate(runtime, import.edges, sizeof *import.real_weight);
    else if (import.weights)
        import.weight = gws_allocate(runtime, import.edges, sizeof *import.weight);
    bool short_of_memory = !import.edge || (import.weights && !import.weight && !import.real_weight);
    gws_status status =
        short_of_memory ? gws_diagnostic_status(where, GWS_NO_MEMORY) : build(runtime, &import, options, graph, where);
    gws_release(runtime, import.weight, import.edges, sizeof *import.weight);
    gws_release(runtime, import.real_weight, import.edges, sizeof *import.real_weight);
    gws_release(runtime, import.edge, import.edges, sizeof *import.edge);
    return status;
}

gws_status gws_graph_from_igraph(struct gws_runtime *runtime, const igraph_t *from, const igraph_vector_t *weights,
                                 const struct gws_read_options *options, struct gws_graph **graph,
                                 struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__igraph_convert(runtime, from, weights, options, NULL, graph, where));
}

/* ---- to igraph ---- */

static igraph_real_t weight_of(const struct gws_graph *graph, uint64_t arc)
{
    if (graph->weight) return graph->weight[arc];
    return graph->real_weight ? (igraph_real_t)graph->real_weight[arc] : 1;
}

/* Appends the edges of a vertex's row, which are all arcs except the second arc of an undirected edge. */
static uint64_t edges_of(const struct gws_graph *graph, uint64_t vertex, igraph_vector_int_t *ends,
                         igraph_vector_t *weights, uint64_t at)
{
    for (uint64_t arc = graph->offset[vertex]; arc < graph->offset[vertex + 1]; arc++) {
        if (!graph->directed && graph->target[arc] < vertex) continue;
        if (ends) {
            VECTOR(*ends)[2 * at] = (gws__igraph_int)vertex;
            VECTOR(*ends)[2 * at + 1] = (gws__igraph_int)graph->target[arc];
            if (weights) VECTOR(*weights)[at] = weight_of(graph, arc);
        }
        at++;
    }
    return at;
}

static igraph_error_t make(const struct gws_graph *graph, uint64_t edges, igraph_t *to, igraph_vector_t *weights)
{
    igraph_vector_int_t ends;
    igraph_error_t error = igraph_vector_int_init(&ends, (gws__igraph_int)(2 * edges));
    if (error != IGRAPH_SUCCESS) return error;
    if (weights) error = igraph_vector_resize(weights, (gws__igraph_int)edges);
    uint64_t at = 0;
    for (uint64_t v = 0; error == IGRAPH_SUCCESS && v < graph->vertices; v++)
        at = edges_of(graph, v, &ends, weights, at);
    if (error == IGRAPH_SUCCESS) error = igraph_create(to, &ends, (gws__igraph_int)graph->vertices, graph->directed);
    igraph_vector_int_destroy(&ends);
    return error;
}

static gws_status graph_to_igraph(struct gws_runtime *runtime, const struct gws_graph *graph, igraph_t *to,
                                  igraph_vector_t *weights, struct gws_diagnostic *where)
{
    (void)runtime;
    uint64_t edges = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) edges = edges_of(graph, v, NULL, NULL, edges);
    if (edges > (uint64_t)IGRAPH_INTEGER_MAX / 2)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "too many edges for this build of igraph");
    struct gws__igraph_before before;
    gws__igraph_enter(&before);
    igraph_error_t error = make(graph, edges, to, weights);
    gws_status status = error == IGRAPH_SUCCESS ? GWS_OK : gws__igraph_failed(error, NULL, where);
    gws__igraph_restore(&before);
    return status;
}

gws_status gws_graph_to_igraph(struct gws_runtime *runtime, const struct gws_graph *graph, igraph_t *to,
                               igraph_vector_t *weights, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, graph_to_igraph(runtime, graph, to, weights, where));
}
