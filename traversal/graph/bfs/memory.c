/* SPDX-License-Identifier: MIT */
/* Creates the arrays of a search, reuses them for the next search, and frees them. */
#include <string.h>

#include "../../../lib/poison.h"
#include "state.h"

void gws_bfs_result_clear(struct gws_bfs_result *result)
{
    if (!result) return;
    struct gws__bfs_scratch *scratch = result->scratch;
    if (scratch) {
        struct gws_allocator allocator = scratch->allocator;
        gws__engine_release(&allocator, scratch->narrow, scratch->narrow_capacity);
        gws__engine_release(&allocator, scratch->depth, result->vertices * sizeof *scratch->depth);
        gws__engine_release(&allocator, scratch->parent, result->vertices * sizeof *scratch->parent);
        gws__engine_free(scratch->memory);
        gws__bfs_regions_free(scratch->regions);
        gws__engine_release(&allocator, scratch, sizeof *scratch);
    }
    *result = (struct gws_bfs_result){0};
}

void gws__bfs_attach_arrays(struct gws_bfs_result *result, uint32_t parts)
{
    const struct gws__bfs_scratch *scratch = result->scratch;
    if (parts & GWS_BFS_DEPTH) result->depth = scratch->depth;
    if (parts & GWS_BFS_PARENT) result->parent = scratch->parent;
    if (parts & GWS_BFS_NARROW) result->narrow = scratch->narrow;
}

gws_status gws__bfs_reserve_narrow(struct gws_runtime *runtime, struct gws_bfs_result *result, uint64_t bytes)
{
    struct gws__bfs_scratch *scratch = result->scratch;
    if (bytes <= scratch->narrow_capacity) return GWS_OK;
    gws__engine_release(&scratch->allocator, scratch->narrow, scratch->narrow_capacity);
    scratch->narrow = gws_allocate(runtime, bytes, 1);
    scratch->narrow_capacity = scratch->narrow ? bytes : 0;
    return scratch->narrow ? GWS_OK : GWS_NO_MEMORY;
}

void gws_bfs_result_poison(struct gws_bfs_result *result)
{
    if (!result || !result->scratch) return;
    if (result->narrow) gws_memory_poison(result->narrow, result->scratch->narrow_capacity);
    gws__bfs_attach_arrays(result, GWS_BFS_DEPTH | GWS_BFS_PARENT);
    gws_memory_poison(result->depth, result->vertices * 4);
    gws_memory_poison(result->parent, result->vertices * 4);
    gws_memory_poison(result->level, result->scratch->memory->level_capacity * sizeof *result->level);
    result->source = GWS_NO_VERTEX;
    result->reached = result->reached_arcs = 0;
    result->levels = 0;
}

/* ---- the index ---- */

static gws_status bfs_index_build(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  struct gws_bfs_index *index)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    double began = gws_clock_ms();
    if (!in) return GWS_NEEDS_REVERSE;
    uint32_t *likely = gws_allocate(runtime, graph->vertices, sizeof *likely);
    if (!likely) return GWS_NO_MEMORY;
    gws_status status = gws__engine_likely(runtime, graph, in, likely);
    if (status != GWS_OK) {
        gws_release(runtime, likely, graph->vertices, sizeof *likely);
        return status;
    }
    *index = (struct gws_bfs_index){.graph = graph, .likely = likely, .ms = gws_clock_ms() - began};
    index->bytes = graph->vertices * sizeof *likely;
    index->allocator = *gws_runtime_allocator(runtime);
    return GWS_OK;
}

gws_status gws_bfs_index_build(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_index *index)
{
    return GWS_CALL(runtime, NULL, bfs_index_build(runtime, graph, index));
}

void gws_bfs_index_clear(struct gws_bfs_index *index)
{
    if (!index) return;
    gws__engine_release(&index->allocator, index->likely, index->bytes);
    *index = (struct gws_bfs_index){0};
}

/* ---- a result's arrays ---- */

static gws_status make(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_result *result)
{
    struct gws__bfs_scratch *scratch = gws_allocate(runtime, 1, sizeof *scratch);
    if (!scratch) return GWS_NO_MEMORY;
    memset(scratch, 0, sizeof *scratch);
    result->scratch = scratch;
    result->vertices = graph->vertices;
    scratch->allocator = *gws_runtime_allocator(runtime);
    scratch->depth = gws_allocate(runtime, graph->vertices, sizeof *scratch->depth);
    scratch->parent = gws_allocate(runtime, graph->vertices, sizeof *scratch->parent);
    return scratch->depth && scratch->parent ? gws__engine_prepare(runtime, graph, &scratch->memory) : GWS_NO_MEMORY;
}

static bool fits(const struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_bfs_result *result)
{
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    const struct gws__bfs_scratch *scratch = result->scratch;
    return scratch && result->vertices == graph->vertices && scratch->memory->workers >= gws_runtime_workers(runtime) &&
           scratch->allocator.allocate == allocator->allocate && scratch->allocator.context == allocator->context;
}

gws_status gws__bfs_prepare(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_result *result)
{
    if (!fits(runtime, graph, result)) {
        struct gws_bfs_result fresh = {0};
        gws_status status = make(runtime, graph, &fresh);
        if (status != GWS_OK) {
            gws_bfs_result_clear(&fresh);
            return status;
        }
        gws_bfs_result_clear(result);
        *result = fresh;
    }
    gws__bfs_attach_arrays(result, GWS_BFS_DEPTH | GWS_BFS_PARENT);
    result->narrow = NULL;
    result->reached = result->reached_arcs = 0;
    result->levels = 0;
    result->level = result->scratch->memory->level;
    result->ms = 0;
    return GWS_OK;
}

gws_status gws__bfs_level_add(struct gws_bfs_result *result, struct gws_bfs_level level, struct gws_diagnostic *where)
{
    struct gws__engine_memory *memory = result->scratch->memory;
    gws_status status = gws__engine_reserve_levels(memory, result->levels, 1);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    result->level = memory->level;
    result->level[result->levels++] = level;
    return GWS_OK;
}
