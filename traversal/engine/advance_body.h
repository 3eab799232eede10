/* SPDX-License-Identifier: MIT */
/* The loops of the engine, included after an operator to which a vertex comes at most once. The operator's source
 * (kernels/operator/operator.h) defines op_peek(), op_claim(), op_commit(), op_accepts() and op_unreached(). The
 * including source adds definitions for threads:
 *
 *     bool op_open(s, to, word)  evaluates the word of a peek (the arc may win) or of a claim (the arc has won)
 *     OPERATOR_WRITES            the number of arrays of data[], from the first on, that op_commit() writes
 *     OPERATOR_NOW, op_commit_now(s, from, to), op_commit_late(s, to)
 *                                op_commit() in two halves: the part known only at the claim, in
 *                                data[OPERATOR_NOW], and the part that is the same for the whole frontier s->level
 *
 * This header defines the loops that struct gws__loops lists. Each loop is a function of a chunk of tasks, so an arc
 * costs no function call. serial_body.h defines the loop that one worker runs alone. A separate source includes that
 * header and compiles the operator with plain operations instead of atomic ones. */
#include "commit_body.h"

/* ---- push: a level on several workers ----
 *
 * Each worker takes chunks of the frontier, reads their arcs, claims the open heads, and batches its claims. A worker
 * reserves the entries of a full batch in the output frontier with one atomic add (Abdelmageed, section 3.4.1.2, after
 * Luo, Wong, Hwu, DAC 2010). */
enum { push_ahead = 8, wide_ahead = 64 };

/* Commits claims of a wide level. Omits the queue, the row bounds and the data that the next level writes (see
 * gws__engine_wide_begin()). */
static void commit_wide(const struct engine *s, const struct gws__claim *claim, uint32_t count)
{
    for (uint32_t i = 0; i < count + wide_ahead; i++) {
        if (i < count) gws__prefetch_write(&s->data[OPERATOR_NOW][claim[i].vertex]);
        if (i >= wide_ahead) op_commit_now(s, claim[i - wide_ahead].parent, claim[i - wide_ahead].vertex);
    }
}

static void flush(struct engine *s, struct gws__engine_worker *me)
{
    if (me->claims == 0) return;
    me->found += me->claims;
    me->made += me->claims;
    if (s->wide) {
        commit_wide(s, me->claim, me->claims);
    } else {
        /* relaxed: the add alone makes the reserved range unique, and the end of the loop publishes the entries. */
        uint64_t to = atomic_fetch_add_explicit(&s->memory->tail, me->claims, memory_order_relaxed);
        me->degrees += commit(s, me->claim, me->claims, to);
        me->flushed = (struct gws_range){to - s->end, to - s->end + me->claims};
        me->flushes++;
    }
    me->claims = 0;
}

/* Keeps the arcs whose heads are open, in place. The loop has no branch, because about half of the arcs pass. A stale
 * word only costs an atomic operation in claim(). */
static uint32_t keep_open(const struct engine *s, struct gws__claim *arc, uint32_t arcs)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        struct gws__claim one = arc[i];
        op_word word = op_peek(s, one.parent, one.vertex, 0);
        arc[open] = one;
        open += op_open(s, one.vertex, word);
    }
    return open;
}

/* Claims the heads of arcs. The worker that claims a vertex writes the vertex's data. Other workers read the data
 * after the end of the loop, which orders the accesses. */
static void claim(struct engine *s, struct gws__engine_worker *me, uint32_t arcs)
{
    uint32_t open = keep_open(s, me->arc, arcs);
    for (uint32_t i = 0; i < open; i++) gws__prefetch_write(&s->visited[me->arc[i].vertex / 32]);
    if (me->claims + open > engine_batch) flush(s, me);
    for (uint32_t i = 0; i < open; i++) {
        struct gws__claim one = me->arc[i];
        op_word got = op_claim(s, one.parent, one.vertex, OPERATOR_WON);
        me->claim[me->claims] = one;
        me->claims += op_open(s, one.vertex, got);
    }
}

static void expand(struct engine *s, struct gws__engine_worker *me, uint32_t vertex, struct gws__entry *entry,
                   uint32_t *arcs)
{
    do {
        gather(s->graph, vertex, entry, me->arc, arcs);
        if (*arcs < engine_batch) continue;
        claim(s, me, *arcs);
        *arcs = 0;
    } while (entry->degree);
}

static void push_entries(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    uint32_t arcs = 0;
    for (uint64_t i = begin; i < end; i++) expand(s, me, s->queue[s->begin + i], &s->entry[i], &arcs);
    claim(s, me, arcs);
}

static void push_queue(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    const uint64_t *offset = s->graph->offset;
    const uint32_t *queue = s->queue + s->begin;
    uint32_t arcs = 0;
    for (uint64_t i = begin; i < end; i++) {
        if (i + 2 * push_ahead < end) __builtin_prefetch(&offset[queue[i + 2 * push_ahead]]);
        if (i + push_ahead < end) __builtin_prefetch(&s->graph->target[offset[queue[i + push_ahead]]]);
        struct gws__entry entry = gws__entry_bounds(s->graph, queue[i]);
        gws__entry_targets(s->graph, &entry);
        expand(s, me, queue[i], &entry, &arcs);
    }
    claim(s, me, arcs);
}

/* Pushes arcs. A task here is an arc, so several workers share the row of a hub. */
static void push_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    for (uint64_t i = gws_bounds_find(s->memory->before, 1, s->size, begin); begin < end; i++) {
        struct gws__entry rest = s->entry[i];
        rest.begin += begin - s->memory->before[i];
        rest.degree -= begin - s->memory->before[i];
        if (rest.degree > end - begin) rest.degree = end - begin;
        if (rest.degree == 0) continue;
        begin += rest.degree;
        uint32_t vertex = s->queue[s->begin + i], arcs = 0;
        gws__entry_targets(s->graph, &rest);
        expand(s, me, vertex, &rest, &arcs);
        claim(s, me, arcs);
    }
}

static void push_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    uint32_t arcs = 0;
    for (uint64_t w = begin; w < end; w++) {
        for (uint64_t bits = s->front[w]; bits; bits &= bits - 1)
            __builtin_prefetch(&s->graph->target[s->graph->offset[w * 64 + (uint64_t)__builtin_ctzll(bits)]]);
        for (uint64_t bits = s->front[w]; bits; bits &= bits - 1) {
            uint32_t vertex = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
            struct gws__entry entry = gws__entry_bounds(s->graph, vertex);
            gws__entry_targets(s->graph, &entry);
            expand(s, me, vertex, &entry, &arcs);
        }
    }
    claim(s, me, arcs);
}

static void push_finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    struct engine *s = context;
    flush(s, gws__engine_worker_state(s, worker));
}

#include "pull_body.h"

#define GWS__ENGINE_LOOPS(serial_loop)                                                                                 \
    .by_entries = push_entries, .by_queue = push_queue, .by_arcs = push_arcs, .by_words = push_words,                  \
    .finish = push_finish, .pull = pull_words, .pull_finish = pull_finish, .enqueue = enqueue_words,                   \
    .serial = (serial_loop)
