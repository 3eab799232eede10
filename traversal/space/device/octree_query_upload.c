/* SPDX-License-Identifier: MIT */
/* Copies a tree and its points to a CUDA device, for queries. */
#include "octree_query_device.h"

#include <string.h>

#include "../../../kernels/kernels.h"

gws_status gws__octree_upload(struct gws_device *device, struct gws_device_buffer **buffer, const void *from,
                              uint64_t bytes, struct gws_diagnostic *where)
{
    gws_status status = gws_device_buffer_new(device, bytes, buffer, where);
    return status == GWS_OK ? gws_device_write(*buffer, 0, from, bytes, where) : status;
}

static gws_status write_tree(struct gws_octree_on_device *on_device, struct gws_diagnostic *where)
{
    const struct gws_octree *tree = on_device->tree;
    const void *order = tree->index64 ? (const void *)tree->index64 : tree->index32;
    uint64_t number = tree->points * (tree->is_double ? sizeof(double) : sizeof(float));
    const struct {
        const void *from;
        uint64_t bytes;
    } parts[query_buffers] = {{tree->node, tree->nodes * sizeof *tree->node},
                              {order, tree->points * (tree->index64 ? 8 : 4)},
                              {tree->x, number},
                              {tree->y, number},
                              {tree->z, number}};
    gws_status status = GWS_OK;
    for (int i = 0; i < query_buffers && status == GWS_OK; i++)
        status = gws__octree_upload(on_device->device, &on_device->buffer[i], parts[i].from, parts[i].bytes, where);
    return status;
}

static void describe(struct gws_octree_on_device *on_device)
{
    const struct gws__octree_batch *batch = &on_device->batch;
    struct octree_query_tree *params = &on_device->params;
    gws__octree_find_unit(&on_device->batch);
    memcpy(&params->grid, &on_device->tree->owner->grid, sizeof params->grid);
    params->unit = batch->unit;
    memcpy(params->low, batch->low, sizeof params->low);
    memcpy(params->width, batch->width, sizeof params->width);
    memcpy(params->slack, batch->slack, sizeof params->slack);
    params->wide = on_device->tree->index64 != NULL;
    params->is_double = on_device->tree->is_double;
}

static gws_status octree_on_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                        const struct gws_octree *tree, struct gws_octree_on_device **on_device,
                                        struct gws_diagnostic *where)
{
    gws_status status = gws__octree_can_answer(tree, where);
    if (status != GWS_OK) return status;
    if (gws_device_describe(device)->api != GWS_DEVICE_CUDA)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: queries require a CUDA device",
                                  gws_device_describe(device)->address);
    struct gws_octree_on_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_octree_on_device){.runtime = runtime, .device = device, .tree = tree, .batch.tree = tree};
    describe(made);
    status = gws__kernel_program_build(device, "octree_query", NULL, &made->program, where);
    if (status == GWS_OK) status = write_tree(made, where);
    if (status == GWS_OK)
        *on_device = made;
    else
        gws_octree_on_device_close(made);
    return status;
}

gws_status gws_octree_on_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_octree *tree, struct gws_octree_on_device **on_device,
                                     struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, octree_on_device_open(runtime, device, tree, on_device, where));
}

void gws_octree_on_device_close(struct gws_octree_on_device *on_device)
{
    if (!on_device) return;
    for (int i = 0; i < query_buffers; i++) gws_device_buffer_free(on_device->buffer[i]);
    if (on_device->program) gws_device_program_free(on_device->program);
    gws_release(on_device->runtime, on_device, 1, sizeof *on_device);
}

double gws_octree_on_device_ms(const struct gws_octree_on_device *on_device)
{
    return on_device->ms;
}
