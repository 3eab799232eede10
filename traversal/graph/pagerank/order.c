/* SPDX-License-Identifier: MIT */
#include "order.h"

#include "../../../kernels/graph/order_words.h"
#include "../../../lib/parallel.h"

static gws_status make_buffers(const struct gws__device_kernel *kernel, struct gws__order *order,
                               struct gws_diagnostic *where)
{
    const uint64_t vertices = kernel->info->graph->vertices, arcs = kernel->info->graph->arcs;
    const uint64_t bytes[] = {[ORDER_VERTEX] = vertices * 4,
                              [ORDER_DEGREE] = vertices * 4,
                              [ORDER_ROW] = (vertices + 1) * 8,
                              [ORDER_SOURCE] = arcs * 4,
                              [ORDER_NUMBER] = vertices * 4,
                              [ORDER_COUNTS] = kernel->groups * ORDER_BUCKETS * 4,
                              [ORDER_SUMS] = kernel->groups * 8,
                              [ORDER_HEAVY_ROWS] = (arcs / ORDER_HEAVY + 1) * 4,
                              [ORDER_HEAVIES] = 4,
                              [ORDER_ARRIVED] = 8};
    gws_status status = gws__device_kernel_buffers(kernel, bytes, ORDER_BUFFERS, order->buffer, where);
    if (status == GWS_OK) status = gws_device_fill(order->buffer[ORDER_HEAVIES], 0, 0, 1, where);
    if (status == GWS_OK) status = gws_device_fill(order->buffer[ORDER_ARRIVED], 0, 0, 2, where);
    for (uint32_t i = 0; i <= ORDER_SOURCE; i++) order->bytes += bytes[i];
    return status;
}

static gws_status run(struct gws__device_kernel *kernel, const struct gws__order *order, struct gws_diagnostic *where)
{
    struct gws_device_buffer *const *buffer = order->buffer;
    const uint32_t vertices = (uint32_t)kernel->info->graph->vertices;
    const struct gws_device_argument argument[] = {
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_OFFSET)},
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_IN_OFFSET)},
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_SOURCE)},
        {.buffer = buffer[ORDER_NUMBER]},
        {.buffer = buffer[ORDER_VERTEX]},
        {.buffer = buffer[ORDER_DEGREE]},
        {.buffer = buffer[ORDER_ROW]},
        {.buffer = buffer[ORDER_SOURCE]},
        {.buffer = buffer[ORDER_COUNTS]},
        {.buffer = buffer[ORDER_SUMS]},
        {.buffer = buffer[ORDER_HEAVY_ROWS]},
        {.buffer = buffer[ORDER_HEAVIES]},
        {.buffer = buffer[ORDER_ARRIVED]},
        {.value = &vertices, .bytes = sizeof vertices}};
    return vertices > 0 ? gws__device_kernel_run(kernel, argument, sizeof argument / sizeof *argument, where) : GWS_OK;
}

gws_status gws__order_build(struct gws_device_graph *on_device, struct gws__order *order, struct gws_diagnostic *where)
{
    struct gws__device_kernel kernel;
    gws_status status = gws__device_kernel_open(on_device, "graph_order", "graph_order", &kernel, where);
    double began = gws_clock_ms();
    if (status == GWS_OK) status = make_buffers(&kernel, order, where);
    if (status == GWS_OK) status = run(&kernel, order, where);
    order->ms = gws_clock_ms() - began;
    for (uint32_t i = ORDER_NUMBER; i < ORDER_BUFFERS; i++) {
        gws_device_buffer_free(order->buffer[i]);
        order->buffer[i] = NULL;
    }
    gws__device_kernel_close(&kernel);
    if (status != GWS_OK) gws__order_clear(order);
    return status;
}

void gws__order_clear(struct gws__order *order)
{
    for (uint32_t i = 0; i < ORDER_BUFFERS; i++) gws_device_buffer_free(order->buffer[i]);
    *order = (struct gws__order){.ms = 0};
}
