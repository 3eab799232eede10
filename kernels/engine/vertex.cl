/* SPDX-License-Identifier: MIT */
/* Steps over vertices without arcs: a map, a filter and a reduction, with an inlined vertex operator. A warp filters
 * the vertices of a bitmap's word into the queue. */

/* Writes the first data of all vertices, and clears the bitmaps; op_first() filters the first frontier. A run that goes
 * on after a handoff has data and a frontier; h: 0 where there is none. */
device_inline void filter_first(const struct engine *s, struct warp_buffer *mine, u32 place, const struct handoff *h)
{
    bool resumes = h && h->rule->resumes;
    u32 given = resumes ? h->bitmap[place] : 0;
    for (u32 bit = 0; bit < 32; bit += WARP) {
        u32 vertex = place * 32 + bit + lane_id();
        bool enters = given >> (bit + lane_id()) & 1;
        if (!resumes) enters = vertex < s->vertices && op_first(s, vertex);
        buffer_put(mine, enters, vertex);
    }
    if (resumes) warp_barrier(); /* all lanes have read the word */
    if (lane_id() == 0) s->visited[place] = s->next[place] = 0;
    if (lane_id() == 0 && h) h->bitmap[place] = 0;
#if OPERATOR_BUCKETS
    if (lane_id() == 0) s->far[place] = 0;
#endif
}

#if OPERATOR_BUCKETS
/* Filters the vertices of the far bitmap that are below the threshold. Those that were done before it rose leave it;
 * the least priority of those that stay goes to *least. */
device_inline void filter_far(const struct engine *s, struct warp_buffer *mine, u32 place, u32 done, u32 *least)
{
    u32 word = s->far[place], stays = 0;
    if (word == 0) return; /* the same in all lanes */
    for (u32 bit = 0; bit < 32; bit += WARP) {
        u32 vertex = place * 32 + bit + lane_id();
        u32 priority = word >> (bit + lane_id()) & 1 ? op_priority(s, vertex) : 0; /* 0 is done */
        bool far = priority >= s->threshold;
        buffer_put(mine, priority >= done && !far, vertex);
        stays |= warp_ballot(far) << bit;
        if (far) *least = lesser_word(*least, priority);
    }
    warp_barrier(); /* all lanes have read the word */
    if (lane_id() == 0) s->far[place] = stays;
}
#endif

/* A step over all words: the first frontier, or, from `done` on, the next bucket's. Returns the least priority beyond
 * it that the item saw. */
device_inline u32 filter(const struct engine *s, struct warp_buffer *mine, bool first, u32 done,
                         const struct handoff *h)
{
    u32 words = (s->vertices + 31) / 32, least = NONE;
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, words, AT_ONCE, 0, SCHEDULE_STATIC);
    struct range at = {0, 0};
    (void)done;
    while (distributor_next(&work, &at))
        for (u32 place = at.begin; place < at.end; place++) {
            if (first) filter_first(s, mine, place, h);
#if OPERATOR_BUCKETS
            if (!first) filter_far(s, mine, place, done, &least);
#endif
            if (mine->count > BUFFER - BATCH) buffer_flush(mine, s);
        }
    buffer_flush(mine, s);
    return least;
}

/* Adds up how many vertices count. */
device_inline void count_vertices(const struct engine *s)
{
    u32 items = group_count() * group_size(), sum = 0;
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < s->vertices; v += items)
        sum += op_counts(s, (u32)v) ? 1 : 0;
    sum = warp_sum(sum);
    if (lane_id() == 0) word_sum(&s->sums[SUM_COUNTED], (u64)sum);
}
