/* SPDX-License-Identifier: MIT */
/* A level as a group runs it: ranges are taken from its own deque, then stolen, and expanded by bfs.cl. */
/* Which worker a group plays in a level, and whether it may steal. */
struct role {
    u32 self;
    bool steals;
};

device_inline struct role own_role(struct search s)
{
    struct role role = {group_id(), atom_load(&s.control[CONTROL_STEALS], order_relaxed) != 0};
    return role;
}

/* A number for victim that is different for each thief, so that thieves do not all go for the same one; the victim is
 * its lower half. */
device_inline u32 shuffled(u32 thief, u32 victim)
{
    return ((thief * 40503u + victim) * 2654435761u & 0xffff0000u) | victim;
}

/* Where nothing was taken yet: all items look at one deque each, and the first one robs one that holds something, until
 * all are empty. Fewer than 2^16 workers. */
device_inline void steal_together(struct search s, local_mem struct group_memory *my, struct role role)
{
    global_mem u64 *stats = s.stats + role.self * STATS_STRIDE;
    u32 workers = atom_load(&s.control[CONTROL_WORKERS], order_relaxed), self = role.self;
    u32 gpu = atom_load(&s.control[CONTROL_GPU], order_relaxed), first = 1, victim;
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
            if (victim > 0 && steal_from(s.queue, stats, (victim - 1) & 0xffffu, gpu, range)) {
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

/* The next range for the group, in all its items; empty when the level has no more for it. */
device_inline void take_together(struct search s, local_mem struct group_memory *my, struct role role, u64 *range)
{
    if (item_id() == 0) {
        acquire_range(s.queue, s.stats + role.self * STATS_STRIDE, role.self, 0, 0, false, range);
        my->range[0] = range[0];
        my->range[1] = range[1];
    }
    group_barrier();
    steal_together(s, my, role);
    range[0] = my->range[0];
    range[1] = my->range[1];
    group_barrier(); /* range is free again */
}

/* This group's part in a level that was cut for several workers, and what it stole. bottom_up is constant: CPU devices'
 * compilers take very long for both directions in one kernel. */
device_inline void run_level(struct search s, local_mem struct group_memory *my, struct role role, bool bottom_up)
{
    struct pushed pushed = {false, 0, 0, 0};
    u32 level = atom_load(&s.control[CONTROL_LEVEL], order_relaxed);
    u64 base = bottom_up ? 0 : atom_load(&s.control[CONTROL_BEGIN], order_relaxed), range[2];
    bool speaks = item_id() == 0 && role.self == 0;
    if (speaks) trace_event(s.trace, bottom_up ? GWS_TRACE_PULL : GWS_TRACE_PUSH, 0, level, 0);
    do {
        take_together(s, my, role, range);
        if (bottom_up)
            adopt(s, my, range[0], range[1], level, &pushed);
        else
            expand(s, my, base + range[0], base + range[1], level + 1, &pushed);
    } while (range[0] < range[1]);
    push_end(s, my, &pushed);
    if (item_id() == 0 && pushed.weights > 0) (void)atom_add(&s.sums[SUM_FOUND], pushed.weights, order_relaxed);
    if (speaks) trace_event(s.trace, GWS_TRACE_END, 0, TRACE_CLOCK, 0);
}
