/* SPDX-License-Identifier: MIT */
/* Allocates the arrays of a result, reuses them, and fills them from the sums of all vertices. */
#include "result.h"

/* ---- memory ---- */

/* Releases an array of a result unless the other result has the same array. Arrays have 8-byte entries, one more than
 * vertices. */
static void release_array(const struct gws_triangles_result *result, void *array, const void *other)
{
    uint64_t bytes = (result->vertices + 1) * sizeof(uint64_t);
    if (array && array != other) result->allocator.release(result->allocator.context, array, bytes);
}

static void release_arrays(const struct gws_triangles_result *result, const struct gws_triangles_result *other)
{
    release_array(result, result->count, other->count);
    release_array(result, result->clustering, other->clustering);
}

void gws_triangles_result_clear(struct gws_triangles_result *result)
{
    if (!result) return;
    release_arrays(result, &(struct gws_triangles_result){0});
    *result = (struct gws_triangles_result){0};
}

static bool fits(const struct gws_triangles_result *old, const struct gws_triangles_result *made)
{
    return old->vertices == made->vertices && old->allocator.context == made->allocator.context &&
           old->allocator.release == made->allocator.release;
}

gws_status gws__triangles_begin(struct gws_runtime *runtime, uint32_t parts, const struct gws_triangles_result *old,
                                struct gws_triangles_result *made)
{
    bool counts = parts & GWS_TRIANGLES_COUNT, clusters = parts & GWS_TRIANGLES_CLUSTERING;
    if (parts & ~(uint32_t)(GWS_TRIANGLES_COUNT | GWS_TRIANGLES_CLUSTERING)) return GWS_INVALID;
    made->allocator = *gws_runtime_allocator(runtime);
    bool fit = fits(old, made);
    if (counts) made->count = fit ? old->count : NULL;
    if (clusters) made->clustering = fit ? old->clustering : NULL;
    if (counts && !made->count) made->count = gws_allocate(runtime, made->vertices + 1, sizeof *made->count);
    if (clusters && !made->clustering)
        made->clustering = gws_allocate(runtime, made->vertices + 1, sizeof *made->clustering);
    return (made->count || !counts) && (made->clustering || !clusters) ? GWS_OK : GWS_NO_MEMORY;
}

gws_status gws__triangles_end(gws_status status, const struct gws_triangles_result *made,
                              struct gws_triangles_result *result)
{
    release_arrays(status == GWS_OK ? result : made, status == GWS_OK ? made : result);
    if (status == GWS_OK) *result = *made;
    return status;
}

/* ---- contents ---- */

struct triangle_arrays {
    const struct gws_graph *graph;
    const struct gws__triangles_sums *sums;
    _Atomic uint64_t *mutual; /* see gws__triangles_mutual(); NULL: clustering[] ignores directions */
    const struct gws_triangles_result *made;
};

static uint64_t neighbours_of(const struct gws_graph *graph, uint64_t v)
{
    uint64_t neighbours = 0, end = graph->offset[v + 1];
    for (uint64_t a = graph->offset[v]; a < end; a++)
        neighbours += graph->target[a] != v && (a + 1 == end || graph->target[a] != graph->target[a + 1]);
    return neighbours;
}

static void fill_arrays(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct triangle_arrays *arrays = context;
    const struct gws__triangles_sums *sums = arrays->sums;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t count = sums->count[sums->rank ? sums->rank[v] : v];
        uint64_t arcs = count + (arrays->mutual ? arrays->mutual[v] : count); /* from a neighbour to a neighbour */
        if (arrays->made->count) arrays->made->count[v] = count;
        if (!arrays->made->clustering) continue;
        double neighbours = (double)neighbours_of(arrays->graph, v);
        arrays->made->clustering[v] = count ? (double)arcs / (neighbours * (neighbours - 1)) : 0;
    }
}

static double mean(const double *number, uint64_t count)
{
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) sum += number[i];
    return count ? sum / (double)count : 0;
}

gws_status gws__triangles_fill(struct gws_runtime *runtime, const struct gws_graph *graph,
                               const struct gws__triangles_sums *sums, struct gws_triangles_result *made)
{
    struct triangle_arrays arrays = {.graph = graph, .sums = sums, .made = made};
    gws_status status = GWS_OK;
    if (sums->original && !(arrays.mutual = gws_allocate(runtime, graph->vertices, sizeof *arrays.mutual)))
        return GWS_NO_MEMORY;
    if (sums->original) status = gws__triangles_mutual(runtime, sums->original, graph, arrays.mutual);
    if (status == GWS_OK) status = gws_parallel_try_for(runtime, graph->vertices, 1 << 12, fill_arrays, &arrays);
    gws_release(runtime, (void *)arrays.mutual, graph->vertices, sizeof *arrays.mutual);
    made->mean_clustering = made->clustering ? mean(made->clustering, graph->vertices) : 0;
    return status;
}
