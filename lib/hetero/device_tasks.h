/* SPDX-License-Identifier: MIT */
/* Shared declarations of immediate tasks on a device (device_tasks.c, device_blocks.c). kernels/task/task.cl is the
 * kernel. */
#ifndef GWS_LIB_HETERO_DEVICE_TASKS_H
#define GWS_LIB_HETERO_DEVICE_TASKS_H

#include "../../kernels/task/task_words.h"
#include "../device_tasks.h"
#include "stop.h"

enum gws__task_buffer {
    gws__task_deques,
    gws__task_control,
    gws__task_block,
    gws__task_count,
    gws__task_next,
    gws__task_stats,
    gws__task_buffers
};

struct gws_device_tasks {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws__stop stop;
    struct gws_device_buffer *buffer[gws__task_buffers];
    uint32_t length, groups, group_size, workers;
    uint64_t slice; /* nanoseconds after which the kernel pauses */
    /* Blocks: first those for the workers' stacks at a pause, then from `own` on the workers' own blocks, then from
     * `shared` on the shared blocks (kernels/task/blocks.cl). count and next mirror the device's. */
    uint32_t blocks, own, shared;
    uint32_t *count, *next;
    uint64_t *stats; /* the statistics of the workers */
    uint64_t control[TASK_CONTROL_WORDS];
    /* Tasks in the host's memory, of length + 1 words each. */
    uint32_t *waiting;
    uint64_t waits, capacity;
    bool resumes; /* the last launch paused: blocks may be full */
};

/* ---- device_blocks.c: tasks between the host's memory and the device's blocks ---- */

/* Allocates the host's arrays of blocks; gws__task_blocks_close() frees them, also after an error. */
gws_status gws__task_blocks_open(struct gws_device_tasks *tasks);
void gws__task_blocks_close(struct gws_device_tasks *tasks);

/* Empties all blocks. */
void gws__task_blocks_clear(struct gws_device_tasks *tasks);

/* Appends tasks to those that wait in the host's memory. */
gws_status gws__task_blocks_add(struct gws_device_tasks *tasks, const uint32_t *task, uint64_t count);

/* Moves waiting tasks to at most half of the shared blocks. Puts full blocks and free shared blocks on their lists. */
gws_status gws__task_blocks_upload(struct gws_device_tasks *tasks, struct gws_diagnostic *where);

/* After a launch that ran all its tasks, empties all blocks. After a pause, reads the counts and moves the tasks of the
 * workers' stacks to the host's memory. If the device was short of blocks, moves the tasks of the workers' own blocks,
 * too, and of shared blocks until at least half of these are free. Adds the number of those tasks to *spilled. */
gws_status gws__task_blocks_download(struct gws_device_tasks *tasks, uint64_t *spilled, struct gws_diagnostic *where);

/* Returns whether a task is left, in the host's memory or in a block. */
bool gws__task_blocks_left(const struct gws_device_tasks *tasks);

#endif
