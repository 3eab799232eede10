/* SPDX-License-Identifier: MIT */
/* PageRank of a graph that is parted among several devices, which address each other's memory (CUDA's peer access, over
 * NVLink or PCIe). Each device owns a range of vertices, with their incoming arcs and ranks. A run is one persistent
 * kernel on each device (kernels/graph/pagerank_parted.cl). A device writes the new values of its vertices to all
 * devices, so an iteration costs one barrier of all devices. traversal/pagerank.h explains options and result. */
#ifndef GWS_PAGERANK_DEVICES_H
#define GWS_PAGERANK_DEVICES_H

#include "../lib/device.h"
#include "pagerank.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_pagerank_devices; /* a parted graph, and runs on it */

enum { GWS_PAGERANK_DEVICES = 8 }; /* the maximum number of devices */

/* Parts the graph, copies each part to its device and builds the program. Parts have about equal numbers of arcs and
 * vertices. With one device, the part is the whole graph. With options->index (of this graph), parts are ranges of the
 * index's order. runtime, devices, graph and index must outlive the object, and other calls must not use the devices
 * during a run. options may be NULL. The function copies the sources.
 *
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (no device, too many, or one given
 * twice), GWS_UNSUPPORTED (a device that does not address the memory of another one; groups that cannot wait for each
 * other), those of gws_pagerank() but GWS_CANCELLED, GWS_TOO_LARGE (2^31 vertices or more, or an array over the largest
 * buffer), GWS_DEVICE (a device without double precision does not build the program).
 *
 * Memory on each device: 4 bytes and an eighth for each arc of its part, 20 bytes for each vertex of its part, 4 more
 * if the graph is directed or has an index, 4 more if the ranks are personalised, and 8 bytes (float) or 16 (double)
 * for each vertex of the graph. Host: 8 bytes per vertex. Time: the transfer of the rows over the bus. */
GWS_API gws_status gws_pagerank_devices_open(struct gws_runtime *runtime, struct gws_device *const *device,
                                             uint32_t devices, const struct gws_graph *graph,
                                             const struct gws_pagerank_options *options,
                                             struct gws_pagerank_devices **pagerank, struct gws_diagnostic *where);

/* Frees the object and the parts. Accepts NULL. */
GWS_API void gws_pagerank_devices_close(struct gws_pagerank_devices *pagerank);

/* Computes the ranks again, like gws_pagerank_device_run(). The ranks are those of one device, bit by bit. result->ms
 * is the time from the first launch until all devices have ended. The kernels see in one of eight iterations whether
 * the call is cancelled. Errors, which leave result unchanged: GWS_CANCELLED, GWS_DEVICE (a device failed or exceeded
 * its time limit). */
GWS_API gws_status gws_pagerank_devices_run(struct gws_pagerank_devices *pagerank, struct gws_pagerank_result *result,
                                            struct gws_diagnostic *where);

/* Copies the ranks of the last run from all devices to result->rank, an array that result owns, and sets .fetch_ms.
 * Errors, which leave .rank unchanged or undefined: GWS_NO_MEMORY (with an index, 8 bytes per vertex more), GWS_DEVICE.
 */
GWS_API gws_status gws_pagerank_devices_fetch(struct gws_pagerank_devices *pagerank, struct gws_pagerank_result *result,
                                              struct gws_diagnostic *where);

/* A device's part, and what the device did in the last run. */
struct gws_pagerank_devices_part {
    struct gws_device *device;
    uint64_t first, vertices, arcs; /* the vertices first .. first + vertices - 1 (with an index: places), and the arcs
                                     * that lead to them */
    struct gws_device_buffer *rank; /* a double for each vertex of the part; the object owns the buffer */
    uint64_t bytes;                 /* the device's memory in buffers, with those of other users */
    double upload_ms;               /* time of copying the rows */
    uint64_t groups, group_size;
    uint64_t sent_bytes; /* values that the device wrote to other devices */
    double idle;         /* the groups' share of time at barriers; 0 on devices without a clock */
};

/* Describes a part; device < gws_pagerank_devices_count(). */
GWS_API uint32_t gws_pagerank_devices_count(const struct gws_pagerank_devices *pagerank);
GWS_API void gws_pagerank_devices_describe(const struct gws_pagerank_devices *pagerank, uint32_t device,
                                           struct gws_pagerank_devices_part *part);

#ifdef __cplusplus
}
#endif
#endif
