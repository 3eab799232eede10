/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on a device: what the parts share. What the arrays hold, kernels/octree/octree_words.cl says. */
#ifndef GWS_SPACE_OCTREE_TASKS_H
#define GWS_SPACE_OCTREE_TASKS_H

#include "../../../kernels/octree/octree_words.h"
#include "../../../lib/hetero/tasks.h"
#include "octree_device_state.h"

/* What every kernel gets first, in this order (OCTREE_PARAMETERS). */
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

enum { max_attempts = 8 /* with more room each time */ };

/* The words behind the arrays. */
struct gws__octree_task_params {
    uint32_t room, points, leaf, depth, piece, chunk;
    uint64_t inner_words, base;
};

struct gws__octree_tasks;

/* What CPU workers run on deques shared with the device (octree_tasks_deques.h), compiled for one container. */
typedef void gws__octree_worker(struct gws__octree_tasks *tasks, struct gws__shared_deques *deques, uint32_t self);
gws__octree_worker gws__octree_worker_abp, gws__octree_worker_chunked;

struct gws__octree_tasks {
    struct gws_runtime *runtime;
    struct gws_device *device;
    bool steals; /* false: the static scheme */
    bool shares; /* CPU workers work on the same arrays */
    uint32_t groups, group_size;
    uint32_t threads; /* CPU workers beside the groups; 0: the device alone */
    gws__octree_worker *worker;
    struct gws_device_program *program;
    struct gws_device_buffer *array[gws__octree_arrays];
    struct gws_device_buffer *octant; /* the octants that are to be divided, */
    uint32_t octants;                 /* so many: see octree_begin */
    void *host[gws__octree_arrays];   /* the same, if shared */
    struct gws__octree_task_params words;
    uint64_t *inner; /* words.inner_words of them, the host's: what the device's handles point into */
    uint64_t control[CONTROL_WORDS];
    uint64_t *stats;     /* STATS_STRIDE for each group, and then for each CPU worker that shares */
    uint64_t min_points; /* points that are worth a launch beside CPU workers */
    uint64_t launches, handed;
};

/* Those who have deques in the device's arrays. */
static inline uint32_t gws__octree_tasks_workers(const struct gws__octree_tasks *tasks)
{
    return tasks->groups + (tasks->shares ? tasks->threads : 0);
}

/* ---- octree_tasks.c ---- */

/* What is asked of a tree of so many points, and the record's room and the queues'. */
void gws__octree_task_params_set(struct gws__octree_tasks *tasks, uint64_t points,
                                 const struct gws__octree_state *state);

/* After a run: have all points found their position? Otherwise GWS_WRONG_RESULT, or *again with more room where that
 * was short. */
gws_status gws__octree_tasks_check(struct gws__octree_tasks *tasks, bool *again, struct gws_where *where);

/* ---- octree_tasks_open.c ---- */

bool gws__octree_tasks_supports(const struct gws_octree_device *builder, struct gws_where *where);
gws_status gws__octree_tasks_open(struct gws_octree_device *builder, struct gws_where *where);
void gws__octree_tasks_close(struct gws_octree_device *builder);

/* ---- octree_tasks_memory.c ---- */

/* How many groups run at the same time. */
gws_status gws__octree_tasks_resident(const struct gws__octree_tasks *tasks, uint64_t *groups, struct gws_where *where);

/* Room for what the words say, cleared where it begins as zero, and the octants that are to be divided: in octant where
 * each begins, its points and its level. The keys are still to be written, one octant's behind the other's. */
gws_status gws__octree_tasks_ready(struct gws__octree_tasks *tasks, const uint32_t *octant, uint32_t octants,
                                   struct gws_where *where);

/* The record of the last tree is released. */
void gws__octree_tasks_release_record(struct gws__octree_tasks *tasks);
uint64_t gws__octree_tasks_bytes(const struct gws__octree_tasks *tasks);

/* The points divided: control and stats say how it went. */
gws_status gws__octree_tasks_divide(struct gws__octree_tasks *tasks, struct gws_where *where);

/* Starts dividing them, by stealing; and reads control, which waits for the end. */
gws_status gws__octree_tasks_start(struct gws__octree_tasks *tasks, struct gws_where *where);
gws_status gws__octree_tasks_read_control(struct gws__octree_tasks *tasks, struct gws_where *where);

/* Adds the groups' counts, which lie on the device, to stats. */
gws_status gws__octree_tasks_count(struct gws__octree_tasks *tasks, struct gws_where *where);

/* ---- octree_tasks_handoff.c ---- */

/* The tree of state, whose grid is set, by both sides; its record stays until it is laid out and forgotten. */
struct gws__octree_handoff;
gws_status gws__octree_handoff_build(struct gws_octree_device *builder, struct gws__octree_state *state,
                                     struct gws_octree *tree, struct gws_where *where);

#endif
