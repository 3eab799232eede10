/* SPDX-License-Identifier: MIT */
/* The loops of the engine, included after an operator to which a vertex comes at most once. The operator's source
 * (kernels/operator/operator.h) defines op_peek(), op_claim(), op_commit(), op_accepts() and op_unreached(); the
 * including source adds definitions for threads:
 *
 *     bool op_open(s, to, word)  evaluates the word of a peek or a claim: may the arc win, or has it won?
 *     OPERATOR_WRITES            the number of arrays of data[], from the first on, that op_commit() writes
 *     OPERATOR_NOW, op_commit_now(s, from, to), op_commit_late(s, to)
 *                                op_commit() in two halves: the part known only at the claim, written to
 *                                data[OPERATOR_NOW]; and the part that is the same for the whole frontier s->level
 *
 * It defines the loops push_entries() and so on that struct gws__loops lists. They are functions of a chunk of tasks:
 * no call is made for an arc. serial_body.h defines the loop that one worker runs alone, in a source of its own, where
 * the operator is compiled with plain operations in place of atomic ones. */
#include "commit_body.h"

/* ---- push: a level on several workers ----
 *
 * Each worker takes chunks of the frontier, reads their arcs, claims the open heads, and batches its claims. A full
 * batch reserves its place in the output frontier with one atomic add (Abdelmageed, section 3.4.1.2, after Luo, Wong,
 * Hwu, DAC 2010). */
enum { push_ahead = 8, wide_ahead = 64 };

/* Commits claims of a wide level: without the queue, the row bounds and the data that can wait; see
 * gws__engine_wide_begin(). */
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
        /* relaxed: the add alone makes the place unique; the end of the loop publishes the entries. */
        uint64_t to = atomic_fetch_add_explicit(&s->memory->tail, me->claims, memory_order_relaxed);
        me->degrees += commit(s, me->claim, me->claims, to);
        me->flushed = (struct gws_range){to - s->end, to - s->end + me->claims};
        me->flushes++;
    }
    me->claims = 0;
}

/* Keeps the arcs whose heads are open, in place and without a branch, since half of them are taken. A stale word only
 * costs an atomic operation in claim(). */
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

/* The worker that claims a vertex writes its data; other workers read them after the end of the loop, which orders the
 * accesses. */
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

/* The vertex of the frontier to which an arc belongs; arc counts all arcs of the frontier. */
static uint64_t owner_of(const struct engine *s, uint64_t arc)
{
    uint64_t low = 0, high = s->size;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (s->memory->before[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A task here is an arc, so that the row of a hub is scheduled to several workers. */
static void push_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    for (uint64_t i = owner_of(s, begin); begin < end; i++) {
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

static void push_finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    struct engine *s = context;
    flush(s, gws__engine_worker_state(s, worker));
}

/* ---- pull: a level ----
 *
 * Each open vertex looks for a neighbour in the frontier and stops at the first (Beamer, Asanovic, Patterson, SC 2012,
 * section IV). A task is a word of 64 vertices. So each word of visited and next, and the data of its vertices, have
 * one writer, and no access is atomic.
 *
 * Three jobs run alongside, since the arrays are being streamed anyway. The first pull level of a run calls
 * op_unreached() for every unreached vertex, so that the data need not be cleared before. A pull level finishes the
 * commits that a wide push level has deferred. And it marks vertices without arcs as visited, so that later levels skip
 * them. */
static void set_bit(uint64_t *bitmap, uint32_t vertex)
{
    bitmap[vertex >> 6] |= (uint64_t)1 << (vertex & 63);
}

/* in_front: the engine as the operator has to see it, with the frontier in place of visited. */
static inline uint32_t first_in_front(const struct engine *in_front, const uint32_t *target,
                                      const struct gws__pull_row *look)
{
    for (uint64_t arc = look->begin; arc < look->end; arc++)
        if (op_accepts(in_front, look->vertex, target[arc], arc)) return target[arc];
    return GWS_NO_VERTEX;
}

static inline void look_up(struct engine *s, const struct engine *in_front, struct gws__engine_worker *me,
                           const uint32_t *target, const struct gws__pull_row *look)
{
    uint32_t vertex = look->vertex, parent = first_in_front(in_front, target, look);
    if (parent == GWS_NO_VERTEX) {
        if (look->begin == look->end) set_bit((uint64_t *)s->visited, vertex);
        if (!s->filled) op_unreached(s, vertex);
        return;
    }
    set_bit((uint64_t *)s->visited, vertex);
    set_bit(s->next, vertex);
    (void)op_commit(s, parent, vertex, OPERATOR_WON);
    me->found++;
    me->degrees += s->in == s->graph ? look->end - look->begin : gws_graph_degree(s->graph, vertex);
}

/* With an index: commits the vertices whose likely neighbour is in the frontier, without reading a row; on skewed
 * graphs these are most. Returns the bits of the other open vertices. */
static uint64_t look_likely(struct engine *s, const struct engine *in_front, struct gws__engine_worker *me,
                            uint64_t word, uint64_t bits)
{
    uint64_t rest = 0, hits = 0;
    for (; bits; bits &= bits - 1) {
        uint64_t bit = bits & (0 - bits), vertex = word * 64 + (uint64_t)__builtin_ctzll(bits);
        uint32_t likely = s->likely[vertex];
        bool none = likely == GWS_NO_VERTEX, hit = !none && op_accepts(in_front, (uint32_t)vertex, likely, 0);
        hits |= hit ? bit : 0;
        rest |= hit ? 0 : bit;
    }
    for (uint64_t left = hits; left; left &= left - 1) {
        uint32_t vertex = (uint32_t)(word * 64 + (uint64_t)__builtin_ctzll(left));
        (void)op_commit(s, s->likely[vertex], vertex, OPERATOR_WON);
        me->degrees += gws_graph_degree(s->graph, vertex);
    }
    me->found += (uint64_t)__builtin_popcountll(hits);
    ((uint64_t *)s->visited)[word] |= hits;
    s->next[word] |= hits;
    return rest;
}

static uint64_t commit_late(struct engine *s, uint64_t word)
{
    uint64_t degrees = 0;
    for (uint64_t bits = s->front[word]; bits; bits &= bits - 1) {
        uint32_t vertex = (uint32_t)(word * 64 + (uint64_t)__builtin_ctzll(bits));
        op_commit_late(s, vertex);
        degrees += gws_graph_degree(s->graph, vertex);
    }
    return degrees;
}

static uint64_t unvisited(const struct engine *s, uint64_t word)
{
    uint64_t last = s->graph->vertices & 63;
    uint64_t mask = word + 1 == s->words && last ? ((uint64_t)1 << last) - 1 : UINT64_MAX;
    return ~((const uint64_t *)s->visited)[word] & mask;
}

static void pull_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    struct engine in_front = *s;
    in_front.visited = (uint32_t *)s->front;
    const uint64_t *offset = s->in->offset;
    const uint32_t *target = s->in->target;
    uint32_t requested = me->requested, looked = me->looked;
    for (uint64_t w = begin; w < end; w++) {
        s->next[w] = 0;
        if (s->late) me->late += commit_late(s, w);
        uint64_t bits = unvisited(s, w);
        if (s->likely) bits = look_likely(s, &in_front, me, w, bits);
        for (; bits; bits &= bits - 1) {
            struct gws__pull_row *its = &me->look[requested % engine_looks];
            if (requested++ >= engine_looks) look_up(s, &in_front, me, target, &me->look[looked++ % engine_looks]);
            uint64_t vertex = w * 64 + (uint64_t)__builtin_ctzll(bits);
            *its = (struct gws__pull_row){offset[vertex], offset[vertex + 1], (uint32_t)vertex};
            __builtin_prefetch(target + its->begin);
        }
    }
    me->requested = requested;
    me->looked = looked;
}

static void pull_finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    struct engine in_front = *s;
    in_front.visited = (uint32_t *)s->front;
    while (me->looked < me->requested) look_up(s, &in_front, me, s->in->target, &me->look[me->looked++ % engine_looks]);
    me->requested = me->looked = 0;
    me->made += me->found;
}

/* Moves a frontier from the bitmap to the queue: each chunk counts its bits and reserves once. */
static void enqueue_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    uint64_t count = 0;
    for (uint64_t w = begin; w < end; w++) count += (uint64_t)__builtin_popcountll(s->front[w]);
    if (count == 0) return;
    uint64_t to = atomic_fetch_add_explicit(&s->memory->tail, count, memory_order_relaxed); /* as in flush() */
    for (uint64_t w = begin; w < end; w++) {
        if (s->late) me->late += commit_late(s, w);
        for (uint64_t bits = s->front[w]; bits; bits &= bits - 1)
            s->queue[to++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
    }
}

#define GWS__ENGINE_LOOPS(serial_loop)                                                                                 \
    .by_entries = push_entries, .by_queue = push_queue, .by_arcs = push_arcs, .finish = push_finish,                   \
    .pull = pull_words, .pull_finish = pull_finish, .enqueue = enqueue_words, .serial = (serial_loop)
