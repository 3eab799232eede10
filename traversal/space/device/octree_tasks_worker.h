/* SPDX-License-Identifier: MIT */
/* Octrees by tasks: the CPU's workers, who run the kernels' texts natively, as groups of one item, on the same arrays
 * (octree_tasks_worker_body.h). */
#ifndef GWS_SPACE_OCTREE_TASKS_WORKER_H
#define GWS_SPACE_OCTREE_TASKS_WORKER_H

#include <stdbool.h>
#include <stdint.h>

struct gws__octree_words;

/* Where tasks lie, and who works on them. */
struct gws__octree_place {
    void *const *array; /* gws__octree_arrays of them, in memory of the host */
    const struct gws__octree_words *words;
    uint32_t workers; /* deques there are */
};

/* The worker who looks after the device. */
struct gws__octree_keeper {
    /* Called when there is nothing to take. placed: points that have found their place; false: all shall stop. */
    bool (*look)(struct gws__octree_keeper *keeper, uint64_t placed);
    uint64_t looks; /* since it ran a task */
};

/* What is compiled for one container. Each returns when all points have found their place, or all shall stop, and has
 * then written the worker's statistics. */
struct gws__octree_worker_calls {
    void (*work)(const struct gws__octree_place *place, uint32_t self);
    void (*keep)(const struct gws__octree_place *place, uint32_t self, struct gws__octree_keeper *keeper);
};
extern const struct gws__octree_worker_calls gws__octree_worker_abp, gws__octree_worker_chunked;

#endif
