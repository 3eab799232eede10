/* SPDX-License-Identifier: MIT */
/* Writing down what a top-down step reached, and fetching what the next one needs.
 *
 * For each vertex that is four accesses at random: depth, parent, row bounds, and (once these are known) arcs. They run
 * as a pipeline over blocks of claims: a block's bounds, depth and parent are asked for two blocks ahead, its arcs one
 * block ahead, so that some dozens of misses are always under way. */
#include "state.h"

enum { block = 16 };

static uint32_t block_end(uint32_t begin, uint32_t count)
{
    return begin + block < count ? begin + block : count;
}

static void ask_for_vertices(const struct gws__bfs *bfs, const struct gws__bfs_claim *claim, uint32_t i, uint32_t count)
{
    for (uint32_t end = block_end(i, count); i < end; i++) {
        __builtin_prefetch(&bfs->graph->offset[claim[i].vertex]);
        gws__bfs_prefetch_write(&bfs->depth[claim[i].vertex]);
        gws__bfs_prefetch_write(&bfs->parent[claim[i].vertex]);
    }
}

static uint64_t ask_for_arcs(const struct gws__bfs *bfs, const struct gws__bfs_claim *claim, uint32_t i, uint32_t count,
                             struct gws__bfs_entry *entry)
{
    uint64_t degrees = 0;
    for (uint32_t end = block_end(i, count); i < end; i++) {
        struct gws__bfs_entry its = gws__bfs_bounds(bfs->graph, claim[i].vertex);
        degrees += its.degree;
        if (!entry) continue;
        __builtin_prefetch(&bfs->graph->target[its.begin]);
        entry[i].begin = its.begin;
        entry[i].degree = its.degree;
    }
    return degrees;
}

static void write_down(const struct gws__bfs *bfs, const struct gws__bfs_claim *claim, uint32_t i, uint32_t count,
                       uint32_t *queue, struct gws__bfs_entry *entry)
{
    uint32_t depth = bfs->level + 1;
    for (uint32_t end = block_end(i, count); i < end; i++) {
        uint32_t vertex = claim[i].vertex;
        queue[i] = vertex;
        bfs->depth[vertex] = depth;
        bfs->parent[vertex] = claim[i].parent;
        if (entry) gws__bfs_first_targets(bfs->graph, &entry[i]);
    }
}

uint64_t gws__bfs_settle(struct gws__bfs *bfs, const struct gws__bfs_claim *claim, uint32_t count, uint64_t to)
{
    uint64_t place = to - bfs->end, degrees = 0;
    struct gws__bfs_entry *entry = place + count <= bfs_entries ? bfs->next_entry + place : NULL;
    for (uint32_t i = 0; i < count + 2 * block; i += block) {
        if (i < count) ask_for_vertices(bfs, claim, i, count);
        if (i >= block && i - block < count) degrees += ask_for_arcs(bfs, claim, i - block, count, entry);
        if (i >= 2 * block) write_down(bfs, claim, i - 2 * block, count, bfs->queue + to, entry);
    }
    return degrees;
}

void gws__bfs_fetch_entries(struct gws__bfs *bfs)
{
    for (uint64_t i = 0; i < bfs->size; i++) {
        bfs->entry[i] = gws__bfs_bounds(bfs->graph, bfs->queue[bfs->begin + i]);
        gws__bfs_first_targets(bfs->graph, &bfs->entry[i]);
    }
    bfs->has_entries = true;
}

void gws__bfs_advance(struct gws__bfs *bfs, uint64_t tail)
{
    struct gws__bfs_entry *old = bfs->entry;
    bfs->entry = bfs->next_entry;
    bfs->next_entry = old;
    bfs->begin = bfs->end;
    bfs->end = tail;
    bfs->has_parts = false;
    bfs->has_entries = bfs->end - bfs->begin <= bfs_entries;
}
