/* SPDX-License-Identifier: MIT */
/* Work before and after a search by regions. The code checks whether the graph is a mesh, allocates messages and
 * lists, and counts the reached vertices by level. */
#include <string.h>

#include "regions.h"

enum {
    max_degree = 8,         /* denser graphs have few levels */
    min_vertices = 1 << 19, /* on smaller graphs a team runs levels faster (lib/pool/team.c) */
    min_shift = 14,         /* log2 of a region's vertices */
    regions_a_worker = 4,
    min_regions = 32,
    samples = 512,     /* vertices whose arcs the check examines */
    max_crossing = 16, /* at most one arc in 16 may leave its region */
    min_vertices_a_worker = 32768,
};

static uint32_t shift_for(const struct gws_graph *graph, uint32_t workers)
{
    uint64_t wanted = (uint64_t)workers * regions_a_worker;
    if (wanted < min_regions) wanted = min_regions;
    if (wanted > bfs_max_regions / 2) wanted = bfs_max_regions / 2;
    uint32_t shift = min_shift;
    while (graph->vertices >> (shift + 1) >= wanted) shift++;
    return shift;
}

/* Returns true if nearly all arcs of a sample of evenly spaced vertices stay within their regions. */
static bool is_local(const struct gws_graph *graph, uint32_t shift)
{
    uint64_t arcs = 0, crossing = 0;
    for (uint64_t i = 0; i < samples; i++) {
        uint32_t vertex = (uint32_t)(graph->vertices / samples * i);
        for (uint64_t a = graph->offset[vertex]; a < graph->offset[vertex + (uint64_t)1]; a++, arcs++)
            crossing += graph->target[a] >> shift != vertex >> shift;
    }
    return crossing * max_crossing < arcs;
}

bool gws__bfs_supports_regions(const struct gws__bfs *bfs)
{
    const struct gws_graph *graph = bfs->engine.graph;
    return bfs->engine.direction != GWS__PULL && !bfs->engine.time_levels && graph->vertices >= min_vertices &&
           graph->arcs / max_degree <= graph->vertices &&
           is_local(graph, shift_for(graph, gws_runtime_workers(bfs->engine.runtime)));
}

/* ---- memory ---- */

struct gws__bfs_block *gws__bfs_block_acquire(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator)
{
    if (!blocks->empty) {
        struct gws__bfs_slab *slab = allocator->allocate(allocator->context, sizeof *slab);
        if (!slab) return NULL;
        slab->next = blocks->slab;
        blocks->slab = slab;
        for (uint32_t i = 0; i < bfs_slab_blocks; i++) {
            slab->block[i].next = blocks->empty;
            blocks->empty = &slab->block[i];
        }
    }
    struct gws__bfs_block *block = blocks->empty;
    blocks->empty = block->next;
    block->next = NULL;
    block->count = 0;
    return block;
}

void gws__bfs_blocks_free(struct gws__bfs_blocks *blocks, const struct gws_allocator *allocator)
{
    for (struct gws__bfs_slab *slab = blocks->slab, *next; slab; slab = next) {
        next = slab->next;
        allocator->release(allocator->context, slab, sizeof *slab);
    }
    *blocks = (struct gws__bfs_blocks){0};
}

bool gws__bfs_list_grow(struct gws__bfs_list *list, const struct gws_allocator *allocator)
{
    uint64_t capacity = list->capacity ? 2 * list->capacity : 256;
    uint32_t *vertex = allocator->allocate(allocator->context, (size_t)(capacity * sizeof *vertex));
    if (!vertex) return false;
    struct gws__bfs_list old = *list;
    if (old.count) memcpy(vertex, old.vertex, old.count * sizeof *vertex);
    gws__bfs_list_free(list, allocator);
    *list = (struct gws__bfs_list){vertex, old.count, capacity};
    return true;
}

void gws__bfs_list_free(struct gws__bfs_list *list, const struct gws_allocator *allocator)
{
    gws__engine_release(allocator, list->vertex, list->capacity * sizeof *list->vertex);
    *list = (struct gws__bfs_list){0};
}

static uint64_t worker_bytes(uint32_t workers)
{
    return workers * sizeof(struct gws__bfs_region_worker) + engine_line;
}

void gws__bfs_regions_free(struct gws__bfs_regions *regions)
{
    if (!regions) return;
    struct gws_allocator allocator = regions->allocator;
    for (uint32_t w = 0; regions->worker && w < regions->workers_made; w++) {
        for (uint32_t i = 0; i < regions_levels; i++) gws__bfs_list_free(&regions->worker[w].bucket[i], &allocator);
        gws__bfs_blocks_free(&regions->worker[w].blocks, &allocator);
    }
    for (uint32_t i = 0; i < bfs_max_regions; i++) gws__bfs_list_free(&regions->pending[i], &allocator);
    gws__engine_release(&allocator, regions->worker_memory, worker_bytes(regions->workers_made));
    gws__engine_release(&allocator, regions->part, regions->workers_made * sizeof *regions->part);
    gws__engine_release(&allocator, regions, sizeof *regions);
}

static gws_status make(struct gws__bfs *bfs)
{
    struct gws__bfs_regions *regions = gws_allocate(bfs->engine.runtime, 1, sizeof *regions);
    if (!regions) return GWS_NO_MEMORY;
    memset(regions, 0, sizeof *regions);
    bfs->result->scratch->regions = regions;
    regions->allocator = bfs->result->scratch->allocator;
    regions->workers_made = bfs->engine.memory->workers;
    regions->part = gws_allocate(bfs->engine.runtime, regions->workers_made, sizeof *regions->part);
    regions->worker_memory = gws_allocate(bfs->engine.runtime, worker_bytes(regions->workers_made), 1);
    if (!regions->part || !regions->worker_memory) return GWS_NO_MEMORY;
    memset(regions->worker_memory, 0, worker_bytes(regions->workers_made));
    regions->worker = gws__engine_align(regions->worker_memory);
    return GWS_OK;
}

gws_status gws__bfs_regions_prepare(struct gws__bfs *bfs)
{
    if (!bfs->result->scratch->regions && make(bfs) != GWS_OK) return GWS_NO_MEMORY;
    struct gws__bfs_regions *regions = bfs->result->scratch->regions;
    regions->workers = gws_runtime_workers(bfs->engine.runtime);
    regions->shift = shift_for(bfs->engine.graph, gws_runtime_workers(bfs->engine.runtime));
    regions->count = (uint32_t)((bfs->engine.graph->vertices - 1) >> regions->shift) + 1;
    for (uint32_t region = 0; region < regions->count; region++)
        regions->home[region] = (uint32_t)((uint64_t)region * regions->workers / regions->count);
    regions->begin = 0;
    regions->first = true;
    for (uint32_t w = 0; w < regions->workers; w++) regions->worker[w].deepest = 0;
    return GWS_OK;
}

/* ---- counting reached vertices ---- */

struct region_count {
    struct gws__bfs *bfs;
    uint64_t levels;
    uint64_t *size;        /* number of vertices by level; `levels` entries per worker */
    _Atomic uint64_t arcs; /* arcs of the reached vertices; relaxed, read after the loop */
};

static void count_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct region_count *count = context;
    struct gws__bfs *bfs = count->bfs;
    uint64_t *size = count->size + worker * count->levels, reached = 0, arcs = 0;
    for (uint64_t v = begin; v < end; v++) {
        if (bfs->engine.data[0][v] == GWS_NO_VERTEX) {
            bfs->engine.data[1][v] = GWS_NO_VERTEX;
            continue;
        }
        size[bfs->engine.data[0][v]]++;
        reached++;
        arcs += gws_graph_degree(bfs->engine.graph, (uint32_t)v);
    }
    bfs->engine.memory->worker[worker].made += reached;
    atomic_fetch_add_explicit(&count->arcs, arcs, memory_order_relaxed);
}

/* Adds up the workers' counts. Drops trailing levels, which have no vertices left after corrections. */
static gws_status write_levels(struct region_count *count, uint32_t workers)
{
    struct gws_bfs_result *result = count->bfs->result;
    uint32_t all = gws_runtime_workers(count->bfs->engine.runtime);
    for (uint64_t level = 0; level < count->levels; level++) {
        uint64_t size = 0;
        for (uint32_t w = 0; w < workers; w++) size += count->size[w * count->levels + level];
        if (size == 0) break;
        gws_status status = gws__bfs_level_add(result, (struct gws_bfs_level){.size = size, .workers = all}, NULL);
        if (status != GWS_OK) return status;
        result->reached += size;
    }
    result->reached_arcs = atomic_load_explicit(&count->arcs, memory_order_relaxed);
    return GWS_OK;
}

gws_status gws__bfs_regions_count(struct gws__bfs *bfs)
{
    struct gws__bfs_regions *regions = bfs->result->scratch->regions;
    uint32_t workers = gws_runtime_workers(bfs->engine.runtime);
    struct region_count count = {.bfs = bfs, .levels = 1};
    for (uint32_t w = 0; w < regions->workers; w++)
        if (regions->worker[w].deepest > count.levels) count.levels = regions->worker[w].deepest;
    /* A path has as many levels as vertices. One worker then counts alone, to bound the memory. */
    bool many = count.levels * workers > bfs->engine.graph->vertices;
    uint64_t entries = count.levels * (many ? 1 : workers);
    count.size = gws_allocate(bfs->engine.runtime, entries, sizeof *count.size);
    if (!count.size) return GWS_NO_MEMORY;
    memset(count.size, 0, entries * sizeof *count.size);
    gws__engine_uncounted(bfs->engine.runtime, bfs->engine.graph->vertices, many ? UINT32_MAX : min_vertices_a_worker,
                          count_vertices, &count);
    gws_status status = write_levels(&count, many ? 1 : workers);
    gws_release(bfs->engine.runtime, count.size, entries, sizeof *count.size);
    bfs->engine.filled = true;
    return status;
}
