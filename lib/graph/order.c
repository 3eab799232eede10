/* SPDX-License-Identifier: MIT */
/* Orders of vertices for gws_graph_relabel(). order_hilbert.c and order_rcm.c have the orders for locality.
 *
 * degree: counting sort by descending degree. The few vertices of very high degree share the first bin. Heap sort
 * orders them. random: a permutation of the next power of two (generate.h), applied repeatedly until the result is
 * below the number of vertices (cycle walking: Black, Rogaway, "Ciphers with arbitrary finite domains", CT-RSA
 * 2002). */
#include <string.h>

#include "../graph.h"
#include "../parallel.h"
#include "build.h"
#include "generate.h"
#include "order.h"

/* ---- by degree ---- */

enum { bins = 1 << 16 };

static uint64_t bin_of(const struct gws_graph *graph, uint64_t vertex)
{
    uint64_t degree = gws_graph_degree(graph, (uint32_t)vertex);
    return degree < bins - 1 ? bins - 1 - degree : 0;
}

/* Returns whether a follows b in the order by degree. */
static bool is_behind(const struct gws_graph *graph, uint32_t a, uint32_t b)
{
    uint64_t degree_a = gws_graph_degree(graph, a), degree_b = gws_graph_degree(graph, b);
    return degree_a != degree_b ? degree_a < degree_b : a > b;
}

static void sift_down(const struct gws_graph *graph, uint32_t *heap, uint64_t at, uint64_t count)
{
    uint32_t vertex = heap[at];
    for (uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_behind(graph, heap[child + 1], heap[child])) ++child;
        if (!is_behind(graph, heap[child], vertex)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = vertex;
}

static void sort_hubs(const struct gws_graph *graph, uint32_t *hub, uint64_t count)
{
    for (uint64_t at = count / 2; at-- > 0;) sift_down(graph, hub, at, count);
    for (uint64_t left = count; left > 1; --left) {
        uint32_t last = hub[0];
        hub[0] = hub[left - 1];
        hub[left - 1] = last;
        sift_down(graph, hub, 0, left - 1);
    }
}

static void number_hubs(const struct gws_graph *graph, uint32_t *hub, uint64_t hubs, uint32_t *new_of_old)
{
    uint64_t filled = 0;
    for (uint64_t vertex = 0; vertex < graph->vertices && filled < hubs; ++vertex)
        if (bin_of(graph, vertex) == 0) hub[filled++] = (uint32_t)vertex;
    sort_hubs(graph, hub, hubs);
    for (uint64_t i = 0; i < hubs; ++i) new_of_old[hub[i]] = (uint32_t)i;
}

/* Returns false if the call is cancelled. */
static bool count_degrees(struct gws_runtime *runtime, const struct gws_graph *graph, uint64_t *count)
{
    for (uint64_t vertex = 0; vertex < graph->vertices; ++vertex) {
        if (gws_cancelled_at(runtime, vertex)) return false;
        ++count[bin_of(graph, vertex)];
    }
    return true;
}

/* next: in, the number of vertices of each bin. */
static gws_status number_all(struct gws_runtime *runtime, const struct gws_graph *graph, uint64_t *next,
                             uint32_t *new_of_old)
{
    bool cancelled = false;
    const uint64_t hubs = next[0];
    uint32_t *hub = gws_allocate(runtime, hubs, sizeof *hub);
    if (!hub) return GWS_NO_MEMORY;
    (void)gws__prefix_sum(next, bins);
    for (uint64_t vertex = 0; vertex < graph->vertices && !(cancelled = gws_cancelled_at(runtime, vertex)); ++vertex)
        new_of_old[vertex] = (uint32_t)next[bin_of(graph, vertex)]++;
    if (!cancelled) number_hubs(graph, hub, hubs, new_of_old);
    gws_release(runtime, hub, hubs, sizeof *hub);
    return cancelled ? GWS_CANCELLED : GWS_OK;
}

static gws_status order_by_degree(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *new_of_old)
{
    uint64_t *next = gws_allocate(runtime, bins, sizeof *next);
    if (!next) return GWS_NO_MEMORY;
    memset(next, 0, bins * sizeof *next);
    gws_status status = GWS_CANCELLED;
    if (count_degrees(runtime, graph, next)) status = number_all(runtime, graph, next, new_of_old);
    gws_release(runtime, next, bins, sizeof *next);
    return status;
}

/* ---- random ---- */

struct walk {
    struct gws__shuffle shuffle;
    uint64_t vertices;
    uint32_t *new_of_old;
};

static void walk_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct walk *walk = context;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        uint64_t name = gws__shuffle_at(&walk->shuffle, vertex);
        while (name >= walk->vertices) name = gws__shuffle_at(&walk->shuffle, name);
        walk->new_of_old[vertex] = (uint32_t)name;
    }
}

static gws_status order_at_random(struct gws_runtime *runtime, const struct gws_graph *graph, uint64_t seed,
                                  uint32_t *new_of_old)
{
    uint32_t bits = 0;
    while (graph->vertices > UINT64_C(1) << bits) ++bits;
    struct walk walk = {.shuffle = gws__shuffle_of(bits, seed), .vertices = graph->vertices, .new_of_old = new_of_old};
    return gws_parallel_try_for(runtime, graph->vertices, 1 << 12, walk_vertices, &walk);
}

/* ---- the choice ---- */

/* Returns whether few vertices have many of the arcs. An order by degree pays off for such graphs, and not for others
 * (Balaji, Lucia, "When is graph reordering an optimization?", IISWC 2018). */
static bool has_hubs(const struct gws_graph *graph)
{
    const uint64_t mean = graph->vertices > 0 ? graph->arcs / graph->vertices : 0;
    uint64_t arcs = 0;
    for (uint64_t vertex = 0; vertex < graph->vertices; ++vertex) {
        uint64_t degree = gws_graph_degree(graph, (uint32_t)vertex);
        if (degree / 8 > mean) arcs += degree;
    }
    return arcs > graph->arcs / 4;
}

enum gws_order gws_graph_choose_order(const struct gws_graph *graph)
{
    if (graph->position) return GWS_ORDER_HILBERT;
    return has_hubs(graph) ? GWS_ORDER_DEGREE : GWS_ORDER_RCM;
}

static gws_status graph_order(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order,
                              uint64_t seed, uint32_t *new_of_old)
{
    switch (order) {
    case GWS_ORDER_DEGREE:
        return order_by_degree(runtime, graph, new_of_old);
    case GWS_ORDER_RANDOM:
        return order_at_random(runtime, graph, seed, new_of_old);
    case GWS_ORDER_LOCALITY:
        return graph_order(runtime, graph, gws_graph_choose_order(graph), seed, new_of_old);
    case GWS_ORDER_HILBERT:
        return graph->position ? gws__order_hilbert(runtime, graph, new_of_old) : GWS_INVALID;
    case GWS_ORDER_RCM:
        return gws__order_rcm(runtime, graph, new_of_old);
    }
    return GWS_INVALID;
}

gws_status gws_graph_order(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order,
                           uint64_t seed, uint32_t *new_of_old)
{
    return GWS_CALL(runtime, NULL, graph_order(runtime, graph, order, seed, new_of_old));
}
