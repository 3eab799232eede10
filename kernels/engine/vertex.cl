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

#if OPERATOR_BUCKETS
/* A warp filters the vertices of the far bitmap that are below the threshold. A vertex whose priority is below `done`
 * was finished in an earlier bucket and leaves the bitmap. *min_priority becomes the minimum priority of the vertices
 * that stay. */
device_inline void filter_far(const struct device_engine *s, struct warp_buffer *mine, u32 place, u32 done,
                              u32 *min_priority)
{
    u32 word = s->far[place], stays = 0;
    if (word == 0) return; /* word is the same in all lanes */
    for (u32 bit = 0; bit < 32; bit += WARP) {
        u32 vertex = place * 32 + bit + lane_id();
        u32 priority = word >> (bit + lane_id()) & 1 ? op_priority(s, vertex) : 0; /* 0 counts as done */
        bool far = priority >= s->threshold;
        buffer_append(mine, priority >= done && !far, vertex);
        stays |= warp_ballot(far) << bit;
        if (far) *min_priority = min_u32(*min_priority, priority);
    }
    warp_barrier(); /* all lanes have read the word */
    if (lane_id() == 0) s->far[place] = stays;
}
#endif

/* Runs a step over all words: filters the first frontier or the next bucket's frontier, from priority `done` on.
 * Returns the minimum priority beyond the bucket among the vertices that the item read. */
device_inline u32 filter(const struct device_engine *s, struct warp_buffer *mine, bool first, u32 done,
                         const struct engine_handoff *h)
{
    u32 words = (s->vertices + 31) / 32, min_priority = NONE;
    struct distributor work =
        distributor_open(s->cursors, &s->my->stats, s->step, words, WARP_BATCH, 0, SCHEDULE_STATIC);
    struct unit_range at = {0, 0};
    (void)done;
    while (distributor_next(&work, &at))
        for (u32 place = at.begin; place < at.end; place++) {
            if (first) filter_first(s, mine, place, h);
#if OPERATOR_BUCKETS
            if (!first) filter_far(s, mine, place, done, &min_priority);
#endif
            if (mine->count > BUFFER - BATCH) buffer_flush(mine, s);
        }
    buffer_flush(mine, s);
    return min_priority;
}

/* Counts the vertices for which op_counts() holds. */
device_inline void count_vertices(const struct device_engine *s)
{
    u32 items = group_count() * group_size(), sum = 0;
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < s->vertices; v += items)
        sum += op_counts(s, (u32)v) ? 1 : 0;
    sum = warp_sum(sum);
    if (lane_id() == 0) word_sum(&s->sums[SUM_COUNTED], (u64)sum);
}
