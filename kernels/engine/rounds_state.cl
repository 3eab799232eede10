/* SPDX-License-Identifier: MIT */
/* The frontiers of operators whose vertices re-enter, for the drivers of one device (rounds.cl) and of several
 * (rounds_parted.cl).
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

/* A warp reads one of `parts` parts of the row of a vertex of the frontier. */
device_inline void push_part(const struct device_engine *s, struct warp_buffer *mine, u32 unit, u32 parts)
{
    u32 vertex = s->list[s->begin + unit / parts], part = unit % parts;
    u64 end = s->offset[(u64)vertex + 1];
    struct arc_range arcs;
    arcs.begin = s->offset[vertex];
#if !OPERATOR_ONCE
    if (part == 0 && lane_id() == 0) word_store(&s->visited[vertex / 32], 0);
#endif
    if (end - arcs.begin >= (u64)s->heavy * parts) {
        if (part == 0 && lane_id() == 0) split_row(s, vertex, end - arcs.begin);
        return;
    }
    u64 strips = (end - arcs.begin + WARP * STRIP - 1) / (WARP * STRIP), length = (strips + parts - 1) / parts * WARP * STRIP;
    arcs.begin = min_u64(arcs.begin + part * length, end);
    arcs.end = min_u64(arcs.begin + length, end);
    push_row(s, mine, false, vertex, arcs);
}

/* Advances over a frontier of fewer vertices than warps. Several warps share each row. */
device_inline void advance_thin(const struct device_engine *s, struct warp_buffer *mine)
{
    u32 warps = warp_count() * group_count(), parts = 1;
    while (parts < MAX_PARTS && s->size * parts * 2 <= warps) parts *= 2;
    struct distributor work =
        distributor_open(s->cursors, &s->my->stats, s->step, s->size * parts, 1, 0, SCHEDULE_STATIC);
    struct unit_range at = {0, 0};
    while (distributor_next(&work, &at)) push_part(s, mine, at.begin, parts);
    finish_found(s, mine);
}

/* Advances over the frontier's arcs or, for pull, over all arcs. */
device_inline void advance_round(struct device_engine *s, struct warp_buffer *mine, bool pull)
{
    s->own_rounds = pull || s->size > OWN_LIMIT * warp_count() * group_count() ? 0 : OWN_ROUNDS;
    if (!pull && s->size <= warp_count() * group_count())
        advance_thin(s, mine);
    else
        advance(s, mine, pull);
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
