/* SPDX-License-Identifier: MIT */
/* --device of a workload that runs on one device: the option, and opening. */
#ifndef TOOLS_GTASK_TASK_DEVICE_H
#define TOOLS_GTASK_TASK_DEVICE_H

#include "../common/device.h"
#include "workload.h"

struct task_device {
    const char *address;        /* NULL: the CPU; before task_device_check() the list as given */
    char found[DEVICE_ADDRESS]; /* the resolved device */
    struct gws_device *device;
};

enum { TASK_DEVICE_ROWS = 1 };
extern const struct option_row task_device_row[TASK_DEVICE_ROWS]; /* device */

/* Checks the options and answers "help", like a workload's check(). cpu_option: the name of a given option that only
 * the CPU supports, or NULL. */
int task_device_check(struct task_device *device, const char *cpu_option);

/* Opens the device, if one is given. Returns -1, or the exit status. */
int task_device_open(struct task_device *device, struct gws_runtime *runtime);
void task_device_close(struct task_device *device);

/* A workload's device(). */
const char *task_device_address(const struct task_device *device, bool *cpu);

#endif
