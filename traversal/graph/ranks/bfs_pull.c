/* SPDX-License-Identifier: MIT */
/* Bottom-up levels. All ranks gather the frontier as a bitmap. Each unreached vertex looks for the first vertex of its
 * row in it, which is its smallest parent, because rows ascend. */
#include <string.h>

#include "bfs_state.h"

/* Returns the first vertex of the row in the frontier, or GWS_NO_VERTEX. */
static uint32_t find_parent(const struct gws_rank_graph *reverse, const uint64_t *front, uint64_t row)
{
    for (uint64_t arc = reverse->offset[row]; arc < reverse->offset[row + 1]; arc++) {
        const uint32_t from = reverse->target[arc];
        if (front[from / 64] >> from % 64 & 1) return from;
    }
    return GWS_NO_VERTEX;
}

/* relaxed: no other thread has this word or these vertices in the loop. */
static void pull_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_bfs *search = context;
    struct gws__rank_bfs_memory *memory = search->memory;
    _Atomic uint64_t *known = memory->known + search->graph->first / 64;
    uint64_t found = 0, arcs = 0;
    (void)worker;
    for (uint64_t word = begin; word < end; word++) {
        const uint64_t left = memory->rows - word * 64, old = atomic_load_explicit(&known[word], memory_order_relaxed);
        uint64_t reached = 0;
        for (uint64_t todo = ~old & (left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX); todo; todo &= todo - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(todo);
            const uint64_t row = word * 64 + bit;
            const uint32_t parent = find_parent(search->reverse, memory->front, row);
            if (parent == GWS_NO_VERTEX) continue;
            atomic_store_explicit(&memory->depth[row], search->level + 1, memory_order_relaxed);
            atomic_store_explicit(&memory->parent[row], parent, memory_order_relaxed);
            reached |= UINT64_C(1) << bit;
            arcs += gws__rank_degree(search->graph, row);
            found++;
        }
        memory->next[word] = reached;
        if (reached) atomic_store_explicit(&known[word], old | reached, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&search->found, found, memory_order_relaxed);
    atomic_fetch_add_explicit(&search->found_arcs, arcs, memory_order_relaxed);
}

/* Adds the frontier to the known vertices. */
static void merge_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__rank_bfs *search = context;
    struct gws__rank_bfs_memory *memory = search->memory;
    (void)worker;
    for (uint64_t word = begin; word < end; word++)
        if (memory->front[word])
            atomic_fetch_or_explicit(&memory->known[word], memory->front[word], memory_order_relaxed);
}

static void gather_frontier(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    uint64_t *own = memory->front + search->graph->first / 64;
    if (search->pulling) {
        memcpy(own, memory->next, memory->own_words * sizeof *own);
    } else {
        memset(own, 0, memory->own_words * sizeof *own);
        for (uint64_t i = 0; i < search->count; i++)
            own[search->frontier[i] / 64] |= UINT64_C(1) << search->frontier[i] % 64;
    }
    gws_transport_allgather(search->graph->transport, memory->front, memory->gathered);
    gws_parallel_for(search->runtime, memory->words, 4096, merge_words, search);
}

gws_status gws__rank_bfs_pull(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    atomic_store_explicit(&search->found, 0, memory_order_relaxed);
    atomic_store_explicit(&search->found_arcs, 0, memory_order_relaxed);
    gather_frontier(search);
    gws_parallel_for(search->runtime, memory->own_words, 8, pull_words, search);
    if (gws_cancelled(search->runtime)) search->status = GWS_CANCELLED;
    uint64_t sum[] = {atomic_load_explicit(&search->found, memory_order_relaxed),
                      atomic_load_explicit(&search->found_arcs, memory_order_relaxed), search->status != GWS_OK};
    gws_transport_sum(search->graph->transport, sum, 3);
    if (sum[2] > 0) return gws_transport_agree(search->graph->transport, search->status);
    search->size = sum[0];
    search->arcs = sum[1];
    search->pulling = true;
    search->pulls++;
    return GWS_OK;
}
