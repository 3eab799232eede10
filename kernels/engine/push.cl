/* SPDX-License-Identifier: MIT */
/* Advance by push, over the arcs of the frontier. All groups share the segments of heavy rows. One warp reads a long
 * row. A warp reads as many short rows at a time as it has items, and concatenates their arcs (after Merrill, Garland,
 * Grimshaw, PPoPP 2012).
 *
 * The same steps also read complete rows of arcs towards a vertex (pull, OPERATOR_PULL_ALL). A row's vertex is then the
 * target of its arcs, not their source. */
#define LONG_ROW 64u
#define WARP_BATCH 32u /* maximum vertices that a warp acquires at once */

#if OPERATOR_REENTERS
/* Small frontiers: the time of a round is that of a few accesses to memory and of a grid barrier. So a warp continues
 * with the vertices that it has found, round after round, without a barrier. These vertices enter no frontier. Vertices
 * with long rows enter the next frontier, whose warps share the rows. A row that is read too early may be read again,
 * unless vertices enter once. */
#define OWN_ROUNDS 8u                       /* maximum rounds of a warp on its own between two barriers */
#define OWN_SIZE 32u                        /* maximum vertices of such a round */
#define OWN_ROW (OPERATOR_ONCE ? 128u : 16u) /* maximum arcs of a row of such a round */
#define OWN_LIMIT 4u                        /* frontiers of at most this many vertices per warp are small */
#define MAX_PARTS 32u                       /* maximum warps that share a row of a frontier of few vertices */

/* A graph parted among devices (parted.cl) defines these: whether this device has the vertex's row; whether the lane's
 * vertex stays on this device; and the number of buffered vertices that stay. */
#ifndef owns_row
#define owns_row(s, vertex) true
#define keeps_found(s, mark, vertex) (mark)
#define keeps_buffered(s, vertex, count) (count)
#endif

/* Claims a vertex's bit in next. Returns false if the vertex is already in the next frontier. */
device_inline bool enter(const struct device_engine *s, u32 vertex)
{
    u32 bit = 1u << vertex % 32;
    return !(word_or(&s->next[vertex / 32], bit) & bit);
}

/* A warp moves the vertices of its buffer that are not in the next frontier yet to the list. */
device_inline void flush_found(struct warp_buffer *mine, const struct device_engine *s)
{
    u32 count = mine->count, held = 0;
    warp_barrier();
    for (u32 at = mine->first; at < count; at += WARP * STRIP) {
        u32 vertex[STRIP];
        bool enters[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++)
        {
            u32 place = at + WARP * i + lane_id();
            vertex[i] = place < count ? mine->vertex[place] : NONE;
            enters[i] = place < count && enter(s, vertex[i]);
        }
        warp_barrier(); /* all lanes have read their places */
        mine->count = held;
        unrolled for (u32 i = 0; i < STRIP; i++) buffer_append(mine, enters[i], vertex[i]);
        held = mine->count;
    }
    mine->first = 0;
    mine->count = keeps_buffered(s, mine->vertex, held);
    buffer_flush(mine, s);
}

/* A warp appends the vertex of each committed arc to the buffer. A vertex beyond the bucket's threshold goes to far. */
device_inline void append_found(const struct device_engine *s, struct warp_buffer *mine, u32 to, op_word claimed,
                                bool committed)
{
#if OPERATOR_BUCKETS
    bool far = committed && op_found_priority(s, to, claimed) >= s->threshold;
    if (far) (void)word_or(&s->far[to / 32], 1u << to % 32);
    committed = committed && !far;
#endif
    (void)s;
    (void)claimed;
    buffer_append(mine, committed, to);
}
#else
#define flush_found(mine, s) buffer_flush(mine, s)
#define append_found(s, mine, to, claimed, committed) buffer_append(mine, committed, to)
#endif

/* Claims and commits up to STRIP arcs of each item. word: what op_peek() has returned; becomes what op_claim() has. */
device_inline void claim_arcs(const struct device_engine *s, struct warp_buffer *mine, const u32 *from, const u32 *to,
                              op_word *word)
{
    unrolled for (u32 i = 0; i < STRIP; i++) word[i] = op_claim(s, from[i], to[i], word[i]);
    unrolled for (u32 i = 0; i < STRIP; i++)
        append_found(s, mine, to[i], word[i], op_commit(s, from[i], to[i], word[i]));
    if (mine->count > BUFFER - BATCH) flush_found(mine, s);
}

#ifndef sends_claimed /* a parted search sends claimed vertices to the devices that own them */
#define sends_claimed(s, from, to, claimed)
#endif

/* Applies the operator to up to STRIP arcs of each item. A place whose `to` is NONE has no arc. */
device_inline void push_arcs(const struct device_engine *s, struct warp_buffer *mine, const u32 *from, const u32 *to,
                             const u64 *arc)
{
    op_word word[STRIP];
    unrolled for (u32 i = 0; i < STRIP; i++) word[i] = op_peek(s, from[i], to[i], arc[i]);
    claim_arcs(s, mine, from, to, word);
    sends_claimed(s, from, to, word);
}

/* Calls push_arcs() for arcs between the rows' vertices and the vertices `other`. */
device_inline void push_others(const struct device_engine *s, struct warp_buffer *mine, bool pull, u32 *vertex,
                               const u32 *other, const u64 *arc)
{
    if (!pull) {
        push_arcs(s, mine, vertex, other, arc);
        return;
    }
    unrolled for (u32 i = 0; i < STRIP; i++) vertex[i] = other[i] == NONE ? NONE : vertex[i];
    push_arcs(s, mine, other, vertex, arc);
}

/* A warp reads one row, or a part of it. */
device_inline void push_row(const struct device_engine *s, struct warp_buffer *mine, bool pull, u32 vertex,
                            struct arc_range arcs)
{
    global_mem const u32 *others = pull ? s->source : s->target;
    for (u64 at = arcs.begin; at < arcs.end; at += WARP * STRIP) {
        u32 other[STRIP], row[STRIP];
        u64 arc[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++)
        {
            u64 place = at + WARP * i + lane_id();
            arc[i] = min_u64(place, arcs.end - 1);
            other[i] = place < arcs.end ? others[arc[i]] : NONE;
            row[i] = vertex;
        }
        push_others(s, mine, pull, row, other, arc);
    }
}

/* Returns the lane that owns arc number `at` of a warp's concatenated short rows. before: the exclusive prefix sum of
 * their lengths. */
device_inline u32 lane_of(u32 before, u32 at)
{
    u32 lane = 0;
    unrolled for (u32 step = WARP / 2; step > 0; step /= 2) lane += warp_shuffle(before, lane + step) <= at ? step : 0;
    return lane;
}

/* A warp reads one row per lane and concatenates the rows. A row has `degree` arcs, fewer than LONG_ROW. */
device_inline void push_short_rows(const struct device_engine *s, struct warp_buffer *mine, bool pull, u32 vertex,
                                   u64 begin, u32 degree)
{
    global_mem const u32 *others = pull ? s->source : s->target;
    u32 upto = degree;
    unrolled for (u32 step = 1; step < WARP; step *= 2)
    {
        u32 other = warp_shuffle(upto, lane_id() - step);
        upto += lane_id() >= step ? other : 0;
    }
    u32 before = upto - degree, total = warp_shuffle(upto, WARP - 1);
    for (u32 at = 0; at < total; at += WARP * STRIP) {
        u32 other[STRIP], row[STRIP];
        u64 arc[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++)
        {
            u32 place = at + WARP * i + lane_id(), number = min_u32(place, total - 1), lane = lane_of(before, number);
            arc[i] = warp_shuffle_long(begin, lane) + number - warp_shuffle(before, lane);
            row[i] = warp_shuffle(vertex, lane);
            other[i] = place < total ? others[arc[i]] : NONE;
        }
        push_others(s, mine, pull, row, other, arc);
    }
}

/* Each lane reads its own row of at most STRIP arcs. */
device_inline void push_tiny_rows(const struct device_engine *s, struct warp_buffer *mine, bool pull, u32 vertex,
                                  u64 begin, u32 degree)
{
    global_mem const u32 *others = pull ? s->source : s->target;
    u32 other[STRIP], row[STRIP];
    u64 arc[STRIP];
    unrolled for (u32 i = 0; i < STRIP; i++)
    {
        arc[i] = i < degree ? begin + i : 0;
        other[i] = i < degree ? others[arc[i]] : NONE;
        row[i] = degree > 0 ? vertex : 0;
    }
    push_others(s, mine, pull, row, other, arc);
}

/* A warp reads a row per lane, of fewer than heavy arcs. */
device_inline void push_lanes(const struct device_engine *s, struct warp_buffer *mine, bool pull, u32 vertex, u64 begin,
                              u64 end)
{
    if (!warp_ballot(end - begin > STRIP)) {
        if (warp_ballot(end > begin)) push_tiny_rows(s, mine, pull, vertex, begin, (u32)(end - begin));
        return;
    }
    for (u32 rows = warp_ballot(end - begin >= LONG_ROW); rows; rows &= rows - 1) {
        u32 lane = first_bit(rows);
        struct arc_range arcs;
        arcs.begin = warp_shuffle_long(begin, lane);
        arcs.end = warp_shuffle_long(end, lane);
        push_row(s, mine, pull, warp_shuffle(vertex, lane), arcs);
    }
    push_short_rows(s, mine, pull, vertex, begin, end - begin < LONG_ROW ? (u32)(end - begin) : 0);
}

/* A warp reads the rows of at most WARP vertices of the frontier (pull: of all vertices), one per lane. A vertex leaves
 * the frontier's bitmap before its arcs are read. */
device_inline void push_rows(const struct device_engine *s, struct warp_buffer *mine, bool pull, struct unit_range at)
{
    global_mem const u64 *offset = pull ? s->in_offset : s->offset;
    bool has = at.begin + lane_id() < at.end;
    u32 vertex = NONE;
    if (has) vertex = pull ? at.begin + lane_id() : s->list[s->begin + at.begin + lane_id()];
#if OPERATOR_REENTERS && !OPERATOR_ONCE
    if (has) word_store(&s->visited[vertex / 32], 0);
#endif
#if OPERATOR_PULL == OPERATOR_PULL_ALL
    if (pull) has = has && op_wants(s, vertex);
#endif
    u64 begin = has ? offset[vertex] : 0, end = has ? offset[(u64)vertex + 1] : 0;
    if (end - begin >= s->heavy) {
        split_row(s, vertex, end - begin);
        end = begin;
    }
    push_lanes(s, mine, pull, vertex, begin, end);
}

#if OPERATOR_REENTERS
/* A warp takes up to WARP vertices from its buffer, and reads their rows. A heavy row goes to the next frontier. */
device_inline void push_own(const struct device_engine *s, struct warp_buffer *mine)
{
    u32 size = min_u32(mine->count - mine->first, WARP), vertex = NONE;
    bool has = lane_id() < size;
    warp_barrier(); /* all lanes have written their places */
    if (has) vertex = mine->vertex[mine->first + lane_id()];
    mine->first += size;
    if (mine->first == mine->count) mine->first = mine->count = 0;
    warp_barrier(); /* all lanes have read their places */
    u64 begin = has ? s->offset[vertex] : 0, end = has ? s->offset[(u64)vertex + 1] : 0;
#if OPERATOR_ONCE
    if (has && !enter(s, vertex)) end = begin;
#endif
    bool lists = end - begin > OWN_ROW || (has && !owns_row(s, vertex));
    if (lists) end = begin;
#if !OPERATOR_ONCE
    lists = lists && enter(s, vertex);
    lists = keeps_found(s, lists, vertex);
#endif
    u32 place = s->tail + warp_reserve(&s->count[COUNT_FOUND + s->step % 4], lists);
    if (lists) s->list[place] = vertex;
    push_lanes(s, mine, false, vertex, begin, end);
}

/* Ends a warp's part of a step. The warp runs rounds of its own over the vertices that it has found, as long as they
 * are few. It leaves the others to the next step. */
device_inline void finish_found(const struct device_engine *s, struct warp_buffer *mine)
{
    for (u32 round = 0; round < s->own_rounds && mine->count > 0 && mine->count - mine->first <= OWN_SIZE; round++)
        push_own(s, mine);
    flush_found(mine, s);
}
#else
#define finish_found(s, mine) buffer_flush(mine, s)
#endif

/* Advances over the frontier or, for pull, over all vertices. It leaves heavy rows to advance_segments(). */
device_inline void advance(const struct device_engine *s, struct warp_buffer *mine, bool pull)
{
    u32 units = pull ? s->vertices : s->size;
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, units, WARP_BATCH, 1, s->schedule);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at))
        for (struct unit_range part = at; part.begin < at.end; part.begin += WARP) push_rows(s, mine, pull, part);
    finish_found(s, mine);
}

device_inline void advance_segments(const struct device_engine *s, struct warp_buffer *mine, bool pull, u32 segments)
{
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, segments, STRIP, 0, s->schedule);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at))
        for (u32 i = at.begin; i < at.end; i++)
            push_row(s, mine, pull, s->segments[2 * (u64)i], segment_arcs(s, pull ? s->in_offset : s->offset, i));
    finish_found(s, mine);
}
