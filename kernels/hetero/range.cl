/* SPDX-License-Identifier: MIT */
/* The device's side of the host-device protocol and of the two-ended range on it (protocol_words.h). All groups of the
 * kernel must be resident, because they wait for each other.
 *
 * A persistent kernel runs order after order, because a launch takes longer than a small level. The kernel exits by
 * itself after many fruitless polls for an order. The host has then ended or does other work.
 *
 * The protocol relies on two properties of PCIe. The device reads and writes whole words of the host's memory, and
 * fences of system scope order these accesses. PCIe carries no atomics, and the protocol uses none. */

/* A group's view of the protocol. Every group of a launch has one. */
struct protocol {
    global_mem host64 *words;
    global_mem atom64 *state;
    u64 launch;   /* the number of the launch, from 1 */
    u64 patience; /* fruitless polls before the kernel exits */
    u64 window;   /* chunks of a range that a group opens at a time */
};

/* Waits until all groups have arrived. After the barrier every group sees all writes that came before the barrier. */
device_inline void protocol_barrier(global_mem atom64 *state)
{
    group_barrier();
    if (item_id() == 0) {
        /* acq_rel, and acquire below: a group that leaves the barrier sees all writes that any group made before its
         * arrival. The count never restarts, so a group that leaves late does not disturb the next barrier. */
        u64 came = atom_add(&state[PROTOCOL_ARRIVED], (u64)1, order_acq_rel);
        u64 all = (came / group_count() + 1) * group_count();
        while (atom_load(&state[PROTOCOL_ARRIVED], order_acquire) < all) spin_pause();
    }
    group_barrier();
}

/* The first item of group 0 polls for order number n. Returns false after `patience` fruitless polls. */
device_inline bool protocol_poll(const struct protocol *p, u64 n)
{
    for (u64 polls = 0; polls < p->patience; polls++) {
        /* acquire: pairs with the release in gws__protocol_publish(). The group thus sees the slot and all memory that
         * the order refers to. */
        if (host_load(&p->words[PROTOCOL_ORDER], order_acquire) >= n) return true;
        spin_pause();
    }
    return false;
}

/* Group 0 publishes this value instead of an order's number to make the groups of one launch exit. Numbers of orders
 * are far smaller. */
device_inline u64 protocol_exit_code(const struct protocol *p)
{
    return ~p->launch;
}

/* Opens chunks until `upto` chunks or all chunks are open. range_acquire() ensures that one thread at a time calls the
 * function. */
device_inline void range_open(const struct protocol *p, u64 range, u64 count, u64 upto)
{
    u64 open = atom_load(&p->state[RANGE_LIMIT], order_relaxed) / 2, max;
    if (upto > count) upto = count;
    /* The device writes before it reads. The host claims before its next read (lib/hetero/range.h). One fence orders
     * the write before the read. Only one item runs the fence, because a fence of system scope takes some microseconds
     * on a device, and the fences of several items add up. */
    host_store(&p->words[RANGE_DEVICE_NEXT], range << 32 | (count - upto), order_relaxed);
    host_fence();
    max = count - (host_load(&p->words[RANGE_HOST_NEXT], order_relaxed) & 0xffffffffu);
    bool last = upto == count || max <= upto;
    if (max < open) max = open; /* the host stops before these chunks, or also runs them */
    if (upto > max) upto = max;
    /* release: pairs with the acquire in range_acquire() and thus orders the openers. */
    atom_store(&p->state[RANGE_LIMIT], upto * 2 + (last ? 1 : 0), order_release);
}

/* One item begins the range of order n, before any group acquires a chunk of it. */
device_inline void range_begin(const struct protocol *p, u64 n, u64 count, u64 first)
{
    /* relaxed: PROTOCOL_GO publishes these words to the other groups. No group still acquires chunks of the last range,
     * because a barrier of all groups has passed since. */
    atom_store(&p->state[RANGE_ACQUIRED], 0, order_relaxed);
    atom_store(&p->state[RANGE_LIMIT], 0, order_relaxed);
    range_open(p, n, count, first);
}

/* The first item of group 0 copies an order's slot to `state`, where all groups read it. */
device_inline void protocol_accept(const struct protocol *p, u64 n)
{
    u64 slot = PROTOCOL_ORDERS + n % PROTOCOL_SLOTS * PROTOCOL_SLOT;
    for (u64 w = 0; w < PROTOCOL_SLOT; w++) {
        u64 word = host_load(&p->words[slot + w], order_relaxed);
        if (w == ORDER_FIRST && word < p->window) word = p->window;
        /* relaxed: PROTOCOL_GO publishes the word to the other groups. */
        atom_store(&p->state[PROTOCOL_COPY + w], word, order_relaxed);
    }
    u64 count = atom_load(&p->state[PROTOCOL_COPY + ORDER_COUNT], order_relaxed);
    if (count > 0) range_begin(p, n, count, atom_load(&p->state[PROTOCOL_COPY + ORDER_FIRST], order_relaxed));
}

/* The first item of a group waits for the order after n. Group 0 waits for the host, the other groups wait for group 0.
 * Returns the order's number or protocol_exit_code(). */
device_inline u64 protocol_wait(const struct protocol *p, u64 n)
{
    u64 go = n + 1;
    if (group_id() == 0) {
        if (protocol_poll(p, go)) {
            protocol_accept(p, go);
        } else {
            go = protocol_exit_code(p);
            /* release: pairs with the acquire in gws__protocol_exited(). */
            host_store(&p->words[PROTOCOL_EXITED], p->launch, order_release);
        }
        /* release: pairs with the other groups' acquire below. The store also passes on the host's writes. */
        atom_store(&p->state[PROTOCOL_GO], go, order_release);
        return go;
    }
    do {
        spin_pause();
        go = atom_load(&p->state[PROTOCOL_GO], order_acquire);
    } while (go != n + 1 && go != protocol_exit_code(p));
    return go;
}

/* All groups wait for the next order. The function copies the order to order[0 .. PROTOCOL_SLOT - 1] in local memory,
 * where all items may read it until the groups' barrier. `order` has PROTOCOL_SLOT + 1 words. Returns false if the
 * kernel exits. On entry, *n in a group's first item is the number of the last order that this or an earlier launch ran
 * (PROTOCOL_REPLY). On return, *n in all items is the new order's number. A barrier of the groups lies between the end
 * of one order and the wait for the next. Only one item reads the host's words. A hundred thousand items that read one
 * word would queue at the bus for milliseconds. */
device_inline bool protocol_await(const struct protocol *p, local_mem u64 *order, u64 *n)
{
    if (item_id() == 0) {
        order[PROTOCOL_SLOT] = protocol_wait(p, *n);
        for (u64 w = 0; w < PROTOCOL_SLOT; w++) order[w] = atom_load(&p->state[PROTOCOL_COPY + w], order_relaxed);
    }
    group_barrier();
    u64 received = order[PROTOCOL_SLOT];
    if (received == protocol_exit_code(p)) return false;
    *n = received;
    return true;
}

/* One item fills the slot of the reply to order n and publishes it after all groups have met. The host may then read
 * all that the groups wrote to its memory. */
device_inline void protocol_write_reply(const struct protocol *p, u64 n, u64 word, u64 value)
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
 * Why no chunk of a range is lost. The device opens chunks from the back, window by window. A group that opens a window
 * first writes DEVICE_NEXT and then reads HOST_NEXT. The group leaves out only chunks below the value that it read. The
 * host has claimed those chunks, and host threads run all chunks that they claim. Host threads claim only chunks below
 * the DEVICE_NEXT that they read, and stop only where HOST_NEXT has reached DEVICE_NEXT. So the host runs each chunk
 * below the last DEVICE_NEXT. The device has opened each chunk above it, or has left the chunk to the host, which
 * claimed it.
 *
 * Why few chunks run twice. A sequentially consistent fence separates the device's write from its read. The host's
 * claim and its next read are sequentially consistent (Dekker's pattern). Suppose the device opens a chunk that a host
 * thread has claimed. Then the device did not see the claim, so the thread's next read sees the device's write, and the
 * thread stops. Each host thread therefore runs the chunks of at most one claim per range redundantly. In a level of a
 * breadth-first search these repeated chunks do no harm: both sides find the same vertices at the same depth. Tasks
 * that must run exactly once go through the rings of ring.cl. */

#define RANGE_EMPTY (~(u64)0)

/* Acquires a chunk for this group. Returns RANGE_EMPTY if no chunk is left. The group's first item calls. first: from
 * the order. The group that acquires the first chunk of the last open window opens the next window before it runs its
 * chunk. Other groups then need not wait. This group has seen the last window open, so the group that opened that
 * window has finished opening it. */
device_inline u64 range_acquire(const struct protocol *p, u64 range, u64 count, u64 first)
{
    u64 mine = atom_add(&p->state[RANGE_ACQUIRED], (u64)1, order_relaxed), limit;
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

/* ---- An algorithm defines struct range_operator and these functions, in a source that follows this file. All items of
 * all groups call them, except work_reply(). ---- */

struct range_operator;

/* Reads the data that this side needs, before a range. May end with a barrier of all groups. */
device_inline void work_begin(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order);

/* Processes a chunk. */
device_inline void run_range(const struct range_operator *work, local_mem const u64 *order, u64 chunk);

/* Publishes this side's results, after this group's last chunk. */
device_inline void work_publish(const struct range_operator *work, const struct protocol *p,
                                local_mem const u64 *order);

/* Adds the host's results to the device's (ORDER_MERGE). */
device_inline void merge(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order);

/* Writes the algorithm's words of a reply. One item calls it after all groups have met. */
device_inline void work_reply(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order,
                              u64 n);

/* Runs chunks until host and device have met. acquired: a word of local memory. */
device_inline void range_run(const struct range_operator *work, const struct protocol *p, local_mem const u64 *order,
                             u64 n, local_mem u64 *acquired, global_mem u64 *stats)
{
    u64 count = order[ORDER_COUNT], first = order[ORDER_FIRST], ran = 0, stolen = 0;
    for (;;) {
        if (item_id() == 0) acquired[0] = range_acquire(p, n, count, first);
        group_barrier();
        u64 chunk = acquired[0];
        group_barrier(); /* all items have read acquired */
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

/* Runs orders until ORDER_END, or until no order arrives in time. All groups call it. order: PROTOCOL_SLOT + 2 words of
 * local memory. stats: this group's RANGE_STATS words. */
device_inline void range_serve(const struct range_operator *work, const struct protocol *p, local_mem u64 *order,
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
        /* After the barrier the replying item has seen the writes of all items, also those to the host's memory. Its
         * release passes them on. */
        protocol_barrier(p->state);
        if (group_id() * group_size() + item_id() == 0) {
            protocol_write_reply(p, n, REPLY_RAN, atom_load(&p->state[RANGE_LIMIT], order_relaxed) / 2);
            work_reply(work, p, order, n);
            protocol_reply(p, n);
        }
        if (kind == ORDER_END) return;
    }
}
