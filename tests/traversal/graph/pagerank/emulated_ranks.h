/* SPDX-License-Identifier: MIT */
/* Emulated launches of the kernel of PageRank on parted graphs. Its groups are threads. The sources of kernels and of
 * the host's engine use the same names, so they are compiled apart. */
#ifndef GWS_TESTS_TRAVERSAL_EMULATED_RANKS_H
#define GWS_TESTS_TRAVERSAL_EMULATED_RANKS_H

#include "../../../../lib/device.h"

#include "../../engine/emulated_count.h"

/* Starts the groups of a device, and returns. All emulated devices have shares of type float. */
void emulated_ranks_start(uint32_t device, const struct gws_device_launch *launch);

/* Returns whether no group of a device runs. */
bool emulated_ranks_ended(uint32_t device);

#endif
