/* SPDX-License-Identifier: MIT */
/* The CPU's part of levels that a device shares (host_resident.h). Chunks consist of the graph's vertices. The CPU
 * takes chunks from the front of the range, the device from the back. A chunk may run on both sides,
 * because both find the same vertices at the same depth, each in its own bitmap. The device writes the depths. */
#include "host_resident.h"

enum { window = 256, grain = 4096 };

/* ---- bottom-up, as in traversal/engine/pull_body.h ---- */

static uint32_t first_in_front(const struct engine *engine, uint32_t vertex)
{
    const uint32_t *target = engine->in->target;
    for (uint64_t arc = engine->in->offset[vertex], end = engine->in->offset[vertex + (uint64_t)1]; arc < end; arc++)
        if (engine->front[target[arc] >> 6] >> (target[arc] & 63) & 1) return target[arc];
    return GWS_NO_VERTEX;
}

static void look_up(const struct engine *engine, const uint32_t *vertex, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = vertex[i], parent = first_in_front(engine, v);
        if (parent == GWS_NO_VERTEX) continue;
        ((uint64_t *)engine->visited)[v >> 6] |= (uint64_t)1 << (v & 63);
        engine->data[1][v] = parent;
    }
}

/* Searches bottom-up from the unvisited vertices of some words. Only this worker accesses these words in this level, so
 * no access is atomic. */
static void search_words(const struct engine *engine, uint64_t begin, uint64_t end)
{
    const struct gws_graph *in = engine->in;
    uint64_t last = in->vertices & 63;
    uint32_t look[window], count = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t bits = ~((const uint64_t *)engine->visited)[w];
        if (w + 1 == engine->words && last) bits &= ((uint64_t)1 << last) - 1;
        for (; bits; bits &= bits - 1) {
            look[count] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
            __builtin_prefetch(in->target + in->offset[look[count++]]);
        }
        if (count <= window - 64) continue;
        look_up(engine, look, count);
        count = 0;
    }
    look_up(engine, look, count);
}

/* Runs a worker's part of a level. In a top-down level, the engine's push adds the found vertices to visited and
 * writes their parents (engine->wide). The search's own statistics count the level. */
void gws__host_resident_run_range(void *context, uint32_t worker)
{
    struct gws__host_resident *state = context;
    struct engine *engine = &state->bfs.engine;
    struct gws__engine_worker *me = gws__engine_worker_state(engine, worker);
    uint64_t chunk, words = state->chunk_words, made = me->made;
    while (gws__range_next(&state->range, worker, &chunk)) {
        uint64_t begin = chunk * words, end = begin + words < state->words ? begin + words : state->words;
        if (state->bottom_up)
            search_words(engine, begin, end);
        else
            engine->loops->by_words(engine, worker, begin, end);
    }
    if (!state->bottom_up) engine->loops->finish(engine, worker, 0, 0);
    me->made = made;
}

/* ---- between levels ---- */

/* Runs a loop over words that writes the other bitmap of visited vertices. The CPU then searches in that bitmap. */
static void change_side(struct gws__host_resident *state, gws_body *body)
{
    gws__engine_uncounted(state->search->runtime, state->words, grain, body, state);
    state->side ^= 1;
    state->bfs.engine.visited = state->host[resident_host_a + state->side];
}

static void publish_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__host_resident *state = context;
    const uint64_t *visited = state->host[resident_host_a + state->side];
    uint64_t *to = state->host[resident_host_b - state->side], *front = state->host[resident_host_front];
    for (uint64_t w = begin; w < end; w++) {
        to[w] = state->before[w] = visited[w];
        front[w] = state->bfs.engine.front[w];
    }
}

void gws__host_resident_publish(struct gws__host_resident *state)
{
    change_side(state, publish_words);
}

/* Merges the vertices that both sides found. In a bottom-up level, the mirror is stale in the chunks that the device
 * did not run. */
static void merge_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__host_resident *state = context;
    const uint64_t *visited = state->host[resident_host_a + state->side], *mirror = state->host[resident_mirror];
    const uint64_t stale = state->bottom_up ? (state->range.count - state->range.ran) * state->chunk_words : 0;
    uint64_t *to = state->host[resident_host_b - state->side], found = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t all = visited[w] | (w >= stale ? mirror[w] : 0), fresh = all & ~state->before[w];
        state->bfs.engine.front[w] = fresh;
        to[w] = state->before[w] = all;
        state->depth_on_device[w] |= fresh;
        state->found_by_device[w] |= fresh & ~visited[w];
        found += (uint64_t)__builtin_popcountll(fresh);
    }
    atomic_fetch_add_explicit(&state->found, found,
                              memory_order_relaxed); /* relaxed: the host reads the sum after the loop */
}

void gws__host_resident_merge(void *context)
{
    struct gws__host_resident *state = context;
    atomic_store_explicit(&state->found, 0, memory_order_relaxed);
    change_side(state, merge_words);
}

static void clear_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__host_resident *state = context;
    uint64_t *visited = state->host[resident_host_a];
    for (uint64_t w = begin; w < end; w++) {
        visited[w] = state->isolated[w];
        state->found_by_device[w] = state->depth_on_device[w] = 0;
    }
}

void gws__host_resident_clear(struct gws__host_resident *state)
{
    gws__engine_uncounted(state->search->runtime, state->words, grain, clear_words, state);
    state->side = 0;
}
