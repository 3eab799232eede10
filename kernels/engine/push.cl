/* SPDX-License-Identifier: MIT */
/* Advance by push, over the arcs of the frontier: heavy rows are cut into segments for all groups, a warp reads a long
 * row, and of short rows a warp reads as many as it has items at a time, their arcs side by side (after Merrill,
 * Garland, Grimshaw, PPoPP 2012). */
#define STRIP 4u /* arcs that an item has under way at once */
#define LONG_ROW 64u
#define AT_ONCE 32u /* vertices of the frontier that a warp takes at most */

/* Offers up to STRIP arcs an item to the operator; target NONE: none. */
device_inline void push_arcs(const struct engine *s, struct warp_buffer *mine, const u32 *target, const u32 *from,
                             const u64 *arc)
{
    op_word word[STRIP];
    unrolled for (u32 i = 0; i < STRIP; i++) word[i] = op_peek(s, from[i], target[i], arc[i]);
    unrolled for (u32 i = 0; i < STRIP; i++) word[i] = op_claim(s, from[i], target[i], word[i]);
    unrolled for (u32 i = 0; i < STRIP; i++) buffer_put(mine, op_commit(s, from[i], target[i], word[i]), target[i]);
    if (mine->count > BUFFER - BATCH) buffer_flush(mine, s);
}

/* A warp reads one row, or a part of it. */
device_inline void push_row(const struct engine *s, struct warp_buffer *mine, u32 vertex, struct arcs arcs)
{
    for (u64 at = arcs.begin; at < arcs.end; at += WARP * STRIP) {
        u32 target[STRIP], from[STRIP];
        u64 arc[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++)
        {
            arc[i] = at + WARP * i + lane_id();
            target[i] = arc[i] < arcs.end ? s->target[arc[i]] : NONE;
            from[i] = vertex;
        }
        push_arcs(s, mine, target, from, arc);
    }
}

/* The lane whose arcs hold number at, of a warp's arcs in a row; before: how many come before each lane's. */
device_inline u32 lane_of(u32 before, u32 at)
{
    u32 lane = 0;
    unrolled for (u32 step = WARP / 2; step > 0; step /= 2) lane += warp_shuffle(before, lane + step) <= at ? step : 0;
    return lane;
}

/* Every lane has a row of degree arcs, shorter than LONG_ROW; together they are read as one. */
device_inline void push_short_rows(const struct engine *s, struct warp_buffer *mine, u32 vertex, u64 begin, u32 degree)
{
    u32 upto = degree;
    unrolled for (u32 step = 1; step < WARP; step *= 2)
    {
        u32 other = warp_shuffle(upto, lane_id() - step);
        upto += lane_id() >= step ? other : 0;
    }
    u32 before = upto - degree, total = warp_shuffle(upto, WARP - 1);
    for (u32 at = 0; at < total; at += WARP * STRIP) {
        u32 target[STRIP], from[STRIP];
        u64 arc[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++)
        {
            u32 number = at + WARP * i + lane_id(), lane = lane_of(before, number);
            arc[i] = warp_shuffle_long(begin, lane) + number - warp_shuffle(before, lane);
            from[i] = warp_shuffle(vertex, lane);
            target[i] = number < total ? s->target[arc[i]] : NONE;
        }
        push_arcs(s, mine, target, from, arc);
    }
}

/* As many vertices of the frontier as a warp has items, or fewer, one a lane. */
device_inline void push_rows(const struct engine *s, struct warp_buffer *mine, struct range at)
{
    bool has = at.begin + lane_id() < at.end;
    u32 vertex = has ? s->list[s->begin + at.begin + lane_id()] : NONE;
    u64 begin = has ? s->offset[vertex] : 0, end = has ? s->offset[(u64)vertex + 1] : 0;
    if (end - begin >= s->heavy) {
        cut_row(s, vertex, end - begin);
        end = begin;
    }
    for (u32 rows = warp_ballot(end - begin >= LONG_ROW); rows; rows &= rows - 1) {
        u32 lane = first_bit(rows);
        struct arcs arcs;
        arcs.begin = warp_shuffle_long(begin, lane);
        arcs.end = warp_shuffle_long(end, lane);
        push_row(s, mine, warp_shuffle(vertex, lane), arcs);
    }
    push_short_rows(s, mine, vertex, begin, end - begin < LONG_ROW ? (u32)(end - begin) : 0);
}

/* The level's frontier; heavy rows are left to push_segments(). */
device_inline void push(const struct engine *s, struct warp_buffer *mine)
{
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, s->size, AT_ONCE, 1, s->schedule);
    struct range at = {0, 0};
    while (distributor_next(&work, &at))
        for (struct range part = at; part.begin < at.end; part.begin += WARP) push_rows(s, mine, part);
    buffer_flush(mine, s);
}

device_inline void push_segments(const struct engine *s, struct warp_buffer *mine, u32 segments)
{
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, segments, STRIP, 0, s->schedule);
    struct range at = {0, 0};
    while (distributor_next(&work, &at))
        for (u32 i = at.begin; i < at.end; i++)
            push_row(s, mine, s->segments[2 * (u64)i], segment_arcs(s, s->offset, i));
    buffer_flush(mine, s);
}
