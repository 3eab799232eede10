/* SPDX-License-Identifier: MIT */
/* Part of advance_body.h with the loops of a pull level, and the loops that finish a frontier in the bitmap.
 *
 * A worker looks for a neighbour of each open vertex in the frontier and stops at the first one (Beamer, Asanovic,
 * Patterson, SC 2012, section IV). A task is a word of 64 vertices. So each word of visited and next, and the data of
 * its vertices, have one writer. No access needs to be atomic.
 *
 * A pull level streams the arrays anyway, so it also does three other jobs. The first pull level of a run calls
 * op_unreached() for every unreached vertex, so no earlier loop has to clear the data. A pull level finishes the
 * commits that a wide push level has deferred. A pull level marks vertices without arcs as visited, so later levels
 * skip them. */
static void set_bit(uint64_t *bitmap, uint32_t vertex)
{
    bitmap[vertex >> 6] |= (uint64_t)1 << (vertex & 63);
}

/* Returns the vertex's first neighbour in the frontier. in_front: a copy of the engine for the operator, with the
 * frontier in place of visited. */
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

/* Commits the vertices whose likely neighbour is in the frontier, by the index, without reading a row. On skewed
 * graphs these are most vertices. Returns the bits of the other open vertices. */
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

/* Moves a frontier from the bitmap to the queue. Each chunk counts its bits and reserves their entries with one atomic
 * add. */
static void enqueue_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct engine *s = context;
    struct gws__engine_worker *me = gws__engine_worker_state(s, worker);
    uint64_t count = 0;
    for (uint64_t w = begin; w < end; w++) count += (uint64_t)__builtin_popcountll(s->front[w]);
    if (count == 0) return;
    uint64_t to = atomic_fetch_add_explicit(&s->memory->tail, count, memory_order_relaxed); /* relaxed as in flush() */
    for (uint64_t w = begin; w < end; w++) {
        if (s->late) me->late += commit_late(s, w);
        for (uint64_t bits = s->front[w]; bits; bits &= bits - 1)
            s->queue[to++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
    }
}
