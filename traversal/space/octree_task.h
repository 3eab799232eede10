/* SPDX-License-Identifier: MIT */
/* Octants as tasks: what both widths of numbers share. */
#ifndef GWS_SPACE_OCTREE_TASK_H
#define GWS_SPACE_OCTREE_TASK_H

#include "../../lib/tasks.h"
#include "octree_state.h"

/* A task: the octant of points begin .. end - 1 of the leaf order so far, and where its sprout goes. */
struct gws__octree_octant {
    uint64_t begin, end;
    gws__octree_sprout *sprout;
    uint64_t level;
};

/* One worker's counts. */
struct gws__octree_tally {
    uint64_t placed; /* points that have found their leaf */
    uint64_t tasks;
    char apart[112];
};

struct gws__octree_work {
    struct gws__octree_state *state;
    uint64_t *key; /* of the points in the index, in its order */
    struct gws__octree_tally *tally;
};

/* Keys and numbers of the points that have a key, in their order: into work->key, which is the caller's, and the
 * state's index. */
gws_status gws__octree_gather_points(struct gws__octree_work *work);

/* Of type gws_task_run, its context a struct gws__octree_work. */
void gws__octree_run_narrow(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count);
void gws__octree_run_wide(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count);

#endif
