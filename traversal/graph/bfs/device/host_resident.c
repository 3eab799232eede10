/* SPDX-License-Identifier: MIT */
/* Breadth-first search by CPU and device over a bridge (bfs_bridge.h): the level loop.
 *
 * Levels whose frontier has few arcs are the CPU's, as gws_bfs() runs them, and the device is not told. A large one is
 * given to the device as an order; then both eat its range from opposite ends, the CPU waits for the device's last
 * chunk, and both put together what they found: each has then the same frontier, so that the next large level can begin
 * at once. bfs_bridge_direction.h chooses directions. If the CPU ran some levels
 * alone in between, the device first takes frontier and visited vertices from it: two bitmaps, by the bus. Meshes,
 * whose levels are all small, may go by windows (bfs_ways.c). */
#include <string.h>

#include "../../../../kernels/bfs/bridge_bfs_words.h"
#include "host_resident.h"

/* A search of so many times the arcs of a level that the device takes part in will have one: its kernel, which takes
 * most of a millisecond to begin, is launched at once. */
enum { early_levels = 64 };

static void order_word(struct gws__bfs_bridge *bridge, uint32_t word, uint64_t value)
{
    /* relaxed: published by gws__bridge_give(). */
    atomic_store_explicit(&gws__bridge_next_slot(&bridge->bridge)[word], value, memory_order_relaxed);
}

static void order_level(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    if (!bridge->knows) gws__bfs_bridge_show(bridge, bfs);
    order_word(bridge, BRIDGE_LEVEL, bfs->level);
    order_word(bridge, BRIDGE_SIDE, bridge->side ^ 1);
    order_word(bridge, BRIDGE_FRESH, !bridge->knows);
    bridge->split = bridge->options.alone ? 0 : (uint64_t)(bridge->share * (double)bridge->chunks);
    order_word(bridge, BRIDGE_SPLIT, bridge->split);
    bridge->stats.cpu_given += bridge->split * bridge->options.chunk;
    bridge->stats.device_given += (bridge->chunks - bridge->split) * bridge->options.chunk;
    bridge->order =
        gws__bridge_give(&bridge->bridge, bridge->bottom_up ? BRIDGE_BOTTOM_UP : BRIDGE_TOP_DOWN, bridge->chunks,
                         bridge->options.alone ? bridge->chunks : bridge->groups + bridge->window);
}

static uint64_t order_merge(struct gws__bfs_bridge *bridge, const struct gws__bfs *bfs)
{
    order_word(bridge, BRIDGE_LEVEL, bfs->level);
    order_word(bridge, BRIDGE_SIDE, bridge->side);
    return gws__bridge_give(&bridge->bridge, BRIDGE_MERGE, 0, 0);
}

static struct gws_bfs_level *begin_level(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    struct gws_bfs_level *level = gws__bfs_level_begin(bfs, bridge->bottom_up);
    level->workers = (uint32_t)bridge->groups + (bridge->options.alone ? 0 : gws_runtime_workers(bridge->runtime));
    return level;
}

/* What both found becomes the frontier. The device, which puts it together, too, sums up its degrees meanwhile. */
static gws_status take_over(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs, uint64_t merge,
                            struct gws_where *where)
{
    bfs->size = gws__bfs_bridge_merge(bridge, bfs);
    bfs->in_bitmap = bridge->knows = true;
    bfs->has_parts = bfs->has_entries = false;
    bfs->level++;
    gws_status status = gws__bfs_bridge_await(bridge, merge, where);
    if (status != GWS_OK) return status;
    uint64_t degrees = gws__bridge_answer(&bridge->bridge, merge, BRIDGE_DEGREES);
    bfs->degrees = degrees - bridge->degrees;
    bridge->degrees = degrees;
    return GWS_OK;
}

static void count(struct gws__bfs_bridge *bridge, double began, double ate, double answered)
{
    bridge->stats.joint++;
    bridge->stats.chunks += bridge->chunks;
    bridge->stats.device_chunks += bridge->ran;
    uint64_t cpu = atomic_exchange_explicit(&bridge->cpu_ran, 0, memory_order_relaxed);
    bridge->stats.cpu_chunks += cpu;
    bridge->share = (double)cpu / (double)(cpu + bridge->ran);
    bridge->stats.wait_ms += answered - ate;
    bridge->stats.joint_ms += gws_clock_ms() - began;
}

static gws_status run_jointly(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs, struct gws_where *where)
{
    double began = gws_clock_ms(), ate, answered;
    gws_status status = gws__bfs_level_room(bfs);
    if (status == GWS_OK) status = gws__bfs_bridge_launch(bridge, where);
    if (status != GWS_OK) return status;
    struct gws_bfs_level *level = begin_level(bridge, bfs);
    if (!bfs->in_bitmap) gws__bfs_front_to_bitmap(bfs);
    order_level(bridge, bfs);
    if (!bridge->options.alone) gws__bfs_bridge_eat(bridge, bfs);
    uint64_t merge = order_merge(bridge, bfs);
    ate = gws_clock_ms();
    status = gws__bfs_bridge_await(bridge, bridge->order, where);
    if (status != GWS_OK) return status;
    bridge->ran = gws__bridge_answer(&bridge->bridge, bridge->order, BRIDGE_RAN);
    answered = gws_clock_ms();
    status = take_over(bridge, bfs, merge, where);
    if (status != GWS_OK) return status;
    count(bridge, began, ate, answered);
    if (bfs->options.time_levels) level->ms = gws_clock_ms() - began;
    return GWS_OK;
}

/* Vertices that may still be found by this level or a later one. */
static uint64_t left_by(const struct gws__bfs_bridge *bridge, const struct gws__bfs *bfs)
{
    uint64_t all = bfs->graph->vertices - bridge->isolated, known = bfs->result->reached + bfs->size;
    return known < all ? all - known : 0; /* the source may be one of the isolated */
}

/* The way this level takes if these of the readers run it. */
static bool goes_bottom_up(const struct gws__bfs_bridge *bridge, const struct gws__bfs *bfs, uint32_t first,
                           uint32_t end)
{
    struct gws__bridge_level level = {bfs->size, bfs->degrees, left_by(bridge, bfs), bfs->unexplored - bfs->degrees};
    if (bridge->options.direction != GWS_BFS_AUTO || !bridge->in) return gws__bfs_goes_bottom_up(bfs);
    return gws__bridge_goes_from_below(bridge->reader + first, end - first, &level);
}

/* About so many arcs will be looked at. Bottom-up most vertices find a parent soon. Top-down it takes more vertices
 * than there are workers to share their rows out: of a few hubs, the CPU's workers share each row. */
static bool is_large(const struct gws__bfs_bridge *bridge, const struct gws__bfs *bfs)
{
    uint64_t arcs = bridge->bottom_up ? 4 * left_by(bridge, bfs) : bfs->degrees;
    bool shared = bridge->bottom_up || bfs->size >= bridge->fewest;
    return shared && arcs >= bridge->options.threshold && bridge->chunks > 0 && left_by(bridge, bfs) > 0;
}

/* A level that has nothing left to find. */
static gws_status skip_level(struct gws__bfs *bfs)
{
    gws_status status = gws__bfs_level_room(bfs);
    if (status != GWS_OK) return status;
    (void)gws__bfs_level_begin(bfs, false);
    bfs->size = 0;
    return GWS_OK;
}

static gws_status run_alone(const struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    bool bottom_up = bfs->in_bitmap ? goes_bottom_up(bridge, bfs, 1, 2) : gws__bfs_goes_bottom_up(bfs);
    if (!bottom_up && !bfs->in_bitmap && gws__bfs_goes_alone(bfs)) return gws__bfs_top_down_alone(bfs);
    return gws__bfs_run_shared(bfs, bottom_up);
}

static gws_status run_levels(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs, struct gws_where *where)
{
    bool early = bfs->graph->arcs / early_levels >= bridge->options.threshold;
    gws_status status = early ? gws__bfs_bridge_launch(bridge, where) : GWS_OK;
    while (status == GWS_OK && bfs->size) {
        bridge->bottom_up = goes_bottom_up(bridge, bfs, 0, bridge->options.alone ? 1 : 2);
        if (is_large(bridge, bfs)) {
            status = run_jointly(bridge, bfs, where);
            continue;
        }
        status = left_by(bridge, bfs) == 0 ? skip_level(bfs) : run_alone(bridge, bfs);
        bridge->knows = false;
    }
    return status;
}

/* ---- a search ---- */

static void begin_at(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs, uint32_t source)
{
    gws__bfs_bridge_clear(bridge);
    bfs->depth = bridge->depth;
    bfs->parent = bridge->parent;
    bfs->visited = bridge->host[bridge_host_a];
    ((uint64_t *)bfs->visited)[source >> 6] |= (uint64_t)1 << (source & 63);
    bfs->depth[source] = 0;
    bfs->parent[source] = source;
    bfs->queue[0] = source;
    bfs->end = bfs->size = 1;
    bfs->degrees = gws_graph_degree(bfs->graph, source);
    bfs->unexplored = bfs->graph->arcs;
    bridge->knows = false;
    bridge->degrees = 0;
    bridge->stats = (struct gws__bfs_bridge_stats){0};
    memset(bridge->count, 0, gws_runtime_workers(bridge->runtime) * sizeof *bridge->count);
    memset(bridge->host[bridge_stats], 0, bridge->groups * BRIDGE_STATS_STRIDE * 8);
}

/* Lets the device go. */
static gws_status end_device(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    if (!bridge->running) return GWS_OK;
    uint64_t order = gws__bridge_give(&bridge->bridge, BRIDGE_END, 0, 0);
    gws_status status = gws__bfs_bridge_await(bridge, order, where);
    if (status != GWS_OK) return status;
    bridge->running = false;
    return GWS_OK;
}

struct copy {
    const struct gws__bfs_bridge *bridge;
    struct gws_bfs_result *result; /* .depth, .parent: the device's */
};

static void copy_out(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct copy *copy = context;
    for (uint64_t v = begin; v < end; v++) {
        bool theirs = copy->bridge->theirs[v >> 6] >> (v & 63) & 1, there = copy->bridge->there[v >> 6] >> (v & 63) & 1;
        if (!there) copy->result->depth[v] = copy->bridge->depth[v];
        if (!theirs) copy->result->parent[v] = copy->bridge->parent[v];
    }
}

/* A vertex without arcs has a depth only in the search from it. */
gws_status gws__bfs_bridge_fetch(struct gws__bfs_bridge *bridge, struct gws_bfs_result *result, struct gws_where *where)
{
    double began = gws_clock_ms();
    uint32_t source = result->source;
    struct copy copy = {bridge, result};
    gws_status status = GWS_OK;
    if (bridge->stats.joint > 0)
        status = gws_device_read(bridge->buffer[bridge_own], 0, result->parent, result->vertices * 4, where);
    if (bridge->stats.joint > 0 && status == GWS_OK)
        status = gws_device_read(bridge->buffer[bridge_depth], 0, result->depth, result->vertices * 4, where);
    if (status != GWS_OK) return status;
    gws__bfs_aside_for(bridge->runtime, result->vertices, 65536, copy_out, &copy);
    if (bridge->rest[source >> 6] >> (source & 63) & 1) bridge->depth[source] = bridge->parent[source] = GWS_NO_VERTEX;
    bridge->stats.copy_ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws__bfs_bridge_run(struct gws__bfs_bridge *bridge, uint32_t source, struct gws_bfs_result *result,
                               struct gws_where *where)
{
    struct gws__bfs bfs = {.runtime = bridge->runtime, .graph = bridge->graph, .in = bridge->in};
    if (source >= bridge->graph->vertices)
        return gws_where_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "no vertex %u", (unsigned)source);
    gws_status status = end_device(bridge, where); /* that a search has left which failed: it may write still */
    if (status == GWS_OK) status = gws__bfs_prepare(bridge->runtime, bridge->graph, result);
    if (status != GWS_OK) return status;
    double began = gws_clock_ms();
    bfs.options.direction = bridge->options.direction;
    bfs.options.time_levels = bridge->options.time_levels;
    bfs.lone = gws_runtime_workers(bridge->runtime) == 1;
    gws__bfs_bind(&bfs, result);
    result->source = source;
    begin_at(bridge, &bfs, source);
    bool by_windows = gws__bfs_goes_by_windows(&bfs);
    status = by_windows ? gws__bfs_by_windows(&bfs) : run_levels(bridge, &bfs, where);
    if (status == GWS_OK) status = end_device(bridge, where);
    if (status != GWS_OK) {
        gws_bfs_result_clear(result);
        return status;
    }
    gws__bfs_finish(&bfs);
    result->ms = gws_clock_ms() - began;
    gws__bfs_learn_way(&bfs, by_windows);
    bridge->stats.levels = result->levels;
    return GWS_OK;
}
