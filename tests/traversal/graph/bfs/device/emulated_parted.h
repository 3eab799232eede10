/* SPDX-License-Identifier: MIT */
/* Emulated launches of the kernel of parted graphs and of kernels/engine/index.cl. The groups of engine_run_parted()
 * are threads. The sources of kernels and of the host's engine use the same names, so they are compiled apart. */
#ifndef GWS_TESTS_TRAVERSAL_EMULATED_PARTED_H
#define GWS_TESTS_TRAVERSAL_EMULATED_PARTED_H

#include "../../../../../lib/device.h"

#include "../../../engine/emulated_count.h"

/* Starts the groups of a device, and returns. */
void emulated_parted_start(uint32_t device, const struct gws_device_launch *launch);

/* Returns whether no group of a device runs. */
bool emulated_parted_ended(uint32_t device);

/* Runs another kernel in one group. */
void emulated_parted_serial(const struct gws_device_launch *launch);

#endif
