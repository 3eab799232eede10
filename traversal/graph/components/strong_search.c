/* SPDX-License-Identifier: MIT */
/* The searches for strong components: a step expands a list of vertices along their arcs, on all workers. */
#include "strong.h"

enum {
    buffer = 512,    /* max vertices that a worker finds before it reserves list entries for them */
    max_entries = 32 /* a search gives up after this number of queue entries per open vertex */
};

struct found {
    struct gws__strong *strong;
    uint32_t *list;
    uint32_t count, vertex[buffer];
};

static void flush(struct found *found)
{
    /* relaxed: the addition reserves unique entries; the end of the loop publishes their content. */
    uint64_t to = atomic_fetch_add_explicit(&found->strong->tail, found->count, memory_order_relaxed);
    for (uint32_t i = 0; i < found->count; i++) found->list[to + i] = found->vertex[i];
    found->count = 0;
}

static inline void add(struct found *found, uint32_t vertex)
{
    if (found->count == buffer) flush(found);
    found->vertex[found->count++] = vertex;
}

/* Replaces GWS_NO_VERTEX by value. Returns false if another worker was first. */
static inline bool claim(_Atomic uint32_t *word, uint32_t value)
{
    uint32_t none = GWS_NO_VERTEX;
    return atomic_compare_exchange_strong_explicit(word, &none, value, memory_order_relaxed, memory_order_relaxed);
}

static inline bool raise_to(_Atomic uint32_t *word, uint32_t value)
{
    uint32_t now = gws__strong_load(word);
    while (now < value)
        if (atomic_compare_exchange_weak_explicit(word, &now, value, memory_order_relaxed, memory_order_relaxed))
            return true;
    return false;
}

/* Processes the arc from -> to. Returns true if `to` enters the next frontier. */
static inline bool enters(struct gws__strong *strong, enum gws__strong_phase phase, uint32_t from, uint32_t to)
{
    if (gws__strong_component(strong, to) != GWS_NO_VERTEX) return false;
    const uint32_t colour = gws__strong_load(&strong->colour[from]);
    if (phase == GWS__STRONG_FORWARD)
        return gws__strong_load(&strong->colour[to]) == GWS_NO_VERTEX && claim(&strong->colour[to], colour);
    if (phase == GWS__STRONG_BACKWARD)
        return gws__strong_load(&strong->colour[to]) == colour && claim(&strong->component[to], colour);
    return raise_to(&strong->colour[to], colour) &&
           atomic_exchange_explicit(&strong->stamp[to], strong->step, memory_order_relaxed) != strong->step;
}

static inline void expand(struct gws__strong *strong, enum gws__strong_phase phase, uint64_t begin, uint64_t end)
{
    const struct gws_graph *rows = phase == GWS__STRONG_BACKWARD ? strong->reverse : strong->graph;
    struct found found = {.strong = strong, .list = strong->queue[1], .count = 0};
    for (uint64_t i = begin; i < end; i++) {
        uint32_t from = strong->queue[0][i];
        for (uint64_t arc = rows->offset[from]; arc < rows->offset[from + (uint64_t)1]; arc++)
            if (enters(strong, phase, from, rows->target[arc])) add(&found, rows->target[arc]);
    }
    flush(&found);
}

static void expand_forward(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    expand(context, GWS__STRONG_FORWARD, begin, end);
}

static void expand_backward(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    expand(context, GWS__STRONG_BACKWARD, begin, end);
}

static void expand_colour(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    expand(context, GWS__STRONG_COLOUR, begin, end);
}

bool gws__strong_search(struct gws__strong *strong, enum gws__strong_phase phase, uint64_t size)
{
    static gws_body *const body[] = {expand_forward, expand_backward, expand_colour};
    uint64_t entered = 0;
    while (size > 0 && !gws_cancelled(strong->runtime)) {
        entered += size;
        if (entered > max_entries * strong->actives) return false;
        atomic_store_explicit(&strong->tail, 0, memory_order_relaxed);
        strong->step++;
        gws__strong_loop(strong, size, gws__strong_grain, body[phase]);
        size = gws__strong_load64(&strong->tail);
        uint32_t *done = strong->queue[0];
        strong->queue[0] = strong->queue[1];
        strong->queue[1] = done;
    }
    return true;
}

/* ---- lists ---- */

static void list_open(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    struct found found = {.strong = strong, .list = strong->queue[1], .count = 0};
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        if (gws__strong_component(strong, strong->active[i]) == GWS_NO_VERTEX) add(&found, strong->active[i]);
    flush(&found);
}

void gws__strong_compact(struct gws__strong *strong)
{
    atomic_store_explicit(&strong->tail, 0, memory_order_relaxed);
    gws__strong_loop(strong, strong->actives, gws__strong_grain, list_open);
    strong->actives = gws__strong_load64(&strong->tail);
    uint32_t *old = strong->active;
    strong->active = strong->queue[1];
    strong->queue[1] = old;
}

static void list_roots(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__strong *strong = context;
    struct found found = {.strong = strong, .list = strong->queue[0], .count = 0};
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t vertex = strong->active[i];
        if (gws__strong_load(&strong->colour[vertex]) != vertex) continue;
        atomic_store_explicit(&strong->component[vertex], vertex, memory_order_relaxed);
        add(&found, vertex);
    }
    flush(&found);
}

uint64_t gws__strong_roots(struct gws__strong *strong)
{
    atomic_store_explicit(&strong->tail, 0, memory_order_relaxed);
    gws__strong_loop(strong, strong->actives, gws__strong_grain, list_roots);
    return gws__strong_load64(&strong->tail);
}
