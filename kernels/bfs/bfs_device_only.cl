/* SPDX-License-Identifier: MIT */
/* BFS by the device alone, without messages from the host between levels. The host queues several launches of bfs_plan,
 * bfs_top_down and bfs_bottom_up, or of bfs_level, in advance. A kernel without work ends at once. bfs_plan has one
 * group. That group runs small levels by itself, top-down, and partitions the first larger level for all groups.
 * CONTROL_STATE is the state of the search. */
device_inline bool runs_bottom_up(struct gws__bfs_plan plan, bool bottom_up, u64 size, u64 degrees, u64 unexplored)
{
    struct direction_rule rule = {DIRECTION_THREADS};
    struct direction_view at = {size, degrees, unexplored, plan.vertices, bottom_up, bottom_up, 0, 0};
    return plan.direction != 0 ? plan.direction == 2 : direction_pulls(&rule, &at);
}

/* Begins a search. The launch has as many groups as the launches that run levels. */
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

/* The position of a search, in all items of the planning group. */
struct bfs_position {
    u32 level, begin, end, records;
    bool bottom_up;
    u64 degrees, unexplored;
};

device_inline void advance_level(struct bfs_position *at, u32 tail, u64 degrees)
{
    at->unexplored -= at->degrees;
    at->begin = at->end;
    at->end = tail;
    at->level++;
    at->degrees = degrees;
}

/* Returns the search's position. After a partitioned level, this is the position behind that level. */
device_inline struct bfs_position read_position(struct bfs_search s)
{
    struct bfs_position at;
    at.level = atom_load(&s.control[CONTROL_LEVEL], order_relaxed);
    at.begin = atom_load(&s.control[CONTROL_BEGIN], order_relaxed);
    at.end = atom_load(&s.control[CONTROL_END], order_relaxed);
    at.bottom_up = atom_load(&s.control[CONTROL_BOTTOM_UP], order_relaxed);
    at.records = atom_load(&s.control[CONTROL_RECORDS], order_relaxed);
    at.degrees = atom_load(&s.sums[SUM_DEGREES], order_relaxed);
    at.unexplored = atom_load(&s.sums[SUM_UNEXPLORED], order_relaxed);
    if (atom_load(&s.control[CONTROL_STATE], order_relaxed) == STATE_PARTITIONED)
        advance_level(&at, atom_load(&s.control[CONTROL_TAIL], order_relaxed),
                      atom_load(&s.sums[SUM_FOUND], order_relaxed));
    return at;
}

/* Writes the words CONTROL_LEVEL to CONTROL_ARRIVED, in their order, and then the other words. */
device_inline void write_position(struct bfs_search s, struct bfs_position at, struct gws__bfs_plan plan, u32 state)
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

/* Returns the next state of the search, and decides at->bottom_up. */
device_inline u32 plan_level(struct gws__bfs_plan plan, struct bfs_position *at, u64 *count)
{
    u64 size = at->end - at->begin;
    if (size == 0) return STATE_ENDED;
    if (at->records == plan.records) return STATE_FULL;
    at->bottom_up = runs_bottom_up(plan, at->bottom_up, size, at->degrees, at->unexplored);
    *count = at->bottom_up ? plan.vertices : size;
    return at->bottom_up || size >= plan.threshold || at->degrees >= plan.arcs ? STATE_PARTITIONED : STATE_READY;
}

device_inline u64 record_of(const struct bfs_position *at, u32 state)
{
    u64 size = at->end - at->begin;
    return size | (at->bottom_up ? RECORD_BOTTOM_UP : 0) | (state == STATE_PARTITIONED ? RECORD_ALL_GROUPS : 0);
}

/* One group runs the level of count vertices by itself. count may be 0. */
device_inline void run_by_one_group(struct bfs_search s, local_mem struct bfs_group_memory *my, struct bfs_position *at,
                                    u64 count)
{
    struct pushed pushed = {true, at->end, 0, 0};
    if (item_id() == 0) {
        s.stats[STATS_ASSIGNED] += count;
        s.stats[STATS_RUN] += count;
    }
    expand(s, my, at->begin, at->begin + count, at->level + 1, &pushed);
    push_end(s, my, &pushed); /* after its barriers, all items see the entries */
    if (count > 0) advance_level(at, pushed.end, pushed.weights);
}

/* Returns a chunk size, a multiple of the group size, that gives each group about four chunks. If rows are long, a
 * chunk has just enough vertices to give every item an arc. */
device_inline u64 choose_chunk(struct gws__bfs_plan plan, const struct bfs_position *at, u64 count)
{
    u64 chunk = count / (plan.groups * 4u) / group_size() * group_size();
    u64 arcs = at->bottom_up ? 0 : at->degrees,
        min_chunk = arcs > count ? group_size() * count / arcs + 1 : group_size();
    if (plan.chunk > 0) return plan.chunk;
    return chunk > min_chunk ? chunk : min_chunk;
}

device_inline void partition_level(struct bfs_search s, struct gws__bfs_plan plan, const struct bfs_position *at,
                                   u64 count)
{
    u64 chunk = choose_chunk(plan, at, count);
    for (u32 g = item_id(); g < plan.groups; g += group_size()) {
        queue_fill(s.queue, g, plan.groups, count, chunk);
        s.stats[g * STATS_STRIDE + STATS_ASSIGNED] += queue_assigned(s.queue + g * QUEUE_STRIDE);
    }
}

/* The planning group runs and plans levels, from one partitioned level to the next. */
device_inline void plan_levels(struct bfs_search s, local_mem struct bfs_group_memory *my, global_mem u64 *record,
                               struct gws__bfs_plan plan)
{
    struct bfs_position at = read_position(s);
    u64 count = 0;
    u32 state;
    do {
        /* All items compute the state, but read the value of one item. Compilers cannot predict a value read from
         * memory. So they do not split the loop by its exits, which would also split its barriers. */
        state = plan_level(plan, &at, &count);
        if (item_id() == 0) my->word = state;
        group_barrier(); /* in the first iteration, all items have read the words that the end of this function
                          * writes */
        state = my->word;
        group_barrier();
        if (item_id() == 0 && state <= STATE_PARTITIONED) {
            u64 level = record_of(&at, state);
            record[at.records] = level;
            trace_event(s.trace, level & RECORD_BOTTOM_UP ? GWS_TRACE_PULL : GWS_TRACE_PUSH, 0, at.level, (u32)level);
        }
        at.records += state <= STATE_PARTITIONED ? 1 : 0;
        run_by_one_group(s, my, &at, state == STATE_READY ? count : 0);
    } while (state == STATE_READY);
    if (state == STATE_PARTITIONED) partition_level(s, plan, &at, count);
    if (item_id() > 0) return;
    write_position(s, at, plan, state);
    trace_event(s.trace, GWS_TRACE_END, 0, TRACE_CLOCK, 0);
}

kernel_entry bfs_plan(SEARCH_PARAMETERS, global_mem u64 *record, const struct gws__bfs_plan plan)
{
    local_array(struct bfs_group_memory, memory, 1);
    SEARCH_MAKE(s);
    plan_levels(s, memory, record, plan);
}

device_inline bool is_partitioned(struct bfs_search s, bool bottom_up)
{
    return atom_load(&s.control[CONTROL_STATE], order_relaxed) == STATE_PARTITIONED &&
           atom_load(&s.control[CONTROL_BOTTOM_UP], order_relaxed) == (bottom_up ? 1u : 0u);
}

/* Runs the partitioned level, if there is one in this direction. */
kernel_entry bfs_top_down(SEARCH_PARAMETERS)
{
    local_array(struct bfs_group_memory, memory, 1);
    SEARCH_MAKE(s);
    if (is_partitioned(s, false)) run_level(s, memory, group_role(s), false);
}

kernel_entry bfs_bottom_up(SEARCH_PARAMETERS)
{
    local_array(struct bfs_group_memory, memory, 1);
    SEARCH_MAKE(s);
    if (is_partitioned(s, true)) run_level(s, memory, group_role(s), true);
}

/* Runs both directions in one kernel. The group that ends last plans the next level. The host uses this kernel only on
 * devices whose compilers cope with it. The host launches it after one bfs_plan. */
kernel_entry bfs_level(SEARCH_PARAMETERS, global_mem u64 *record, const struct gws__bfs_plan plan)
{
    local_array(struct bfs_group_memory, memory, 1);
    SEARCH_MAKE(s);
    bool down = is_partitioned(s, false), up = is_partitioned(s, true), last = false;
    if (down) run_level(s, memory, group_role(s), false);
    if (up) run_level(s, memory, group_role(s), true);
    group_barrier(); /* all items have written their results */
    /* acq_rel: the release publishes the group's results. By the acquire, the last group sees all groups' results. */
    if (item_id() == 0)
        memory->word = (down || up) && atom_add(&s.control[CONTROL_ARRIVED], 1, order_acq_rel) + 1 == group_count();
    group_barrier();
    last = memory->word != 0;
    group_barrier();
    if (last) plan_levels(s, memory, record, plan);
}
