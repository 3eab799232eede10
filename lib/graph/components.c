/* SPDX-License-Identifier: MIT */
/* Weakly connected components by Afforest (Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation
 * via subgraph sampling", IPDPS 2018), with the first links of ECL-CC (Jaiganesh, Burtscher, HPDC 2018).
 *
 * parent[v] <= v always holds, because a root is its own parent and a link gives a root a smaller parent of the same
 * component. So there are no cycles. When all arcs are linked, the root of a component is its smallest vertex. Two arcs
 * of each vertex join most of the largest component. If the arcs to a vertex are known, as in an undirected graph, the
 * last pass skips the vertices of that component. The other ends of their arcs link these arcs.
 *
 * A vertex here is an entry of `parent`. Of a part of a graph, arcs to other parts do not count; or the parts are those
 * of processes that share `parent` (components.h), and wait for each other after each pass.
 *
 * All operations on parent are relaxed, because the array publishes only its own values. A reader may see a stale
 * parent. That vertex is still an ancestor, because a vertex never loses ancestors, and the reader continues from
 * there. A link is a compare-and-exchange on the one word that says whether a vertex is still a root. The loops'
 * barriers make all writes visible to the next pass. */
#include <stdatomic.h>
#include <string.h>

#include "../parallel.h"
#include "../random.h"
#include "components.h"

enum { grain = 1 << 12, samples = 1024, block = 256 };

struct forest {
    const struct gws_graph *graph, *in; /* in: of the arcs to its vertices, NULL if they are not known */
    uint32_t first;                     /* the number of vertex 0 in targets */
    uint64_t own;                       /* the vertex of row 0 */
    uint64_t vertices;                  /* entries of parent */
    _Atomic uint32_t *parent;           /* the caller's array of components */
    uint32_t largest;                   /* the root of most vertices, if the arcs to them are known */
    _Atomic uint64_t roots;
};

static uint32_t parent_of(const struct forest *forest, uint32_t vertex)
{
    return atomic_load_explicit(&forest->parent[vertex], memory_order_relaxed);
}

/* Returns the first arc of the row to a vertex of the forest, or to one behind it. */
static uint64_t first_arc(const struct forest *forest, const struct gws_graph *graph, uint64_t row)
{
    uint64_t begin = graph->offset[row], end = graph->offset[row + 1];
    while (begin < end && graph->target[begin] < forest->first) {
        const uint64_t middle = begin + 1 + (end - begin - 1) / 2;
        if (graph->target[middle - 1] < forest->first)
            begin = middle;
        else
            end = middle - 1;
    }
    return begin;
}

/* Returns the vertex that the arc leads to, or the row's own vertex if the row has no such arc within the forest. */
static uint32_t neighbour(const struct forest *forest, uint64_t row, uint64_t arc)
{
    const uint32_t vertex = (uint32_t)(forest->own + row);
    if (arc >= forest->graph->offset[row + 1]) return vertex;
    const uint32_t to = forest->graph->target[arc] - forest->first;
    return to < forest->vertices ? to : vertex;
}

/* Links each vertex to its smallest neighbour, the first of its row, if that neighbour is smaller than the vertex. No
 * other worker writes the parent of the vertex. */
static void link_first(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct forest *forest = context;
    (void)worker;
    for (uint64_t row = begin; row < end; ++row) {
        const uint32_t first = neighbour(forest, row, first_arc(forest, forest->graph, row));
        const uint32_t vertex = (uint32_t)(forest->own + row);
        atomic_init(&forest->parent[vertex], first < vertex ? first : vertex);
    }
}

/* Makes both vertices descendants of one root. */
static void link_arc(struct forest *forest, uint32_t a, uint32_t b)
{
    uint32_t of_a = parent_of(forest, a), of_b = parent_of(forest, b);
    while (of_a != of_b) {
        uint32_t high = of_a > of_b ? of_a : of_b, low = of_a > of_b ? of_b : of_a, root = parent_of(forest, high);
        if (root == low) return;
        if (root == high && atomic_compare_exchange_strong_explicit(&forest->parent[high], &root, low,
                                                                    memory_order_relaxed, memory_order_relaxed))
            return;
        of_a = parent_of(forest, root);
        of_b = low;
    }
}

/* Links the second arcs of a block of rows. The function first reads all parents, which overlaps the cache misses.
 * It keeps the arcs whose ends have different parents. */
static void link_second_block(struct forest *forest, uint64_t begin, uint64_t end)
{
    struct gws_edge arc[block];
    uint32_t arcs = 0;
    for (uint64_t row = begin; row < end; ++row) {
        const uint32_t to = neighbour(forest, row, first_arc(forest, forest->graph, row) + 1);
        arc[arcs] = (struct gws_edge){(uint32_t)(forest->own + row), to};
        arcs += parent_of(forest, arc[arcs].from) != parent_of(forest, to);
    }
    for (uint32_t i = 0; i < arcs; i++) /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the first ones are set */
        link_arc(forest, arc[i].from, arc[i].to);
}

static void link_second(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (; begin < end; begin += block) link_second_block(context, begin, begin + block < end ? begin + block : end);
}

static void link_row(struct forest *forest, const struct gws_graph *graph, uint64_t row)
{
    for (uint64_t arc = first_arc(forest, graph, row); arc < graph->offset[row + 1]; ++arc) {
        const uint32_t to = graph->target[arc] - forest->first;
        if (to >= forest->vertices) break;
        link_arc(forest, (uint32_t)(forest->own + row), to);
    }
}

static void link_rest(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct forest *forest = context;
    (void)worker;
    for (uint64_t row = begin; row < end; ++row) {
        if (parent_of(forest, (uint32_t)(forest->own + row)) == forest->largest) continue;
        link_row(forest, forest->graph, row);
        if (forest->in && forest->in != forest->graph) link_row(forest, forest->in, row);
    }
}

/* Makes the root of each vertex of a block its parent. The function first reads the parents of all parents, which
 * overlaps the cache misses. Most of these vertices are roots. Returns the number of roots in the block. */
static uint32_t shorten_block(struct forest *forest, uint64_t begin, uint64_t end)
{
    uint32_t deep[block], count = 0, roots = 0;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        const uint32_t parent = parent_of(forest, (uint32_t)vertex);
        roots += parent == vertex;
        deep[count] = (uint32_t)vertex;
        count += parent_of(forest, parent) != parent;
    }
    for (uint32_t i = 0; i < count; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the first `count` are set */
        uint32_t root = parent_of(forest, deep[i]);
        for (uint32_t up; (up = parent_of(forest, root)) != root;) root = up;
        atomic_store_explicit(&forest->parent[deep[i]], root, memory_order_relaxed);
    }
    return roots;
}

static void shorten(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct forest *forest = context;
    uint64_t roots = 0;
    (void)worker;
    end += forest->own;
    for (begin += forest->own; begin < end; begin += block)
        roots += shorten_block(forest, begin, begin + block < end ? begin + block : end);
    /* relaxed: a sum, read after the loop's barrier. */
    atomic_fetch_add_explicit(&forest->roots, roots, memory_order_relaxed);
}

/* Returns the root of the majority of some sampled vertices (Boyer, Moore 1981), or any of their roots if there is no
 * majority. */
static uint32_t sample_largest(const struct forest *forest)
{
    uint32_t candidate = GWS_NO_VERTEX;
    for (uint32_t i = 0, votes = 0; i < samples; i++) {
        uint32_t root = parent_of(forest, (uint32_t)(gws_random_at(1, i) % forest->vertices));
        if (votes == 0) candidate = root;
        votes = candidate == root ? votes + 1 : votes - 1;
    }
    return candidate;
}

static gws_status agree(const struct gws__graph_rows *rows, gws_status status)
{
    return rows->agree ? rows->agree(rows->context, status) : status;
}

/* Runs the steps of a table over all rows, unless the call is cancelled. */
static gws_status run_steps(struct gws_runtime *runtime, const struct gws__graph_rows *rows, struct forest *forest,
                            gws_body *const *step, uint32_t steps)
{
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < steps && status == GWS_OK; i++) {
        const struct gws_loop loop = {
            .count = forest->graph->vertices, .grain = grain, .body = step[i], .context = forest};
        status = agree(rows, gws_parallel_try(runtime, &loop));
    }
    return status;
}

gws_status gws__graph_row_components(struct gws_runtime *runtime, const struct gws__graph_rows *rows,
                                     uint32_t *component, uint32_t *large, uint64_t *count)
{
    struct forest forest = {.graph = rows->out,
                            .in = rows->in,
                            .first = rows->agree ? 0 : rows->first,
                            .own = rows->agree ? rows->first : 0,
                            .vertices = rows->agree ? rows->vertices : rows->out->vertices,
                            .parent = (_Atomic uint32_t *)component, /* both types have the same size */
                            .largest = GWS_NO_VERTEX};
    static gws_body *const first[] = {link_first, shorten, link_second, shorten}, *const last[] = {link_rest, shorten};
    gws_status status = run_steps(runtime, rows, &forest, first, 4);
    if (status != GWS_OK) return status;
    gws_report_progress(runtime, "linking vertices", 1, 2);
    if (rows->in && forest.vertices > 0) forest.largest = sample_largest(&forest);
    status = agree(rows, GWS_OK); /* so that all processes sample the same forest */
    if (status == GWS_OK) status = run_steps(runtime, rows, &forest, last, 1);
    atomic_init(&forest.roots, 0);
    if (status == GWS_OK) status = run_steps(runtime, rows, &forest, last + 1, 1);
    *count = atomic_load_explicit(&forest.roots, memory_order_relaxed);
    *large = forest.largest == GWS_NO_VERTEX ? 0 : component[forest.largest];
    return status;
}

static gws_status graph_components(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *component,
                                   uint64_t *count)
{
    const struct gws__graph_rows rows = {.out = graph, .in = graph->directed ? NULL : graph};
    uint64_t components;
    uint32_t large;
    gws_status status = gws__graph_row_components(runtime, &rows, component, &large, &components);
    if (count && status == GWS_OK) *count = components;
    return status;
}

gws_status gws_graph_components(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *component,
                                uint64_t *count)
{
    return GWS_CALL(runtime, NULL, graph_components(runtime, graph, component, count));
}

/* ---- the largest one ---- */

/* Numbers the vertices of the largest component 0, 1 ... and all others GWS_NO_VERTEX. Among equal components, the one
 * with the smallest vertex counts as the largest. Returns its size. The caller clears size. */
static uint64_t number_largest(struct gws_runtime *runtime, uint32_t *component, uint32_t *size, uint64_t vertices)
{
    uint64_t largest = 0;
    uint32_t next = 0;
    for (uint64_t vertex = 0; vertex < vertices && !gws_cancelled_at(runtime, vertex); ++vertex)
        ++size[component[vertex]];
    for (uint64_t vertex = 0; vertex < vertices && !gws_cancelled_at(runtime, vertex); ++vertex)
        if (size[vertex] > size[largest]) largest = vertex;
    for (uint64_t vertex = 0; vertex < vertices && !gws_cancelled_at(runtime, vertex); ++vertex)
        component[vertex] = component[vertex] == largest ? next++ : GWS_NO_VERTEX;
    return next;
}

static gws_status graph_largest_component(struct gws_runtime *runtime, const struct gws_graph *graph,
                                          struct gws_graph **result)
{
    uint64_t vertices = graph->vertices, remaining = 0;
    uint32_t *component = gws_allocate(runtime, vertices, sizeof *component);
    uint32_t *size = gws_allocate(runtime, vertices, sizeof *size);
    gws_status status = component && size ? gws_graph_components(runtime, graph, component, NULL) : GWS_NO_MEMORY;
    if (status == GWS_OK && vertices > 0) {
        memset(size, 0, vertices * sizeof *size);
        remaining = number_largest(runtime, component, size, vertices);
        if (gws_cancelled(runtime)) status = GWS_CANCELLED;
    }
    gws_release(runtime, size, vertices, sizeof *size);
    if (status == GWS_OK) status = gws_graph_relabel(runtime, graph, component, remaining, result);
    gws_release(runtime, component, vertices, sizeof *component);
    return status;
}

gws_status gws_graph_largest_component(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       struct gws_graph **result)
{
    return GWS_CALL(runtime, NULL, graph_largest_component(runtime, graph, result));
}
