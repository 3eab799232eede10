/* SPDX-License-Identifier: MIT */
/* Questions on CUDA: the tree and its points come to the device, and go. */
#include <string.h>

#include "../../../kernels/kernels.h"
#include "octree_query_cuda.h"

static gws_status put(struct gws_octree_on_device *there, enum gws__asked_buffer which, const void *from,
                      uint64_t bytes, struct gws_where *where)
{
    gws_status status = gws_device_buffer_new(there->device, bytes, &there->buffer[which], where);
    return status == GWS_OK ? gws_device_write(there->buffer[which], 0, from, bytes, where) : status;
}

static gws_status put_tree(struct gws_octree_on_device *there, struct gws_where *where)
{
    const struct gws_octree *tree = there->tree;
    uint64_t number = tree->is_double ? sizeof(double) : sizeof(float);
    const void *const axis[3] = {tree->x, tree->y, tree->z};
    gws_status status = put(there, asked_nodes, tree->node, tree->nodes * sizeof *tree->node, where);
    if (status == GWS_OK && tree->index64)
        status = put(there, asked_order, tree->index64, tree->points * sizeof *tree->index64, where);
    else if (status == GWS_OK)
        status = put(there, asked_order, tree->index32, tree->points * sizeof *tree->index32, where);
    for (int a = 0; a < 3 && status == GWS_OK; a++)
        status = put(there, (enum gws__asked_buffer)(asked_axis_x + a), axis[a], tree->points * number, where);
    return status;
}

static gws_status build_program(struct gws_octree_on_device *there, struct gws_where *where)
{
    if (gws_device_describe(there->device)->api != GWS_DEVICE_CUDA)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: questions are answered by CUDA devices",
                             gws_device_describe(there->device)->address);
    return gws__kernel_program_build(there->device, "octree_query", NULL, &there->program, where);
}

struct gws__octree_batch gws__octree_batch_of(const struct gws_octree *tree)
{
    struct gws__octree_batch batch = {.tree = tree};
    gws__octree_find_unit(&batch);
    return batch;
}

static void describe(struct gws_octree_on_device *there)
{
    struct gws__octree_batch batch = gws__octree_batch_of(there->tree);
    struct gws__asked_tree *asked = &there->asked;
    asked->grid = there->tree->owner->grid;
    asked->unit = batch.unit;
    memcpy(asked->low, batch.low, sizeof asked->low);
    memcpy(asked->width, batch.width, sizeof asked->width);
    memcpy(asked->slack, batch.slack, sizeof asked->slack);
    asked->wide = there->tree->index64 != NULL;
    asked->is_double = there->tree->is_double;
}

gws_status gws_octree_on_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_octree *tree, struct gws_octree_on_device **there,
                                     struct gws_where *where)
{
    gws_status status = gws__octree_can_answer(tree, where);
    if (status != GWS_OK) return status;
    struct gws_octree_on_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    *made = (struct gws_octree_on_device){.runtime = runtime, .device = device, .tree = tree};
    describe(made);
    status = build_program(made, where);
    if (status == GWS_OK) status = put_tree(made, where);
    if (status == GWS_OK)
        *there = made;
    else
        gws_octree_on_device_close(made);
    return status;
}

void gws_octree_on_device_close(struct gws_octree_on_device *there)
{
    if (!there) return;
    for (int i = 0; i < asked_buffers; i++) gws_device_buffer_free(there->buffer[i]);
    if (there->program) gws_device_program_free(there->program);
    gws_release(there->runtime, there, 1, sizeof *there);
}

double gws_octree_on_device_ms(const struct gws_octree_on_device *there)
{
    return there->ms;
}
