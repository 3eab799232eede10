/* SPDX-License-Identifier: MIT */
/* --device of the workloads that run immediate tasks on a device: options, opening, and the report of the last run. */
#ifndef TOOLS_GTASK_TASK_DEVICE_H
#define TOOLS_GTASK_TASK_DEVICE_H

#include "../common/device.h"
#include "workload.h"

struct task_device {
    const char *address; /* NULL: the CPU; before task_device_check() the list as given */
    struct device_groups groups;
    char found[DEVICE_ADDRESS]; /* the resolved device */
    struct gws_device *device;
    struct gws_device_tasks_result stats; /* of the last run */
};

enum { TASK_DEVICE_ROWS = 1, TASK_GROUPS_ROWS = 1 };
extern const struct option_row task_device_row[TASK_DEVICE_ROWS]; /* device */

/* The options of a state with a member `device`: --device and --groups, the first row of device_groups_row. */
#define TASK_DEVICE_GROUPS(type)                                                                                       \
    {task_device_row, TASK_DEVICE_ROWS, offsetof(type, device)},                                                       \
    {                                                                                                                  \
        device_groups_row, TASK_GROUPS_ROWS, offsetof(type, device.groups)                                             \
    }

/* Checks the options and answers "help", like a workload's check(). cpu_option: the name of a given option that only
 * the CPU supports, or NULL. */
int task_device_check(struct task_device *device, const char *cpu_option);

/* Opens the device, if one is given. Returns -1, or the exit status. */
int task_device_open(struct task_device *device, struct gws_runtime *runtime);
void task_device_close(struct task_device *device);

/* A workload's device(). */
const char *task_device_address(const struct task_device *device, bool *cpu);

/* Reports the failure to open a workload's program, or returns -1. */
int task_device_opened(gws_status status, const struct gws_diagnostic *where);

struct gws_device_tasks_options task_device_options(const struct task_device *device);

void task_device_print(const struct task_device *device, FILE *out);
void task_device_json(const struct task_device *device, struct json *json);

#endif
