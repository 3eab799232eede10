/* SPDX-License-Identifier: MIT */
/* Part of advance_body.h: one push level on several workers. Each takes chunks of the frontier, looks at their arcs,
 * claims what is open, and batches its claims; a full batch reserves its place in the output frontier with one atomic
 * add (Abdelmageed, section 3.4.1.2, after Luo, Wong, Hwu, DAC 2010). */
enum { push_ahead = 8, wide_ahead = 64 };

/* Of a wide level the queue, the row bounds and what can wait are left out: see gws__engine_wide_begin(). */
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
        /* relaxed: the place is unique by the add alone; what is put there is published by the end of the loop. */
        uint64_t to = atomic_fetch_add_explicit(&s->memory->tail, me->claims, memory_order_relaxed);
        me->degrees += commit(s, me->claim, me->claims, to);
        me->flushed = (struct gws_range){to - s->end, to - s->end + me->claims};
        me->flushes++;
    }
    me->claims = 0;
}

/* Keeps, in place, the arcs whose heads are open; without a branch, since half of them go either way. A stale word
 * costs an atomic operation in claim(), no more. */
static uint32_t keep_open(const struct engine *s, struct gws__claim *arc, uint32_t arcs)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        struct gws__claim one = arc[i];
        op_word word = op_peek(s, one.parent, one.vertex, 0);
        arc[kept] = one;
        kept += op_open(s, one.vertex, word);
    }
    return kept;
}

/* What is claimed is written by the worker that did, and read after the end of the loop, which orders it. */
static void claim(struct engine *s, struct gws__engine_worker *me, uint32_t arcs)
{
    uint32_t kept = keep_open(s, me->arc, arcs);
    for (uint32_t i = 0; i < kept; i++) gws__prefetch_write(&s->visited[me->arc[i].vertex / 32]);
    if (me->claims + kept > engine_batch) flush(s, me);
    for (uint32_t i = 0; i < kept; i++) {
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
    struct gws__engine_worker *me = gws__engine_desk(s, worker);
    uint32_t arcs = 0;
    for (uint64_t i = begin; i < end; i++) expand(s, me, s->queue[s->begin + i], &s->entry[i], &arcs);
    claim(s, me, arcs);
}

static void push_queue(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_desk(s, worker);
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

/* The vertex of the frontier that the arc-th of all its arcs belongs to. */
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

/* A task here is an arc, so that a hub's row is shared out as well. */
static void push_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_desk(s, worker);
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
    flush(s, gws__engine_desk(s, worker));
}
