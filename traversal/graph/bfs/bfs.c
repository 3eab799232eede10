/* SPDX-License-Identifier: MIT */
/* Breadth-first search on CPU threads: the frontier engine (traversal/engine/) with the operator of
 * kernels/operator/bfs.cl. The search processes large meshes by regions (regions.c) if that is faster. */
#include "operator.h"
#include "state.h"

#include "../../engine/advance_body.h"

static const struct gws__loops loops = {GWS__ENGINE_LOOPS(gws__bfs_push_serial)};

/* ---- by regions or level by level ---- */

static const struct gws__autotune_rule rule = {.alternatives = 2, .retry = 32, .weight = 0.5};

uint32_t gws__bfs_choose(struct gws__autotune *tune, const struct gws_graph *graph, uint32_t first)
{
    return gws__autotune_choose(tune, &rule, graph->vertices, first);
}

void gws__bfs_add_time(struct gws__autotune *tune, const struct gws_graph *graph, uint32_t chosen, double ms,
                       uint64_t reached)
{
    enum { min_reached = 1 << 16 };
    double vertices = (double)graph->vertices;
    if (reached >= min_reached)
        gws__autotune_add(tune, &rule, chosen, graph->vertices, ms * 1e6 / (double)reached * vertices);
}

/* Selects the method. Either method may be twice as fast as the other on a mesh. The faster method depends on cache
 * sizes, address translation, the number of workers and the load of the machine. So the library measures searches of
 * one graph into one result. */
bool gws__bfs_use_regions(struct gws__bfs *bfs)
{
    struct gws__bfs_scratch *scratch = bfs->result->scratch;
    if (!gws__bfs_supports_regions(bfs)) return false;
    if (scratch->graph != bfs->engine.graph) scratch->strategy = (struct gws__autotune){0};
    scratch->graph = bfs->engine.graph;
    return gws__bfs_choose(&scratch->strategy, bfs->engine.graph, !bfs->engine.serial);
}

void gws__bfs_add_cost(struct gws__bfs *bfs, bool by_regions)
{
    struct gws__bfs_scratch *scratch = bfs->result->scratch;
    if (scratch->graph == bfs->engine.graph)
        gws__bfs_add_time(&scratch->strategy, scratch->graph, by_regions, bfs->result->ms, bfs->result->reached);
}

/* ---- a search ---- */

/* Writes GWS_NO_VERTEX for the unreached vertices. */
static void fill_unreached(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct engine *engine = context;
    for (uint64_t w = begin; w < end; w++)
        for (uint64_t bits = unvisited(engine, w); bits; bits &= bits - 1)
            op_unreached(engine, (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits)));
}

void gws__bfs_finish(struct gws__bfs *bfs)
{
    struct engine *engine = &bfs->engine;
    if (!engine->filled) gws__engine_uncounted(engine->runtime, engine->words, 1024, fill_unreached, engine);
    bfs->result->reached += engine->reached;
    bfs->result->reached_arcs += engine->reached_arcs;
    gws__engine_finish(engine);
    if (engine->levels == 0) return; /* the search ran by regions */
    bfs->result->level = engine->memory->level;
    bfs->result->levels = engine->levels;
}

void gws__bfs_bind(struct gws__bfs *bfs, struct gws_bfs_result *result)
{
    bfs->result = result;
    bfs->engine.loops = &loops;
    bfs->engine.data[0] = result->depth;
    bfs->engine.data[1] = result->parent;
    gws__engine_bind(&bfs->engine, result->scratch->memory);
}

static gws_status search(struct gws__bfs *bfs, uint32_t source)
{
    double began = gws_clock_ms();
    bool by_regions = gws__bfs_use_regions(bfs);
    gws__engine_clear(&bfs->engine, (uint64_t *)bfs->engine.visited);
    gws__engine_start(&bfs->engine, source);
    op_start(&bfs->engine, source);
    gws_status status = by_regions ? gws__bfs_by_regions(bfs) : gws__engine_run(&bfs->engine);
    if (status != GWS_OK) return status;
    gws__bfs_finish(bfs);
    bfs->result->ms = gws_clock_ms() - began;
    gws__bfs_add_cost(bfs, by_regions);
    return GWS_OK;
}

static gws_status bfs(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                      const struct gws_bfs_options *options, struct gws_bfs_result *result)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    struct gws__bfs bfs = {.engine = {.runtime = runtime, .graph = graph, .in = in}};
    if (options) {
        bfs.engine.direction = (enum gws__direction)options->direction;
        bfs.engine.time_levels = options->time_levels;
        if (options->index && options->index->graph == graph) bfs.engine.likely = options->index->likely;
    }
    if (source >= graph->vertices) return GWS_OUT_OF_RANGE;
    if (!in && bfs.engine.direction == GWS__PULL) return GWS_NEEDS_REVERSE;
    gws_status status = gws__bfs_prepare(runtime, graph, result);
    if (status != GWS_OK) return status;
    gws__bfs_bind(&bfs, result);
    result->source = source;
    status = search(&bfs, source);
    if (status != GWS_OK) gws_bfs_result_clear(result);
    return status;
}

gws_status gws_bfs(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                   const struct gws_bfs_options *options, struct gws_bfs_result *result)
{
    return GWS_CALL(runtime, NULL, bfs(runtime, graph, source, options, result));
}

gws_status gws_bfs_many(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *source,
                        uint64_t count, const struct gws_bfs_options *options, gws_bfs_visit *visit, void *context)
{
    struct gws_bfs_result result = {0};
    gws_status status = gws_call_begin(runtime);
    if (status != GWS_OK) return status;
    for (uint64_t i = 0; i < count && status == GWS_OK; i++) {
        status = gws_bfs(runtime, graph, source[i], options, &result);
        if (status == GWS_OK) status = visit(context, i, &result);
    }
    gws_bfs_result_clear(&result);
    return gws_call_end(runtime, status);
}
