/* SPDX-License-Identifier: MIT */
/* --device of the workloads that run on devices, the CPU's workers, or both: options, opening, and the report of
 * immediate tasks of the last run. */
#ifndef TOOLS_GTASK_TASK_SIDES_H
#define TOOLS_GTASK_TASK_SIDES_H

#include "../common/device.h"
#include "workload.h"

enum { TASK_SIDES_TEXT = (DEVICE_CHOICES_MAX + 1) * DEVICE_ADDRESS };

struct task_sides {
    const char *given; /* the list as given; NULL: the CPU */
    struct device_groups groups;
    struct device_choices list;
    bool workers;     /* the CPU's workers take part */
    uint32_t devices; /* 0: the workers alone */
    struct gws_device *device[DEVICE_CHOICES_MAX];
    bool threaded; /* given: a thread drives each of several sides, or of ranks, and each device needs a runtime */
    struct gws_runtime *runtime[DEVICE_CHOICES_MAX]; /* of the devices; NULL: the tool's */
    char text[TASK_SIDES_TEXT];                      /* the devices' addresses, with commas */
    const struct gws_ranks *ranks;                   /* each with one device; NULL: one process */
    struct gws_device_task_side_result
        found[DEVICE_CHOICES_MAX + 1]; /* of the last run: the devices, then the workers */
};

enum { TASK_SIDES_ROWS = 1, TASK_GROUPS_ROWS = 1 };
extern const struct option_row task_sides_row[TASK_SIDES_ROWS]; /* device */

/* The options of a state with a member `sides`: --device and --groups, the first row of device_groups_row. */
#define TASK_SIDES_GROUPS(type)                                                                                        \
    {task_sides_row, TASK_SIDES_ROWS, offsetof(type, sides)},                                                          \
    {                                                                                                                  \
        device_groups_row, TASK_GROUPS_ROWS, offsetof(type, sides.groups)                                              \
    }

/* Checks the options and answers "help", like a workload's check(). cpu_option: the name of a given option that only
 * the CPU supports, or NULL. */
int task_sides_check(struct task_sides *sides, const char *cpu_option);

/* Opens the devices, if some are given. On several ranks each opens one: rank r of a host the device r modulo their
 * number, where a kind without a number stands for all of its devices. Returns -1, or the exit status. */
int task_sides_open(struct task_sides *sides, struct gws_runtime *runtime);
void task_sides_close(struct task_sides *sides);

/* Reports the failure to open a workload's program, or returns -1. */
int task_sides_opened(gws_status status, const struct gws_diagnostic *where);

struct gws_device_tasks_options task_sides_options(const struct task_sides *sides);

/* Returns the number of sides, and the name of one: a device's address, or cpu. */
uint32_t task_sides_count(const struct task_sides *sides);
const char *task_sides_name(const struct task_sides *sides, uint32_t side);

/* Functions of a workload whose state begins with a struct task_sides: device(), use_ranks(), add_device(). */
const char *task_sides_address(const void *state, bool *cpu);
void task_sides_use_ranks(void *state, const struct gws_ranks *ranks);
void task_sides_add_device(const void *state, struct rank_row *row);

/* The same: table(), print(), result_json(). These report one process; on several ranks they print nothing, and JSON
 * nulls, because the ranks' table has devices. task_sides_table() prints the table of --stats: a row for each side of
 * the last run. Without devices there is none. */
void task_sides_table(const void *state, FILE *out);
void task_sides_print(const void *state, FILE *out);
void task_sides_json(const void *state, struct json *json);

void task_sides_print_devices(const struct task_sides *sides, FILE *out); /* only what devices did */

/* The member on_device of a side: null for the CPU. */
void task_sides_device_json(const struct task_sides *sides, uint32_t side, struct json *json);

#endif
