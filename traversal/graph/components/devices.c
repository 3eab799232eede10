/* SPDX-License-Identifier: MIT */
/* Weak components of a graph that is parted among devices: the kernel of one device (kernels/graph/components.cl) on
 * the rows of each part, and once more on the first device, on rows that lead to the components of all parts. */
#include "../../components_devices.h"

#include "../../../kernels/graph/components_words.h"
#include "../../../lib/parallel.h"
#include "../../engine/parts.h"
#include "result.h"

enum { vertex_cost = 4 /* the cost of a vertex in a run, in arcs */ };

/* A device's buffers; those from merged on are those of the first device alone, if there are several. */
enum buffer { component, list, visited, count, arrived, part_buffers, merged = part_buffers, offset, target, buffers };

struct part {
    struct gws_graph rows; /* of all vertices; those of other parts are empty */
    uint64_t *bounds;
    struct gws_device_graph *on_device;
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
};

struct gws_components_devices {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws__parts parts;
    struct part part[PARTED_MAX];
};

/* ---- opening and closing ---- */

static gws_status open_part(struct gws_components_devices *made, uint32_t which, struct gws_device *device,
                            struct gws_diagnostic *where)
{
    const struct gws_device_graph_options options = {.placement = GWS_PLACE_DEVICE};
    struct part *part = &made->part[which];
    const uint64_t vertices = made->graph->vertices, words = vertices * 4, bits = (vertices + 31) / 32 * 4;
    const bool merges = which == 0 && made->parts.count > 1;
    const uint64_t bytes[buffers] = {[component] = words,
                                     [list] = words,
                                     [visited] = bits,
                                     [count] = COMPONENTS_COUNTS * 4,
                                     [arrived] = 8,
                                     [merged] = words,
                                     [offset] = (vertices + 1) * 8,
                                     [target] = words * made->parts.count};
    gws_status status = gws_diagnostic_status(
        where, gws__parts_all_rows(made->runtime, &made->parts, which, made->graph, &part->bounds, &part->rows));
    if (status == GWS_OK)
        status = gws_device_graph_open(made->runtime, device, &part->rows, &options, &part->on_device, where);
    if (status == GWS_OK)
        status = gws__device_kernel_open(part->on_device, "graph_components", "graph_components", &part->kernel, where);
    if (status == GWS_OK)
        status = gws__device_kernel_buffers(&part->kernel, bytes, merges ? buffers : part_buffers, part->buffer, where);
    if (status == GWS_OK) status = gws_device_fill(part->buffer[visited], 0, 0, bits / 4, where);
    if (status == GWS_OK) status = gws_device_fill(part->buffer[arrived], 0, 0, 2, where);
    made->parts.kernel[which] = &part->kernel;
    return status == GWS_OK ? gws_device_wait(device, where) : status;
}

static gws_status components_devices_open(struct gws_runtime *runtime, struct gws_device *const *device,
                                          uint32_t devices, const struct gws_graph *graph,
                                          struct gws_components_devices **components, struct gws_diagnostic *where)
{
    gws_status status = gws__parts_connect(device, devices, where);
    if (status != GWS_OK) return status;
    if (graph->vertices >> 31) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    struct gws_components_devices *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_components_devices){.runtime = runtime, .graph = graph, .parts = {.count = devices}};
    gws__parts_divide(&made->parts, graph, NULL, vertex_cost);
    for (uint32_t p = 0; p < devices && status == GWS_OK; p++) status = open_part(made, p, device[p], where);
    if (status == GWS_OK)
        *components = made;
    else
        gws_components_devices_close(made);
    return status;
}

gws_status gws_components_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                       const struct gws_graph *graph, struct gws_components_devices **components,
                                       struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, components_devices_open(runtime, device, devices, graph, components, where));
}

void gws_components_devices_close(struct gws_components_devices *components)
{
    if (!components) return;
    for (uint32_t p = 0; p < components->parts.count; p++) {
        struct part *part = &components->part[p];
        for (uint32_t i = 0; i < buffers; i++) gws_device_buffer_free(part->buffer[i]);
        gws__device_kernel_close(&part->kernel);
        gws_device_graph_close(part->on_device);
        gws_release(components->runtime, part->bounds, components->graph->vertices + 1, sizeof *part->bounds);
    }
    gws_release(components->runtime, components, 1, sizeof *components);
}

/* ---- a run ---- */

/* Launches the kernel of components on a device, with the part's rows or with those that lead to components. */
static gws_status find(const struct gws_components_devices *components, uint32_t which, bool merges,
                       struct gws_diagnostic *where)
{
    const struct part *part = &components->part[which];
    struct gws_device_buffer *const *buffer = part->buffer;
    const uint32_t vertices = (uint32_t)components->graph->vertices, undirected = !part->rows.directed;
    const struct gws_device_argument argument[] = {
        {.buffer = merges ? buffer[offset] : gws_device_graph_buffer(part->on_device, GWS_ARRAY_OFFSET)},
        {.buffer = merges ? buffer[target] : gws_device_graph_buffer(part->on_device, GWS_ARRAY_TARGET)},
        {.buffer = buffer[merges ? merged : component]},
        {.buffer = buffer[list]},
        {.buffer = buffer[visited]},
        {.buffer = buffer[count]},
        {.buffer = buffer[arrived]},
        {.value = &vertices, .bytes = sizeof vertices},
        {.value = &undirected, .bytes = sizeof undirected}};
    gws_status status = gws_device_fill(buffer[count], 0, 0, COMPONENTS_COUNTS, where);
    if (status != GWS_OK) return status;
    return gws__device_kernel_start(&part->kernel, argument, sizeof argument / sizeof *argument, where);
}

static gws_status find_own(void *context, uint32_t which, struct gws_diagnostic *where)
{
    return find(context, which, false, where);
}

/* Writes the rows that lead to the components of all parts. */
static gws_status write_rows(const struct gws_components_devices *components, struct gws_diagnostic *where)
{
    const struct part *first = &components->part[0];
    const uint32_t vertices = (uint32_t)components->graph->vertices, devices = components->parts.count;
    struct gws_device_argument argument[COMPONENTS_DEVICES + 4];
    uint32_t at = 0;
    for (uint32_t p = 0; p < COMPONENTS_DEVICES; p++)
        argument[at++] =
            (struct gws_device_argument){.buffer = components->part[p < devices ? p : 0].buffer[component]};
    argument[at++] = (struct gws_device_argument){.buffer = first->buffer[offset]};
    argument[at++] = (struct gws_device_argument){.buffer = first->buffer[target]};
    argument[at++] = (struct gws_device_argument){.value = &vertices, .bytes = sizeof vertices};
    argument[at++] = (struct gws_device_argument){.value = &devices, .bytes = sizeof devices};
    const struct gws_device_launch launch = {.program = first->kernel.program,
                                             .kernel = "components_merge",
                                             .groups = first->kernel.groups,
                                             .group_size = first->kernel.group_size,
                                             .argument = argument,
                                             .arguments = at};
    return gws_device_run(first->kernel.device, &launch, where);
}

static gws_status find_all(struct gws_components_devices *components, double *ms, struct gws_diagnostic *where)
{
    gws_status status = gws__parts_run(&components->parts, find_own, components, ms, where);
    if (status != GWS_OK || components->parts.count == 1) return status;
    const double began = gws_clock_ms();
    status = write_rows(components, where);
    if (status == GWS_OK) status = find(components, 0, true, where);
    if (status == GWS_OK) status = gws_device_wait(components->part[0].kernel.device, where);
    *ms += gws_clock_ms() - began;
    return status;
}

static gws_status components_devices_run(struct gws_components_devices *components,
                                         struct gws_components_result *result, struct gws_diagnostic *where)
{
    const uint64_t vertices = components->graph->vertices;
    uint32_t counts[COMPONENTS_COUNTS] = {0};
    double ms = 0;
    gws_report_progress(components->runtime, "linking vertices", 0, 0);
    gws_status status = vertices > 0 ? find_all(components, &ms, where) : GWS_OK;
    if (status == GWS_OK && vertices > 0)
        status = gws_device_read(components->part[0].buffer[count], 0, counts, sizeof counts, where);
    if (status != GWS_OK) return status;
    const bool is_largest =
        COMPONENTS_IS_LARGEST((uint64_t)counts[COMPONENTS_SAMPLED], counts[COMPONENTS_ROOTS], vertices);
    result->components = counts[COMPONENTS_ROOTS];
    result->largest = counts[is_largest ? COMPONENTS_SAMPLED : COMPONENTS_LARGEST];
    result->ms = ms;
    return GWS_OK;
}

gws_status gws_components_devices_run(struct gws_components_devices *components, struct gws_components_result *result,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(components->runtime, where, components_devices_run(components, result, where));
}

static gws_status components_devices_fetch(struct gws_components_devices *components,
                                           struct gws_components_result *result, struct gws_diagnostic *where)
{
    struct gws_device_buffer *const *buffer = components->part[0].buffer;
    const uint64_t vertices = components->graph->vertices;
    const struct gws_components_result counted = *result;
    const double began = gws_clock_ms();
    gws_status status = gws__components_reserve(components->runtime, vertices, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    result->components = counted.components;
    result->largest = counted.largest;
    result->ms = counted.ms;
    if (vertices > 0)
        status = gws_device_read(buffer[components->parts.count > 1 ? merged : component], 0, result->component,
                                 vertices * 4, where);
    if (status == GWS_OK) result->fetch_ms = gws_clock_ms() - began;
    return status;
}

gws_status gws_components_devices_fetch(struct gws_components_devices *components, struct gws_components_result *result,
                                        struct gws_diagnostic *where)
{
    return GWS_CALL(components->runtime, where, components_devices_fetch(components, result, where));
}

/* ---- parts ---- */

uint32_t gws_components_devices_count(const struct gws_components_devices *components)
{
    return components->parts.count;
}

void gws_components_devices_describe(const struct gws_components_devices *components, uint32_t device,
                                     struct gws_components_devices_part *part)
{
    const struct part *own = &components->part[device];
    *part = (struct gws_components_devices_part){.device = own->kernel.device,
                                                 .first = components->parts.first[device],
                                                 .vertices = gws__parts_size(&components->parts, device),
                                                 .arcs = own->rows.arcs,
                                                 .bytes = gws_device_memory_held(own->kernel.device),
                                                 .upload_ms = gws_device_graph_describe(own->on_device)->upload_ms,
                                                 .sent_bytes = device > 0 ? components->graph->vertices * 4 : 0};
}
