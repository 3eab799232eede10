/* SPDX-License-Identifier: MIT */
/* BFS by the device alone, without a word from the host between levels: it gives bfs_plan, bfs_top_down, bfs_bottom_up
 * several times ahead, or bfs_level, and a kernel that finds nothing to do ends at once. bfs_plan is one group: it runs
 * top-down levels that are not worth more groups itself, one after the other, and cuts the first one that is.
 *
 * CONTROL_STATE says what goes on: */
#define STATE_READY 0u /* the frontier has not been looked at */
#define STATE_CUT 1u   /* all groups are to run it, or have done so */
#define STATE_FULL 2u  /* there is no room for records: the host fetches them, and makes it READY */
#define STATE_ENDED 3u /* the frontier is empty */

/* A level's record: how many vertices, and how it ran. */
#define RECORD_BOTTOM ((u64)1 << 32)
#define RECORD_CUT ((u64)1 << 33)

/* What plans a search; constant. */
struct plan {
    u32 threshold; /* top-down levels of fewer vertices are one group's, if they have fewer arcs than: */
    u32 arcs;
    u32 chunk;     /* 0: chosen for each level */
    u32 direction; /* 0: the one that looks at fewer arcs; 1: top-down, 2: bottom-up, always */
    u32 groups;    /* of the other kernels */
    u32 steals;
    u32 vertices;
    u32 records; /* room for them */
};

device_inline bool goes_bottom_up(struct plan plan, bool bottom_up, u64 size, u64 degrees, u64 unexplored)
{
    struct direction_rule rule = {DIRECTION_THREADS};
    struct direction_view at = {size, degrees, unexplored, plan.vertices, bottom_up, bottom_up, 0, 0};
    return plan.direction != 0 ? plan.direction == 2 : direction_pulls(&rule, &at);
}

/* Begins a search: as many groups as run levels. */
kernel_entry bfs_begin(SEARCH_PARAMETERS, u32 root, u32 vertices, u64 arcs)
{
    SEARCH_MAKE(s);
    u64 items = (u64)group_size() * group_count(), first = (u64)group_id() * group_size() + item_id();
    for (u64 v = first; v < vertices; v += items) {
        atom_store(&s.depth[v], v == root ? 0 : NONE, order_relaxed);
        atom_store(&s.parent[v], v == root ? root : NONE, order_relaxed);
    }
    for (u64 w = first; w < ((u64)vertices + 31) / 32; w += items)
        atom_store(&s.visited[w], w == root / 32 ? 1u << root % 32 : 0, order_relaxed);
    for (u32 i = item_id(); i < STATS_STRIDE; i += group_size()) s.stats[group_id() * STATS_STRIDE + i] = 0;
    if (first != 0) return;
    s.list[0] = root;
    for (u32 i = 0; i < CONTROL_WORDS; i++) atom_store(&s.control[i], 0, order_relaxed);
    atom_store(&s.control[CONTROL_END], 1, order_relaxed);
    atom_store(&s.control[CONTROL_TAIL], 1, order_relaxed);
    atom_store(&s.sums[SUM_DEGREES], s.offset[root + 1] - s.offset[root], order_relaxed);
    atom_store(&s.sums[SUM_FOUND], 0, order_relaxed);
    atom_store(&s.sums[SUM_UNEXPLORED], arcs, order_relaxed);
}

/* Where a search stands, in all items of the planning group. */
struct stand {
    u32 level, begin, end, records;
    bool bottom_up;
    u64 degrees, unexplored;
};

device_inline void go_on(struct stand *at, u32 tail, u64 degrees)
{
    at->unexplored -= at->degrees;
    at->begin = at->end;
    at->end = tail;
    at->level++;
    at->degrees = degrees;
}

/* Reads where the search stands, after the level that was cut, if there was one. */
device_inline struct stand stand_read(struct search s)
{
    struct stand at;
    at.level = atom_load(&s.control[CONTROL_LEVEL], order_relaxed);
    at.begin = atom_load(&s.control[CONTROL_BEGIN], order_relaxed);
    at.end = atom_load(&s.control[CONTROL_END], order_relaxed);
    at.bottom_up = atom_load(&s.control[CONTROL_BOTTOM], order_relaxed);
    at.records = atom_load(&s.control[CONTROL_RECORDS], order_relaxed);
    at.degrees = atom_load(&s.sums[SUM_DEGREES], order_relaxed);
    at.unexplored = atom_load(&s.sums[SUM_UNEXPLORED], order_relaxed);
    if (atom_load(&s.control[CONTROL_STATE], order_relaxed) == STATE_CUT)
        go_on(&at, atom_load(&s.control[CONTROL_TAIL], order_relaxed), atom_load(&s.sums[SUM_FOUND], order_relaxed));
    return at;
}

/* CONTROL_LEVEL to CONTROL_ARRIVED, in their order, and the others. */
device_inline void stand_write(struct search s, struct stand at, struct plan plan, u32 state)
{
    const u32 word[CONTROL_PLANNED] = {
        at.level, at.begin,   at.end, at.bottom_up ? 1u : 0u, plan.groups, plan.groups, plan.steals,
        state,    at.records, 0};
    for (u32 i = 0; i < CONTROL_PLANNED; i++) atom_store(&s.control[i], word[i], order_relaxed);
    atom_store(&s.control[CONTROL_TAIL], at.end, order_relaxed);
    atom_store(&s.sums[SUM_DEGREES], at.degrees, order_relaxed);
    atom_store(&s.sums[SUM_FOUND], 0, order_relaxed);
    atom_store(&s.sums[SUM_UNEXPLORED], at.unexplored, order_relaxed);
}

/* The state that the frontier calls for; bottom_up is decided on the way. */
device_inline u32 plan_level(struct plan plan, struct stand *at, u64 *count)
{
    u64 size = at->end - at->begin;
    if (size == 0) return STATE_ENDED;
    if (at->records == plan.records) return STATE_FULL;
    at->bottom_up = goes_bottom_up(plan, at->bottom_up, size, at->degrees, at->unexplored);
    *count = at->bottom_up ? plan.vertices : size;
    return at->bottom_up || size >= plan.threshold || at->degrees >= plan.arcs ? STATE_CUT : STATE_READY;
}

device_inline u64 record_of(const struct stand *at, u32 state)
{
    u64 size = at->end - at->begin;
    return size | (at->bottom_up ? RECORD_BOTTOM : 0) | (state == STATE_CUT ? RECORD_CUT : 0);
}

/* One group runs the level of count vertices, if it has any, alone. */
device_inline void run_alone(struct search s, local_mem struct group_memory *my, struct stand *at, u64 count)
{
    struct pushed pushed = {true, at->end, 0, 0};
    if (item_id() == 0) {
        s.stats[STATS_MADE] += count;
        s.stats[STATS_RUN] += count;
    }
    expand(s, my, at->begin, at->begin + count, at->level + 1, &pushed);
    push_end(s, my, &pushed); /* and what the items wrote is there for all of them */
    if (count > 0) go_on(at, pushed.end, pushed.weights);
}

/* About four chunks for each group, in whole rounds; but for long rows, as few vertices as have arcs for all items. */
device_inline u64 choose_chunk(struct plan plan, const struct stand *at, u64 count)
{
    u64 chunk = count / (plan.groups * 4u) / group_size() * group_size();
    u64 arcs = at->bottom_up ? 0 : at->degrees, least = arcs > count ? group_size() * count / arcs + 1 : group_size();
    if (plan.chunk > 0) return plan.chunk;
    return chunk > least ? chunk : least;
}

device_inline void cut_level(struct search s, struct plan plan, const struct stand *at, u64 count)
{
    u64 chunk = choose_chunk(plan, at, count);
    for (u32 g = item_id(); g < plan.groups; g += group_size()) {
        queue_fill(s.queue, g, plan.groups, count, chunk);
        s.stats[g * STATS_STRIDE + STATS_MADE] += queue_assigned(s.queue + g * QUEUE_STRIDE);
    }
}

/* The planning group's work, from one level that was cut to the next. */
device_inline void plan_levels(struct search s, local_mem struct group_memory *my, global_mem u64 *record,
                               struct plan plan)
{
    struct stand at = stand_read(s);
    u64 count = 0;
    u32 state;
    do {
        /* All items know the state, but take it from one: a value that compilers cannot see through keeps them from
         * drawing the loop's exits, and with them barriers, apart. */
        state = plan_level(plan, &at, &count);
        if (item_id() == 0) my->word = state;
        group_barrier(); /* the first time: all items have read what the last lines write */
        state = my->word;
        group_barrier();
        if (item_id() == 0 && state <= STATE_CUT) {
            u64 what = record_of(&at, state);
            record[at.records] = what;
            trace_event(s.trace, what & RECORD_BOTTOM ? GWS_TRACE_PULL : GWS_TRACE_PUSH, 0, at.level, (u32)what);
        }
        at.records += state <= STATE_CUT ? 1 : 0;
        run_alone(s, my, &at, state == STATE_READY ? count : 0);
    } while (state == STATE_READY);
    if (state == STATE_CUT) cut_level(s, plan, &at, count);
    if (item_id() > 0) return;
    stand_write(s, at, plan, state);
    trace_event(s.trace, GWS_TRACE_END, 0, TRACE_CLOCK, 0);
}

kernel_entry bfs_plan(SEARCH_PARAMETERS, global_mem u64 *record, const struct plan plan)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    plan_levels(s, memory, record, plan);
}

device_inline bool is_cut(struct search s, bool bottom_up)
{
    return atom_load(&s.control[CONTROL_STATE], order_relaxed) == STATE_CUT &&
           atom_load(&s.control[CONTROL_BOTTOM], order_relaxed) == (bottom_up ? 1u : 0u);
}

/* The level that was cut, if there is one in this direction. */
kernel_entry bfs_top_down(SEARCH_PARAMETERS)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    if (is_cut(s, false)) run_level(s, memory, own_role(s), false);
}

kernel_entry bfs_bottom_up(SEARCH_PARAMETERS)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    if (is_cut(s, true)) run_level(s, memory, own_role(s), true);
}

/* All of it in one kernel: both directions, and the group that ends last plans what comes next. For devices whose
 * compilers stand it, after one bfs_plan. */
kernel_entry bfs_level(SEARCH_PARAMETERS, global_mem u64 *record, const struct plan plan)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    bool down = is_cut(s, false), up = is_cut(s, true), last = false;
    if (down) run_level(s, memory, own_role(s), false);
    if (up) run_level(s, memory, own_role(s), true);
    group_barrier(); /* all items have written what they found */
    /* release: publishes that; acquire: the last one sees what all groups have published. */
    if (item_id() == 0)
        memory->word = (down || up) && atom_add(&s.control[CONTROL_ARRIVED], 1, order_acq_rel) + 1 == group_count();
    group_barrier();
    last = memory->word != 0;
    group_barrier();
    if (last) plan_levels(s, memory, record, plan);
}
