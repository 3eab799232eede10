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

/* ---- memory ---- */

static uint64_t hand_bytes(uint32_t workers)
{
    return workers * sizeof(struct gws__bfs_hand) + engine_line;
}

gws_status gws__bfs_sides_open(struct gws_bfs_device *search, struct gws__bfs_sides *sides, struct gws_where *where)
{
    uint32_t workers = gws_runtime_workers(search->runtime);
    sides->search = search;
    sides->call = search->options.order == GWS_BFS_SEQ_CST ? &gws__bfs_seq_cst : &gws__bfs_weakest;
    sides->hands = gws_allocate(search->runtime, hand_bytes(workers), 1);
    if (!sides->hands) return gws__bfs_device_no_memory(where);
    memset(sides->hands, 0, hand_bytes(workers));
    sides->hand = gws__engine_align(sides->hands);
    return GWS_OK;
}

void gws__bfs_sides_close(struct gws__bfs_sides *sides)
{
    if (!sides->search) return;
    struct gws_runtime *runtime = sides->search->runtime;
    gws_release(runtime, sides->hands, hand_bytes(gws_runtime_workers(runtime)), 1);
}

/* ---- loops around the levels ---- */

static void aside(struct gws__bfs_sides *sides, uint64_t count, gws_body *body)
{
    struct gws_loop loop = {.count = count, .grain = 8192, .body = body, .context = sides, .aside = true};
    gws_parallel_run(sides->search->runtime, &loop);
}

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
    aside(sides, graph->vertices, clear);
    memset(sides->stats, 0, sides->search->workers * bfs_stats_words * sizeof *sides->stats);
    atomic_store_explicit(&sides->depth[source], 0, memory_order_relaxed);
    atomic_store_explicit(&sides->parent[source], source, memory_order_relaxed);
    atomic_store_explicit(&sides->visited[source / 32], 1u << source % 32, memory_order_relaxed);
    atomic_store_explicit(sides->tail, 1, memory_order_relaxed);
    atomic_store_explicit(sides->found, 0, memory_order_relaxed);
    sides->list[0] = source;
    sides->level = sides->begin = 0;
    sides->end = 1;
    sides->bottom_up = sides->joined = false;
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
    aside(sides, search->graph->vertices, copy);
    memcpy(search->ran, sides->stats, search->workers * bfs_stats_words * sizeof *search->ran);
}

/* ---- between levels ---- */

static bool goes_bottom_up(const struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device *search = sides->search;
    if (search->options.direction != GWS_BFS_AUTO) return search->options.direction == GWS_BFS_BOTTOM_UP;
    if (!search->in) return false;
    const struct direction_rule rule = DIRECTION_THREADS;
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

bool gws__bfs_sides_cpu(const struct gws__bfs_sides *sides)
{
    return !sides->joined || !sides->search->coarse;
}

static uint32_t first_worker(const struct gws__bfs_sides *sides)
{
    return sides->joined ? 0 : sides->search->options.groups;
}

uint32_t gws__bfs_sides_workers(const struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device *search = sides->search;
    uint32_t cpu = search->workers - search->options.groups;
    return (sides->joined ? search->options.groups : 0) + (gws__bfs_sides_cpu(sides) ? cpu : 0);
}

/* A level that one worker runs without any deque. */
static bool is_alone(const struct gws__bfs_sides *sides)
{
    if (sides->joined) return false;
    return sides->count <= alone_tasks && (sides->bottom_up || sides->degrees <= alone_arcs);
}

gws_status gws__bfs_sides_plan(struct gws__bfs_sides *sides, struct gws_where *where)
{
    sides->bottom_up = goes_bottom_up(sides);
    sides->count = sides->bottom_up ? sides->search->graph->vertices : sides->end - sides->begin;
    sides->joined = device_joins(sides);
    gws_trace_level(sides->search->runtime, (uint32_t)sides->level, sides->bottom_up ? GWS_SLICE_PULL : GWS_SLICE_PUSH);
    struct gws_bfs_level level = {.size = sides->end - sides->begin,
                                  .bottom_up = sides->bottom_up,
                                  .workers = is_alone(sides) ? 1 : gws__bfs_sides_workers(sides)};
    return gws__bfs_device_level(sides->search, level, where);
}

void gws__bfs_sides_cut(struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device *search = sides->search;
    const struct gws__queue_calls *queue = &sides->call->queue[search->container];
    uint32_t first = first_worker(sides), workers = gws__bfs_sides_workers(sides);
    uint64_t chunk = sides->count / ((uint64_t)workers * chunks_a_worker);
    chunk = chunk < least_chunk ? least_chunk : chunk > most_chunk ? most_chunk : chunk;
    sides->chunk = search->options.chunk ? search->options.chunk : chunk;
    if (is_alone(sides)) return;
    for (uint32_t w = 0; w < workers; w++) {
        _Atomic uint64_t *base = sides->queue + (uint64_t)first * bfs_queue_words;
        queue->fill(base, w, workers, sides->count, sides->chunk);
        sides->stats[(uint64_t)(first + w) * bfs_stats_words + gws__bfs_stats_given] += queue->given(base, w);
    }
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

void gws__bfs_sides_finish(struct gws__bfs_sides *sides)
{
    sides->search->result->reached = sides->end;
    sides->search->result->reached_arcs = sides->search->graph->arcs - sides->unexplored;
}

/* ---- a level ---- */

static bool cpu_steals(const struct gws_bfs_device *search)
{
    if (search->container != gws__bfs_chunked && search->container != gws__bfs_abp) return false;
    return search->options.steal == GWS_BFS_STEAL_ALL || search->options.steal == GWS_BFS_STEAL_CPU;
}

static void run_range(struct gws__bfs_sides *sides, struct gws__bfs_hand *hand, const uint64_t *range)
{
    if (sides->bottom_up)
        sides->call->bottom_up(sides, hand, range);
    else
        sides->call->top_down(sides, hand, range);
}

static void run_alone(struct gws__bfs_sides *sides)
{
    const uint64_t range[2] = {0, sides->count};
    uint64_t *stats = sides->stats + (uint64_t)sides->search->options.groups * bfs_stats_words;
    stats[gws__bfs_stats_given] += sides->count;
    stats[gws__bfs_stats_ran] += sides->count;
    run_range(sides, sides->hand, range);
    sides->call->flush(sides, sides->hand);
}

/* CPU worker number `which` of the search. */
static void run_worker(struct gws__bfs_sides *sides, uint32_t which)
{
    const struct gws_bfs_device *search = sides->search;
    const struct gws__queue_calls *queue = &sides->call->queue[search->container];
    uint32_t first = first_worker(sides), gpu = sides->joined ? search->options.groups : 0;
    uint64_t *stats = sides->stats + (uint64_t)(search->options.groups + which) * bfs_stats_words, range[2];
    for (;;) {
        queue->take(sides->queue + (uint64_t)first * bfs_queue_words, stats, gpu + which, gws__bfs_sides_workers(sides),
                    gpu, cpu_steals(search), range);
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
    struct gws_bfs_device *search = sides->search;
    if (is_alone(sides)) {
        run_alone(sides);
        return;
    }
    struct gws_loop loop = {
        .count = search->workers - search->options.groups, .chunk = 1, .body = play, .context = sides, .aside = true};
    gws_parallel_run(search->runtime, &loop);
}
