/* SPDX-License-Identifier: MIT */
/* Internals of a graph on a device, and functions for results on the device that several algorithms use. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_GRAPH_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_GRAPH_H

#include "../device_graph.h"

struct gws_device_graph {
    struct gws_device_graph_info info;
    uint32_t without; /* set of indexes that no algorithm may build */
    struct gws_device_buffer *array[GWS_ARRAYS];
    bool built[GWS_INDEXES];
    double prepare_ms[GWS_INDEXES];
    struct gws_device_program *program; /* program of the kernels of indexes and results; NULL until the first use */
    struct gws_device_buffer *sum;      /* 64 bits to which kernels add */
    bool mesh_known, mesh;              /* mesh_known: a scan has read the degrees */
    uint64_t mesh_rows;
    uint64_t candidates;
};

/* Uploads the bounds of the rows, unless the device has them. */
gws_status gws__device_graph_bounds(struct gws_device_graph *on_device, struct gws_diagnostic *where);

/* ---- device_result.c ---- */

/* Makes the program of kernels/engine/index.cl and the sum at first use. */
gws_status gws__device_graph_program(struct gws_device_graph *on_device, struct gws_diagnostic *where);

/* Launches a kernel of that program over the given arrays. */
gws_status gws__device_graph_launch(struct gws_device_graph *on_device, const char *kernel,
                                    const struct gws_device_argument *argument, uint32_t arguments,
                                    struct gws_diagnostic *where);

/* Sums the degrees of all vertices whose word in `reached` is not GWS_NO_VERTEX. */
gws_status gws__device_graph_reached_arcs(struct gws_device_graph *on_device, struct gws_device_buffer *reached,
                                          uint64_t *arcs, struct gws_diagnostic *where);

/* Returns the bytes that an entry below limit needs: 1, 2 or 4. GWS_NO_VERTEX becomes all ones. */
static inline uint32_t gws__narrow_bytes(uint64_t limit)
{
    return limit <= UINT8_MAX ? 1 : limit <= UINT16_MAX ? 2 : 4;
}

/* Starts to convert count words of `from` to 1, 2 or 4 bytes each in `to`, which has a size of whole words. */
gws_status gws__device_graph_narrow(struct gws_device_graph *on_device, struct gws_device_buffer *from,
                                    struct gws_device_buffer *to, uint64_t count, uint32_t bytes,
                                    struct gws_diagnostic *where);

/* Converts words in the host's memory on the runtime's workers. The code is the kernel's source, compiled for the
 * host. */
void gws__narrow(struct gws_runtime *runtime, const uint32_t *from, uint32_t *to, uint64_t count, uint32_t bytes);

#endif
