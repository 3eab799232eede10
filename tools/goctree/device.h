/* SPDX-License-Identifier: MIT */
/* Trees built on a device: --device, and a builder there. */
#ifndef TOOLS_GOCTREE_DEVICE_H
#define TOOLS_GOCTREE_DEVICE_H

#include "settings.h"

/* {0}: the CPU's threads build. */
struct tree_device {
    struct gws_device *device;
    struct gws_octree_device *builder;
    struct gws_octree_device_options chosen; /* what the options that were not given became */
    struct gws_octree_device_stats stats;    /* of the last build */
    double open_ms, call_ms;                 /* opening the builder, without its programs; the last build's call */
};

/* Reads what --device names into settings->choice, and refuses what is none: -1, or the status to exit with. */
int tree_device_choose(struct settings *settings);

/* Refuses options that would do nothing: -1, or the status to exit with. */
int tree_device_check(const struct settings *settings);

/* Whether a device is named; auto may yet turn out to be the CPU. */
bool tree_device_wanted(const struct settings *settings);

/* Opens the device and the builder, if one is wanted. Answers -1, or the status to exit with after the mistake has been
 * reported; tree_device_close() is due in both cases. */
int tree_device_open(struct tree_device *device, struct gws_runtime *runtime, const struct settings *settings);
void tree_device_close(struct tree_device *device);

#endif
