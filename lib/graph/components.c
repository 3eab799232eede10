/* SPDX-License-Identifier: MIT */
/* Weakly connected components by parallel union-find (Rem's idea of linking by index, with path halving; Anderson and
 * Woll, "Wait-free parallel algorithms for the union-find problem", STOC 1991; Jayanti and Tarjan, PODC 2016).
 *
 * parent[v] <= v always: a root is its own parent, and hooking gives a root a smaller parent of the same component. So
 * there are no cycles, and when all arcs are done the root of a component is its smallest vertex.
 *
 * All operations on parent are relaxed, since the array publishes nothing but its own values. A reader with a stale
 * parent has an earlier ancestor in the same component. It is still an ancestor (ancestors are never removed), and
 * the reader continues from there. Hooking is a compare-and-exchange on the one word that says whether a vertex is
 * still a root. The loop's barrier makes everything visible to the final pass. */
#include <stdatomic.h>
#include <string.h>

#include "../graph.h"
#include "../parallel.h"

struct forest {
    const struct gws_graph *graph;
    _Atomic uint32_t *parent;
    uint32_t *component;
    _Atomic uint64_t roots;
};

static void make_singles(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct forest *forest = context;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex) atomic_init(&forest->parent[vertex], (uint32_t)vertex);
}

/* Finds a root of vertex (another worker may hook it at once) and halves the path. A lost race of a halving is not
 * repeated: the winner shortened the path, too. */
static uint32_t root_of(_Atomic uint32_t *parent, uint32_t vertex)
{
    for (;;) {
        uint32_t up = atomic_load_explicit(&parent[vertex], memory_order_relaxed);
        uint32_t upper = atomic_load_explicit(&parent[up], memory_order_relaxed);
        if (up == upper) return up;
        atomic_compare_exchange_weak_explicit(&parent[vertex], &up, upper, memory_order_relaxed, memory_order_relaxed);
        vertex = upper;
    }
}

static void unite(_Atomic uint32_t *parent, uint32_t a, uint32_t b)
{
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) return;
        uint32_t large = a > b ? a : b, small = a > b ? b : a;
        uint32_t root = large;
        if (atomic_compare_exchange_strong_explicit(&parent[large], &root, small, memory_order_relaxed,
                                                    memory_order_relaxed))
            return;
    }
}

static void unite_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct forest *forest = context;
    const struct gws_graph *graph = forest->graph;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        for (uint64_t arc = graph->offset[vertex]; arc < graph->offset[vertex + 1]; ++arc) {
            uint32_t target = graph->target[arc];
            if (!graph->directed && target >= vertex) break; /* the reverse arc is processed at the other end */
            unite(forest->parent, (uint32_t)vertex, target);
        }
    }
}

static void name_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct forest *forest = context;
    uint64_t roots = 0;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        uint32_t root = root_of(forest->parent, (uint32_t)vertex);
        forest->component[vertex] = root;
        roots += root == vertex;
    }
    /* relaxed: a sum, read after the loop's barrier. */
    atomic_fetch_add_explicit(&forest->roots, roots, memory_order_relaxed);
}

gws_status gws_graph_components(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *component,
                                uint64_t *count)
{
    struct forest forest = {.graph = graph, .component = component};
    forest.parent = gws_allocate(runtime, graph->vertices, sizeof *forest.parent);
    if (!forest.parent) return GWS_NO_MEMORY;
    atomic_init(&forest.roots, 0);
    gws_parallel_for(runtime, graph->vertices, 1 << 12, make_singles, &forest);
    gws_parallel_for(runtime, graph->vertices, 1 << 10, unite_rows, &forest);
    gws_parallel_for(runtime, graph->vertices, 1 << 12, name_vertices, &forest);
    gws_release(runtime, forest.parent, graph->vertices, sizeof *forest.parent);
    if (count) *count = atomic_load_explicit(&forest.roots, memory_order_relaxed);
    return GWS_OK;
}

/* ---- the largest one ---- */

/* Renumbers: 0, 1 ... in the largest component (the one with the smallest vertex among equals), GWS_NO_VERTEX
 * elsewhere; returns its size. The caller clears size. */
static uint64_t number_largest(uint32_t *component, uint32_t *size, uint64_t vertices)
{
    uint64_t largest = 0;
    uint32_t next = 0;
    for (uint64_t vertex = 0; vertex < vertices; ++vertex) ++size[component[vertex]];
    for (uint64_t vertex = 0; vertex < vertices; ++vertex)
        if (size[vertex] > size[largest]) largest = vertex;
    for (uint64_t vertex = 0; vertex < vertices; ++vertex)
        component[vertex] = component[vertex] == largest ? next++ : GWS_NO_VERTEX;
    return next;
}

gws_status gws_graph_largest_component(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       struct gws_graph **result)
{
    uint64_t vertices = graph->vertices, remaining = 0;
    uint32_t *component = gws_allocate(runtime, vertices, sizeof *component);
    uint32_t *size = gws_allocate(runtime, vertices, sizeof *size);
    gws_status status = component && size ? gws_graph_components(runtime, graph, component, NULL) : GWS_NO_MEMORY;
    if (status == GWS_OK && vertices > 0) {
        memset(size, 0, vertices * sizeof *size);
        remaining = number_largest(component, size, vertices);
    }
    gws_release(runtime, size, vertices, sizeof *size);
    if (status == GWS_OK) status = gws_graph_relabel(runtime, graph, component, remaining, result);
    gws_release(runtime, component, vertices, sizeof *component);
    return status;
}
