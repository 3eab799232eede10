/* SPDX-License-Identifier: MIT */
/* The interface of the strategies that build octrees on devices. A strategy is a table of functions. Opening a builder
 * selects the first strategy of the table that supports its options. */
#ifndef GWS_SPACE_OCTREE_DEVICE_STATE_H
#define GWS_SPACE_OCTREE_DEVICE_STATE_H

#include "../../octree_device.h"
#include "../octree_owner.h"
#include "../octree_state.h"

struct gws__octree_strategy {
    enum gws_octree_builder builder; /* the builder that this strategy implements, never AUTO */
    /* Returns true if the strategy supports the options on this device. Otherwise the function may set a reason in
     * *where. */
    bool (*supports)(const struct gws_octree_device *builder, struct gws_diagnostic *where);
    /* Allocates the strategy's resources. After an error, close() frees them. */
    gws_status (*open)(struct gws_octree_device *builder, struct gws_diagnostic *where);
    void (*close)(struct gws_octree_device *builder);
    /* Builds the tree of state->points. state has the options, and the grid if the caller gave the box. Otherwise the
     * strategy finds the box and sets the grid. The strategy sets state->indexed and the index
     * (gws__octree_index_new()). Sets the tree's nodes, leaves and levels (gws__octree_flatten() or
     * gws__octree_owner_allocate()), its counts from nodes to depth, and its stats except .builder. Sets the builder's
     * stats. */
    gws_status (*run)(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                      struct gws_diagnostic *where);
    /* Overwrites the device's result of run() (lib/poison.h). The function need not wait for the device. */
    gws_status (*poison)(struct gws_octree_device *builder, struct gws_diagnostic *where);
};

/* One strategy per file. The table ends with NULL. */
extern const struct gws__octree_strategy gws__octree_tasks;
extern const struct gws__octree_strategy *const gws__octree_strategies[];
extern const struct gws__octree_strategy gws__octree_sort_cuda;

/* Ensures that the buffer holds at least `bytes`. The buffer may lose its contents. */
gws_status gws__octree_buffer_reserve(struct gws_device *device, struct gws_device_buffer **buffer, uint64_t bytes,
                                      struct gws_diagnostic *where);

struct gws_octree_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_octree_device_options options; /* the options, with the chosen values */
    const struct gws__octree_strategy *strategy;
    struct gws_octree_device_stats stats; /* statistics of the last build */
    void *own;                            /* private to the strategy */
};

#endif
