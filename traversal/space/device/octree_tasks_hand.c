/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on both sides without shared memory: octants sent to the device, and what comes back; see
 * octree_tasks_bridged.c. */
#include "octree_tasks_bridge.h"

#include <string.h>

enum { least_part = 32, most_piece = 65536, tries = 8 };

/* ---- octants to the device ---- */

uint64_t gws__octree_bridge_least(const struct gws__octree_bridge *bridge)
{
    uint32_t piece = bridge->words.piece < most_piece ? bridge->words.piece : most_piece;
    return piece / least_part > 0 ? piece / least_part : 1;
}

/* The octants' keys, one octant behind the other, and where each lies there. */
static gws_status write_loads(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    uint32_t octant[3 * gws__octree_most_loads], begin = 0;
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < bridge->loads && status == GWS_OK; i++) {
        const struct gws__octree_load *load = &bridge->load[i];
        const uint64_t *key = bridge->host[load->side ? gws__octree_other_key : gws__octree_key];
        octant[3 * i] = begin;
        octant[3 * i + 1] = load->count;
        octant[3 * i + 2] = load->level;
        status = gws_device_write(bridge->tasks->array[gws__octree_key], begin * UINT64_C(8), key + load->begin,
                                  load->count * UINT64_C(8), where);
        begin += load->count;
    }
    if (status != GWS_OK) return status;
    return gws_device_write(bridge->octants, 0, octant, bridge->loads * 3 * sizeof *octant, where);
}

static gws_status launch(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = bridge->tasks;
    gws__octree_tasks_forget(tasks);
    gws_status status = gws__octree_tasks_room(tasks, where);
    if (status == GWS_OK) status = gws__octree_tasks_clear(tasks, where);
    if (status == GWS_OK) status = write_loads(bridge, where);
    if (status == GWS_OK) status = gws__octree_tasks_start(tasks, bridge->octants, bridge->loads, where);
    bridge->launched_ms = gws_clock_ms();
    bridge->busy = status == GWS_OK;
    return status;
}

bool gws__octree_bridge_send(struct gws__octree_keeper *keeper, const struct gws__octree_load *load, uint32_t loads)
{
    struct gws__octree_bridge *bridge = (struct gws__octree_bridge *)keeper;
    struct gws__octree_tasks *tasks = bridge->tasks;
    uint64_t points = 0;
    for (uint32_t i = 0; i < loads; i++) points += load[i].count;
    if (points < gws__octree_bridge_least(bridge)) return false;
    memcpy(bridge->load, load, loads * sizeof *load);
    bridge->loads = loads;
    bridge->loaded = (uint32_t)points;
    bridge->tried = 0;
    gws__octree_words_set(&tasks->words, points, bridge->words.leaf, bridge->words.depth, tasks->groups);
    tasks->launches++;
    tasks->handed += loads;
    tasks->stats[octree_stats_steals] += loads; /* it is the keeper who steals; the first group counts it */
    tasks->stats[octree_stats_stolen] += loads;
    bridge->status = launch(bridge, bridge->where);
    return true;
}

/* ---- and back ---- */

/* The points' order: what the device numbered from 0 on are places of the octants' points here. */
static gws_status fetch_order(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = bridge->tasks;
    uint32_t *order = gws_allocate(tasks->runtime, bridge->loaded, sizeof *order), at = 0;
    if (!order) return gws__octree_bridge_no_memory(where);
    gws_status status = gws_device_read(tasks->array[gws__octree_out], 0, order, bridge->loaded * sizeof *order, where);
    for (uint32_t i = 0; i < bridge->loads && status == GWS_OK; i++) {
        const struct gws__octree_load *load = &bridge->load[i];
        const uint32_t *number = bridge->host[load->side ? gws__octree_other_number : gws__octree_number];
        uint32_t *out = (uint32_t *)bridge->host[gws__octree_out] + load->begin;
        for (uint32_t j = 0; j < load->count; j++) out[j] = number[load->begin + (order[at + j] - at)];
        at += load->count;
    }
    gws_release(tasks->runtime, order, bridge->loaded, sizeof *order);
    return status;
}

/* The record stays where it is until the tree has been laid out. */
static gws_status fetch_twigs(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = bridge->tasks;
    struct gws__octree_returned *made = gws_allocate(tasks->runtime, 1, sizeof *made);
    if (!made) return gws__octree_bridge_no_memory(where);
    *made = (struct gws__octree_returned){bridge->returned, tasks->twig, tasks->words.twigs};
    bridge->returned = made;
    tasks->twig = NULL;
    gws_status status = gws_device_read(tasks->array[gws__octree_twig], 0, made->twig,
                                        tasks->control[octree_twigs] * sizeof *made->twig, where);
    uint64_t *twig = bridge->host[gws__octree_twig];
    for (uint32_t i = 0; i < bridge->loads && status == GWS_OK; i++) twig[bridge->load[i].sprout] = made->twig[i];
    return status;
}

static gws_status fetch_counts(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = bridge->tasks;
    uint64_t words = (uint64_t)tasks->groups * octree_stats_words;
    gws_status status =
        gws_device_read(tasks->array[gws__octree_counts], 0, bridge->counts, words * sizeof *bridge->counts, where);
    for (uint64_t i = 0; i < words && status == GWS_OK; i++) {
        uint64_t *sum = &tasks->stats[i], high = bridge->counts[i] > *sum ? bridge->counts[i] : *sum;
        *sum = i % octree_stats_words == octree_stats_high ? high : *sum + bridge->counts[i];
    }
    return status;
}

static gws_status take_back(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    gws_status status = fetch_order(bridge, where);
    if (status == GWS_OK) status = fetch_twigs(bridge, where);
    if (status == GWS_OK) status = fetch_counts(bridge, where);
    if (status != GWS_OK) return status;
    bridge->placed_there += bridge->loaded;
    bridge->busy_ms += gws_clock_ms() - bridge->launched_ms;
    /* relaxed, as in kernels/octree/octree_tasks.cl: only the sum counts, and the loop's end publishes what was placed.
     */
    atomic_fetch_add_explicit(gws__octree_bridge_placed(bridge), bridge->loaded, memory_order_relaxed);
    return GWS_OK;
}

/* The kernel has ended. Where it had too little room, the same octants are sent again. */
gws_status gws__octree_bridge_settle(struct gws__octree_bridge *bridge, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = bridge->tasks;
    gws_status status = gws__octree_tasks_look(tasks, where);
    bridge->busy = false;
    if (status != GWS_OK) return status;
    if (gws__octree_all_placed(&tasks->words, tasks->control)) return take_back(bridge, where);
    gws__octree_tasks_forget(tasks);
    if (++bridge->tried < tries && gws__octree_words_grow(&tasks->words, tasks->control[octree_state]))
        return launch(bridge, where);
    return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%s: %llu points of an octant's %lu found a place",
                         gws_device_describe(tasks->device)->address, (unsigned long long)tasks->control[octree_placed],
                         (unsigned long)bridge->loaded);
}
