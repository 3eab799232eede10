/* SPDX-License-Identifier: MIT */
/* A graph on a device from inside, and what algorithms share of results that lie there. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_GRAPH_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_GRAPH_H

#include "../device_graph.h"

struct gws_device_graph {
    struct gws_device_graph_info info;
    uint32_t without; /* indexes, as a set */
    struct gws_device_buffer *array[GWS_ARRAYS];
    bool built[GWS_INDEXES];
    double prepare_ms[GWS_INDEXES];
    struct gws_device_program *program; /* of the kernels of indexes and results, once one is wanted */
    struct gws_device_buffer *sum;      /* 64 bits that a kernel adds to */
    bool mesh_known, mesh;              /* known: the degrees have been looked at */
    uint64_t mesh_rows;
    uint64_t candidates;
};

/* The status, with its text as the message of one that has none yet. */
static inline gws_status gws__device_status(gws_status status, struct gws_diagnostic *where)
{
    return status == GWS_OK ? status : gws_diagnostic_set(where, status, NULL, 0, 0, "%s", gws_status_text(status));
}

/* Uploads the bounds of the rows alone, unless they are there. */
gws_status gws__device_graph_bounds(struct gws_device_graph *on_device, struct gws_diagnostic *where);

/* ---- device_result.c ---- */

/* Has the program of kernels/engine/index.cl, translated when it is first wanted, and the sum. */
gws_status gws__device_graph_program(struct gws_device_graph *on_device, struct gws_diagnostic *where);

/* Starts one of its kernels, of so many items' work. */
gws_status gws__device_graph_launch(struct gws_device_graph *on_device, const char *kernel,
                                    const struct gws_device_argument *argument, uint32_t arguments,
                                    struct gws_diagnostic *where);

/* The sum of the degrees of all vertices that have another word than GWS_NO_VERTEX in reached. */
gws_status gws__device_graph_reached_arcs(struct gws_device_graph *on_device, struct gws_device_buffer *reached,
                                          uint64_t *arcs, struct gws_diagnostic *where);

/* Bytes that an entry takes at least where all are below limit, but for GWS_NO_VERTEX, which becomes all ones: 1, 2, 4.
 */
static inline uint32_t gws__narrow_bytes(uint64_t limit)
{
    return limit <= UINT8_MAX ? 1 : limit <= UINT16_MAX ? 2 : 4;
}

/* Starts narrowing count words of from into to, which has room for whole words: in 1 or 2 bytes each. */
gws_status gws__device_graph_narrow(struct gws_device_graph *on_device, struct gws_device_buffer *from,
                                    struct gws_device_buffer *to, uint64_t count, uint32_t bytes,
                                    struct gws_diagnostic *where);

/* The same in the host's memory, by the runtime's workers and the kernel's text. */
void gws__narrow(struct gws_runtime *runtime, const uint32_t *from, uint32_t *to, uint64_t count, uint32_t bytes);

#endif
