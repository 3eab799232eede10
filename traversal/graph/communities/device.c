/* SPDX-License-Identifier: MIT */
/* Communities on a device. */
#include "../../../lib/poison.h"
#include "device_state.h"

enum { warp_slots = 512, min_group_slots = 1 << 14, max_group_slots = 1 << 18 };

/* ---- opening ---- */

/* Returns the size of a table: a power of 2, for at most so many labels. */
static uint32_t slots_for(uint64_t labels, uint32_t max)
{
    uint32_t slots = 32;
    while (slots < 2 * labels && slots < max) slots *= 2;
    return slots;
}

/* Chooses the size of the groups' tables. Together they take at most as much memory as the arcs, or the least size. */
static void set_group_slots(struct gws_communities_device *made)
{
    const struct gws_graph *graph = made->kernel.info->graph;
    uint32_t max = min_group_slots;
    while (max < max_group_slots && made->kernel.groups * max * 2 * 12 <= graph->arcs * 4) max *= 2;
    made->step.group_slots = slots_for(graph->vertices, max);
}

static gws_status open_buffers(struct gws_communities_device *made, struct gws_diagnostic *where)
{
    const struct gws__device_kernel *kernel = &made->kernel;
    const struct gws_graph *graph = kernel->info->graph;
    const uint64_t blocks = gws__blocks(graph->vertices), bitmap = (graph->vertices + 31) / 32;
    const uint64_t warp = kernel->group_size > 1 ? 32 : 1, warps = kernel->groups * kernel->group_size / warp;
    const uint64_t slots = warps * made->step.warp_slots + kernel->groups * made->step.group_slots;
    const uint64_t bytes[COMMUNITIES_BUFFERS] = {
        [COMMUNITIES_NODE] = graph->vertices * 4,
        [COMMUNITIES_LABELS] = graph->vertices * 4,
        [COMMUNITIES_DEGREE] = graph->vertices * 8,
        [COMMUNITIES_DEGREES] = graph->vertices * 8,
        [COMMUNITIES_NEXT] = blocks * 4,
        [COMMUNITIES_FLAGS] = 4 * (blocks > 3 * bitmap ? blocks : 3 * bitmap),
        [COMMUNITIES_LIST] = blocks * 4,
        [COMMUNITIES_LAST] = blocks * 4,
        [COMMUNITIES_LONG_ROW] = (graph->arcs * (graph->directed ? 2 : 1) / COMMUNITIES_LONG + 1) * 4,
        [COMMUNITIES_TABLE_LABEL] = slots * 4,
        [COMMUNITIES_TABLE_SUM] = slots * 8,
        [COMMUNITIES_PART] = warps * 8,
        [COMMUNITIES_FOUND] = COMMUNITIES_COUNTS * 4,
        [COMMUNITIES_TALLY] = COMMUNITIES_SUMS * 8,
        [COMMUNITIES_ARRIVED] = 8};
    gws_status status = gws__device_kernel_buffers(kernel, bytes, COMMUNITIES_BUFFERS, made->buffer, where);
    if (status == GWS_OK) status = gws_device_fill(made->buffer[COMMUNITIES_ARRIVED], 0, 0, 2, where);
    if (status == GWS_OK)
        status = gws_device_fill(made->buffer[COMMUNITIES_TABLE_LABEL], 0, GWS_NO_VERTEX, slots, where);
    return status == GWS_OK ? gws_device_fill(made->buffer[COMMUNITIES_TABLE_SUM], 0, 0, 2 * slots, where) : status;
}

static gws_status upload(struct gws_device *device, const void *array, uint64_t arcs, struct gws_device_buffer **buffer,
                         struct gws_diagnostic *where)
{
    gws_status status = gws_device_buffer_new(device, arcs * 4, buffer, where);
    return status == GWS_OK && arcs > 0 ? gws_device_write(*buffer, 0, array, arcs * 4, where) : status;
}

static const void *weights_of(const struct gws_graph *graph)
{
    return graph->weight ? (const void *)graph->weight : (const void *)graph->real_weight;
}

static gws_status open_weights(struct gws_communities_device *made, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = made->kernel.info;
    const struct gws_graph *graph = info->graph;
    if (made->options.ignore_weights || !weights_of(graph)) return GWS_OK;
    made->first_weights = graph->weight ? WEIGHT_WORDS : WEIGHT_FLOATS;
    gws_status status = upload(info->device, weights_of(graph), graph->arcs, &made->weight, where);
    if (status == GWS_OK && graph->directed)
        status = upload(info->device, weights_of(graph->reverse), graph->arcs, &made->in_weight, where);
    return status;
}

/* Checks the options and the weights, and sets the constants of all steps. */
static gws_status set_constants(struct gws_communities_device *made, const struct gws_device_graph_info *info,
                                const struct gws_communities_options *options)
{
    struct gws__communities run = {.runtime = info->runtime, .graph = info->graph};
    uint64_t longest = 0;
    gws_status status = gws__communities_options(info->graph, options, &made->options);
    if (status == GWS_OK) status = gws__level_weights(&run, made->options.ignore_weights, &longest);
    made->step.resolution = made->options.resolution;
    made->step.scale = run.level.scale;
    made->step.warp_slots = slots_for(info->graph->vertices, warp_slots);
    return status;
}

static gws_status communities_device_open(struct gws_device_graph *on_device,
                                          const struct gws_communities_options *options,
                                          struct gws_communities_device **communities, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    struct gws_communities_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_communities_device){.kernel = {.on_device = on_device, .info = info}};
    gws_status status = set_constants(made, info, options);
    if (status != GWS_OK)
        (void)gws_diagnostic_status(where, status);
    else
        status = gws__device_kernel_open(on_device, "graph_communities", "graph_communities", &made->kernel, where);
    if (status == GWS_OK && info->graph->directed)
        status = gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
    if (status == GWS_OK) status = open_weights(made, where);
    if (status == GWS_OK) set_group_slots(made);
    if (status == GWS_OK) status = open_buffers(made, where);
    if (status == GWS_OK)
        *communities = made;
    else
        gws_communities_device_close(made);
    return status;
}

gws_status gws_communities_device_open(struct gws_device_graph *on_device,
                                       const struct gws_communities_options *options,
                                       struct gws_communities_device **communities, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    communities_device_open(on_device, options, communities, where));
}

void gws_communities_device_close(struct gws_communities_device *communities)
{
    if (!communities) return;
    for (uint32_t i = 0; i < COMMUNITIES_BUFFERS; i++) gws_device_buffer_free(communities->buffer[i]);
    gws_device_buffer_free(communities->weight);
    gws_device_buffer_free(communities->in_weight);
    gws__device_kernel_close(&communities->kernel);
    gws_release(communities->kernel.info->runtime, communities, 1, sizeof *communities);
}

/* ---- running ---- */

static gws_status communities_device_run(struct gws_communities_device *communities,
                                         struct gws_communities_result *result, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = communities->kernel.info;
    struct gws_communities_result found = {.count = 0};
    gws_status status = GWS_OK;
    communities->ran = false;
    if (info->graph->vertices > 0)
        status = gws_device_fill(communities->buffer[COMMUNITIES_NODE], 0, GWS_POISON, info->graph->vertices, where);
    double began = gws_clock_ms();
    if (status == GWS_OK && info->graph->vertices > 0)
        status = gws__communities_device_find(communities, &found, where);
    if (status != GWS_OK) return status;
    communities->ran = true;
    result->count = found.count;
    result->largest = found.largest;
    result->modularity = found.modularity;
    result->levels = found.levels;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_communities_device_run(struct gws_communities_device *communities, struct gws_communities_result *result,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(communities->kernel.info->runtime, where, communities_device_run(communities, result, where));
}

struct gws_device_buffer *gws_communities_device_buffer(const struct gws_communities_device *communities)
{
    return communities->buffer[COMMUNITIES_NODE];
}

/* Makes room for the labels in the result, unless there is. */
static gws_status reserve(struct gws_runtime *runtime, uint64_t vertices, struct gws_communities_result *result)
{
    if (result->community && result->vertices == vertices) return GWS_OK;
    struct gws_communities_result made = *result;
    made.vertices = vertices;
    made.allocator = *gws_runtime_allocator(runtime);
    made.community = gws_allocate(runtime, vertices, sizeof *made.community);
    if (!made.community) return GWS_NO_MEMORY;
    gws_communities_result_clear(result);
    *result = made;
    return GWS_OK;
}

static gws_status communities_device_fetch(struct gws_communities_device *communities,
                                           struct gws_communities_result *result, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = communities->kernel.info;
    const uint64_t vertices = info->graph->vertices;
    double began = gws_clock_ms();
    if (!communities->ran) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no run is complete");
    gws_status status = reserve(info->runtime, vertices, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (vertices > 0)
        status = gws_device_read(communities->buffer[COMMUNITIES_NODE], 0, result->community,
                                 vertices * sizeof *result->community, where);
    if (status == GWS_OK) result->fetch_ms = gws_clock_ms() - began;
    return status;
}

gws_status gws_communities_device_fetch(struct gws_communities_device *communities,
                                        struct gws_communities_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(communities->kernel.info->runtime, where, communities_device_fetch(communities, result, where));
}
