/* SPDX-License-Identifier: MIT */
/* Shared declarations of immediate tasks on devices (device_tasks.c, device_run.c, device_blocks.c, task_group.c,
 * task_sides.c). kernels/task/task.cl is the kernel. */
#ifndef GWS_LIB_HETERO_DEVICE_TASKS_H
#define GWS_LIB_HETERO_DEVICE_TASKS_H

#include "../../kernels/task/task_words.h"
#include "../device_tasks.h"
#include "device_trace.h"
#include "stop.h"
#include "task_pool.h"

enum gws__task_buffer {
    gws__task_deques,
    gws__task_control,
    gws__task_block,
    gws__task_count,
    gws__task_next,
    gws__task_stats,
    gws__task_peers, /* the kernel's description of its peers, if there are some */
    gws__task_buffers
};

enum { gws__task_slots = 128 /* of a worker's deque */ };

struct gws_device_tasks {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws__stop stop;
    struct gws__device_trace trace;
    struct gws_device_buffer *buffer[gws__task_buffers];
    uint32_t length, groups, group_size, workers;
    bool is_static; /* no stealing */
    uint64_t slice; /* nanoseconds after which the kernel pauses */
    /* Blocks: first those for the workers' stacks at a pause, then from `own` on the workers' own blocks, then from
     * `shared` on the shared blocks (kernels/task/blocks.cl). count and next mirror the device's. */
    uint32_t blocks, own, shared;
    uint32_t *count, *next;
    uint64_t *stats; /* the statistics of the workers */
    uint64_t control[TASK_CONTROL_WORDS];
    /* Tasks in the host's memory, of length + TASK_RANGE words each. */
    uint32_t *waiting;
    uint64_t waits, capacity, high_water; /* their number, now and at most */
    bool resumes;                         /* the last launch paused: blocks may be full */
    struct gws__task_side *side;   /* the side that the device is in a run of several sides; NULL: it runs alone */
    struct gws__rank_group *group; /* of devices of all ranks (rank_devices.h); NULL: none */
    uint32_t peers, peer_groups; /* other devices of its group in such a run (task_group.h), and its work-groups then */
};

/* ---- device_run.c: the parts of a run ---- */

/* Clears the tasks and the statistics, and describes the device in *result. */
gws_status gws__device_tasks_begin(struct gws_device_tasks *tasks, struct gws_device_tasks_result *result,
                                   struct gws_diagnostic *where);

/* A launch: writes the waiting tasks to the device, starts the kernel, and, when it has ended, reads what it left.
 * Other devices may access the memory of one that is prepared. Some tasks may be left: gws__task_blocks_left(). */
gws_status gws__device_tasks_prepare(struct gws_device_tasks *tasks, struct gws_diagnostic *where);
gws_status gws__device_tasks_start(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                                   struct gws_diagnostic *where);
gws_status gws__device_tasks_finish(struct gws_device_tasks *tasks, struct gws_device_tasks_result *result,
                                    struct gws_diagnostic *where);

/* Completes *result. */
gws_status gws__device_tasks_end(struct gws_device_tasks *tasks, struct gws_device_tasks_result *result,
                                 struct gws_diagnostic *where);

/* ---- device_blocks.c: tasks between the host's memory and the device's blocks ---- */

/* Allocates the host's arrays of blocks; gws__task_blocks_close() frees them, also after an error. */
gws_status gws__task_blocks_open(struct gws_device_tasks *tasks);
void gws__task_blocks_close(struct gws_device_tasks *tasks);

/* Empties all blocks. */
void gws__task_blocks_clear(struct gws_device_tasks *tasks);

/* Appends tasks, `stride` words apart, to those that wait in the host's memory. Words that the stride has no space for
 * are 0: in the first tasks of a run, the first child. */
gws_status gws__task_blocks_add(struct gws_device_tasks *tasks, const uint32_t *task, uint64_t count, uint32_t stride);

/* Moves waiting tasks to at most half of the shared blocks. Puts full blocks and free shared blocks on their lists. */
gws_status gws__task_blocks_upload(struct gws_device_tasks *tasks, struct gws_diagnostic *where);

/* After a launch that ran all its tasks, empties all blocks. After a pause, reads the counts and moves the tasks of the
 * workers' stacks to the host's memory. If the device was short of blocks, moves the tasks of the workers' own blocks,
 * too, and of shared blocks until at least half of these are free. Adds the number of those tasks to *spilled. */
gws_status gws__task_blocks_download(struct gws_device_tasks *tasks, uint64_t *spilled, struct gws_diagnostic *where);

/* Returns whether a task is left, in the host's memory or in a block, and the number of such tasks. */
bool gws__task_blocks_left(const struct gws_device_tasks *tasks);
uint64_t gws__task_blocks_count(const struct gws_device_tasks *tasks);

/* Gives half of the tasks after a pause, from all places alike, to the pool of tasks->side. */
gws_status gws__task_blocks_give(struct gws_device_tasks *tasks, struct gws_diagnostic *where);

#endif
