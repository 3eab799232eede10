/* SPDX-License-Identifier: MIT */
/* Functions by which a group runs a level. The group acquires ranges from its own deque, then steals ranges, and
 * expands all of them by bfs.cl. */
/* The worker that a group emulates in a level, and whether it may steal. */
struct role {
    u32 self;
    bool steals;
};

device_inline struct role group_role(struct bfs_search s)
{
    struct role role = {group_id(), atom_load(&s.control[CONTROL_STEALS], order_relaxed) != 0};
    return role;
}

/* Returns a number whose lower half is the victim. The upper half depends on the thief and thus spreads the thieves
 * over the victims. */
device_inline u32 shuffled(u32 thief, u32 victim)
{
    return ((thief * 40503u + victim) * 2654435761u & 0xffff0000u) | victim;
}

/* Steals until the group has a range or all deques are empty. Each item probes one deque, and the first item steals
 * from a deque that holds chunks. There are fewer than 2^16 workers. */
device_inline void group_steal(struct bfs_search s, local_mem struct bfs_group_memory *my, struct role role)
{
    global_mem u64 *stats = s.stats + role.self * STATS_STRIDE;
    u32 workers = atom_load(&s.control[CONTROL_WORKERS], order_relaxed), self = role.self;
    u32 device_workers = atom_load(&s.control[CONTROL_DEVICE_WORKERS], order_relaxed), first = 1, victim;
    if (my->range[0] < my->range[1] || !role.steals) first = workers;
    while (first < workers) {
        u32 step = first + item_id(), seen = (self + step) % workers;
        if (item_id() == 0) my->word = 0;
        group_barrier();
        if (step < workers && queue_holds(s.queue, seen)) (void)local_max(&my->word, shuffled(self, seen) + 1);
        group_barrier();
        victim = my->word;
        if (victim == 0) first += group_size();
        if (item_id() == 0) {
            u64 range[2];
            if (victim > 0 && steal_from(s.queue, stats, (victim - 1) & 0xffffu, device_workers, range)) {
                stats[STATS_RUN] += range[1] - range[0];
                trace_event(s.trace, GWS_TRACE_STEAL, self, (victim - 1) & 0xffffu, (u32)(range[1] - range[0]));
                my->range[0] = range[0];
                my->range[1] = range[1];
            }
        }
        group_barrier();
        if (my->range[0] < my->range[1]) first = workers;
    }
}

/* Acquires the next range of the group and gives it to all items. The range is empty if the level has no range left. */
device_inline void group_acquire(struct bfs_search s, local_mem struct bfs_group_memory *my, struct role role,
                                 u64 *range)
{
    if (item_id() == 0) {
        acquire_range(s.queue, s.stats + role.self * STATS_STRIDE, role.self, 0, 0, false, range);
        my->range[0] = range[0];
        my->range[1] = range[1];
    }
    group_barrier();
    group_steal(s, my, role);
    range[0] = my->range[0];
    range[1] = my->range[1];
    group_barrier(); /* all items have read range */
}

/* Runs this group's part of a partitioned level and the ranges that the group steals. Callers pass a constant
 * bottom_up, because compilers of CPU devices take very long for both directions in one kernel. */
device_inline void run_level(struct bfs_search s, local_mem struct bfs_group_memory *my, struct role role,
                             bool bottom_up)
{
    struct pushed pushed = {false, 0, 0, 0};
    u32 level = atom_load(&s.control[CONTROL_LEVEL], order_relaxed);
    u64 base = bottom_up ? 0 : atom_load(&s.control[CONTROL_BEGIN], order_relaxed), range[2];
    bool speaks = item_id() == 0 && role.self == 0;
    if (speaks) trace_event(s.trace, bottom_up ? GWS_TRACE_PULL : GWS_TRACE_PUSH, 0, level, 0);
    do {
        group_acquire(s, my, role, range);
        if (bottom_up)
            find_parents(s, my, range[0], range[1], level, &pushed);
        else
            expand(s, my, base + range[0], base + range[1], level + 1, &pushed);
    } while (range[0] < range[1]);
    push_end(s, my, &pushed);
    if (item_id() == 0 && pushed.weights > 0) (void)atom_add(&s.sums[SUM_FOUND], pushed.weights, order_relaxed);
    if (speaks) trace_event(s.trace, GWS_TRACE_END, 0, TRACE_CLOCK, 0);
}
