/* SPDX-License-Identifier: MIT */
/* Before and after a search by windows: does the graph suit, the memory, and what was reached on which level. */
#include <string.h>

#include "regions.h"

enum {
    mesh_degree = 8,      /* denser graphs have few levels */
    worthwhile = 1 << 19, /* vertices; smaller graphs stay in a core's cache anyway */
    least_shift = 14,     /* of regions */
    regions_a_worker = 4,
    least_regions = 32,
    samples = 512,      /* vertices whose arcs are looked at */
    most_crossing = 16, /* one arc in so many may leave its region */
    vertices_worth_a_worker = 32768,
};

static uint32_t shift_for(const struct gws_graph *graph, uint32_t workers)
{
    uint64_t wanted = (uint64_t)workers * regions_a_worker;
    if (wanted < least_regions) wanted = least_regions;
    if (wanted > bfs_most_regions / 2) wanted = bfs_most_regions / 2;
    uint32_t shift = least_shift;
    while (graph->vertices >> (shift + 1) >= wanted) shift++;
    return shift;
}

/* Looks at the arcs of vertices spread evenly: do nearly all stay within their region? */
static bool is_local(const struct gws_graph *graph, uint32_t shift)
{
    uint64_t arcs = 0, crossing = 0;
    for (uint64_t i = 0; i < samples; i++) {
        uint32_t vertex = (uint32_t)(graph->vertices / samples * i);
        for (uint64_t a = graph->offset[vertex]; a < graph->offset[vertex + (uint64_t)1]; a++, arcs++)
            crossing += graph->target[a] >> shift != vertex >> shift;
    }
    return crossing * most_crossing < arcs;
}

bool gws__bfs_suits_windows(const struct gws__bfs *bfs)
{
    const struct gws_graph *graph = bfs->graph;
    return bfs->options.direction != GWS_BFS_BOTTOM_UP && !bfs->options.time_levels && graph->vertices >= worthwhile &&
           graph->arcs / mesh_degree <= graph->vertices &&
           is_local(graph, shift_for(graph, gws_runtime_workers(bfs->runtime)));
}

/* ---- memory ---- */

static uint64_t desk_bytes(uint32_t workers)
{
    return workers * sizeof(struct gws__bfs_window_desk) + bfs_line;
}

void gws__bfs_windows_free(struct gws__bfs_windows *windows)
{
    if (!windows) return;
    struct gws_allocator allocator = windows->allocator;
    for (uint32_t w = 0; windows->desk && w < windows->desks_made; w++) {
        for (uint32_t i = 0; i < bfs_window; i++) gws__bfs_list_free(&windows->desk[w].bucket[i], &allocator);
        gws__bfs_boxes_free(&windows->desk[w].boxes, &allocator);
    }
    for (uint32_t i = 0; i < bfs_most_regions; i++) gws__bfs_list_free(&windows->pending[i], &allocator);
    if (windows->desks) allocator.release(allocator.context, windows->desks, desk_bytes(windows->desks_made));
    if (windows->part) allocator.release(allocator.context, windows->part, windows->desks_made * sizeof *windows->part);
    allocator.release(allocator.context, windows, sizeof *windows);
}

static gws_status make(struct gws__bfs *bfs)
{
    struct gws__bfs_windows *windows = gws_allocate(bfs->runtime, 1, sizeof *windows);
    if (!windows) return GWS_NO_MEMORY;
    memset(windows, 0, sizeof *windows);
    bfs->scratch->windows = windows;
    windows->allocator = bfs->scratch->allocator;
    windows->desks_made = bfs->scratch->workers;
    windows->part = gws_allocate(bfs->runtime, windows->desks_made, sizeof *windows->part);
    windows->desks = gws_allocate(bfs->runtime, desk_bytes(windows->desks_made), 1);
    if (!windows->part || !windows->desks) return GWS_NO_MEMORY;
    memset(windows->desks, 0, desk_bytes(windows->desks_made));
    windows->desk = gws__bfs_align(windows->desks);
    return GWS_OK;
}

gws_status gws__bfs_windows_prepare(struct gws__bfs *bfs)
{
    if (!bfs->scratch->windows && make(bfs) != GWS_OK) return GWS_NO_MEMORY;
    struct gws__bfs_windows *windows = bfs->scratch->windows;
    windows->workers = gws_runtime_workers(bfs->runtime);
    windows->shift = shift_for(bfs->graph, gws_runtime_workers(bfs->runtime));
    windows->regions = (uint32_t)((bfs->graph->vertices - 1) >> windows->shift) + 1;
    for (uint32_t region = 0; region < windows->regions; region++)
        windows->home[region] = (uint32_t)((uint64_t)region * windows->workers / windows->regions);
    windows->begin = 0;
    windows->first = true;
    for (uint32_t w = 0; w < windows->workers; w++) windows->desk[w].deepest = 0;
    return GWS_OK;
}

/* ---- what was reached ---- */

struct count {
    struct gws__bfs *bfs;
    uint64_t levels;
    uint64_t *size;        /* levels entries for each worker */
    _Atomic uint64_t arcs; /* of the vertices reached; relaxed, read after the loop */
};

static void count_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct count *count = context;
    struct gws__bfs *bfs = count->bfs;
    uint64_t *size = count->size + worker * count->levels, reached = 0, arcs = 0;
    for (uint64_t v = begin; v < end; v++) {
        if (bfs->depth[v] == GWS_NO_VERTEX) {
            bfs->parent[v] = GWS_NO_VERTEX;
            continue;
        }
        size[bfs->depth[v]]++;
        reached++;
        arcs += gws_graph_degree(bfs->graph, (uint32_t)v);
    }
    bfs->scratch->worker[worker].made += reached;
    atomic_fetch_add_explicit(&count->arcs, arcs, memory_order_relaxed);
}

/* Adds up the workers' counts; levels at the end that only corrected vertices once had are left out. */
static gws_status write_levels(struct count *count, uint32_t workers)
{
    struct gws_bfs_result *result = count->bfs->result;
    uint32_t all = gws_runtime_workers(count->bfs->runtime);
    for (uint64_t level = 0; level < count->levels; level++) {
        uint64_t size = 0;
        for (uint32_t w = 0; w < workers; w++) size += count->size[w * count->levels + level];
        if (size == 0) break;
        gws_status status = gws__bfs_level_room(count->bfs);
        if (status != GWS_OK) return status;
        result->level[result->levels++] = (struct gws_bfs_level){.size = size, .workers = all};
        result->reached += size;
    }
    result->reached_arcs = atomic_load_explicit(&count->arcs, memory_order_relaxed);
    return GWS_OK;
}

gws_status gws__bfs_windows_count(struct gws__bfs *bfs)
{
    struct gws__bfs_windows *windows = bfs->scratch->windows;
    uint32_t workers = gws_runtime_workers(bfs->runtime);
    struct count count = {.bfs = bfs, .levels = 1};
    for (uint32_t w = 0; w < windows->workers; w++)
        if (windows->desk[w].deepest > count.levels) count.levels = windows->desk[w].deepest;
    /* A path has as many levels as vertices: then one worker counts alone, so that memory stays in bounds. */
    bool many = count.levels * workers > bfs->graph->vertices;
    uint64_t entries = count.levels * (many ? 1 : workers);
    count.size = gws_allocate(bfs->runtime, entries, sizeof *count.size);
    if (!count.size) return GWS_NO_MEMORY;
    memset(count.size, 0, entries * sizeof *count.size);
    gws__bfs_aside_for(bfs->runtime, bfs->graph->vertices, many ? UINT32_MAX : vertices_worth_a_worker, count_vertices,
                       &count);
    gws_status status = write_levels(&count, many ? 1 : workers);
    gws_release(bfs->runtime, count.size, entries, sizeof *count.size);
    bfs->filled = true;
    return status;
}
