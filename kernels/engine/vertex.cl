/* SPDX-License-Identifier: MIT */
/* Steps over vertices, without arcs: a map, a filter and a reduction, with an inlined vertex operator. A warp filters
 * the vertices of a bitmap's word into the queue. */

/* A warp writes the initial data of a word's vertices and clears the bitmaps. op_first() filters the first frontier.
 * With buckets, initial vertices beyond the first threshold go to far. A run that resumes after a handoff already has
 * data and a frontier. h: 0 without handoff. */
device_inline void filter_first(const struct device_engine *s, struct warp_buffer *mine, u32 place,
                                const struct engine_handoff *h)
{
    bool resumes = h && h->rule->resumes;
    u32 given = resumes ? h->bitmap[place] : 0;
#if OPERATOR_BUCKETS
    u32 stays = 0;
#endif
    for (u32 bit = 0; bit < 32; bit += WARP) {
        u32 vertex = place * 32 + bit + lane_id();
        bool enters = given >> (bit + lane_id()) & 1;
        if (!resumes) enters = vertex < s->vertices && op_first(s, vertex);
#if OPERATOR_BUCKETS
        bool far = enters && !resumes && op_priority(s, vertex) >= s->threshold;
        stays |= warp_ballot(far) << bit;
        enters = enters && !far;
#endif
        buffer_append(mine, enters, vertex);
    }
    if (resumes) warp_barrier(); /* all lanes have read the word */
    if (lane_id() == 0) s->visited[place] = s->next[place] = 0;
    if (lane_id() == 0 && h) h->bitmap[place] = 0;
#if OPERATOR_BUCKETS
    if (lane_id() == 0) s->far[place] = stays;
#endif
}

/* Runs a step over all words that filters the first frontier. */
device_inline void filter_all(const struct device_engine *s, struct warp_buffer *mine, const struct engine_handoff *h)
{
    u32 words = (s->vertices + 31) / 32;
    struct distributor work =
        distributor_open(s->cursors, &s->my->stats, s->step, words, WARP_BATCH, 0, SCHEDULE_STATIC);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at))
        for (u32 place = at.begin; place < at.end; place++) {
            filter_first(s, mine, place, h);
            if (mine->count > BUFFER - BATCH) flush_found(mine, s);
        }
    flush_found(mine, s);
}

#if OPERATOR_BUCKETS
/* A warp filters the vertices of STRIP words of far that are below the threshold. A vertex whose priority is below
 * `done` was finished in an earlier bucket and leaves the bitmap. *min_priority becomes the minimum priority of the
 * vertices that stay, or 0 if the bucket has vertices. Other warps may add bits to a word, but only this warp removes
 * some, so it subtracts them. A vertex that enters once stays in far, and filter_far_range() skips it. */
device_inline void filter_far_words(const struct device_engine *s, struct warp_buffer *mine, const u32 *place,
                                    const u32 *word, u32 done, u32 *min_priority)
{
    u32 stays[STRIP] = {0};
    for (u32 bit = 0; bit < 32; bit += WARP) {
        u32 priority[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++) priority[i] =
            word[i] >> (bit + lane_id()) & 1 ? op_priority(s, place[i] * 32 + bit + lane_id()) : 0;
        unrolled for (u32 i = 0; i < STRIP; i++)
        {
            bool has = word[i] >> (bit + lane_id()) & 1, far = priority[i] >= s->threshold;
            bool takes = has && !far;
#if OPERATOR_ONCE
            (void)done;
#else
            takes = takes && priority[i] >= done;
#endif
            if (takes || far) *min_priority = min_u32(*min_priority, takes ? 0 : priority[i]);
            buffer_append(mine, takes, place[i] * 32 + bit + lane_id());
            stays[i] |= warp_ballot(far) << bit;
        }
        if (mine->count > BUFFER - BATCH) flush_found(mine, s);
    }
#if !OPERATOR_ONCE
    unrolled for (u32 i = 0; i < STRIP; i++) if (lane_id() == 0 && stays[i] != word[i])
        (void)word_add(&s->far[place[i]], stays[i] - word[i]);
#endif
}

/* A warp filters up to WARP words of far, from `first` on. */
device_inline void filter_far_range(const struct device_engine *s, struct warp_buffer *mine, struct unit_range words,
                                    u32 done, u32 *min_priority)
{
    u32 at = words.begin + lane_id(), own = 0;
    if (at < words.end) own = word_fresh(&s->far[at]);
#if OPERATOR_ONCE
    if (at < words.end) own &= ~word_fresh(&s->next[at]);
#endif
    for (u32 rest = warp_ballot(own != 0); rest;) {
        u32 place[STRIP], word[STRIP];
        unrolled for (u32 i = 0; i < STRIP; i++)
        {
            u32 lane = rest ? first_bit(rest) : 0, other = warp_shuffle(own, lane);
            place[i] = words.begin + lane;
            word[i] = rest ? other : 0;
            rest &= rest - 1;
        }
        filter_far_words(s, mine, place, word, done, min_priority);
    }
}

/* A group adds the minimum of its items' priorities to the step's minimum: one atomic operation per group. */
device_inline void lower_min(const struct device_engine *s, u32 priority)
{
    if (priority != NONE) (void)local_max(&s->my->found, ~priority);
    group_barrier();
    if (item_id() != 0) return;
    if (s->my->found > 0) (void)word_min(&s->count[COUNT_MIN + s->step % 4], ~s->my->found);
    s->my->found = 0;
}

/* Runs a step over all words of far: filters the next bucket's vertices, from priority `done` on. A warp runs rounds
 * of its own over its vertices while other warps still filter. COUNT_MIN becomes 0 if the bucket has vertices,
 * otherwise the minimum priority beyond it. A vertex that enters once may be between a decrement and its correction
 * (operator/cores.cl), so `done` does not count for it. */
device_inline void filter_far(const struct device_engine *s, struct warp_buffer *mine, u32 done)
{
    u32 words = (s->vertices + 31) / 32, min_priority = NONE;
    struct distributor work =
        distributor_open(s->cursors, &s->my->stats, s->step, words, WARP_BATCH, 0, SCHEDULE_STATIC);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at))
        for (struct unit_range part = at; part.begin < at.end; part.begin += WARP)
            filter_far_range(s, mine, part, done, &min_priority);
    finish_found(s, mine);
    lower_min(s, min_priority);
}
#endif

/* Counts the vertices for which op_counts() holds. */
device_inline void count_vertices(const struct device_engine *s)
{
    u32 items = group_count() * group_size(), sum = 0;
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < s->vertices; v += items)
        sum += op_counts(s, (u32)v) ? 1 : 0;
    sum = warp_sum(sum);
    if (lane_id() == 0) word_sum(&s->sums[SUM_COUNTED], (u64)sum);
}
