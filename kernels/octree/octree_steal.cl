/* SPDX-License-Identifier: MIT */
/* The kernel that stays until all points have found their place: each group runs tasks of its own deque, else steals.
 *
 * All end when the counter says that all points have been placed. Nobody waits for a group: one that has not started
 * has nothing that cannot be stolen, and finds the work done when it starts. A task that got lost would keep all
 * looking for it: who finds nothing in patience looks, while the counter stands, stops all. */

/* Is what a worker looks for in vain lost? CPU workers look seldom, as they ask the host's clock and the device. */
#ifndef tasks_are_lost
#define tasks_are_lost() true
#endif

/* Numbers for choosing victims (Marsaglia's xorshift). */
device_inline u32 next_random(u32 *state)
{
    u32 x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

device_inline bool is_over(struct octree t)
{
    return atom_load(&t.control[CONTROL_FINALISED], order_relaxed) >= t.words.points ||
           atom_load(&t.control[CONTROL_STATE], order_relaxed) != RUN_ON;
}

/* One look at another's deque. */
device_inline bool rob_once(struct octree t, struct hand *hand, u32 workers, u32 *random, u64 *task)
{
    u32 victim = next_random(random) % workers;
    u32 took = victim != hand->self ? pool_steal(t.pool, victim, hand->self, task) : 0;
    if (took > 0) {
        hand->steals++;
        /* The groups come first. Steals are rare, so their counts need no registers. */
        trace_event(t.trace, GWS_TRACE_STEAL, hand->self, victim, took);
        t.stats[(u64)hand->self * STATS_STRIDE + (victim < group_count() ? STATS_FROM_DEVICE : STATS_FROM_CPU)] += took;
        return true;
    }
    hand->failed++;
    return false;
}

/* Looks for a task with the others; false when all is over. */
device_inline bool rob_someone(struct octree t, struct hand *hand, u32 workers, u32 patience, u32 *random, u64 *task)
{
    u64 placed = 0;
    u32 looks = 0;
    while (!is_over(t)) {
        if (rob_once(t, hand, workers, random, task)) return true;
        u64 now = atom_load(&t.control[CONTROL_FINALISED], order_relaxed);
        looks = now == placed ? looks + 1 : 0;
        placed = now;
        if (looks >= patience) {
            if (tasks_are_lost()) stop(t, RUN_STUCK);
            looks = 0;
        }
        spin_pause();
    }
    return false;
}

/* Of a task of several pieces the first is run; the rest is put back, half by half, so that others find much. */
device_inline void split_pieces(struct octree t, struct hand *hand, u64 *task)
{
    struct octant o = octant_of(task[0], task[1], task[2]);
    if (o.kind == KIND_WHOLE) return;
    u32 halves = 0;
    for (u32 some = o.last - o.first; some > 1; some /= 2) halves++;
    struct batch batch = batch_begin(t, hand, halves);
    while (o.last - o.first > 1) {
        struct octant rest = o;
        o.last = rest.first = o.first + (o.last - o.first) / 2;
        batch_put(t, hand, &batch, rest);
    }
    batch_end(t, hand, batch);
    octant_pack(o, task);
}

/* The next task into desk.task, of KIND_NONE at the end; the group's first item calls. */
device_inline void take_task(struct octree t, struct hand *hand, u32 workers, u32 patience, u32 *random,
                             struct desk desk)
{
    u64 task[TASK_WORDS];
    bool took = pool_pop(t.pool, hand->self, task) || rob_someone(t, hand, workers, patience, random, task);
    if (took)
        split_pieces(t, hand, task);
    else
        task[1] = (u64)KIND_NONE << 56;
    for (u32 i = 0; i < TASK_WORDS; i++) desk.task[i] = task[i];
}

/* A worker from its first task to the end of all. */
device_inline void work(struct octree t, u32 self, u32 workers, u32 patience, struct desk desk)
{
    struct hand hand = hand_of(self);
    u32 random = (self + 1) * 2654435761u | 1u; /* elsewhere for each worker; never 0 */
    bool on = true;
    while (on) {
        if (item_id() == 0) take_task(t, &hand, workers, patience, &random, desk);
        group_barrier();
        struct octant o = octant_of(desk.task[0], desk.task[1], desk.task[2]);
        on = o.kind != KIND_NONE;
        group_barrier(); /* the task's words are free again */
        run_octant(t, o, &hand, desk);
    }
    if (item_id() == 0) {
        global_mem u64 *stats = t.stats + (u64)self * STATS_STRIDE;
        leave_room(t, &hand);
        stats[STATS_TASKS] = hand.tasks;
        stats[STATS_STEALS] = hand.steals;
        stats[STATS_FAILED] = hand.failed;
        stats[STATS_HIGH] = hand.high;
    }
}

kernel_entry_small octree_steal(OCTREE_PARAMETERS, u32 workers, u32 patience)
{
    OCTREE_MAKE(t);
    OCTREE_GROUP_STATE(desk);
    bool speaks = item_id() == 0 && group_id() == 0;
    if (speaks) trace_event(t.trace, GWS_TRACE_BEGIN, 0, TRACE_CLOCK, 0);
    work(t, group_id(), workers, patience, desk);
    if (speaks) trace_event(t.trace, GWS_TRACE_END, 0, TRACE_CLOCK, 0);
}
