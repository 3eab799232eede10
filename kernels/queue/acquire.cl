/* SPDX-License-Identifier: MIT */
/* Functions by which a worker acquires its next range of a level from its own deque or steals it. Workers 0 ..
 * device_workers - 1 are the device's groups, and workers device_workers .. workers - 1 are CPU threads. CPU threads
 * call acquire_range(). Groups call group_acquire(). */
/* Steals a range from victim. Returns false if the steal fails. */
device_inline bool steal_from(global_mem atom64 *queue, global_mem u64 *stats, u32 victim, u32 device_workers,
                              u64 *range)
{
    if (queue_steal(queue, victim, range) != QUEUE_ACQUIRED) {
        stats[STATS_FAILED]++;
        return false;
    }
    stats[STATS_STEALS]++;
    stats[victim < device_workers ? STATS_STOLEN_FROM_DEVICE : STATS_STOLEN_FROM_CPU] += range[1] - range[0];
    return true;
}

/* Acquires the next range, or writes (0, 0) if the level has no range left for self. No worker adds ranges during a
 * level. A thief probes each other worker once, starting with the next worker. After a lost race the thief probes the
 * same victim again, because the victim may have more ranges. */
device_inline void acquire_range(global_mem atom64 *queue, global_mem u64 *stats, u32 self, u32 workers,
                                 u32 device_workers, bool steals, u64 *range)
{
    bool acquired = queue_pop(queue, self, range) == QUEUE_ACQUIRED;
    for (u32 step = 1; !acquired && steals && step < workers;) {
        u32 victim = (self + step) % workers;
        if (queue_holds(queue, victim))
            acquired = steal_from(queue, stats, victim, device_workers, range);
        else
            step++;
    }
    if (acquired)
        stats[STATS_RUN] += range[1] - range[0];
    else
        range[0] = range[1] = 0;
}
