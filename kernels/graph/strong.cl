/* SPDX-License-Identifier: MIT */
/* Strong components: a launch is a round of all groups, and the host launches rounds until no vertex is open.
 *
 * The first round finds the component of one vertex of high degree, the pivot, by a forward and a backward search. The
 * other rounds colour the open vertices (Slota, Rajamanickam, Madduri, IPDPS 2014). Every vertex gets a random priority.
 * Its colour is the largest priority among the vertices that reach it. A vertex whose colour is its own priority is the
 * root of a component, and a backward search within the colour finds this component. After each round, trimming closes
 * vertices without an open successor or without an open predecessor of the same colour.
 *
 * A component has one colour, so a colour is the region in which the next round works. A new round halves, on average,
 * the number of vertices in the region that reach a vertex, because the colour is that of a random one of them
 * (Blelloch, Gu, Shun, Sun, "Parallelism in randomized incremental algorithms", JACM 2020). Hence there are O(log n)
 * rounds on average, also for long chains of components. */
#ifndef STRONG_TRIM
#define STRONG_TRIM 256u /* max arcs of a row that trimming reads; a longer row counts as one with an open vertex */
#endif
#define STRONG_PROGRESS 8u /* trimming continues while a pass closes more than 1 / STRONG_PROGRESS of the open vertices */

/* ---- trimming ---- */

device_inline bool has_open(const struct strong *s, global_mem const u64 *offset, global_mem const u32 *target, u32 v)
{
    u64 arc = offset[v], end = offset[(u64)v + 1];
    if (end - arc > STRONG_TRIM) return true;
    for (; arc < end; arc++) {
        u32 to = target[arc];
        if (to != v && is_open(s, to) && s->colour[to] == s->colour[v]) return true;
    }
    return false;
}

/* Removes closed vertices from the list of open vertices, and trims the others. */
device_inline void trim_once(struct strong *s)
{
    global_mem const u32 *open = list_at(s, s->which);
    for (u64 i = s->first; i < s->open; i += s->items) {
        u32 v = open[i];
        if (!is_open(s, v)) continue;
        if (has_open(s, s->offset, s->target, v) && has_open(s, s->in_offset, s->source, v))
            append(s, v);
        else
            word_store(&s->component[v], v);
    }
    pass_barrier(s);
    s->which = made_list(s) % STRONG_LISTS;
    s->open = next_pass(s);
}

device_inline void trim(struct strong *s)
{
    for (u32 before = NONE; s->open < before - before / STRONG_PROGRESS;) {
        before = s->open;
        trim_once(s);
    }
}

/* ---- colours ---- */

/* Returns a random number for each vertex and round. Vertices of a round have different numbers (the finaliser of
 * MurmurHash3 is a permutation). */
device_inline u32 priority_of(u32 v, u32 round)
{
    u32 word = v + round * 0x9e3779b9u;
    word = (word ^ word >> 16) * 0x85ebca6bu;
    word = (word ^ word >> 13) * 0xc2b2ae35u;
    return word ^ word >> 16;
}

/* Finds the open vertex with the largest product of degrees. best: the complement of the product and the vertex. */
device_inline u32 find_pivot(struct strong *s, global_mem u64 *best)
{
    u64 lowest = ~(u64)0;
    for (u64 i = s->first; i < s->open; i += s->items) {
        u32 v = list_at(s, s->which)[i];
        u64 out = min_u64(s->offset[(u64)v + 1] - s->offset[v], 0xffff);
        u64 in = min_u64(s->in_offset[(u64)v + 1] - s->in_offset[v], 0xffff);
        lowest = min_u64(lowest, ~(out * in << 32 | v));
    }
    if (lowest < long_fresh(best)) (void)long_min(best, lowest);
    pass_barrier(s);
    return (u32)~long_fresh(best);
}

/* Colours what the pivot reaches. */
device_inline void colour_from(struct strong *s, u32 pivot)
{
    if (s->first == 0) {
        word_store(&s->colour[pivot], NONE);
        frontier_of(s)[0] = pivot;
    }
    pass_barrier(s);
    search(s, STRONG_FORWARD, 1);
}

device_inline void colour_all(struct strong *s, u32 round)
{
    for (u64 i = s->first; i < s->open; i += s->items) {
        u32 v = list_at(s, s->which)[i];
        s->region[v] = s->colour[v];
        s->colour[v] = priority_of(v, round);
        frontier_of(s)[i] = v;
    }
    pass_barrier(s);
    search(s, STRONG_FORWARD, s->open);
}

/* Closes the components of all roots: the vertices of their colours that reach them. */
device_inline void close_colours(struct strong *s, u32 pivot, u32 round)
{
    for (u64 i = s->first; i < s->open; i += s->items) {
        u32 v = list_at(s, s->which)[i];
        bool is_root = round == 0 ? v == pivot : word_fresh(&s->colour[v]) == priority_of(v, round);
        if (!is_root) continue;
        word_store(&s->component[v], v);
        append(s, v);
    }
    pass_barrier(s);
    search(s, STRONG_BACKWARD, next_pass(s));
}

/* ---- the first and the last step ---- */

device_inline void open_all(struct strong *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        s->component[v] = STRONG_IS_OPEN;
        s->colour[v] = s->region[v] = 0;
        s->list[v] = (u32)v;
    }
    pass_barrier(s);
}

device_inline void add_sum(const struct strong *s, u32 which, u32 value)
{
    value = warp_sum(value);
    if (lane_id() == 0 && value > 0) (void)word_add(&s->count[which], value);
}

/* Renames all components from a member to the smallest member, and counts them. colour: the names. region: the sizes,
 * except that of the pivot's component, to which too many items would add. */
device_inline void name_all(struct strong *s, u32 pivot)
{
    u32 giant = 0, roots = 0, largest = 0;
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        s->colour[v] = NONE;
        s->region[v] = 0;
    }
    pass_barrier(s);
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u32 member = s->component[v];
        if (word_fresh(&s->colour[member]) > v) (void)word_min(&s->colour[member], (u32)v);
        giant += member == pivot ? 1 : 0;
        if (member != pivot) (void)word_add(&s->region[member], 1);
    }
    pass_barrier(s);
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u32 name = word_fresh(&s->colour[s->component[v]]), size = word_fresh(&s->region[v]);
        s->component[v] = name;
        roots += name == v ? 1 : 0;
        largest = size > largest ? size : largest;
    }
    add_sum(s, STRONG_GIANT, giant);
    add_sum(s, STRONG_ROOTS, roots);
    if (largest > word_fresh(&s->count[STRONG_LARGEST])) (void)word_max(&s->count[STRONG_LARGEST], largest);
}

/* component, colour, region: `vertices` words each, and list STRONG_LISTS times as many. heavy: arcs /
 * STRONG_HEAVY words. count: STRONG_COUNTS words, zero before the first round. best: all bits set before the first
 * round. arrived: see grid_barrier_open(). */
kernel_entry graph_strong(global_mem const u64 *offset, global_mem const u32 *target, global_mem const u64 *in_offset,
                          global_mem const u32 *source, global_mem u32 *component, global_mem u32 *colour,
                          global_mem u32 *region, global_mem u32 *list, global_mem u32 *heavy, global_mem u32 *count,
                          global_mem u64 *best, global_mem u64 *arrived, u32 vertices, u32 round)
{
    local_array(u64, idle, 1);
    struct strong s;
    s.offset = offset;
    s.target = target;
    s.in_offset = in_offset;
    s.source = source;
    s.component = component;
    s.colour = colour;
    s.region = region;
    s.list = list;
    s.heavy = heavy;
    s.count = count;
    s.idle = idle;
    s.vertices = vertices;
    s.open = round == 0 ? vertices : word_fresh(&count[STRONG_OPEN]);
    s.which = word_fresh(&count[STRONG_WHICH]);
    s.pass = word_fresh(&count[STRONG_PASS]);
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    s.alone = false;
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    if (item_id() == 0) idle[0] = 0;
    if (round == 0) {
        open_all(&s);
        trim(&s);
    }
    u32 pivot = round == 0 ? find_pivot(&s, best) : (u32)~long_fresh(best);
    if (s.open > 0) {
        if (round == 0)
            colour_from(&s, pivot);
        else
            colour_all(&s, round);
        close_colours(&s, pivot, round);
        trim(&s);
    }
    if (s.open == 0) name_all(&s, pivot);
    if (s.first == 0) {
        word_store(&count[STRONG_OPEN], s.open);
        word_store(&count[STRONG_WHICH], s.which);
        word_store(&count[STRONG_PASS], s.pass);
    }
}
