/* SPDX-License-Identifier: MIT */
/* gtask madness on a device: its options, the builder there, its tree held against the CPU's. */
#ifndef TOOLS_GTASK_MADNESS_DEVICE_H
#define TOOLS_GTASK_MADNESS_DEVICE_H

#include <stdio.h>

#include "../../graphws.h"
#include "../common/device.h"
#include "../common/json.h"

struct madness_device {
    const char *address; /* NULL: the CPU; as it is given, a list */
    bool cpu;            /* the threads take part beside the device */
    struct device_groups groups;
    char found[DEVICE_ADDRESS]; /* what "auto" is */
    struct gws_device *device;
    struct gws_madness_device *builder;
    struct gws_madness_device_stats stats; /* of the last run */
    double open_ms, call_ms;               /* opening the builder, without its programs; the last run's call */
};

enum { MADNESS_DEVICE_ROWS = 1 };
extern const struct option_row madness_device_row[MADNESS_DEVICE_ROWS];

/* What the options say together; answers "help". As a workload's check(). */
int madness_device_check(struct madness_device *device);

/* Opens the device and readies it for an order, if one is asked for: -1, or the status to exit with. */
int madness_device_open(struct madness_device *device, struct gws_runtime *runtime, uint32_t order);
void madness_device_close(struct madness_device *device);

gws_status madness_device_run(struct madness_device *device, const struct gws_madness_problem *problem,
                              struct gws_madness_tree **tree, struct gws_where *where);

/* Makes the tree once more, by the CPU, and compares: every box, every coefficient to rounding. */
gws_status madness_device_compare(const struct madness_device *device, struct gws_runtime *runtime,
                                  const struct gws_madness_problem *problem, const struct gws_madness_tree *tree,
                                  struct gws_where *where);

/* The last run, as lines and as members of the object that is open. */
void madness_device_print(const struct madness_device *device, FILE *out);
void madness_device_json(const struct madness_device *device, struct json *json);

#endif
