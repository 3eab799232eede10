/* SPDX-License-Identifier: MIT */
/* One top-down level on several workers. Each takes chunks of the frontier, looks at their arcs, claims what is
 * unvisited in the bitmap, and batches its claims; a full batch reserves its place in the output frontier with one
 * atomic add (Abdelmageed, section 3.4.1.2, after Luo, Wong, Hwu, DAC 2010). */
#include "bfs_state.h"

/* About as many arcs as are worth one more worker. */
enum { arcs_worth_a_worker = 2048, ahead = 8 };

static void flush(struct gws__bfs *bfs, struct gws__bfs_worker *me)
{
    if (me->claims == 0) return;
    /* relaxed: the place is unique by the add alone; what is put there is published by the end of the loop. */
    uint64_t to = atomic_fetch_add_explicit(&bfs->tail, me->claims, memory_order_relaxed);
    me->degrees += gws__bfs_settle(bfs, me->claim, me->claims, to);
    me->found += me->claims;
    me->flushed = (struct gws_range){to - bfs->end, to - bfs->end + me->claims};
    me->flushes++;
    me->claims = 0;
}

/* relaxed throughout: a bit decides who owns the vertex and carries no data; depth, parent and queue entries are
 * written by the owner and read after the end of the loop, which orders them. A stale 0 costs a failed fetch_or. */
static void claim_shared(struct gws__bfs *bfs, struct gws__bfs_worker *me, uint32_t arcs)
{
    if (me->claims + arcs > bfs_room) flush(bfs, me);
    for (uint32_t i = 0; i < arcs; i++) {
        struct gws__bfs_claim one = me->arc[i];
        _Atomic uint64_t *word = &bfs->visited[one.vertex >> 6];
        uint64_t bit = (uint64_t)1 << (one.vertex & 63);
        if (atomic_load_explicit(word, memory_order_relaxed) & bit) continue;
        if (atomic_fetch_or_explicit(word, bit, memory_order_relaxed) & bit) continue;
        me->claim[me->claims++] = one;
    }
}

static void expand(struct gws__bfs *bfs, struct gws__bfs_worker *me, uint32_t vertex, struct gws__bfs_entry *entry,
                   uint32_t *arcs)
{
    do {
        gws__bfs_gather(bfs->graph, vertex, entry, me->arc, arcs);
        if (*arcs < bfs_room) continue;
        claim_shared(bfs, me, *arcs);
        *arcs = 0;
    } while (entry->degree);
}

static void expand_entries(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_worker *me = &bfs->scratch->worker[worker];
    uint32_t arcs = 0;
    for (uint64_t i = begin; i < end; i++) expand(bfs, me, bfs->queue[bfs->begin + i], &bfs->entry[i], &arcs);
    claim_shared(bfs, me, arcs);
}

static void expand_queue(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_worker *me = &bfs->scratch->worker[worker];
    const uint64_t *offset = bfs->graph->offset;
    const uint32_t *queue = bfs->queue + bfs->begin;
    uint32_t arcs = 0;
    for (uint64_t i = begin; i < end; i++) {
        if (i + 2 * ahead < end) __builtin_prefetch(&offset[queue[i + 2 * ahead]]);
        if (i + ahead < end) __builtin_prefetch(&bfs->graph->target[offset[queue[i + ahead]]]);
        struct gws__bfs_entry entry = gws__bfs_bounds(bfs->graph, queue[i]);
        gws__bfs_first_targets(bfs->graph, &entry);
        expand(bfs, me, queue[i], &entry, &arcs);
    }
    claim_shared(bfs, me, arcs);
}

static void expand_finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    struct gws__bfs *bfs = context;
    flush(bfs, &bfs->scratch->worker[worker]);
}

/* Moves a frontier that bottom-up left in a bitmap to the queue: each chunk counts its bits and reserves once. */
static void enqueue_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs *bfs = context;
    uint64_t count = 0;
    for (uint64_t w = begin; w < end; w++) count += (uint64_t)__builtin_popcountll(bfs->front[w]);
    if (count == 0) return;
    uint64_t to = atomic_fetch_add_explicit(&bfs->tail, count, memory_order_relaxed); /* as in flush() */
    for (uint64_t w = begin; w < end; w++)
        for (uint64_t bits = bfs->front[w]; bits; bits &= bits - 1)
            bfs->queue[to++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
}

static void enqueue(struct gws__bfs *bfs)
{
    bfs->begin = bfs->end;
    atomic_store_explicit(&bfs->tail, bfs->begin, memory_order_relaxed);
    gws_parallel_for(bfs->runtime, bfs->words, 4096, enqueue_words, bfs);
    bfs->end = atomic_load_explicit(&bfs->tail, memory_order_relaxed);
    bfs->in_bitmap = bfs->has_entries = bfs->has_parts = false;
}

void gws__bfs_top_down(struct gws__bfs *bfs)
{
    if (bfs->in_bitmap) enqueue(bfs);
    uint64_t workers = bfs->degrees / arcs_worth_a_worker + 1;
    struct gws_loop loop = {
        .count = bfs->size,
        .part = bfs->has_parts ? bfs->part : NULL,
        .grain = (uint32_t)(bfs->size / workers + 1),
        .body = bfs->has_entries ? expand_entries : expand_queue,
        .finish = expand_finish,
        .context = bfs,
    };
    atomic_store_explicit(&bfs->tail, bfs->end, memory_order_relaxed);
    gws_parallel_run(bfs->runtime, &loop);
    gws__bfs_advance(bfs, atomic_load_explicit(&bfs->tail, memory_order_relaxed));
}
