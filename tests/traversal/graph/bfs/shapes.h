/* SPDX-License-Identifier: MIT */
/* Graphs of every shape, and a plain serial search as an oracle. */
#ifndef GWS_TESTS_TRAVERSAL_SHAPES_H
#define GWS_TESTS_TRAVERSAL_SHAPES_H

#include "../../../harness.h"

#include "../../../../lib/graph.h"
#include "../../../../lib/random.h"
#include "../../../../traversal/bfs.h"

static inline struct gws_runtime *open_runtime(const char *policy, uint32_t threads, uint32_t chunk)
{
    struct gws_options options = {.threads = threads, .chunk = chunk, .policy = policy};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* ---- graphs ---- */

struct edges {
    struct gws_edge *edge;
    uint64_t count, capacity;
};

static inline void add(struct edges *edges, uint64_t from, uint64_t to)
{
    if (edges->count == edges->capacity) {
        edges->capacity = edges->capacity ? 2 * edges->capacity : 64;
        edges->edge = realloc(edges->edge, edges->capacity * sizeof *edges->edge);
    }
    edges->edge[edges->count++] = (struct gws_edge){(uint32_t)from, (uint32_t)to};
}

static inline void path(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 1; v < n; v++) add(edges, v - 1, v);
}

static inline void cycle(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v < n; v++) add(edges, v, (v + 1) % n);
}

static inline void star(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 1; v < n; v++) add(edges, 0, v);
}

static inline void complete(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t u = 0; u < v; u++) add(edges, u, v);
}

static inline void grid(struct edges *edges, uint64_t n)
{
    const uint64_t width = 40;
    for (uint64_t v = 0; v < n; v++) {
        if ((v + 1) % width && v + 1 < n) add(edges, v, v + 1);
        if (v + width < n) add(edges, v, v + width);
    }
}

static inline void tree(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 1; v < n; v++) add(edges, (v - 1) / 2, v);
}

/* Makes a path of twenty hubs, each with its spokes, and random edges between spokes. A search has small levels, large
 * levels, and small levels again. */
static inline void hubs(struct edges *edges, uint64_t n)
{
    uint64_t count = n < 40 ? 1 : 20, random = 3;
    for (uint64_t v = 1; v < count; v++) add(edges, v - 1, v);
    for (uint64_t v = count; v < n; v++) {
        add(edges, v % count, v);
        add(edges, v, gws_random_next(&random) % n);
    }
}

static inline void random_edges(struct edges *edges, uint64_t n, uint64_t many, uint64_t seed)
{
    for (uint64_t i = 0; i < many; i++) {
        uint64_t from = gws_random_next(&seed) % n;
        add(edges, from, gws_random_next(&seed) % n);
    }
}

static inline void sparse(struct edges *edges, uint64_t n)
{
    random_edges(edges, n, n / 2, 11); /* the graph has many components and isolated vertices */
}

static inline void dense(struct edges *edges, uint64_t n)
{
    random_edges(edges, n, 20 * n, 12);
}

static inline void loops_and_duplicates(struct edges *edges, uint64_t n)
{
    random_edges(edges, n, 2 * n, 13);
    for (uint64_t v = 0; v < n; v += 3) add(edges, v, v);
    for (uint64_t i = 0, count = edges->count; i < count; i += 2) add(edges, edges->edge[i].from, edges->edge[i].to);
}

static inline void nothing(struct edges *edges, uint64_t n)
{
    (void)edges;
    (void)n;
}

enum arcs { UNDIRECTED, DIRECTED, DIRECTED_WITH_REVERSE, arc_kinds };

static inline struct gws_graph *make_graph(void (*shape)(struct edges *, uint64_t), uint64_t n, enum arcs arcs)
{
    struct edges edges = {0};
    shape(&edges, n);
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_edge_block block = {.edge = edges.edge, .count = edges.count};
    struct gws_edges input = {.vertices = n, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = arcs == UNDIRECTED ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &input, &options, &graph), GWS_OK);
    if (arcs == DIRECTED_WITH_REVERSE) ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    gws_runtime_close(runtime);
    free(edges.edge);
    return graph;
}

static inline struct gws_graph *generate(const char *description)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
    gws_runtime_close(runtime);
    return graph;
}

/* ---- the oracle ---- */

struct oracle {
    uint32_t *depth;
    uint64_t reached, arcs;
    uint64_t *size; /* number of vertices of each level */
    uint32_t levels;
};

static inline struct oracle oracle_new(const struct gws_graph *graph, uint32_t source)
{
    uint32_t *queue = malloc(graph->vertices * sizeof *queue);
    struct oracle oracle = {.depth = malloc(graph->vertices * sizeof *oracle.depth)};
    oracle.size = calloc(graph->vertices + 1, sizeof *oracle.size);
    for (uint64_t v = 0; v < graph->vertices; v++) oracle.depth[v] = GWS_NO_VERTEX;
    oracle.depth[source] = 0;
    queue[oracle.reached++] = source;
    for (uint64_t head = 0; head < oracle.reached; head++) {
        uint32_t v = queue[head];
        oracle.size[oracle.depth[v]]++;
        oracle.levels = oracle.depth[v] + 1;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++, oracle.arcs++) {
            uint32_t to = graph->target[a];
            if (oracle.depth[to] != GWS_NO_VERTEX) continue;
            oracle.depth[to] = oracle.depth[v] + 1;
            queue[oracle.reached++] = to;
        }
    }
    free(queue);
    return oracle;
}

static inline void oracle_free(struct oracle *oracle)
{
    free(oracle->depth);
    free(oracle->size);
}

static inline void compare(const struct gws_graph *graph, uint32_t source, const struct oracle *oracle,
                           const struct gws_bfs_result *result)
{
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_uint_eq(result->source, source);
    ck_assert_uint_eq(result->reached, oracle->reached);
    ck_assert_uint_eq(result->reached_arcs, oracle->arcs);
    ck_assert_uint_eq(result->levels, oracle->levels);
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (result->depth[v] != oracle->depth[v] ||
            (result->parent[v] == GWS_NO_VERTEX) != (oracle->depth[v] == GWS_NO_VERTEX))
            ck_abort_msg("vertex %u: depth %u, not %u", (uint32_t)v, result->depth[v], oracle->depth[v]);
    for (uint32_t i = 0; i < oracle->levels; i++)
        if (result->level[i].size != oracle->size[i]) ck_abort_msg("level %u has another size", i);
}

static const struct shape {
    const char *name;
    void (*make)(struct edges *, uint64_t);
    uint64_t vertices;
} shapes[] = {
    {"one vertex", nothing, 1},
    {"no edges", nothing, 130},
    {"path", path, 300},
    {"cycle", cycle, 63},
    {"star", star, 128},
    {"complete", complete, 65},
    {"grid", grid, 3000},
    {"tree", tree, 4095},
    {"hubs", hubs, 5000},
    {"sparse", sparse, 2000},
    {"dense", dense, 1500},
    {"loops and duplicates", loops_and_duplicates, 1000},
    {"63 vertices", dense, 63},
    {"64 vertices", sparse, 64},
    {"65 vertices", tree, 65},
    {"127 vertices", path, 127},
    {"128 vertices", dense, 128},
    {"129 vertices", sparse, 129},
    {"sparse, large", sparse, 20000},
};

enum { shape_count = sizeof shapes / sizeof shapes[0] };

/* Returns whether a test on a device runs shape i, or case i of several for each shape. With a sanitizer every fifth
 * one runs: a cycle, hubs, a small and a large sparse graph. Their numbers leave all remainders by 2, 3 and 4, by which
 * tests choose the kinds of arcs and options. */
static inline bool shape_runs(uint64_t i)
{
    return !gws_test_sanitized() || i % 5 == 3;
}

#endif
