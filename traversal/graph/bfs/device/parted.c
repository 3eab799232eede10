/* SPDX-License-Identifier: MIT */
/* Parts a graph among devices, and makes the memory of searches on each of them. */
#include "parted.h"

#include <string.h>

#include "../../../../kernels/engine/engine_words.h"
#include "../../../../kernels/queue/queue_words.h"
#include "../../../../lib/parallel.h"

enum {
    min_heavy = 512,   /* all groups share a row that has at least min_heavy arcs and */
    heavy_factor = 16, /* at least heavy_factor times the mean degree */
    vertex_cost = 8,   /* the cost of a vertex in a search, in arcs */
};

/* ---- checks ---- */

static gws_status check(const struct gws_bfs_devices *search, struct gws_diagnostic *where)
{
    const struct gws_bfs_devices_options *options = &search->options;
    if ((unsigned)options->direction > GWS_BFS_BOTTOM_UP || (options->without & ~GWS_INDEX_ALL))
        return gws_diagnostic_status(where, GWS_INVALID);
    if (options->direction == GWS_BFS_BOTTOM_UP)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "searches of a parted graph do not run bottom-up alone");
    if (strcmp(gws_runtime_policy(search->runtime), "chunked") != 0)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "policy %s: searches of parted graphs support chunked",
                                  gws_runtime_policy(search->runtime));
    if (search->graph->vertices == 0)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the graph has no vertices");
    return gws_diagnostic_status(where, search->graph->vertices >> 31 ? GWS_TOO_LARGE : GWS_OK);
}

/* ---- parts ---- */

/* Copies the rows to the device. */
static gws_status open_rows(struct gws_bfs_devices *search, uint32_t which, struct gws_device *device,
                            struct gws_diagnostic *where)
{
    const struct gws_device_graph_options options = {.placement = GWS_PLACE_DEVICE};
    struct gws__parted_part *part = &search->part[which];
    const bool reversed = search->in && search->in != search->graph;
    gws_status status =
        gws__parts_rows(search->runtime, &search->parts, which, search->graph, &part->bounds[0], &part->rows);
    if (status == GWS_OK && reversed)
        status = gws__parts_rows(search->runtime, &search->parts, which, search->in, &part->bounds[1], &part->reverse);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    part->rows.directed = reversed;
    part->rows.reverse = reversed ? &part->reverse : NULL;
    status = gws_device_graph_open(search->runtime, device, &part->rows, &options, &part->on_device, where);
    if (status == GWS_OK)
        status =
            gws__device_kernel_open(part->on_device, "engine_bfs_parted", "engine_run_parted", &part->kernel, where);
    return status == GWS_OK && reversed ? gws_device_graph_prepare(part->on_device, GWS_INDEX_REVERSE, where) : status;
}

/* ---- the index "hubs" ---- */

static gws_status launch_hubs(struct gws_bfs_devices *search, uint32_t which, struct gws_device_buffer *bounds,
                              struct gws_diagnostic *where)
{
    struct gws__parted_part *part = &search->part[which];
    struct gws_device_graph *on_device = part->on_device;
    const uint32_t vertices = (uint32_t)part->rows.vertices;
    uint64_t candidates = 0;
    gws_status status = gws__device_graph_program(on_device, where);
    if (status == GWS_OK) status = gws_device_fill(on_device->sum, 0, 0, 2, where);
    const struct gws_device_argument argument[] = {{.value = &vertices, .bytes = sizeof vertices},
                                                   {.value = &search->parts.first[which], .bytes = 4},
                                                   {.buffer = bounds},
                                                   {.buffer = gws_device_graph_buffer(on_device, GWS_ARRAY_IN_OFFSET)},
                                                   {.buffer = gws_device_graph_buffer(on_device, GWS_ARRAY_SOURCE)},
                                                   {.buffer = part->buffer[parted_hub]},
                                                   {.buffer = part->buffer[parted_isolated]},
                                                   {.buffer = on_device->sum}};
    if (status == GWS_OK)
        status = gws__device_graph_launch(on_device, "index_hubs", argument, sizeof argument / sizeof *argument, where);
    if (status == GWS_OK) status = gws_device_read(on_device->sum, 0, &candidates, sizeof candidates, where);
    search->candidates += candidates;
    return status;
}

/* The device needs the degrees of all vertices while it builds the index. */
static gws_status build_hubs(struct gws_bfs_devices *search, uint32_t which, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = search->graph;
    const uint64_t bytes = (graph->vertices + 1) * sizeof *graph->offset;
    struct gws_device_buffer *bounds = NULL;
    gws_status status = gws_device_buffer_new(search->part[which].kernel.device, bytes, &bounds, where);
    if (status == GWS_OK) status = gws_device_write(bounds, 0, graph->offset, bytes, where);
    if (status == GWS_OK) status = launch_hubs(search, which, bounds, where);
    gws_device_buffer_free(bounds);
    return status;
}

/* Without the index, the kernel finds the part's first vertex in the place of a hub, and no vertex is isolated. */
static gws_status open_index(struct gws_bfs_devices *search, uint32_t which, struct gws_diagnostic *where)
{
    struct gws__parted_part *part = &search->part[which];
    const uint64_t words = (part->rows.vertices + 31) / 32;
    if (search->hubs) return build_hubs(search, which, where);
    gws_status status = gws_device_fill(part->buffer[parted_hub], 0, search->parts.first[which], 1, where);
    return status == GWS_OK ? gws_device_fill(part->buffer[parted_isolated], 0, 0, words, where) : status;
}

/* ---- memory ---- */

static gws_status open_buffers(struct gws_bfs_devices *search, uint32_t which, struct gws_diagnostic *where)
{
    struct gws__parted_part *part = &search->part[which];
    const uint64_t all = search->graph->vertices, own = part->rows.vertices, groups = part->kernel.groups;
    const uint64_t arcs = part->reverse.arcs > part->rows.arcs ? part->reverse.arcs : part->rows.arcs;
    const uint64_t exchange = PARTED_POSTS + (all + 63) / 64 * 2 + own * (search->parts.count - 1);
    part->stats_bytes = groups * STATS_STRIDE * 8;
    const uint64_t bytes[parted_buffers] = {[parted_depth] = own * 4,
                                            [parted_parent] = own * 4,
                                            [parted_list] = own * 4,
                                            [parted_control] = ENGINE_CONTROL_WORDS * 4,
                                            [parted_sums] = ENGINE_SUM_WORDS * 8,
                                            [parted_queue] = groups * 8,
                                            [parted_stats] = part->stats_bytes,
                                            [parted_hub] = search->hubs ? own * 4 : 4,
                                            [parted_isolated] = (own + 31) / 32 * 4,
                                            [parted_segments] = (arcs / search->heavy + 1) * 16,
                                            [parted_record] = (all / search->parts.count + 1) * 8,
                                            [parted_result] = PARTED_RESULT * 4,
                                            [parted_exchange] = exchange * 8};
    gws_status status = gws__device_kernel_buffers(&part->kernel, bytes, parted_buffers, part->buffer, where);
    if (status == GWS_OK) status = gws_device_fill(part->buffer[parted_control], 0, 0, ENGINE_CONTROL_WORDS, where);
    if (status == GWS_OK) status = gws_device_fill(part->buffer[parted_sums], 0, 0, ENGINE_SUM_WORDS * 2, where);
    if (status == GWS_OK)
        status = gws__parts_add(&search->parts, which, &part->kernel, part->buffer[parted_exchange], where);
    return status == GWS_OK ? open_index(search, which, where) : status;
}

/* ---- opening and closing ---- */

static gws_status open_parts(struct gws_bfs_devices *search, struct gws_device *const *device,
                             struct gws_diagnostic *where)
{
    const struct gws_graph *graph = search->graph;
    const uint64_t heavy = heavy_factor * (graph->arcs / graph->vertices);
    const bool reverses = !(search->options.without & GWS_INDEX_SET(GWS_INDEX_REVERSE));
    gws_status status = GWS_OK;
    search->in = !graph->directed ? graph : reverses ? graph->reverse : NULL;
    search->hubs = search->in && !(search->options.without & GWS_INDEX_SET(GWS_INDEX_HUBS));
    search->heavy = heavy < min_heavy ? min_heavy : heavy < UINT32_MAX ? (uint32_t)heavy : UINT32_MAX;
    search->candidates = search->hubs ? 0 : graph->vertices;
    gws__parts_divide(&search->parts, graph, search->in, vertex_cost);
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++)
        status = open_rows(search, p, device[p], where);
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++) status = open_buffers(search, p, where);
    for (uint32_t p = 0; p < search->parts.count && status == GWS_OK; p++) status = gws_device_wait(device[p], where);
    return status;
}

static gws_status bfs_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                   const struct gws_graph *graph, const struct gws_bfs_devices_options *options,
                                   struct gws_bfs_devices **search, struct gws_diagnostic *where)
{
    gws_status status = gws__parts_connect(device, devices, where);
    if (status != GWS_OK) return status;
    struct gws_bfs_devices *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_bfs_devices){
        .runtime = runtime, .graph = graph, .parts = {.count = devices, .post_words = PARTED_POSTS}};
    if (options) made->options = *options;
    status = check(made, where);
    if (status == GWS_OK) status = open_parts(made, device, where);
    if (status == GWS_OK)
        *search = made;
    else
        gws_bfs_devices_close(made);
    return status;
}

gws_status gws_bfs_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                const struct gws_graph *graph, const struct gws_bfs_devices_options *options,
                                struct gws_bfs_devices **search, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, bfs_devices_open(runtime, device, devices, graph, options, search, where));
}

static void close_part(struct gws_bfs_devices *search, uint32_t which)
{
    struct gws__parted_part *part = &search->part[which];
    for (uint32_t i = 0; i < parted_buffers; i++) gws_device_buffer_free(part->buffer[i]);
    gws_device_buffer_free(part->narrow);
    gws__device_kernel_close(&part->kernel);
    gws_device_graph_close(part->on_device);
    for (int i = 0; i < 2; i++) gws__parts_release(search->runtime, &search->parts, which, part->bounds[i]);
}

void gws_bfs_devices_close(struct gws_bfs_devices *search)
{
    if (!search) return;
    for (uint32_t p = 0; p < search->parts.count; p++) close_part(search, p);
    gws_release(search->runtime, search, 1, sizeof *search);
}
