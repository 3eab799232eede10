/* SPDX-License-Identifier: MIT */
/* Functions of the programs that count bus traffic. Each exits at the first failure. */
#ifndef GWS_BENCH_BUS_COUNTING_H
#define GWS_BENCH_BUS_COUNTING_H

#include <stdio.h>
#include <stdlib.h>

#include "../../graphws.h"

static inline void must(gws_status status)
{
    if (status == GWS_OK) return;
    fprintf(stderr, "error: %s\n", gws_status_text(status));
    exit(EXIT_FAILURE);
}

/* Returns zeroed memory, never NULL, even for a count of 0. */
static inline void *allocate_zeroed(uint64_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) must(GWS_NO_MEMORY);
    return memory;
}

/* Takes ownership of the graph. Returns a directed graph with about every other arc of the given graph, and with its
 * reverse. */
static inline struct gws_graph *half(struct gws_runtime *runtime, struct gws_graph *graph)
{
    struct gws_graph *directed = NULL;
    struct gws_edge *edge = allocate_zeroed(graph->arcs, sizeof *edge);
    uint64_t edges = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++)
            if ((a * 2654435761U >> 7) % 2 != 0) edge[edges++] = (struct gws_edge){v, graph->target[a]};
    struct gws_edge_block block = {.edge = edge, .count = edges};
    struct gws_edges all = {graph->vertices, 1, &block};
    must(gws_graph_build(runtime, &all, NULL, &directed));
    must(gws_graph_add_reverse(runtime, directed));
    gws_graph_destroy(graph);
    free(edge);
    return directed;
}

#endif
