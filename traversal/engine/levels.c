/* SPDX-License-Identifier: MIT */
/* The level loop. Each level runs in the direction that reads fewer arcs (kernels/engine/direction.h). Large levels
 * are loops that the runtime's policy schedules. narrow.c runs the others. */
#define GWS_HOST_WORKER
#include "../../kernels/portability/host.h"

#include "../../kernels/engine/direction.h"
#include "../../lib/trace.h"
#include "engine.h"

enum {
    arcs_worth_a_worker = 256,
    wide_arcs = 8, /* pull is likely to follow a level of more than 1 / wide_arcs arcs for each vertex */
};

bool gws__engine_goes_pull(const struct engine *engine)
{
    static const struct direction_rule threads = {DIRECTION_THREADS};
    if (engine->direction == GWS__PULL) return true;
    if (engine->direction == GWS__PUSH || !engine->in) return false;
    struct direction_view at = {.size = engine->size,
                                .arcs = engine->degrees,
                                .unexplored = engine->unexplored,
                                .candidates = engine->graph->vertices,
                                .pulling = engine->in_bitmap};
    return direction_pulls(&threads, &at);
}

struct gws_bfs_level *gws__engine_level_begin(struct engine *engine, bool pull)
{
    struct gws_bfs_level *level = &engine->memory->level[engine->levels];
    gws__engine_level_count(engine);
    *level = (struct gws_bfs_level){.size = engine->size, .bottom_up = pull, .workers = 1};
    gws_trace_level(engine->runtime, engine->levels - 1, pull ? GWS_SLICE_PULL : GWS_SLICE_PUSH);
    return level;
}

/* ---- one level, shared ---- */

/* Returns true for a frontier of few vertices with long rows, such as the neighbours of a hub. If the level scheduled
 * its vertices, one worker would get most of the arcs. */
static bool is_heavy(const struct engine *engine)
{
    enum { long_row = 64 };
    return engine->has_entries && engine->size <= engine_heavy && engine->degrees / long_row > engine->size;
}

/* Predicts whether the next frontier should be a bitmap. The pull level of that frontier then makes the deferred
 * commits. */
static bool is_wide(const struct engine *engine)
{
    return engine->direction == GWS__EITHER && engine->in && !engine->exact &&
           engine->degrees > engine->graph->vertices / wide_arcs;
}

static struct gws_loop by_vertex(const struct engine *engine)
{
    uint64_t workers = engine->degrees / arcs_worth_a_worker + 1;
    return (struct gws_loop){
        .count = engine->size,
        .part = engine->has_parts ? engine->part : NULL,
        .grain = (uint32_t)(engine->size / workers + 1),
        .body = engine->has_entries ? engine->loops->by_entries : engine->loops->by_queue,
    };
}

static struct gws_loop by_arc(struct engine *engine)
{
    uint64_t arcs = 0;
    for (uint64_t i = 0; i < engine->size; i++) {
        engine->memory->before[i] = arcs;
        arcs += engine->entry[i].degree;
    }
    return (struct gws_loop){
        .count = engine->degrees,
        .chunk = engine_batch,
        .grain = arcs_worth_a_worker,
        .body = engine->loops->by_arcs,
    };
}

static gws_status push(struct engine *engine)
{
    bool wide = is_wide(engine);
    struct gws_loop loop = is_heavy(engine) ? by_arc(engine) : by_vertex(engine);
    loop.finish = engine->loops->finish;
    loop.context = engine;
    if (wide) gws__engine_wide_begin(engine);
    atomic_store_explicit(&engine->memory->tail, engine->end, memory_order_relaxed);
    gws_status status = gws_parallel_try(engine->runtime, &loop);
    if (wide)
        gws__engine_wide_end(engine);
    else
        gws__engine_next_queue(engine, atomic_load_explicit(&engine->memory->tail, memory_order_relaxed));
    return status;
}

static gws_status pull(struct engine *engine)
{
    if (!engine->in_bitmap) gws__engine_front_to_bitmap(engine);
    struct gws_loop loop = {.count = engine->words, .grain = 64, .body = engine->loops->pull, .context = engine};
    loop.finish = engine->loops->pull_finish;
    gws_status status = gws_parallel_try(engine->runtime, &loop);
    uint64_t *old = engine->front;
    engine->front = engine->next;
    engine->next = old;
    engine->filled = true;
    return status;
}

/* Adds up the workers' counts, and makes their claims the frontier. The claims of a worker that flushed once are one
 * contiguous part of the frontier. The function only reads the workers' state, because each worker clears its own
 * state when it joins the next level (gws__engine_worker_state()). */
static uint32_t collect(struct engine *engine)
{
    uint32_t took_part = 0;
    engine->size = engine->degrees = 0;
    engine->has_parts = !engine->in_bitmap;
    for (uint32_t w = 0; w < engine->memory->workers; w++) {
        const struct gws__engine_worker *worker = &engine->memory->worker[w];
        bool came = worker->level == engine->level;
        took_part += came;
        engine->size += came ? worker->found : 0;
        engine->degrees += came ? worker->degrees : 0;
        engine->has_parts &= !came || worker->flushes <= 1;
        engine->part[w] = came ? worker->flushed : (struct gws_range){0, 0};
    }
    engine->level++;
    return took_part;
}

/* Returns the sum of the degrees of the frontier of a wide level. The workers of the next level computed the parts. */
static uint64_t late_degrees(struct engine *engine)
{
    uint64_t degrees = 0;
    for (uint32_t w = 0; w < engine->memory->workers; w++)
        if (engine->memory->worker[w].level == engine->level) degrees += engine->memory->worker[w].late;
    engine->late = false;
    return degrees;
}

gws_status gws__engine_run_shared(struct engine *engine, bool goes_pull)
{
    gws_status status = gws__engine_reserve_levels(engine->memory, engine->levels, 1);
    if (status != GWS_OK) return status;
    double began = engine->time_levels ? gws_clock_ms() : 0;
    if (!goes_pull && engine->in_bitmap) {
        gws__engine_front_to_queue(engine);
        if (engine->late) engine->degrees = late_degrees(engine);
    }
    struct gws_bfs_level *level = gws__engine_level_begin(engine, goes_pull);
    bool late = engine->late;
    status = goes_pull ? pull(engine) : push(engine);
    if (goes_pull && late) {
        uint64_t degrees = late_degrees(engine);
        engine->reached_arcs += degrees;
        engine->unexplored -= degrees;
    }
    level->workers = collect(engine);
    if (engine->time_levels) level->ms = gws_clock_ms() - began;
    return status;
}

/* ---- the run ---- */

gws_status gws__engine_run(struct engine *engine)
{
    gws_status status = GWS_OK;
    while (status == GWS_OK && engine->size) {
        bool goes_pull = gws__engine_goes_pull(engine);
        if (!goes_pull && gws__engine_is_narrow(engine))
            status = gws__engine_run_narrow(engine);
        else
            status = gws__engine_run_shared(engine, goes_pull);
        gws_report_progress(engine->runtime, "searching", engine->graph->arcs - engine->unexplored,
                            engine->graph->arcs);
        if (status == GWS_OK && gws_cancelled(engine->runtime)) status = GWS_CANCELLED;
    }
    gws_trace_level(engine->runtime, GWS_TRACE_NONE, GWS_SLICE_NO_DIRECTION);
    return status;
}

void gws__engine_bind(struct engine *engine, struct gws__engine_memory *memory)
{
    engine->memory = memory;
    engine->serial = gws_runtime_workers(engine->runtime) == 1;
    engine->queue = memory->queue;
    engine->words = memory->words;
    engine->visited = (uint32_t *)memory->bitmap;
    engine->front = memory->bitmap + engine->words;
    engine->next = memory->bitmap + 2 * engine->words;
    engine->part = memory->part;
    engine->entry = memory->entry;
    engine->next_entry = memory->entry + engine_entries;
    if (memory->graph != engine->graph) memory->team = (struct gws__autotune){0};
    memory->graph = engine->graph;
}

void gws__engine_start(struct engine *engine, uint32_t source)
{
    ((uint64_t *)engine->visited)[source >> 6] |= (uint64_t)1 << (source & 63);
    engine->queue[0] = source;
    engine->end = engine->size = 1;
    engine->degrees = gws_graph_degree(engine->graph, source);
    engine->unexplored = engine->graph->arcs;
}

void gws__engine_finish(struct engine *engine)
{
    for (uint32_t w = 0; w < engine->memory->workers; w++) {
        struct gws__engine_worker *worker = &engine->memory->worker[w];
        /* The memory may be from a larger runtime, with more worker states than this runtime has workers. */
        if (w < gws_runtime_workers(engine->runtime))
            gws_parallel_add_stats(engine->runtime, w, worker->tasks, worker->made, 0);
        worker->tasks = worker->made = 0;
        worker->level = GWS_NO_VERTEX;
    }
}
