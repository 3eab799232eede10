/* SPDX-License-Identifier: MIT */
/* The kernel of a bridged search (bfs_bridge.h): having it run, and waiting for its replies. It stays until the
 * search ends, but may leave at any time between two orders when none comes (kernels/hetero/bridge.cl). */
#include <sched.h>

#include "host_resident.h"

enum { looks_between_clocks = 1024, scalars = 5 /* arguments behind the buffers */ };

gws_status gws__bfs_bridge_launch(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    if (bridge->running && !gws__bridge_left(&bridge->bridge, bridge->launches)) return GWS_OK;
    uint64_t number = bridge->launches + 1, patience = (uint64_t)1 << 22, chunk = bridge->options.chunk / 32;
    struct gws_device_argument argument[bridge_buffers + scalars] = {
        [bridge_buffers] = {.value = &bridge->graph->vertices, .bytes = 8},
        {.value = &chunk, .bytes = 8},
        {.value = &bridge->window, .bytes = 8},
        {.value = &number, .bytes = 8},
        {.value = &patience, .bytes = 8}};
    for (uint32_t b = 0; b < bridge_buffers; b++) argument[b].buffer = bridge->buffer[b];
    for (uint32_t b = bridge_in_bound; b <= bridge_in_rest && !bridge->in_rows.graph; b++)
        argument[b].buffer = bridge->buffer[b - bridge_in_bound + bridge_bound];
    struct gws_device_launch launch = {.program = bridge->program,
                                       .kernel = "bridge_search",
                                       .groups = bridge->groups,
                                       .group_size = bridge->options.group_size,
                                       .argument = argument,
                                       .arguments = bridge_buffers + scalars,
                                       .resident = true};
    gws_status status = gws_device_run(bridge->device, &launch, where);
    if (status != GWS_OK) return status;
    bridge->launches = number;
    bridge->running = true;
    bridge->stats.launches++;
    return GWS_OK;
}

/* Now and then while the device is waited for: is it still there? */
static gws_status look_after(struct gws__bfs_bridge *bridge, uint64_t order, double until, struct gws_where *where)
{
    bool done = false;
    gws_status status = gws_device_poll(bridge->device, &done, where);
    if (status != GWS_OK) return status;
    if (gws__bridge_left(&bridge->bridge, bridge->launches)) return gws__bfs_bridge_launch(bridge, where);
    if (gws__bridge_answered(&bridge->bridge, order)) return GWS_OK;
    if (!done && gws_clock_ms() < until) return GWS_OK;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: %s", gws_device_describe(bridge->device)->address,
                         done ? "the search's kernel ended without an answer" : "no answer from the search's kernel");
}

gws_status gws__bfs_bridge_await(struct gws__bfs_bridge *bridge, uint64_t order, struct gws_where *where)
{
    gws_status status = GWS_OK;
    double began = gws_clock_ms();
    for (uint64_t looks = 1; status == GWS_OK && !gws__bridge_answered(&bridge->bridge, order); looks++) {
        if (looks % 64 == 0) (void)sched_yield(); /* the device may be this processor */
        if (looks % looks_between_clocks == 0)
            status = look_after(bridge, order, began + bridge->options.limit_ms, where);
    }
    return status;
}
