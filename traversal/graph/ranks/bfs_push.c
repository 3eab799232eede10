/* SPDX-License-Identifier: MIT */
/* Top-down levels. Workers read the rows of the frontier. They claim the rank's own vertices, and put others into the
 * outbox, whose owners claim them, and know their parents from then on. Of several parents the smallest remains, by an
 * atomic minimum. */
#include <string.h>

#include "bfs_state.h"

enum { ahead = 16 };

static void lower(_Atomic uint32_t *word, uint32_t value)
{
    /* relaxed, as all atomic operations here: the search reads the results after the loop's barrier. */
    uint32_t old = atomic_load_explicit(word, memory_order_relaxed);
    while (value < old &&
           !atomic_compare_exchange_weak_explicit(word, &old, value, memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* Offers a parent to a vertex of this rank. */
static void claim(struct gws__rank_bfs *search, uint32_t row, uint32_t parent)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    const uint32_t depth = search->level + 1;
    uint32_t old = atomic_load_explicit(&memory->shared.depth[row], memory_order_relaxed);
    if (old < depth) return;
    if (old > depth && atomic_compare_exchange_strong_explicit(&memory->shared.depth[row], &old, depth,
                                                               memory_order_relaxed, memory_order_relaxed)) {
        search->output[atomic_fetch_add_explicit(&search->found, 1, memory_order_relaxed)] = row;
        atomic_fetch_add_explicit(&search->found_arcs, gws__rank_degree(search->graph, row), memory_order_relaxed);
    }
    lower(&memory->shared.parent[row], parent);
}

static void add(_Atomic uint64_t *sum, uint64_t value)
{
    atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + value, memory_order_relaxed);
}

/* The same while only one thread works. */
static void claim_alone(struct gws__rank_bfs *search, uint32_t row, uint32_t parent)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    const uint32_t depth = search->level + 1,
                   old = atomic_load_explicit(&memory->shared.depth[row], memory_order_relaxed);
    if (old < depth) return;
    if (old > depth) {
        search->output[atomic_load_explicit(&search->found, memory_order_relaxed)] = row;
        add(&search->found, 1);
        add(&search->found_arcs, gws__rank_degree(search->graph, row));
        atomic_store_explicit(&memory->shared.depth[row], depth, memory_order_relaxed);
    }
    if (parent < atomic_load_explicit(&memory->shared.parent[row], memory_order_relaxed))
        atomic_store_explicit(&memory->shared.parent[row], parent, memory_order_relaxed);
}

static void push_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_bfs *search = context;
    const struct gws_rank_graph *graph = search->graph;
    const bool alone = search->memory->outbox.workers == 1;
    for (uint64_t i = search->step + begin; i < search->step + end; i++) {
        const uint32_t row = search->frontier[i], parent = (uint32_t)(graph->first + row);
        for (uint64_t arc = graph->offset[row]; arc < graph->offset[row + UINT64_C(1)]; arc++) {
            const uint32_t to = graph->target[arc];
            if (gws__rank_is_known(search->memory, to)) continue;
            if (to - graph->first < graph->rows && alone)
                claim_alone(search, (uint32_t)(to - graph->first), parent);
            else if (to - graph->first < graph->rows)
                claim(search, (uint32_t)(to - graph->first), parent);
            else
                gws__outbox_add(&search->memory->outbox, worker, (struct gws__pair){to, parent});
        }
    }
}

static void take_pairs(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_bfs *search = context;
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) {
        const uint64_t row = pair[i].vertex - search->graph->first;
        if (i + ahead < items)
            __builtin_prefetch(
                (const void *)&search->memory->shared.depth[pair[i + ahead].vertex - search->graph->first]);
        claim_alone(search, (uint32_t)row, pair[i].value);
        gws__rank_bfs_mark_word(search->memory, pair[i].value / 64, UINT64_C(1) << pair[i].value % 64);
    }
}

static void mark_output(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__rank_bfs *search = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        gws__rank_bfs_mark(search->memory, search->memory->shared.known, search->graph->first + search->output[i]);
}

static void mark_sent(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__rank_bfs *search = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        gws__rank_bfs_mark(search->memory, search->marks, search->memory->outbox.sorted[i].vertex);
}

/* Marks the vertices of the items that were sent last. Later steps of the level may find smaller parents for them, so
 * they are not known before it ends: until then memory->next has them. */
static void remember_sent(struct gws__rank_bfs *search, uint64_t sent)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    _Atomic uint64_t *next = (_Atomic uint64_t *)memory->next;
    const bool ends = search->step == search->count, begun = search->marks == next;
    if (!ends && !begun) memset(memory->next, 0, memory->words * sizeof *memory->next);
    search->marks = ends && !begun ? memory->shared.known : next;
    gws_parallel_for(search->runtime, sent, 4096, mark_sent, search);
    if (ends && begun) gws__rank_bfs_merge(search, memory->next);
}

/* Returns the end of the step that begins at search->step: its arcs fit the outbox, which has space for each row. */
static uint64_t end_of_step(const struct gws__rank_bfs *search)
{
    const uint64_t limit = gws__outbox_limit(&search->memory->outbox);
    uint64_t arcs = 0, end = search->step;
    while (end < search->count) {
        arcs += gws__rank_degree(search->graph, search->frontier[end]);
        if (arcs > limit && end > search->step) break;
        end++;
    }
    return end;
}

enum { of_more, of_failed, of_found, of_arcs, of_sent, sums };

/* Expands vertices until the outbox may be full. */
static void expand(struct gws__rank_bfs *search)
{
    const uint64_t end = end_of_step(search);
    gws_parallel_for(search->runtime, end - search->step, 64, push_rows, search);
    search->step = end;
    if (gws_cancelled(search->runtime)) search->status = GWS_CANCELLED;
}

/* Runs a level, or a part of it that fills the outbox at most once, and exchanges what is in the outbox. */
static void run_step(struct gws__rank_bfs *search, uint64_t sum[sums])
{
    struct gws__outbox *outbox = &search->memory->outbox;
    uint64_t sent;
    for (;;) {
        expand(search);
        sent = gws__outbox_flush_all(outbox);
        if (search->step == search->count || search->status != GWS_OK) break;
        if (!gws__outbox_send_part(outbox, take_pairs, search)) break;
        remember_sent(search, sent);
    }
    sum[of_more] = search->step < search->count;
    sum[of_failed] = search->status != GWS_OK;
    sum[of_found] = atomic_load_explicit(&search->found, memory_order_relaxed);
    sum[of_arcs] = atomic_load_explicit(&search->found_arcs, memory_order_relaxed);
    sum[of_sent] = sent + outbox->sent;
    gws__outbox_send(outbox, take_pairs, search, sum, sums);
    remember_sent(search, sent);
    atomic_store_explicit(&outbox->count, 0, memory_order_relaxed);
}

gws_status gws__rank_bfs_push(struct gws__rank_bfs *search)
{
    uint64_t sum[sums], sent = 0;
    search->step = 0;
    search->marks = NULL;
    atomic_store_explicit(&search->found, 0, memory_order_relaxed);
    atomic_store_explicit(&search->found_arcs, 0, memory_order_relaxed);
    do {
        run_step(search, sum);
        sent += sum[of_sent];
    } while (sum[of_more] > 0 && sum[of_failed] == 0);
    if (sum[of_failed] > 0) return gws_transport_agree(search->graph->transport, search->status);
    search->count = atomic_load_explicit(&search->found, memory_order_relaxed);
    search->arcs = atomic_load_explicit(&search->found_arcs, memory_order_relaxed);
    search->max_size = sum[of_found] + sent;
    search->max_arcs = sum[of_arcs] + sent * search->max_degree;
    search->sent += sent;
    gws_parallel_for(search->runtime, search->count, 4096, mark_output, search);
    uint32_t *output = search->output;
    search->output = search->frontier;
    search->frontier = output;
    return GWS_OK;
}
