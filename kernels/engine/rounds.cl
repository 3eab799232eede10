/* SPDX-License-Identifier: MIT */
/* The driver of operators whose vertices re-enter (rounds_state.cl). One persistent kernel runs round after round until
 * no vertex changes. */

device_inline void end_step(struct device_engine *s)
{
    if (item_id() == 0 && group_id() == 0) {
        if (s->stop) s->count[COUNT_STOP + s->step % 4] = stop_requested(s->stop) ? 1 : 0;
#if OPERATOR_BUCKETS
        s->count[COUNT_MIN + (s->step + 2) % 4] = NONE;
#endif
    }
    step_end(s);
}

/* Returns whether the host has cancelled the run. All items return the same after the end of a step. */
device_inline bool stopped(const struct device_engine *s)
{
    return s->stop && counted(s, COUNT_STOP);
}

/* Ends a step of advance and returns the number of found vertices. */
device_inline u32 end_advance(struct device_engine *s)
{
    end_step(s);
    u32 found = counted(s, COUNT_FOUND);
    s->tail += found;
    return found;
}

/* Runs a round over the frontier's arcs or, for pull, over all arcs. */
device_inline void run_round(struct device_engine *s, struct warp_buffer *mine, bool pull)
{
    if (pull && item_id() == 0 && group_id() == 0) s->count[COUNT_PULLS]++;
    advance_round(s, mine, pull);
    u32 found = end_advance(s), segments = counted(s, COUNT_SEGMENTS);
    if (segments > 0) {
        advance_segments(s, mine, pull, segments);
        found += end_advance(s);
    }
    s->level++;
    swap_queues(s, found);
}

/* Runs a round by push or pull. A kernel whose operator cannot pull contains no code for pull. */
device_inline void run_direction(struct device_engine *s, struct warp_buffer *mine, u32 pull_size, bool *pulling)
{
#if OPERATOR_PULL == OPERATOR_PULL_ALL
    struct direction_rule rule = {DIRECTION_ROUNDS};
    struct direction_view at = {s->size, 0, 0, s->vertices, *pulling, *pulling, 0, 0};
    rule.size = pull_size;
    *pulling = direction_pulls(&rule, &at);
    if (*pulling) {
        trace_round(s, GWS_TRACE_PULL);
        run_round(s, mine, true);
        return;
    }
#else
    (void)pull_size;
    (void)pulling;
#endif
    trace_round(s, GWS_TRACE_PUSH);
    run_round(s, mine, false);
}

/* Raises the threshold until vertices of far enter the frontier. Returns false if no vertex is left. */
device_inline bool next_bucket(struct device_engine *s, struct warp_buffer *mine)
{
#if OPERATOR_BUCKETS
    u32 width = s->word[3], from = s->threshold;
    s->own_rounds = OWN_ROUNDS;
    do {
        u32 done = s->threshold;
        s->threshold = min_u32(from, NONE - width) + width;
        filter_far(s, mine, done);
        end_step(s);
        swap_queues(s, counted(s, COUNT_FOUND));
        from = counted(s, COUNT_MIN);
        if (from != 0) continue;
        from = s->threshold;
        s->level++;
    } while (s->size == 0 && from != NONE && !stopped(s));
#else
    (void)mine;
#endif
    return s->size > 0;
}

/* Runs rounds until no vertex changes, the host cancels the run, or a handoff is due. Returns whether a handoff is due.
 * h: 0 without handoff. */
device_inline bool run_rounds(struct device_engine *s, u32 pull_size, const struct engine_handoff *h)
{
    struct warp_buffer mine;
    bool pulling = false, is_leader = item_id() == 0 && group_id() == 0;
    float lost = 0;
    mine.vertex = s->my->use.buffer[warp_id()];
    mine.count = mine.first = 0;
    filter_all(s, &mine, h);
    end_step(s);
    swap_queues(s, counted(s, COUNT_FOUND));
    do {
        while (s->size > 0 && !stopped(s)) {
            if (h && handoff_due(h->rule, &lost, s->level, s->size, 0)) return true;
            if (h && is_leader) handoff_clock(h, 1);
            run_direction(s, &mine, pull_size, &pulling);
            if (h && is_leader) handoff_clock(h, 2);
        }
    } while (!stopped(s) && next_bucket(s, &mine));
    count_vertices(s);
    return false;
}

/* ---- the kernels ---- */

/* Runs all rounds. Writes sums[SUM_COUNTED] and the words COUNT_REPORT_LEVELS, COUNT_REPORT_THRESHOLD and COUNT_PULLS
 * of control. */
kernel_entry engine_rounds(ROUNDS_PARAMETERS)
{
    local_array(struct group_memory, memory, 1);
    struct device_engine s;
    open_rounds(ROUNDS_ARGUMENTS, memory, &s);
    (void)run_rounds(&s, pull_size, 0);
    trace_launch(&s, GWS_TRACE_END);
    if (item_id() != 0 || group_id() != 0) return;
    s.count[COUNT_REPORT_LEVELS] = s.level;
    s.count[COUNT_REPORT_THRESHOLD] = s.threshold;
}
