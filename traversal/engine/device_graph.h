/* SPDX-License-Identifier: MIT */
/* Internals of a graph on a device, and functions for results on the device that several algorithms use. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_GRAPH_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_GRAPH_H

#include "../device_graph.h"

struct gws_device_graph {
    struct gws_device_graph_info info;
    uint32_t without; /* indexes, as a set */
    struct gws_device_buffer *array[GWS_ARRAYS];
    bool built[GWS_INDEXES];
    double prepare_ms[GWS_INDEXES];
    struct gws_device_program *program; /* of the kernels of indexes and results; NULL until one is needed */
    struct gws_device_buffer *sum;      /* 64 bits to which kernels add */
    bool mesh_known, mesh;              /* mesh_known: the degrees have been read */
    uint64_t mesh_rows;
    uint64_t candidates;
};

/* Returns status; sets its text as the message if it is an error. */
static inline gws_status gws__device_status(gws_status status, struct gws_diagnostic *where)
{
    return status == GWS_OK ? status : gws_diagnostic_set(where, status, NULL, 0, 0, "%s", gws_status_text(status));
}

/* Uploads the bounds of the rows, unless the device has them. */
gws_status gws__device_graph_bounds(struct gws_device_graph *on_device, struct gws_diagnostic *where);

/* ---- device_result.c ---- */

/* Makes the program of kernels/engine/index.cl, compiled at first use, and the sum. */
gws_status gws__device_graph_program(struct gws_device_graph *on_device, struct gws_diagnostic *where);

/* Launches one of its kernels, over the given arrays. */
gws_status gws__device_graph_launch(struct gws_device_graph *on_device, const char *kernel,
                                    const struct gws_device_argument *argument, uint32_t arguments,
                                    struct gws_diagnostic *where);

/* The sum of the degrees of all vertices whose word in `reached` is not GWS_NO_VERTEX. */
gws_status gws__device_graph_reached_arcs(struct gws_device_graph *on_device, struct gws_device_buffer *reached,
                                          uint64_t *arcs, struct gws_diagnostic *where);

/* The bytes that entries below limit need: 1, 2 or 4. GWS_NO_VERTEX becomes all ones. */
static inline uint32_t gws__narrow_bytes(uint64_t limit)
{
    return limit <= UINT8_MAX ? 1 : limit <= UINT16_MAX ? 2 : 4;
}

/* Starts converting count words of `from` to 1 or 2 bytes each in `to`, which has a size of whole words. */
gws_status gws__device_graph_narrow(struct gws_device_graph *on_device, struct gws_device_buffer *from,
                                    struct gws_device_buffer *to, uint64_t count, uint32_t bytes,
                                    struct gws_diagnostic *where);

/* The same in the host's memory, by the runtime's workers, compiled from the kernel's source. */
void gws__narrow(struct gws_runtime *runtime, const uint32_t *from, uint32_t *to, uint64_t count, uint32_t bytes);

#endif
