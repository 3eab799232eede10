/* SPDX-License-Identifier: MIT */
/* The state of components on a device. */
#ifndef GWS_TRAVERSAL_COMPONENTS_DEVICE_STATE_H
#define GWS_TRAVERSAL_COMPONENTS_DEVICE_STATE_H

#include "../../components.h"
#include "../../engine/device_kernel.h"

/* The buffers after LIST are those of weak components, or those of strong components. */
enum gws__components_buffer {
    COMPONENT,
    COUNT,
    ARRIVED,
    LIST,
    VISITED,
    WEAK_BUFFERS,
    COLOUR = VISITED,
    REGION,
    HEAVY,
    BEST,
    BUFFERS
};

struct gws_components_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[BUFFERS];
    bool strong;
};

/* Opens the kernel and makes the buffers. Errors: those of gws_components_device_open_strong(). */
gws_status gws__components_open_strong(struct gws_components_device *components, struct gws_device_graph *on_device,
                                       struct gws_diagnostic *where);

gws_status gws__components_run_strong(struct gws_components_device *components, struct gws_components_result *result,
                                      struct gws_diagnostic *where);

#endif
