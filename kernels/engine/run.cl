/* SPDX-License-Identifier: MIT */
/* The engine's driver: one persistent kernel for a whole traversal. Every group runs from the first level to the last.
 * All groups decide from the same numbers how the next level runs, so the host is not involved.
 *
 * direction.h decides whether a level pulls or pushes. One group runs small levels of push serially while the other
 * groups wait at the barrier. */

struct run_params {
    u32 alpha, beta; /* the rule's size and arcs; both 0: never pull */
    u32 candidates;  /* vertices with an incoming arc */
    u32 pull_levels; /* levels of pull so far */
};

/* Begins a search: only the root and the vertices without arcs count as visited. */
device_inline void begin_run(struct device_engine *s, struct run_params *w)
{
    u64 words = ((u64)s->vertices + 31) / 32, items = (u64)group_count() * group_size();
    u32 root = s->word[0];
    for (u64 i = (u64)group_id() * group_size() + item_id(); i < words; i += items)
        s->visited[i] = s->isolated[i] | (i == root / 32 ? 1u << root % 32 : 0);
    begin_counting(s);
    if (item_id() == 0 && group_id() == 0) {
        op_start(s, root);
        s->list[0] = root;
    }
    s->arcs_wanted = w->beta > 0 ? w->candidates / 32 + 1 : 0;
    s->arcs = degree_of(s, root);
    s->unexplored = s->offset[s->vertices];
    s->level = w->pull_levels = 0;
    s->size = s->reached = s->tail = 1;
    grid_barrier_wait(&s->all, &s->my->stats.idle);
}

device_inline void next_level(struct device_engine *s, u32 found)
{
    s->begin += s->size;
    s->size = found;
    s->reached += found;
    s->level++;
}

device_inline void push_level(struct device_engine *s, struct warp_buffer *mine)
{
    if (item_id() == 0 && group_id() == 0) record_level(s, RECORD_ALL_GROUPS);
    advance(s, mine, false);
    step_end(s);
    u32 found = counted(s, COUNT_FOUND), segments = counted(s, COUNT_SEGMENTS), more = 0;
    s->arcs = counted_arcs(s);
    s->tail += found;
    if (segments > 0) {
        advance_segments(s, mine, false, segments);
        step_end(s);
        more = counted(s, COUNT_FOUND);
        s->arcs += counted_arcs(s);
        s->tail += more;
    }
    next_level(s, found + more);
}

device_inline void pull_level(struct device_engine *s, struct warp_buffer *mine, bool unwritten)
{
    if (item_id() == 0 && group_id() == 0) record_level(s, RECORD_BOTTOM_UP | RECORD_ALL_GROUPS);
    pull(s, mine, unwritten);
    add_found(s);
    step_end(s);
    u32 found = counted(s, COUNT_FOUND), segments = counted(s, COUNT_SEGMENTS);
    if (segments > 0) {
        pull_segments(s, segments);
        add_found(s);
        step_end(s);
        found += counted(s, COUNT_FOUND);
    }
    global_mem u32 *before = s->visited;
    s->visited = s->next;
    s->next = before;
    next_level(s, found);
}

/* Group 0 runs the small levels. All groups then read the position that group 0 reached. Returns whether a handoff is
 * due. */
device_inline bool serial_phase(struct device_engine *s, const struct engine_handoff *h)
{
    if (group_id() == 0) {
        u32 arcs;
        bool due = serial_levels(s, &arcs, h);
        if (item_id() == 0) {
            s->count[COUNT_LEVEL] = s->level;
            s->count[COUNT_BEGIN] = s->begin;
            s->count[COUNT_SIZE] = s->size;
            s->count[COUNT_REACHED] = s->reached;
            if (h) s->count[COUNT_HANDOFF] = due;
            s->sums[SUM_SERIAL_ARCS] = arcs;
        }
    }
    step_end(s);
    s->level = word_fresh(&s->count[COUNT_LEVEL]);
    s->begin = word_fresh(&s->count[COUNT_BEGIN]);
    s->size = word_fresh(&s->count[COUNT_SIZE]);
    s->reached = word_fresh(&s->count[COUNT_REACHED]);
    s->arcs = long_fresh(&s->sums[SUM_SERIAL_ARCS]);
    s->tail = s->begin + s->size;
    return h && word_fresh(&s->count[COUNT_HANDOFF]);
}

/* Writes the data of unreached vertices. */
device_inline void write_unreached(const struct device_engine *s)
{
    u64 items = (u64)group_count() * group_size();
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < s->vertices; v += items) {
        bool reached = !op_wants(s, (u32)v) && !(s->isolated[v / 32] >> v % 32 & 1);
        if (!reached && v != s->word[0]) op_unreached(s, (u32)v);
    }
}

/* Returns whether the level pulls. */
device_inline bool pulls(const struct device_engine *s, const struct run_params *w, bool pulling)
{
    struct direction_rule rule = {DIRECTION_PERSISTENT};
    struct direction_view at;
    rule.size = w->alpha;
    rule.arcs = w->beta;
    at.push_cost = at.pull_cost = 0;
    at.size = s->size;
    at.arcs = s->arcs;
    at.unexplored = s->unexplored;
    at.candidates = w->candidates > s->reached ? w->candidates - s->reached : 0;
    at.pulling = pulling;
    at.pulled = w->pull_levels > 0;
    return direction_pulls(&rule, &at);
}

/* Runs levels to the last one, or until a handoff is due. Returns whether a handoff is due. h: 0 without handoff.
 * `tried` is true if the frontier was too large for one group. The launch that begins a traversal writes the data of
 * unreached vertices once. */
device_inline bool run_levels(struct device_engine *s, struct run_params *w, const struct engine_handoff *h)
{
    struct warp_buffer mine;
    bool resumes = h && h->rule->resumes, listed = true, tried = false, due = false;
    mine.vertex = s->my->use.buffer[warp_id()];
    mine.count = 0;
    while (s->size > 0 && !due) {
        if (pulls(s, w, !listed) && !(h && h->rule->timed)) {
            s->arcs_wanted = 0;
            pull_level(s, &mine, w->pull_levels++ == 0 && !resumes);
            listed = tried = false;
            continue;
        }
        if (!listed) compact(s, &mine);
        listed = true;
        s->unexplored -= min_u64(s->arcs, s->unexplored);
        tried = !tried && s->size <= SERIAL_CAPACITY;
        if (tried)
            due = serial_phase(s, h);
        else
            push_level(s, &mine);
    }
    if (w->pull_levels == 0 && !resumes) write_unreached(s);
    return due;
}

/* ---- the kernels ---- */

/* hub, isolated, candidates: the index "hubs" (index.cl), or, without the index (hub_mask 0), zeros and the number of
 * vertices. next: a second bitmap. queue: two cursors per group, as plain words. record: a word per vertex. result:
 * four words; the first two become the levels and the reached vertices. */
#define RUN_PARAMETERS                                                                                                 \
    global_mem const u64 *offset, global_mem const u32 *target, global_mem const u64 *in_offset,                       \
        global_mem const u32 *source, global_mem u32 *data0, global_mem u32 *data1, global_mem u32 *visited,           \
        global_mem u32 *list, global_mem u32 *control, global_mem u64 *sums, global_mem u32 *queue,                    \
        global_mem u64 *stats, global_mem struct gws__trace_log *trace, global_mem const u32 *hub,                     \
        global_mem const u32 *isolated, global_mem u32 *next, global_mem u32 *segments, global_mem u64 *record,        \
        global_mem u32 *result, u32 vertices, u32 heavy, u32 alpha, u32 beta, u32 schedule, u32 candidates,            \
        u32 hub_mask
#define RUN_ARGUMENTS                                                                                                  \
    offset, target, in_offset, source, data0, data1, visited, list, control, sums, queue, stats, trace, hub, isolated, \
        next, segments, record, result, vertices, heavy, alpha, beta, schedule, candidates, hub_mask

device_inline void open_run(RUN_PARAMETERS, local_mem struct group_memory *memory, struct device_engine *s,
                            struct run_params *w)
{
    s->offset = offset, s->in_offset = in_offset, s->target = target, s->source = source;
    s->hub = hub, s->isolated = isolated, s->data[0] = data0, s->data[1] = data1;
    s->visited = visited, s->next = next, s->list = list, s->count = control, s->segments = segments;
    s->cursors = queue, s->record = record, s->trace = trace;
    s->vertices = vertices, s->heavy = heavy, s->schedule = schedule, s->hub_mask = hub_mask;
    w->alpha = alpha, w->beta = beta, w->candidates = candidates;
    (void)result, (void)stats; /* written at the end */
    open_group(s, memory, sums);
    trace_launch(s, GWS_TRACE_BEGIN);
}

/* Reports the traversal's levels and reached vertices. */
device_inline void report_result(const struct device_engine *s, global_mem u32 *result)
{
    if (item_id() != 0 || group_id() != 0) return;
    result[0] = s->level;
    result[1] = s->reached;
}

/* Writes the group's statistics in the order of queue/queue_words.h, then two words in ticks. If `more` is true, it
 * adds them to the existing values. */
device_inline void report_group(const struct device_engine *s, global_mem u64 *stats, bool more)
{
    local_mem const struct distributor_stats *own = &s->my->stats;
    trace_launch(s, GWS_TRACE_END);
    group_barrier(); /* all warps have counted their acquisitions */
    if (item_id() != 0) return;
    u64 ticks = clock_ticks() - own->began;
    const u64 did[8] = {own->given, own->ran, 0, own->stolen, own->steals, own->failed, ticks - own->idle, ticks};
    global_mem u64 *mine = stats + (u64)group_id() * 8;
    for (u32 i = 0; i < 8; i++) mine[i] = (more ? mine[i] : 0) + did[i];
}

kernel_entry engine_run(RUN_PARAMETERS, u32 root)
{
    local_array(struct group_memory, memory, 1);
    struct device_engine s;
    struct run_params w;
    open_run(RUN_ARGUMENTS, memory, &s, &w);
    s.word[0] = root;
    begin_run(&s, &w);
    (void)run_levels(&s, &w, 0);
    report_result(&s, result);
    report_group(&s, stats, false);
}
