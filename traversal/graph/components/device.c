/* SPDX-License-Identifier: MIT */
/* Components on a device: the host's side of kernels/graph/components.cl, and what both kinds of components share. */
#include "../../../kernels/graph/components_words.h"
#include "../../../lib/parallel.h"
#include "device_state.h"
#include "result.h"

static gws_status open_weak(struct gws_components_device *components, struct gws_device_graph *on_device,
                            struct gws_diagnostic *where)
{
    const uint64_t words = gws_device_graph_describe(on_device)->graph->vertices * 4, bits = (words / 4 + 31) / 32 * 4;
    const uint64_t bytes[] = {
        [COMPONENT] = words, [COUNT] = COMPONENTS_COUNTS * 4, [ARRIVED] = 8, [LIST] = words, [VISITED] = bits};
    gws_status status =
        gws__device_kernel_open(on_device, "graph_components", "graph_components", &components->kernel, where);
    if (status == GWS_OK)
        status = gws__device_kernel_buffers(&components->kernel, bytes, WEAK_BUFFERS, components->buffer, where);
    return status == GWS_OK ? gws_device_fill(components->buffer[VISITED], 0, 0, bits / 4, where) : status;
}

static gws_status components_device_open(struct gws_device_graph *on_device, bool strong,
                                         struct gws_components_device **components, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    struct gws_components_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_components_device){.kernel.info = info, .strong = strong && info->graph->directed};
    gws_status status =
        made->strong ? gws__components_open_strong(made, on_device, where) : open_weak(made, on_device, where);
    if (status == GWS_OK) status = gws_device_fill(made->buffer[ARRIVED], 0, 0, 2, where);
    if (status == GWS_OK)
        *components = made;
    else
        gws_components_device_close(made);
    return status;
}

gws_status gws_components_device_open(struct gws_device_graph *on_device, struct gws_components_device **components,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    components_device_open(on_device, false, components, where));
}

gws_status gws_components_device_open_strong(struct gws_device_graph *on_device,
                                             struct gws_components_device **components, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    components_device_open(on_device, true, components, where));
}

void gws_components_device_close(struct gws_components_device *components)
{
    if (!components) return;
    for (uint32_t i = 0; i < BUFFERS; i++) gws_device_buffer_free(components->buffer[i]);
    gws__device_kernel_close(&components->kernel);
    gws_release(components->kernel.info->runtime, components, 1, sizeof *components);
}

static gws_status run_weak(struct gws_components_device *components, struct gws_components_result *result,
                           struct gws_diagnostic *where)
{
    struct gws__device_kernel *kernel = &components->kernel;
    const struct gws_graph *graph = kernel->info->graph;
    struct gws_device_buffer *const *buffer = components->buffer;
    const uint32_t vertices = (uint32_t)graph->vertices, undirected = !graph->directed;
    uint32_t counts[COMPONENTS_COUNTS];
    const struct gws_device_argument argument[] = {
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_OFFSET)},
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_TARGET)},
        {.buffer = buffer[COMPONENT]},
        {.buffer = buffer[LIST]},
        {.buffer = buffer[VISITED]},
        {.buffer = buffer[COUNT]},
        {.buffer = buffer[ARRIVED]},
        {.value = &vertices, .bytes = sizeof vertices},
        {.value = &undirected, .bytes = sizeof undirected}};
    gws_status status = gws_device_fill(buffer[COUNT], 0, 0, COMPONENTS_COUNTS, where);
    gws_report_progress(kernel->info->runtime, "linking vertices", 0, 0);
    double began = gws_clock_ms();
    if (status == GWS_OK && vertices > 0)
        status = gws__device_kernel_run(kernel, argument, sizeof argument / sizeof *argument, where);
    double ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = gws_device_read(buffer[COUNT], 0, counts, sizeof counts, where);
    if (status != GWS_OK) return status;
    result->components = counts[COMPONENTS_ROOTS];
    const bool is_largest =
        COMPONENTS_IS_LARGEST((uint64_t)counts[COMPONENTS_SAMPLED], counts[COMPONENTS_ROOTS], (uint64_t)vertices);
    result->largest = counts[is_largest ? COMPONENTS_SAMPLED : COMPONENTS_LARGEST];
    result->ms = ms;
    return GWS_OK;
}

gws_status gws_components_device_run(struct gws_components_device *components, struct gws_components_result *result,
                                     struct gws_diagnostic *where)
{
    return GWS_CALL(components->kernel.info->runtime, where,
                    components->strong ? gws__components_run_strong(components, result, where)
                                       : run_weak(components, result, where));
}

struct gws_device_buffer *gws_components_device_buffer(const struct gws_components_device *components)
{
    return components->buffer[COMPONENT];
}

static gws_status components_device_fetch(struct gws_components_device *components,
                                          struct gws_components_result *result, struct gws_diagnostic *where)
{
    const uint64_t vertices = components->kernel.info->graph->vertices;
    const struct gws_components_result counted = *result;
    double began = gws_clock_ms();
    gws_status status = gws__components_reserve(components->kernel.info->runtime, vertices, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    result->components = counted.components;
    result->largest = counted.largest;
    result->ms = counted.ms;
    if (vertices > 0)
        status = gws_device_read(components->buffer[COMPONENT], 0, result->component, vertices * 4, where);
    if (status == GWS_OK) result->fetch_ms = gws_clock_ms() - began;
    return status;
}

gws_status gws_components_device_fetch(struct gws_components_device *components, struct gws_components_result *result,
                                       struct gws_diagnostic *where)
{
    return GWS_CALL(components->kernel.info->runtime, where, components_device_fetch(components, result, where));
}
