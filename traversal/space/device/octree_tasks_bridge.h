/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on both sides without shared memory: what handing over (octree_tasks_hand.c) and the rest
 * (octree_tasks_bridged.c) share. */
#ifndef GWS_SPACE_OCTREE_TASKS_BRIDGE_H
#define GWS_SPACE_OCTREE_TASKS_BRIDGE_H

#include <stdatomic.h>

#include "octree_tasks.h"

/* The record of octants that came back. */
struct gws__octree_returned {
    struct gws__octree_returned *before;
    uint64_t *twig, words;
};

struct gws__octree_bridge {
    struct gws__octree_keeper keeper;
    struct gws__octree_tasks *tasks; /* the device's side */
    /* The host's. */
    void *host[gws__octree_arrays];
    uint64_t bytes[gws__octree_arrays];
    struct gws__octree_words words;
    const uint64_t *given; /* the keys, in their order */
    /* The keeper's. */
    struct gws_device_buffer *octants;
    struct gws__octree_load load[gws__octree_most_loads]; /* with the device, if busy */
    uint32_t loads, loaded;                               /* loaded: their points */
    bool busy;
    int tried;
    struct gws__octree_returned *returned;
    uint64_t *counts;                               /* of the last launch */
    uint64_t placed_there;                          /* points */
    double began_ms, launched_ms, busy_ms, next_ms; /* next_ms: when to look at the device again */
    struct gws__octree_patience patience;
    gws_status status;
    struct gws_where *where;
};

static inline _Atomic uint64_t *gws__octree_bridge_placed(const struct gws__octree_bridge *bridge)
{
    return (_Atomic uint64_t *)bridge->host[gws__octree_control] + octree_placed;
}

static inline gws_status gws__octree_bridge_no_memory(struct gws_where *where)
{
    return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
}

/* The fewest points that are worth a launch. */
uint64_t gws__octree_bridge_least(const struct gws__octree_bridge *bridge);

/* The keeper's send(); and when the kernel has ended, what came back, or the same octants sent again. */
bool gws__octree_bridge_send(struct gws__octree_keeper *keeper, const struct gws__octree_load *load, uint32_t loads);
gws_status gws__octree_bridge_settle(struct gws__octree_bridge *bridge, struct gws_where *where);

#endif
