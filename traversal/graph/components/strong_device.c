/* SPDX-License-Identifier: MIT */
/* Strong components on a device: the host's side of kernels/graph/strong.cl. */
#include "../../../kernels/graph/strong_words.h"
#include "../../../lib/parallel.h"
#include "device_state.h"

gws_status gws__components_open_strong(struct gws_components_device *components, struct gws_device_graph *on_device,
                                       struct gws_diagnostic *where)
{
    const struct gws_graph *graph = gws_device_graph_describe(on_device)->graph;
    const uint64_t words = graph->vertices * 4;
    const uint64_t bytes[BUFFERS] = {[COMPONENT] = words,
                                     [COUNT] = STRONG_COUNTS * 4,
                                     [ARRIVED] = 8,
                                     [LIST] = STRONG_LISTS * words,
                                     [COLOUR] = words,
                                     [REGION] = words,
                                     [HEAVY] = (graph->arcs / STRONG_HEAVY + 1) * 4,
                                     [BEST] = 8};
    if (!graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    gws_status status = gws__device_kernel_open(on_device, "graph_strong", "graph_strong", &components->kernel, where);
    if (status == GWS_OK) status = gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
    return status == GWS_OK ? gws__device_kernel_buffers(&components->kernel, bytes, BUFFERS, components->buffer, where)
                            : status;
}

static gws_status run_round(struct gws_components_device *components, uint32_t round, struct gws_diagnostic *where)
{
    struct gws__device_kernel *kernel = &components->kernel;
    struct gws_device_buffer *const *buffer = components->buffer;
    const uint32_t vertices = (uint32_t)kernel->info->graph->vertices;
    const struct gws_device_argument argument[] = {
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_OFFSET)},
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_TARGET)},
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_IN_OFFSET)},
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_SOURCE)},
        {.buffer = buffer[COMPONENT]},
        {.buffer = buffer[COLOUR]},
        {.buffer = buffer[REGION]},
        {.buffer = buffer[LIST]},
        {.buffer = buffer[HEAVY]},
        {.buffer = buffer[COUNT]},
        {.buffer = buffer[BEST]},
        {.buffer = buffer[ARRIVED]},
        {.value = &vertices, .bytes = sizeof vertices},
        {.value = &round, .bytes = sizeof round}};
    return gws__device_kernel_run(kernel, argument, sizeof argument / sizeof *argument, where);
}

/* Launches rounds until no vertex is open. Each round closes the root of each region at least. A launch that writes
 * nothing is the device's error. */
static gws_status run_rounds(struct gws_components_device *components, uint32_t *counts, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = components->kernel.info->runtime;
    const uint32_t vertices = (uint32_t)components->kernel.info->graph->vertices;
    gws_status status = GWS_OK;
    counts[STRONG_OPEN] = vertices;
    for (uint32_t round = 0; counts[STRONG_OPEN] > 0 && status == GWS_OK; round++) {
        const uint32_t before = counts[STRONG_OPEN];
        status = run_round(components, round, where);
        if (status == GWS_OK)
            status = gws_device_read(components->buffer[COUNT], 0, counts, STRONG_COUNTS * sizeof *counts, where);
        if (status == GWS_OK && counts[STRONG_OPEN] >= before)
            status = gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "a round of strong components found none");
        gws_report_progress(runtime, "closing components", vertices - counts[STRONG_OPEN], vertices);
    }
    return status;
}

gws_status gws__components_run_strong(struct gws_components_device *components, struct gws_components_result *result,
                                      struct gws_diagnostic *where)
{
    uint32_t counts[STRONG_COUNTS] = {0};
    gws_status status = gws_device_fill(components->buffer[COUNT], 0, 0, STRONG_COUNTS, where);
    if (status == GWS_OK) status = gws_device_fill(components->buffer[BEST], 0, UINT32_MAX, 2, where);
    double began = gws_clock_ms();
    if (status == GWS_OK) status = run_rounds(components, counts, where);
    if (status != GWS_OK) return status;
    result->components = counts[STRONG_ROOTS];
    result->largest = counts[STRONG_GIANT] > counts[STRONG_LARGEST] ? counts[STRONG_GIANT] : counts[STRONG_LARGEST];
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}
