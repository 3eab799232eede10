/* SPDX-License-Identifier: MIT */
/* Completes the result of a search. Counts reached arcs, and fetches arrays that the strategy left on the device. */
#include <stdatomic.h>

#include "state.h"

/* ---- reached arcs ---- */

struct reached_sum {
    const struct gws_bfs_device *search;
    _Atomic uint64_t sum;
};

/* Adds up the arcs. The loop has no branch, because the CPU cannot predict which vertices are reached. */
static void add_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct reached_sum *arcs = context;
    const uint64_t *offset = arcs->search->graph->offset;
    const uint32_t *depth = arcs->search->result->depth;
    uint64_t sum = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) sum += (offset[v + 1] - offset[v]) * (depth[v] != GWS_NO_VERTEX);
    atomic_fetch_add_explicit(&arcs->sum, sum, memory_order_relaxed);
}

uint64_t gws__bfs_device_reached_arcs(const struct gws_bfs_device *search)
{
    enum { min_parallel = 1 << 17 };
    struct reached_sum arcs = {.search = search};
    if (search->result->reached == search->graph->vertices) return search->graph->arcs;
    gws__engine_uncounted(search->runtime, search->graph->vertices, min_parallel, add_arcs, &arcs);
    return atomic_load_explicit(&arcs.sum, memory_order_relaxed);
}

/* Lets the device sum the degrees of the vertices that have a depth. */
static gws_status count_arcs(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws_bfs_result *result = search->result;
    if (result->reached == search->graph->vertices) result->reached_arcs = search->graph->arcs;
    if (result->reached_arcs > 0) return GWS_OK;
    return gws__device_graph_reached_arcs(search->device_graph, search->array[gws__bfs_depth], &result->reached_arcs,
                                          where);
}

gws_status gws__bfs_device_finish(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    if (!search->strategy->on_device) return GWS_OK;
    search->narrowed = false;
    search->result->depth = search->result->parent = NULL; /* the scratch still owns the arrays */
    search->result->narrow = NULL;
    return count_arcs(search, where);
}

/* ---- fetching ---- */

static gws_status narrow_on_device(struct gws_bfs_device *search, uint64_t bytes, struct gws_diagnostic *where)
{
    struct gws_bfs_result *result = search->result;
    gws_status status = GWS_OK;
    if (search->narrow && gws_device_buffer_bytes(search->narrow) < bytes) {
        gws_device_buffer_free(search->narrow);
        search->narrow = NULL;
    }
    if (!search->narrow) status = gws_device_buffer_new(search->device, bytes, &search->narrow, where);
    search->narrowed = status == GWS_OK;
    if (status == GWS_OK)
        status = gws__device_graph_narrow(search->device_graph, search->array[gws__bfs_depth], search->narrow,
                                          result->vertices, result->narrow_bytes, where);
    return status == GWS_OK ? gws_device_read(search->narrow, 0, result->scratch->narrow, bytes, where) : status;
}

/* Narrows the depths to the fewest bytes per entry that can hold the largest depth. The device narrows depths in its
 * memory, and the workers narrow all others. */
static gws_status fetch_narrow(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws_bfs_result *result = search->result;
    result->narrow_bytes = gws__narrow_bytes(result->levels);
    uint64_t bytes = (result->vertices * result->narrow_bytes + 3) / 4 * 4;
    if (gws__bfs_reserve_narrow(search->runtime, result, bytes) != GWS_OK)
        return gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (search->strategy->on_device) return narrow_on_device(search, bytes, where);
    gws__narrow(search->runtime, result->depth, result->scratch->narrow, result->vertices, result->narrow_bytes);
    return GWS_OK;
}

gws_status gws_bfs_device_fetch(struct gws_bfs_device *search, uint32_t parts, struct gws_bfs_result *result,
                                struct gws_diagnostic *where)
{
    const uint32_t known = GWS_BFS_DEPTH | GWS_BFS_PARENT | GWS_BFS_NARROW;
    gws_status status = gws_diagnostic_status(where, gws_call_begin(search->runtime));
    if (status != GWS_OK) return status;
    if ((parts & ~known) || !result || result != search->result || !result->scratch)
        return gws_call_end(search->runtime, gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                                                "unknown part, or not the result of the last search"));
    const uint32_t left = search->strategy->on_device ? parts : 0; /* parts that run() left on the device */
    if (status == GWS_OK && (left & GWS_BFS_DEPTH))
        status = gws_device_read(search->array[gws__bfs_depth], 0, result->scratch->depth, result->vertices * 4, where);
    if (status == GWS_OK && (left & GWS_BFS_PARENT))
        status =
            gws_device_read(search->array[gws__bfs_parent], 0, result->scratch->parent, result->vertices * 4, where);
    if (status == GWS_OK && (parts & GWS_BFS_NARROW)) status = fetch_narrow(search, where);
    if (status == GWS_OK) gws__bfs_attach_arrays(result, parts);
    return gws_call_end(search->runtime, status);
}

struct gws_device_buffer *gws_bfs_device_buffer(const struct gws_bfs_device *search, enum gws_bfs_part part)
{
    if (!search->result || !search->strategy->on_device) return NULL;
    if (part == GWS_BFS_NARROW) return search->narrowed ? search->narrow : NULL;
    return search->array[part == GWS_BFS_DEPTH ? gws__bfs_depth : gws__bfs_parent];
}
