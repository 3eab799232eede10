/* SPDX-License-Identifier: MIT */
/* Small graphs for the tests of io, a plain comparison of two graphs, and a graph as one line of text. Include after
 * harness.h. */
#ifndef GWS_TESTS_IO_GRAPHS_H
#define GWS_TESTS_IO_GRAPHS_H

#include "../../io/graph_io.h"
#include "../../lib/graph.h"
#include "../../lib/parallel.h"

enum { GWS_SAME_WEIGHTS = 1, GWS_SAME_DIRECTION = 2, GWS_SAME_IDS = 4, GWS_SAME_ALL = 7 };

/* Fails the test at entry i of `what`. Check records every assertion, so an assertion for each entry would be slow. */
static inline void gws_check_entry(bool same, const char *what, uint64_t i)
{
    if (!same) ck_abort_msg("%s %llu differs", what, (unsigned long long)i);
}

static inline void gws_check_same_rows(const struct gws_graph *a, const struct gws_graph *b)
{
    ck_assert_uint_eq(a->vertices, b->vertices);
    ck_assert_uint_eq(a->arcs, b->arcs);
    for (uint64_t v = 0; v <= a->vertices; v++) gws_check_entry(a->offset[v] == b->offset[v], "offset", v);
    for (uint64_t i = 0; i < a->arcs; i++) gws_check_entry(a->target[i] == b->target[i], "target", i);
}

/* Fails the test if a and b differ in rows or in the requested properties. */
static inline void gws_check_same(const struct gws_graph *a, const struct gws_graph *b, int what)
{
    if (!a || !b) {
        ck_abort_msg("a graph is missing");
        return;
    }
    gws_check_same_rows(a, b);
    if (what & GWS_SAME_DIRECTION) ck_assert_int_eq(a->directed, b->directed);
    if (what & GWS_SAME_WEIGHTS) {
        ck_assert_int_eq(a->weight != NULL, b->weight != NULL);
        for (uint64_t i = 0; a->weight && i < a->arcs; i++) gws_check_entry(a->weight[i] == b->weight[i], "weight", i);
        ck_assert_int_eq(a->real_weight != NULL, b->real_weight != NULL);
        for (uint64_t i = 0; a->real_weight && i < a->arcs; i++)
            gws_check_entry(a->real_weight[i] == b->real_weight[i], "real weight", i);
    }
    if (what & GWS_SAME_IDS)
        for (uint64_t v = 0; v < a->vertices; v++) {
            uint64_t id = gws_graph_id(a, (uint32_t)v);
            uint32_t found = GWS_NO_VERTEX;
            gws_check_entry(id == gws_graph_id(b, (uint32_t)v), "id", v);
            if (a->id_order) gws_check_entry(gws_graph_find(b, id, &found) == GWS_OK && found == v, "found id", v);
        }
    if (what & GWS_SAME_IDS)
        for (uint64_t v = 0; v < a->vertices; v++) {
            uint64_t a_length = 0, b_length = 0;
            const char *x = gws_graph_name(a, (uint32_t)v, &a_length), *y = gws_graph_name(b, (uint32_t)v, &b_length);
            gws_check_entry(!x == !y && a_length == b_length && (!x || memcmp(x, y, a_length) == 0), "name", v);
        }
}

/* The properties of a random graph. */
struct gws_recipe {
    uint64_t vertices, edges, seed;
    bool undirected, weights, reals, ids, names, positions, loops; /* reals: the weights are not integers */
    bool permuted;                                                 /* with ids: they descend */
    uint64_t first_id;
};

/* Gives vertex v a name of ten bytes, such as "v 00000012", with the number n - v. Some names need quotes in text. */
static inline void gws_name_vertices(struct gws_runtime *runtime, struct gws_graph *graph)
{
    enum { LENGTH = 10 };
    uint64_t n = graph->vertices, *offset = gws_allocate(runtime, n + 1, sizeof *offset);
    char *text = gws_allocate(runtime, LENGTH * n, 1), name[32];
    uint32_t *order = gws_allocate(runtime, n, sizeof *order);
    offset[0] = 0;
    for (uint64_t v = 0; v < n; v++) {
        snprintf(name, sizeof name, "%c%c%08u", v % 5 ? 'v' : '#', v % 3 ? ' ' : '"', (unsigned)(n - v));
        if (v % 3) name[0] = 'v';
        memcpy(text + LENGTH * v, name, LENGTH);
        offset[v + 1] = LENGTH * (v + 1);
    }
    for (uint64_t i = 0, kind = 0; kind < 3; kind++) /* '#' and '"', 'v' and ' ', 'v' and '"' */
        for (uint64_t v = n; v-- > 0;) {
            const char *at = text + LENGTH * v;
            if (kind == (at[0] == '#' ? 0 : at[1] == ' ' ? 1u : 2u)) order[i++] = (uint32_t)v;
        }
    gws_graph_adopt_names(graph, offset, text, order);
}

/* Makes a random graph by a recipe. The graph has no parallel arcs, so every format can hold it. */
static inline struct gws_graph *gws_make_graph(struct gws_runtime *runtime, const struct gws_recipe *recipe)
{
    uint64_t state = recipe->seed + 1, n = recipe->vertices, count = n > 0 ? recipe->edges : 0;
    struct gws_edge *edge = malloc((count + 1) * sizeof *edge);
    int32_t *weight = malloc((count + 1) * sizeof *weight);
    ck_assert(edge && weight);
    for (uint64_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        edge[i] = (struct gws_edge){(uint32_t)((state >> 33) % n), (uint32_t)((state >> 11) % n)};
        weight[i] = (int32_t)((int64_t)(state >> 40) % 2000 - 1000);
    }
    float *real = (float *)malloc((count + 1) * sizeof *real);
    ck_assert(real != NULL);
    for (uint64_t i = 0; i < count; i++) real[i] = (float)weight[i] * 0.1F;
    struct gws_edge_block block = {.edge = edge, .count = count};
    if (recipe->weights && recipe->reals) block.real_weight = real;
    if (recipe->weights && !recipe->reals) block.weight = weight;
    struct gws_edges edges = {.vertices = n, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = recipe->undirected ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED,
                                        .remove_loops = !recipe->loops,
                                        .remove_duplicates = true};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    free(edge);
    free(weight);
    free(real);
    gws_graph_set_first_id(graph, recipe->first_id);
    if (recipe->ids) {
        uint64_t *id = gws_allocate(runtime, n, sizeof *id);
        for (uint64_t v = 0; v < n; v++) id[v] = (recipe->permuted ? n - v : v) * (recipe->permuted ? n - v : v) + 17;
        gws_graph_adopt_ids(graph, id);
    }
    if (recipe->permuted) {
        uint32_t *order = gws_allocate(runtime, n, sizeof *order);
        for (uint64_t i = 0; i < n; i++) order[i] = (uint32_t)(n - 1 - i);
        gws_graph_adopt_id_order(graph, order);
    }
    if (recipe->names) gws_name_vertices(runtime, graph);
    if (recipe->positions) {
        double *position = gws_allocate(runtime, 2 * n, sizeof *position);
        for (uint64_t i = 0; i < 2 * n; i++) position[i] = (double)i * (i % 3 == 0 ? 1000 : 0.3) - 55;
        gws_graph_adopt_positions(graph, position);
    }
    return graph;
}

static inline struct gws_runtime *gws_open_runtime(uint32_t threads, struct gws_allocator allocator)
{
    struct gws_options options = {.threads = threads, .allocator = allocator, .no_sync = true};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* Reads a whole file into memory (malloc), with its size. */
static inline char *gws_slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    ck_assert(bytes != NULL);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

/* Writes the id of a vertex as text: its name or its number. Returns the end. */
static inline int gws_describe_id(const struct gws_graph *graph, uint32_t vertex, char *text, size_t size)
{
    uint64_t length = 0;
    const char *name = gws_graph_name(graph, vertex, &length);
    if (name) return snprintf(text, size, "%.*s", (int)length, name);
    return snprintf(text, size, "%llu", (unsigned long long)gws_graph_id(graph, vertex));
}

/* Describes a graph by its ids: "d N" or "u N", then each arc in order as " FROM>TO" or " FROM>TO:WEIGHT", then
 * isolated vertices as " V". */
static inline const char *gws_describe_graph(const struct gws_graph *graph)
{
    static char text[4096];
    int at = snprintf(text, sizeof text, "%s %llu", graph->directed ? "d" : "u", (unsigned long long)graph->vertices);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        char from[64], to[64];
        gws_describe_id(graph, (uint32_t)v, from, sizeof from);
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1] && at < 4000; a++) {
            gws_describe_id(graph, graph->target[a], to, sizeof to);
            at += snprintf(text + at, sizeof text - (size_t)at, " %s>%s", from, to);
            if (graph->weight) at += snprintf(text + at, sizeof text - (size_t)at, ":%d", graph->weight[a]);
            if (graph->real_weight) {
                char *weight = text + at;
                at += snprintf(weight, sizeof text - (size_t)at, ":f%.9g", (double)graph->real_weight[a]);
                for (; *weight; weight++)
                    if (*weight == ',') *weight = '.'; /* the locale's decimal point may be a comma */
            }
        }
        if (graph->offset[v] == graph->offset[v + 1] && at < 4000)
            at += snprintf(text + at, sizeof text - (size_t)at, " %s", from);
    }
    return text;
}

#endif
