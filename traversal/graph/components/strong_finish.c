/* SPDX-License-Identifier: MIT */
/* Strong components of the open vertices on one thread (Tarjan, "Depth-first search and linear graph algorithms", SIAM
 * J. Computing 1972), with a stack in place of recursion.
 *
 * colour is the order of discovery, from 1 on. stamp is the smallest order that a vertex reaches on the stack. queue[0]
 * is the stack of vertices without a component. queue[1] is the path from the root; arc[] has the next arc of each
 * vertex on the path. */
#include "strong.h"

#include "../../../lib/parallel.h"

struct tarjan {
    struct gws__strong *strong;
    uint64_t *arc;
    uint64_t stacked, depth;
    uint32_t discovered;
};

static uint32_t get(_Atomic uint32_t *array, uint32_t vertex)
{
    return gws__strong_load(&array[vertex]);
}

static void set(_Atomic uint32_t *array, uint32_t vertex, uint32_t value)
{
    atomic_store_explicit(&array[vertex], value, memory_order_relaxed);
}

static void enter(struct tarjan *tarjan, uint32_t vertex)
{
    struct gws__strong *strong = tarjan->strong;
    set(strong->colour, vertex, ++tarjan->discovered);
    set(strong->stamp, vertex, tarjan->discovered);
    strong->queue[0][tarjan->stacked++] = vertex;
    strong->queue[1][tarjan->depth] = vertex;
    tarjan->arc[tarjan->depth++] = strong->graph->offset[vertex];
}

static void lower(struct gws__strong *strong, uint32_t vertex, uint32_t order)
{
    if (order < get(strong->stamp, vertex)) set(strong->stamp, vertex, order);
}

/* Finishes the last vertex of the path. If this vertex reaches no earlier vertex of the stack, the vertices above it on
 * the stack are its component. */
static void finish_vertex(struct tarjan *tarjan)
{
    struct gws__strong *strong = tarjan->strong;
    const uint32_t vertex = strong->queue[1][--tarjan->depth], reached = get(strong->stamp, vertex);
    if (tarjan->depth > 0) lower(strong, strong->queue[1][tarjan->depth - 1], reached);
    if (reached != get(strong->colour, vertex)) return;
    for (uint32_t member = GWS_NO_VERTEX; member != vertex;) {
        member = strong->queue[0][--tarjan->stacked];
        set(strong->component, member, vertex);
    }
}

static void search_from(struct tarjan *tarjan, uint32_t root)
{
    struct gws__strong *strong = tarjan->strong;
    enter(tarjan, root);
    while (tarjan->depth > 0) {
        const uint32_t vertex = strong->queue[1][tarjan->depth - 1];
        const uint64_t arc = tarjan->arc[tarjan->depth - 1]++;
        if (arc == strong->graph->offset[vertex + (uint64_t)1]) {
            finish_vertex(tarjan);
            continue;
        }
        const uint32_t to = strong->graph->target[arc];
        if (gws__strong_component(strong, to) != GWS_NO_VERTEX) continue;
        if (get(strong->colour, to) == 0)
            enter(tarjan, to);
        else
            lower(strong, vertex, get(strong->colour, to));
    }
}

gws_status gws__strong_finish(struct gws__strong *strong)
{
    struct tarjan tarjan = {.strong = strong,
                            .arc = gws_allocate(strong->runtime, strong->actives, sizeof *tarjan.arc)};
    if (!tarjan.arc) return GWS_NO_MEMORY;
    for (uint64_t i = 0; i < strong->actives; i++) set(strong->colour, strong->active[i], 0);
    for (uint64_t i = 0; i < strong->actives; i++)
        if (gws__strong_component(strong, strong->active[i]) == GWS_NO_VERTEX &&
            get(strong->colour, strong->active[i]) == 0)
            search_from(&tarjan, strong->active[i]);
    gws_release(strong->runtime, tarjan.arc, strong->actives, sizeof *tarjan.arc);
    return GWS_OK;
}
