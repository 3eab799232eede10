/* SPDX-License-Identifier: MIT */
/* Frontiers: a stretch of the queue, entries beside it, or a bitmap; and the ways between them. */
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
    struct engine *engine = context;
    for (uint64_t w = begin; w < end; w++) engine->front[w] = 0;
}

/* relaxed: bits of one word may come from two workers; they are read after the end of the loop. */
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
    gws__engine_uncounted(engine->runtime, engine->words, 4096, clear_words, engine);
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

/* ---- a push level whose finds are the bits that it adds to visited ---- */

static void keep_visited(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct engine *engine = context;
    const uint64_t *visited = (const uint64_t *)engine->visited;
    for (uint64_t w = begin; w < end; w++) engine->front[w] = visited[w];
}

static void take_difference(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct engine *engine = context;
    const uint64_t *visited = (const uint64_t *)engine->visited;
    for (uint64_t w = begin; w < end; w++) engine->front[w] ^= visited[w];
}

void gws__engine_wide_begin(struct engine *engine)
{
    gws__engine_uncounted(engine->runtime, engine->words, 4096, keep_visited, engine);
    engine->wide = true;
}

void gws__engine_wide_end(struct engine *engine)
{
    gws__engine_uncounted(engine->runtime, engine->words, 4096, take_difference, engine);
    engine->wide = engine->has_entries = engine->has_parts = false;
    engine->in_bitmap = engine->late = true;
}
