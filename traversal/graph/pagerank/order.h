/* SPDX-License-Identifier: MIT */
/* The index of PageRank on a device: a copy of the rows of incoming arcs whose vertices are numbered by descending
 * out-degree (kernels/graph/order.cl). */
#ifndef GWS_TRAVERSAL_PAGERANK_ORDER_H
#define GWS_TRAVERSAL_PAGERANK_ORDER_H

#include "../../engine/device_kernel.h"

/* The arrays of an index; those after ORDER_SOURCE exist while it is built. */
enum gws__order_buffer {
    ORDER_VERTEX, /* the vertex at each place */
    ORDER_DEGREE, /* the out-degree at each place */
    ORDER_ROW,    /* bounds of the rows, 64 bits each */
    ORDER_SOURCE, /* the places where the arcs of a row begin */
    ORDER_NUMBER,
    ORDER_COUNTS,
    ORDER_SUMS,
    ORDER_HEAVY_ROWS,
    ORDER_HEAVIES,
    ORDER_ARRIVED,
    ORDER_BUFFERS
};

/* {0} is an empty index. */
struct gws__order {
    struct gws_device_buffer *buffer[ORDER_BUFFERS];
    double ms;      /* time to build it, without compilation of the kernel */
    uint64_t bytes; /* memory on the device */
};

/* Builds the index. The rows of incoming arcs must be on the device. Errors, which leave *order empty: those of
 * gws__device_kernel_open() and gws_device_wait(). */
gws_status gws__order_build(struct gws_device_graph *on_device, struct gws__order *order, struct gws_diagnostic *where);

void gws__order_clear(struct gws__order *order);

#endif
