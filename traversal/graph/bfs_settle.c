/* SPDX-License-Identifier: MIT */
/* The two ends of a top-down step: fetching the arcs of a vertex, and writing down what was reached. */
#include <string.h>

#include "bfs_state.h"

enum { strip = 4 };

/* Road networks have two to four arcs a vertex: a strip of four is copied whatever the degree, so that no branch
 * depends on it. The room has space for a strip past its end; the graph's last arcs are copied with care. */
void gws__bfs_gather(const struct gws__bfs *bfs, uint32_t head, struct gws__bfs_row *row, struct gws__bfs_claim *arc,
                     uint32_t *arcs)
{
    const uint32_t *target = bfs->graph->target + row->begin;
    struct gws__bfs_claim *out = arc + *arcs;
    if (row->degree <= strip && row->begin + strip <= bfs->graph->arcs) {
        for (uint32_t i = 0; i < strip; i++) out[i] = (struct gws__bfs_claim){target[i], head};
        *arcs += (uint32_t)row->degree;
        row->degree = 0;
        return;
    }
    uint64_t count = bfs_room - *arcs < row->degree ? bfs_room - *arcs : row->degree;
    for (uint64_t i = 0; i < count; i++) out[i] = (struct gws__bfs_claim){target[i], head};
    *arcs += (uint32_t)count;
    row->begin += count;
    row->degree -= count;
}

uint64_t gws__bfs_settle(const struct gws__bfs *bfs, const struct gws__bfs_claim *claim, uint32_t count, uint64_t to,
                         struct gws__bfs_row *row)
{
    const struct gws_graph *graph = bfs->graph;
    uint32_t depth = bfs->level + 1;
    uint64_t degrees = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = claim[i].vertex;
        bfs->depth[vertex] = depth;
        bfs->parent[vertex] = claim[i].parent;
        bfs->queue[to + i] = vertex;
        struct gws__bfs_row its = gws__bfs_row_of(graph, vertex);
        degrees += its.degree;
        if (!row) continue;
        row[i] = its;
        gws__bfs_prefetch(graph->target + its.begin);
    }
    return degrees;
}
