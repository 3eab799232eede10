/* SPDX-License-Identifier: MIT */
/* Compiled twice, by bfs_device_weakest.c and bfs_device_seq_cst.c: the words that CPU workers share with groups, from
 * the same texts as the device's, and what works on the shared arrays. GWS_ORDER_CALLS is the table's name. */
#define GWS_HOST_WORKER
#include "../../../../kernels/portability/host.h"

#include "../../../../kernels/queue/queue_words.h"

#include "hybrid.h"

enum { ahead = 8 };

/* ---- the containers: each text's words under names of its own ---- */

#define CONTAINER_WORDS(name)                                                                                          \
    static void name##_fill(atom64 *queue, u32 part, u32 parts, u64 count, u64 chunk)                                  \
    {                                                                                                                  \
        name##_queue_fill(queue, part, parts, count, chunk);                                                           \
    }                                                                                                                  \
    static void name##_take(atom64 *queue, u64 *stats, u32 self, u32 workers, u32 gpu, bool steals, u64 *range)        \
    {                                                                                                                  \
        name##_take_alone(queue, stats, self, workers, gpu, steals, range);                                            \
    }

static u64 part_given(atom64 *queue, u32 part)
{
    return queue_given(queue + part * QUEUE_STRIDE);
}

/* Of a part, or of the one that all share, from which chunks are handed out one after the other. */
static bool static_left(atom64 *queue, u32 part)
{
    const atom64 *q = queue + part * QUEUE_STRIDE;
    u64 next = atom_load(&q[QUEUE_ENDS], order_relaxed) * atom_load(&q[QUEUE_CHUNK], order_relaxed);
    return atom_load(&q[QUEUE_BEGIN], order_relaxed) + next < atom_load(&q[QUEUE_END], order_relaxed);
}

static bool cursor_left(atom64 *queue, u32 part)
{
    (void)part;
    return static_left(queue, 0);
}

/* clang-format off */
#define queue_fill static_queue_fill
#define queue_pop static_queue_pop
#define queue_steal static_queue_steal
#define queue_holds static_queue_holds
#define take_from static_take_from
#define take_alone static_take_alone
#include "../../../../kernels/queue/queue_static.cl"
#include "../../../../kernels/queue/take.cl"
#undef queue_fill
#undef queue_pop
#undef queue_steal
#undef queue_holds
#undef take_from
#undef take_alone
CONTAINER_WORDS(static)

#define queue_fill cursor_queue_fill
#define queue_pop cursor_queue_pop
#define queue_steal cursor_queue_steal
#define queue_holds cursor_queue_holds
#define take_from cursor_take_from
#define take_alone cursor_take_alone
#include "../../../../kernels/queue/queue_cursor.cl"
#include "../../../../kernels/queue/take.cl"
#undef queue_fill
#undef queue_pop
#undef queue_steal
#undef queue_holds
#undef take_from
#undef take_alone
CONTAINER_WORDS(cursor)

#define queue_fill chunked_queue_fill
#define queue_pop chunked_queue_pop
#define queue_steal chunked_queue_steal
#define queue_holds chunked_queue_holds
#define take_from chunked_take_from
#define take_alone chunked_take_alone
#include "../../../../kernels/queue/queue_chunked.cl"
#include "../../../../kernels/queue/take.cl"
#undef queue_fill
#undef queue_pop
#undef queue_steal
#undef queue_holds
#undef take_from
#undef take_alone
CONTAINER_WORDS(chunked)

#define queue_fill abp_queue_fill
#define queue_pop abp_queue_pop
#define queue_steal abp_queue_steal
#define queue_holds abp_queue_holds
#define queue_last abp_queue_last
#define take_from abp_take_from
#define take_alone abp_take_alone
#include "../../../../kernels/queue/queue_abp.cl"
#include "../../../../kernels/queue/take.cl"
CONTAINER_WORDS(abp)
/* clang-format on */

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

static void merge(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand, const u32 *vertex, const u32 *parent,
                  u64 count)
{
    for (u64 i = 0; i < count; i++)
        if (claim(sides, vertex[i])) reach(sides, hand, vertex[i], parent[i]);
}

const struct gws__bfs_order_calls GWS_ORDER_CALLS = {
    .queue = {[gws__bfs_static] = {static_fill, part_given, static_left, static_take},
              [gws__bfs_cursor] = {cursor_fill, part_given, cursor_left, cursor_take},
              [gws__bfs_chunked] = {chunked_fill, part_given, chunked_queue_holds, chunked_take},
              [gws__bfs_abp] = {abp_fill, part_given, abp_queue_holds, abp_take}},
    .top_down = top_down,
    .bottom_up = bottom_up,
    .merge = merge,
    .flush = finish,
};
