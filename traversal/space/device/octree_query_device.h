/* SPDX-License-Identifier: MIT */
/* A tree on a CUDA device. octree_query_upload.c copies it there, and octree_query_cuda.c answers queries. */
#ifndef GWS_TRAVERSAL_OCTREE_QUERY_DEVICE_H
#define GWS_TRAVERSAL_OCTREE_QUERY_DEVICE_H

#include "../../../kernels/cuda/octree_layout.h"
#include "../../octree_on_device.h"
#include "../octree_query_state.h"

/* The buffers that follow the tree in the arguments of each kernel. */
enum gws__query_buffer { query_nodes, query_order, query_axis_x, query_axis_y, query_axis_z, query_buffers };

struct gws_octree_on_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_octree *tree;
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[query_buffers];
    struct octree_query_tree params;
    struct gws__octree_batch batch; /* the batch, as for queries on the CPU */
    double ms;                      /* device time of the last batch */
};

/* Creates a buffer and copies host memory to it. */
gws_status gws__octree_upload(struct gws_device *device, struct gws_device_buffer **buffer, const void *from,
                              uint64_t bytes, struct gws_diagnostic *where);

#endif
