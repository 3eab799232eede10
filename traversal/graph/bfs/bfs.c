/* SPDX-License-Identifier: MIT */
/* Breadth-first search: the level loop.
 *
 * Each level runs in the direction that looks at fewer arcs (Beamer, Asanovic, Patterson, "Direction-Optimizing
 * Breadth-First Search", SC 2012, section V), on as many workers as it is worth: small ones on the caller alone
 * (bfs_alone.c), others shared out by the runtime's policy (bfs_top_down.c, bfs_bottom_up.c). Large meshes are searched
 * by windows of levels instead (bfs_windows.c) where that is faster (bfs_ways.c). */
#include "state.h"

/* Beamer's: bottom-up once the frontier has more than 1 / alpha of the unexplored arcs, top-down again once it has less
 * than 1 / beta of the vertices. And never bottom-up where walking over all vertices costs more than the frontier's
 * arcs, as at the ends of a road network, when little is left to explore. */
enum { alpha = 15, beta = 18, walk = 16 };

bool gws__bfs_goes_bottom_up(const struct gws__bfs *bfs)
{
    if (bfs->options.direction == GWS_BFS_BOTTOM_UP) return true;
    if (bfs->options.direction == GWS_BFS_TOP_DOWN || !bfs->in) return false;
    if (bfs->in_bitmap) return bfs->size > bfs->graph->vertices / beta;
    return bfs->degrees > bfs->unexplored / alpha && bfs->degrees > bfs->graph->vertices / walk;
}

struct gws_bfs_level *gws__bfs_level_begin(struct gws__bfs *bfs, bool bottom_up)
{
    struct gws_bfs_result *result = bfs->result;
    bfs->unexplored -= bfs->degrees;
    result->reached += bfs->size;
    result->reached_arcs += bfs->degrees;
    struct gws_bfs_level *level = &result->level[result->levels++];
    *level = (struct gws_bfs_level){.size = bfs->size, .bottom_up = bottom_up, .workers = 1};
    return level;
}

/* Adds up what the workers found, and makes it the frontier. What each reached in one piece is its part of it. The
 * workers' lines are only read here: they clear their own when they join the next level (gws__bfs_desk). */
static uint32_t collect(struct gws__bfs *bfs)
{
    uint32_t took_part = 0;
    bfs->size = bfs->degrees = 0;
    bfs->has_parts = true;
    for (uint32_t w = 0; w < bfs->scratch->workers; w++) {
        const struct gws__bfs_worker *worker = &bfs->scratch->worker[w];
        bool came = worker->level == bfs->level;
        took_part += came;
        bfs->size += came ? worker->found : 0;
        bfs->degrees += came ? worker->degrees : 0;
        bfs->has_parts &= !came || worker->flushes <= 1;
        bfs->part[w] = came ? worker->flushed : (struct gws_range){0, 0};
    }
    bfs->level++;
    return took_part;
}

gws_status gws__bfs_run_shared(struct gws__bfs *bfs, bool bottom_up)
{
    gws_status status = gws__bfs_level_room(bfs);
    if (status != GWS_OK) return status;
    struct gws_bfs_level *level = gws__bfs_level_begin(bfs, bottom_up);
    uint64_t arcs = bfs->degrees;
    double began = gws_clock_ms();
    if (bottom_up)
        gws__bfs_bottom_up(bfs);
    else
        gws__bfs_top_down(bfs);
    level->workers = collect(bfs);
    double ms = gws_clock_ms() - began;
    if (!bottom_up) gws__bfs_learn(bfs, arcs, true, ms);
    if (bfs->options.time_levels) level->ms = ms;
    return GWS_OK;
}

static gws_status run_levels(struct gws__bfs *bfs)
{
    gws_status status = GWS_OK;
    while (status == GWS_OK && bfs->size) {
        bool bottom_up = gws__bfs_goes_bottom_up(bfs);
        if (!bottom_up && !bfs->in_bitmap && gws__bfs_goes_alone(bfs))
            status = gws__bfs_top_down_alone(bfs);
        else
            status = gws__bfs_run_shared(bfs, bottom_up);
    }
    return status;
}

static void clear_visited(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs *bfs = context;
    for (uint64_t w = begin; w < end; w++) ((uint64_t *)bfs->visited)[w] = 0;
}

/* Gives the vertices that were not reached their GWS_NO_VERTEX. */
static void fill_unreached(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs *bfs = context;
    for (uint64_t w = begin; w < end; w++)
        for (uint64_t bits = ~((uint64_t *)bfs->visited)[w]; bits; bits &= bits - 1) {
            uint64_t vertex = w * 64 + (uint64_t)__builtin_ctzll(bits);
            if (vertex >= bfs->graph->vertices) return;
            bfs->depth[vertex] = bfs->parent[vertex] = GWS_NO_VERTEX;
        }
}

static void begin_at(struct gws__bfs *bfs, uint32_t source)
{
    gws__bfs_aside(bfs, bfs->words, 8192, clear_visited);
    ((uint64_t *)bfs->visited)[source >> 6] = (uint64_t)1 << (source & 63);
    bfs->depth[source] = 0;
    bfs->parent[source] = source;
    bfs->queue[0] = source;
    bfs->end = bfs->size = 1;
    bfs->degrees = gws_graph_degree(bfs->graph, source);
    bfs->unexplored = bfs->graph->arcs;
}

void gws__bfs_finish(struct gws__bfs *bfs)
{
    if (!bfs->filled) gws__bfs_aside(bfs, bfs->words, 1024, fill_unreached);
    for (uint32_t w = 0; w < bfs->scratch->workers; w++) {
        struct gws__bfs_worker *worker = &bfs->scratch->worker[w];
        /* The desks may be more than this runtime's workers: those were made for a larger one. */
        if (w < gws_runtime_workers(bfs->runtime)) gws_parallel_note(bfs->runtime, w, 0, worker->made, 0);
        worker->made = 0;
        worker->level = GWS_NO_VERTEX;
    }
}

void gws__bfs_bind(struct gws__bfs *bfs, struct gws_bfs_result *result)
{
    struct gws__bfs_scratch *scratch = result->scratch;
    bfs->result = result;
    bfs->scratch = scratch;
    bfs->depth = result->depth;
    bfs->parent = result->parent;
    bfs->queue = scratch->queue;
    bfs->words = scratch->words;
    bfs->visited = (_Atomic uint64_t *)scratch->bitmap;
    bfs->front = scratch->bitmap + bfs->words;
    bfs->next = scratch->bitmap + 2 * bfs->words;
    bfs->part = scratch->part;
    bfs->entry = scratch->entry;
    bfs->next_entry = scratch->entry + bfs_entries;
}

gws_status gws_bfs(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                   const struct gws_bfs_options *options, struct gws_bfs_result *result)
{
    static const struct gws_bfs_options defaults;
    struct gws__bfs bfs = {.runtime = runtime, .graph = graph, .options = options ? *options : defaults};
    bfs.lone = gws_runtime_workers(runtime) == 1;
    bfs.in = graph->directed ? graph->reverse : graph;
    if (source >= graph->vertices) return GWS_OUT_OF_RANGE;
    if (!bfs.in && bfs.options.direction == GWS_BFS_BOTTOM_UP) return GWS_NEEDS_REVERSE;

    gws_status status = gws__bfs_prepare(runtime, graph, result);
    if (status != GWS_OK) return status;
    double began = gws_clock_ms();
    gws__bfs_bind(&bfs, result);
    result->source = source;
    begin_at(&bfs, source);
    bool by_windows = gws__bfs_goes_by_windows(&bfs);
    status = by_windows ? gws__bfs_by_windows(&bfs) : run_levels(&bfs);
    if (status == GWS_OK) {
        gws__bfs_finish(&bfs);
        result->ms = gws_clock_ms() - began;
        gws__bfs_learn_way(&bfs, by_windows);
    } else {
        gws_bfs_result_clear(result);
    }
    return status;
}

gws_status gws_bfs_many(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *source,
                        uint64_t count, const struct gws_bfs_options *options, gws_bfs_visit *visit, void *context)
{
    struct gws_bfs_result result = {0};
    gws_status status = GWS_OK;
    for (uint64_t i = 0; i < count && status == GWS_OK; i++) {
        status = gws_bfs(runtime, graph, source[i], options, &result);
        if (status == GWS_OK) status = visit(context, i, &result);
    }
    gws_bfs_result_clear(&result);
    return status;
}
