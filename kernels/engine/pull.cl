/* SPDX-License-Identifier: MIT */
/* Advance by pull (Beamer, Asanovic, Patterson, SC 2012): every unvisited vertex looks for a neighbour in the frontier.
 * A warp reads words of the bitmap, 32 vertices each. Each vertex first tries its neighbour of highest degree, which
 * nearly always hits on a skewed graph and reads memory in order; vertices that have to read their row go into the
 * warp's buffer and run as many at once as the warp has items. The whole warp reads long rows, all groups heavy ones.
 */
#define WORDS_AT_ONCE 4u
#define LANE_READS 32u /* arcs that a lane reads alone */

/* An item looks through its row, at most LANE_READS arcs of it; returns the parent, or NONE. */
device_inline u32 pull_alone(const struct engine *s, u32 vertex, u64 begin, u64 end)
{
    u32 parent = NONE;
    end = lesser(end, begin + LANE_READS);
    for (; begin < end && parent == NONE; begin += STRIP) {
        u32 other[STRIP];
        bool hit[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++) other[i] = begin + i < end ? s->source[begin + i] : NONE;
        unrolled for (u32 i = 0; i < STRIP; i++) hit[i] =
            other[i] != NONE && op_accepts(s, vertex, other[i], begin + i);
        unrolled for (u32 i = STRIP; i > 0; i--) parent = hit[i - 1] ? other[i - 1] : parent;
    }
    return parent;
}

/* A warp looks through the arcs; returns the parent in all lanes, or NONE. */
device_inline u32 pull_together(const struct engine *s, u32 vertex, struct arcs arcs)
{
    u32 parent = NONE;
    for (u64 at = arcs.begin; at < arcs.end && parent == NONE; at += WARP) {
        u32 other = at + lane_id() < arcs.end ? s->source[at + lane_id()] : NONE;
        u32 hits = warp_ballot(other != NONE && op_accepts(s, vertex, other, at + lane_id()));
        u32 first = warp_shuffle(other, hits ? first_bit(hits) : 0);
        parent = hits ? first : NONE;
    }
    return parent;
}

/* The rest of the rows that items did not finish alone: by the warp, one after the other. */
device_inline u32 pull_rest(const struct engine *s, u32 vertex, u32 parent, u64 begin, u64 end)
{
    for (u32 rest = warp_ballot(parent == NONE && end - begin > LANE_READS); rest; rest &= rest - 1) {
        u32 lane = first_bit(rest);
        struct arcs arcs;
        arcs.begin = warp_shuffle_long(begin, lane) + LANE_READS;
        arcs.end = warp_shuffle_long(end, lane);
        u32 other = pull_together(s, warp_shuffle(vertex, lane), arcs);
        if (lane_id() == lane) parent = other;
    }
    return parent;
}

/* A warp takes as many vertices out of its buffer as it has items and looks through their rows; how many its item
 * found. */
device_inline u32 pull_rows(const struct engine *s, struct warp_buffer *mine)
{
    u32 count = mine->count < WARP ? mine->count : WARP;
    warp_barrier();
    bool has = lane_id() < count;
    u32 vertex = has ? mine->vertex[mine->count - count + lane_id()] : NONE;
    u64 begin = has ? s->in_offset[vertex] : 0, end = has ? s->in_offset[(u64)vertex + 1] : 0;
    warp_barrier();
    mine->count -= count;
    if (end - begin >= s->heavy) {
        cut_row(s, vertex, end - begin);
        end = begin;
    }
    u32 parent = pull_rest(s, vertex, pull_alone(s, vertex, begin, end), begin, end);
    if (parent == NONE) return 0;
    (void)word_or(&s->next[vertex / 32], 1u << vertex % 32);
    (void)op_commit(s, parent, vertex, OPERATOR_WON);
    return 1;
}

/* What a warp does with a word, WARP of its vertices from bit on. unwritten: of unvisited vertices nothing is written
 * yet; isolated: those of the word. Returns the bits of vertices found. */
device_inline u32 pull_likely(const struct engine *s, struct warp_buffer *mine, u32 place, u32 bit, u32 word,
                              bool unwritten, u32 isolated)
{
    u32 lane = bit + lane_id(), vertex = place * 32 + lane;
    bool inside = vertex < s->vertices && vertex / 32 == place, open = inside && !(word >> lane & 1);
    /* Without hubs it is the vertex itself, which is not visited. */
    u32 likely = open ? s->hub[vertex & s->hub_mask] + (vertex & ~s->hub_mask) : NONE;
    bool hit = likely != NONE && op_accepts(s, vertex, likely, NO_ARC);
    if (hit) {
        (void)op_commit(s, likely, vertex, OPERATOR_WON);
    } else if (unwritten && inside && (open || (isolated >> lane & 1)) && vertex != s->word[0]) {
        op_unreached(s, vertex);
    }
    buffer_put(mine, likely != NONE && !hit, vertex);
    return warp_ballot(hit) << bit;
}

/* As many words as a warp has items, one a lane, or fewer: those that are not full are gone through, WORDS_AT_ONCE of
 * them together. Returns how many vertices its item found, or counts. */
device_inline u32 pull_words(const struct engine *s, struct warp_buffer *mine, struct range at, bool unwritten)
{
    u32 place = at.begin + lane_id();
    bool has = place < at.end;
    u32 word = has ? s->visited[place] : NONE, isolated = unwritten && has ? s->isolated[place] : 0, found = 0;
    if (has) s->next[place] = word;
    warp_barrier(); /* the copy is there before bits are added to it */
    for (u32 open = warp_ballot(word != NONE || isolated); open;) {
        u32 hits[WORDS_AT_ONCE], lane[WORDS_AT_ONCE];
        unrolled for (u32 i = 0; i < WORDS_AT_ONCE; i++)
        {
            lane[i] = open ? first_bit(open) : WARP;
            open &= open - 1;
        }
        unrolled for (u32 i = 0; i < WORDS_AT_ONCE; i++)
        {
            u32 its = warp_shuffle(word, lane[i] % WARP), its_isolated = warp_shuffle(isolated, lane[i] % WARP);
            hits[i] = 0;
            if (lane[i] == WARP) continue;
            for (u32 bit = 0; bit < 32; bit += WARP)
                hits[i] |= pull_likely(s, mine, at.begin + lane[i], bit, its, unwritten, its_isolated);
        }
        unrolled for (u32 i = 0; i < WORDS_AT_ONCE; i++) if (lane_id() == lane[i] && hits[i])
        {
            s->next[place] = word | hits[i];
            found += bit_count(hits[i]);
        }
        warp_barrier();
        while (mine->count > BUFFER - BATCH) found += pull_rows(s, mine);
    }
    return found;
}

device_inline void pull(const struct engine *s, struct warp_buffer *mine, bool unwritten)
{
    u32 words = (s->vertices + 31) / 32;
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, words, AT_ONCE, 32, s->schedule);
    struct range at = {0, 0};
    u32 found = 0;
    while (distributor_next(&work, &at))
        for (struct range part = at; part.begin < at.end; part.begin += WARP)
            found += pull_words(s, mine, part, unwritten);
    while (mine->count > 0) found += pull_rows(s, mine);
    count_found(s, found);
}

/* The heavy rows' segments. Who sets a vertex's bit first is its finder. */
device_inline void pull_segments(const struct engine *s, u32 segments)
{
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, segments, STRIP, 0, s->schedule);
    struct range at = {0, 0};
    u32 found = 0;
    while (distributor_next(&work, &at))
        for (u32 i = at.begin; i < at.end; i++) {
            u32 vertex = s->segments[2 * (u64)i], bit = 1u << vertex % 32;
            bool known = word_fresh(&s->next[vertex / 32]) & bit; /* lanes may read it at different times */
            if (warp_ballot(known)) continue;
            u32 parent = pull_together(s, vertex, segment_arcs(s, s->in_offset, i));
            if (parent == NONE || lane_id() != 0 || (word_or(&s->next[vertex / 32], bit) & bit)) continue;
            (void)op_commit(s, parent, vertex, OPERATOR_WON);
            found++;
        }
    count_found(s, found);
}

/* ---- compaction: the frontier after pull, what one bitmap has more than the other, becomes a queue ---- */

/* A warp puts the vertices of its words into the list. */
device_inline void compact_words(const struct engine *s, struct warp_buffer *mine, struct range at)
{
    u32 place = at.begin + lane_id();
    u32 word = place < at.end ? s->visited[place] & ~s->next[place] : 0;
    while (warp_ballot(word != 0)) {
        buffer_put(mine, word != 0, place * 32 + (word ? first_bit(word) : 0));
        word &= word - 1;
        if (mine->count > BUFFER - WARP) buffer_flush(mine, s);
    }
}

device_inline void compact(struct engine *s, struct warp_buffer *mine)
{
    u32 words = (s->vertices + 31) / 32;
    s->begin = s->tail;
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, words, AT_ONCE, 0, SCHEDULE_STATIC);
    struct range at = {0, 0};
    while (distributor_next(&work, &at))
        for (struct range part = at; part.begin < at.end; part.begin += WARP) compact_words(s, mine, part);
    buffer_flush(mine, s);
    step_end(s);
    s->tail += s->size;
}
