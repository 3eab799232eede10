/* SPDX-License-Identifier: MIT */
/* Breadth-first search by CPU and device over a bridge (bfs_bridge.h): the level loop.
 *
 * Levels whose frontier has few arcs are the CPU's, as gws_bfs() runs them, and the device is not told. A large one is
 * given to the device as an order; then both eat its range from opposite ends, the CPU waits for the device's last
 * chunk, and both put together what they found: each has then the same frontier, so that the next large level can begin
 * at once. If the CPU ran some levels alone in between, the device first takes frontier and visited vertices from it:
 * two bitmaps, by the bus. Meshes, whose levels are all small, may go by windows (bfs_ways.c). */
#include <sched.h>
#include <string.h>

#include "../../../kernels/bridge_bfs_words.h"
#include "bfs_bridge.h"

enum { looks_between_clocks = 1024, scalars = 5 /* arguments behind the buffers */ };

/* ---- the device's kernel ---- */

gws_status gws__bfs_bridge_launch(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    if (bridge->running && !gws__bridge_left(&bridge->bridge, bridge->launches)) return GWS_OK;
    uint64_t number = bridge->launches + 1, patience = (uint64_t)1 << 22, chunk = bridge->options.chunk / 32;
    struct gws_device_argument argument[bridge_buffers + scalars] = {
        [bridge_buffers] = {.value = &bridge->graph->vertices, .bytes = 8},
        {.value = &chunk, .bytes = 8},
        {.value = &bridge->window, .bytes = 8},
        {.value = &number, .bytes = 8},
        {.value = &patience, .bytes = 8}};
    for (uint32_t b = 0; b < bridge_buffers; b++) argument[b].buffer = bridge->buffer[b];
    for (uint32_t b = bridge_in_bound; b <= bridge_in_rest && !bridge->in_rows.graph; b++)
        argument[b].buffer = bridge->buffer[b - bridge_in_bound + bridge_bound];
    struct gws_device_launch launch = {.program = bridge->program,
                                       .kernel = "bridge_search",
                                       .groups = bridge->groups,
                                       .group_size = bridge->options.group_size,
                                       .argument = argument,
                                       .arguments = bridge_buffers + scalars,
                                       .resident = true};
    gws_status status = gws_device_run(bridge->device, &launch, where);
    if (status != GWS_OK) return status;
    bridge->launches = number;
    bridge->running = true;
    bridge->stats.launches++;
    return GWS_OK;
}

/* Now and then while the device is waited for: is it still there? */
static gws_status look_after(struct gws__bfs_bridge *bridge, uint64_t order, double until, struct gws_where *where)
{
    bool done = false;
    gws_status status = gws_device_poll(bridge->device, &done, where);
    if (status != GWS_OK) return status;
    if (gws__bridge_left(&bridge->bridge, bridge->launches)) return gws__bfs_bridge_launch(bridge, where);
    if (gws__bridge_answered(&bridge->bridge, order)) return GWS_OK;
    if (!done && gws_clock_ms() < until) return GWS_OK;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: %s", gws_device_describe(bridge->device)->address,
                         done ? "the search's kernel ended without an answer" : "no answer from the search's kernel");
}

gws_status gws__bfs_bridge_await(struct gws__bfs_bridge *bridge, uint64_t order, struct gws_where *where)
{
    gws_status status = GWS_OK;
    double began = gws_clock_ms();
    for (uint64_t looks = 1; status == GWS_OK && !gws__bridge_answered(&bridge->bridge, order); looks++) {
        if (looks % 64 == 0) (void)sched_yield(); /* the device may be this processor */
        if (looks % looks_between_clocks == 0)
            status = look_after(bridge, order, began + bridge->options.limit_ms, where);
    }
    return status;
}

/* ---- levels ---- */

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
    bridge->order = gws__bridge_give(&bridge->bridge, bridge->bottom_up ? BRIDGE_BOTTOM_UP : BRIDGE_TOP_DOWN,
                                     bridge->chunks, bridge->groups + bridge->window);
}

static void order_merge(struct gws__bfs_bridge *bridge, const struct gws__bfs *bfs)
{
    order_word(bridge, BRIDGE_LEVEL, bfs->level);
    order_word(bridge, BRIDGE_SIDE, bridge->side);
    (void)gws__bridge_give(&bridge->bridge, BRIDGE_MERGE, 0, 0);
}

/* The degrees of a frontier that both found are summed up on the device, for later. What the next level's direction
 * depends on is near enough: those found have as many arcs as the others not reached yet. */
static void take_over(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs, uint64_t size)
{
    uint64_t left = bfs->graph->vertices - bridge->isolated - bfs->result->reached;
    bfs->degrees = left ? (uint64_t)((double)bfs->unexplored * ((double)size / (double)left)) : 0;
    if (bfs->degrees > bfs->unexplored) bfs->degrees = bfs->unexplored;
    bfs->size = size;
    bfs->in_bitmap = true;
    bfs->has_parts = bfs->has_entries = false;
    bfs->level++;
    bridge->knows = bridge->estimated = true;
}

/* The level's entry; degrees that are not exact are left out of the sum. */
static struct gws_bfs_level *begin_level(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs)
{
    struct gws_bfs_level *level = gws__bfs_level_begin(bfs, bridge->bottom_up);
    level->workers = (uint32_t)bridge->groups + (bridge->options.alone ? 0 : gws_runtime_workers(bridge->runtime));
    if (bridge->estimated) bfs->result->reached_arcs -= bfs->degrees;
    return level;
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
    order_merge(bridge, bfs);
    ate = gws_clock_ms();
    status = gws__bfs_bridge_await(bridge, bridge->order, where);
    if (status != GWS_OK) return status;
    bridge->ran = gws__bridge_answer(&bridge->bridge, bridge->order, BRIDGE_RAN);
    answered = gws_clock_ms();
    take_over(bridge, bfs, gws__bfs_bridge_merge(bridge, bfs));
    count(bridge, began, ate, answered);
    if (bfs->options.time_levels) level->ms = gws_clock_ms() - began;
    return GWS_OK;
}

/* About so many arcs will be looked at. Bottom-up most vertices find a parent soon. */
static bool is_large(const struct gws__bfs_bridge *bridge, const struct gws__bfs *bfs)
{
    uint64_t left = bfs->graph->vertices - bridge->isolated - bfs->result->reached;
    uint64_t arcs = bridge->bottom_up ? 4 * left : bfs->degrees;
    return arcs >= bridge->options.threshold && bridge->chunks > 0;
}

static gws_status run_levels(struct gws__bfs_bridge *bridge, struct gws__bfs *bfs, struct gws_where *where)
{
    gws_status status = GWS_OK;
    while (status == GWS_OK && bfs->size) {
        bridge->bottom_up = gws__bfs_goes_bottom_up(bfs);
        if (is_large(bridge, bfs)) {
            status = run_jointly(bridge, bfs, where);
            continue;
        }
        uint64_t guess = bridge->estimated ? bfs->degrees : 0;
        if (!bridge->bottom_up && !bfs->in_bitmap && gws__bfs_goes_alone(bfs))
            status = gws__bfs_top_down_alone(bfs);
        else
            status = gws__bfs_run_shared(bfs, bridge->bottom_up);
        bfs->result->reached_arcs -= guess;
        bridge->knows = bridge->estimated = false;
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
    bridge->knows = bridge->estimated = false;
    bridge->stats = (struct gws__bfs_bridge_stats){0};
    memset(bridge->count, 0, gws_runtime_workers(bridge->runtime) * sizeof *bridge->count);
    memset(bridge->host[bridge_stats], 0, bridge->groups * BRIDGE_STATS_STRIDE * 8);
}

/* Lets the device go. */
static gws_status end_device(struct gws__bfs_bridge *bridge, struct gws_bfs_result *result, struct gws_where *where)
{
    if (!bridge->running) return GWS_OK;
    uint64_t order = gws__bridge_give(&bridge->bridge, BRIDGE_END, 0, 0);
    gws_status status = gws__bfs_bridge_await(bridge, order, where);
    if (status != GWS_OK) return status;
    result->reached_arcs += gws__bridge_answer(&bridge->bridge, order, BRIDGE_DEGREES);
    bridge->running = false;
    return GWS_OK;
}

struct copy {
    const struct gws__bfs_bridge *bridge;
    struct gws_bfs_result *result; /* .parent: the device's */
};

static void copy_out(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct copy *copy = context;
    for (uint64_t v = begin; v < end; v++) {
        bool theirs = copy->bridge->theirs[v >> 6] >> (v & 63) & 1;
        copy->result->depth[v] = copy->bridge->depth[v];
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
    if (bridge->stats.device_chunks > 0)
        status = gws_device_read(bridge->buffer[bridge_own], 0, result->parent, result->vertices * 4, where);
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
    gws_status status = gws__bfs_prepare(bridge->runtime, bridge->graph, result);
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
    if (status == GWS_OK) status = end_device(bridge, result, where);
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
