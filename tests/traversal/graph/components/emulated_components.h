/* SPDX-License-Identifier: MIT */
/* Emulated launches of the kernels of components, in one group. The sources of kernels and of the host's engine use the
 * same names, so they are compiled apart. */
#ifndef GWS_TESTS_TRAVERSAL_EMULATED_COMPONENTS_H
#define GWS_TESTS_TRAVERSAL_EMULATED_COMPONENTS_H

#include "../../../../lib/device.h"

/* Runs graph_components() or components_merge(), and returns true. Returns false for another kernel. */
bool emulated_components_run(const struct gws_device_launch *launch);

#endif
