/* SPDX-License-Identifier: MIT */
/* The bus of stage.h for devices: slots of pinned memory, and behind each copy an event. What is pinned is kept, for
 * pinning takes the driver milliseconds; it is all that a copy may still touch if it takes too long. */
#include "kind.h"
#include "stage.h"

struct gws__stage {
    struct gws_device_buffer *pinned;
    uint32_t count;
    void *event[gws__stage_slots]; /* of what is under way in that slot */
};

void gws__device_stage_free(struct gws_device *device)
{
    if (!device->stage) return;
    gws__device_buffer_free(device->stage->pinned);
    gws_release(device->runtime, device->stage, 1, sizeof *device->stage);
    device->stage = NULL;
}

/* If memory is short there is none, and it is not asked for again. A status if the device was lost by that. */
static gws_status stage_make(struct gws_device *device, struct gws_where *where)
{
    struct gws__stage *stage = gws_allocate(device->runtime, 1, sizeof *stage);
    device->stages = false;
    if (!stage) return GWS_OK;
    *stage = (struct gws__stage){.count = gws__stage_slots_of(device->runtime)};
    gws_status status =
        gws__device_buffer_new(device, (uint64_t)stage->count * gws__stage_slot_bytes, !device->runtime->running,
                               device->call->pinned_new, &stage->pinned, where);
    if (status != GWS_OK) {
        gws_release(device->runtime, stage, 1, sizeof *stage);
        return device->lost ? status : GWS_OK;
    }
    device->stage = stage;
    return GWS_OK;
}

struct way {
    struct gws_device_buffer *buffer;
    uint64_t offset; /* in it, where what is copied begins */
    bool to_host;
};

/* Several threads are here, one after the other. */
static gws_status begin(void *context, uint32_t slot, uint64_t offset, uint64_t bytes, struct gws_where *where)
{
    const struct way *way = context;
    const struct gws_device *device = way->buffer->device;
    const uint64_t here = (uint64_t)slot * gws__stage_slot_bytes, there = way->offset + offset;
    struct gws_device_buffer *pinned = device->stage->pinned;
    gws_status status = way->to_host ? device->call->copy(device->own, pinned, here, way->buffer, there, bytes, where)
                                     : device->call->copy(device->own, way->buffer, there, pinned, here, bytes, where);
    return status == GWS_OK ? device->call->event_new(device->own, &device->stage->event[slot], where) : status;
}

static gws_status poll(void *context, uint32_t slot, bool *done, struct gws_where *where)
{
    struct gws_device *device = ((const struct way *)context)->buffer->device;
    return device->call->event_poll(device, device->stage->event[slot], done, where);
}

bool gws__device_stage_copy(struct gws_device_buffer *buffer, uint64_t offset, const void *from, void *to,
                            uint64_t bytes, gws_status *status, struct gws_where *where)
{
    struct gws_device *device = buffer->device;
    if (bytes < gws__stage_least || (!device->stage && !device->stages)) return false;
    *status = gws__stream_wait(device->own, where);
    if (*status == GWS_OK && device->stages) *status = stage_make(device, where);
    if (*status != GWS_OK) return true;
    if (!device->stage) return false;
    struct way way = {buffer, offset, to != NULL};
    const struct gws__stage_bus bus = {.begin = begin,
                                       .poll = poll,
                                       .context = &way,
                                       .name = device->info.address,
                                       .limit_ms = device->limit_ms,
                                       .memory = device->stage->pinned->host,
                                       .slots = device->stage->count};
    *status = gws__stage_copy(device->runtime, &bus, from, to, bytes, where);
    if (*status != GWS_OK) device->lost = true;
    return true;
}
