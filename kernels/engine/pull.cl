/* SPDX-License-Identifier: MIT */
/* Advance by pull (Beamer, Asanovic, Patterson, SC 2012): every unvisited vertex looks for a neighbour in the frontier.
 * A warp reads words of the bitmap, 32 vertices each. Each vertex first tries its neighbour of highest degree, which is
 * nearly always in the frontier on a skewed graph. A warp reads these neighbours from consecutive words. Vertices that
 * must read their row go into the warp's buffer. The warp processes WARP of them at a time. The whole warp reads long
 * rows, and all groups read heavy rows. */
#define WORDS_PER_STEP 4u
#define LANE_READS 32u /* arcs that a lane reads before the warp reads the rest */

/* An item reads at most LANE_READS arcs of its row and returns the parent or NONE. */
device_inline u32 pull_by_item(const struct device_engine *s, u32 vertex, u64 begin, u64 end)
{
    u32 parent = NONE;
    end = min_u64(end, begin + LANE_READS);
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

/* A warp reads the arcs and returns the parent, or NONE, in all lanes. */
device_inline u32 pull_by_warp(const struct device_engine *s, u32 vertex, struct arc_range arcs)
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

/* A warp reads the remaining arcs of rows that items did not finish, one row after the other. */
device_inline u32 pull_long_rows(const struct device_engine *s, u32 vertex, u32 parent, u64 begin, u64 end)
{
    for (u32 rest = warp_ballot(parent == NONE && end - begin > LANE_READS); rest; rest &= rest - 1) {
        u32 lane = first_bit(rest);
        struct arc_range arcs;
        arcs.begin = warp_shuffle_long(begin, lane) + LANE_READS;
        arcs.end = warp_shuffle_long(end, lane);
        u32 other = pull_by_warp(s, warp_shuffle(vertex, lane), arcs);
        if (lane_id() == lane) parent = other;
    }
    return parent;
}

/* A warp takes up to WARP vertices from its buffer and reads their rows. Returns 1 if the item found a parent, else
 * 0. */
device_inline u32 pull_rows(const struct device_engine *s, struct warp_buffer *mine)
{
    u32 count = mine->count < WARP ? mine->count : WARP;
    warp_barrier();
    bool has = lane_id() < count;
    u32 vertex = has ? mine->vertex[mine->count - count + lane_id()] : NONE;
    u64 begin = has ? s->in_offset[vertex] : 0, end = has ? s->in_offset[(u64)vertex + 1] : 0;
    warp_barrier();
    mine->count -= count;
    if (end - begin >= s->heavy) {
        split_row(s, vertex, end - begin);
        end = begin;
    }
    u32 parent = pull_long_rows(s, vertex, pull_by_item(s, vertex, begin, end), begin, end);
    if (parent == NONE) return 0;
    (void)word_or(&s->next[vertex / 32], 1u << vertex % 32);
    (void)op_commit(s, parent, vertex, OPERATOR_WON);
    return 1;
}

/* A warp tries the hubs of WARP vertices of a word, from bit on. unwritten: true before the first write of data of
 * unvisited vertices. isolated: the isolated vertices of the word. Returns the bits of found vertices. */
device_inline u32 pull_by_hub(const struct device_engine *s, struct warp_buffer *mine, u32 place, u32 bit, u32 word,
                              bool unwritten, u32 isolated)
{
    u32 lane = bit + lane_id(), vertex = place * 32 + lane;
    bool inside = vertex < s->vertices && vertex / 32 == place, open = inside && !(word >> lane & 1);
    /* Without the index, likely is the vertex itself, which is not visited. */
    u32 likely = open ? s->hub[vertex & s->hub_mask] + (vertex & ~s->hub_mask) : NONE;
    bool hit = likely != NONE && op_accepts(s, vertex, likely, NO_ARC);
    if (hit) {
        (void)op_commit(s, likely, vertex, OPERATOR_WON);
    } else if (unwritten && inside && (open || (isolated >> lane & 1)) && vertex != s->word[0]) {
        op_unreached(s, vertex);
    }
    buffer_append(mine, likely != NONE && !hit, vertex);
    return warp_ballot(hit) << bit;
}

/* A warp processes at most WARP words, one per lane. It visits the words that are not full, WORDS_PER_STEP at a time.
 * Returns the number of vertices that its item found or counts. */
device_inline u32 pull_words(const struct device_engine *s, struct warp_buffer *mine, struct unit_range at,
                             bool unwritten)
{
    u32 place = at.begin + lane_id();
    bool has = place < at.end;
    u32 word = has ? s->visited[place] : NONE, isolated = unwritten && has ? s->isolated[place] : 0, found = 0;
    if (has) s->next[place] = word;
    warp_barrier(); /* the copy is complete before bits are added to it */
    for (u32 open = warp_ballot(word != NONE || isolated); open;) {
        u32 hits[WORDS_PER_STEP], lane[WORDS_PER_STEP];
        unrolled for (u32 i = 0; i < WORDS_PER_STEP; i++)
        {
            lane[i] = open ? first_bit(open) : WARP;
            open &= open - 1;
        }
        unrolled for (u32 i = 0; i < WORDS_PER_STEP; i++)
        {
            u32 its = warp_shuffle(word, lane[i] % WARP), its_isolated = warp_shuffle(isolated, lane[i] % WARP);
            hits[i] = 0;
            if (lane[i] == WARP) continue;
            for (u32 bit = 0; bit < 32; bit += WARP)
                hits[i] |= pull_by_hub(s, mine, at.begin + lane[i], bit, its, unwritten, its_isolated);
        }
        unrolled for (u32 i = 0; i < WORDS_PER_STEP; i++) if (lane_id() == lane[i] && hits[i])
        {
            s->next[place] = word | hits[i];
            found += bit_count(hits[i]);
        }
        warp_barrier();
        while (mine->count > BUFFER - BATCH) found += pull_rows(s, mine);
    }
    return found;
}

device_inline void pull(const struct device_engine *s, struct warp_buffer *mine, bool unwritten)
{
    u32 words = (s->vertices + 31) / 32;
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, words, WARP_BATCH, 32, s->schedule);
    struct unit_range at = {0, 0};
    u32 found = 0;
    while (distributor_next(&work, &at))
        for (struct unit_range part = at; part.begin < at.end; part.begin += WARP)
            found += pull_words(s, mine, part, unwritten);
    while (mine->count > 0) found += pull_rows(s, mine);
    count_found(s, found);
}

/* Reads the segments of heavy rows. The item that sets a vertex's bit first counts the vertex. */
device_inline void pull_segments(const struct device_engine *s, u32 segments)
{
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, segments, STRIP, 0, s->schedule);
    struct unit_range at = {0, 0};
    u32 found = 0;
    while (distributor_next(&work, &at))
        for (u32 i = at.begin; i < at.end; i++) {
            u32 vertex = s->segments[2 * (u64)i], bit = 1u << vertex % 32;
            bool known = word_fresh(&s->next[vertex / 32]) & bit; /* lanes may read the word at different times */
            if (warp_ballot(known)) continue;
            u32 parent = pull_by_warp(s, vertex, segment_arcs(s, s->in_offset, i));
            if (parent == NONE || lane_id() != 0 || (word_or(&s->next[vertex / 32], bit) & bit)) continue;
            (void)op_commit(s, parent, vertex, OPERATOR_WON);
            found++;
        }
    count_found(s, found);
}

/* ---- compaction: after pull, the difference of the two bitmaps (the frontier) becomes a queue ---- */

/* A warp appends the vertices of its words to the list. */
device_inline void compact_words(const struct device_engine *s, struct warp_buffer *mine, struct unit_range at)
{
    u32 place = at.begin + lane_id();
    u32 word = place < at.end ? s->visited[place] & ~s->next[place] : 0;
    while (warp_ballot(word != 0)) {
        buffer_append(mine, word != 0, place * 32 + (word ? first_bit(word) : 0));
        word &= word - 1;
        if (mine->count > BUFFER - WARP) buffer_flush(mine, s);
    }
}

device_inline void compact(struct device_engine *s, struct warp_buffer *mine)
{
    u32 words = (s->vertices + 31) / 32;
    s->begin = s->tail;
    struct distributor work =
        distributor_open(s->cursors, &s->my->stats, s->step, words, WARP_BATCH, 0, SCHEDULE_STATIC);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at))
        for (struct unit_range part = at; part.begin < at.end; part.begin += WARP) compact_words(s, mine, part);
    buffer_flush(mine, s);
    step_end(s);
    s->tail += s->size;
}
