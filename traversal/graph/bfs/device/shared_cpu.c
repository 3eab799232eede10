/* SPDX-License-Identifier: MIT */
/* The CPU's side of a search on both sides, and the work between levels (shared.h). */
#define GWS_HOST_WORKER
#include "../../../../kernels/portability/host.h"

#include "../../../../kernels/engine/direction.h"
#include "shared.h"

#include <string.h>

enum {
    serial_tasks = 256, /* one worker runs a level of the CPU's side alone if it has at most this many tasks and arcs */
    serial_arcs = 2048,
    chunks_a_worker = 8,
    min_chunk = 16,
    max_chunk = 1024
};

enum { grain = 8192 };

/* ---- loops around the levels ---- */

/* Clears the arrays. relaxed: the end of this loop precedes all levels. */
static void clear(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs_hybrid *hybrid = context;
    for (uint64_t v = begin; v < end; v++) {
        atomic_store_explicit(&hybrid->depth[v], GWS_NO_VERTEX, memory_order_relaxed);
        atomic_store_explicit(&hybrid->parent[v], GWS_NO_VERTEX, memory_order_relaxed);
    }
    for (uint64_t word = (begin + 31) / 32; word < (end + 31) / 32; word++)
        atomic_store_explicit(&hybrid->visited[word], 0, memory_order_relaxed);
}

void gws__bfs_hybrid_begin(struct gws__bfs_hybrid *hybrid)
{
    const struct gws_graph *graph = hybrid->search->graph;
    uint32_t source = hybrid->search->result->source;
    gws__engine_uncounted(hybrid->search->runtime, graph->vertices, grain, clear, hybrid);
    memset(hybrid->stats, 0, hybrid->search->workers * STATS_STRIDE * sizeof *hybrid->stats);
    atomic_store_explicit(&hybrid->depth[source], 0, memory_order_relaxed);
    atomic_store_explicit(&hybrid->parent[source], source, memory_order_relaxed);
    atomic_store_explicit(&hybrid->visited[source / 32], 1u << source % 32, memory_order_relaxed);
    atomic_store_explicit(hybrid->tail, 1, memory_order_relaxed);
    atomic_store_explicit(hybrid->found, 0, memory_order_relaxed);
    hybrid->list[0] = source;
    hybrid->level = hybrid->begin = 0;
    hybrid->end = 1;
    hybrid->bottom_up = false;
    hybrid->degrees = gws_graph_degree(graph, source);
    hybrid->unexplored = graph->arcs;
}

static void copy(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs_hybrid *hybrid = context;
    struct gws_bfs_result *result = hybrid->search->result;
    for (uint64_t v = begin; v < end; v++) {
        result->depth[v] = atomic_load_explicit(&hybrid->depth[v], memory_order_relaxed);
        result->parent[v] = atomic_load_explicit(&hybrid->parent[v], memory_order_relaxed);
    }
}

void gws__bfs_hybrid_fetch(struct gws__bfs_hybrid *hybrid)
{
    struct gws_bfs_device *search = hybrid->search;
    gws__engine_uncounted(search->runtime, search->graph->vertices, grain, copy, hybrid);
    memcpy(search->ran, hybrid->stats, search->workers * STATS_STRIDE * sizeof *search->ran);
}

/* ---- between levels ---- */

static bool goes_bottom_up(const struct gws__bfs_hybrid *hybrid)
{
    const struct gws_bfs_device *search = hybrid->search;
    if (search->options.direction != GWS_BFS_AUTO) return search->options.direction == GWS_BFS_BOTTOM_UP;
    if (!search->in) return false;
    const struct direction_rule rule = {DIRECTION_THREADS};
    const struct direction_view at = {.size = hybrid->end - hybrid->begin,
                                      .arcs = hybrid->degrees,
                                      .unexplored = hybrid->unexplored,
                                      .candidates = search->graph->vertices,
                                      .pulling = hybrid->bottom_up};
    return direction_pulls(&rule, &at);
}

/* Returns true if the device joins the level, which then has at least one chunk per worker (thesis, section 4.3.2). */
static bool device_joins(const struct gws__bfs_hybrid *hybrid)
{
    const struct gws_bfs_device_options *options = &hybrid->search->options;
    uint64_t chunk = options->chunk ? options->chunk : min_chunk;
    return hybrid->count >= (options->threshold ? options->threshold : hybrid->search->workers * chunk);
}

static void partition(struct gws__bfs_hybrid *hybrid)
{
    const struct gws_bfs_device *search = hybrid->search;
    const struct gws__queue_calls *queue = &hybrid->call->queue[search->work_queue];
    uint64_t chunk = hybrid->count / ((uint64_t)hybrid->workers * chunks_a_worker);
    chunk = chunk < min_chunk ? min_chunk : chunk > max_chunk ? max_chunk : chunk;
    hybrid->chunk = search->options.chunk ? search->options.chunk : chunk;
    for (uint32_t w = 0; w < hybrid->workers; w++) {
        _Atomic uint64_t *base = hybrid->queue + (uint64_t)hybrid->first * QUEUE_STRIDE;
        queue->fill(base, w, hybrid->workers, hybrid->count, hybrid->chunk);
        hybrid->stats[(uint64_t)(hybrid->first + w) * STATS_STRIDE + STATS_ASSIGNED] += queue->given(base, w);
    }
}

gws_status gws__bfs_hybrid_plan(struct gws__bfs_hybrid *hybrid, struct gws_diagnostic *where)
{
    const struct gws_bfs_device *search = hybrid->search;
    const uint32_t groups = search->options.groups, size = hybrid->end - hybrid->begin;
    hybrid->bottom_up = goes_bottom_up(hybrid);
    hybrid->count = hybrid->bottom_up ? search->graph->vertices : size;
    hybrid->joined = device_joins(hybrid);
    hybrid->cpu = !hybrid->joined || !search->coarse;
    hybrid->serial =
        !hybrid->joined && hybrid->count <= serial_tasks && (hybrid->bottom_up || hybrid->degrees <= serial_arcs);
    hybrid->first = hybrid->joined ? 0 : groups;
    hybrid->workers = (hybrid->joined ? groups : 0) + (hybrid->cpu ? search->workers - groups : 0);
    gws_trace_level(search->runtime, hybrid->level, hybrid->bottom_up ? GWS_SLICE_PULL : GWS_SLICE_PUSH);
    if (!hybrid->serial) partition(hybrid);
    struct gws_bfs_level level = {
        .size = size, .bottom_up = hybrid->bottom_up, .workers = hybrid->serial ? 1 : hybrid->workers};
    return gws__bfs_level_add(search->result, level, where);
}

void gws__bfs_hybrid_advance(struct gws__bfs_hybrid *hybrid)
{
    hybrid->unexplored -= hybrid->degrees;
    hybrid->degrees = atomic_load_explicit(hybrid->found, memory_order_relaxed);
    atomic_store_explicit(hybrid->found, 0, memory_order_relaxed);
    hybrid->begin = hybrid->end;
    hybrid->end = atomic_load_explicit(hybrid->tail, memory_order_relaxed);
    hybrid->level++;
}

/* ---- a level ---- */

static void run_range(struct gws__bfs_hybrid *hybrid, struct gws__bfs_worker_buffer *buffer, const uint64_t *range)
{
    if (hybrid->bottom_up)
        hybrid->call->bottom_up(hybrid, buffer, range);
    else
        hybrid->call->top_down(hybrid, buffer, range);
}

static void run_serial(struct gws__bfs_hybrid *hybrid)
{
    const uint64_t range[2] = {0, hybrid->count};
    uint64_t *stats = hybrid->stats + (uint64_t)hybrid->search->options.groups * STATS_STRIDE;
    stats[STATS_ASSIGNED] += hybrid->count;
    stats[STATS_RUN] += hybrid->count;
    run_range(hybrid, hybrid->buffer, range);
    hybrid->call->flush(hybrid, hybrid->buffer);
}

/* Runs CPU workers begin .. end - 1 of the search. */
static void run_workers(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs_hybrid *hybrid = context;
    const struct gws_bfs_device *search = hybrid->search;
    const struct gws__queue_calls *queue = &hybrid->call->queue[search->work_queue];
    _Atomic uint64_t *base = hybrid->queue + (uint64_t)hybrid->first * QUEUE_STRIDE;
    uint32_t gpu = hybrid->joined ? search->options.groups : 0;
    bool steals = gws__bfs_steals(search, GWS_BFS_STEAL_CPU);
    for (uint64_t which = begin; which < end; which++) {
        uint64_t *stats = hybrid->stats + (search->options.groups + which) * STATS_STRIDE, range[2];
        for (;;) {
            queue->take(base, stats, gpu + (uint32_t)which, hybrid->workers, gpu, steals, range);
            if (range[0] == range[1]) break;
            run_range(hybrid, &hybrid->buffer[which], range);
        }
        hybrid->call->flush(hybrid, &hybrid->buffer[which]);
    }
}

void gws__bfs_hybrid_run(struct gws__bfs_hybrid *hybrid)
{
    const struct gws_bfs_device *search = hybrid->search;
    const struct gws_loop loop = {.count = search->workers - search->options.groups,
                                  .chunk = 1,
                                  .body = run_workers,
                                  .context = hybrid,
                                  .uncounted = true};
    if (hybrid->serial)
        run_serial(hybrid);
    else
        gws_parallel_run(search->runtime, &loop);
}
