/* SPDX-License-Identifier: MIT */
/* The memory and the program of a bridged search (bfs_bridge.h): what lies where. */
#include <stdio.h>
#include <string.h>

#include "../../../../kernels/bfs/bridge_bfs_words.h"
#include "../../../../kernels/kernels.h"
#include "host_resident.h"

enum { chunk_vertices = 1024, group_items = 512, most_items = 1024, limit_ms = 10000 };

/* ---- memory ---- */

gws_status gws__bfs_bridge_share(struct gws__bfs_bridge *bridge, uint32_t which, uint64_t bytes,
                                 struct gws_where *where)
{
    return gws_device_shared_new(bridge->device, bytes, &bridge->buffer[which], &bridge->host[which], where);
}

uint64_t gws__bfs_bridge_least(uint64_t vertices)
{
    return BRIDGE_BFS_STATE * 8 + 3 * ((vertices + 63) / 64 * 8) + vertices * 8;
}

static gws_status on_device(struct gws__bfs_bridge *bridge, uint32_t which, uint64_t bytes, struct gws_where *where)
{
    gws_status status = gws_device_buffer_new(bridge->device, bytes, &bridge->buffer[which], where);
    return status == GWS_OK ? gws_device_fill(bridge->buffer[which], 0, 0, bytes / 4, where) : status;
}

static gws_status make_arrays(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    uint64_t bitmap = bridge->words * 8, array = bridge->graph->vertices * 4;
    gws_status status = on_device(bridge, bridge_state, BRIDGE_BFS_STATE * 8, where);
    for (uint32_t b = bridge_visited; b <= bridge_front && status == GWS_OK; b++)
        status = on_device(bridge, b, bitmap, where);
    for (uint32_t b = bridge_own; b <= bridge_depth && status == GWS_OK; b++)
        status = on_device(bridge, b, array, where);
    for (uint32_t b = bridge_host_a; b <= bridge_mirror && status == GWS_OK; b++)
        status = gws__bfs_bridge_share(bridge, b, bitmap, where);
    if (status == GWS_OK) status = gws__bfs_bridge_share(bridge, bridge_words, BRIDGE_WORDS * 8, where);
    if (status == GWS_OK)
        status = gws__bfs_bridge_share(bridge, bridge_stats, bridge->groups * BRIDGE_STATS_STRIDE * 8, where);
    if (status != GWS_OK) return status;
    bridge->count = gws_allocate(bridge->runtime, gws_runtime_workers(bridge->runtime), sizeof *bridge->count);
    bridge->rest = gws_allocate(bridge->runtime, bridge->words, 8);
    bridge->before = gws_allocate(bridge->runtime, bridge->words, 8);
    bridge->theirs = gws_allocate(bridge->runtime, bridge->words, 8);
    bridge->there = gws_allocate(bridge->runtime, bridge->words, 8);
    bridge->depth = gws_allocate(bridge->runtime, bridge->graph->vertices, 4);
    bridge->parent = gws_allocate(bridge->runtime, bridge->graph->vertices, 4);
    if (!bridge->rest || !bridge->before || !bridge->theirs || !bridge->there || !bridge->depth || !bridge->parent ||
        !bridge->count)
        return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "out of memory");
    memset(bridge->host[bridge_words], 0, BRIDGE_WORDS * 8);
    memset(bridge->host[bridge_mirror], 0,
           bitmap); /* the device's words are half as long: the last one may not be its */
    bridge->bridge.words = bridge->host[bridge_words];
    return GWS_OK;
}

static void begin_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs_bridge *bridge = context;
    uint64_t isolated = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t bits = 0, last = bridge->graph->vertices - w * 64;
        for (uint32_t i = 0; i < 64 && i < last; i++) {
            uint32_t v = (uint32_t)(w * 64 + i);
            bool lone = /* without the reverse nobody knows who is led to by nothing */
                bridge->in && gws_graph_degree(bridge->graph, v) == 0 && gws_graph_degree(bridge->in, v) == 0;
            bits |= (uint64_t)lone << i;
            bridge->depth[v] = bridge->parent[v] = GWS_NO_VERTEX;
        }
        bridge->rest[w] = bits;
        isolated += (uint64_t)__builtin_popcountll(bits);
    }
    atomic_fetch_add_explicit(&bridge->found, isolated, memory_order_relaxed); /* read after the loop */
}

/* ---- the program ---- */

static gws_status build(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    char options[40];
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u", (unsigned)bridge->options.group_size);
    return gws__kernel_program_build(bridge->device, "bridge_bfs", options, &bridge->program, where);
}

/* As many groups as run at once; on a device that is the host's processor, one: they would take turns with the
 * workers. */
static gws_status choose_groups(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    struct gws_device_launch launch = {.program = bridge->program,
                                       .kernel = "bridge_search",
                                       .group_size = bridge->options.group_size,
                                       .resident = true};
    const struct gws_device_info *info = gws_device_describe(bridge->device);
    uint64_t most = 0;
    gws_status status = gws_device_resident(bridge->device, &launch, &most, where);
    if (status != GWS_OK) return status;
    bridge->groups = bridge->options.groups ? bridge->options.groups : info->type == GWS_DEVICE_CPU ? 1 : most;
    bridge->window = bridge->options.window ? bridge->options.window : bridge->groups / 2 + 1;
    if (bridge->groups > 0 && bridge->groups <= most) return GWS_OK;
    return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "%u groups of %u items do not run at once on %s",
                         bridge->options.groups, bridge->options.group_size, info->address);
}

/* ---- opening ---- */

static gws_status check(const struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    const struct gws__bfs_bridge_options *options = &bridge->options;
    const struct gws_device_info *info = gws_device_describe(bridge->device);
    if (info->svm < GWS_SVM_FINE)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s shares no memory with the host", info->address);
    if (!bridge->in && options->direction == GWS_BFS_BOTTOM_UP)
        return gws_where_set(where, GWS_NEEDS_REVERSE, NULL, 0, 0, "bottom-up needs the reverse of a directed graph");
    if (options->chunk % 64 != 0 || options->chunk / 32 > BRIDGE_MOST_WORDS || options->group_size > most_items ||
        (options->group_size & (options->group_size - 1)) != 0)
        return gws_where_set(where, GWS_INVALID, NULL, 0, 0, "a chunk of %u or a group of %u items", options->chunk,
                             options->group_size);
    return GWS_OK;
}

static gws_status fill(struct gws__bfs_bridge *bridge, struct gws_where *where)
{
    gws_status status = check(bridge, where);
    if (status == GWS_OK) status = build(bridge, where);
    if (status == GWS_OK) status = choose_groups(bridge, where);
    if (status == GWS_OK) status = make_arrays(bridge, where);
    if (status == GWS_OK) status = gws__bfs_bridge_place(bridge, where);
    if (status != GWS_OK) return status;
    if (!bridge->options.threshold) {
        bridge->options.threshold = (uint64_t)1 << 18;
        bridge->fewest = bridge->groups + gws_runtime_workers(bridge->runtime);
    }
    atomic_store_explicit(&bridge->found, 0, memory_order_relaxed);
    gws__bfs_aside_for(bridge->runtime, bridge->words, 1024, begin_words, bridge);
    bridge->isolated = atomic_load_explicit(&bridge->found, memory_order_relaxed);
    return GWS_OK;
}

gws_status gws__bfs_bridge_open(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                                const struct gws__bfs_bridge_options *options, struct gws__bfs_bridge **opened,
                                struct gws_where *where)
{
    struct gws__bfs_bridge *bridge = gws_allocate(runtime, 1, sizeof *bridge);
    if (!bridge) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "out of memory");
    memset(bridge, 0, sizeof *bridge);
    bridge->runtime = runtime;
    bridge->device = device;
    bridge->share = 0.5;
    bridge->graph = graph;
    bridge->in = graph->directed ? graph->reverse : graph;
    if (options) bridge->options = *options;
    if (!bridge->options.chunk) bridge->options.chunk = chunk_vertices;
    if (!bridge->options.group_size)
        bridge->options.group_size = gws_device_describe(device)->type == GWS_DEVICE_CPU ? 1 : group_items;
    if (bridge->options.limit_ms <= 0) bridge->options.limit_ms = limit_ms;
    bridge->words = (graph->vertices + 63) / 64;
    uint64_t chunk_words = bridge->options.chunk / 64;
    bridge->chunks = chunk_words ? (bridge->words + chunk_words - 1) / chunk_words : 0;
    gws_status status = fill(bridge, where);
    if (status != GWS_OK) {
        gws__bfs_bridge_close(bridge);
        return status;
    }
    *opened = bridge;
    return GWS_OK;
}

/* A kernel that is still there, since its search failed, is told to leave. */
void gws__bfs_bridge_close(struct gws__bfs_bridge *bridge)
{
    if (!bridge) return;
    struct gws_runtime *runtime = bridge->runtime;
    if (bridge->running) (void)gws__bridge_give(&bridge->bridge, BRIDGE_END, 0, 0);
    gws_device_program_free(bridge->program);
    for (uint32_t b = 0; b < bridge_buffers; b++) gws_device_buffer_free(bridge->buffer[b]);
    gws__bridge_rows_close(runtime, &bridge->rows);
    gws__bridge_rows_close(runtime, &bridge->in_rows);
    gws_release(runtime, bridge->count, gws_runtime_workers(runtime), sizeof *bridge->count);
    gws_release(runtime, bridge->rest, bridge->words, 8);
    gws_release(runtime, bridge->before, bridge->words, 8);
    gws_release(runtime, bridge->theirs, bridge->words, 8);
    gws_release(runtime, bridge->there, bridge->words, 8);
    gws_release(runtime, bridge->depth, bridge->graph->vertices, 4);
    gws_release(runtime, bridge->parent, bridge->graph->vertices, 4);
    gws_release(runtime, bridge, 1, sizeof *bridge);
}
