/* SPDX-License-Identifier: MIT */
/* Large copies between a device and ordinary memory of the host's, by way of slots of pinned memory.
 *
 * A driver copies ordinary memory on one thread, at a fraction of the bus's speed. So the device copies between its own
 * memory and a ring of slots, one block of the data after the other, and the runtime's workers copy between the slots
 * and the host's memory, a piece of a block each. The device's copies are under way before workers are woken. One
 * worker at a time speaks to the driver: it begins the copies of slots that are free and looks for those that ended.
 * Any worker may, so that one alone can do all.
 *
 * Memory that nobody has touched yet is cleared page by page, in whoever touches it first: a block of that is one huge
 * page, and one worker's, lest several clear the same page.
 *
 * Here is what all kinds of devices share; how a copy of a slot is begun and looked at is the bus's matter. */
#ifndef GWS_DEVICE_STAGE_H
#define GWS_DEVICE_STAGE_H

#include "../base/services.h"

enum {
    gws__stage_slots = 16,             /* at most */
    gws__stage_slot_bytes = 2 << 20,   /* smaller ones keep the bus from its speed */
    gws__stage_piece_bytes = 64 << 10, /* what a worker copies at once */
    gws__stage_least = 1 << 20,        /* what is smaller is not worth it */
};

/* How slots' contents come and go. Its functions are called by one thread at a time, though not always the same; when
 * one fails, the other slots' copies may still be under way when all is over. */
struct gws__stage_bus {
    /* Begins a copy between the slot and the device's memory, from offset of what is copied on. */
    gws_status (*begin)(void *context, uint32_t slot, uint64_t offset, uint64_t bytes, struct gws_where *where);
    /* Into *done: has it ended? Does not wait. */
    gws_status (*poll)(void *context, uint32_t slot, bool *done, struct gws_where *where);
    void *context;
    const char *name; /* the device's, for messages */
    double limit_ms;  /* the longest that one slot's copy may take */
    char *memory;     /* the slots, one behind the other */
    uint32_t slots;   /* 2 .. gws__stage_slots */
};

/* How many slots serve a runtime's workers. */
uint32_t gws__stage_slots_of(const struct gws_runtime *runtime);

/* Has fresh memory cleared, by all workers. */
void gws__stage_touch(struct gws_runtime *runtime, char *memory, uint64_t bytes);

/* Copies bytes from `from` to the device, or from the device to `to`; the other one is NULL. By the workers of the
 * runtime; by the caller alone where it is in a loop's body. */
gws_status gws__stage_copy(struct gws_runtime *runtime, const struct gws__stage_bus *bus, const void *from, void *to,
                           uint64_t bytes, struct gws_where *where);

#endif
