/* SPDX-License-Identifier: MIT */
/* Compiled twice, by shared_weakest.c and shared_seq_cst.c: the queues that CPU workers share with groups, and what
 * works on the shared arrays. GWS_ORDER_CALLS is the table's name. */
#define GWS_HOST_WORKER
#include "../../../../kernels/portability/host.h"

#include "../../../../lib/hetero/queues_body.h"
#include "shared.h"

enum { ahead = 8 };

/* ---- ranges of a level; orders and owners as in kernels/bfs/bfs.cl ---- */

static void flush(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand)
{
    if (hand->count == 0) return;
    u32 to = atom_add(sides->tail, hand->count, order_relaxed);
    for (u32 i = 0; i < hand->count; i++) sides->list[to + i] = hand->found[i];
    hand->count = 0;
}

static void finish(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand)
{
    flush(sides, hand);
    if (hand->degrees > 0) (void)atom_add(sides->found, hand->degrees, order_relaxed);
    hand->degrees = 0;
}

static void reach(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand, u32 vertex, u32 parent)
{
    atom_store(&sides->parent[vertex], parent, order_relaxed);
    atom_store(&sides->depth[vertex], sides->level + 1, order_relaxed);
    hand->degrees += gws_graph_degree(sides->search->graph, vertex);
    if (hand->count == bfs_hand_room) flush(sides, hand);
    hand->found[hand->count++] = vertex;
}

static bool claim(struct gws__bfs_sides *sides, u32 vertex)
{
    u32 bit = 1u << vertex % 32;
    if (atom_load(&sides->visited[vertex / 32], order_relaxed) & bit) return false;
    return (atom_or(&sides->visited[vertex / 32], bit, order_relaxed) & bit) == 0;
}

static void top_down(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand, const u64 *range)
{
    const struct gws_graph *graph = sides->search->graph;
    const u32 *list = sides->list + sides->begin;
    for (u64 i = range[0]; i < range[1]; i++) {
        if (i + 2 * ahead < range[1]) __builtin_prefetch(&graph->offset[list[i + 2 * ahead]]);
        if (i + ahead < range[1]) __builtin_prefetch(&graph->target[graph->offset[list[i + ahead]]]);
        for (u64 arc = graph->offset[list[i]]; arc < graph->offset[list[i] + (u64)1]; arc++)
            if (claim(sides, graph->target[arc])) reach(sides, hand, graph->target[arc], list[i]);
    }
}

static void bottom_up(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand, const u64 *range)
{
    const struct gws_graph *in = sides->search->in;
    for (u64 v = range[0]; v < range[1]; v++) {
        if (atom_load(&sides->depth[v], order_relaxed) != GWS_NO_VERTEX) continue;
        for (u64 arc = in->offset[v]; arc < in->offset[v + 1]; arc++) {
            if (atom_load(&sides->depth[in->target[arc]], order_relaxed) != sides->level) continue;
            (void)atom_or(&sides->visited[v / 32], 1u << v % 32, order_relaxed);
            reach(sides, hand, (u32)v, in->target[arc]);
            break;
        }
    }
}

const struct gws__bfs_order_calls GWS_ORDER_CALLS = {
    .queue = {GWS__QUEUES},
    .top_down = top_down,
    .bottom_up = bottom_up,
    .flush = finish,
};
