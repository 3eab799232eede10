/* SPDX-License-Identifier: MIT */
/* A graph parted among devices that address each other's memory. Each device runs one persistent kernel, and owns the
 * rows, depths and parents of its part (1D, as in Buluc, Madduri, "Parallel breadth-first search on distributed memory
 * systems", SC 2011). This file has what the kernels exchange at the barrier of all groups of all devices (peers.cl):
 * counts, bitmaps and found vertices.
 *
 * In a breadth-first search (run_parted.cl), each device has two bitmaps of all vertices (state.cl), in which the bits
 * of its own part are exact. The bits of the other parts are a copy, which lacks some visited vertices. gather()
 * completes it. Push claims the bits of all targets in the device's own bitmap. A claimed vertex of another part goes to
 * its owner's inbox, with the parent. So a device sends each vertex at most once, and an inbox with one word for each
 * vertex cannot overflow. Push works with vertex numbers of the whole graph, pull with numbers within the part.
 * set_view() switches. rounds_parted.cl has the driver of operators whose vertices re-enter. */

/* A group's copy, in local memory. */
struct parted_memory {
    struct peers_memory peers;
    u32 first[PARTED_MAX + 1];
    u32 sent[PARTED_MAX];       /* words sent to each part, when the last group arrives */
    u32 inbox_from[PARTED_MAX]; /* the words of each inbox before this number are received */
    u64 posted[POST_WORDS];     /* the sum over the last posts of all devices */
    u64 gathered;
    u64 inboxes;          /* words of the exchange buffer between the posts and the inboxes */
    global_mem u32 *sends; /* the words COUNT_SENT of the device */
    u32 stops;             /* 1: the host has cancelled the search */
};

struct parted {
    struct device_engine engine; /* the first member, because operators get a pointer to it */
    struct peers peers;
    local_mem struct parted_memory *all;
    global_mem const u64 *offset; /* the rows' bounds, by the number within the part */
    global_mem u32 *data[2];      /* depth and parent, likewise */
    global_mem u32 *bitmap[2];    /* of all vertices: visited and next */
    u32 vertices, words;          /* of the whole graph; words of a bitmap */
    u32 first;                    /* the part's first vertex */
    u32 base;                     /* the number of the part's first vertex in the current view */
    u32 which;                    /* of the two bitmaps in the exchange buffer is visited */
    u32 size, reached, own_reached, root, pull_levels;
    u32 own;           /* the part's vertices */
    u32 min;           /* rounds: the minimum that all devices have posted */
    bool posts_min;    /* rounds: POST_ARCS is the step's COUNT_MIN */
};

/* ---- the exchange buffer ---- */

device_inline global_mem u32 *bitmap_of(const struct parted *p, u32 part, u32 which)
{
    u64 words = ((u64)p->vertices + 63) / 64;
    return (global_mem u32 *)(p->all->peers.exchange[part] + PARTED_POSTS + which * words);
}

/* Returns the inbox of a receiver for the words of a sender. */
device_inline global_mem u64 *inbox_of(local_mem const struct parted_memory *all, u32 receiver, u32 sender)
{
    u64 own = all->first[receiver + 1] - all->first[receiver], before = sender < receiver ? sender : sender - 1;
    return all->peers.exchange[receiver] + PARTED_POSTS + all->inboxes + before * own;
}

device_inline bool parted_owns(const struct parted *p, u32 vertex)
{
    return vertex - p->first < p->own;
}

/* ---- the barrier ---- */

/* Whether the devices look in this step if the host has cancelled the search. A look crosses the bus, so it is rare. */
device_inline bool looks_for_stop(const struct parted *p)
{
    return p->engine.step % PARTED_STOP_STEPS == PARTED_STOP_STEPS - 1;
}

/* Returns the number of words that this device has sent before the last barrier. */
device_inline u32 sent_before(const struct parted *p)
{
    return (u32)p->all->peers.post[p->all->peers.part * POST_WORDS + POST_TO_YOU];
}

/* A warp of the group that arrives last posts the device's counts to all devices, this one among them. It reads all
 * counts before it posts any: once a device has all posts, its groups may send vertices of the next step. */
device_inline void post_counts(const struct parted *p)
{
    const struct device_engine *s = &p->engine;
    u32 slot = s->step % 4, sent = 0, before = sent_before(p);
    u32 found = word_fresh(&s->count[COUNT_FOUND + slot]), segments = word_fresh(&s->count[COUNT_SEGMENTS + slot]);
    u64 arcs = p->posts_min ? word_fresh(&s->count[COUNT_MIN + slot]) : long_fresh(&s->sums[SUM_ARCS + slot]);
    for (u32 q = lane_id(); q < p->all->peers.parts; q += WARP) p->all->sent[q] = word_fresh(&s->count[COUNT_SENT + q]);
    warp_barrier();
    for (u32 q = 0; q < p->all->peers.parts; q++) sent += p->all->sent[q];
    u64 flags = (sent != before ? POST_SENT : 0) | (segments > 0 ? POST_SPLITS : 0);
    if (looks_for_stop(p) && word_fresh(&s->count[COUNT_STOP]) > 0) flags |= POST_STOPS;
    for (u32 i = lane_id(); i < p->all->peers.parts * POST_WORDS; i += WARP) {
        u32 q = i / POST_WORDS, which = i % POST_WORDS;
        u64 word = which == POST_FOUND ? found | flags : which == POST_ARCS ? arcs : p->all->peers.epoch;
        if (which == POST_TO_YOU) word = q == p->all->peers.part ? sent : p->all->sent[q];
        peers_post(&p->peers, q, which, word);
    }
}

/* Returns the number of words in the inbox of a sender. */
device_inline u32 inbox_end(const struct parted *p, u32 sender)
{
    return sender == p->all->peers.part ? 0 : (u32)p->all->peers.post[sender * POST_WORDS + POST_TO_YOU];
}

/* Publishes the host's wish to end the search. */
device_inline void look_for_stop(const struct parted *p)
{
    if (item_id() != 0 || group_id() != 0 || !looks_for_stop(p)) return;
    if (stop_requested(p->peers.stop)) word_store(&p->engine.count[COUNT_STOP], 1);
}

/* Clears the counters of the step after the next. */
device_inline void clear_counters(const struct device_engine *s)
{
    u32 slot = (s->step + 2) % 4;
    if (item_id() != 0 || group_id() != 0) return;
    s->count[COUNT_FOUND + slot] = s->count[COUNT_SEGMENTS + slot] = 0;
    s->count[COUNT_MIN + slot] = NONE;
    s->sums[SUM_ARCS + slot] = 0;
}

/* A warp adds the posts, so that the items of a group read one word each. */
device_inline void sum_posts(const struct parted *p)
{
    for (u32 which = lane_id(); which < POST_WORDS; which += WARP) {
        u64 sum = 0;
        for (u32 q = 0; q < p->all->peers.parts; q++) sum += p->all->peers.post[q * POST_WORDS + which];
        p->all->posted[which] = sum;
        if (which == POST_FOUND && (sum & POST_FLAGS * POST_STOPS)) p->all->stops = 1;
    }
}

/* Returns whether a device has set a flag in its last post. */
device_inline bool any_posted(const struct parted *p, u64 flag)
{
    return (p->all->posted[POST_FOUND] & POST_FLAGS * flag) != 0;
}

/* Ends a step by a barrier of all groups of all devices, like step_end(). received: the step has read the inboxes. */
device_inline void parted_step_end(struct parted *p, bool received)
{
    struct device_engine *s = &p->engine;
    look_for_stop(p);
    clear_counters(s);
    distributor_clear(s->cursors, s->step);
    group_barrier();
    if (warp_id() == 0) {
        u64 arrival = clock_ticks();
        for (u32 q = lane_id(); q < p->all->peers.parts && received; q += WARP) p->all->inbox_from[q] = inbox_end(p, q);
        if (peers_arrive(&s->all)) post_counts(p);
        peers_await(&p->peers);
        sum_posts(p);
        if (lane_id() == 0) s->my->stats.idle += clock_ticks() - arrival;
    }
    s->step++;
    group_barrier();
}

device_inline u32 min_posted(const struct parted *p)
{
    u32 min = NONE;
    for (u32 q = 0; q < p->all->peers.parts; q++) min = min_u32(min, (u32)p->all->peers.post[q * POST_WORDS + POST_ARCS]);
    return min;
}

/* ---- sending and receiving ---- */

/* A warp sends the marked ones of each lane's `count` vertices, at most STRIP, with their parents, to their owners. It
 * reserves the places in an inbox at once, since all warps add to the same word. */
device_inline void send_found(local_mem const struct parted_memory *all, u32 count, const bool *mark,
                              const u32 *parent, const u32 *vertex)
{
    bool any = false;
    unrolled for (u32 i = 0; i < count; i++) any = any || mark[i];
    if (!warp_ballot(any)) return;
    for (u32 q = 0; q < all->peers.parts; q++) {
        u32 its[STRIP], first = all->first[q], size = all->first[q + 1] - first, sum = 0, place = 0;
        if (q == all->peers.part) continue;
        unrolled for (u32 i = 0; i < count; i++)
        {
            its[i] = warp_ballot(mark[i] && vertex[i] - first < size);
            sum += bit_count(its[i]);
        }
        if (sum == 0) continue;
        if (lane_id() == 0) place = word_add(&all->sends[q], sum);
        place = warp_shuffle(place, 0);
        global_mem u64 *inbox = inbox_of(all, q, all->peers.part);
        unrolled for (u32 i = 0; i < count; i++)
        {
            u32 at = place + bit_count(its[i] & lanes_below());
            if (its[i] >> lane_id() & 1) inbox[at] = (u64)parent[i] << 32 | vertex[i];
            place += bit_count(its[i]);
        }
    }
}

/* A warp sends the marked lanes' vertices of other parts, with their parents. Returns whether the lane's vertex is its
 * own. Like send_buffered(), the function serves vertices that re-enter. push.cl has many copies of its loops, and with
 * copies of this one in each of them the compiler runs out of registers. */
device_apart bool send_others(local_mem const struct parted_memory *all, bool mark, u32 parent, u32 vertex)
{
    bool own = vertex >= all->first[all->peers.part] && vertex < all->first[all->peers.part + 1];
    bool other = mark && !own;
    send_found(all, 1, &other, &parent, &vertex);
    return mark && own;
}

/* A warp sends the vertices of other parts in its buffer, and removes them. Returns the number of those left. */
device_apart u32 send_buffered(local_mem const struct parted_memory *all, local_mem u32 *vertex, u32 count)
{
    u32 left = 0;
    warp_barrier();
    for (u32 at = 0; at < count; at += WARP) {
        bool has = at + lane_id() < count;
        u32 found = has ? vertex[at + lane_id()] : 0;
        bool own = has && found >= all->first[all->peers.part] && found < all->first[all->peers.part + 1];
        bool other = has && !own;
        u32 parent = NONE;
        send_found(all, 1, &other, &parent, &found);
        u32 marks = warp_ballot(own);
        warp_barrier(); /* all lanes have read their places */
        if (own) vertex[left + bit_count(marks & lanes_below())] = found;
        left += bit_count(marks);
    }
    return left;
}

#define owns_row(s, vertex) parted_owns((const struct parted *)(s), vertex)
#define keeps_found(s, mark, vertex) send_others(((const struct parted *)(s))->all, mark, NONE, vertex)
#define keeps_buffered(s, vertex, count) send_buffered(((const struct parted *)(s))->all, vertex, count)

/* Copies the bits of the other parts from their owners' bitmaps. No owner removes bits, and an owner that already runs
 * the next level of push may add some, so words that are complete are not read. Each device begins with the part after
 * its own, so that the devices do not all read the memory of one. */
device_inline void gather(struct parted *p)
{
    u64 items = (u64)group_count() * group_size(), item = (u64)group_id() * group_size() + item_id();
    u32 read = 0;
    for (u32 after = 1; after < p->all->peers.parts; after++) {
        u32 q = (p->all->peers.part + after) % p->all->peers.parts;
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
    s->offset = p->offset - skip;
    s->data[0] = p->data[0] - skip;
    s->data[1] = p->data[1] - skip;
    s->visited = p->bitmap[0] + (pull ? p->first / 32 : 0);
    s->next = p->bitmap[1] + (pull ? p->first / 32 : 0);
}

/* ---- opening ---- */

/* Fills the group's copy of the bounds, after all->peers.exchange has been written. inboxes: see above. */
device_inline void parted_open(struct parted *p, local_mem struct parted_memory *all, struct parted_bounds at,
                               u64 inboxes, global_mem u32 *control, global_mem u32 *stop)
{
    p->all = all;
    p->first = at.first[at.part];
    p->own = at.first[at.part + 1] - p->first;
    p->posts_min = false;
    p->vertices = at.first[at.parts];
    p->words = (u32)(((u64)p->vertices + 31) / 32);
    if (item_id() == 0) {
        for (u32 q = 0; q <= PARTED_MAX; q++) all->first[q] = at.first[q];
        for (u32 q = 0; q < PARTED_MAX; q++) all->inbox_from[q] = 0;
        all->gathered = 0;
        all->inboxes = inboxes;
        all->sends = control + COUNT_SENT;
        all->stops = 0;
    }
    peers_open(&p->peers, &all->peers, at.part, at.parts, stop);
    p->which = 0;
}
