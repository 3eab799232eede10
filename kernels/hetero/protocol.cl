/* SPDX-License-Identifier: MIT */
/* The device's side of the host-device protocol (protocol_words.h). All groups of the kernel are resident: they wait
 * for each other.
 *
 * A kernel stays from order to order, since starting one takes longer than a small level, and leaves by itself when it
 * has polled for an order in vain so often that the host must be gone or busy elsewhere.
 *
 * PCIe carries what this rests on: reads and writes of whole words in memory of the host's, in the order that fences of
 * system scope keep. It carries no atomics, and there are none. */

/* What every group of a launch has. */
struct protocol {
    global_mem host64 *words;
    global_mem atom64 *state;
    u64 launch;   /* its number, from 1 */
    u64 patience; /* polls in vain, until a kernel leaves */
    u64 window;   /* chunks of a range that are opened at a time */
};

/* All groups wait until all have come; what each did before is seen by all after. */
device_inline void protocol_barrier(global_mem atom64 *state)
{
    group_barrier();
    if (item_id() == 0) {
        /* acq_rel, acquire: a group that leaves has seen what every group did before it came. The count never starts
         * again, so a group that leaves late is not in the way of the next barrier. */
        u64 came = atom_add(&state[PROTOCOL_ARRIVED], (u64)1, order_acq_rel);
        u64 all = (came / group_count() + 1) * group_count();
        while (atom_load(&state[PROTOCOL_ARRIVED], order_acquire) < all) spin_pause();
    }
    group_barrier();
}

/* The first item of group 0 polls for order number n; false when it has done so `patience` times in vain. */
device_inline bool protocol_poll(const struct protocol *p, u64 n)
{
    for (u64 looks = 0; looks < p->patience; looks++) {
        /* acquire: pairs with the release in gws__protocol_publish(): the slot and all that it speaks of is seen. */
        if (host_load(&p->words[PROTOCOL_ORDER], order_acquire) >= n) return true;
        spin_pause();
    }
    return false;
}

/* What the groups of one launch are told instead of an order: to leave. Orders are far below. */
device_inline u64 protocol_leaving(const struct protocol *p)
{
    return ~p->launch;
}

/* range.cl: one item begins the range of order n, before any group takes of it. */
device_inline void range_begin(const struct protocol *p, u64 n, u64 count, u64 first);

/* Group 0's first item copies an order's slot to where all groups find it. */
device_inline void protocol_accept(const struct protocol *p, u64 n)
{
    u64 slot = PROTOCOL_ORDERS + n % PROTOCOL_SLOTS * PROTOCOL_SLOT;
    for (u64 w = 0; w < PROTOCOL_SLOT; w++) {
        u64 word = host_load(&p->words[slot + w], order_relaxed);
        if (w == ORDER_FIRST && word < p->window) word = p->window;
        /* relaxed: published to the others by PROTOCOL_GO. */
        atom_store(&p->state[PROTOCOL_COPY + w], word, order_relaxed);
    }
    u64 count = atom_load(&p->state[PROTOCOL_COPY + ORDER_COUNT], order_relaxed);
    if (count > 0) range_begin(p, n, count, atom_load(&p->state[PROTOCOL_COPY + ORDER_FIRST], order_relaxed));
}

/* The first item of a group waits for the order after n, or group 0's for the host; returns the number of that order,
 * or protocol_leaving(). */
device_inline u64 protocol_wait(const struct protocol *p, u64 n)
{
    u64 go = n + 1;
    if (group_id() == 0) {
        if (protocol_poll(p, go)) {
            protocol_accept(p, go);
        } else {
            go = protocol_leaving(p);
            /* release: pairs with the acquire in gws__protocol_left(). */
            host_store(&p->words[PROTOCOL_LEFT], p->launch, order_release);
        }
        /* release: pairs with the other groups' acquire below. What the host wrote is theirs to see, too. */
        atom_store(&p->state[PROTOCOL_GO], go, order_release);
        return go;
    }
    do {
        spin_pause();
        go = atom_load(&p->state[PROTOCOL_GO], order_acquire);
    } while (go != n + 1 && go != protocol_leaving(p));
    return go;
}

/* All groups wait for the next order, whose words are then in order[0 .. PROTOCOL_SLOT - 1], in local memory, for all
 * items to read until the groups' barrier; order has one word more. False: the kernel is to leave. In *n is, for the
 * first item of a group, the number of the order that was run last, by this launch or an earlier one (PROTOCOL_REPLY),
 * and afterwards, for all items, the new one's. Between the end of one order and the wait for the next lies a barrier
 * of the groups. Only one item of all reads what lies with the host: if every item did, a hundred thousand reads of one
 * word would queue up at the bus for milliseconds. */
device_inline bool protocol_await(const struct protocol *p, local_mem u64 *order, u64 *n)
{
    if (item_id() == 0) {
        order[PROTOCOL_SLOT] = protocol_wait(p, *n);
        for (u64 w = 0; w < PROTOCOL_SLOT; w++) order[w] = atom_load(&p->state[PROTOCOL_COPY + w], order_relaxed);
    }
    group_barrier();
    u64 told = order[PROTOCOL_SLOT];
    if (told == protocol_leaving(p)) return false;
    *n = told;
    return true;
}

/* One item fills the slot of the reply to order n, and publishes it when all groups have met; what they wrote into the
 * host's memory is then the host's to read. */
device_inline void protocol_answer(const struct protocol *p, u64 n, u64 word, u64 value)
{
    host_store(&p->words[PROTOCOL_REPLIES + n % PROTOCOL_SLOTS * PROTOCOL_SLOT + word], value, order_relaxed);
}

device_inline void protocol_reply(const struct protocol *p, u64 n)
{
    /* release: pairs with the acquire in gws__protocol_replied(). */
    host_store(&p->words[PROTOCOL_REPLY], n, order_release);
}
