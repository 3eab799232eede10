/* SPDX-License-Identifier: MIT */
/* A graph parted among devices that address each other's memory. Each device runs one persistent kernel, and owns the
 * rows, depths and parents of its part (1D, as in Buluc, Madduri, "Parallel breadth-first search on distributed memory
 * systems", SC 2011). This file has what the kernels exchange: the barrier of all groups of all devices, bitmaps and
 * found vertices.
 *
 * Each device has two bitmaps of all vertices (state.cl), in which the bits of its own part are exact. The bits of the
 * other parts are a copy, which lacks some visited vertices. gather() completes it. Push claims the bits of all targets
 * in the device's own bitmap. A claimed vertex of another part goes to its owner's inbox, with the parent. So a device
 * sends each vertex at most once, and an inbox with one word for each vertex cannot overflow.
 *
 * Push works with vertex numbers of the whole graph, pull with numbers within the part. set_view() switches. */

/* A group's copy, in local memory. */
struct parted_memory {
    global_mem u64 *exchange[PARTED_MAX];
    u32 first[PARTED_MAX + 1];
    u32 inbox_from[PARTED_MAX], inbox_end[PARTED_MAX]; /* the new words of each inbox */
    u64 found, arcs, segments, sent;                   /* sums over the posts of the last barrier */
    u64 gathered;
};

struct parted {
    struct device_engine engine; /* the first member, because operators get a pointer to it */
    local_mem struct parted_memory *all;
    global_mem const u64 *offset; /* the rows' bounds, by the number within the part */
    global_mem u32 *data[2];      /* depth and parent, likewise */
    global_mem u32 *bitmap[2];    /* of all vertices: visited and next */
    u64 epoch;                    /* the number of the next barrier */
    u32 vertices, words;          /* of the whole graph; words of a bitmap */
    u32 part, parts, first;       /* first: the part's first vertex */
    u32 base;                     /* the number of the part's first vertex in the current view */
    u32 which;                    /* of the two bitmaps in the exchange buffer is visited */
    u32 size, reached, own_reached, root, pull_levels;
    u64 sent; /* by all devices before this level */
    bool sends;
};

/* ---- the exchange buffer ---- */

/* Returns the post of a sender in a receiver's buffer for the barrier `epoch`. */
device_inline global_mem host64 *post_of(const struct parted *p, u32 receiver, u32 sender, u64 epoch)
{
    u64 at = ((epoch & 1) * PARTED_MAX + sender) * POST_WORDS;
    return (global_mem host64 *)(p->all->exchange[receiver] + at);
}

device_inline global_mem u32 *bitmap_of(const struct parted *p, u32 part, u32 which)
{
    u64 words = ((u64)p->vertices + 63) / 64;
    return (global_mem u32 *)(p->all->exchange[part] + PARTED_POSTS + which * words);
}

/* Returns the inbox of a receiver for the words of a sender. */
device_inline global_mem u64 *inbox_of(const struct parted *p, u32 receiver, u32 sender)
{
    u64 own = p->all->first[receiver + 1] - p->all->first[receiver], words = ((u64)p->vertices + 63) / 64;
    u64 before = sender < receiver ? sender : sender - 1;
    return p->all->exchange[receiver] + PARTED_POSTS + 2 * words + before * own;
}

/* ---- the barrier ---- */

/* The item that arrives last posts the device's counts to all devices, this one among them. */
device_inline void post_counts(const struct parted *p)
{
    const struct device_engine *s = &p->engine;
    u32 slot = s->step % 4;
    u64 sent = 0;
    for (u32 q = 0; q < p->parts; q++) sent += word_fresh(&s->count[COUNT_SENT + q]);
    for (u32 i = 0; i < p->parts; i++) {
        u32 q = (p->part + 1 + i) % p->parts;
        global_mem host64 *post = post_of(p, q, p->part, p->epoch);
        host_store(post + POST_FOUND, (u64)word_fresh(&s->count[COUNT_FOUND + slot]), order_relaxed);
        host_store(post + POST_ARCS, (u64)long_fresh(&s->sums[SUM_ARCS + slot]), order_relaxed);
        host_store(post + POST_SEGMENTS, (u64)word_fresh(&s->count[COUNT_SEGMENTS + slot]), order_relaxed);
        host_store(post + POST_SENT, sent, order_relaxed);
        host_store(post + POST_TO_YOU, (u64)word_fresh(&s->count[COUNT_SENT + q]), order_relaxed);
        /* release: pairs with the acquire in await_posts(). The other devices then see the writes of all groups of this
         * device, which the acquire of this item's arrival has seen. */
        host_store(post + POST_EPOCH, p->epoch, order_release);
    }
}

/* One item of each group waits for the posts of all devices and adds them up. A post is not overwritten before all
 * groups have read it: the next barrier has the other posts, and no device posts to the one after that before all
 * groups have arrived at the next barrier. */
device_inline void await_posts(const struct parted *p)
{
    local_mem struct parted_memory *all = p->all;
    all->found = all->arcs = all->segments = all->sent = 0;
    for (u32 q = 0; q < p->parts; q++) {
        global_mem host64 *post = post_of(p, p->part, q, p->epoch);
        /* acquire: pairs with the release in post_counts(). */
        while (host_load(post + POST_EPOCH, order_acquire) != p->epoch) spin_pause();
        all->found += host_load(post + POST_FOUND, order_relaxed);
        all->arcs += host_load(post + POST_ARCS, order_relaxed);
        all->segments += host_load(post + POST_SEGMENTS, order_relaxed);
        all->sent += host_load(post + POST_SENT, order_relaxed);
        all->inbox_end[q] = (u32)host_load(post + POST_TO_YOU, order_relaxed);
    }
}

/* Clears the counters of the step after the next. */
device_inline void clear_counters(const struct device_engine *s)
{
    u32 slot = (s->step + 2) % 4;
    if (item_id() != 0 || group_id() != 0) return;
    s->count[COUNT_FOUND + slot] = s->count[COUNT_SEGMENTS + slot] = 0;
    s->sums[SUM_ARCS + slot] = 0;
}

/* Ends a step by a barrier of all groups of all devices, like step_end(). received: the step has read the inboxes. */
device_inline void parted_step_end(struct parted *p, bool received)
{
    struct device_engine *s = &p->engine;
    clear_counters(s);
    distributor_clear(s->cursors, s->step);
    group_barrier();
    if (item_id() == 0) {
        u64 arrival = clock_ticks();
        for (u32 q = 0; q < p->parts && received; q++) p->all->inbox_from[q] = p->all->inbox_end[q];
        s->all.awaited += group_count();
        /* acquire and release: pair with each other, so the last item sees the writes of all groups before it posts. */
        if (atom_add(s->all.arrived, (u64)1, order_acq_rel) + 1 == s->all.awaited) post_counts(p);
        await_posts(p);
        s->my->stats.idle += clock_ticks() - arrival;
    }
    p->epoch++;
    s->step++;
    group_barrier();
}

/* ---- sending and receiving ---- */

/* A warp sends the marked lanes' vertices, with their parents, to their owners. */
device_inline void send_found(const struct parted *p, bool mark, u32 parent, u32 vertex)
{
    if (!warp_ballot(mark)) return;
    for (u32 q = 0; q < p->parts; q++) {
        if (q == p->part) continue;
        bool its = mark && vertex >= p->all->first[q] && vertex < p->all->first[q + 1];
        u32 place = warp_reserve(&p->engine.count[COUNT_SENT + q], its);
        if (its) inbox_of(p, q, p->part)[place] = (u64)parent << 32 | vertex;
    }
}

/* Copies the bits of the other parts from their owners' bitmaps. No owner removes bits, and an owner that already runs
 * the next level of push may add some, so words that are complete are not read. */
device_inline void gather(struct parted *p)
{
    u64 items = (u64)group_count() * group_size(), item = (u64)group_id() * group_size() + item_id();
    u32 read = 0;
    for (u32 q = 0; q < p->parts; q++) {
        if (q == p->part) continue;
        global_mem u32 *from = bitmap_of(p, q, p->which), *to = p->bitmap[0];
        u64 begin = ((u64)p->all->first[q] + 31) / 32, end = ((u64)p->all->first[q + 1] + 31) / 32;
        for (u64 i = begin + item; i < end; i += 4 * items) {
            u32 word[4];
            unrolled for (u32 k = 0; k < 4; k++)
            {
                bool open = i + k * items < end && to[i + k * items] != NONE;
                word[k] = open ? word_fresh(&from[i + k * items]) : 0;
                read += open ? 1 : 0;
            }
            unrolled for (u32 k = 0; k < 4; k++) if (word[k]) to[i + k * items] = word[k];
        }
    }
    read = warp_sum(read);
    if (lane_id() == 0 && read > 0) local_sum(&p->all->gathered, (u64)read);
}

/* ---- views ---- */

/* Push: vertices have their numbers in the whole graph, so the pointers to the part's arrays lie before these. */
device_inline void set_view(struct parted *p, bool pull)
{
    struct device_engine *s = &p->engine;
    u32 skip = pull ? 0 : p->first;
    p->base = skip;
    p->sends = !pull && p->parts > 1;
    s->offset = p->offset - skip;
    s->data[0] = p->data[0] - skip;
    s->data[1] = p->data[1] - skip;
    s->visited = p->bitmap[0] + (pull ? p->first / 32 : 0);
    s->next = p->bitmap[1] + (pull ? p->first / 32 : 0);
}

/* ---- opening ---- */

/* Fills the group's copy of the bounds and the buffers, and finds the number of the next barrier. No device posts to
 * that barrier in this device's name before this group has arrived there. */
device_inline void parted_open(struct parted *p, local_mem struct parted_memory *all, struct parted_bounds at)
{
    p->all = all;
    p->part = at.part;
    p->parts = at.parts;
    p->first = at.first[at.part];
    p->vertices = at.first[at.parts];
    p->words = (u32)(((u64)p->vertices + 31) / 32);
    if (item_id() == 0) {
        for (u32 q = 0; q <= PARTED_MAX; q++) all->first[q] = at.first[q];
        for (u32 q = 0; q < PARTED_MAX; q++) all->inbox_from[q] = all->inbox_end[q] = 0;
        all->gathered = 0;
    }
    group_barrier();
    u64 even = host_load(post_of(p, p->part, p->part, 0) + POST_EPOCH, order_relaxed);
    u64 odd = host_load(post_of(p, p->part, p->part, 1) + POST_EPOCH, order_relaxed);
    p->epoch = (even > odd ? even : odd) + 1;
    p->which = 0;
    p->bitmap[0] = bitmap_of(p, p->part, 0);
    p->bitmap[1] = bitmap_of(p, p->part, 1);
}
