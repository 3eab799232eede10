/* SPDX-License-Identifier: MIT */
/* Converts frontiers between a range of the queue, entries for that range, and a bitmap. Also builds the index of
 * likely neighbours, which pull reads first. */
#include <string.h>

#include "engine.h"

void gws__engine_fetch_entries(struct engine *engine)
{
    for (uint64_t i = 0; i < engine->size; i++) {
        uint32_t vertex = engine->queue[engine->begin + i];
        engine->entry[i] = gws__entry_bounds(engine->graph, vertex);
        gws__entry_targets(engine->graph, &engine->entry[i]);
    }
    engine->has_entries = true;
}

void gws__engine_next_queue(struct engine *engine, uint64_t tail)
{
    struct gws__entry *old = engine->entry;
    engine->entry = engine->next_entry;
    engine->next_entry = old;
    engine->begin = engine->end;
    engine->end = tail;
    engine->has_parts = false;
    engine->has_entries = engine->end - engine->begin <= engine_entries;
}

static void clear_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    memset((uint64_t *)context + begin, 0, (end - begin) * sizeof(uint64_t));
}

void gws__engine_clear(const struct engine *engine, uint64_t *bitmap)
{
    gws__engine_uncounted(engine->runtime, engine->words, 8192, clear_words, bitmap);
}

/* Marks the queue's vertices in the bitmap. relaxed: two workers may set bits of one word, and workers read the bits
 * after the end of the loop. */
static void mark_queue(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct engine *engine = context;
    _Atomic uint64_t *front = (_Atomic uint64_t *)engine->front;
    for (uint64_t i = engine->begin + begin; i < engine->begin + end; i++) {
        uint64_t bit = (uint64_t)1 << (engine->queue[i] & 63);
        atomic_fetch_or_explicit(&front[engine->queue[i] >> 6], bit, memory_order_relaxed);
    }
}

void gws__engine_front_to_bitmap(struct engine *engine)
{
    gws__engine_clear(engine, engine->front);
    gws__engine_uncounted(engine->runtime, engine->size, 1024, mark_queue, engine);
    engine->in_bitmap = true;
}

void gws__engine_front_to_queue(struct engine *engine)
{
    engine->begin = engine->end;
    atomic_store_explicit(&engine->memory->tail, engine->begin, memory_order_relaxed);
    gws__engine_uncounted(engine->runtime, engine->words, 4096, engine->loops->enqueue, engine);
    engine->end = atomic_load_explicit(&engine->memory->tail, memory_order_relaxed);
    engine->in_bitmap = engine->has_entries = engine->has_parts = false;
}

/* ---- a wide push level, whose frontier is the difference of visited before and after ---- */

static void copy_visited(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct engine *engine = context;
    memcpy(engine->front + begin, (const uint64_t *)engine->visited + begin, (end - begin) * sizeof *engine->front);
}

static void find_difference(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct engine *engine = context;
    const uint64_t *visited = (const uint64_t *)engine->visited;
    for (uint64_t w = begin; w < end; w++) engine->front[w] ^= visited[w];
}

void gws__engine_wide_begin(struct engine *engine)
{
    gws__engine_uncounted(engine->runtime, engine->words, 4096, copy_visited, engine);
    engine->wide = true;
}

void gws__engine_wide_end(struct engine *engine)
{
    gws__engine_uncounted(engine->runtime, engine->words, 4096, find_difference, engine);
    engine->wide = engine->has_entries = engine->has_parts = false;
    engine->in_bitmap = engine->late = true;
}

/* ---- likely, the in-neighbour of highest degree of each vertex ---- */

struct building {
    const struct gws_graph *graph, *in;
    uint32_t *likely;
};

static void find(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    enum { ahead = 16 };
    (void)worker;
    const struct building *all = context;
    const uint32_t *target = all->in->target;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t highest = 0, last = all->in->offset[v + 1];
        uint32_t best = GWS_NO_VERTEX;
        for (uint64_t arc = all->in->offset[v]; arc < last; arc++) {
            if (arc + ahead < all->in->arcs) __builtin_prefetch(&all->graph->offset[target[arc + ahead]]);
            uint64_t degree = gws_graph_degree(all->graph, target[arc]);
            best = degree > highest ? target[arc] : best;
            highest = degree > highest ? degree : highest;
        }
        all->likely[v] = best;
    }
}

gws_status gws__engine_likely(struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_graph *in,
                              uint32_t *likely)
{
    struct building all = {graph, in, likely};
    const struct gws_loop loop = {
        .count = graph->vertices, .grain = 1024, .body = find, .context = &all, .uncounted = true};
    return gws_parallel_try(runtime, &loop);
}
