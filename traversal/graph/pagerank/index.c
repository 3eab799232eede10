/* SPDX-License-Identifier: MIT */
/* The index of PageRank: the rows that pull reads, with vertices numbered by descending out-degree. The values of hubs,
 * which most arcs read, then lie side by side and stay in the nearest caches, and rows of equal length are adjacent.
 * The arcs of a row keep their order, so the build needs no sort. */
#include "../../../lib/parallel.h"
#include "../../pagerank.h"

struct build {
    const struct gws_graph *graph, *in;
    struct gws_pagerank_index *index;
    uint32_t *vertex; /* the vertex at each place */
};

static void place_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct build *build = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t place = build->index->number[v];
        build->vertex[place] = (uint32_t)v;
        build->index->degree[place] = (uint32_t)gws_graph_degree(build->graph, (uint32_t)v);
        build->index->offset[place + (uint64_t)1] = gws_graph_degree(build->in, (uint32_t)v);
    }
}

static void copy_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct build *build = context;
    const struct gws_pagerank_index *index = build->index;
    (void)worker;
    for (uint64_t place = begin; place < end; place++) {
        const uint32_t *from = build->in->target + build->in->offset[build->vertex[place]];
        uint64_t arcs = index->offset[place + 1] - index->offset[place];
        uint32_t *to = index->source + index->offset[place];
        for (uint64_t i = 0; i < arcs; i++) to[i] = index->number[from[i]];
    }
}

static gws_status fill(struct gws_runtime *runtime, const struct build *build)
{
    uint64_t *offset = build->index->offset;
    gws_status status = gws_parallel_try_for(runtime, build->graph->vertices, 4096, place_vertices, (void *)build);
    if (status != GWS_OK) return status;
    offset[0] = 0;
    for (uint64_t place = 0; place < build->graph->vertices; place++) offset[place + 1] += offset[place];
    const struct gws_loop rows = {
        .count = build->graph->vertices, .grain = 256, .chunk = 64, .body = copy_rows, .context = (void *)build};
    return gws_parallel_try(runtime, &rows);
}

static gws_status pagerank_index_build(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       struct gws_pagerank_index *index)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    double began = gws_clock_ms();
    if (!in) return GWS_NEEDS_REVERSE;
    struct gws_pagerank_index made = {
        .graph = graph, .vertices = graph->vertices, .arcs = graph->arcs, .allocator = *gws_runtime_allocator(runtime)};
    struct build build = {.graph = graph, .in = in, .index = &made};
    made.number = gws_allocate(runtime, graph->vertices, sizeof *made.number);
    made.offset = gws_allocate(runtime, graph->vertices + 1, sizeof *made.offset);
    made.source = gws_allocate(runtime, graph->arcs, sizeof *made.source);
    made.degree = gws_allocate(runtime, graph->vertices, sizeof *made.degree);
    build.vertex = gws_allocate(runtime, graph->vertices, sizeof *build.vertex);
    gws_status status =
        made.number && made.offset && made.source && made.degree && build.vertex ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) status = gws_graph_order(runtime, graph, GWS_ORDER_DEGREE, 0, made.number);
    if (status == GWS_OK) status = fill(runtime, &build);
    gws_release(runtime, build.vertex, graph->vertices, sizeof *build.vertex);
    if (status != GWS_OK) {
        gws_pagerank_index_clear(&made);
        return status;
    }
    made.bytes = 16 * graph->vertices + 8 + 4 * graph->arcs;
    made.ms = gws_clock_ms() - began;
    *index = made;
    return GWS_OK;
}

gws_status gws_pagerank_index_build(struct gws_runtime *runtime, const struct gws_graph *graph,
                                    struct gws_pagerank_index *index)
{
    return GWS_CALL(runtime, NULL, pagerank_index_build(runtime, graph, index));
}

static void release(const struct gws_allocator *allocator, void *memory, uint64_t bytes)
{
    if (memory) allocator->release(allocator->context, memory, bytes > 0 ? (size_t)bytes : 1);
}

void gws_pagerank_index_clear(struct gws_pagerank_index *index)
{
    if (!index) return;
    release(&index->allocator, index->number, index->vertices * sizeof *index->number);
    release(&index->allocator, index->offset, (index->vertices + 1) * sizeof *index->offset);
    release(&index->allocator, index->source, index->arcs * sizeof *index->source);
    release(&index->allocator, index->degree, index->vertices * sizeof *index->degree);
    *index = (struct gws_pagerank_index){0};
}
