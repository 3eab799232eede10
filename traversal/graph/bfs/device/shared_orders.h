/* SPDX-License-Identifier: MIT */
/* The work queues that CPU workers share with groups, and operations on the shared arrays. shared_weakest.c and
 * shared_seq_cst.c each compile this header. GWS_ORDER_CALLS is the name of the table. */
#define GWS_HOST_WORKER
#include "../../../../kernels/portability/host.h"

#include "../../../../lib/hetero/queues_body.h"
#include "shared.h"

enum { ahead = 8 };

/* ---- ranges of a level, with memory orders and owners as in kernels/bfs/bfs.cl ---- */

static void flush(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer)
{
    if (buffer->count == 0) return;
    u32 to = atom_add(hybrid->tail, buffer->count, order_relaxed);
    for (u32 i = 0; i < buffer->count; i++) hybrid->list[to + i] = buffer->found[i];
    buffer->count = 0;
}

static void finish(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer)
{
    flush(hybrid, buffer);
    if (buffer->degrees > 0) (void)atom_add(hybrid->found, buffer->degrees, order_relaxed);
    buffer->degrees = 0;
}

static void reach(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, u32 vertex, u32 parent)
{
    atom_store(&hybrid->parent[vertex], parent, order_relaxed);
    atom_store(&hybrid->depth[vertex], hybrid->level + 1, order_relaxed);
    buffer->degrees += gws_graph_degree(hybrid->search->graph, vertex);
    if (buffer->count == bfs_buffer_capacity) flush(hybrid, buffer);
    buffer->found[buffer->count++] = vertex;
}

static bool claim(struct gws__bfs_hybrid *hybrid, u32 vertex)
{
    u32 bit = 1u << vertex % 32;
    if (atom_load(&hybrid->visited[vertex / 32], order_relaxed) & bit) return false;
    return (atom_or(&hybrid->visited[vertex / 32], bit, order_relaxed) & bit) == 0;
}

static void top_down(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, const u64 *range)
{
    const struct gws_graph *graph = hybrid->search->graph;
    const u32 *list = hybrid->list + hybrid->begin;
    for (u64 i = range[0]; i < range[1]; i++) {
        if (i + 2 * ahead < range[1]) __builtin_prefetch(&graph->offset[list[i + 2 * ahead]]);
        if (i + ahead < range[1]) __builtin_prefetch(&graph->target[graph->offset[list[i + ahead]]]);
        for (u64 arc = graph->offset[list[i]]; arc < graph->offset[list[i] + (u64)1]; arc++)
            if (claim(hybrid, graph->target[arc])) reach(hybrid, buffer, graph->target[arc], list[i]);
    }
}

static void bottom_up(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, const u64 *range)
{
    const struct gws_graph *in = hybrid->search->in;
    for (u64 v = range[0]; v < range[1]; v++) {
        if (atom_load(&hybrid->depth[v], order_relaxed) != GWS_NO_VERTEX) continue;
        for (u64 arc = in->offset[v]; arc < in->offset[v + 1]; arc++) {
            if (atom_load(&hybrid->depth[in->target[arc]], order_relaxed) != hybrid->level) continue;
            (void)atom_or(&hybrid->visited[v / 32], 1u << v % 32, order_relaxed);
            reach(hybrid, buffer, (u32)v, in->target[arc]);
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
