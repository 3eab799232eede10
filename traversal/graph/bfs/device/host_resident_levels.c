/* SPDX-License-Identifier: MIT */
/* The CPU's part of levels that a device takes part in (bfs_bridge.h). Tasks are chunks of the graph's vertices, taken
 * from the front of the range that the device eats from the back. A chunk may run on both sides
 * (kernels/hetero/bridge.cl says when): then both find the same vertices at the same depth, each in its own bitmap,
 * which is harmless. Depths the device writes. */
#include "host_resident.h"

enum { window = 256, claims = 2048, grain = 4096 };

struct arc {
    uint32_t vertex, parent;
};

/* What one worker does in one level. */
struct eater {
    struct gws__bfs_bridge *bridge;
    const struct gws__bfs *bfs;
    _Atomic(uint64_t) *visited;
    uint32_t *parent; /* who set the bit of a vertex writes its */
    uint32_t arcs;
    struct arc arc[claims];
};

/* ---- bottom-up: as in bfs_bottom_up.c ---- */

static uint32_t first_in_front(const struct gws__bfs *bfs, uint32_t vertex)
{
    const uint32_t *target = bfs->in->target;
    for (uint64_t arc = bfs->in->offset[vertex], end = bfs->in->offset[vertex + (uint64_t)1]; arc < end; arc++)
        if (bfs->front[target[arc] >> 6] >> (target[arc] & 63) & 1) return target[arc];
    return GWS_NO_VERTEX;
}

/* relaxed, all: the words are this worker's in this level, and the end of the loop publishes them. */
static void look_up(const struct eater *me, const uint32_t *vertex, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = vertex[i], parent = first_in_front(me->bfs, v);
        if (parent == GWS_NO_VERTEX) continue;
        uint64_t word = atomic_load_explicit(&me->visited[v >> 6], memory_order_relaxed);
        atomic_store_explicit(&me->visited[v >> 6], word | (uint64_t)1 << (v & 63), memory_order_relaxed);
        me->parent[v] = parent;
    }
}

static void search_words(const struct eater *me, uint64_t begin, uint64_t end)
{
    const struct gws_graph *in = me->bfs->in;
    uint64_t last = in->vertices & 63;
    uint32_t look[window], count = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t bits = ~atomic_load_explicit(&me->visited[w], memory_order_relaxed);
        if (w + 1 == me->bfs->words && last) bits &= ((uint64_t)1 << last) - 1;
        for (; bits; bits &= bits - 1) {
            look[count] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
            __builtin_prefetch(in->target + in->offset[look[count++]]);
        }
        if (count <= window - 64) continue;
        look_up(me, look, count);
        count = 0;
    }
    look_up(me, look, count);
}

/* ---- top-down: as in bfs_top_down.c ---- */

static uint32_t keep_unvisited(const struct eater *me, struct arc *arc, uint32_t arcs)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        struct arc one = arc[i];
        uint64_t word = atomic_load_explicit(&me->visited[one.vertex >> 6], memory_order_relaxed);
        arc[kept] = one;
        kept += (word >> (one.vertex & 63) & 1) == 0;
    }
    return kept;
}

/* relaxed: the bit decides who writes the parent, which is read after the end of the loop. */
static void claim_all(struct eater *me)
{
    uint32_t kept = keep_unvisited(me, me->arc, me->arcs), won = 0;
    for (uint32_t i = 0; i < kept; i++) gws__bfs_prefetch_write(&me->parent[me->arc[i].vertex]);
    for (uint32_t i = 0; i < kept; i++) {
        struct arc one = me->arc[i];
        uint64_t bit = (uint64_t)1 << (one.vertex & 63);
        uint64_t word = atomic_fetch_or_explicit(&me->visited[one.vertex >> 6], bit, memory_order_relaxed);
        me->arc[won] = one;
        won += (word & bit) == 0;
    }
    for (uint32_t i = 0; i < won; i++) me->parent[me->arc[i].vertex] = me->arc[i].parent;
    me->arcs = 0;
}

static void expand(struct eater *me, uint32_t vertex)
{
    const struct gws_graph *graph = me->bfs->graph;
    for (uint64_t arc = graph->offset[vertex], end = graph->offset[vertex + (uint64_t)1]; arc < end;) {
        for (; arc < end && me->arcs < claims; arc++) me->arc[me->arcs++] = (struct arc){graph->target[arc], vertex};
        if (me->arcs == claims) claim_all(me);
    }
}

static void expand_words(struct eater *me, uint64_t begin, uint64_t end)
{
    const struct gws_graph *graph = me->bfs->graph;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t front = me->bfs->front[w];
        for (uint64_t bits = front; bits; bits &= bits - 1)
            __builtin_prefetch(graph->target + graph->offset[w * 64 + (uint64_t)__builtin_ctzll(bits)]);
        for (uint64_t bits = front; bits; bits &= bits - 1)
            expand(me, (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits)));
    }
}

/* ---- eating ---- */

static void note(struct gws__bfs_bridge *bridge, uint32_t worker, uint64_t begin, uint64_t vertices)
{
    struct gws__bfs_bridge_count *mine = &bridge->count[worker];
    mine->ran += vertices;
    if (begin < bridge->split) return;
    mine->stolen += vertices;
    mine->steals++;
}

static void eat(void *context, uint32_t worker, uint64_t first, uint64_t last)
{
    (void)first;
    (void)last;
    struct eater me = *(const struct eater *)context;
    struct gws__bfs_bridge *bridge = me.bridge;
    uint64_t begin, end, ran = 0, words = bridge->options.chunk / 64;
    while (gws__bridge_take(&bridge->bridge, bridge->order, bridge->chunks, 1, &begin, &end)) {
        uint64_t stop = end * words < bridge->words ? end * words : bridge->words;
        if (bridge->bottom_up)
            search_words(&me, begin * words, stop);
        else
            expand_words(&me, begin * words, stop);
        note(bridge, worker, begin, (stop - begin * words) * 64);
        ran += end - begin;
    }
    claim_all(&me);
    atomic_fetch_add_explicit(&bridge->cpu_ran, ran, memory_order_relaxed);
}

void gws__bfs_bridge_eat(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    struct eater eater = {.bridge = bridge, .bfs = bfs, .visited = bfs->visited};
    eater.parent = bridge->parent;
    struct gws_loop loop = {.count = gws_runtime_workers(bridge->runtime), .chunk = 1, .body = eat, .context = &eater};
    gws_parallel_run(bridge->runtime, &loop);
}

/* ---- between levels ---- */

struct pass {
    struct gws__bfs_bridge *bridge;
    struct gws__bfs *bfs;
    uint64_t theirs_from; /* the first word of the device's that counts */
    uint64_t *visited, *to;
};

static void show_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct pass *pass = context;
    uint64_t *front = pass->bridge->host[bridge_host_front];
    for (uint64_t w = begin; w < end; w++) {
        pass->to[w] = pass->bridge->before[w] = pass->visited[w];
        front[w] = pass->bfs->front[w];
    }
}

static struct pass pass_of(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    struct pass pass = {.bridge = bridge, .bfs = bfs};
    pass.visited = bridge->host[bridge_host_a + bridge->side];
    pass.to = bridge->host[bridge_host_b - bridge->side];
    return pass;
}

static void change_sides(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    bridge->side ^= 1;
    bfs->visited = bridge->host[bridge_host_a + bridge->side];
}

void gws__bfs_bridge_show(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    struct pass pass = pass_of(bridge, bfs);
    gws__bfs_aside_for(bridge->runtime, bridge->words, grain, show_words, &pass);
    change_sides(bridge, bfs);
}

static void merge_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct pass *pass = context;
    struct gws__bfs_bridge *bridge = pass->bridge;
    const uint64_t *mirror = bridge->host[bridge_mirror];
    uint64_t found = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t all = pass->visited[w] | (w >= pass->theirs_from ? mirror[w] : 0), fresh = all & ~bridge->before[w];
        pass->bfs->front[w] = fresh;
        pass->to[w] = bridge->before[w] = all;
        bridge->there[w] |= fresh;
        bridge->theirs[w] |= fresh & ~pass->visited[w];
        found += (uint64_t)__builtin_popcountll(fresh);
    }
    atomic_fetch_add_explicit(&bridge->found, found, memory_order_relaxed); /* read after the loop */
}

/* Bottom-up, what the device did not run is old in its mirror. */
uint64_t gws__bfs_bridge_merge(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    struct pass pass = pass_of(bridge, bfs);
    if (bridge->bottom_up) pass.theirs_from = (bridge->chunks - bridge->ran) * (bridge->options.chunk / 64);
    atomic_store_explicit(&bridge->found, 0, memory_order_relaxed);
    gws__bfs_aside_for(bridge->runtime, bridge->words, grain, merge_words, &pass);
    change_sides(bridge, bfs);
    return atomic_load_explicit(&bridge->found, memory_order_relaxed);
}

static void clear_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct pass *pass = context;
    for (uint64_t w = begin; w < end; w++) {
        pass->to[w] = pass->bridge->rest[w];
        pass->bridge->theirs[w] = pass->bridge->there[w] = 0;
    }
}

void gws__bfs_bridge_clear(struct gws__bfs_bridge *bridge)
{
    struct pass pass = {.bridge = bridge, .to = bridge->host[bridge_host_a]};
    gws__bfs_aside_for(bridge->runtime, bridge->words, grain, clear_words, &pass);
    bridge->side = 0;
}
