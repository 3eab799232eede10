/* SPDX-License-Identifier: MIT */
/* Allocates the engine's arrays, reuses them for later runs, and frees them. */
#include <string.h>

#include "engine.h"

static uint64_t worker_bytes(uint32_t workers)
{
    return workers * sizeof(struct gws__engine_worker) + engine_line;
}

void gws__engine_free(struct gws__engine_memory *memory)
{
    if (!memory) return;
    struct gws_allocator allocator = memory->allocator;
    gws__engine_release(&allocator, memory->queue, memory->vertices * sizeof *memory->queue);
    gws__engine_release(&allocator, memory->bitmap, memory->words * 3 * sizeof *memory->bitmap);
    gws__engine_release(&allocator, memory->entry, 2 * engine_entries * sizeof *memory->entry);
    gws__engine_release(&allocator, memory->part, memory->workers * sizeof *memory->part);
    gws__engine_release(&allocator, memory->worker_memory, worker_bytes(memory->workers));
    gws__engine_release(&allocator, memory->level, memory->level_capacity * sizeof *memory->level);
    gws__engine_release(&allocator, memory, sizeof *memory);
}

static gws_status make(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws__engine_memory *memory)
{
    memory->allocator = *gws_runtime_allocator(runtime);
    memory->vertices = graph->vertices;
    memory->workers = gws_runtime_workers(runtime);
    memory->words = (graph->vertices + 63) / 64;
    memory->queue = gws_allocate(runtime, graph->vertices, sizeof *memory->queue);
    memory->bitmap = gws_allocate(runtime, memory->words * 3, sizeof *memory->bitmap);
    memory->worker_memory = gws_allocate(runtime, worker_bytes(memory->workers), 1);
    memory->entry = gws_allocate(runtime, 2 * engine_entries, sizeof *memory->entry);
    memory->part = gws_allocate(runtime, memory->workers, sizeof *memory->part);
    if (!memory->queue || !memory->bitmap || !memory->worker_memory || !memory->entry || !memory->part)
        return GWS_NO_MEMORY;
    memset(memory->worker_memory, 0, worker_bytes(memory->workers));
    memory->worker = gws__engine_align(memory->worker_memory);
    for (uint32_t w = 0; w < memory->workers; w++) memory->worker[w].level = GWS_NO_VERTEX;
    return GWS_OK;
}

static bool fits(const struct gws_runtime *runtime, const struct gws_graph *graph,
                 const struct gws__engine_memory *memory)
{
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    return memory && memory->vertices == graph->vertices && memory->workers >= gws_runtime_workers(runtime) &&
           memory->allocator.allocate == allocator->allocate && memory->allocator.context == allocator->context;
}

gws_status gws__engine_prepare(struct gws_runtime *runtime, const struct gws_graph *graph,
                               struct gws__engine_memory **memory)
{
    if (fits(runtime, graph, *memory)) return GWS_OK;
    struct gws__engine_memory *fresh = gws_allocate(runtime, 1, sizeof *fresh);
    if (!fresh) return GWS_NO_MEMORY;
    memset(fresh, 0, offsetof(struct gws__engine_memory, before));
    gws_status status = make(runtime, graph, fresh);
    gws__engine_free(status == GWS_OK ? *memory : fresh);
    if (status == GWS_OK) *memory = fresh;
    return status;
}

gws_status gws__engine_reserve_levels(struct gws__engine_memory *memory, uint32_t levels, uint32_t more)
{
    const struct gws_allocator *allocator = &memory->allocator;
    if (levels + (uint64_t)more <= memory->level_capacity) return GWS_OK;
    uint64_t capacity = 2 * memory->level_capacity + more;
    struct gws_bfs_level *level = allocator->allocate(allocator->context, (size_t)(capacity * sizeof *level));
    if (!level) return GWS_NO_MEMORY;
    if (levels > 0) memcpy(level, memory->level, levels * sizeof *level);
    gws__engine_release(allocator, memory->level, memory->level_capacity * sizeof *level);
    memory->level = level;
    memory->level_capacity = capacity;
    return GWS_OK;
}
