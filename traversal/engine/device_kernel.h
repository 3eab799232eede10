/* SPDX-License-Identifier: MIT */
/* A persistent kernel over a graph on a device, with its program and a launch of all resident groups. The kernel's
 * source begins with kernels/engine/grid.cl, whose barrier and work distributor need the groups to be resident. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_KERNEL_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_KERNEL_H

#include "../../lib/hetero/device_trace.h"
#include "../../lib/hetero/stop.h"
#include "device_graph.h"

struct gws__device_kernel {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_graph *on_device; /* NULL without a graph */
    const struct gws_device_graph_info *info;
    struct gws_device_program *program;
    const char *kernel;
    struct gws__device_trace trace;
    struct gws__stop stop; /* gws__stop_argument() goes to kernels that can end early */
    uint32_t group_size;
    uint64_t groups;
};

/* Uploads the graph, builds the program and determines how many groups of the kernel are resident. The caller must
 * close the kernel, also after an error. Errors: GWS_UNSUPPORTED (the rows are in the host's memory, groups of this
 * device cannot wait for each other, or warps do not have 32 items), GWS_TOO_LARGE (2^31 vertices or more),
 * GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__device_kernel_open(struct gws_device_graph *on_device, const char *program, const char *kernel,
                                   struct gws__device_kernel *made, struct gws_diagnostic *where);

/* Does the same with groups of at most `size` items (a multiple of 32) on devices with warps. Without this limit,
 * groups have as many items as the device allows, at most 1024. */
gws_status gws__device_kernel_open_sized(struct gws_device_graph *on_device, const char *program, const char *kernel,
                                         uint32_t size, struct gws__device_kernel *made, struct gws_diagnostic *where);

/* Does the same as gws__device_kernel_open_sized() for a kernel without a graph. Errors: those above but
 * GWS_TOO_LARGE. */
gws_status gws__device_kernel_open_alone(struct gws_runtime *runtime, struct gws_device *device, const char *program,
                                         const char *kernel, uint32_t size, struct gws__device_kernel *made,
                                         struct gws_diagnostic *where);
void gws__device_kernel_close(struct gws__device_kernel *kernel);

/* Launches the kernel without waiting. Errors: those of gws_device_run(). */
gws_status gws__device_kernel_start(const struct gws__device_kernel *kernel, const struct gws_device_argument *argument,
                                    uint32_t arguments, struct gws_diagnostic *where);

/* Launches the kernel and waits for its end. Errors: GWS_CANCELLED (before the launch, or the kernel has ended early),
 * those of gws_device_run() and gws_device_wait(). */
gws_status gws__device_kernel_run(struct gws__device_kernel *kernel, const struct gws_device_argument *argument,
                                  uint32_t arguments, struct gws_diagnostic *where);

/* Makes `count` buffers of these sizes. The caller frees them, also after an error. */
gws_status gws__device_kernel_buffers(const struct gws__device_kernel *kernel, const uint64_t *bytes, uint32_t count,
                                      struct gws_device_buffer **buffer, struct gws_diagnostic *where);

#endif
