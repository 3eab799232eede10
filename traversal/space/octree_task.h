/* SPDX-License-Identifier: MIT */
/* Octants as tasks: what both widths of numbers share. */
#ifndef GWS_SPACE_OCTREE_TASK_H
#define GWS_SPACE_OCTREE_TASK_H

#include <stdatomic.h>

#include "../../lib/tasks.h"
#include "octree_state.h"

/* A task: the octant of points begin .. end - 1 of the leaf order so far, and where its sprout goes. */
struct gws__octree_octant {
    uint64_t begin, end;
    gws__octree_sprout *sprout;
    uint64_t level;
};

enum { gws__octree_parts = 64 }; /* of the points, by the first two digits of their keys */

/* One worker's counts. */
struct gws__octree_tally {
    _Atomic uint64_t placed; /* points that have found their leaf; relaxed: others read it for an estimate alone */
    uint64_t tasks;          /* octants divided */
    char apart[112];
};

struct gws__octree_work {
    struct gws__octree_state *state;
    uint64_t *key;   /* of the points in the index, in its order */
    uint64_t stable; /* octants of at least so many points keep them in their order while they are divided; 0: none. The
                      * others' are put in order leaf by leaf */
    uint64_t *spare_key; /* for that, as many as keys; NULL: not needed */
    void *spare_index;
    struct gws__octree_tally *tally;
    uint64_t placed_on_device;            /* points, while it runs: of who calls gws__octree_placed() */
    uint64_t part[gws__octree_parts + 1]; /* where each part begins, if the points are in that order */
    struct gws__octree_octant root[gws__octree_parts];
    uint32_t roots;
};

/* Keys and numbers of the points that have a key, in their order, or part by part: into work->key, which is the
 * caller's, and the state's index. */
gws_status gws__octree_gather_points(struct gws__octree_work *work, bool by_part);

/* Readies the first tasks of work->state; work is {.state} before, and gws__octree_work_close() is due in any case. */
gws_status gws__octree_work_open(struct gws__octree_work *work);
void gws__octree_work_close(struct gws__octree_work *work);

/* Runs them and all that they spawn, by runner(context, work, tasks) or, if it is NULL, by gws_tasks_run(). */
typedef gws_status gws__octree_runner(void *context, struct gws__octree_work *work, const struct gws_tasks *tasks);
gws_status gws__octree_work_run(struct gws__octree_work *work, gws__octree_runner *runner, void *context);

/* Points that have found their leaf so far. */
static inline uint64_t gws__octree_placed(const struct gws__octree_work *work)
{
    uint64_t placed = work->placed_on_device;
    for (uint32_t w = 0; w < gws_runtime_workers(work->state->runtime); w++)
        placed += atomic_load_explicit(&work->tally[w].placed, memory_order_relaxed);
    return placed;
}

/* Of type gws_task_run, its context a struct gws__octree_work. */
void gws__octree_run_narrow(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count);
void gws__octree_run_wide(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count);

#endif
