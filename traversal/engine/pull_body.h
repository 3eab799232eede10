/* SPDX-License-Identifier: MIT */
/* Part of advance_body.h: one pull level. Every vertex that is open looks for a neighbour in the frontier and stops at
 * the first (Beamer, Asanovic, Patterson, SC 2012, section IV). A task is a word of 64 vertices, so each word of
 * visited and next, and the data of its vertices, have one writer and nothing is atomic.
 *
 * Three things are done on the way, since the arrays pass by anyway. The first pull level of a run calls op_unreached()
 * for every unreached vertex, so that the data need not be cleared before. What a wide push level left undone is done
 * for the frontier. And vertices without arcs are marked visited, so that later levels skip them. */
static void set_bit(uint64_t *bitmap, uint32_t vertex)
{
    bitmap[vertex >> 6] |= (uint64_t)1 << (vertex & 63);
}

/* in_front: the engine as the operator is to see it, with the frontier for the visited. */
static inline uint32_t first_in_front(const struct engine *in_front, const uint32_t *target,
                                      const struct gws__look *look)
{
    for (uint64_t arc = look->begin; arc < look->end; arc++)
        if (op_look(in_front, look->vertex, target[arc], arc)) return target[arc];
    return GWS_NO_VERTEX;
}

static inline void look_up(struct engine *s, const struct engine *in_front, struct gws__engine_worker *me,
                           const uint32_t *target, const struct gws__look *look)
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

/* With an index: the likely neighbour of open vertices is in the frontier, as is mostly so on skewed graphs: no row is
 * read. The bits that are still to be looked up. */
static uint64_t look_likely(struct engine *s, const struct engine *in_front, struct gws__engine_worker *me,
                            uint64_t word, uint64_t bits)
{
    uint64_t rest = 0, hits = 0;
    for (; bits; bits &= bits - 1) {
        uint64_t bit = bits & (0 - bits), vertex = word * 64 + (uint64_t)__builtin_ctzll(bits);
        uint32_t likely = s->likely[vertex];
        bool none = likely == GWS_NO_VERTEX, hit = !none && op_look(in_front, (uint32_t)vertex, likely, 0);
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

static uint64_t settle_late(struct engine *s, uint64_t word)
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
    struct gws__engine_worker *me = gws__engine_desk(s, worker);
    struct engine in_front = *s;
    in_front.visited = (uint32_t *)s->front;
    const uint64_t *offset = s->in->offset;
    const uint32_t *target = s->in->target;
    uint32_t asked = me->asked, looked = me->looked;
    for (uint64_t w = begin; w < end; w++) {
        s->next[w] = 0;
        if (s->late) me->late += settle_late(s, w);
        uint64_t bits = unvisited(s, w);
        if (s->likely) bits = look_likely(s, &in_front, me, w, bits);
        for (; bits; bits &= bits - 1) {
            struct gws__look *its = &me->look[asked % engine_looks];
            if (asked++ >= engine_looks) look_up(s, &in_front, me, target, &me->look[looked++ % engine_looks]);
            uint64_t vertex = w * 64 + (uint64_t)__builtin_ctzll(bits);
            *its = (struct gws__look){offset[vertex], offset[vertex + 1], (uint32_t)vertex};
            __builtin_prefetch(target + its->begin);
        }
    }
    me->asked = asked;
    me->looked = looked;
}

static void pull_finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_desk(s, worker);
    struct engine in_front = *s;
    in_front.visited = (uint32_t *)s->front;
    while (me->looked < me->asked) look_up(s, &in_front, me, s->in->target, &me->look[me->looked++ % engine_looks]);
    me->asked = me->looked = 0;
    me->made += me->found;
}

/* Moves a frontier from the bitmap to the queue: each chunk counts its bits and reserves once. */
static void enqueue_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_desk(s, worker);
    uint64_t count = 0;
    for (uint64_t w = begin; w < end; w++) count += (uint64_t)__builtin_popcountll(s->front[w]);
    if (count == 0) return;
    uint64_t to = atomic_fetch_add_explicit(&s->memory->tail, count, memory_order_relaxed); /* as in flush() */
    for (uint64_t w = begin; w < end; w++) {
        if (s->late) me->late += settle_late(s, w);
        for (uint64_t bits = s->front[w]; bits; bits &= bits - 1)
            s->queue[to++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
    }
}
