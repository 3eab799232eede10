/* SPDX-License-Identifier: MIT */
/* What the tests of the host-device protocol run on the device's side, or as threads of the host (protocol_litmus.h is
 * the other side). */

/* Marks the chunks of ranges: mark[c] is the number of the order in which chunk c last ran here, and twice[0] grows
 * when one runs for the second time in an order. What the host wrote into given[] before an order comes back one larger
 * in the reply. */
struct work {
    global_mem u64 *mark, *twice;
    global_mem const u64 *given;
};

device_inline void work_begin(const struct work *work, const struct protocol *p, local_mem const u64 *order)
{
    (void)work, (void)p, (void)order;
}

device_inline void run_range(const struct work *work, local_mem const u64 *order, u64 chunk)
{
    if (item_id() != 0) return;
    if (work->mark[chunk] == order[ORDER_PAYLOAD]) work->twice[0]++;
    work->mark[chunk] = order[ORDER_PAYLOAD];
}

device_inline void work_publish(const struct work *work, const struct protocol *p, local_mem const u64 *order)
{
    (void)work, (void)p, (void)order;
}

device_inline void merge(const struct work *work, const struct protocol *p, local_mem const u64 *order)
{
    (void)work, (void)p, (void)order;
}

device_inline void work_reply(const struct work *work, const struct protocol *p, local_mem const u64 *order, u64 n)
{
    (void)order;
    protocol_answer(p, n, REPLY_PAYLOAD, work->given[n % PROTOCOL_SLOTS] + 1);
}

kernel_entry protocol_ranges(global_mem host64 *words, global_mem atom64 *state, global_mem u64 *mark,
                             global_mem u64 *twice, global_mem const u64 *given, global_mem u64 *stats, u64 launch,
                             u64 patience, u64 window)
{
    local_array(u64, order, PROTOCOL_SLOT + 2);
    struct protocol protocol = {words, state, launch, patience, window};
    struct work work = {mark, twice, given};
    range_serve(&work, &protocol, order, stats + group_id() * RANGE_STATS);
}

#define LITMUS_STOP (~(u64)0)

/* Locks of the device's own. acquire and release: who holds one has seen what the one before did. */
device_inline void litmus_lock(global_mem atom64 *lock)
{
    while (atom_swap(lock, (u64)1, order_acquire) != 0) spin_pause();
}

device_inline void litmus_unlock(global_mem atom64 *lock)
{
    atom_store(lock, (u64)0, order_release);
}

/* Every task that comes down goes up again, once, whichever group has it; LITMUS_STOP ends all groups and goes up, too.
 * state: the two locks, and whether to stop. */
kernel_entry protocol_rings(global_mem host64 *down, global_mem host64 *up, global_mem atom64 *state, u64 capacity,
                            u64 patience)
{
    if (item_id() != 0) return;
    for (u64 looks = 0; looks < patience && atom_load(&state[32], order_relaxed) == 0; looks++) {
        u64 task = 0;
        litmus_lock(&state[0]);
        bool took = ring_take(down, capacity, &task);
        if (!took) ring_ask(down, 1 + looks % 7);
        litmus_unlock(&state[0]);
        if (!took) {
            spin_pause();
            continue;
        }
        litmus_lock(&state[16]);
        while (ring_wanted(up, capacity) == 0 && looks++ < patience) spin_pause();
        ring_put(up, capacity, 0, task);
        ring_give(up, 1);
        litmus_unlock(&state[16]);
        if (task == LITMUS_STOP) atom_store(&state[32], (u64)1, order_relaxed);
        looks = 0;
    }
}
