/* SPDX-License-Identifier: MIT */
/* Weakly connected components of a graph that is parted among several devices, which address each other's memory
 * (CUDA's peer access, over NVLink or PCIe). Each device owns a range of vertices with their arcs, so the graph may be
 * larger than the memory of each device. All devices find the components along their own arcs at the same time, and the
 * first one merges them (kernels/graph/components_merge.cl). A device that holds the graph is faster alone.
 * traversal/components.h explains the result. */
#ifndef GWS_COMPONENTS_DEVICES_H
#define GWS_COMPONENTS_DEVICES_H

#include "../lib/device.h"
#include "components.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_components_devices; /* a parted graph, and runs on it */

enum { GWS_COMPONENTS_DEVICES = 8 }; /* the maximum number of devices */

/* Parts the graph, copies each part to its device and builds the program. runtime, devices and graph must outlive the
 * object, and other calls must not use the devices during a run.
 *
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (no device, too many, or one given
 * twice), GWS_UNSUPPORTED (a device that does not address the memory of another one; groups that cannot wait for each
 * other), GWS_TOO_LARGE (2^31 vertices or more, or an array over the largest buffer), GWS_NO_MEMORY, GWS_DEVICE.
 *
 * Memory on each device: 4 bytes for each arc of its part, and 16 bytes for each vertex of the graph. The first of d >
 * 1 devices: 12 + 4 d bytes more for each vertex of the graph. Host: 8 bytes for each vertex and device. */
GWS_API gws_status gws_components_devices_open(struct gws_runtime *runtime, struct gws_device *const *device,
                                               uint32_t devices, const struct gws_graph *graph,
                                               struct gws_components_devices **components,
                                               struct gws_diagnostic *where);

/* Frees the object and the parts. Accepts NULL. */
GWS_API void gws_components_devices_close(struct gws_components_devices *components);

/* Finds the components again, like gws_components_device_run(). result->ms is the time from the first launch until the
 * components are merged. Errors, which leave result unchanged: GWS_CANCELLED (before a launch), GWS_DEVICE. */
GWS_API gws_status gws_components_devices_run(struct gws_components_devices *components,
                                              struct gws_components_result *result, struct gws_diagnostic *where);

/* Copies the components of the last run to the result, like gws_components_device_fetch(). */
GWS_API gws_status gws_components_devices_fetch(struct gws_components_devices *components,
                                                struct gws_components_result *result, struct gws_diagnostic *where);

/* A device's part. */
struct gws_components_devices_part {
    struct gws_device *device;
    uint64_t first, vertices, arcs; /* the vertices first .. first + vertices - 1, and their arcs */
    uint64_t bytes;                 /* the device's memory in buffers, with those of other users */
    double upload_ms;               /* time of copying the rows */
    uint64_t sent_bytes;            /* components that the first device reads from this one; 0 for the first device */
};

/* Describes a part; device < gws_components_devices_count(). */
GWS_API uint32_t gws_components_devices_count(const struct gws_components_devices *components);
GWS_API void gws_components_devices_describe(const struct gws_components_devices *components, uint32_t device,
                                             struct gws_components_devices_part *part);

#ifdef __cplusplus
}
#endif
#endif
