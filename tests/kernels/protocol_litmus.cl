/* SPDX-License-Identifier: MIT */
/* The device's side of the tests of the host-device protocol, for devices and for emulating threads (protocol_litmus.h
 * is the host's side). */

/* Marks the chunks of ranges. mark[c] is the number of the last order in which chunk c ran on the device. twice[0]
 * counts chunks that ran twice in one order. The reply returns the word that the host wrote before an order, plus
 * one. */
struct range_operator {
    global_mem u64 *mark, *twice;
    global_mem const u64 *sent;
};

device_inline void work_begin(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order)
{
    (void)work, (void)p, (void)order;
}

device_inline void run_range(const struct range_operator *work, local_mem const u64 *order, u64 chunk)
{
    if (item_id() != 0) return;
    if (work->mark[chunk] == order[ORDER_PAYLOAD]) work->twice[0]++;
    work->mark[chunk] = order[ORDER_PAYLOAD];
}

device_inline void work_publish(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order)
{
    (void)work, (void)p, (void)order;
}

device_inline void merge(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order)
{
    (void)work, (void)p, (void)order;
}

device_inline void work_reply(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order,
                              u64 n)
{
    (void)order;
    protocol_write_reply(p, n, REPLY_PAYLOAD, work->sent[n % PROTOCOL_SLOTS] + 1);
}

kernel_entry protocol_ranges(global_mem host64 *words, global_mem atom64 *state, global_mem u64 *mark,
                             global_mem u64 *twice, global_mem const u64 *sent, global_mem u64 *stats, u64 launch,
                             u64 patience, u64 window)
{
    local_array(u64, order, PROTOCOL_SLOT + 2);
    struct protocol protocol = {words, state, launch, patience, window};
    struct range_operator work = {mark, twice, sent};
    range_serve(&work, &protocol, order, stats + group_id() * RANGE_STATS);
}

#define LITMUS_STOP (~(u64)0)

/* Acquires a lock of the device. acquire: pairs with the release in litmus_unlock(), so the holder sees the work of
 * all earlier holders. */
device_inline void litmus_lock(global_mem atom64 *lock)
{
    while (atom_swap(lock, (u64)1, order_acquire) != 0) spin_pause();
}

device_inline void litmus_unlock(global_mem atom64 *lock)
{
    atom_store(lock, (u64)0, order_release);
}

/* Returns every task that arrives on ring `down` exactly once, on ring `up`. The task LITMUS_STOP also returns, and
 * then ends all groups. state: the two locks, and the stop flag. */
kernel_entry protocol_rings(global_mem host64 *down, global_mem host64 *up, global_mem atom64 *state, u64 capacity,
                            u64 patience)
{
    if (item_id() != 0) return;
    for (u64 polls = 0; polls < patience && atom_load(&state[32], order_relaxed) == 0; polls++) {
        u64 task = 0;
        litmus_lock(&state[0]);
        bool popped = ring_pop(down, capacity, &task);
        if (!popped) ring_request(down, 1 + polls % 7);
        litmus_unlock(&state[0]);
        if (!popped) {
            spin_pause();
            continue;
        }
        litmus_lock(&state[16]);
        while (ring_allowance(up, capacity) == 0 && polls++ < patience) spin_pause();
        ring_write(up, capacity, 0, task);
        ring_publish(up, 1);
        litmus_unlock(&state[16]);
        if (task == LITMUS_STOP) atom_store(&state[32], (u64)1, order_relaxed);
        polls = 0;
    }
}
