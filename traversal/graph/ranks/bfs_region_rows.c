/* SPDX-License-Identifier: MIT */
/* A rank's own part of a region of levels (bfs_region.c).
 *
 * A vertex takes the smallest pair of depth and parent that it is offered. A vertex offers itself again whenever its
 * depth falls, so every neighbour that is one level closer to the source offers its exact depth, and the smallest of
 * them remains: the parent is that of the other levels. A neighbour's earlier offer with a larger depth loses, because
 * the neighbour offers a smaller one later.
 *
 * The vertices of a depth that are still to be searched are a doubly linked list: `next` and `previous` by row, in the
 * memory of the two frontiers of push. A vertex that is in no list is its own predecessor. Atomic operations are
 * relaxed throughout, because only the calling thread works. */
#include "bfs_state.h"

enum { cut_arcs = 1 << 15 }; /* of a rank in one level: a larger level ends the region */

/* ---- lists ---- */

static inline uint32_t *next_of(const struct gws__rank_bfs *search)
{
    return search->memory->list[0];
}

static inline uint32_t *previous_of(const struct gws__rank_bfs *search)
{
    return search->memory->list[1];
}

void gws__rank_region_link(struct gws__rank_bfs *search, uint32_t row, uint32_t level)
{
    struct gws__rank_region *region = &search->memory->region;
    uint32_t *next = next_of(search), *previous = previous_of(search), head = region->level[level].head;
    next[row] = head;
    previous[row] = GWS__RANK_NO_ROW;
    if (head != GWS__RANK_NO_ROW) previous[head] = row;
    region->level[level].head = row;
    if (level < region->lowest) region->lowest = level;
}

static void unlink_row(struct gws__rank_bfs *search, uint32_t row, uint32_t level)
{
    uint32_t *next = next_of(search), *previous = previous_of(search);
    if (previous[row] == row) return;
    if (previous[row] == GWS__RANK_NO_ROW)
        search->memory->region.level[level].head = next[row];
    else
        next[previous[row]] = next[row];
    if (next[row] != GWS__RANK_NO_ROW) previous[next[row]] = previous[row];
}

static uint32_t take_row(struct gws__rank_bfs *search, uint32_t level)
{
    const uint32_t row = search->memory->region.level[level].head;
    unlink_row(search, row, level);
    previous_of(search)[row] = row;
    return row;
}

/* ---- offers ---- */

/* Offers a depth, which is in the region, and a parent to a vertex of this rank. */
static void offer_here(struct gws__rank_bfs *search, uint32_t row, uint32_t depth, uint32_t parent)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws__rank_region *region = &memory->region;
    const uint32_t old = atomic_load_explicit(&memory->depth[row], memory_order_relaxed);
    if (old < depth) return;
    if (old == depth) {
        if (parent < atomic_load_explicit(&memory->parent[row], memory_order_relaxed))
            atomic_store_explicit(&memory->parent[row], parent, memory_order_relaxed);
        return;
    }
    const uint64_t degree = gws__rank_degree(search->graph, row), vertex = search->graph->first + row;
    if (old == GWS_NO_VERTEX) {
        region->found++;
        region->found_arcs += degree;
        gws__rank_bfs_mark_word(memory, vertex / 64, UINT64_C(1) << vertex % 64);
    } else {
        struct gws__rank_region_level *level = &region->level[old - search->level];
        level->size--;
        level->arcs -= degree;
        region->corrected++;
        unlink_row(search, row, old - search->level);
    }
    atomic_store_explicit(&memory->depth[row], depth, memory_order_relaxed);
    atomic_store_explicit(&memory->parent[row], parent, memory_order_relaxed);
    region->level[depth - search->level].size++;
    region->level[depth - search->level].arcs += degree;
    gws__rank_region_link(search, row, depth - search->level);
}

/* Remembers that a vertex of another rank has this depth and parent or better ones. Returns false if that was known. */
static bool remember(struct gws__rank_region *region, struct gws__rank_offer offer)
{
    struct gws__rank_offer *known = &region->known[offer.vertex % gws__region_cache];
    if (known->vertex == offer.vertex &&
        (known->depth < offer.depth || (known->depth == offer.depth && known->parent <= offer.parent)))
        return false;
    *known = offer;
    return true;
}

void gws__rank_region_take(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_bfs *search = context;
    const struct gws__rank_offer *offer = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) {
        offer_here(search, (uint32_t)(offer[i].vertex - search->graph->first), offer[i].depth, offer[i].parent);
        (void)remember(&search->memory->region,
                       (struct gws__rank_offer){offer[i].parent, offer[i].depth - 1, GWS_NO_VERTEX});
    }
}

static void search_row(struct gws__rank_bfs *search, uint32_t row, uint32_t depth)
{
    const struct gws_rank_graph *graph = search->graph;
    struct gws__rank_region *region = &search->memory->region;
    const uint32_t parent = (uint32_t)(graph->first + row);
    for (uint64_t arc = graph->offset[row]; arc < graph->offset[row + UINT64_C(1)]; arc++) {
        const uint32_t to = graph->target[arc];
        const struct gws__rank_offer offer = {to, depth, parent};
        if (to - graph->first < graph->rows)
            offer_here(search, (uint32_t)(to - graph->first), depth, parent);
        else if (!gws__rank_is_known(search->memory, to) && remember(region, offer))
            region->offer[region->offers++] = offer;
    }
}

/* ---- levels ---- */

bool gws__rank_region_search(struct gws__rank_bfs *search)
{
    struct gws__rank_region *region = &search->memory->region;
    for (; region->lowest < region->levels; region->lowest++) {
        uint64_t arcs = 0;
        while (region->level[region->lowest].head != GWS__RANK_NO_ROW) {
            const uint64_t degree = gws__rank_degree(search->graph, region->level[region->lowest].head);
            arcs += degree;
            if (arcs > cut_arcs) return false;
            if (region->offers + degree > region->capacity) return true;
            search_row(search, take_row(search, region->lowest), search->level + region->lowest + 1);
        }
    }
    return true;
}
