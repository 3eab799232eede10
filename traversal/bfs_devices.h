/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a graph that is parted among several devices, which address each other's memory (CUDA's peer
 * access, over NVLink or PCIe). A graph larger than the memory of each device can thus be searched.
 *
 * Each device owns a range of vertices: their rows, depths and parents. A search is one persistent kernel on each
 * device. Levels of push send found vertices to their owners, and levels of pull copy the owners' bitmaps
 * (kernels/engine/parted.cl). The host takes no part before the end of the search. */
#ifndef GWS_BFS_DEVICES_H
#define GWS_BFS_DEVICES_H

#include "../lib/device.h"
#include "bfs.h"
#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_bfs_devices; /* a parted graph, and searches of it */

enum { GWS_BFS_DEVICES = 8 }; /* the maximum number of devices */

struct gws_bfs_devices_options {
    enum gws_bfs_direction direction; /* GWS_BFS_AUTO or GWS_BFS_TOP_DOWN */
    uint32_t without;                 /* set of indexes that the call does not build: reverse, hubs */
};

/* Parts the graph, copies each part to its device, builds indexes and the program. Parts have about equal numbers of
 * arcs and vertices. With one device, the part is the whole graph. runtime, devices and graph must outlive the search,
 * and other calls must not use the devices during a search. options may be NULL.
 *
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (no device, too many, or one given twice;
 * an option out of range; a graph without vertices), GWS_UNSUPPORTED (a device that does not address the memory of
 * another one; groups that cannot wait for each other; GWS_BFS_BOTTOM_UP; a policy other than "chunked"), GWS_TOO_LARGE
 * (2^31 vertices or more, or an array over the largest buffer), GWS_NO_MEMORY, GWS_DEVICE.
 *
 * Memory on each of d devices, for a graph of V vertices: 4 bytes per arc of its part, 20 + 8 (d - 1) bytes per vertex
 * of its part, 4 more with the index "hubs", V / 4 + 8 V / d bytes, and while that index is built 8 V bytes. A directed
 * graph with its reverse adds 4 bytes per arc towards the part and 8 per vertex of it. Host: 8 bytes per vertex, 16
 * with the reverse. Time: the transfer of the rows over the bus. */
GWS_API gws_status gws_bfs_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                        const struct gws_graph *graph, const struct gws_bfs_devices_options *options,
                                        struct gws_bfs_devices **search, struct gws_diagnostic *where);

/* Frees the search and the parts. Accepts NULL. */
GWS_API void gws_bfs_devices_close(struct gws_bfs_devices *search);

/* Searches from source and fills the same struct as gws_bfs(), but depth and parent stay on their owners, and the
 * result's arrays are NULL until gws_bfs_devices_fetch(). result->ms is the time from the first launch until all
 * devices have ended. level[].workers counts the groups of all devices. Errors, which leave result unchanged or empty:
 * GWS_OUT_OF_RANGE (source), GWS_CANCELLED (the kernels look in one of 16 steps), GWS_NO_MEMORY, GWS_DEVICE (a launch
 * failed, and the kernels of the other devices have ended; or a device failed or exceeded its time limit, and devices
 * and search are unusable). */
GWS_API gws_status gws_bfs_devices_run(struct gws_bfs_devices *search, uint32_t source, struct gws_bfs_result *result,
                                       struct gws_diagnostic *where);

/* Copies arrays of the last search from all owners into its result, like gws_bfs_device_fetch(). */
GWS_API gws_status gws_bfs_devices_fetch(struct gws_bfs_devices *search, uint32_t parts, struct gws_bfs_result *result,
                                         struct gws_diagnostic *where);

/* Overwrites the last search's results on the devices, like gws_bfs_device_poison(). */
GWS_API gws_status gws_bfs_devices_poison(struct gws_bfs_devices *search, struct gws_diagnostic *where);

/* A device's part, and what the device did in the last search. */
struct gws_bfs_devices_part {
    struct gws_device *device;
    uint64_t first, vertices, arcs; /* the vertices first .. first + vertices - 1, and their arcs */
    /* A word for each vertex of the part, GWS_NO_VERTEX if unreached; the search owns the buffers. */
    struct gws_device_buffer *depth, *parent;
    uint64_t bytes;   /* the device's memory in buffers, with those of other users */
    double upload_ms; /* time of copying the rows */
    uint64_t groups, group_size;
    uint64_t reached;        /* vertices of the part that the search reached */
    uint64_t sent_bytes;     /* found vertices that the device sent to their owners */
    uint64_t gathered_bytes; /* bitmaps that it read from the other devices */
    double idle;             /* the groups' share of time at barriers; 0 on devices without a clock */
};

/* Describes a part; device < gws_bfs_devices_count(). */
GWS_API uint32_t gws_bfs_devices_count(const struct gws_bfs_devices *search);
GWS_API void gws_bfs_devices_describe(const struct gws_bfs_devices *search, uint32_t device,
                                      struct gws_bfs_devices_part *part);

#ifdef __cplusplus
}
#endif
#endif
