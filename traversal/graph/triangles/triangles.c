/* SPDX-License-Identifier: MIT */
/* Counts triangles on threads, by the method that it chooses. */
#include <string.h>

#include "oriented.h"
#include "result.h"

struct triangle_call {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;    /* an undirected graph */
    const struct gws_graph *original; /* the caller's graph */
    _Atomic uint64_t *sums;           /* triangles by rank or by vertex; NULL unless the caller selected arrays */
    uint32_t *rank;                   /* rank of each vertex if sums are by rank; otherwise NULL */
};

static gws_status count_oriented(struct triangle_call *call, struct gws_triangles_result *made)
{
    struct gws__oriented oriented = {.runtime = call->runtime, .graph = call->graph};
    double began = gws_clock_ms();
    gws_status status = gws__oriented_make(&oriented);
    gws_report_progress(call->runtime, "counting triangles", 1, 2); /* the first step oriented the arcs */
    made->prepare_ms += gws_clock_ms() - began;
    made->wedges = oriented.wedges;
    if (status == GWS_OK) status = gws__oriented_count(&oriented, call->sums, &made->triangles);
    if (status == GWS_OK && call->sums) {
        call->rank = oriented.rank; /* count_with_sums() releases it */
        oriented.rank = NULL;
    }
    gws__oriented_release(&oriented);
    return status;
}

/* ---- the method ---- */

static void clear_sums(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct triangle_call *call = context;
    (void)worker;
    memset((void *)(call->sums + begin), 0, (end - begin) * sizeof *call->sums);
}

static gws_status clear(struct triangle_call *call)
{
    if (!call->sums) return GWS_OK;
    return gws_parallel_try_for(call->runtime, call->graph->vertices, 1 << 14, clear_sums, call);
}

/* Merges rows. If a row is too long to merge, orients the graph instead. On most graphs with long rows, the merge meets
 * one early. */
static gws_status count_triangles(struct triangle_call *call, struct gws_triangles_result *made)
{
    struct gws_runtime *runtime = call->runtime;
    const struct gws_graph *graph = call->graph;
    gws_status status = clear(call);
    if (status != GWS_OK) return status;
    if (gws__triangles_merge(runtime, graph, call->sums, &made->triangles, &made->wedges)) return GWS_OK;
    status = clear(call);
    return status == GWS_OK ? count_oriented(call, made) : status;
}

static gws_status count_with_sums(struct triangle_call *call, struct gws_triangles_result *made)
{
    uint64_t vertices = call->graph->vertices;
    call->sums = gws_allocate(call->runtime, vertices, sizeof *call->sums);
    if (!call->sums) return GWS_NO_MEMORY;
    gws_status status = count_triangles(call, made);
    const struct gws__triangles_sums sums = {(uint64_t *)call->sums, call->rank,
                                             made->directed ? call->original : NULL};
    if (status == GWS_OK) status = gws__triangles_fill(call->runtime, call->graph, &sums, made);
    gws_release(call->runtime, call->rank, vertices, sizeof *call->rank);
    gws_release(call->runtime, (void *)call->sums, vertices, sizeof *call->sums);
    return status;
}

static gws_status triangles(struct gws_runtime *runtime, const struct gws_graph *graph,
                            const struct gws_triangles_options *options, struct gws_triangles_result *result)
{
    uint32_t parts = options ? options->parts : 0;
    struct triangle_call call = {.runtime = runtime, .graph = graph, .original = graph};
    struct gws_triangles_result made = {.vertices = graph->vertices};
    struct gws_graph *symmetric = NULL;
    double began = gws_clock_ms();
    made.directed = graph->directed && options && options->directed && parts & GWS_TRIANGLES_CLUSTERING;
    gws_status status = gws__triangles_begin(runtime, parts, result, &made);
    if (status == GWS_OK && graph->directed) {
        status = gws_graph_symmetrise(runtime, graph, &symmetric);
        call.graph = symmetric;
        made.prepare_ms = gws_clock_ms() - began;
    }
    if (status == GWS_OK) status = parts ? count_with_sums(&call, &made) : count_triangles(&call, &made);
    gws_graph_destroy(symmetric);
    made.transitivity = made.wedges ? 3 * (double)made.triangles / (double)made.wedges : 0;
    made.ms = gws_clock_ms() - began - made.prepare_ms;
    return gws__triangles_end(status, &made, result);
}

gws_status gws_triangles(struct gws_runtime *runtime, const struct gws_graph *graph,
                         const struct gws_triangles_options *options, struct gws_triangles_result *result)
{
    return GWS_CALL(runtime, NULL, triangles(runtime, graph, options, result));
}
