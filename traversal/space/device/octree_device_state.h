/* SPDX-License-Identifier: MIT */
/* What the strategies of building octrees on devices share. A strategy is a row of functions; which one a builder goes
 * is settled when it is opened: the first in the table that supports. */
#ifndef GWS_SPACE_OCTREE_DEVICE_STATE_H
#define GWS_SPACE_OCTREE_DEVICE_STATE_H

#include "../../octree_device.h"
#include "../octree_owner.h"
#include "../octree_state.h"

struct gws__octree_strategy {
    enum gws_octree_builder builder; /* what it is: never AUTO */
    /* Can it do what is asked for, on this device? If not, it may say why in *where. */
    bool (*supports)(const struct gws_octree_device *builder, struct gws_where *where);
    /* Makes what the strategy needs. What failed halfway, close() frees. */
    gws_status (*open)(struct gws_octree_device *builder, struct gws_where *where);
    void (*close)(struct gws_octree_device *builder);
    /* Builds the tree of state->points. state has what was asked for, and the grid where the box is given; otherwise
     * the strategy finds the box and sets the grid. Sets state->kept and the index (gws__octree_index_new()); and of
     * the tree the nodes, leaves and levels (gws__octree_flatten() or gws__octree_owner_allocate()), the counts from
     * nodes to depth, and stats but for .builder. Sets the builder's stats. */
    gws_status (*run)(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                      struct gws_where *where);
    /* Overwrites what run() has left on the device (lib/poison.h). Need not wait. */
    gws_status (*poison)(struct gws_octree_device *builder, struct gws_where *where);
};

/* One a file: octree_WAY.c. NULL at the end. */
extern const struct gws__octree_strategy gws__octree_tasks;
extern const struct gws__octree_strategy *const gws__octree_strategies[];
extern const struct gws__octree_strategy gws__octree_sort_cuda;

/* Room for so many bytes at least; what was there may be lost. */
gws_status gws__octree_buffer_reserve(struct gws_device *device, struct gws_device_buffer **buffer, uint64_t bytes,
                                      struct gws_where *where);

static inline gws_status gws__octree_no_memory(struct gws_where *where)
{
    return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
}

struct gws_octree_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_octree_device_options options; /* with what was chosen */
    const struct gws__octree_strategy *strategy;
    struct gws_octree_device_stats stats; /* of the last build */
    void *own;                            /* the strategy's */
};

#endif
