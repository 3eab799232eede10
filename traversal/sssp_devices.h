/* SPDX-License-Identifier: MIT */
/* Shortest paths from one source on a graph that is parted among several devices, which address each other's memory
 * (CUDA's peer access, over NVLink or PCIe). Each device owns a range of vertices with their arcs and weights, so the
 * graph may be larger than the memory of each device. A search is two persistent kernels on each device, for distances
 * and for parents (kernels/engine/rounds_parted.cl). In a round each device relaxes the arcs of its own frontier, and
 * sends vertices of other parts to their owners. A device that holds the graph is mostly faster alone
 * (datasets/bench/results/graph-algorithms.md). traversal/sssp.h explains options and result. */
#ifndef GWS_SSSP_DEVICES_H
#define GWS_SSSP_DEVICES_H

#include "../lib/device.h"
#include "sssp.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_sssp_devices; /* a parted graph, and searches of it */

enum { GWS_SSSP_DEVICES = 8 }; /* the maximum number of devices */

/* Parts the graph, copies each part to its device and builds the programs. Parts have about equal numbers of arcs and
 * vertices. With one device, the part is the whole graph. runtime, devices and graph must outlive the search, and other
 * calls must not use the devices during a run. options may be NULL. With integer weights, options->delta is at least 1.
 *
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (no device, too many, or one given twice;
 * a weight anywhere in the graph that is negative, infinite or not a number; delta; a graph without vertices),
 * GWS_UNSUPPORTED (a device that does not address the memory of another one; groups that cannot wait for each other),
 * GWS_TOO_LARGE (2^31 vertices or more, or an array over the largest buffer), GWS_NO_MEMORY, GWS_DEVICE (also if a
 * device lacks doubles, which real weights need).
 *
 * Memory on each of d devices: 8 bytes for each arc of its part, 32 bytes and 3 bits for each vertex of the graph, and
 * 8 (d - 1) bytes for each vertex of its part. Host: 8 bytes for each vertex and device. Time: the transfer of rows and
 * weights over the bus. */
GWS_API gws_status gws_sssp_devices_open(struct gws_runtime *runtime, struct gws_device *const *device,
                                         uint32_t devices, const struct gws_graph *graph,
                                         const struct gws_sssp_options *options, struct gws_sssp_devices **search,
                                         struct gws_diagnostic *where);

/* Frees the search and the parts. Accepts NULL. */
GWS_API void gws_sssp_devices_close(struct gws_sssp_devices *search);

/* Searches from source, like gws_sssp_device_run(). Distances are those of one device, always of 64 bits. result->ms is
 * the time from the first launch until all devices have ended. The kernels see in one of 16 steps whether the call is
 * cancelled. Errors, which leave result unchanged: GWS_OUT_OF_RANGE (source), GWS_CANCELLED, GWS_DEVICE (a device
 * failed or exceeded its time limit). */
GWS_API gws_status gws_sssp_devices_run(struct gws_sssp_devices *search, uint32_t source,
                                        struct gws_sssp_result *result, struct gws_diagnostic *where);

/* Copies distances and parents of the last run from all owners to its result, like gws_sssp_device_fetch(). */
GWS_API gws_status gws_sssp_devices_fetch(struct gws_sssp_devices *search, struct gws_sssp_result *result,
                                          struct gws_diagnostic *where);

/* A device's part, and what the device did in the last run. */
struct gws_sssp_devices_part {
    struct gws_device *device;
    uint64_t first, vertices, arcs; /* the vertices first .. first + vertices - 1, and their arcs */
    uint64_t bytes;                 /* the device's memory in buffers, with those of other users */
    double upload_ms;               /* time of copying the rows */
    uint64_t groups, group_size;
    uint64_t sent_bytes; /* vertices that the device sent to their owners, and distances read from it */
    double idle;         /* the groups' share of time at barriers; 0 on devices without a clock */
};

/* Describes a part; device < gws_sssp_devices_count(). */
GWS_API uint32_t gws_sssp_devices_count(const struct gws_sssp_devices *search);
GWS_API void gws_sssp_devices_describe(const struct gws_sssp_devices *search, uint32_t device,
                                       struct gws_sssp_devices_part *part);

#ifdef __cplusplus
}
#endif
#endif
