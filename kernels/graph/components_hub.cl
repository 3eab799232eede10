/* SPDX-License-Identifier: MIT */
/* The first steps of components of a dense undirected graph with a hub: one push and one pull of a breadth-first search
 * from the hub. The two steps reach nearly all vertices of the largest component, by a read of one or two arcs of each
 * row. A vertex counts as visited as soon as it finds a visited neighbour, also one of the same step. A warp puts the
 * vertices that find none into a queue and lets them try again later.
 *
 * visited: a bitmap, zero before and after the two steps. Reads of it may be stale. list: the vertices with arcs that
 * pull did not visit. */
#define COMPONENTS_HUBS 256u /* candidates */
#define COMPONENTS_HUB 256u  /* a hub is a neighbour of one vertex in so many */
#define COMPONENTS_PULL 8u   /* pull tests so many arcs of a row */

/* Returns the vertex of highest degree among the targets of some arcs. All groups find the same one. */
device_inline u32 sample_hub(const struct components *s, local_mem u32 *sample, local_mem u32 *best)
{
    const u64 arcs = s->offset[s->vertices];
    if (item_id() == 0) *best = 0;
    group_barrier();
    for (u32 i = item_id(); i < COMPONENTS_HUBS; i += group_size()) {
        u32 to = s->target[i * arcs / COMPONENTS_HUBS];
        u64 degree = s->offset[(u64)to + 1] - s->offset[to];
        sample[i] = to;
        (void)local_max(best, (u32)min_u64(degree, 0xffffff) * COMPONENTS_HUBS + i);
    }
    group_barrier();
    return sample[*best % COMPONENTS_HUBS];
}

device_inline bool is_hub(const struct components *s, u32 v)
{
    return (s->offset[(u64)v + 1] - s->offset[v]) * COMPONENTS_HUB >= s->vertices;
}

device_inline void visit(const struct components *s, u32 v)
{
    (void)word_or(&s->visited[v / 32], 1u << v % 32);
}

device_inline void visit_row(const struct components *s, u32 hub)
{
    for (u64 arc = s->offset[hub] + s->first; arc < s->offset[(u64)hub + 1]; arc += s->items) visit(s, s->target[arc]);
    if (s->first == 0) visit(s, hub);
}

device_inline bool finds_visited(const struct components *s, u64 begin, u64 end)
{
    for (u64 arc = begin; arc < end; arc++) {
        u32 to = s->target[arc];
        if (word_stale(&s->visited[to / 32]) >> to % 32 & 1) return true;
    }
    return false;
}

/* A warp's queue in local memory, and what the warp finds out about the vertices. */
struct pull {
    local_mem u32 *queue;
    u32 queued, capacity;
    u32 smallest, visited; /* of this item: the smallest visited vertex, and a number of vertices */
};

device_inline void found(struct pull *pull, u32 v)
{
    pull->smallest = min_u32(pull->smallest, v);
    pull->visited++;
}

/* Lets the queued vertices of a warp try again, and lists those that fail. */
device_inline void try_again(const struct components *s, struct pull *pull)
{
    warp_barrier(); /* the queue is written */
    for (u32 base = 0; base < pull->queued; base += WARP) {
        u32 i = base + lane_id(), v = i < pull->queued ? pull->queue[i] : NONE;
        bool fails = false;
        if (v != NONE) {
            u64 begin = s->offset[v], end = s->offset[(u64)v + 1];
            fails = !finds_visited(s, begin, min_u64(end, begin + 4 * COMPONENTS_PULL));
        }
        if (v != NONE && !fails) {
            visit(s, v);
            found(pull, v);
        }
        u32 place = warp_reserve(&s->count[COMPONENTS_OPEN], fails);
        if (fails) s->list[place] = v;
    }
    pull->queued = 0;
    warp_barrier(); /* the queue is read */
}

/* Pulls the vertices of a word of the bitmap by a warp, WARP at once. */
device_inline void pull_word(const struct components *s, u64 word, struct pull *pull)
{
    const u32 known = word_fresh(&s->visited[word]);
    for (u32 bit = lane_id(); bit < 32; bit += WARP) {
        u64 v = word * 32 + bit, begin = 0, end = 0;
        bool is_known = known >> bit & 1;
        if (v < s->vertices && !is_known) {
            begin = s->offset[v];
            end = s->offset[v + 1];
        }
        bool finds = finds_visited(s, begin, min_u64(end, begin + COMPONENTS_PULL)), fails = begin < end && !finds;
        u32 finding = warp_ballot(finds), failing = warp_ballot(fails);
        if (finding && lane_id() == 0) (void)word_or(&s->visited[word], finding << (bit / WARP * WARP));
        if (finds || is_known) found(pull, (u32)v);
        if (fails) pull->queue[pull->queued + bit_count(failing & lanes_below())] = (u32)v;
        pull->queued += bit_count(failing);
    }
}

/* queue: COMPONENTS_CHUNK words. best: a zero word. sum: 64 zero bits. */
device_inline void pull_visited(const struct components *s, local_mem u32 *queue, local_mem u32 *best,
                                local_mem u64 *sum)
{
    struct pull pull;
    pull.capacity = COMPONENTS_CHUNK / warp_count();
    pull.queue = queue + warp_id() * pull.capacity;
    pull.queued = pull.visited = 0;
    pull.smallest = NONE;
    for (u64 word = s->first / WARP; word * 32 < s->vertices; word += s->items / WARP) {
        pull_word(s, word, &pull);
        if (pull.queued + 32 > pull.capacity) try_again(s, &pull);
    }
    try_again(s, &pull);
    u32 visited = warp_sum(pull.visited), smallest = pull.smallest;
    for (u32 step = WARP / 2; step > 0; step /= 2)
        smallest = min_u32(smallest, warp_shuffle(smallest, lane_id() ^ step));
    if (lane_id() == 0) {
        (void)local_max(best, NONE - smallest);
        local_sum(sum, (u64)visited);
    }
    group_barrier();
    if (item_id() > 0) return;
    (void)word_max(&s->count[COMPONENTS_SMALLEST], *best);
    (void)word_add(&s->count[COMPONENTS_VISITED], (u32)*sum);
}

/* Makes `root` the parent of all visited vertices, and clears the bitmap. */
device_inline void write_visited(const struct components *s, u32 root)
{
    for (u64 word = s->first / WARP; word * 32 < s->vertices; word += s->items / WARP) {
        const u32 known = word_fresh(&s->visited[word]);
        for (u32 bit = lane_id(); bit < 32; bit += WARP) {
            u64 v = word * 32 + bit;
            if (v < s->vertices) s->parent[v] = known >> bit & 1 ? root : (u32)v;
        }
        warp_barrier();
        if (lane_id() == 0) word_store(&s->visited[word], 0);
    }
}
