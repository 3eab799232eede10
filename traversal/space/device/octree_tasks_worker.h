/* SPDX-License-Identifier: MIT */
/* Octrees by tasks: the CPU's workers, who run the kernels' texts natively, as groups of one item
 * (octree_tasks_worker_body.h), on arrays that they share with a device, or on the host's own. */
#ifndef GWS_SPACE_OCTREE_TASKS_WORKER_H
#define GWS_SPACE_OCTREE_TASKS_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../lib/device.h"

struct gws__octree_words;

/* Where tasks lie, and who works on them. */
struct gws__octree_place {
    void *const *array; /* gws__octree_arrays of them, in memory of the host */
    const struct gws__octree_words *words;
    uint32_t workers; /* deques there are */
};

/* An octant that is handed to a device of other memory: its points, which of the arrays has them, where its sprout
 * goes. */
struct gws__octree_load {
    uint32_t begin, count, level, side;
    uint64_t sprout;
};
enum { gws__octree_most_loads = 64 };

/* The worker who looks after the device. */
struct gws__octree_keeper {
    uint64_t looks; /* since it ran a task */
    /* Called when there is nothing to take. placed: points that have found their place; false: all shall stop. */
    bool (*look)(struct gws__octree_keeper *keeper, uint64_t placed);
    /* Where octants are handed over, otherwise NULL. Called between tasks: how many points the device would take; 0:
     * none now. */
    uint64_t (*wants)(struct gws__octree_keeper *keeper);
    /* Hands octants over, at most gws__octree_most_loads; false: they are not worth it, and remain the worker's. */
    bool (*send)(struct gws__octree_keeper *keeper, const struct gws__octree_load *load, uint32_t loads);
};

/* What is compiled for one container. work() and keep() return when all points have found their place, or all shall
 * stop, and have then written the worker's statistics. */
struct gws__octree_worker_calls {
    void (*begin)(const struct gws__octree_place *place); /* the first task; the points have their numbers */
    void (*work)(const struct gws__octree_place *place, uint32_t self);
    void (*keep)(const struct gws__octree_place *place, uint32_t self, struct gws__octree_keeper *keeper);
};
extern const struct gws__octree_worker_calls gws__octree_worker_abp, gws__octree_worker_chunked;

/* All CPU workers, numbered from first on; the first of them is the keeper. */
struct gws__octree_crew {
    const struct gws__octree_worker_calls *calls;
    struct gws__octree_place place;
    uint32_t first, threads;
    struct gws__octree_keeper *keeper;
};
void gws__octree_crew_run(struct gws_runtime *runtime, struct gws__octree_crew *crew);

/* How long a keeper looks for tasks while nothing happens: as long as the device may take for anything. */
struct gws__octree_patience {
    uint64_t placed;
    double until_ms;
};
/* False when it is at an end; first: nothing was looked for before. */
bool gws__octree_patient(struct gws__octree_patience *patience, const struct gws_device *device, bool first,
                         uint64_t placed);

#endif
