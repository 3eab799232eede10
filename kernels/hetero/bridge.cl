/* SPDX-License-Identifier: MIT */
/* The device's side of the bridge (bridge_words.h). All groups of the kernel are resident: they wait for each other.
 *
 * A kernel stays from order to order, since starting one takes longer than a small level, and leaves by itself when it
 * has looked for an order in vain so often that the host must be gone or busy elsewhere.
 *
 * Why no chunk of a range is lost. The device opens chunks from the back, window by window. Whoever opens one first
 * writes DEVICE_NEXT, then reads HOST_NEXT, and leaves out only chunks below what it read: those the host has claimed,
 * and what the host's threads claim they run. The host's threads claim only below the DEVICE_NEXT that they read, and
 * stop only where it meets HOST_NEXT. So each chunk below the last DEVICE_NEXT is the host's, and each above was opened
 * by the device or left out as the host's.
 *
 * Why little is run twice. Between the device's write and its read is a sequentially consistent fence; the host's claim
 * and its next read are sequentially consistent (Dekker's pattern). So if the device opened a chunk that a thread of the host had claimed, it
 * did not see the claim, and the thread's next read sees that the device is there: it stops. Each of the host's threads
 * runs at most one claim's chunks in vain in a range. With levels of a breadth-first search that does no harm: both find
 * the same vertices at the same depth. What has to be run exactly once goes through the rings of ring.cl.
 *
 * PCIe carries what this rests on: reads and writes of whole words in memory of the host's, in the order that fences of
 * system scope keep. It carries no atomics, and there are none. */

#define BRIDGE_NO_CHUNK (~(u64)0)

/* All groups wait until all have come; what each did before is seen by all after. */
device_inline void bridge_meet(global_mem atom64 *state)
{
    group_barrier();
    if (item_id() == 0) {
        /* acq_rel, acquire: a group that leaves has seen what every group did before it came. The count never starts
         * again, so who leaves late is not in the way of the next meeting. */
        u64 came = atom_add(&state[BRIDGE_MEET], (u64)1, order_acq_rel);
        u64 all = (came / group_count() + 1) * group_count();
        while (atom_load(&state[BRIDGE_MEET], order_acquire) < all) spin_pause();
    }
    group_barrier();
}

/* Opens chunks until upto of them are open, in all, or none is left. One thread at a time: see bridge_take(). */
device_inline void bridge_open(global_mem host64 *words, global_mem atom64 *state, u64 range, u64 count, u64 upto)
{
    u64 open = atom_load(&state[BRIDGE_LIMIT], order_relaxed) / 2, most;
    if (upto > count) upto = count;
    /* The write comes before the read, against the host's claim before its next read (bridge_host.h). One fence for
     * both: one of system scope takes a device some microseconds, and each item that runs one adds its own. */
    host_store(&words[BRIDGE_DEVICE_NEXT], range << 32 | (count - upto), order_relaxed);
    host_fence();
    most = count - (host_load(&words[BRIDGE_HOST_NEXT], order_relaxed) & 0xffffffffu);
    bool last = upto == count || most <= upto;
    if (most < open) most = open; /* the host cannot have those any more: it saw them opened, or runs them in vain */
    if (upto > most) upto = most;
    /* release: pairs with the acquire in bridge_take(), so that openers follow each other. */
    atom_store(&state[BRIDGE_LIMIT], upto * 2 + (last ? 1 : 0), order_release);
}

/* One thread begins a range, before any group takes of it. */
device_inline void bridge_begin(global_mem host64 *words, global_mem atom64 *state, u64 range, u64 count, u64 first)
{
    /* relaxed: the other groups see it by BRIDGE_GO; no group takes any more of the range before, for they have met. */
    atom_store(&state[BRIDGE_TAKEN], 0, order_relaxed);
    atom_store(&state[BRIDGE_LIMIT], 0, order_relaxed);
    bridge_open(words, state, range, count, first);
}

/* A chunk for this group, whose first item calls; BRIDGE_NO_CHUNK when there are no more. first is the order's. Who takes the first chunk of
 * the last window that is open opens the next one before it runs its own, so that others need not wait; it has seen
 * that window opened, so whoever opened that one is done. */
device_inline u64 bridge_take(global_mem host64 *words, global_mem atom64 *state, u64 range, u64 count, u64 first,
                              u64 window)
{
    u64 mine = atom_add(&state[BRIDGE_TAKEN], (u64)1, order_relaxed), limit;
    for (;;) {
        limit = atom_load(&state[BRIDGE_LIMIT], order_acquire); /* pairs with bridge_open() */
        if (mine < limit / 2) break;
        if (limit % 2 != 0) return BRIDGE_NO_CHUNK;
        spin_pause();
    }
    if (limit % 2 == 0 && mine + window >= first && (mine + window - first) % window == 0)
        bridge_open(words, state, range, count, mine + 2 * window);
    return count - 1 - mine;
}

/* The first item of group 0 waits for order number n and shows it to the other groups; false when it has waited for
 * patience looks in vain. */
device_inline bool bridge_look(global_mem host64 *words, u64 n, u64 patience)
{
    for (u64 looks = 0; looks < patience; looks++) {
        /* acquire: pairs with the release in gws__bridge_give(), so the slot and all that the order speaks of is seen. */
        if (host_load(&words[BRIDGE_ORDER], order_acquire) >= n) return true;
        spin_pause();
    }
    return false;
}

/* What the groups of one launch are told instead of an order: to leave. Orders are far below. */
device_inline u64 bridge_leaving(u64 launch)
{
    return ~launch;
}

/* Group 0's first item takes an order over: to where all groups find it. */
device_inline void bridge_accept(global_mem host64 *words, global_mem atom64 *state, u64 n, u64 window)
{
    u64 slot = BRIDGE_ORDER_SLOTS + n % BRIDGE_ORDERS * BRIDGE_SLOT;
    for (u64 w = 0; w < BRIDGE_SLOT; w++) {
        u64 word = host_load(&words[slot + w], order_relaxed);
        if (w == BRIDGE_FIRST && word < window) word = window;
        /* relaxed: shown to the others by BRIDGE_GO. */
        atom_store(&state[BRIDGE_COPY + w], word, order_relaxed);
    }
    u64 count = atom_load(&state[BRIDGE_COPY + BRIDGE_COUNT], order_relaxed);
    if (count > 0) bridge_begin(words, state, n, count, atom_load(&state[BRIDGE_COPY + BRIDGE_FIRST], order_relaxed));
}

/* The first item of a group waits for the order after n, or group 0's for the host; the number of that order, or
 * bridge_leaving(). */
device_inline u64 bridge_hear(global_mem host64 *words, global_mem atom64 *state, u64 launch, u64 patience, u64 window,
                              u64 n)
{
    u64 go = n + 1;
    if (group_id() == 0) {
        if (bridge_look(words, go, patience)) {
            bridge_accept(words, state, go, window);
        } else {
            go = bridge_leaving(launch);
            /* release: pairs with the acquire in gws__bridge_left(). */
            host_store(&words[BRIDGE_LEFT], launch, order_release);
        }
        /* release: pairs with the other groups' acquire below. What the host wrote is theirs to see, too. */
        atom_store(&state[BRIDGE_GO], go, order_release);
        return go;
    }
    do {
        spin_pause();
        go = atom_load(&state[BRIDGE_GO], order_acquire);
    } while (go != n + 1 && go != bridge_leaving(launch));
    return go;
}

/* All groups wait for the next order, whose words are then in order[0 .. BRIDGE_SLOT - 1], in local memory, for all items
 * to read until the groups meet; order has one word more. False: the kernel is to leave. In *n is, for the first item of
 * a group, the number of the order that was run last, by this launch or an earlier one (BRIDGE_REPLY), and afterwards,
 * for all items, the new one's. Between the end of one order and the wait for the next, the groups must have met.
 * Only one item of all reads what lies with the host: if every item did, a hundred thousand reads of one word would
 * queue up at the bus for milliseconds. */
device_inline bool bridge_await(global_mem host64 *words, global_mem atom64 *state, u64 launch, u64 patience,
                                u64 window, local_mem u64 *order, u64 *n)
{
    if (item_id() == 0) {
        order[BRIDGE_SLOT] = bridge_hear(words, state, launch, patience, window, *n);
        for (u64 w = 0; w < BRIDGE_SLOT; w++) order[w] = atom_load(&state[BRIDGE_COPY + w], order_relaxed);
    }
    group_barrier();
    u64 told = order[BRIDGE_SLOT];
    if (told == bridge_leaving(launch)) return false;
    *n = told;
    return true;
}

/* One item replies to order n, after all groups have met; what they wrote into the host's memory is then the host's to
 * read. The reply's slot is filled before. */
device_inline void bridge_reply(global_mem host64 *words, u64 n)
{
    /* release: pairs with the acquire in gws__bridge_answered(). */
    host_store(&words[BRIDGE_REPLY], n, order_release);
}
