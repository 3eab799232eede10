/* SPDX-License-Identifier: MIT */
/* What the bridge's tests run on the device's side, or as threads of the host (bridge_litmus.h is the other side). */

/* Answers orders, and runs the chunks of their ranges: mark[c] is the number of the order in which chunk c last ran
 * here, and twice[0] grows when one runs for the second time in an order. What the host wrote into given[] before an
 * order comes back one larger in the reply. */
kernel_entry bridge_range(global_mem host64 *words, global_mem atom64 *state, global_mem u64 *mark,
                          global_mem u64 *twice, global_mem const u64 *given, u64 launch, u64 patience, u64 window)
{
    local_array(u64, order, BRIDGE_SLOT + 1);
    local_array(u64, shared, 1);
    u64 n = item_id() == 0 ? host_load(&words[BRIDGE_REPLY], order_relaxed) : 0;
    while (bridge_await(words, state, launch, patience, window, order, &n)) {
        u64 slot = n % BRIDGE_ORDERS * BRIDGE_SLOT, chunk = 0;
        u64 count = order[BRIDGE_COUNT], what = order[BRIDGE_WHAT], first = order[BRIDGE_FIRST];
        while (count > 0 && chunk != BRIDGE_NO_CHUNK) {
            if (item_id() == 0) shared[0] = bridge_take(words, state, n, count, first, window);
            group_barrier();
            chunk = shared[0];
            group_barrier();
            if (chunk == BRIDGE_NO_CHUNK || item_id() != 0) continue;
            if (mark[chunk] == n) twice[0]++;
            mark[chunk] = n;
        }
        bridge_meet(state);
        if (group_id() == 0 && item_id() == 0) {
            u64 reply = BRIDGE_REPLY_SLOTS + slot;
            host_store(&words[reply + BRIDGE_RAN], atom_load(&state[BRIDGE_LIMIT], order_relaxed) / 2, order_relaxed);
            host_store(&words[reply + BRIDGE_REPLY_MORE], given[n % BRIDGE_ORDERS] + 1, order_relaxed);
            bridge_reply(words, n);
        }
        if (what == BRIDGE_END) return;
    }
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
kernel_entry bridge_rings(global_mem host64 *down, global_mem host64 *up, global_mem atom64 *state, u64 capacity,
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
