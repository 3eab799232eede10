/* SPDX-License-Identifier: MIT */
/* Bottom-up levels. All ranks gather the frontier as a bitmap. Each unreached vertex looks for the first vertex of its
 * row in it, which is its smallest parent, because rows ascend. */
#include <string.h>

#include "bfs_state.h"

enum { looks = 64 };

/* Rows whose first arcs a worker has requested from memory, and what it found. */
struct pull_worker {
    uint32_t row[looks];
    uint32_t count;
    uint64_t found, arcs;
};

/* Returns the first vertex of the row in the frontier, or GWS_NO_VERTEX. */
static uint32_t find_parent(const struct gws_rank_graph *reverse, const uint64_t *front, uint64_t row)
{
    for (uint64_t arc = reverse->offset[row]; arc < reverse->offset[row + 1]; arc++) {
        const uint32_t from = reverse->target[arc];
        if (front[from / 64] >> from % 64 & 1) return from;
    }
    return GWS_NO_VERTEX;
}

/* relaxed, as all atomic operations of this file: no other thread has these words or vertices in the loop. */
static void look_up(struct gws__rank_bfs *search, struct pull_worker *me)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    for (uint32_t i = 0; i < me->count; i++) {
        const uint64_t row = me->row[i], bit = UINT64_C(1) << row % 64;
        const uint32_t parent = find_parent(search->reverse, memory->front, row);
        if (parent == GWS_NO_VERTEX) continue;
        atomic_store_explicit(&memory->shared.depth[row], search->level + 1, memory_order_relaxed);
        atomic_store_explicit(&memory->shared.parent[row], parent, memory_order_relaxed);
        memory->next[row / 64] |= bit;
        gws__rank_bfs_mark_word(memory, (search->graph->first + row) / 64, bit);
        me->arcs += gws__rank_degree(search->graph, row);
        me->found++;
    }
    me->count = 0;
}

/* Requests the rows of a word's open vertices, and looks them up as soon as there are enough. A vertex without arcs
 * counts as known, so later levels skip it. */
static void look_at_word(struct gws__rank_bfs *search, struct pull_worker *me, uint64_t word)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    const uint64_t *offset = search->reverse->offset, left = memory->rows - word * 64, at = search->graph->first / 64;
    const uint64_t old = atomic_load_explicit(&memory->shared.known[at + word], memory_order_relaxed);
    uint64_t alone = 0;
    memory->next[word] = 0;
    for (uint64_t open = ~old & (left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX); open; open &= open - 1) {
        const uint64_t row = word * 64 + (uint64_t)__builtin_ctzll(open);
        if (offset[row] == offset[row + 1]) {
            alone |= open & (0 - open);
            continue;
        }
        __builtin_prefetch(&search->reverse->target[offset[row]]);
        me->row[me->count++] = (uint32_t)row;
        if (me->count == looks) look_up(search, me);
    }
    if (alone) gws__rank_bfs_mark_word(memory, at + word, alone);
}

static void pull_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_bfs *search = context;
    struct pull_worker me = {.count = 0};
    (void)worker;
    for (uint64_t word = begin; word < end; word++) look_at_word(search, &me, word);
    look_up(search, &me);
    atomic_fetch_add_explicit(&search->found, me.found, memory_order_relaxed);
    atomic_fetch_add_explicit(&search->found_arcs, me.arcs, memory_order_relaxed);
}

/* Adds the frontier to the known vertices. */
static void merge_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__rank_bfs *search = context;
    (void)worker;
    for (uint64_t word = begin; word < end; word++)
        if (search->memory->front[word]) gws__rank_bfs_mark_word(search->memory, word, search->memory->front[word]);
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
    search->count = atomic_load_explicit(&search->found, memory_order_relaxed);
    search->arcs = atomic_load_explicit(&search->found_arcs, memory_order_relaxed);
    uint64_t sum[] = {search->count, search->arcs, search->status != GWS_OK};
    gws_transport_sum(search->graph->transport, sum, 3);
    if (sum[2] > 0) return gws_transport_agree(search->graph->transport, search->status);
    search->max_size = sum[0];
    search->max_arcs = sum[1];
    search->pulling = true;
    search->pulls++;
    return GWS_OK;
}
