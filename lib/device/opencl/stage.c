/* SPDX-License-Identifier: MIT */
/* The bus of ../stage.h: copies between slots of pinned memory and the buffers of a GPU across a bus, an event for
 * each. The driver makes that memory (CL_MEM_ALLOC_HOST_PTR), and it stays mapped as long as the device is open. A lost
 * device may still write to it, and keeps it. */
#include "opencl.h"

struct gws__opencl_stage {
    cl_mem memory;
    char *slots; /* where it is mapped */
    uint32_t count;
    cl_event copied[gws__stage_slots]; /* of what is under way in that slot */
};

/* ---- making and freeing ---- */

static uint64_t bytes_of(const struct gws__opencl_stage *stage)
{
    return (uint64_t)stage->count * gws__stage_slot_bytes;
}

/* Releasing the queue, which comes next, has it done before the context goes. */
void gws__opencl_stage_free(struct gws__opencl_device *device)
{
    struct gws__opencl_stage *stage = device->stage;
    if (!stage) return;
    if (!device->base.lost && stage->slots)
        (void)clEnqueueUnmapMemObject(device->queue, stage->memory, stage->slots, 0, NULL, NULL);
    if (!device->base.lost && stage->memory) (void)clReleaseMemObject(stage->memory);
    gws_release(device->base.runtime, stage, 1, sizeof *stage);
    device->stage = NULL;
}

/* Pins the slots; a status if the device was lost by that. */
static gws_status pin(struct gws__opencl_device *device, struct gws_where *where)
{
    struct gws__opencl_stage *stage = device->stage;
    cl_int error;
    cl_event event;
    stage->memory =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes_of(stage), NULL, &error);
    if (error != CL_SUCCESS) return GWS_OK;
    stage->slots = clEnqueueMapBuffer(device->queue, stage->memory, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      bytes_of(stage), 0, NULL, &event, &error);
    if (error != CL_SUCCESS) return GWS_OK;
    gws__opencl_note(device, event);
    return gws__opencl_wait(&device->base, where);
}

/* Makes the stage of a device that asks for one the first time. If memory is short there is none, and it is not asked
 * for again. */
static gws_status stage_make(struct gws__opencl_device *device, struct gws_where *where)
{
    device->stages = false;
    device->stage = gws_allocate(device->base.runtime, 1, sizeof *device->stage);
    if (!device->stage) return GWS_OK;
    *device->stage = (struct gws__opencl_stage){.count = gws__stage_slots_of(device->base.runtime)};
    gws_status status = pin(device, where);
    if (status != GWS_OK || !device->stage->slots) gws__opencl_stage_free(device);
    return status;
}

/* ---- copying ---- */

struct way {
    const struct gws__opencl_device *device;
    cl_mem memory;
    uint64_t offset; /* in it, where what is copied begins */
    bool to_host;
};

static gws_status begin(void *context, uint32_t slot, uint64_t offset, uint64_t bytes, struct gws_where *where)
{
    const struct way *way = context;
    const struct gws__opencl_device *device = way->device;
    char *here = device->stage->slots + (uint64_t)slot * gws__stage_slot_bytes;
    cl_event *copied = &device->stage->copied[slot];
    offset += way->offset;
    cl_int error =
        way->to_host ? clEnqueueReadBuffer(device->queue, way->memory, CL_FALSE, offset, bytes, here, 0, NULL, copied)
                     : clEnqueueWriteBuffer(device->queue, way->memory, CL_FALSE, offset, bytes, here, 0, NULL, copied);
    if (error == CL_SUCCESS) error = clFlush(device->queue);
    if (error == CL_SUCCESS) return GWS_OK;
    (void)gws__opencl_fail(where, device->base.info.address, "a copy", error);
    return GWS_DEVICE;
}

static gws_status poll(void *context, uint32_t slot, bool *done, struct gws_where *where)
{
    const struct way *way = context;
    cl_event event = way->device->stage->copied[slot];
    gws_status status = gws__opencl_look(way->device, event, done, where);
    if (status == GWS_OK && *done) (void)clReleaseEvent(event);
    return status;
}

bool gws__opencl_stage_copy(struct gws__opencl_device *device, cl_mem memory, uint64_t offset, const void *from,
                            void *to, uint64_t bytes, gws_status *status, struct gws_where *where)
{
    if (bytes < gws__stage_least) return false;
    *status = gws__opencl_wait(&device->base, where);
    if (*status == GWS_OK && device->stages) *status = stage_make(device, where);
    if (*status != GWS_OK) return true;
    if (!device->stage) return false;
    struct way way = {.device = device, .memory = memory, .offset = offset, .to_host = to != NULL};
    const struct gws__stage_bus bus = {.begin = begin,
                                       .poll = poll,
                                       .context = &way,
                                       .name = device->base.info.address,
                                       .limit_ms = device->base.limit_ms,
                                       .memory = device->stage->slots,
                                       .slots = device->stage->count};
    *status = gws__stage_copy(device->base.runtime, &bus, from, to, bytes, where);
    if (*status != GWS_OK) device->base.lost = true;
    return true;
}
