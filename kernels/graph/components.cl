/* SPDX-License-Identifier: MIT */
/* Weakly connected components in one persistent kernel, by Afforest (Sutton, Ben-Nun, Barak, IPDPS 2018) with the first
 * links of ECL-CC (Jaiganesh, Burtscher, HPDC 2018). lib/graph/components.c has the same method for threads and
 * explains it. parent[v] <= v always holds, and a link gives a root a smaller parent. Two arcs of each vertex join most
 * of the largest component. The last step skips this component's vertices if the graph is undirected. In dense graphs
 * most links would compete for the roots of a few large trees. So one vertex in 16 links its second arc first, and most
 * of the others then find that both ends have the same root.
 *
 * An item handles a vertex, and the whole warp handles the longer rows among its vertices. Afterwards, all groups
 * together handle rows of at least COMPONENTS_HEAVY arcs. Reads of parent may be stale, because a stale parent is an
 * earlier ancestor. */
#ifndef COMPONENTS_HEAVY
#define COMPONENTS_HEAVY 4096u
#endif
#define COMPONENTS_SAMPLES 64u
#define COMPONENTS_DENSE 8u /* graphs of more arcs per vertex link a part of the second arcs first */
#define NONE 0xffffffffu

struct components {
    global_mem const u64 *offset;
    global_mem const u32 *target;
    global_mem u32 *parent, *list; /* list: heavy rows; later the sizes of components */
    global_mem u32 *count;         /* COMPONENTS_COUNTS words */
    u32 vertices;
    u32 first, items; /* number of this item among all items, and the number of items */
    struct grid_barrier all;
};

device_inline void next_step(struct components *s, local_mem u64 *idle)
{
    grid_barrier_wait(&s->all, idle);
}

/* Joins the trees of a and b. On the way to the roots, every second vertex gets its grandparent as parent. */
device_inline void link_arc(const struct components *s, u32 a, u32 b)
{
    u32 of_a = word_stale(&s->parent[a]), of_b = word_stale(&s->parent[b]);
    while (of_a != of_b) {
        u32 high = of_a > of_b ? of_a : of_b, low = of_a > of_b ? of_b : of_a;
        u32 up = word_fresh(&s->parent[high]);
        if (up == low) break;
        if (up == high && word_cas(&s->parent[high], high, low) == high) break;
        of_a = word_fresh(&s->parent[up]);
        if (up != high && of_a != up) word_store(&s->parent[high], of_a);
        of_b = low;
    }
}

device_inline void link_firsts(const struct components *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u64 arc = s->offset[v];
        u32 first = arc < s->offset[v + 1] ? s->target[arc] : (u32)v;
        s->parent[v] = first < v ? first : (u32)v;
    }
}

/* Links the second arc of one vertex in `stride`. */
device_inline void link_seconds(const struct components *s, u32 stride)
{
    for (u64 v = (u64)s->first * stride; v < s->vertices; v += (u64)s->items * stride)
        if (s->offset[v] + 1 < s->offset[v + 1]) link_arc(s, (u32)v, s->target[s->offset[v] + 1]);
}

/* Makes the root the parent of every vertex. No link may run at the same time. The stores on the way shorten the paths
 * of other items. Reads of ancestors may come from the cache: roots do not change, and many vertices share a root. */
device_inline void shorten(const struct components *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u32 parent = word_fresh(&s->parent[v]), up = word_stale(&s->parent[parent]);
        for (; up != parent; up = word_stale(&s->parent[parent])) {
            parent = up;
            word_store(&s->parent[v], parent);
        }
    }
}

/* Returns the most frequent root among some vertices. All groups find the same root. */
device_inline u32 sample_largest(const struct components *s, local_mem u32 *sample, local_mem u32 *best)
{
    for (u32 i = item_id(); i < COMPONENTS_SAMPLES; i += group_size())
        sample[i] = word_fresh(&s->parent[(u64)i * s->vertices / COMPONENTS_SAMPLES]);
    if (item_id() == 0) *best = 0;
    group_barrier();
    for (u32 i = item_id(); i < COMPONENTS_SAMPLES; i += group_size()) {
        u32 equal = 0;
        for (u32 k = 0; k < COMPONENTS_SAMPLES; k++) equal += sample[k] == sample[i] ? 1 : 0;
        (void)local_max(best, equal * COMPONENTS_SAMPLES + i);
    }
    group_barrier();
    return sample[*best % COMPONENTS_SAMPLES];
}

/* Links the arcs of one vertex by a warp. */
device_inline void link_row(const struct components *s, u32 vertex, u64 begin, u64 end)
{
    for (u64 arc = begin + lane_id(); arc < end; arc += WARP) link_arc(s, vertex, s->target[arc]);
}

/* Links the arcs of vertices outside the largest component, and lists heavy rows. All items of a warp make the same
 * number of passes. */
device_inline void link_rest(const struct components *s, u32 largest)
{
    for (u64 base = s->first - lane_id(); base < s->vertices; base += s->items) {
        u64 v = base + lane_id(), begin = 0, end = 0;
        if (v < s->vertices && word_fresh(&s->parent[v]) != largest) {
            begin = s->offset[v];
            end = s->offset[v + 1];
        }
        if (end - begin >= COMPONENTS_HEAVY) {
            s->list[word_add(&s->count[COMPONENTS_LONG], 1)] = (u32)v;
            end = begin;
        }
        bool is_long = end - begin > 2 * WARP;
        for (u32 longs = warp_ballot(is_long); longs; longs &= longs - 1) {
            u32 lane = first_bit(longs);
            link_row(s, warp_shuffle((u32)v, lane), warp_shuffle_long(begin, lane), warp_shuffle_long(end, lane));
        }
        for (u64 arc = begin; !is_long && arc < end; arc++) link_arc(s, (u32)v, s->target[arc]);
    }
}

device_inline void link_heavy(const struct components *s, u32 heavy)
{
    for (u32 i = 0; i < heavy; i++) {
        u32 vertex = s->list[i];
        for (u64 arc = s->offset[vertex] + s->first; arc < s->offset[(u64)vertex + 1]; arc += s->items)
            link_arc(s, vertex, s->target[arc]);
    }
}

/* ---- counts ---- */

device_inline void add_sum(const struct components *s, u32 which, u32 value)
{
    value = warp_sum(value);
    if (lane_id() == 0 && value > 0) (void)word_add(&s->count[which], value);
}

/* Shortens paths for the last time, when no link changes a component any more. Counts the roots, and the vertices in
 * the component of one sampled vertex. */
device_inline void shorten_last(const struct components *s, u32 sampled)
{
    u32 roots = 0, found = 0;
    for (u32 up = word_fresh(&s->parent[sampled]); up != sampled; up = word_fresh(&s->parent[sampled])) sampled = up;
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u32 parent = word_fresh(&s->parent[v]), up = word_stale(&s->parent[parent]), first = parent;
        roots += parent == v ? 1 : 0;
        for (; up != parent; up = word_stale(&s->parent[parent])) parent = up;
        if (parent != first) word_store(&s->parent[v], parent);
        found += parent == sampled ? 1 : 0;
    }
    add_sum(s, COMPONENTS_ROOTS, roots);
    add_sum(s, COMPONENTS_SAMPLED, found);
}

device_inline void clear_sizes(const struct components *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) s->list[v] = 0;
}

device_inline void count_sizes(const struct components *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) (void)word_add(&s->list[word_fresh(&s->parent[v])], 1);
}

device_inline void find_largest(const struct components *s)
{
    u32 largest = 0;
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u32 size = word_fresh(&s->list[v]);
        largest = size > largest ? size : largest;
    }
    for (u32 step = WARP / 2; step > 0; step /= 2) {
        u32 other = warp_shuffle(largest, lane_id() ^ step);
        largest = other > largest ? other : largest;
    }
    if (lane_id() == 0) (void)word_max(&s->count[COMPONENTS_LARGEST], largest);
}

/* component: `vertices` words, the result. list: `vertices` words. count: COMPONENTS_COUNTS words, zero. arrived: see
 * grid_barrier_open(). */
kernel_entry graph_components(global_mem const u64 *offset, global_mem const u32 *target, global_mem u32 *component,
                              global_mem u32 *list, global_mem u32 *count, global_mem u64 *arrived, u32 vertices,
                              u32 undirected)
{
    local_array(u32, sample, COMPONENTS_SAMPLES);
    local_array(u32, best, 1);
    local_array(u64, idle, 1);
    struct components s;
    s.offset = offset;
    s.target = target;
    s.parent = component;
    s.list = list;
    s.count = count;
    s.vertices = vertices;
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    if (item_id() == 0) idle[0] = 0;
    link_firsts(&s);
    next_step(&s, idle);
    shorten(&s);
    next_step(&s, idle);
    for (u32 stride = offset[vertices] > COMPONENTS_DENSE * (u64)vertices ? 16 : 1; stride > 0; stride /= 16) {
        link_seconds(&s, stride);
        next_step(&s, idle);
        shorten(&s);
        next_step(&s, idle);
    }
    u32 largest = sample_largest(&s, sample, best);
    link_rest(&s, undirected ? largest : NONE);
    next_step(&s, idle);
    u32 heavy = word_fresh(&count[COMPONENTS_LONG]); /* all items read the same value and take the same branches */
    if (heavy > 0) {
        link_heavy(&s, heavy);
        next_step(&s, idle);
    }
    shorten_last(&s, largest);
    next_step(&s, idle);
    if ((u64)word_fresh(&count[COMPONENTS_SAMPLED]) * 2 >= vertices) return;
    clear_sizes(&s);
    next_step(&s, idle);
    count_sizes(&s);
    next_step(&s, idle);
    find_largest(&s);
}
