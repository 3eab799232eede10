/* SPDX-License-Identifier: MIT */
/* The kernel at the other end of a host-device protocol (protocol.h): having it run, and waiting for its replies. */
#include "protocol.h"

#include <sched.h>

#include "../parallel.h"

enum { polls_a_yield = 64, polls_a_clock = 1024 };

gws_status gws__protocol_start(struct gws__protocol *protocol, struct gws_where *where)
{
    if (protocol->running && !gws__protocol_left(protocol)) return GWS_OK;
    protocol->launches++;
    gws_status status = gws_device_run(protocol->device, &protocol->launch, where);
    protocol->running = status == GWS_OK;
    return status;
}

/* Now and then while a reply is waited for: is the kernel still there? */
static gws_status look_after(struct gws__protocol *protocol, uint64_t order, double until, struct gws_where *where)
{
    bool done = false;
    gws_status status = gws_device_poll(protocol->device, &done, where);
    if (status != GWS_OK) return status;
    if (gws__protocol_left(protocol)) return gws__protocol_start(protocol, where);
    if (gws__protocol_replied(protocol, order)) return GWS_OK;
    if (!done && gws_clock_ms() < until) return GWS_OK;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: %s", gws_device_describe(protocol->device)->address,
                         done ? "the kernel ended without a reply" : "no reply from the kernel");
}

gws_status gws__protocol_wait(struct gws__protocol *protocol, uint64_t order, struct gws_where *where)
{
    gws_status status = GWS_OK;
    double until = gws_clock_ms() + protocol->limit_ms;
    for (uint64_t polls = 1; status == GWS_OK && !gws__protocol_replied(protocol, order); polls++) {
        if (polls % polls_a_yield == 0) (void)sched_yield(); /* the device may be this processor */
        if (polls % polls_a_clock == 0) status = look_after(protocol, order, until, where);
    }
    return status;
}

gws_status gws__protocol_end(struct gws__protocol *protocol, struct gws_where *where)
{
    if (!protocol->running) return GWS_OK;
    gws_status status = gws__protocol_wait(protocol, gws__protocol_publish(protocol, ORDER_END, 0, 0), where);
    if (status == GWS_OK) protocol->running = false;
    return status;
}
