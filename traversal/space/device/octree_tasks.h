/* SPDX-License-Identifier: MIT */
/* Shared declarations of building octrees by tasks on a device. kernels/octree/octree_words.cl describes the arrays. */
#ifndef GWS_SPACE_OCTREE_TASKS_H
#define GWS_SPACE_OCTREE_TASKS_H

#include "../../../kernels/octree/octree_words.h"
#include "../../../lib/hetero/device_trace.h"
#include "../../../lib/hetero/tasks.h"
#include "octree_device_state.h"

/* The first arguments of every kernel, in this order. The trace and the words follow (OCTREE_PARAMETERS). */
enum gws__octree_array {
    gws__octree_key,
    gws__octree_other_key,
    gws__octree_number,
    gws__octree_other_number,
    gws__octree_out,
    gws__octree_entry,
    gws__octree_done,
    gws__octree_inner,
    gws__octree_control,
    gws__octree_deques,
    gws__octree_counts,
    gws__octree_arrays
};

enum { max_attempts = 8 /* each attempt has larger capacities */ };

struct gws__octree_tasks;

/* The loop of CPU workers on deques shared with the device (octree_tasks_deques.h), compiled once per kind of deque. */
typedef void gws__octree_worker(struct gws__octree_tasks *tasks, struct gws__shared_deques *deques, uint32_t self);
gws__octree_worker gws__octree_worker_abp, gws__octree_worker_chunked;

struct gws__octree_tasks {
    struct gws_runtime *runtime;
    struct gws_device *device;
    bool steals; /* true: work stealing; false: the static scheme */
    bool shares; /* CPU workers use the device's arrays */
    uint32_t groups, group_size;
    uint32_t threads; /* number of CPU workers beside the groups; 0: device only */
    gws__octree_worker *worker;
    struct gws_device_program *program;
    struct gws_device_buffer *array[gws__octree_arrays];
    struct gws_device_buffer *octant; /* the octants to divide, in the layout of the kernel octree_begin */
    uint32_t octants;                 /* number of octants to divide */
    void *host[gws__octree_arrays];   /* host pointers of the arrays if host and device share them */
    struct gws__device_trace trace;
    struct gws__octree_params params;
    uint64_t *inner; /* the host's copy of params.inner_words words, into which the device's handles point */
    uint64_t control[CONTROL_WORDS];
    uint64_t *stats;     /* STATS_STRIDE words per group, then per CPU worker that shares the arrays */
    uint64_t min_points; /* minimum points for a launch beside CPU workers */
    uint64_t launches, handed_off;
};

/* Returns the number of workers with deques in the device's arrays. */
static inline uint32_t gws__octree_tasks_workers(const struct gws__octree_tasks *tasks)
{
    return tasks->groups + (tasks->shares ? tasks->threads : 0);
}

/* ---- octree_tasks.c ---- */

/* Sets the parameters of a tree of that many points, and the capacities of records and queues. */
void gws__octree_params_set(struct gws__octree_tasks *tasks, uint64_t points, const struct gws__octree_state *state);

/* Checks after a run whether all points reached leaves. If some did not, returns GWS_WRONG_RESULT, or sets *again and
 * enlarges the capacity that was too small. */
gws_status gws__octree_tasks_check(struct gws__octree_tasks *tasks, bool *again, struct gws_diagnostic *where);

/* ---- octree_tasks_open.c ---- */

bool gws__octree_tasks_supports(const struct gws_octree_device *builder, struct gws_diagnostic *where);
gws_status gws__octree_tasks_open(struct gws_octree_device *builder, struct gws_diagnostic *where);
void gws__octree_tasks_close(struct gws_octree_device *builder);

/* ---- octree_tasks_memory.c ---- */

/* Finds the number of groups that can run at the same time. */
gws_status gws__octree_tasks_resident(const struct gws__octree_tasks *tasks, uint64_t *groups,
                                      struct gws_diagnostic *where);

/* Reserves and clears the arrays and writes the octants to divide. Each entry of octant has the octant's beginning,
 * number of points and level. The caller then writes the keys, octant after octant. */
gws_status gws__octree_tasks_ready(struct gws__octree_tasks *tasks, const uint32_t *octant, uint32_t octants,
                                   struct gws_diagnostic *where);

/* Frees the record of the last tree. */
void gws__octree_tasks_release_record(struct gws__octree_tasks *tasks);
uint64_t gws__octree_tasks_bytes(const struct gws__octree_tasks *tasks);

/* Divides the points. control and stats receive the outcome. */
gws_status gws__octree_tasks_divide(struct gws__octree_tasks *tasks, struct gws_diagnostic *where);

/* gws__octree_tasks_start() starts the division. gws__octree_tasks_read_control() waits for the end of the division
 * and reads control. */
gws_status gws__octree_tasks_start(struct gws__octree_tasks *tasks, struct gws_diagnostic *where);
gws_status gws__octree_tasks_read_control(struct gws__octree_tasks *tasks, struct gws_diagnostic *where);

/* Adds the groups' counters to stats. */
gws_status gws__octree_tasks_count(struct gws__octree_tasks *tasks, struct gws_diagnostic *where);

/* ---- octree_tasks_handoff.c ---- */

/* Builds the tree of state, whose grid is set, on CPU workers and the device. */
struct gws__octree_handoff;
gws_status gws__octree_handoff_build(struct gws_octree_device *builder, struct gws__octree_state *state,
                                     struct gws_octree *tree, struct gws_diagnostic *where);

#endif
