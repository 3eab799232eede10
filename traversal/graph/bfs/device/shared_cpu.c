/* SPDX-License-Identifier: MIT */
/* The CPU's side of a search on both sides, and what goes on between levels; see shared.h. */
#define GWS_HOST_WORKER
#include "../../../../kernels/portability/host.h"

#include "../../../../kernels/engine/direction.h"
#include "shared.h"

#include <string.h>

enum {
    alone_tasks = 256, /* a level that the CPU's side runs, of so few tasks and arcs, is one worker's */
    alone_arcs = 2048,
    chunks_a_worker = 8,
    least_chunk = 16,
    most_chunk = 1024
};

enum { grain = 8192 };

/* ---- loops around the levels ---- */

/* relaxed: the loop's end comes before all levels. */
static void clear(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs_sides *sides = context;
    for (uint64_t v = begin; v < end; v++) {
        atomic_store_explicit(&sides->depth[v], GWS_NO_VERTEX, memory_order_relaxed);
        atomic_store_explicit(&sides->parent[v], GWS_NO_VERTEX, memory_order_relaxed);
    }
    for (uint64_t word = (begin + 31) / 32; word < (end + 31) / 32; word++)
        atomic_store_explicit(&sides->visited[word], 0, memory_order_relaxed);
}

void gws__bfs_sides_begin(struct gws__bfs_sides *sides)
{
    const struct gws_graph *graph = sides->search->graph;
    uint32_t source = sides->search->result->source;
    gws__engine_uncounted(sides->search->runtime, graph->vertices, grain, clear, sides);
    memset(sides->stats, 0, sides->search->workers * bfs_stats_words * sizeof *sides->stats);
    atomic_store_explicit(&sides->depth[source], 0, memory_order_relaxed);
    atomic_store_explicit(&sides->parent[source], source, memory_order_relaxed);
    atomic_store_explicit(&sides->visited[source / 32], 1u << source % 32, memory_order_relaxed);
    atomic_store_explicit(sides->tail, 1, memory_order_relaxed);
    atomic_store_explicit(sides->found, 0, memory_order_relaxed);
    sides->list[0] = source;
    sides->level = sides->begin = 0;
    sides->end = 1;
    sides->bottom_up = false;
    sides->degrees = gws_graph_degree(graph, source);
    sides->unexplored = graph->arcs;
}

static void copy(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs_sides *sides = context;
    struct gws_bfs_result *result = sides->search->result;
    for (uint64_t v = begin; v < end; v++) {
        result->depth[v] = atomic_load_explicit(&sides->depth[v], memory_order_relaxed);
        result->parent[v] = atomic_load_explicit(&sides->parent[v], memory_order_relaxed);
    }
}

void gws__bfs_sides_fetch(struct gws__bfs_sides *sides)
{
    struct gws_bfs_device *search = sides->search;
    gws__engine_uncounted(search->runtime, search->graph->vertices, grain, copy, sides);
    memcpy(search->ran, sides->stats, search->workers * bfs_stats_words * sizeof *search->ran);
}

/* ---- between levels ---- */

static bool goes_bottom_up(const struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device *search = sides->search;
    if (search->options.direction != GWS_BFS_AUTO) return search->options.direction == GWS_BFS_BOTTOM_UP;
    if (!search->in) return false;
    const struct direction_rule rule = {DIRECTION_THREADS};
    const struct direction_view at = {.size = sides->end - sides->begin,
                                      .arcs = sides->degrees,
                                      .unexplored = sides->unexplored,
                                      .candidates = search->graph->vertices,
                                      .pulling = sides->bottom_up};
    return direction_pulls(&rule, &at);
}

/* The thesis's section 4.3.2: enough for each worker to have a chunk. */
static bool device_joins(const struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device_options *options = &sides->search->options;
    uint64_t chunk = options->chunk ? options->chunk : least_chunk;
    return sides->count >= (options->threshold ? options->threshold : sides->search->workers * chunk);
}

static void cut(struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device *search = sides->search;
    const struct gws__queue_calls *queue = &sides->call->queue[search->container];
    uint64_t chunk = sides->count / ((uint64_t)sides->workers * chunks_a_worker);
    chunk = chunk < least_chunk ? least_chunk : chunk > most_chunk ? most_chunk : chunk;
    sides->chunk = search->options.chunk ? search->options.chunk : chunk;
    for (uint32_t w = 0; w < sides->workers; w++) {
        _Atomic uint64_t *base = sides->queue + (uint64_t)sides->first * bfs_queue_words;
        queue->fill(base, w, sides->workers, sides->count, sides->chunk);
        sides->stats[(uint64_t)(sides->first + w) * bfs_stats_words + gws__bfs_stats_made] += queue->given(base, w);
    }
}

gws_status gws__bfs_sides_plan(struct gws__bfs_sides *sides, struct gws_where *where)
{
    const struct gws_bfs_device *search = sides->search;
    const uint32_t groups = search->options.groups, size = sides->end - sides->begin;
    sides->bottom_up = goes_bottom_up(sides);
    sides->count = sides->bottom_up ? search->graph->vertices : size;
    sides->joined = device_joins(sides);
    sides->cpu = !sides->joined || !search->coarse;
    sides->serial = !sides->joined && sides->count <= alone_tasks && (sides->bottom_up || sides->degrees <= alone_arcs);
    sides->first = sides->joined ? 0 : groups;
    sides->workers = (sides->joined ? groups : 0) + (sides->cpu ? search->workers - groups : 0);
    gws_trace_level(search->runtime, sides->level, sides->bottom_up ? GWS_SLICE_PULL : GWS_SLICE_PUSH);
    if (!sides->serial) cut(sides);
    struct gws_bfs_level level = {
        .size = size, .bottom_up = sides->bottom_up, .workers = sides->serial ? 1 : sides->workers};
    return gws__bfs_device_level(sides->search, level, where);
}

void gws__bfs_sides_advance(struct gws__bfs_sides *sides)
{
    sides->unexplored -= sides->degrees;
    sides->degrees = atomic_load_explicit(sides->found, memory_order_relaxed);
    atomic_store_explicit(sides->found, 0, memory_order_relaxed);
    sides->begin = sides->end;
    sides->end = atomic_load_explicit(sides->tail, memory_order_relaxed);
    sides->level++;
}

/* ---- a level ---- */

static void run_range(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand, const uint64_t *range)
{
    if (sides->bottom_up)
        sides->call->bottom_up(sides, hand, range);
    else
        sides->call->top_down(sides, hand, range);
}

static void run_serial(struct gws__bfs_sides *sides)
{
    const uint64_t range[2] = {0, sides->count};
    uint64_t *stats = sides->stats + (uint64_t)sides->search->options.groups * bfs_stats_words;
    stats[gws__bfs_stats_made] += sides->count;
    stats[gws__bfs_stats_run] += sides->count;
    run_range(sides, sides->hand, range);
    sides->call->flush(sides, sides->hand);
}

/* CPU worker number `which` of the search. */
static void run_worker(struct gws__bfs_sides *sides, uint32_t which)
{
    const struct gws_bfs_device *search = sides->search;
    const struct gws__queue_calls *queue = &sides->call->queue[search->container];
    uint32_t gpu = sides->joined ? search->options.groups : 0;
    bool steals = gws__bfs_steals(search, GWS_BFS_STEAL_CPU);
    uint64_t *stats = sides->stats + (uint64_t)(search->options.groups + which) * bfs_stats_words, range[2];
    for (;;) {
        queue->take(sides->queue + (uint64_t)sides->first * bfs_queue_words, stats, gpu + which, sides->workers, gpu,
                    steals, range);
        if (range[0] == range[1]) break;
        run_range(sides, &sides->hand[which], range);
    }
    sides->call->flush(sides, &sides->hand[which]);
}

static void play(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t which = begin; which < end; which++) run_worker(context, (uint32_t)which);
}

void gws__bfs_sides_run(struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device *search = sides->search;
    const struct gws_loop loop = {
        .count = search->workers - search->options.groups, .chunk = 1, .body = play, .context = sides, .aside = true};
    if (sides->serial)
        run_serial(sides);
    else
        gws_parallel_run(search->runtime, &loop);
}
