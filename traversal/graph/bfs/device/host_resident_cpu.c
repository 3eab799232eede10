/* SPDX-License-Identifier: MIT */
/* The CPU's part of levels that a device shares (host_resident.h). Chunks consist of the graph's vertices; the CPU
 * takes chunks from the front of the range, the device from the back. If a chunk runs on both sides, both find the same
 * vertices at the same depth, each in its own bitmap, which is harmless. The device writes the depths. */
#include "host_resident.h"

enum { window = 256, claims = 2048, grain = 4096 };

struct claimed_arc {
    uint32_t vertex, parent;
};

/* State of one worker in one level. */
struct level_part {
    const struct engine *engine;
    _Atomic(uint64_t) *visited;
    uint32_t *parent; /* the worker that sets a vertex's bit writes its parent */
    uint32_t arcs;
    struct claimed_arc arc[claims];
};

/* ---- bottom-up: as in traversal/engine/advance_body.h ---- */

static uint32_t first_in_front(const struct engine *engine, uint32_t vertex)
{
    const uint32_t *target = engine->in->target;
    for (uint64_t arc = engine->in->offset[vertex], end = engine->in->offset[vertex + (uint64_t)1]; arc < end; arc++)
        if (engine->front[target[arc] >> 6] >> (target[arc] & 63) & 1) return target[arc];
    return GWS_NO_VERTEX;
}

/* All accesses are relaxed: the words belong to this worker in this level, and the end of the loop publishes them. */
static void look_up(const struct level_part *part, const uint32_t *vertex, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = vertex[i], parent = first_in_front(part->engine, v);
        if (parent == GWS_NO_VERTEX) continue;
        uint64_t word = atomic_load_explicit(&part->visited[v >> 6], memory_order_relaxed);
        atomic_store_explicit(&part->visited[v >> 6], word | (uint64_t)1 << (v & 63), memory_order_relaxed);
        part->parent[v] = parent;
    }
}

static void search_words(const struct level_part *part, uint64_t begin, uint64_t end)
{
    const struct gws_graph *in = part->engine->in;
    uint64_t last = in->vertices & 63;
    uint32_t look[window], count = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t bits = ~atomic_load_explicit(&part->visited[w], memory_order_relaxed);
        if (w + 1 == part->engine->words && last) bits &= ((uint64_t)1 << last) - 1;
        for (; bits; bits &= bits - 1) {
            look[count] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
            __builtin_prefetch(in->target + in->offset[look[count++]]);
        }
        if (count <= window - 64) continue;
        look_up(part, look, count);
        count = 0;
    }
    look_up(part, look, count);
}

/* ---- top-down: as in traversal/engine/advance_body.h ---- */

static uint32_t filter_unvisited(const struct level_part *part, struct claimed_arc *arc, uint32_t arcs)
{
    uint32_t unvisited = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        struct claimed_arc one = arc[i];
        uint64_t word = atomic_load_explicit(&part->visited[one.vertex >> 6], memory_order_relaxed);
        arc[unvisited] = one;
        unvisited += (word >> (one.vertex & 63) & 1) == 0;
    }
    return unvisited;
}

/* relaxed: the bit decides which worker writes the parent; parents are read after the end of the loop. */
static void claim_all(struct level_part *part)
{
    uint32_t unvisited = filter_unvisited(part, part->arc, part->arcs), won = 0;
    for (uint32_t i = 0; i < unvisited; i++) gws__prefetch_write(&part->parent[part->arc[i].vertex]);
    for (uint32_t i = 0; i < unvisited; i++) {
        struct claimed_arc one = part->arc[i];
        uint64_t bit = (uint64_t)1 << (one.vertex & 63);
        uint64_t word = atomic_fetch_or_explicit(&part->visited[one.vertex >> 6], bit, memory_order_relaxed);
        part->arc[won] = one;
        won += (word & bit) == 0;
    }
    for (uint32_t i = 0; i < won; i++) part->parent[part->arc[i].vertex] = part->arc[i].parent;
    part->arcs = 0;
}

static void expand(struct level_part *part, uint32_t vertex)
{
    const struct gws_graph *graph = part->engine->graph;
    for (uint64_t arc = graph->offset[vertex], end = graph->offset[vertex + (uint64_t)1]; arc < end;) {
        for (; arc < end && part->arcs < claims; arc++)
            part->arc[part->arcs++] = (struct claimed_arc){graph->target[arc], vertex};
        if (part->arcs == claims) claim_all(part);
    }
}

static void expand_words(struct level_part *part, uint64_t begin, uint64_t end)
{
    const struct gws_graph *graph = part->engine->graph;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t front = part->engine->front[w];
        for (uint64_t bits = front; bits; bits &= bits - 1)
            __builtin_prefetch(graph->target + graph->offset[w * 64 + (uint64_t)__builtin_ctzll(bits)]);
        for (uint64_t bits = front; bits; bits &= bits - 1)
            expand(part, (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits)));
    }
}

void gws__host_resident_run_range(void *context, uint32_t worker)
{
    struct gws__host_resident *state = context;
    struct level_part part = {.engine = &state->bfs.engine,
                              .visited = (_Atomic(uint64_t) *)state->bfs.engine.visited,
                              .parent = state->parent};
    uint64_t chunk, words = state->chunk_words;
    while (gws__range_next(&state->range, worker, &chunk)) {
        uint64_t begin = chunk * words, end = begin + words < state->words ? begin + words : state->words;
        if (state->bottom_up)
            search_words(&part, begin, end);
        else
            expand_words(&part, begin, end);
    }
    claim_all(&part);
}

/* ---- between levels ---- */

/* A loop over a bitmap's words. */
struct pass {
    struct gws__host_resident *state;
    uint64_t device_from; /* words below this one are stale in the device's bitmap */
    uint64_t *visited, *to;
};

static struct pass pass_of(struct gws__host_resident *state)
{
    struct pass pass = {.state = state};
    pass.visited = state->host[resident_host_a + state->side];
    pass.to = state->host[resident_host_b - state->side];
    return pass;
}

static void run_pass(struct pass *pass, gws_body *body)
{
    struct gws__host_resident *state = pass->state;
    gws__engine_uncounted(state->search->runtime, state->words, grain, body, pass);
    state->side ^= 1;
    state->bfs.engine.visited = state->host[resident_host_a + state->side];
}

static void publish_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct pass *pass = context;
    uint64_t *front = pass->state->host[resident_host_front];
    for (uint64_t w = begin; w < end; w++) {
        pass->to[w] = pass->state->before[w] = pass->visited[w];
        front[w] = pass->state->bfs.engine.front[w];
    }
}

void gws__host_resident_publish(struct gws__host_resident *state)
{
    struct pass pass = pass_of(state);
    run_pass(&pass, publish_words);
}

static void merge_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct pass *pass = context;
    struct gws__host_resident *state = pass->state;
    const uint64_t *mirror = state->host[resident_mirror];
    uint64_t found = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t all = pass->visited[w] | (w >= pass->device_from ? mirror[w] : 0), fresh = all & ~state->before[w];
        state->bfs.engine.front[w] = fresh;
        pass->to[w] = state->before[w] = all;
        state->depth_on_device[w] |= fresh;
        state->found_by_device[w] |= fresh & ~pass->visited[w];
        found += (uint64_t)__builtin_popcountll(fresh);
    }
    atomic_fetch_add_explicit(&state->found, found, memory_order_relaxed); /* read after the loop */
}

/* Bottom-up, the mirror is stale where the device did not run. */
void gws__host_resident_merge(void *context)
{
    struct gws__host_resident *state = context;
    struct pass pass = pass_of(state);
    if (state->bottom_up) pass.device_from = (state->range.count - state->range.ran) * state->chunk_words;
    atomic_store_explicit(&state->found, 0, memory_order_relaxed);
    run_pass(&pass, merge_words);
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
