/* SPDX-License-Identifier: MIT */
/* Bottom-up levels. All ranks gather the frontier as a bitmap. Each unreached vertex looks for the first vertex of its
 * row in it, which is its smallest parent, because rows ascend.
 *
 * Between hosts, the words of the next frontier travel as soon as their vertices are searched, if it looks as if the
 * next level will pull, too. If all ranks have sent all their words, the next level need not gather them. */
#include <string.h>

#include "bfs_state.h"

enum {
    looks = 64,
    pieces = 4, /* of a rank's words: each travels while the next is searched */
    min_piece = 512
};

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
        const uint64_t word = (search->graph->first + row) / 64;
        memory->next[word] |= bit;
        gws__rank_bfs_mark_word(memory, word, bit);
        me->arcs += gws__rank_degree(search->graph, row);
        me->found++;
    }
    me->count = 0;
}

/* Requests the rows of the open vertices of one of the rank's words, and looks them up as soon as there are enough. A
 * vertex without arcs counts as known, so later levels skip it. */
static void look_at_word(struct gws__rank_bfs *search, struct pull_worker *me, uint64_t word)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    const uint64_t *offset = search->reverse->offset, left = memory->rows - word * 64, at = search->graph->first / 64;
    const uint64_t old = atomic_load_explicit(&memory->shared.known[at + word], memory_order_relaxed);
    uint64_t alone = 0;
    memory->next[at + word] = 0;
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
    for (uint64_t word = search->step + begin; word < search->step + end; word++) look_at_word(search, &me, word);
    look_up(search, &me);
    atomic_fetch_add_explicit(&search->found, me.found, memory_order_relaxed);
    atomic_fetch_add_explicit(&search->found_arcs, me.arcs, memory_order_relaxed);
}

static uint64_t *own_words(const struct gws__rank_bfs *search, uint64_t *words)
{
    return words + search->graph->first / 64;
}

static void gather_frontier(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    uint64_t *own = own_words(search, memory->front);
    if (!search->pulling) {
        memset(own, 0, memory->own_words * sizeof *own);
        for (uint64_t i = 0; i < search->count; i++)
            own[search->frontier[i] / 64] |= UINT64_C(1) << search->frontier[i] % 64;
    }
    if (!search->gathered) gws_transport_allgather(search->graph->transport, memory->front, memory->gathered);
    gws__rank_bfs_merge(search, memory->front);
}

static void take_words(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__rank_bfs_memory *memory = context;
    memcpy(memory->next + memory->place[rank], data, items * sizeof *memory->next);
    memory->place[rank] += items;
}

/* Returns the message that has the own words from memory->sent to `end`. */
static struct gws_exchange message_of(struct gws__rank_bfs *search, uint64_t end)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    const uint64_t *from = own_words(search, memory->next) + memory->sent;
    for (uint64_t r = 0; r < memory->ranks; r++) memory->items[r] = end - memory->sent;
    memory->items[gws_transport_rank(search->graph->transport)] = 0;
    memory->sent = end;
    return (struct gws_exchange){.from = from,
                                 .items = memory->items,
                                 .item_bytes = sizeof *memory->next,
                                 .to_all = true,
                                 .receive = take_words,
                                 .context = memory};
}

/* Returns up to which word the words are to travel, if those before `end` are complete: all or no more, by what the
 * whole next frontier is if all vertices are reached like those of these words. */
static uint64_t end_to_send(const struct gws__rank_bfs *search, uint64_t end)
{
    const struct gws__rank_bfs_memory *memory = search->memory;
    if (!gws_transport_overlaps(search->graph->transport)) return memory->sent;
    const uint64_t found = atomic_load_explicit(&search->found, memory_order_relaxed);
    const uint64_t size = found * memory->words / (end > 0 ? end : 1);
    return !search->may_pull || gws__rank_bfs_leads_to_pull(search, size, 0, 0) ? end : memory->sent;
}

/* Searches the rank's vertices piece by piece; all pieces but the last travel meanwhile. */
static void search_pieces(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws_transport *transport = search->graph->transport;
    uint64_t piece = (memory->own_words + pieces - 1) / pieces;
    if (piece < min_piece) piece = min_piece;
    if (!gws_transport_overlaps(transport)) piece = memory->own_words;
    for (uint64_t end; search->step < memory->own_words; search->step = end) {
        const uint64_t left = memory->own_words - search->step, words = left < piece ? left : piece;
        end = search->step + words;
        gws_parallel_for(search->runtime, words, 8, pull_words, search);
        if (end == memory->own_words || end_to_send(search, end) == memory->sent) continue;
        const struct gws_exchange exchange = message_of(search, end);
        gws_transport_exchange_drain(transport, &exchange);
        gws_transport_exchange_part(transport, &exchange);
    }
}

enum { of_found, of_arcs, of_failed, of_gathered, sums };

/* Ends the level on all ranks. */
static void exchange_words(struct gws__rank_bfs *search, uint64_t sum[sums])
{
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws_exchange exchange = message_of(search, end_to_send(search, memory->own_words));
    sum[of_found] = search->count = atomic_load_explicit(&search->found, memory_order_relaxed);
    sum[of_arcs] = search->arcs = atomic_load_explicit(&search->found_arcs, memory_order_relaxed);
    sum[of_failed] = search->status != GWS_OK;
    sum[of_gathered] = memory->sent == memory->own_words;
    exchange.sum = sum;
    exchange.sums = sums;
    gws_transport_exchange(search->graph->transport, &exchange);
}

gws_status gws__rank_bfs_pull(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    uint64_t sum[sums], *front = memory->front;
    atomic_store_explicit(&search->found, 0, memory_order_relaxed);
    atomic_store_explicit(&search->found_arcs, 0, memory_order_relaxed);
    gather_frontier(search);
    search->pulling = true;
    search->step = memory->sent = 0;
    for (uint64_t r = 0; r < memory->ranks; r++) memory->place[r] = r * search->graph->block / 64;
    search_pieces(search);
    if (gws_cancelled(search->runtime)) search->status = GWS_CANCELLED;
    exchange_words(search, sum);
    if (sum[of_failed] > 0) return gws_transport_agree(search->graph->transport, search->status);
    memory->front = memory->next;
    memory->next = front;
    search->gathered = sum[of_gathered] == memory->ranks;
    search->max_size = sum[of_found];
    search->max_arcs = sum[of_arcs];
    search->pulls++;
    return GWS_OK;
}
