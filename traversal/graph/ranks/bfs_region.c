/* SPDX-License-Identifier: MIT */
/* Regions of levels: several levels with few exchanges, for the small frontiers of road maps. Each rank searches its
 * own vertices through all levels of the region, level by level of its own (bfs_region_rows.c). What it finds on other
 * ranks it sends at the end of a round, with depth and parent. A rank that receives a smaller depth continues from
 * there. The region ends after a round in which no rank sent anything (a label-correcting search, as delta-stepping is
 * within a bucket: Meyer and Sanders, 1998). Only the calling thread works. */
#include <string.h>

#include "bfs_state.h"

enum {
    min_levels = 4,
    max_arcs = 1 << 13,   /* of a frontier at which a region begins, for each rank; with more threads, fewer */
    growth = 2,           /* a frontier that grows more becomes large soon */
    max_corrections = 10, /* percent of the vertices found: shorter regions make fewer */
    pause_levels = 8      /* without a region after one that had a large level */
};

/* ---- rounds ---- */

/* Sorts the offers by owner into the outbox's other half. */
static struct gws__rank_offer *sort_offers(struct gws__rank_bfs *search, uint64_t *items)
{
    const struct gws_rank_graph *graph = search->graph;
    struct gws__rank_region *region = &search->memory->region;
    struct gws__rank_offer *sorted = (struct gws__rank_offer *)search->memory->outbox.sorted;
    const uint32_t ranks = gws_transport_ranks(graph->transport);
    memset(items, 0, ranks * sizeof *items);
    for (uint64_t i = 0; i < region->offers; i++) items[gws_rank_graph_owner(graph, region->offer[i].vertex)]++;
    for (uint64_t r = 0, sum = 0, own; r < ranks; sum += own, r++) {
        own = items[r];
        items[r] = sum;
    }
    for (uint64_t i = 0; i < region->offers; i++)
        sorted[items[gws_rank_graph_owner(graph, region->offer[i].vertex)]++] = region->offer[i];
    for (uint32_t r = ranks; --r > 0;) items[r] -= items[r - 1]; /* each is the end of its owner's offers */
    return sorted;
}

enum { of_open, of_sent, of_large, of_failed, of_size, of_arcs, of_found, of_found_arcs, of_corrected, sums };

/* Searches, and exchanges what was found. If sum[of_open] becomes 0, the other sums are those of the whole region. */
static void run_round(struct gws__rank_bfs *search, uint64_t sum[sums])
{
    struct gws__rank_region *region = &search->memory->region;
    region->offers = 0;
    sum[of_large] = !gws__rank_region_search(search);
    if (gws_cancelled(search->runtime)) search->status = GWS_CANCELLED;
    sum[of_open] = region->offers + (region->lowest < region->levels);
    sum[of_sent] = region->offers;
    sum[of_failed] = search->status != GWS_OK;
    sum[of_size] = region->level[region->levels].size;
    sum[of_arcs] = region->level[region->levels].arcs;
    sum[of_found] = region->found;
    sum[of_found_arcs] = region->found_arcs;
    sum[of_corrected] = region->corrected;
    const struct gws_exchange exchange = {.from = sort_offers(search, search->memory->outbox.items),
                                          .items = search->memory->outbox.items,
                                          .item_bytes = sizeof *region->offer,
                                          .receive = gws__rank_region_take,
                                          .context = search,
                                          .sum = sum,
                                          .sums = sums};
    gws_transport_exchange(search->graph->transport, &exchange);
    search->sent += sum[of_sent];
}

/* ---- the region ---- */

bool gws__rank_bfs_allows_region(const struct gws__rank_bfs *search)
{
    const uint64_t ranks = gws_transport_ranks(search->graph->transport);
    const uint64_t max = ranks * ranks * max_arcs / search->workers;
    return ranks > 1 && search->level >= search->min_region && search->size <= growth * search->last_size &&
           search->arcs <= max && search->size <= max;
}

void gws__rank_bfs_reset_region(struct gws__rank_bfs_memory *memory)
{
    memset(memory->region.known, 0xff, sizeof memory->region.known); /* no vertex */
    memory->region.levels = min_levels;
}

static void begin_region(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws__rank_region *region = &memory->region;
    uint32_t *frontier = (uint32_t *)memory->outbox.sorted; /* the lists lie where the frontier is */
    memcpy(frontier, search->frontier, search->count * sizeof *frontier);
    region->offer = (struct gws__rank_offer *)memory->outbox.pair;
    region->capacity = memory->outbox.capacity * sizeof *memory->outbox.pair / sizeof *region->offer;
    region->found = region->found_arcs = region->corrected = 0;
    region->lowest = region->levels;
    for (uint32_t i = 0; i <= region->levels; i++)
        region->level[i] = (struct gws__rank_region_level){.head = GWS__RANK_NO_ROW};
    for (uint64_t i = 0; i < search->count; i++) gws__rank_region_link(search, frontier[i], 0);
    region->level[0].size = search->count;
}

/* Forgets all that lies behind the first level, which becomes the frontier again. */
static void undo_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_bfs *search = context;
    struct gws__rank_bfs_memory *memory = search->memory;
    (void)worker;
    for (uint64_t row = begin; row < end; row++) {
        const uint64_t vertex = search->graph->first + row;
        const uint32_t depth = atomic_load_explicit(&memory->depth[row], memory_order_relaxed);
        if (depth == GWS_NO_VERTEX || depth < search->level) continue;
        if (depth == search->level) {
            search->frontier[atomic_fetch_add_explicit(&search->found, 1, memory_order_relaxed)] = (uint32_t)row;
            continue;
        }
        atomic_store_explicit(&memory->depth[row], GWS_NO_VERTEX, memory_order_relaxed);
        atomic_store_explicit(&memory->parent[row], GWS_NO_VERTEX, memory_order_relaxed);
        atomic_fetch_and_explicit(&memory->known[vertex / 64], ~(UINT64_C(1) << vertex % 64), memory_order_relaxed);
    }
}

static void undo_region(struct gws__rank_bfs *search)
{
    atomic_store_explicit(&search->found, 0, memory_order_relaxed);
    gws_parallel_for(search->runtime, search->memory->rows, 1 << 14, undo_rows, search);
    gws__rank_bfs_reset_region(search->memory);
    search->min_region = search->level + pause_levels;
}

/* Returns the last level of the region in which a rank has a vertex. */
static uint32_t find_last_level(const struct gws__rank_bfs *search)
{
    uint64_t last = search->memory->region.levels;
    while (last > 0 && search->memory->region.level[last].size == 0) last--;
    gws_transport_max(search->graph->transport, &last, 1);
    return (uint32_t)last;
}

/* The vertices behind the region become the frontier. */
static void end_region(struct gws__rank_bfs *search, const uint64_t sum[sums])
{
    struct gws__rank_region *region = &search->memory->region;
    const uint32_t *next = search->memory->list[0];
    search->frontier = search->memory->list[1];
    search->output = search->memory->list[0];
    search->count = 0;
    for (uint32_t row = region->level[region->levels].head; row != GWS__RANK_NO_ROW; row = next[row])
        search->frontier[search->count++] = row;
    search->size = sum[of_size];
    search->arcs = sum[of_arcs];
    search->reached += sum[of_found] - search->size;
    search->reached_arcs += sum[of_found_arcs] - search->arcs;
    search->unexplored -= sum[of_found_arcs] - search->arcs;
    search->level += search->size > 0 ? region->levels - 1 : find_last_level(search);
    search->last_size = search->size; /* so that the next region may follow */
    if (100 * sum[of_corrected] > max_corrections * sum[of_found])
        region->levels = region->levels > min_levels ? region->levels / 2 : min_levels;
    else
        region->levels = 2 * region->levels < gws__region_levels ? 2 * region->levels : gws__region_levels;
}

gws_status gws__rank_bfs_region(struct gws__rank_bfs *search, bool *done)
{
    uint64_t sum[sums];
    *done = false;
    begin_region(search);
    do run_round(search, sum);
    while (sum[of_open] > 0 && sum[of_large] + sum[of_failed] == 0);
    if (sum[of_failed] > 0) return gws_transport_agree(search->graph->transport, search->status);
    if (sum[of_large] > 0) {
        undo_region(search);
        return GWS_OK;
    }
    end_region(search, sum);
    *done = true;
    return GWS_OK;
}
