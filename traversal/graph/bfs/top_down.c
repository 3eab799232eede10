/* SPDX-License-Identifier: MIT */
/* One top-down level on several workers. Each takes chunks of the frontier, looks at their arcs, claims what is
 * unvisited in the bitmap, and batches its claims; a full batch reserves its place in the output frontier with one
 * atomic add (Abdelmageed, section 3.4.1.2, after Luo, Wong, Hwu, DAC 2010). */
#include "state.h"

/* About as many arcs as are worth one more worker. */
enum { arcs_worth_a_worker = 256, ahead = 8 };

static void flush(struct gws__bfs *bfs, struct gws__bfs_worker *me)
{
    if (me->claims == 0) return;
    /* relaxed: the place is unique by the add alone; what is put there is published by the end of the loop. */
    uint64_t to = atomic_fetch_add_explicit(&bfs->tail, me->claims, memory_order_relaxed);
    me->degrees += gws__bfs_settle(bfs, me->claim, me->claims, to);
    me->found += me->claims;
    me->made += me->claims;
    me->flushed = (struct gws_range){to - bfs->end, to - bfs->end + me->claims};
    me->flushes++;
    me->claims = 0;
}

/* Keeps, in place, the arcs to vertices that are not visited; without a branch, since half of them go either way.
 * relaxed: a stale 0 costs an atomic operation in claim(), no more. */
static uint32_t keep_unvisited(const struct gws__bfs *bfs, struct gws__bfs_claim *arc, uint32_t arcs)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        struct gws__bfs_claim one = arc[i];
        uint64_t word = atomic_load_explicit(&bfs->visited[one.vertex >> 6], memory_order_relaxed);
        arc[kept] = one;
        kept += (word >> (one.vertex & 63) & 1) == 0;
    }
    return kept;
}

/* relaxed: a bit decides who owns the vertex and carries no data; depth, parent and queue entries are written by the
 * owner and read after the end of the loop, which orders them. */
static void claim(struct gws__bfs *bfs, struct gws__bfs_worker *me, uint32_t arcs)
{
    uint32_t kept = keep_unvisited(bfs, me->arc, arcs);
    for (uint32_t i = 0; i < kept; i++) gws__bfs_prefetch_write(&bfs->visited[me->arc[i].vertex >> 6]);
    if (me->claims + kept > bfs_room) flush(bfs, me);
    for (uint32_t i = 0; i < kept; i++) {
        struct gws__bfs_claim one = me->arc[i];
        uint64_t bit = (uint64_t)1 << (one.vertex & 63);
        uint64_t word = atomic_fetch_or_explicit(&bfs->visited[one.vertex >> 6], bit, memory_order_relaxed);
        me->claim[me->claims] = one;
        me->claims += (word & bit) == 0;
    }
}

/* Copies arcs of entry, whose vertex is head, into arc[*arcs ..] until entry or room is used up, and moves on in entry.
 * A strip is copied whatever the degree, so that on road networks no branch depends on it. */
static void gather(const struct gws_graph *graph, uint32_t head, struct gws__bfs_entry *entry,
                   struct gws__bfs_claim *arc, uint32_t *arcs)
{
    struct gws__bfs_claim *out = arc + *arcs;
    if (entry->degree <= bfs_strip) {
        for (uint32_t i = 0; i < bfs_strip; i++) out[i] = (struct gws__bfs_claim){entry->target[i], head};
        *arcs += (uint32_t)entry->degree;
        entry->degree = 0;
        return;
    }
    const uint32_t *target = graph->target + entry->begin;
    uint64_t count = entry->degree;
    if (count > bfs_room - *arcs) count = bfs_room - *arcs;
    for (uint64_t i = 0; i < count; i++) out[i] = (struct gws__bfs_claim){target[i], head};
    *arcs += (uint32_t)count;
    entry->begin += count;
    entry->degree -= count;
    if (entry->degree <= bfs_strip)
        for (uint64_t i = 0; i < entry->degree; i++) entry->target[i] = graph->target[entry->begin + i];
}

static void expand(struct gws__bfs *bfs, struct gws__bfs_worker *me, uint32_t vertex, struct gws__bfs_entry *entry,
                   uint32_t *arcs)
{
    do {
        gather(bfs->graph, vertex, entry, me->arc, arcs);
        if (*arcs < bfs_room) continue;
        claim(bfs, me, *arcs);
        *arcs = 0;
    } while (entry->degree);
}

static void expand_entries(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_worker *me = gws__bfs_desk(bfs, worker);
    uint32_t arcs = 0;
    for (uint64_t i = begin; i < end; i++) expand(bfs, me, bfs->queue[bfs->begin + i], &bfs->entry[i], &arcs);
    claim(bfs, me, arcs);
}

static void expand_queue(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_worker *me = gws__bfs_desk(bfs, worker);
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
    claim(bfs, me, arcs);
}

/* The vertex of the frontier that the arc-th of all its arcs belongs to. */
static uint64_t owner_of(const struct gws__bfs *bfs, uint64_t arc)
{
    uint64_t low = 0, high = bfs->size;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (bfs->scratch->before[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A task here is an arc, so that a hub's row is shared out as well. */
static void expand_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_worker *me = gws__bfs_desk(bfs, worker);
    for (uint64_t i = owner_of(bfs, begin); begin < end; i++) {
        struct gws__bfs_entry rest = bfs->entry[i];
        rest.begin += begin - bfs->scratch->before[i];
        rest.degree -= begin - bfs->scratch->before[i];
        if (rest.degree > end - begin) rest.degree = end - begin;
        if (rest.degree == 0) continue;
        begin += rest.degree;
        gws__bfs_first_targets(bfs->graph, &rest);
        uint32_t arcs = 0;
        expand(bfs, me, bfs->queue[bfs->begin + i], &rest, &arcs);
        claim(bfs, me, arcs);
    }
}

/* Few vertices with long rows, such as the neighbours of a hub: to share those out by vertex would leave one worker
 * with most of the arcs. */
static bool is_heavy(const struct gws__bfs *bfs)
{
    enum { long_row = 64 };
    return bfs->has_entries && bfs->size <= bfs_heavy && bfs->degrees / long_row > bfs->size;
}

static void count_arcs_before(struct gws__bfs *bfs)
{
    uint64_t arcs = 0;
    for (uint64_t i = 0; i < bfs->size; i++) {
        bfs->scratch->before[i] = arcs;
        arcs += bfs->entry[i].degree;
    }
}

static void expand_finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    struct gws__bfs *bfs = context;
    flush(bfs, gws__bfs_desk(bfs, worker));
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
    gws__bfs_aside(bfs, bfs->words, 4096, enqueue_words);
    bfs->end = atomic_load_explicit(&bfs->tail, memory_order_relaxed);
    bfs->in_bitmap = bfs->has_entries = bfs->has_parts = false;
}

static struct gws_loop by_vertex(struct gws__bfs *bfs)
{
    uint64_t workers = bfs->degrees / arcs_worth_a_worker + 1;
    return (struct gws_loop){
        .count = bfs->size,
        .part = bfs->has_parts ? bfs->part : NULL,
        .grain = (uint32_t)(bfs->size / workers + 1),
        .body = bfs->has_entries ? expand_entries : expand_queue,
    };
}

static struct gws_loop by_arc(struct gws__bfs *bfs)
{
    count_arcs_before(bfs);
    return (struct gws_loop){
        .count = bfs->degrees,
        .chunk = bfs_room,
        .grain = arcs_worth_a_worker,
        .body = expand_arcs,
    };
}

void gws__bfs_top_down(struct gws__bfs *bfs)
{
    if (bfs->in_bitmap) enqueue(bfs);
    struct gws_loop loop = is_heavy(bfs) ? by_arc(bfs) : by_vertex(bfs);
    loop.finish = expand_finish;
    loop.context = bfs;
    atomic_store_explicit(&bfs->tail, bfs->end, memory_order_relaxed);
    gws_parallel_run(bfs->runtime, &loop);
    gws__bfs_advance(bfs, atomic_load_explicit(&bfs->tail, memory_order_relaxed));
}
