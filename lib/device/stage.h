/* SPDX-License-Identifier: MIT */
/* Large copies between a device and ordinary memory of the host's, by way of slots of pinned memory.
 *
 * A driver copies ordinary memory on one thread, at a fraction of the bus's speed; and memory that nobody has touched
 * yet is cleared page by page, in whoever touches it first. So the runtime's workers copy between the host's memory and
 * the slots, each between its own ones, while the device copies between the slots and its memory: a worker has begun
 * one slot's copy when it turns to the next. Nobody waits for another worker.
 *
 * Here is what all kinds of devices could share; how a copy of a slot is begun and waited for is the bus's matter. */
#ifndef GWS_DEVICE_STAGE_H
#define GWS_DEVICE_STAGE_H

#include "../base/services.h"

enum {
    gws__stage_lanes = 16, /* workers that take part, at most */
    gws__stage_slots = 2,  /* a lane's: one is copied by the device, one by the host */
    gws__stage_all = gws__stage_lanes * gws__stage_slots,
    gws__stage_slot_bytes = 2 << 20, /* smaller ones keep the bus from its speed */
    gws__stage_least = 1 << 20,      /* what is smaller is not worth it */
};

/* How slots' contents come and go. Both functions are called by several threads at once, each for other slots; when one
 * fails, the other slots' copies may still be under way when all is over. */
struct gws__stage_bus {
    /* Begins a copy between the slot and the device's memory, from offset of what is copied on. */
    gws_status (*begin)(void *context, uint32_t slot, uint64_t offset, uint64_t bytes, struct gws_where *where);
    /* Returns when it is done. */
    gws_status (*finish)(void *context, uint32_t slot, struct gws_where *where);
    void *context;
    char *memory;   /* lanes times gws__stage_slots slots, one behind the other */
    uint32_t lanes; /* 1 .. gws__stage_lanes */
};

/* How many lanes a runtime can use. */
uint32_t gws__stage_lanes_of(const struct gws_runtime *runtime);

/* Has fresh memory cleared, by all workers. */
void gws__stage_touch(struct gws_runtime *runtime, char *memory, uint64_t bytes);

/* Copies bytes from `from` to the device, or from the device to `to`; the other one is NULL. By the workers of the
 * runtime; by the caller alone where it is in a loop's body. */
gws_status gws__stage_copy(struct gws_runtime *runtime, const struct gws__stage_bus *bus, const void *from, void *to,
                           uint64_t bytes, struct gws_where *where);

#endif
