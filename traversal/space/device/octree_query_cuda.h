/* SPDX-License-Identifier: MIT */
/* Questions on CUDA: a tree that lies on a device, which octree_query_cuda_tree.c brings there and octree_query_cuda.c
 * asks. */
#ifndef GWS_SPACE_OCTREE_QUERY_CUDA_H
#define GWS_SPACE_OCTREE_QUERY_CUDA_H

#include "../../octree_on_device.h"
#include "../octree_ask.h"

/* What each kernel gets first, as kernels/cuda/octree_query.cu has it; then these buffers, in this order. */
struct gws__asked_tree {
    struct gws__octree_grid grid;
    double unit, low[3], width[3], slack[3];
    uint32_t wide, is_double;
};

enum gws__asked_buffer { asked_nodes, asked_order, asked_axis_x, asked_axis_y, asked_axis_z, asked_buffers };

struct gws_octree_on_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_octree *tree;
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[asked_buffers];
    struct gws__asked_tree asked;
    double ms; /* of the last batch, on the device */
};

/* What the CPU's questions know of the tree, for the kernels. */
struct gws__octree_batch gws__octree_batch_of(const struct gws_octree *tree);

#endif
