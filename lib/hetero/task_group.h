/* SPDX-License-Identifier: MIT */
/* Devices that run immediate tasks as one side of a run: each of them addresses the memory of the others, and atomics
 * work there. Their kernels run at the same time and steal from each other (kernels/task/across.cl), without the host.
 * A device without such peers is a group of one. One thread drives a group. */
#ifndef GWS_LIB_HETERO_TASK_GROUP_H
#define GWS_LIB_HETERO_TASK_GROUP_H

#include "device_tasks.h"

struct gws__task_device {
    struct gws__task_side side; /* the first device of a group joins the pool for all; the others give tasks, too */
    const struct gws_device_task_side *from; /* NULL: no device */
    struct gws_device_tasks_result result;
    struct gws__task_device *next;             /* of the group */
    struct gws__task_device *peer[TASK_PEERS]; /* the other devices of the group, nearest first */
    bool is_first;
    double landed_ms; /* when the kernels of the group ended */
    pthread_t thread; /* of a first device */
    bool started;
};

/* Returns whether a device can join the group of `first`. Every pair must share atomics, and each must be supported. */
bool gws__task_group_admits(const struct gws__task_device *first, const struct gws__task_device *device);

/* Sets the number of groups of the kernel for devices with peers. Returns false if the program has no such kernel, the
 * schedule is static, or the device shares no memory with the host and so cannot be told of another one's failure. */
bool gws__task_group_supports(struct gws_device_tasks *tasks);

/* Lets the devices reach each other, and writes the table of peers of each device. Errors: those of gws_device_reach()
 * and of gws_device_write(). */
gws_status gws__task_group_connect(struct gws__task_device *first, struct gws_diagnostic *where);

/* Shares tasks of the pool, `stride` words apart, among the devices. Errors: GWS_NO_MEMORY. */
gws_status gws__task_group_add(struct gws__task_device *first, const uint32_t *task, uint64_t count, uint32_t stride);

/* Launches all kernels and waits for them. *gives: another side waits for tasks. Errors: GWS_CANCELLED (the run is
 * over), and those of a launch. No kernel runs after an error, unless its device is lost. */
gws_status gws__task_group_launch(struct gws__task_device *first, bool *gives, struct gws_diagnostic *where);

/* Returns whether a task is left. */
bool gws__task_group_left(const struct gws__task_device *first);

/* Gives half of the tasks to the pool, unless the devices have fewer tasks than workers. */
gws_status gws__task_group_give(struct gws__task_device *first, struct gws_diagnostic *where);

/* Adds the tasks that the devices stole from each other to those that their sides took and gave. */
void gws__task_group_count(struct gws__task_device *first);

#endif
