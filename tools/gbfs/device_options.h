/* SPDX-License-Identifier: MIT */
/* --device and the options that go with a device: what they say, and what of it makes sense together. */
#ifndef TOOLS_GBFS_DEVICE_OPTIONS_H
#define TOOLS_GBFS_DEVICE_OPTIONS_H

#include "../common/device.h"
#include "../common/engine.h"

struct device_settings {
    struct device_groups groups;
    const char *devices;                       /* as --device lists them; NULL: the CPU's threads alone */
    const char *threshold;                     /* "auto" or a number; NULL: not given */
    int steal, order, form, launch, placement; /* enums of the library; -1: not given */
    uint64_t memory;                           /* bytes; 0: all */
    uint64_t batch;                            /* searches in a call; 0: not given, one */
    int no_index, fetch;                       /* 1: without indexes; what is brought, -1: not given */
};

/* What a command line without any of the options says. */
#define DEVICE_SETTINGS_NONE                                                                                           \
    {                                                                                                                  \
        .steal = -1, .order = -1, .form = -1, .launch = -1, .placement = -1, .fetch = -1                               \
    }

enum { DEVICE_ROWS = 11 };
extern const struct option_row device_row[DEVICE_ROWS];

/* Answers --device help, refuses what does not exist, does not go together or would do nothing, and fills choice: the
 * status to exit with, or -1 to go on. */
int device_check(const struct device_settings *settings, const struct engine_settings *engine,
                 struct device_choice *choice);

/* The settings as the library takes them, once they have been checked; cpu as choice says. */
struct gws_device_graph_options device_graph_options(const struct device_settings *settings);

/* The arrays that a search's result is to have, a set of enum gws_bfs_part. */
uint32_t device_parts(const struct device_settings *settings);
struct gws_bfs_device_options device_options(const struct device_settings *settings,
                                             const struct engine_settings *engine, const struct device_choice *choice,
                                             enum gws_bfs_direction direction);

/* Names of the enums' values. */
extern const char *const device_steal_name[], *const device_order_name[];

#endif
