/* SPDX-License-Identifier: MIT */
/* The driver of operators whose vertices re-enter. One persistent kernel runs round after round until no vertex
 * changes.
 *
 * There are two queues, the halves of list, and two bitmaps. next marks the vertices that are already in the next
 * frontier, so that each vertex enters the frontier once. visited is the bitmap of the current frontier. A round clears
 * visited as it consumes the frontier. The engine then swaps the two bitmaps. If vertices enter once, next keeps all
 * that have entered, and visited is not used. With buckets, a vertex whose priority is not below the threshold goes to
 * a third bitmap, far. When no vertex below the threshold is left, the threshold rises, and the engine filters the
 * bitmap.
 *
 * While frontiers are small, a warp runs rounds of its own between two grid barriers, after its part of a round or of a
 * filter (bucket fusion, Zhang et al., CGO 2020, with warps as threads). */

/* Initialises the counters and an empty frontier. All groups call it. */
device_inline void begin_rounds(struct device_engine *s)
{
    begin_counting(s);
    if (item_id() == 0 && group_id() == 0) {
        for (u32 slot = 0; slot < 4; slot++) s->count[COUNT_MIN + slot] = NONE;
        s->count[COUNT_PULLS] = 0;
        s->sums[SUM_COUNTED] = 0;
    }
    s->level = s->size = s->tail = s->arcs_wanted = 0;
    s->begin = s->vertices; /* the first step fills the queue that begins at 0 */
    grid_barrier_wait(&s->all, &s->my->stats.idle);
}

/* Makes the filled queue the frontier. The next step fills the other queue. */
device_inline void swap_queues(struct device_engine *s, u32 found)
{
#if !OPERATOR_ONCE
    global_mem u32 *consumed = s->visited;
    s->visited = s->next;
    s->next = consumed;
#endif
    s->size = found;
    s->begin = s->begin ? 0 : s->vertices;
    s->tail = s->vertices - s->begin;
}

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
    s->own_rounds = pull || s->size > OWN_LIMIT * warp_count() * group_count() ? 0 : OWN_ROUNDS;
    if (!pull && s->size <= warp_count() * group_count())
        advance_thin(s, mine);
    else
        advance(s, mine, pull);
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

/* An array that the operator does not use may be any pointer. list: two words per vertex. queue: two cursors per group.
 * pull_size: the rule's size; 0: never pull. */
#define ROUNDS_PARAMETERS                                                                                              \
    global_mem const u64 *offset, global_mem const u32 *target, global_mem const u64 *in_offset,                       \
        global_mem const u32 *source, global_mem const u32 *weight, global_mem u32 *data0, global_mem u32 *data1,      \
        global_mem u32 *data2, global_mem u32 *data3, global_mem u32 *visited, global_mem u32 *next,                   \
        global_mem u32 *far, global_mem u32 *list, global_mem u32 *control, global_mem u64 *sums,                      \
        global_mem u32 *queue, global_mem u32 *segments, global_mem struct gws__trace_log *trace,                      \
        global_mem u32 *stop, u32 vertices, u32 heavy, u32 schedule, u32 pull_size, u32 word0, u32 word1, u32 word2, u32 word3
#define ROUNDS_ARGUMENTS                                                                                               \
    offset, target, in_offset, source, weight, data0, data1, data2, data3, visited, next, far, list, control, sums,    \
        queue, segments, trace, stop, vertices, heavy, schedule, pull_size, word0, word1, word2, word3

device_inline void open_rounds(ROUNDS_PARAMETERS, local_mem struct group_memory *memory, struct device_engine *s)
{
    s->offset = offset, s->in_offset = in_offset, s->target = target, s->source = source, s->weight = weight;
    s->data[0] = data0, s->data[1] = data1, s->data[2] = data2, s->data[3] = data3;
    s->word[0] = word0, s->word[1] = word1, s->word[2] = word2, s->word[3] = s->threshold = word3;
    s->visited = visited, s->next = next, s->far = far, s->list = list, s->count = control, s->segments = segments;
    s->cursors = queue, s->trace = trace, s->stop = stop;
    s->vertices = vertices, s->heavy = heavy, s->schedule = schedule;
    (void)pull_size;
    open_group(s, memory, sums);
    trace_launch(s, GWS_TRACE_BEGIN);
    begin_rounds(s);
}

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
