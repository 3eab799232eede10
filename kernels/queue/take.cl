/* SPDX-License-Identifier: MIT */
/* A worker takes its next range of a level: from its own deque, else from the others'. Workers 0 .. gpu - 1 are the
 * device's groups, gpu .. workers - 1 CPU threads; CPU threads call acquire_range(), groups take_together().
 *
 * Statistics, as in lib/hetero.h: STATS_STRIDE words of 64 bits for each worker, written by it alone. */
#define STATS_STRIDE 8u
#define STATS_MADE 0u /* assigned by who fills the deques; not kept with a shared cursor */
#define STATS_RUN 1u
#define STATS_STOLEN_FROM_CPU 2u
#define STATS_STOLEN_FROM_DEVICE 3u
#define STATS_STEALS 4u
#define STATS_FAILED 5u

/* Robs victim; false if it did not get anything. */
device_inline bool steal_from(global_mem atom64 *queue, global_mem u64 *stats, u32 victim, u32 gpu, u64 *range)
{
    if (queue_steal(queue, victim, range) != GRAB_TOOK) {
        stats[STATS_FAILED]++;
        return false;
    }
    stats[STATS_STEALS]++;
    stats[victim < gpu ? STATS_STOLEN_FROM_DEVICE : STATS_STOLEN_FROM_CPU] += range[1] - range[0];
    return true;
}

/* The next range; empty (0, 0) when the level has no more for self: nothing is put into deques during a level. A thief
 * looks round once, from its neighbour on, and looks again where it lost a race, for there may be more. */
device_inline void acquire_range(global_mem atom64 *queue, global_mem u64 *stats, u32 self, u32 workers, u32 gpu,
                                 bool steals, u64 *range)
{
    bool took = queue_pop(queue, self, range) == GRAB_TOOK;
    for (u32 step = 1; !took && steals && step < workers;) {
        u32 victim = (self + step) % workers;
        if (queue_holds(queue, victim))
            took = steal_from(queue, stats, victim, gpu, range);
        else
            step++;
    }
    if (took)
        stats[STATS_RUN] += range[1] - range[0];
    else
        range[0] = range[1] = 0;
}
