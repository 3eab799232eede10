/* SPDX-License-Identifier: MIT */
/* Checks a path arc by arc, and compares its length with a search of the whole graph. */
#include <inttypes.h>
#include <math.h>

#include "../bfs.h"
#include "../path.h"
#include "../sssp.h"
#include "ask.h"

static gws_status fail(struct gws_diagnostic *where, const char *message)
{
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%s", message);
}

static double weight_of(const struct gws_graph *graph, bool hops, uint64_t arc)
{
    if (hops) return 1;
    return graph->real_weight ? (double)graph->real_weight[arc] : graph->weight ? (double)graph->weight[arc] : 1;
}

/* Returns true if there is an arc from entry i - 1 of the path to entry i whose weight is the difference of their
 * distances. */
static bool has_arc(const struct gws_graph *graph, const struct gws_path_result *path, uint64_t i)
{
    uint32_t from = path->vertex[i - 1], to = path->vertex[i];
    for (uint64_t a = graph->offset[from]; a < graph->offset[from + (uint64_t)1]; a++) {
        double weight = weight_of(graph, path->hops, a);
        if (graph->target[a] != to) continue;
        if (path->real_distance ? !(path->real_distance[i - 1] + weight != path->real_distance[i])
                                : path->distance[i - 1] + (uint64_t)weight == path->distance[i])
            return true;
    }
    return false;
}

static gws_status check_arcs(const struct gws_graph *graph, const struct gws_path_result *path,
                             struct gws_diagnostic *where)
{
    for (uint64_t i = 0; i < path->length; i++)
        if (path->vertex[i] >= graph->vertices) return fail(where, "the path has an invalid vertex");
    if (path->vertex[0] != path->source || path->vertex[path->length - 1] != path->target)
        return fail(where, "the path does not lead from the source to the target");
    if (path->real_distance ? path->real_distance[0] != 0 : path->distance[0] != 0)
        return fail(where, "the source is not at distance 0");
    for (uint64_t i = 1; i < path->length; i++)
        if (!has_arc(graph, path, i))
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                      "there is no arc from %" PRIu64 " to %" PRIu64
                                      " of the length that the path says",
                                      gws_graph_id(graph, path->vertex[i - 1]), gws_graph_id(graph, path->vertex[i]));
    return GWS_OK;
}

/* Finds the length of a shortest path, INFINITY if there is no path. */
static gws_status search_hops(struct gws_runtime *runtime, const struct gws_graph *graph,
                              const struct gws_path_result *path, double *shortest)
{
    struct gws_bfs_result bfs = {0};
    gws_status status = gws_bfs(runtime, graph, path->source, NULL, &bfs);
    if (status == GWS_OK && bfs.depth[path->target] != GWS_NO_VERTEX) *shortest = bfs.depth[path->target];
    gws_bfs_result_clear(&bfs);
    return status;
}

static gws_status search_weights(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_path_result *path, double *shortest, struct gws_diagnostic *where)
{
    struct gws_sssp_result sssp = {0};
    gws_status status = gws_sssp(runtime, graph, path->source, NULL, &sssp, where);
    if (status == GWS_OK && sssp.real_distance) *shortest = sssp.real_distance[path->target];
    if (status == GWS_OK && sssp.distance && sssp.distance[path->target] != GWS_NO_DISTANCE)
        *shortest = (double)sssp.distance[path->target];
    gws_sssp_result_clear(&sssp);
    return status;
}

/* Compares the path's length with the length of a shortest path. Real distances may differ by the rounding of as many
 * sums as the graph has vertices. */
static gws_status check_length(const struct gws_graph *graph, const struct gws_path_result *path, double shortest,
                               struct gws_diagnostic *where)
{
    if (path->length == 0) {
        if (shortest < (double)INFINITY) return fail(where, "there is a path from the source to the target");
        return GWS_OK;
    }
    double length =
        path->real_distance ? path->real_distance[path->length - 1] : (double)path->distance[path->length - 1];
    double tolerance = path->real_distance ? (double)graph->vertices * 0x1p-52 * length : 0;
    if (fabs(length - shortest) <= tolerance) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the path has the length %.17g, the shortest %.17g",
                              length, shortest);
}

static gws_status path_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                             const struct gws_path_result *result, struct gws_diagnostic *where)
{
    double shortest = (double)INFINITY;
    if (result->vertices != graph->vertices || result->source >= graph->vertices || result->target >= graph->vertices)
        return fail(where, "the result belongs to another graph");
    bool is_real = graph->real_weight && !result->hops;
    if (result->length &&
        (!result->vertex || !(is_real ? (const void *)result->real_distance : (const void *)result->distance)))
        return fail(where, "the result has no path or no distances");
    gws_status status = result->length ? check_arcs(graph, result, where) : GWS_OK;
    if (status != GWS_OK) return status;
    status = result->hops ? search_hops(runtime, graph, result, &shortest)
                          : search_weights(runtime, graph, result, &shortest, where);
    return status == GWS_OK ? check_length(graph, result, shortest, where) : status;
}

gws_status gws_path_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                          const struct gws_path_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, path_check(runtime, graph, result, where), where));
}
