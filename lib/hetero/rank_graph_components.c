/* SPDX-License-Identifier: MIT */
/* Weak components of a rank's part of a graph, or of the whole graph in memory that all ranks share. */
#include "../graph/components.h"
#include "rank_graph.h"

static struct gws_graph rows_of(const struct gws_rank_graph *graph)
{
    return (struct gws_graph){
        .vertices = graph->rows, .arcs = graph->offset[graph->rows], .offset = graph->offset, .target = graph->target};
}

static gws_status find(struct gws_runtime *runtime, const struct gws_rank_graph *graph, struct gws__graph_rows rows,
                       uint32_t *component, uint32_t *large, uint64_t *count)
{
    const struct gws_graph out = rows_of(graph), in = rows_of(graph->reverse ? graph->reverse : graph);
    rows.out = &out;
    rows.in = graph->reverse ? &in : &out;
    rows.first = (uint32_t)graph->first;
    return gws__graph_row_components(runtime, &rows, component, large, count);
}

gws_status gws__rank_graph_fragments(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t *root,
                                     uint32_t *large)
{
    uint64_t fragments;
    return find(runtime, graph, (struct gws__graph_rows){.agree = NULL}, root, large, &fragments);
}

static gws_status agree(void *transport, gws_status status)
{
    return gws_transport_agree(transport, status);
}

gws_status gws__rank_graph_components(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                      uint32_t *component, uint32_t *large, uint64_t *count)
{
    const struct gws__graph_rows rows = {.agree = agree, .context = graph->transport, .vertices = graph->vertices};
    return find(runtime, graph, rows, component, large, count);
}
