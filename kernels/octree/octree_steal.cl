/* SPDX-License-Identifier: MIT */
/* The persistent kernel for octrees. Each group runs the tasks of its own deque and steals when the deque is empty.
 *
 * A group ends when the counter shows that all points are final. No group waits for another group. Thieves can steal
 * every task of a group that has not started. When that group starts, it finds the work done. If a task is lost, the
 * first group to make `patience` fruitless probes while the counter does not change aborts the kernel. */

/* Returns whether tasks are lost, which a group asks after `patience` fruitless probes. The source for CPU workers
 * defines another check, which reads the host's clock and queries the device. */
#ifndef tasks_are_lost
#define tasks_are_lost() true
#endif

/* Returns a random number for the choice of a victim (Marsaglia's xorshift). */
device_inline u32 next_random(u32 *state)
{
    u32 x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

device_inline bool is_finished(struct octree t)
{
    return atom_load(&t.control[CONTROL_FINALISED], order_relaxed) >= t.words.points ||
           atom_load(&t.control[CONTROL_STATE], order_relaxed) != RUN_ON;
}

/* Probes the deque of one other worker. */
device_inline bool steal_once(struct octree t, struct octree_worker *worker, u32 workers, u32 *random, u64 *task)
{
    u32 victim = next_random(random) % workers;
    u32 acquired = victim != worker->self ? pool_steal(t.pool, victim, worker->self, task) : 0;
    if (acquired > 0) {
        worker->steals++;
        /* The groups come first among the workers. Steals are rare, so the worker counts them in memory, not in
         * registers. */
        trace_event(t.trace, GWS_TRACE_STEAL, worker->self, victim, acquired);
        t.stats[(u64)worker->self * STATS_STRIDE + (victim < group_count() ? STATS_FROM_DEVICE : STATS_FROM_CPU)] +=
            acquired;
        return true;
    }
    worker->failed++;
    return false;
}

/* Probes the other workers until a steal succeeds. Returns false when the work is finished. */
device_inline bool steal_task(struct octree t, struct octree_worker *worker, u32 workers, u32 patience, u32 *random,
                              u64 *task)
{
    u64 finalised = 0;
    u32 probes = 0;
    while (!is_finished(t)) {
        if (steal_once(t, worker, workers, random, task)) return true;
        u64 now = atom_load(&t.control[CONTROL_FINALISED], order_relaxed);
        probes = now == finalised ? probes + 1 : 0;
        finalised = now;
        if (probes >= patience) {
            if (tasks_are_lost()) stop(t, RUN_STUCK);
            probes = 0;
        }
        spin_pause();
    }
    return false;
}

/* Splits a task of several pieces. The worker keeps the first piece and pushes the rest in halves. Thieves thus find
 * large tasks. */
device_inline void split_pieces(struct octree t, struct octree_worker *worker, u64 *task)
{
    struct octree_octant o = octant_of(task[0], task[1], task[2]);
    if (o.kind == KIND_WHOLE) return;
    u32 halves = 0;
    for (u32 some = o.last - o.first; some > 1; some /= 2) halves++;
    struct task_batch batch = batch_reserve(t, worker, halves);
    while (o.last - o.first > 1) {
        struct octree_octant rest = o;
        o.last = rest.first = o.first + (o.last - o.first) / 2;
        batch_write(t, worker, &batch, rest);
    }
    batch_commit(t, worker, batch);
    octant_pack(o, task);
}

/* Writes the next task to group.task. Its kind is KIND_NONE when the work is finished. Only the group's first item
 * calls this function. */
device_inline void acquire_task(struct octree t, struct octree_worker *worker, u32 workers, u32 patience, u32 *random,
                                struct octree_group group)
{
    u64 task[TASK_WORDS];
    bool acquired = pool_pop(t.pool, worker->self, task) || steal_task(t, worker, workers, patience, random, task);
    if (acquired)
        split_pieces(t, worker, task);
    else
        task[1] = (u64)KIND_NONE << 56;
    for (u32 i = 0; i < TASK_WORDS; i++) group.task[i] = task[i];
}

/* Runs a worker until the work is finished. */
device_inline void work(struct octree t, u32 self, u32 workers, u32 patience, struct octree_group group)
{
    struct octree_worker worker = new_worker(self);
    u32 random = (self + 1) * 2654435761u | 1u; /* different for each worker; never 0 */
    bool on = true;
    while (on) {
        if (item_id() == 0) acquire_task(t, &worker, workers, patience, &random, group);
        group_barrier();
        struct octree_octant o = octant_of(group.task[0], group.task[1], group.task[2]);
        on = o.kind != KIND_NONE;
        group_barrier(); /* all items have read the task's words, so the next task may overwrite them */
        run_octant(t, o, &worker, group);
    }
    if (item_id() == 0) {
        global_mem u64 *stats = t.stats + (u64)self * STATS_STRIDE;
        clear_unused_inner(t, &worker);
        stats[STATS_TASKS] = worker.tasks;
        stats[STATS_STEALS] = worker.steals;
        stats[STATS_FAILED] = worker.failed;
        stats[STATS_HIGH] = worker.high;
    }
}

kernel_entry_small octree_steal(OCTREE_PARAMETERS, u32 workers, u32 patience)
{
    OCTREE_MAKE(t);
    OCTREE_GROUP_STATE(group);
    bool is_leader = item_id() == 0 && group_id() == 0;
    if (is_leader) trace_event(t.trace, GWS_TRACE_BEGIN, 0, TRACE_CLOCK, 0);
    work(t, group_id(), workers, patience, group);
    if (is_leader) trace_event(t.trace, GWS_TRACE_END, 0, TRACE_CLOCK, 0);
}
