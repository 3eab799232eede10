/* SPDX-License-Identifier: MIT */
/* One bottom-up level: every unvisited vertex looks for a neighbour in the frontier and stops at the first (Beamer,
 * Asanovic, Patterson, SC 2012, section IV). A task is a word of 64 vertices, so each word of visited and next, and the
 * depth and parent of its vertices, have one writer and nothing is atomic.
 *
 * Two things are done on the way, since the arrays pass by anyway. The first bottom-up level of a search gives every
 * unreached vertex its GWS_NO_VERTEX, so that depth and parent need not be cleared before. And vertices without arcs
 * are marked visited, so that later levels skip them. */
#include "state.h"

enum { window = 256 }; /* vertices whose arcs are fetched together */

struct look {
    uint32_t vertex;
    struct gws__bfs_entry row;
};

static void set_bit(uint64_t *bitmap, uint32_t vertex)
{
    bitmap[vertex >> 6] |= (uint64_t)1 << (vertex & 63);
}

static uint32_t first_in_front(const struct gws__bfs *bfs, struct gws__bfs_entry row)
{
    const uint32_t *target = bfs->in->target + row.begin;
    for (uint64_t i = 0; i < row.degree; i++)
        if (bfs->front[target[i] >> 6] >> (target[i] & 63) & 1) return target[i];
    return GWS_NO_VERTEX;
}

static void look_up(struct gws__bfs *bfs, struct gws__bfs_worker *me, const struct look *look, uint32_t count)
{
    uint64_t *visited = (uint64_t *)bfs->visited;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = look[i].vertex, parent = first_in_front(bfs, look[i].row);
        if (parent == GWS_NO_VERTEX) {
            if (look[i].row.degree == 0) set_bit(visited, vertex);
            if (!bfs->filled) bfs->depth[vertex] = bfs->parent[vertex] = GWS_NO_VERTEX;
            continue;
        }
        set_bit(visited, vertex);
        set_bit(bfs->next, vertex);
        bfs->depth[vertex] = bfs->level + 1;
        bfs->parent[vertex] = parent;
        me->found++;
        me->made++;
        me->degrees += bfs->in == bfs->graph ? look[i].row.degree : gws_graph_degree(bfs->graph, vertex);
    }
}

static uint64_t unvisited(const struct gws__bfs *bfs, uint64_t word)
{
    uint64_t last = bfs->graph->vertices & 63;
    uint64_t mask = word + 1 == bfs->words && last ? ((uint64_t)1 << last) - 1 : UINT64_MAX;
    return ~((const uint64_t *)bfs->visited)[word] & mask;
}

static void search_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_worker *me = gws__bfs_desk(bfs, worker);
    struct look look[window];
    uint32_t count = 0;
    for (uint64_t w = begin; w < end; w++) {
        bfs->next[w] = 0;
        for (uint64_t bits = unvisited(bfs, w); bits; bits &= bits - 1) {
            uint32_t vertex = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
            look[count] = (struct look){vertex, gws__bfs_bounds(bfs->in, vertex)};
            __builtin_prefetch(bfs->in->target + look[count++].row.begin);
        }
        if (count <= window - 64) continue;
        look_up(bfs, me, look, count);
        count = 0;
    }
    look_up(bfs, me, look, count);
}

static void clear_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs *bfs = context;
    for (uint64_t w = begin; w < end; w++) bfs->front[w] = 0;
}

/* relaxed: bits of one word may come from two workers; they are read after the end of the loop. */
static void mark_queue(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs *bfs = context;
    _Atomic uint64_t *front = (_Atomic uint64_t *)bfs->front;
    for (uint64_t i = bfs->begin + begin; i < bfs->begin + end; i++) {
        uint64_t bit = (uint64_t)1 << (bfs->queue[i] & 63);
        atomic_fetch_or_explicit(&front[bfs->queue[i] >> 6], bit, memory_order_relaxed);
    }
}

void gws__bfs_front_to_bitmap(struct gws__bfs *bfs)
{
    gws__bfs_aside(bfs, bfs->words, 4096, clear_words);
    gws__bfs_aside(bfs, bfs->size, 1024, mark_queue);
    bfs->in_bitmap = true;
}

void gws__bfs_bottom_up(struct gws__bfs *bfs)
{
    if (!bfs->in_bitmap) gws__bfs_front_to_bitmap(bfs);
    gws_parallel_for(bfs->runtime, bfs->words, 64, search_words, bfs);
    uint64_t *old = bfs->front;
    bfs->front = bfs->next;
    bfs->next = old;
    bfs->filled = true;
}
