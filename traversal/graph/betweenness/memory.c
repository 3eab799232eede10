/* SPDX-License-Identifier: MIT */
/* Creates the arrays of betweenness centrality, reuses them for the next call, and frees them. Also finds the vertices
 * with long rows. */
#include <string.h>

#include "state.h"

static void release(struct gws__betweenness_scratch *scratch, enum gws__bc_array name)
{
    const struct gws_allocator *allocator = &scratch->allocator;
    if (scratch->array[name]) allocator->release(allocator->context, scratch->array[name], scratch->bytes[name]);
    scratch->array[name] = NULL;
}

void *gws__bc_array_of(struct gws__betweenness_scratch *scratch, enum gws__bc_array name, uint64_t count, uint64_t size)
{
    const struct gws_allocator *allocator = &scratch->allocator;
    if (count >= (uint64_t)PTRDIFF_MAX / size) return NULL;
    if (scratch->array[name] && count * size <= scratch->bytes[name]) return scratch->array[name];
    release(scratch, name);
    scratch->bytes[name] = (count > 0 ? count : 1) * size;
    scratch->array[name] = allocator->allocate(allocator->context, (size_t)scratch->bytes[name]);
    return scratch->array[name];
}

void gws__bc_free(struct gws__betweenness_scratch *scratch)
{
    if (!scratch) return;
    struct gws_allocator allocator = scratch->allocator;
    gws_bfs_result_clear(&scratch->bfs);
    for (int name = 0; name < gws__bc_arrays; name++) release(scratch, (enum gws__bc_array)name);
    allocator.release(allocator.context, scratch, sizeof *scratch);
}

/* ---- long rows ---- */

struct finding {
    const struct gws_graph *graph;
    struct gws__bc_heavy_rows *rows;
};

/* Finds vertices with long rows. relaxed: the addition only reserves a unique entry, and the end of the loop publishes
 * the entries. */
static void find(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct finding *finding = context;
    const uint64_t *offset = finding->graph->offset;
    for (uint64_t v = begin; v < end; v++)
        if (offset[v + 1] - offset[v] >= gws__bc_heavy)
            finding->rows->vertex[atomic_fetch_add_explicit(&finding->rows->count, 1, memory_order_relaxed)] =
                (uint32_t)v;
}

static void find_heavy(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws__bc_heavy_rows *rows)
{
    struct finding finding = {graph, rows};
    struct gws_loop loop = {
        .count = graph->vertices, .grain = 16384, .body = find, .context = &finding, .uncounted = true};
    atomic_store(&rows->count, 0);
    gws_parallel_run(runtime, &loop);
}

/* ---- the arrays ---- */

static bool fits(const struct gws_runtime *runtime, const struct gws__betweenness_scratch *scratch)
{
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    return scratch && scratch->allocator.allocate == allocator->allocate &&
           scratch->allocator.context == allocator->context;
}

gws_status gws__bc_open_scratch(struct gws_runtime *runtime, struct gws__betweenness_scratch **scratch)
{
    if (fits(runtime, *scratch)) return GWS_OK;
    struct gws__betweenness_scratch *fresh = gws_allocate(runtime, 1, sizeof *fresh);
    if (!fresh) return GWS_NO_MEMORY;
    memset(fresh, 0, sizeof *fresh);
    fresh->allocator = *gws_runtime_allocator(runtime);
    gws__bc_free(*scratch);
    *scratch = fresh;
    return GWS_OK;
}

static bool allocate(struct gws__betweenness_scratch *made, const struct gws_graph *graph)
{
    made->tag = gws__bc_array_of(made, GWS__BC_TAG, graph->vertices, sizeof *made->tag);
    made->value = gws__bc_array_of(made, GWS__BC_VALUE, graph->vertices, sizeof *made->value);
    made->in.vertex = gws__bc_array_of(made, GWS__BC_IN, graph->arcs / gws__bc_heavy, sizeof *made->in.vertex);
    made->out.vertex = gws__bc_array_of(made, GWS__BC_OUT, graph->arcs / gws__bc_heavy, sizeof *made->out.vertex);
    made->scale = NULL;
    return made->tag && made->value && made->in.vertex && made->out.vertex;
}

gws_status gws__bc_prepare(struct gws_runtime *runtime, const struct gws_graph *graph,
                           struct gws__betweenness_scratch **scratch)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    gws_status status = gws__bc_open_scratch(runtime, scratch);
    if (status != GWS_OK) return status;
    struct gws__betweenness_scratch *made = *scratch;
    if (!allocate(made, graph)) return GWS_NO_MEMORY;
    find_heavy(runtime, graph, &made->out);
    find_heavy(runtime, in, &made->in);
    uint64_t heavy = made->in.count > made->out.count ? made->in.count : made->out.count;
    uint64_t pieces = heavy ? graph->arcs / gws__bc_piece + heavy : 0;
    made->piece = gws__bc_array_of(made, GWS__BC_PIECE, pieces, sizeof *made->piece);
    return made->piece ? GWS_OK : GWS_NO_MEMORY;
}
