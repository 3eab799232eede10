/* SPDX-License-Identifier: MIT */
/* The device's side of the host-device protocol and of the two-ended range on it (protocol_words.h). All groups of the
 * kernel are resident: they wait for each other.
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

/* Opens chunks until upto of them are open, in all, or none is left. One thread at a time: see range_take(). */
device_inline void range_open(const struct protocol *p, u64 range, u64 count, u64 upto)
{
    u64 open = atom_load(&p->state[RANGE_LIMIT], order_relaxed) / 2, most;
    if (upto > count) upto = count;
    /* The write comes before the read, against the host's claim before its next read (lib/hetero/range.h). One fence
     * for both: one of system scope takes a device some microseconds, and each item that runs one adds its own. */
    host_store(&p->words[RANGE_DEVICE_NEXT], range << 32 | (count - upto), order_relaxed);
    host_fence();
    most = count - (host_load(&p->words[RANGE_HOST_NEXT], order_relaxed) & 0xffffffffu);
    bool last = upto == count || most <= upto;
    if (most < open) most = open; /* the host cannot have those any more: it saw them opened, or runs them in vain */
    if (upto > most) upto = most;
    /* release: pairs with the acquire in range_take(), so that openers follow each other. */
    atom_store(&p->state[RANGE_LIMIT], upto * 2 + (last ? 1 : 0), order_release);
}

/* One item begins the range of order n, before any group takes of it. */
device_inline void range_begin(const struct protocol *p, u64 n, u64 count, u64 first)
{
    /* relaxed: the other groups see it by PROTOCOL_GO; no group takes any more of the range before, for they have met.
     */
    atom_store(&p->state[RANGE_TAKEN], 0, order_relaxed);
    atom_store(&p->state[RANGE_LIMIT], 0, order_relaxed);
    range_open(p, n, count, first);
}

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
            /* release: pairs with the acquire in gws__protocol_exited(). */
            host_store(&p->words[PROTOCOL_EXITED], p->launch, order_release);
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

/* ---- the two-ended range, and the loop of a kernel that runs such ranges for an algorithm ----
 *
 * Why no chunk of a range is lost. The device opens chunks from the back, window by window. The group that opens one
 * first writes DEVICE_NEXT, then reads HOST_NEXT, and leaves out only chunks below what it read: those the host has
 * claimed, and what the host's threads claim they run. The host's threads claim only below the DEVICE_NEXT that they
 * read, and stop only where it meets HOST_NEXT. So each chunk below the last DEVICE_NEXT is the host's, and each above
 * was opened by the device or left out as the host's.
 *
 * Why little is run twice. Between the device's write and its read is a sequentially consistent fence; the host's claim
 * and its next read are sequentially consistent (Dekker's pattern). So if the device opened a chunk that a thread of
 * the host had claimed, it did not see the claim, and the thread's next read sees that the device is there: it stops.
 * Each of the host's threads runs at most one claim's chunks in vain in a range. With levels of a breadth-first search
 * that does no harm: both find the same vertices at the same depth. What has to be run exactly once goes through the
 * rings of ring.cl. */

#define RANGE_EMPTY (~(u64)0)

/* A chunk for this group, whose first item calls; RANGE_EMPTY when there are no more. first is the order's. The group
 * that takes the first chunk of the last window that is open opens the next one before it runs its own, so that others
 * need not wait; it has seen that window opened, so the group that opened that one is done. */
device_inline u64 range_take(const struct protocol *p, u64 range, u64 count, u64 first)
{
    u64 mine = atom_add(&p->state[RANGE_TAKEN], (u64)1, order_relaxed), limit;
    for (;;) {
        limit = atom_load(&p->state[RANGE_LIMIT], order_acquire); /* pairs with range_open() */
        if (mine < limit / 2) break;
        if (limit % 2 != 0) return RANGE_EMPTY;
        spin_pause();
    }
    if (limit % 2 == 0 && mine + p->window >= first && (mine + p->window - first) % p->window == 0)
        range_open(p, range, count, mine + 2 * p->window);
    return count - 1 - mine;
}

/* ---- what an algorithm gives: struct work and these, in a text that follows this one; all items of all groups call
 * them but work_reply() ---- */

struct work;

/* Before a range: what this side has to learn first. May end with a barrier of all groups. */
device_inline void work_begin(const struct work *work, const struct protocol *p, local_mem const u64 *order);

/* Processes a chunk. */
device_inline void run_range(const struct work *work, local_mem const u64 *order, u64 chunk);

/* After this group's last chunk: publishes what this side found. */
device_inline void work_publish(const struct work *work, const struct protocol *p, local_mem const u64 *order);

/* ORDER_MERGE: takes over what the host found. */
device_inline void merge(const struct work *work, const struct protocol *p, local_mem const u64 *order);

/* One item, when all groups have met: the algorithm's words of a reply. */
device_inline void work_reply(const struct work *work, const struct protocol *p, local_mem const u64 *order, u64 n);

/* Runs chunks until host and device have met. taken: a word of local memory. */
device_inline void range_run(const struct work *work, const struct protocol *p, local_mem const u64 *order, u64 n,
                             local_mem u64 *taken, global_mem u64 *stats)
{
    u64 count = order[ORDER_COUNT], first = order[ORDER_FIRST], ran = 0, stolen = 0;
    for (;;) {
        if (item_id() == 0) taken[0] = range_take(p, n, count, first);
        group_barrier();
        u64 chunk = taken[0];
        group_barrier(); /* taken is free again */
        if (chunk == RANGE_EMPTY) break;
        ran++;
        if (chunk < order[ORDER_SPLIT]) stolen++;
        run_range(work, order, chunk);
    }
    if (item_id() == 0) {
        stats[RANGE_STATS_RAN] += ran;
        stats[RANGE_STATS_STOLEN] += stolen;
    }
}

/* The kernel's loop: all groups run orders until one ends it, or none comes. order: PROTOCOL_SLOT + 2 words of local
 * memory; stats: this group's, RANGE_STATS words. */
device_inline void range_serve(const struct work *work, const struct protocol *p, local_mem u64 *order,
                               global_mem u64 *stats)
{
    u64 n = item_id() == 0 ? host_load(&p->words[PROTOCOL_REPLY], order_relaxed) : 0;
    while (protocol_await(p, order, &n)) {
        u64 kind = order[ORDER_KIND];
        if (kind == ORDER_MERGE) {
            merge(work, p, order);
        } else if (kind != ORDER_END) {
            work_begin(work, p, order);
            range_run(work, p, order, n, order + PROTOCOL_SLOT + 1, stats);
            work_publish(work, p, order);
        }
        /* The item that replies has seen what all items wrote, to the host's memory, too; so its release passes it on.
         */
        protocol_barrier(p->state);
        if (group_id() * group_size() + item_id() == 0) {
            protocol_answer(p, n, REPLY_RAN, atom_load(&p->state[RANGE_LIMIT], order_relaxed) / 2);
            work_reply(work, p, order, n);
            protocol_reply(p, n);
        }
        if (kind == ORDER_END) return;
    }
}
