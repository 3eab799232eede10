/* SPDX-License-Identifier: MIT */
/* The state and the searches of strong.cl.
 *
 * A pass is the work between two barriers. A pass may append vertices to a list. Of the three lists, one has the open
 * vertices. The other two are the frontier of a search and the list that the pass makes, and exchange these roles after
 * each pass. The counts of a pass have three generations. The items still read those of the previous pass and write
 * those of this pass, while one item clears those of the next pass.
 *
 * In a search an item handles a vertex, the whole warp handles the longer rows among its vertices, and all groups
 * together handle heavy rows. One group alone runs the passes of a small frontier, because its barrier is cheaper than
 * that of all groups. A path of n vertices takes n passes. */
#ifndef STRONG_ALONE
#define STRONG_ALONE 256u /* max vertices of a frontier that one group handles alone */
#endif
#define STRONG_FORWARD 0u  /* raises the colours of open vertices along arcs, within a region */
#define STRONG_BACKWARD 1u /* closes open vertices of the same colour against arcs */
#define NONE 0xffffffffu
#define STRONG_IS_OPEN 0x80000000u /* the bit of `component` that marks an open vertex */

struct strong {
    global_mem const u64 *offset, *in_offset;
    global_mem const u32 *target, *source;
    /* A member of the vertex's component. An open vertex, whose component is not known, has STRONG_IS_OPEN, and in the
     * other bits the last pass that appended the vertex while raising colours, plus 1. */
    global_mem u32 *component;
    global_mem u32 *colour, *region; /* the colour in this round, and in the round before */
    global_mem u32 *list, *heavy, *count;
    local_mem u64 *idle;
    u32 vertices, open, which; /* which: the list of the `open` open vertices */
    u32 pass;
    u32 first, items; /* number of this item among all items, and the number of items */
    bool alone;       /* one group alone runs this pass, and these are its items */
    struct grid_barrier all;
};

device_inline void pass_barrier(struct strong *s)
{
    if (s->alone)
        group_barrier();
    else
        grid_barrier_wait(&s->all, s->idle);
}

device_inline global_mem u32 *list_at(const struct strong *s, u32 which)
{
    return s->list + (u64)(which % STRONG_LISTS) * s->vertices;
}

device_inline global_mem u32 *frontier_of(const struct strong *s)
{
    return list_at(s, s->which + 1 + s->pass % 2);
}

device_inline u32 made_list(const struct strong *s)
{
    return s->which + 1 + (s->pass + 1) % 2;
}

device_inline void append(const struct strong *s, u32 vertex)
{
    list_at(s, made_list(s))[word_add(&s->count[STRONG_TAIL + s->pass % 3], 1)] = vertex;
}

/* Begins the next pass, after a barrier. Returns the length of the list that the last pass made. */
device_inline u32 next_pass(struct strong *s)
{
    u32 made = word_fresh(&s->count[STRONG_TAIL + s->pass % 3]);
    s->pass++;
    if (s->first == 0) {
        word_store(&s->count[STRONG_TAIL + (s->pass + 1) % 3], 0);
        word_store(&s->count[STRONG_HEAVY_TAIL + (s->pass + 1) % 3], 0);
    }
    return made;
}

device_inline bool is_open(const struct strong *s, u32 vertex)
{
    return word_fresh(&s->component[vertex]) & STRONG_IS_OPEN;
}

/* ---- searches ---- */

device_inline void visit(const struct strong *s, u32 phase, u32 from, u32 to)
{
    u32 state = word_fresh(&s->component[to]), stamp = STRONG_IS_OPEN | (s->pass + 1);
    if (!(state & STRONG_IS_OPEN)) return;
    u32 colour = word_fresh(&s->colour[from]), old = word_fresh(&s->colour[to]);
    if (phase == STRONG_BACKWARD) {
        if (old == colour && word_cas(&s->component[to], state, word_fresh(&s->component[from])) == state) append(s, to);
        return;
    }
    if (old >= colour || s->region[to] != s->region[from]) return;
    if (word_max(&s->colour[to], colour) < colour && word_max(&s->component[to], stamp) < stamp) append(s, to);
}

/* Processes the frontier, and lists its heavy rows. All items of a warp make the same number of passes. */
device_inline void expand(const struct strong *s, u32 phase, u32 size)
{
    global_mem const u64 *offset = phase == STRONG_BACKWARD ? s->in_offset : s->offset;
    global_mem const u32 *target = phase == STRONG_BACKWARD ? s->source : s->target;
    global_mem const u32 *frontier = frontier_of(s);
    for (u64 base = s->first - lane_id(); base < size; base += s->items) {
        u32 vertex = base + lane_id() < size ? frontier[base + lane_id()] : NONE;
        u64 begin = vertex != NONE ? offset[vertex] : 0, end = vertex != NONE ? offset[(u64)vertex + 1] : 0;
        if (end - begin >= STRONG_HEAVY) {
            s->heavy[word_add(&s->count[STRONG_HEAVY_TAIL + s->pass % 3], 1)] = vertex;
            end = begin;
        }
        bool is_long = end - begin > 2 * WARP;
        for (u32 longs = warp_ballot(is_long); longs; longs &= longs - 1) {
            u32 lane = first_bit(longs), from = warp_shuffle(vertex, lane);
            u64 arc = warp_shuffle_long(begin, lane) + lane_id(), to = warp_shuffle_long(end, lane);
            for (; arc < to; arc += WARP) visit(s, phase, from, target[arc]);
        }
        for (u64 arc = begin; !is_long && arc < end; arc++) visit(s, phase, vertex, target[arc]);
    }
}

device_inline void expand_heavy(const struct strong *s, u32 phase, u32 heavy)
{
    global_mem const u64 *offset = phase == STRONG_BACKWARD ? s->in_offset : s->offset;
    global_mem const u32 *target = phase == STRONG_BACKWARD ? s->source : s->target;
    for (u32 i = 0; i < heavy; i++) {
        u32 vertex = s->heavy[i];
        for (u64 arc = offset[vertex] + s->first; arc < offset[(u64)vertex + 1]; arc += s->items)
            visit(s, phase, vertex, target[arc]);
    }
}

/* Runs one pass of a search. Returns the size of the next frontier. */
device_inline u32 search_once(struct strong *s, u32 phase, u32 size)
{
    expand(s, phase, size);
    pass_barrier(s);
    u32 heavy = word_fresh(&s->count[STRONG_HEAVY_TAIL + s->pass % 3]); /* all items take the same branch */
    if (heavy > 0) {
        expand_heavy(s, phase, heavy);
        pass_barrier(s);
    }
    return next_pass(s);
}

/* The first group runs passes while the frontier is small. The other groups wait. They have read the counts of the last
 * pass before the first group clears them. */
device_inline u32 search_alone(struct strong *s, u32 phase, u32 size)
{
    u32 first = s->first, items = s->items;
    pass_barrier(s);
    if (group_id() == 0) {
        s->alone = true;
        s->first = item_id();
        s->items = group_size();
        while (size > 0 && size <= STRONG_ALONE) size = search_once(s, phase, size);
        s->alone = false;
        s->first = first;
        s->items = items;
        if (item_id() == 0) word_store(&s->count[STRONG_PASS], s->pass);
        if (item_id() == 0) word_store(&s->count[STRONG_SIZE], size);
    }
    pass_barrier(s);
    s->pass = word_fresh(&s->count[STRONG_PASS]);
    return word_fresh(&s->count[STRONG_SIZE]);
}

/* Searches from the frontier until no vertex is left. */
device_inline void search(struct strong *s, u32 phase, u32 size)
{
    while (size > 0) size = size <= STRONG_ALONE ? search_alone(s, phase, size) : search_once(s, phase, size);
}
