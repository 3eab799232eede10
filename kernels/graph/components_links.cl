/* SPDX-License-Identifier: MIT */
/* The links of weakly connected components (components.cl). parent[v] <= v always holds, and a link gives a root a
 * smaller parent. Reads of parent may be stale, because a stale parent is an earlier ancestor. */
#ifndef COMPONENTS_HEAVY
#define COMPONENTS_HEAVY 4096u
#endif
#ifndef COMPONENTS_CHUNK
#define COMPONENTS_CHUNK 8192u
#endif
#define COMPONENTS_SHORT 32u /* one item links a row of at most so many arcs */
#define COMPONENTS_SAMPLES 64u
#define NONE 0xffffffffu

struct components {
    global_mem const u64 *offset;
    global_mem const u32 *target;
    global_mem u32 *parent;
    global_mem u32 *list;    /* the vertices that the hub's search left, and heavy rows from the end; later the sizes of
                              * components */
    global_mem u32 *visited; /* see components_hub.cl */
    global_mem u32 *count;   /* COMPONENTS_COUNTS words */
    u32 vertices, undirected;
    u32 chunk;        /* vertices in a chunk (components_chunks.cl); 1 without chunks */
    bool larger;      /* arcs to larger vertices are linked, too */
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

/* Links the arcs of one vertex by a warp. */
device_inline void link_row(const struct components *s, u32 vertex, u64 begin, u64 end)
{
    for (u64 arc = begin + lane_id(); arc < end; arc += WARP) link_arc(s, vertex, s->target[arc]);
}

/* Links the arcs of a vertex by one item, but not arcs within a chunk, which are linked already. */
device_inline void link_short_row(const struct components *s, u32 v, u64 begin, u64 end)
{
    u32 base = v - v % s->chunk;
    for (u64 arc = begin; arc < end; arc++) {
        u32 to = s->target[arc];
        if (to - base >= s->chunk && (s->larger || to < v)) link_arc(s, v, to);
    }
}

/* Links the arcs of the vertices of a warp, and lists heavy rows. v: NONE: no vertex. */
device_inline void link_vertices(const struct components *s, u32 v)
{
    u64 begin = 0, end = 0;
    if (v != NONE) {
        begin = s->offset[v];
        end = s->offset[(u64)v + 1];
    }
    if (end - begin >= COMPONENTS_HEAVY) {
        s->list[s->vertices - 1 - word_add(&s->count[COMPONENTS_LONG], 1)] = v;
        end = begin;
    }
    bool is_long = end - begin > COMPONENTS_SHORT;
    for (u32 longs = warp_ballot(is_long); longs; longs &= longs - 1) {
        u32 lane = first_bit(longs);
        link_row(s, warp_shuffle(v, lane), warp_shuffle_long(begin, lane), warp_shuffle_long(end, lane));
    }
    if (!is_long) link_short_row(s, v, begin, end);
}

/* Links the arcs of the vertices outside the tree of a root; NONE: of all vertices. All items of a warp make the same
 * number of passes, here and below. */
device_inline void link_outside(const struct components *s, u32 root)
{
    for (u64 base = s->first - lane_id(); base < s->vertices; base += s->items) {
        u64 v = base + lane_id();
        bool links = v < s->vertices && (root == NONE || word_fresh(&s->parent[v]) != root);
        link_vertices(s, links ? (u32)v : NONE);
    }
}

device_inline void link_listed(const struct components *s, u32 listed)
{
    for (u32 base = s->first - lane_id(); base < listed; base += s->items)
        link_vertices(s, base + lane_id() < listed ? s->list[base + lane_id()] : NONE);
}

device_inline void link_heavy(const struct components *s, u32 heavy)
{
    for (u32 i = 0; i < heavy; i++) {
        u32 vertex = s->list[s->vertices - 1 - i];
        for (u64 arc = s->offset[vertex] + s->first; arc < s->offset[(u64)vertex + 1]; arc += s->items)
            link_arc(s, vertex, s->target[arc]);
    }
}

/* ---- Afforest's sample: the first two arcs of each vertex ---- */

device_inline void link_firsts(const struct components *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u64 arc = s->offset[v];
        u32 to = arc < s->offset[v + 1] ? s->target[arc] : (u32)v;
        s->parent[v] = to < v ? to : (u32)v;
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

/* Does so for the roots of trees within chunks, which may form long paths. Their reads are fresh, so each step doubles
 * the distances. */
device_inline void shorten_chunks(const struct components *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u32 parent = word_fresh(&s->parent[v]), up;
        if (parent / s->chunk == (u32)v / s->chunk) continue;
        while ((up = word_fresh(&s->parent[parent])) != parent) {
            parent = up;
            word_store(&s->parent[v], parent);
        }
    }
}

/* Returns the root of a vertex. No link may run at the same time. */
device_inline u32 root_of(const struct components *s, u32 v)
{
    u32 up = word_fresh(&s->parent[v]);
    while (up != v) {
        v = up;
        up = word_fresh(&s->parent[v]);
    }
    return v;
}

/* Returns the most frequent root among some vertices. All groups find the same root. */
device_inline u32 sample_largest(const struct components *s, local_mem u32 *sample, local_mem u32 *best)
{
    const u32 samples = min_u32(COMPONENTS_SAMPLES, s->vertices);
    group_barrier();
    for (u32 i = item_id(); i < samples; i += group_size())
        sample[i] = root_of(s, (u32)((u64)i * s->vertices / samples));
    if (item_id() == 0) *best = 0;
    group_barrier();
    for (u32 i = item_id(); i < samples; i += group_size()) {
        u32 equal = 0;
        for (u32 k = 0; k < samples; k++) equal += sample[k] == sample[i] ? 1 : 0;
        (void)local_max(best, equal * COMPONENTS_SAMPLES + i);
    }
    group_barrier();
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): *best is one of the samples, and there is one */
    return sample[*best % COMPONENTS_SAMPLES];
}
