/* SPDX-License-Identifier: MIT */
/* Weakly connected components in one persistent kernel.
 *
 * In a dense undirected graph, two steps of a search from a hub find most of the largest component
 * (components_hub.cl). If they find less than half of the vertices with arcs, and in other dense graphs, two arcs of
 * each vertex do so: Afforest (Sutton, Ben-Nun, Barak, IPDPS 2018) with the first links of ECL-CC (Jaiganesh,
 * Burtscher, HPDC 2018), as in lib/graph/components.c. If the graph is undirected, the remaining step skips the
 * vertices of this component. In a sparse graph all arcs are linked, first those within chunks (components_chunks.cl)
 * if neighbours have near numbers, otherwise the first arc of each vertex.
 *
 * An item handles a vertex, and the whole warp handles the longer rows among its vertices. Afterwards, all groups
 * together handle rows of at least COMPONENTS_HEAVY arcs. */
#define COMPONENTS_DENSE 8u /* a dense graph has more arcs per vertex */

/* ---- counts ---- */

/* Adds the items' values to two counts. sums: words of local memory. */
device_inline void add_counts(const struct components *s, u32 roots, u32 sampled, local_mem u64 *sums)
{
    roots = warp_sum(roots);
    sampled = warp_sum(sampled);
    if (item_id() == 0) sums[0] = sums[1] = 0;
    group_barrier();
    if (lane_id() == 0) {
        local_sum(&sums[0], (u64)roots);
        local_sum(&sums[1], (u64)sampled);
    }
    group_barrier();
    if (item_id() > 0) return;
    (void)word_add(&s->count[COMPONENTS_ROOTS], (u32)sums[0]);
    (void)word_add(&s->count[COMPONENTS_SAMPLED], (u32)sums[1]);
}

/* Makes the root the parent of a vertex, when no link changes a component any more. */
device_inline void shorten_last(const struct components *s, u32 v, u32 sampled, u32 *roots, u32 *found)
{
    u32 parent = word_fresh(&s->parent[v]), up = word_stale(&s->parent[parent]), first = parent;
    *roots += parent == v ? 1 : 0;
    for (; up != parent; up = word_stale(&s->parent[parent])) parent = up;
    if (parent != first) word_store(&s->parent[v], parent);
    *found += parent == sampled ? 1 : 0;
}

/* Shortens all paths. Counts the roots, and the vertices with the root `sampled`. */
device_inline void shorten_all(const struct components *s, u32 sampled, local_mem u64 *sums)
{
    u32 roots = 0, found = 0;
    for (u64 v = s->first; v < s->vertices; v += s->items) shorten_last(s, (u32)v, sampled, &roots, &found);
    add_counts(s, roots, found, sums);
}

/* Does the same if the hub's search found the component of `sampled`. Each vertex that the search neither visited nor
 * left has no arcs, so it is a root. */
device_inline void shorten_listed(const struct components *s, u32 sampled, u32 listed, local_mem u64 *sums)
{
    u32 roots = 0, found = 0, visited = word_fresh(&s->count[COMPONENTS_VISITED]);
    if (s->first == 0) {
        roots = s->vertices - visited - listed + 1;
        found = visited;
    }
    for (u32 i = s->first; i < listed; i += s->items) shorten_last(s, s->list[i], sampled, &roots, &found);
    add_counts(s, roots, found, sums);
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

/* ---- steps ---- */

/* Returns whether the search from a hub found most of the vertices with arcs. words: COMPONENTS_CHUNK words. */
device_inline bool search_from_hub(struct components *s, local_mem u32 *words, local_mem u32 *best, local_mem u64 *sums,
                                   local_mem u64 *idle)
{
    u32 hub = sample_hub(s, words, best);
    if (!is_hub(s, hub)) return false; /* the same in all groups */
    visit_row(s, hub);
    next_step(s, idle);
    if (item_id() == 0) *best = 0, sums[0] = 0;
    group_barrier();
    pull_visited(s, words, best, sums);
    next_step(s, idle);
    write_visited(s, NONE - word_fresh(&s->count[COMPONENTS_SMALLEST]));
    next_step(s, idle);
    return word_fresh(&s->count[COMPONENTS_VISITED]) >= word_fresh(&s->count[COMPONENTS_OPEN]);
}

/* Links the first two arcs of each vertex. Most links would compete for the roots of a few large trees. So one vertex
 * in 16 links its second arc first, and most of the others then find that both ends have the same root. */
device_inline void link_sample(struct components *s, local_mem u64 *idle)
{
    link_firsts(s);
    next_step(s, idle);
    shorten(s);
    next_step(s, idle);
    for (u32 stride = 16; stride > 0; stride /= 16) {
        link_seconds(s, stride);
        next_step(s, idle);
        shorten(s);
        next_step(s, idle);
    }
}

/* Links some arcs of a sparse graph: those within chunks, or the first arc of each vertex. words: COMPONENTS_CHUNK
 * words of local memory. */
device_inline void link_sparse(struct components *s, local_mem u32 *words, local_mem u64 *idle)
{
    u32 chunk = chunk_size(s->vertices);
    bool near = neighbours_are_near(s, chunk, words);
    s->larger = !s->undirected; /* an undirected graph has every arc twice */
    if (near) {
        s->chunk = chunk;
        link_chunks(s, words);
    } else {
        link_firsts(s);
        next_step(s, idle);
        shorten(s);
    }
    next_step(s, idle);
}

/* Links the arcs of heavy rows, which the previous step listed. */
device_inline void link_heavy_rows(struct components *s, local_mem u64 *idle)
{
    next_step(s, idle);
    u32 heavy = word_fresh(&s->count[COMPONENTS_LONG]); /* all items read the same value and take the same branches */
    if (heavy == 0) return;
    link_heavy(s, heavy);
    next_step(s, idle);
}

/* component: `vertices` words, the result. list: `vertices` words. visited: a bitmap of the vertices, zero before and
 * after. count: COMPONENTS_COUNTS words, zero. arrived: see grid_barrier_open(). */
kernel_entry graph_components(global_mem const u64 *offset, global_mem const u32 *target, global_mem u32 *component,
                              global_mem u32 *list, global_mem u32 *visited, global_mem u32 *count,
                              global_mem u64 *arrived, u32 vertices, u32 undirected)
{
    local_array(u32, words, COMPONENTS_CHUNK);
    local_array(u32, best, 1);
    local_array(u64, sums, 2);
    local_array(u64, idle, 1);
    struct components s;
    s.offset = offset;
    s.target = target;
    s.parent = component;
    s.list = list;
    s.visited = visited;
    s.count = count;
    s.vertices = vertices;
    s.undirected = undirected;
    s.chunk = 1;
    s.larger = true;
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    if (item_id() == 0) idle[0] = 0;
    bool dense = offset[vertices] > COMPONENTS_DENSE * (u64)vertices;
    bool hub = dense && undirected && search_from_hub(&s, words, best, sums, idle);
    u32 listed = hub ? word_fresh(&count[COMPONENTS_OPEN]) : 0, root = NONE;
    if (hub) {
        root = NONE - word_fresh(&count[COMPONENTS_SMALLEST]);
        link_listed(&s, listed);
    } else {
        if (dense)
            link_sample(&s, idle);
        else
            link_sparse(&s, words, idle);
        if (dense && undirected) root = sample_largest(&s, words, best);
        link_outside(&s, root);
    }
    link_heavy_rows(&s, idle);
    if (s.chunk > 1) {
        shorten_chunks(&s);
        next_step(&s, idle);
    }
    if (hub && word_fresh(&component[root]) == root)
        shorten_listed(&s, root, listed, sums);
    else
        shorten_all(&s, sample_largest(&s, words, best), sums);
    next_step(&s, idle);
    if (COMPONENTS_IS_LARGEST((u64)word_fresh(&count[COMPONENTS_SAMPLED]), word_fresh(&count[COMPONENTS_ROOTS]),
                              (u64)vertices))
        return;
    clear_sizes(&s);
    next_step(&s, idle);
    count_sizes(&s);
    next_step(&s, idle);
    find_largest(&s);
}
