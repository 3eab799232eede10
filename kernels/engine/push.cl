/* SPDX-License-Identifier: MIT */
/* Advance by push, over the arcs of the frontier. All groups share the segments of heavy rows. One warp reads a long
 * row. A warp reads as many short rows at a time as it has items, and concatenates their arcs (after Merrill, Garland,
 * Grimshaw, PPoPP 2012).
 *
 * The same steps also read complete rows of arcs towards a vertex (pull, OPERATOR_PULL_ALL). A row's vertex is then the
 * target of its arcs, not their source. */
#define STRIP 4u /* arcs that an item processes at once */
#define LONG_ROW 64u
#define WARP_BATCH 32u /* maximum vertices that a warp acquires at once */

#if OPERATOR_REENTERS
/* Claims a vertex's bit in next and returns the word before. A vertex beyond the bucket's threshold goes to far. */
device_inline u32 enter(const struct device_engine *s, u32 vertex)
{
    u32 bit = 1u << vertex % 32;
#if OPERATOR_BUCKETS
    if (op_priority(s, vertex) >= s->threshold) {
        (void)word_or(&s->far[vertex / 32], bit);
        return NONE;
    }
#endif
    return word_or(&s->next[vertex / 32], bit);
}
#endif

/* Applies the operator to up to STRIP arcs of each item. A place whose `to` is NONE has no arc. */
device_inline void push_arcs(const struct device_engine *s, struct warp_buffer *mine, const u32 *from, const u32 *to,
                             const u64 *arc)
{
    op_word word[STRIP];
    unrolled for (u32 i = 0; i < STRIP; i++) word[i] = op_peek(s, from[i], to[i], arc[i]);
    unrolled for (u32 i = 0; i < STRIP; i++) word[i] = op_claim(s, from[i], to[i], word[i]);
#if OPERATOR_REENTERS
    u32 before[STRIP];
    unrolled for (u32 i = 0; i < STRIP; i++) before[i] = op_commit(s, from[i], to[i], word[i]) ? enter(s, to[i]) : NONE;
    unrolled for (u32 i = 0; i < STRIP; i++) buffer_append(mine, !(before[i] >> to[i] % 32 & 1), to[i]);
#else
    unrolled for (u32 i = 0; i < STRIP; i++) buffer_append(mine, op_commit(s, from[i], to[i], word[i]), to[i]);
#endif
    if (mine->count > BUFFER - BATCH) buffer_flush(mine, s);
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
            arc[i] = at + WARP * i + lane_id();
            other[i] = arc[i] < arcs.end ? others[arc[i]] : NONE;
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
            u32 number = at + WARP * i + lane_id(), lane = lane_of(before, number);
            arc[i] = warp_shuffle_long(begin, lane) + number - warp_shuffle(before, lane);
            row[i] = warp_shuffle(vertex, lane);
            other[i] = number < total ? others[arc[i]] : NONE;
        }
        push_others(s, mine, pull, row, other, arc);
    }
}

/* A warp reads the rows of at most WARP vertices of the frontier (pull: of all vertices), one per lane. A vertex leaves
 * the frontier's bitmap before its arcs are read. */
device_inline void push_rows(const struct device_engine *s, struct warp_buffer *mine, bool pull, struct unit_range at)
{
    global_mem const u64 *offset = pull ? s->in_offset : s->offset;
    bool has = at.begin + lane_id() < at.end;
    u32 vertex = NONE;
    if (has) vertex = pull ? at.begin + lane_id() : s->list[s->begin + at.begin + lane_id()];
#if OPERATOR_REENTERS
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
    for (u32 rows = warp_ballot(end - begin >= LONG_ROW); rows; rows &= rows - 1) {
        u32 lane = first_bit(rows);
        struct arc_range arcs;
        arcs.begin = warp_shuffle_long(begin, lane);
        arcs.end = warp_shuffle_long(end, lane);
        push_row(s, mine, pull, warp_shuffle(vertex, lane), arcs);
    }
    push_short_rows(s, mine, pull, vertex, begin, end - begin < LONG_ROW ? (u32)(end - begin) : 0);
}

/* Advances over the frontier or, for pull, over all vertices. It leaves heavy rows to advance_segments(). */
device_inline void advance(const struct device_engine *s, struct warp_buffer *mine, bool pull)
{
    u32 units = pull ? s->vertices : s->size;
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, units, WARP_BATCH, 1, s->schedule);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at))
        for (struct unit_range part = at; part.begin < at.end; part.begin += WARP) push_rows(s, mine, pull, part);
    buffer_flush(mine, s);
}

device_inline void advance_segments(const struct device_engine *s, struct warp_buffer *mine, bool pull, u32 segments)
{
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, segments, STRIP, 0, s->schedule);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at))
        for (u32 i = at.begin; i < at.end; i++)
            push_row(s, mine, pull, s->segments[2 * (u64)i], segment_arcs(s, pull ? s->in_offset : s->offset, i));
    buffer_flush(mine, s);
}
