/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on both sides, where they share no atomics: each has a pool and arrays of its own. The CPU's workers
 * divide the octants in theirs. One of them, the keeper, also serves the device: whenever that has nothing to do, it
 * takes octants that nobody has begun from the heads of the deques, its own among them, where the largest lie, and
 * hands them over, keys and all, for one launch. What comes back are the order of their points and their record, whose
 * sprouts already point into the host's memory. So each octant is built once, its points travel once, and what the
 * device has not begun is in the deques, for everybody.
 *
 * How much it gets is guided (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987): half of its share of
 * what is left, where shares go by how many points either side has placed in its time. A word of the host's arrays is
 * written by the one worker who holds the octant: of one that is handed over, by the keeper. */
#include "octree_tasks_bridge.h"

#include <string.h>

enum { tries = 8, looks_a_look = 256, host_room = 1024 };
static const double poll_ms = 0.02, least_share = 1.0 / 16;

/* ---- the keeper ---- */

/* Points that suit the device now. */
static uint64_t goal(const struct gws__octree_bridge *bridge, double now)
{
    uint64_t placed = atomic_load_explicit(gws__octree_bridge_placed(bridge), memory_order_relaxed),
             left = bridge->words.points - placed;
    double share = 0.5;
    if (bridge->placed_there > 0) {
        double there = (double)bridge->placed_there / (bridge->busy_ms + poll_ms);
        double here = (double)(placed - bridge->placed_there) / (now - bridge->began_ms + poll_ms);
        share = there / (there + here);
    }
    if (share < least_share) share = least_share;
    if (share > 1 - least_share) share = 1 - least_share;
    uint64_t half = (uint64_t)((double)left * share / 2);
    if (left < gws__octree_bridge_least(bridge)) return 0;
    return half > gws__octree_bridge_least(bridge) ? half : gws__octree_bridge_least(bridge);
}

static uint64_t wants(struct gws__octree_keeper *keeper)
{
    struct gws__octree_bridge *bridge = (struct gws__octree_bridge *)keeper;
    double now = gws_clock_ms();
    bool done = false;
    if (bridge->status != GWS_OK || now < bridge->next_ms) return 0;
    bridge->next_ms = now + poll_ms;
    if (!bridge->busy) return goal(bridge, now);
    bridge->status = gws_device_poll(bridge->tasks->device, &done, bridge->where);
    if (bridge->status == GWS_OK && done) bridge->status = gws__octree_bridge_settle(bridge, bridge->where);
    return bridge->status == GWS_OK && !bridge->busy ? goal(bridge, now) : 0;
}

static bool look(struct gws__octree_keeper *keeper, uint64_t placed)
{
    struct gws__octree_bridge *bridge = (struct gws__octree_bridge *)keeper;
    if (bridge->status != GWS_OK) return false;
    if (keeper->looks % looks_a_look > 0) return true;
    return gws__octree_patient(&bridge->patience, bridge->tasks->device, keeper->looks == looks_a_look, placed);
}

/* ---- the host's side ---- */

static void forget_host(struct gws__octree_bridge *bridge)
{
    struct gws_runtime *runtime = bridge->tasks->runtime;
    for (int i = 0; i < gws__octree_arrays; i++) {
        gws_release(runtime, bridge->host[i], bridge->bytes[i], 1);
        bridge->host[i] = NULL;
    }
    while (bridge->returned) {
        struct gws__octree_returned *one = bridge->returned;
        bridge->returned = one->before;
        gws_release(runtime, one->twig, one->words, sizeof *one->twig);
        gws_release(runtime, one, 1, sizeof *one);
    }
}

static gws_status host_arrays(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    static const enum gws__octree_array cleared[] = {gws__octree_done, gws__octree_control, gws__octree_deques,
                                                     gws__octree_counts};
    struct gws_runtime *runtime = bridge->tasks->runtime;
    gws__octree_need(&bridge->words, bridge->tasks->threads, bridge->tasks->threads, bridge->bytes);
    for (int i = 0; i < gws__octree_arrays; i++) {
        bridge->host[i] = gws_allocate(runtime, bridge->bytes[i], 1);
        if (!bridge->host[i]) return gws__octree_bridge_no_memory(where);
    }
    for (size_t i = 0; i < sizeof cleared / sizeof *cleared; i++)
        memset(bridge->host[cleared[i]], 0, bridge->bytes[cleared[i]]);
    bridge->words.base = (uint64_t)(uintptr_t)bridge->host[gws__octree_twig];
    return GWS_OK;
}

static void number_points(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__octree_bridge *bridge = context;
    uint32_t *number = bridge->host[gws__octree_number];
    (void)worker;
    memcpy((uint64_t *)bridge->host[gws__octree_key] + begin, bridge->given + begin, (end - begin) * 8);
    for (uint64_t i = begin; i < end; i++) number[i] = (uint32_t)i;
}

static gws_status ready(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = bridge->tasks;
    gws_status status = host_arrays(bridge, where);
    if (status != GWS_OK) return status;
    memset(tasks->stats, 0, (uint64_t)(tasks->groups + tasks->threads) * octree_stats_words * sizeof *tasks->stats);
    tasks->launches = tasks->handed = bridge->placed_there = 0;
    bridge->busy_ms = bridge->next_ms = 0;
    bridge->status = GWS_OK;
    bridge->where = where;
    struct gws_loop loop = {
        .count = bridge->words.points, .grain = 1 << 16, .body = number_points, .context = bridge, .aside = true};
    gws_parallel_run(tasks->runtime, &loop);
    return GWS_OK;
}

static gws_status run(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = bridge->tasks;
    struct gws__octree_crew crew = {.calls = tasks->worker,
                                    .place = {bridge->host, &bridge->words, tasks->threads},
                                    .threads = tasks->threads,
                                    .keeper = &bridge->keeper};
    bridge->began_ms = gws_clock_ms();
    tasks->worker->begin(&crew.place);
    gws__octree_crew_run(tasks->runtime, &crew);
    gws_status status = bridge->status;
    if (bridge->busy) { /* the host's side has stopped */
        gws_status ended = gws_device_wait(tasks->device, status == GWS_OK ? where : NULL);
        status = status == GWS_OK ? ended : status;
    }
    bridge->busy = false;
    memcpy(tasks->control, bridge->host[gws__octree_control], sizeof tasks->control);
    memcpy(tasks->stats + (uint64_t)tasks->groups * octree_stats_words, bridge->host[gws__octree_counts],
           (uint64_t)tasks->threads * octree_stats_words * sizeof *tasks->stats);
    return status;
}

gws_status gws__octree_bridge_divide(struct gws__octree_bridge *bridge, const struct gws__octree_words *words,
                                     const uint64_t *key, double *ready_ms, struct gws_where *where)
{
    const uint64_t *control = bridge->tasks->control;
    uint32_t piece = bridge->words.piece;
    bridge->words = *words;
    bridge->words.piece = piece;
    bridge->words.room = host_room;
    bridge->given = key;
    for (int i = 0; i < tries; i++) {
        double began = gws_clock_ms();
        gws_status status = ready(bridge, where);
        *ready_ms = gws_clock_ms() - began;
        if (status == GWS_OK) status = run(bridge, where);
        if (status != GWS_OK) return status;
        if (gws__octree_all_placed(&bridge->words, control)) return GWS_OK;
        gws__octree_bridge_forget(bridge);
        if (!gws__octree_words_grow(&bridge->words, control[octree_state])) break;
    }
    return gws__octree_not_placed(&bridge->words, control, where);
}

void *gws__octree_bridge_array(const struct gws__octree_bridge *bridge, enum gws__octree_array which)
{
    return bridge->host[which];
}

/* ---- its own memory ---- */

gws_status gws__octree_bridge_open(struct gws__octree_tasks *tasks, uint32_t piece, struct gws_where *where)
{
    struct gws__octree_bridge *bridge = gws_allocate(tasks->runtime, 1, sizeof *bridge);
    if (!bridge) return gws__octree_bridge_no_memory(where);
    *bridge = (struct gws__octree_bridge){.keeper = {.look = look, .wants = wants, .send = gws__octree_bridge_send},
                                          .tasks = tasks};
    bridge->words.piece = piece;
    tasks->bridge = bridge;
    bridge->counts = gws_allocate(tasks->runtime, (uint64_t)tasks->groups * octree_stats_words, sizeof *bridge->counts);
    if (!bridge->counts) return gws__octree_bridge_no_memory(where);
    return gws_device_buffer_new(tasks->device, sizeof(uint32_t) * 3 * gws__octree_most_loads, &bridge->octants, where);
}

void gws__octree_bridge_forget(struct gws__octree_bridge *bridge)
{
    gws__octree_tasks_forget(bridge->tasks);
    forget_host(bridge);
}

void gws__octree_bridge_free(struct gws__octree_bridge *bridge)
{
    if (!bridge) return;
    struct gws__octree_tasks *tasks = bridge->tasks;
    forget_host(bridge);
    gws_device_buffer_free(bridge->octants);
    gws_release(tasks->runtime, bridge->counts, (uint64_t)tasks->groups * octree_stats_words, sizeof *bridge->counts);
    gws_release(tasks->runtime, bridge, 1, sizeof *bridge);
}
