/* SPDX-License-Identifier: MIT */
/* An emulated bus for test_staging.c. The bus copies a slot's contents as late as possible, overwrites memory that the
 * library must not read yet, and fails on request. */
#ifndef GWS_TESTS_LIB_DEVICE_EMULATED_BUS_H
#define GWS_TESTS_LIB_DEVICE_EMULATED_BUS_H

#include "../../harness.h"

#include <pthread.h>

#include "../../../lib/device/kind.h"

enum { slot = gws__staging_slot_bytes };

struct bus {
    struct gws_device base;
    struct gws_stream own;
    struct gws_device_buffer buffer, pinned;
    struct gws__staging staging;
    uint32_t last; /* the slot of the last copy that started */
    bool to_host;
    char *device, *memory;
    uint64_t bytes;
    uint64_t offset[gws__staging_slots],
        length[gws__staging_slots]; /* the copy in progress in each slot, with length 0: none */
    bool polled, stalls;
    atomic_uint_fast64_t transferred, calls, other_callers;
    uint64_t fail_at; /* the number of the failing call, from 1; 0: none */
    pthread_t caller; /* the only thread that may call the bus if one_caller is set */
    bool one_caller;
};

static gws_status counted(struct bus *bus, struct gws_diagnostic *where)
{
    if (bus->one_caller && !pthread_equal(pthread_self(), bus->caller)) atomic_fetch_add(&bus->other_callers, 1);
    if (atomic_fetch_add(&bus->calls, 1) + 1 != bus->fail_at) return GWS_OK;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "the bus broke");
}

static gws_status begin(struct bus *bus, uint32_t s, uint64_t offset, uint64_t bytes, struct gws_diagnostic *where)
{
    if (s >= gws__staging_slots || bus->length[s] || !bytes || bytes > slot || offset > bus->bytes ||
        bytes > bus->bytes - offset)
        ck_abort_msg("slot %u: %llu bytes from %llu", s, (unsigned long long)bytes, (unsigned long long)offset);
    bus->offset[s] = offset;
    bus->length[s] = bytes;
    if (bus->to_host) memset(bus->memory + (uint64_t)s * slot, 0xee, bytes);
    return counted(bus, where);
}

/* A copy is complete at the second poll. */
static gws_status poll(struct bus *bus, uint32_t s, bool *done, struct gws_diagnostic *where)
{
    char *here = bus->memory + (uint64_t)s * slot, *there = bus->device + bus->offset[s];
    if (s >= gws__staging_slots || !bus->length[s]) ck_abort_msg("slot %u was never begun", s);
    *done = bus->polled && !bus->stalls;
    bus->polled = !bus->polled;
    if (!*done) return counted(bus, where);
    if (bus->to_host)
        memcpy(here, there, bus->length[s]);
    else
        memcpy(there, here, bus->length[s]);
    atomic_fetch_add(&bus->transferred, bus->length[s]);
    bus->length[s] = 0;
    return counted(bus, where);
}

static gws_status bus_copy(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                           struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                           struct gws_diagnostic *where)
{
    struct bus *bus = (struct bus *)stream->device;
    uint64_t here = bus->to_host ? to_offset : from_offset, there = bus->to_host ? from_offset : to_offset;
    if (here % slot || to != (bus->to_host ? &bus->pinned : &bus->buffer) ||
        from != (bus->to_host ? &bus->buffer : &bus->pinned))
        ck_abort_msg("a copy not between a slot and the buffer");
    bus->last = (uint32_t)(here / slot);
    return begin(bus, bus->last, there, bytes, where);
}

static gws_status bus_event(struct gws_stream *stream, void **event, struct gws_diagnostic *where)
{
    struct bus *bus = (struct bus *)stream->device;
    (void)where;
    *event = &bus->length[bus->last];
    return GWS_OK;
}

static gws_status bus_poll(struct gws_device *device, void *event, bool *done, struct gws_diagnostic *where)
{
    struct bus *bus = (struct bus *)device;
    return poll(bus, (uint32_t)((uint64_t *)event - bus->length), done, where);
}

static const struct gws_device_calls calls = {.copy = bus_copy, .event_new = bus_event, .event_poll = bus_poll};

#endif
