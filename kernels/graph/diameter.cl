/* SPDX-License-Identifier: MIT */
/* Bounds on the eccentricity of every vertex for the diameter (BoundingDiameters: Takes, Kosters, CIKM 2011). The host
 * alternates launches with breadth-first searches; traversal/graph/closeness/diameter.c is the same method on threads.
 *
 * A vertex is a candidate while its upper bound exceeds the largest eccentricity found. Among equal bounds, the vertex
 * of higher degree is better, then the smaller vertex. One pass finds the best key, which is bound and degree, and the
 * next pass finds the smallest vertex that has it. The candidates thus do not depend on the number of groups. */
#define NONE 0xffffffffu

struct diameter {
    global_mem const u64 *offset;
    global_mem u32 *lower, *upper;
    u32 vertices, largest;
    u64 first, items; /* number of this item among all items, and the number of items */
    struct grid_barrier all;
    local_mem u64 *idle;
};

/* ---- sizes of components ---- */

/* A warp counts a vertex for each lane that has one. Most lanes have the component of the first lane, so one addition
 * counts them. */
device_inline void count_members(const struct diameter *s, bool has, u32 component)
{
    u32 common = warp_shuffle(component, 0), alike = warp_ballot(has && component == common);
    if (lane_id() == 0 && alike) (void)word_add(&s->lower[common], bit_count(alike));
    if (has && component != common) (void)word_add(&s->lower[component], 1);
}

/* Sets size[v] to the number of other vertices in the component of v. */
device_inline void measure_components(struct diameter *s, global_mem const u32 *component, global_mem u32 *size)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) s->lower[v] = 0;
    grid_barrier_wait(&s->all, s->idle);
    for (u64 base = s->first - lane_id(); base < s->vertices; base += s->items) {
        bool has = base + lane_id() < s->vertices;
        count_members(s, has, has ? component[base + lane_id()] : 0);
    }
    grid_barrier_wait(&s->all, s->idle);
    for (u64 v = s->first; v < s->vertices; v += s->items) size[v] = word_fresh(&s->lower[component[v]]) - 1;
}

/* ---- bounds ---- */

/* Applies a search, whose largest distance is `last`, to the bounds of a vertex at this depth. */
device_inline void bound_vertex(const struct diameter *s, u64 v, u32 depth, u32 last)
{
    if (depth == NONE) return;
    u32 shortest = depth > last - depth ? depth : last - depth;
    if (s->lower[v] < shortest) s->lower[v] = shortest;
    if (s->upper[v] > last + depth) s->upper[v] = last + depth;
}

/* Return the keys of a vertex. The smallest key is the best one. */
device_inline u64 high_key(const struct diameter *s, u64 v)
{
    u64 degree = min_u64(s->offset[v + 1] - s->offset[v], NONE);
    return s->upper[v] > s->largest ? ~((u64)s->upper[v] << 32 | degree) : ~(u64)0;
}

device_inline u64 low_key(const struct diameter *s, u64 v)
{
    u64 degree = min_u64(s->offset[v + 1] - s->offset[v], NONE);
    return s->upper[v] > s->largest ? (u64)s->lower[v] << 32 | (NONE - degree) : ~(u64)0;
}

/* A warp merges its smallest key into *best. */
device_inline void merge_key(global_mem u64 *best, u64 key)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) key = min_u64(key, warp_shuffle_long(key, lane_id() ^ step));
    if (lane_id() == 0 && key < long_fresh(best)) (void)long_min(best, key);
}

device_inline void merge_vertex(global_mem u32 *found, u32 vertex)
{
    if (vertex < word_fresh(found)) (void)word_min(found, vertex);
}

/* Finds the candidates, and the smallest vertex at depth `last`. */
device_inline void find_candidates(struct diameter *s, global_mem const u32 *depth, u32 last, global_mem u64 *best,
                                   global_mem u32 *found)
{
    u64 high = ~(u64)0, low = ~(u64)0;
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        high = min_u64(high, high_key(s, v));
        low = min_u64(low, low_key(s, v));
    }
    merge_key(&best[0], high);
    merge_key(&best[1], low);
    grid_barrier_wait(&s->all, s->idle);
    high = long_fresh(&best[0]);
    low = long_fresh(&best[1]);
    u32 farthest = NONE;
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        if (depth && depth[v] == last) farthest = min_u32(farthest, (u32)v);
        if (s->upper[v] <= s->largest) continue;
        if (high_key(s, v) == high) merge_vertex(&found[DIAMETER_HIGH], (u32)v);
        if (low_key(s, v) == low) merge_vertex(&found[DIAMETER_LOW], (u32)v);
    }
    merge_vertex(&found[DIAMETER_FARTHEST], farthest);
}

/* step DIAMETER_SIZES: writes size, from the component of each vertex, which is a vertex of the component; overwrites
 * lower. DIAMETER_BEGIN: initialises the bounds by size. DIAMETER_BOUND: applies the search of these depths, whose
 * largest one is last. The last two steps find the candidates: best has two words and found DIAMETER_FOUND words, all
 * bits set before the launch. largest: the largest eccentricity so far. arrived: see grid_barrier_open(). */
kernel_entry graph_diameter(global_mem const u64 *offset, global_mem const u32 *component, global_mem const u32 *depth,
                            global_mem u32 *size, global_mem u32 *lower, global_mem u32 *upper, global_mem u64 *best,
                            global_mem u32 *found, global_mem u64 *arrived, u32 vertices, u32 step, u32 last,
                            u32 largest)
{
    local_array(u64, idle, 1);
    struct diameter s;
    s.offset = offset;
    s.lower = lower;
    s.upper = upper;
    s.vertices = vertices;
    s.largest = largest;
    s.first = (u64)group_id() * group_size() + item_id();
    s.items = (u64)group_count() * group_size();
    s.idle = idle;
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    if (item_id() == 0) idle[0] = 0;
    if (step == DIAMETER_SIZES) {
        measure_components(&s, component, size);
        return;
    }
    for (u64 v = s.first; v < vertices; v += s.items) {
        if (step == DIAMETER_BOUND) {
            bound_vertex(&s, v, depth[v], last);
        } else {
            lower[v] = 0;
            upper[v] = size[v];
        }
    }
    find_candidates(&s, step == DIAMETER_BOUND ? depth : 0, last, best, found);
}
