/* SPDX-License-Identifier: MIT */
/* The way to search a graph whose arcs lie with the host (bfs_bridge.h), by device and workers together. */
#include <string.h>

#include "../../../../kernels/bfs/bridge_bfs_words.h"
#include "../../../../lib/poison.h"
#include "cuda.h"
#include "host_resident.h"

enum { most_chunk = BRIDGE_MOST_WORDS * 32 };

static gws_status refuse(const struct gws_bfs_device *search, struct gws_where *where)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool both = options->cpu && !search->coarse;
    if (!search->coarse && search->container != gws__bfs_chunked)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                             "policy %s: with the graph at the host there are chunked and coarse",
                             gws_runtime_policy(search->runtime));
    if (both && options->steal != GWS_BFS_STEAL_ALL)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "with the graph at the host everybody steals");
    if (options->order != GWS_BFS_WEAKEST)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "with the graph at the host orders are the weakest");
    if (options->cpu && options->form != GWS_BFS_FORM_AUTO && options->form != GWS_BFS_FORM_BRIDGED)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "with the graph at the host no deques are shared");
    return GWS_OK;
}

/* What is left of the memory for row bounds and rows; something of what is free stays for the driver. */
static gws_status budget(const struct gws_bfs_device *search, uint64_t *left, struct gws_where *where)
{
    uint64_t least = gws__bfs_bridge_least(search->graph->vertices), memory = search->options.memory, open = 0;
    gws_status status = gws_device_memory_left(search->device, &open, where);
    if (status != GWS_OK) return status;
    if (memory > open - open / 32) memory = open - open / 32;
    if (memory < least)
        return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                             "the device's part of the search takes %llu bytes at least, not %llu",
                             (unsigned long long)least, (unsigned long long)memory);
    *left = memory - least;
    return GWS_OK;
}

/* Without the workers all levels are the device's. */
static gws_status open_host(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws_bfs_device_options *chosen = &search->options;
    uint32_t chunk = chosen->chunk < most_chunk ? (chosen->chunk + 63) / 64 * 64 : most_chunk;
    struct gws__bfs_bridge_options options = {.alone = search->coarse || !chosen->cpu,
                                              .threshold = chosen->cpu ? chosen->threshold : 1,
                                              .chunk = chunk,
                                              .arcs = search->budgeted,
                                              .group_size = chosen->group_size,
                                              .groups = chosen->groups,
                                              .direction = chosen->direction};
    struct gws__bfs_bridge *bridge = NULL;
    gws_status status = refuse(search, where);
    if (status == GWS_OK) status = budget(search, &options.budget, where);
    if (status == GWS_OK)
        status = gws__bfs_bridge_open(search->runtime, search->device, search->graph, &options, &bridge, where);
    if (status != GWS_OK) return status;
    search->own = bridge;
    chosen->form = chosen->cpu ? GWS_BFS_FORM_BRIDGED : GWS_BFS_FORM_AUTO;
    chosen->chunk = bridge->options.chunk;
    chosen->threshold = bridge->options.threshold;
    return GWS_OK;
}

static void close_host(struct gws_bfs_device *search)
{
    gws__bfs_bridge_close(search->own);
}

static gws_status run_host(struct gws_bfs_device *search, struct gws_where *where)
{
    return gws__bfs_bridge_run(search->own, search->result->source, search->result, where);
}

static void note(uint64_t *words, uint64_t ran, uint64_t stolen, uint32_t from, uint64_t steals, uint64_t given)
{
    memset(words, 0, bfs_stats_words * sizeof *words);
    words[gws__bfs_stats_ran] = ran;
    words[from] = stolen;
    words[gws__bfs_stats_steals] = steals;
    words[gws__bfs_stats_given] = given;
}

static gws_status fetch_host(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_bridge *bridge = search->own;
    uint32_t groups = search->options.groups, threads = search->workers - groups;
    const uint64_t *device = bridge->host[bridge_stats];
    gws_status status = gws__bfs_bridge_fetch(bridge, search->result, where);
    if (status != GWS_OK) return status;
    for (uint32_t g = 0; g < groups; g++, device += BRIDGE_STATS_STRIDE)
        note(search->ran + (uint64_t)g * bfs_stats_words, device[BRIDGE_STATS_RAN], device[BRIDGE_STATS_STOLEN],
             gws__bfs_stats_from_cpu, device[BRIDGE_STATS_STEALS], bridge->stats.device_given / groups);
    for (uint32_t t = 0; t < threads; t++) {
        const struct gws__bfs_bridge_count *mine = &bridge->count[t];
        note(search->ran + (uint64_t)(groups + t) * bfs_stats_words, mine->ran, mine->stolen, gws__bfs_stats_from_gpu,
             mine->steals, bridge->stats.cpu_given / threads);
    }
    return GWS_OK;
}

static void add_kept(const struct gws__bridge_rows *rows, struct gws_bfs_device_kept *kept)
{
    if (!rows->graph) return;
    kept->rows += atomic_load_explicit(&rows->touched, memory_order_relaxed); /* nobody writes any more */
    kept->whole_rows += atomic_load_explicit(&rows->whole, memory_order_relaxed);
    kept->arcs += rows->base[rows->blocks * gws__bridge_parts + gws__bridge_kept];
    kept->all_arcs += rows->graph->arcs;
}

bool gws_bfs_device_kept(const struct gws_bfs_device *search, struct gws_bfs_device_kept *kept)
{
    static const uint32_t bounds[] = {bridge_bound, bridge_base, bridge_in_bound, bridge_in_base};
    if (search->way != &gws__bfs_device_from_host) return gws__bfs_cuda_host_kept(search, kept);
    const struct gws__bfs_bridge *bridge = search->own;
    *kept = (struct gws_bfs_device_kept){0};
    add_kept(&bridge->rows, kept);
    add_kept(&bridge->in_rows, kept);
    kept->bytes = kept->arcs * sizeof(uint32_t);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        if (bridge->buffer[bounds[b]] && !bridge->host[bounds[b]])
            kept->bound_bytes += gws_device_buffer_bytes(bridge->buffer[bounds[b]]);
    return true;
}

/* What the host keeps of vertices without arcs stays from one search to the next. */
static gws_status poison_host(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_bridge *bridge = search->own;
    for (uint64_t v = 0; v < search->graph->vertices; v++)
        if (!(bridge->rest[v >> 6] >> (v & 63) & 1)) bridge->depth[v] = bridge->parent[v] = GWS_POISON;
    gws_status status = gws_buffer_poison(bridge->buffer[bridge_own], GWS_POISON, where);
    return status == GWS_OK ? gws_buffer_poison(bridge->buffer[bridge_depth], GWS_POISON, where) : status;
}

const struct gws__bfs_way gws__bfs_device_from_host = {
    .form = "graph with the host",
    .open = open_host,
    .close = close_host,
    .run = run_host,
    .fetch = fetch_host,
    .poison = poison_host,
};
