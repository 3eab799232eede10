/* SPDX-License-Identifier: MIT */
/* Betweenness centrality on graphs of every shape. The oracle follows the definition. First the oracle computes
 * distances and numbers of paths of all pairs. Then it computes for each pair the fraction of paths through each
 * vertex and arc. */
#include "../bfs/shapes.h"

#include <math.h>

#include "../../../../lib/parallel.h"
#include "../../../../traversal/betweenness.h"

enum { cooperative = 1 }; /* a value of options.memory that is too small for one source per worker */

/* ---- the oracle ---- */

struct pairs {
    const struct gws_graph *graph;
    uint32_t *depth; /* entry [s * vertices + t]: depth of t from s */
    double *paths;
    double *vertex, *arc;
};

static void search_from(struct pairs *pairs, uint32_t source)
{
    const struct gws_graph *graph = pairs->graph;
    uint32_t *depth = pairs->depth + source * graph->vertices;
    double *paths = pairs->paths + source * graph->vertices;
    struct oracle oracle = oracle_new(graph, source);
    memcpy(depth, oracle.depth, graph->vertices * sizeof *depth);
    memset(paths, 0, graph->vertices * sizeof *paths);
    paths[source] = 1;
    for (uint32_t level = 0; level < oracle.levels; level++)
        for (uint64_t v = 0; v < graph->vertices; v++)
            for (uint64_t a = graph->offset[v]; depth[v] == level && a < graph->offset[v + 1]; a++)
                if (depth[graph->target[a]] == level + 1) paths[graph->target[a]] += paths[v];
    oracle_free(&oracle);
}

/* Adds the fractions of the paths from s to t. */
static void add_pair(struct pairs *pairs, uint64_t s, uint64_t t)
{
    const struct gws_graph *graph = pairs->graph;
    uint64_t n = graph->vertices;
    uint32_t distance = pairs->depth[s * n + t];
    if (s == t || distance == GWS_NO_VERTEX) return;
    for (uint64_t v = 0; v < n; v++) {
        uint32_t from = pairs->depth[s * n + v];
        if (from >= distance) continue;
        if (v != s && pairs->depth[v * n + t] == distance - from)
            pairs->vertex[v] += pairs->paths[s * n + v] * pairs->paths[v * n + t] / pairs->paths[s * n + t];
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
            if (pairs->depth[graph->target[a] * n + t] == distance - from - 1)
                pairs->arc[a] +=
                    pairs->paths[s * n + v] * pairs->paths[graph->target[a] * n + t] / pairs->paths[s * n + t];
    }
}

/* In an undirected graph, sets the value of an arc to the sum of both directions. */
static void join_directions(struct pairs *pairs)
{
    const struct gws_graph *graph = pairs->graph;
    double *joined = calloc(graph->arcs + 1, sizeof *joined);
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            uint64_t w = graph->target[a], b = graph->offset[w];
            while (graph->target[b] != v) b++;
            joined[a] = v == w ? 0 : pairs->arc[a] + pairs->arc[b];
        }
    free(pairs->arc);
    pairs->arc = joined;
}

static struct pairs pairs_new(const struct gws_graph *graph, const uint32_t *source, uint64_t sources)
{
    uint64_t n = graph->vertices;
    struct pairs pairs = {graph, malloc(n * n * sizeof(uint32_t)), malloc(n * n * sizeof(double)),
                          calloc(n + 1, sizeof(double)), calloc(graph->arcs + 1, sizeof(double))};
    for (uint32_t s = 0; s < n; s++) search_from(&pairs, s);
    for (uint64_t i = 0; i < (source ? sources : n); i++)
        for (uint64_t t = 0; t < n; t++) add_pair(&pairs, source ? source[i] : i, t);
    if (!graph->directed) join_directions(&pairs);
    return pairs;
}

static void pairs_free(struct pairs *pairs)
{
    free(pairs->depth);
    free(pairs->paths);
    free(pairs->vertex);
    free(pairs->arc);
}

/* ---- results ---- */

static bool near(double found, double wanted)
{
    return fabs(found - wanted) <= 1e-9 * (fabs(wanted) + 1e-3);
}

static void compare_to(const struct pairs *pairs, const struct gws_betweenness_result *result, double factor,
                       double arc_factor)
{
    const struct gws_graph *graph = pairs->graph;
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (!near(result->centrality[v], factor * pairs->vertex[v]))
            ck_abort_msg("vertex %u: %.17g for %.17g", (uint32_t)v, result->centrality[v], factor * pairs->vertex[v]);
    for (uint64_t a = 0; result->arc && a < graph->arcs; a++)
        if (!near(result->arc[a], arc_factor * pairs->arc[a]))
            ck_abort_msg("arc %u: %.17g for %.17g", (uint32_t)a, result->arc[a], arc_factor * pairs->arc[a]);
}

static void run(struct gws_runtime *by, const struct gws_graph *graph, const struct gws_betweenness_options *options,
                struct gws_betweenness_result *result)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_betweenness(by, graph, options, result), GWS_OK);
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_uint_eq(result->arcs, graph->arcs);
    ck_assert(result->ms >= 0 && result->prepare_ms >= 0);
    ck_assert_msg(gws_betweenness_check(by, graph, options, result, &where) == GWS_OK, "%s", where.message);
}

static const struct {
    uint32_t threads;
    uint64_t memory;
} strategies[] = {{1, cooperative}, {1, 0}, {3, cooperative}, {3, 0}};

enum { strategy_count = sizeof strategies / sizeof *strategies, max_pairs = 140 };

START_TEST(every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    if ((enum arcs)(_i % arc_kinds) == DIRECTED) return;
    uint64_t limit = gws_test_quick() ? max_pairs / 4 : max_pairs;
    uint64_t vertices = shape->vertices < limit ? shape->vertices : limit;
    struct gws_graph *graph = make_graph(shape->make, vertices, (enum arcs)(_i % arc_kinds));
    struct gws_betweenness_result result = {0};
    struct pairs pairs = pairs_new(graph, NULL, 0);
    double n = (double)vertices, plain = graph->directed ? 1 : 0.5;
    for (uint32_t i = 0; i < strategy_count; i++) {
        struct gws_runtime *by = open_runtime(NULL, strategies[i].threads, 0);
        struct gws_betweenness_options options = {.memory = strategies[i].memory};
        run(by, graph, &options, &result);
        ck_assert_ptr_null(result.source);
        ck_assert_ptr_null(result.arc);
        compare_to(&pairs, &result, plain, plain);
        options.arcs = true;
        run(by, graph, &options, &result);
        compare_to(&pairs, &result, plain, plain);
        options.normalised = true;
        run(by, graph, &options, &result);
        compare_to(&pairs, &result, n > 2 ? 1 / ((n - 1) * (n - 2)) : 1, n > 1 ? 1 / (n * (n - 1)) : plain);
        gws_runtime_close(by);
    }
    pairs_free(&pairs);
    gws_betweenness_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(large_shapes)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    if ((enum arcs)(_i % arc_kinds) == DIRECTED || shape->vertices <= max_pairs) return;
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    struct gws_betweenness_result result = {0};
    for (uint32_t i = 0; i < strategy_count; i++) {
        struct gws_runtime *by = open_runtime(NULL, strategies[i].threads, 0);
        struct gws_betweenness_options options = {
            .memory = strategies[i].memory, .samples = gws_test_quick() ? 3 : 9, .arcs = i % 2};
        run(by, graph, &options, &result);
        gws_runtime_close(by);
    }
    gws_betweenness_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- sources ---- */

START_TEST(given_sources_count_as_often_as_they_occur)
{
    static const uint32_t source[] = {5, 17, 5, 99, 0, 5};
    struct gws_graph *graph = make_graph(dense, 100, _i ? DIRECTED_WITH_REVERSE : UNDIRECTED);
    struct pairs pairs = pairs_new(graph, source, 6);
    struct gws_betweenness_result result = {0};
    for (uint32_t i = 0; i < strategy_count; i++) {
        struct gws_runtime *by = open_runtime(NULL, strategies[i].threads, 0);
        struct gws_betweenness_options options = {
            .source = source, .sources = 6, .arcs = true, .memory = strategies[i].memory};
        run(by, graph, &options, &result);
        ck_assert_uint_eq(result.sources, 6);
        ck_assert_int_eq(memcmp(result.source, source, sizeof source), 0);
        compare_to(&pairs, &result, _i ? 1 : 0.5, _i ? 1 : 0.5);
        options.sources = 0;
        run(by, graph, &options, &result);
        ck_assert_uint_eq(result.reached, 0);
        gws_runtime_close(by);
    }
    gws_betweenness_result_clear(&result);
    pairs_free(&pairs);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(samples_are_different_vertices)
{
    struct gws_graph *graph = make_graph(dense, 100, UNDIRECTED);
    struct gws_runtime *by = open_runtime(NULL, 2, 0);
    struct gws_betweenness_result one = {0}, two = {0};
    struct gws_betweenness_options options = {.samples = 30, .seed = 4};
    run(by, graph, &options, &one);
    run(by, graph, &options, &two);
    ck_assert_uint_eq(one.sources, 30);
    for (uint32_t i = 0; i < 30; i++) {
        ck_assert_uint_eq(one.source[i], two.source[i]);
        if (i) ck_assert_uint_lt(one.source[i - 1], one.source[i]);
    }
    struct pairs pairs = pairs_new(graph, one.source, 30);
    compare_to(&pairs, &one, 0.5 * 100 / 30, 0);
    pairs_free(&pairs);
    options.seed = 5;
    run(by, graph, &options, &two);
    ck_assert_int_ne(memcmp(one.source, two.source, 30 * sizeof *one.source), 0);
    options.samples = 100;
    run(by, graph, &options, &two);
    ck_assert_ptr_null(two.source);
    gws_betweenness_result_clear(&one);
    gws_betweenness_result_clear(&two);
    gws_runtime_close(by);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- rows, levels and numbers of paths of every size ---- */

/* Makes two hubs with long rows that share most of their neighbours, and a path behind the hubs. */
static void two_hubs(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 2; v < n - 100; v++) add(edges, v % 2, v);
    for (uint64_t v = 2; v < n - 100; v += 3) add(edges, (v + 1) % 2, v);
    for (uint64_t v = n - 100; v < n; v++) add(edges, v - 1, v);
}

/* Makes a chain of squares with 2^(n / 3) shortest paths from end to end. */
static void squares(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v + 3 < n; v += 3) {
        add(edges, v, v + 1);
        add(edges, v, v + 2);
        add(edges, v + 1, v + 3);
        add(edges, v + 2, v + 3);
    }
}

/* Makes a path with arcs back over 254 to 259 vertices, and arcs from the last 50 vertices to earlier ones. */
static void back_arcs(struct edges *edges, uint64_t n)
{
    path(edges, n);
    for (uint64_t v = 300; v < n; v += 7)
        for (uint64_t back = 254; back < 260; back++) add(edges, v, v - back);
    for (uint64_t v = 0; v + 512 < n; v += 5) add(edges, n - 1 - v % 50, v);
}

START_TEST(extremes)
{
    static const struct shape extremes[] = {
        {"two hubs", two_hubs, 60000},  {"squares", squares, 3301}, {"more squares", squares, 16000},
        {"back arcs", back_arcs, 2000}, {"path", path, 70000},      {"back arcs, long", back_arcs, 70000}};
    if (gws_test_races() && _i / 2 % 2 != _i % 2) return; /* one kind of arcs for each shape */
    const struct shape *shape = &extremes[_i / 2];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, _i % 2 ? DIRECTED_WITH_REVERSE : UNDIRECTED);
    struct gws_betweenness_result first = {0}, result = {0};
    for (uint32_t i = 0; i < strategy_count; i++) {
        const uint32_t source[] = {0, (uint32_t)shape->vertices / 2, (uint32_t)shape->vertices - 1, 1};
        struct gws_runtime *by = open_runtime(NULL, strategies[i].threads, 0);
        struct gws_betweenness_options options = {
            .source = source, .sources = gws_test_quick() ? 2 : 4, .arcs = i & 1, .memory = strategies[i].memory};
        run(by, graph, &options, i ? &result : &first);
        if (i && strategies[i].memory == cooperative)
            ck_assert_int_eq(memcmp(first.centrality, result.centrality, graph->vertices * sizeof(double)), 0);
        gws_runtime_close(by);
    }
    gws_betweenness_result_clear(&first);
    gws_betweenness_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(generated)
{
    static const char *const names[][2] = {{"kron:13", "kron:10"},
                                           {"road:30000", "road:3000"},
                                           {"uniform:12", "uniform:9"},
                                           {"grid:300x70", "grid:90x40"}};
    struct gws_graph *graph = generate(names[_i][gws_test_quick()]);
    const char *policy;
    struct gws_betweenness_result result = {0};
    struct gws_betweenness_options options = {.samples = 5, .arcs = true, .memory = cooperative};
    for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++) {
        struct gws_runtime *by = open_runtime(policy, 4, 0);
        run(by, graph, &options, &result);
        gws_runtime_close(by);
    }
    gws_betweenness_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- calls ---- */

START_TEST(one_result_for_all)
{
    struct gws_graph *graph[] = {make_graph(dense, 500, UNDIRECTED), make_graph(path, 1000, DIRECTED_WITH_REVERSE),
                                 make_graph(star, 64, UNDIRECTED), make_graph(nothing, 1, UNDIRECTED)};
    struct gws_runtime *by[] = {open_runtime(NULL, 9, 0), open_runtime("static", 1, 0), open_runtime("cursor", 3, 5)};
    struct gws_betweenness_result result = {0};
    uint64_t random = 17;
    for (uint32_t round = 0; round < (gws_test_quick() ? 10 : 100); round++) {
        struct gws_betweenness_options options = {
            .samples = round % 5, .arcs = round & 1, .memory = round & 2 ? cooperative : 0};
        run(by[gws_random_below(gws_random_next(&random), 3)], graph[gws_random_below(gws_random_next(&random), 4)],
            &options, &result);
    }
    gws_betweenness_result_clear(&result);
    for (uint32_t i = 0; i < 3; i++) gws_runtime_close(by[i]);
    for (uint32_t i = 0; i < 4; i++) gws_graph_destroy(graph[i]);
}
END_TEST

START_TEST(bad_arguments_keep_the_result)
{
    struct gws_graph *graph = make_graph(path, 10, DIRECTED), *none = make_graph(nothing, 0, UNDIRECTED);
    struct gws_runtime *by = open_runtime(NULL, 2, 0);
    const uint32_t source[] = {3, 10};
    struct gws_betweenness_options options = {.source = source, .sources = 2};
    struct gws_betweenness_result result = {0};
    ck_assert_int_eq(gws_betweenness(by, graph, &options, &result), GWS_OUT_OF_RANGE);
    options.sources = 1;
    ck_assert_int_eq(gws_betweenness(by, graph, &options, &result), GWS_NEEDS_REVERSE);
    ck_assert_ptr_null(result.scratch);
    ck_assert_int_eq(gws_graph_add_reverse(by, graph), GWS_OK);
    run(by, graph, &options, &result);
    options.sources = 2;
    ck_assert_int_eq(gws_betweenness(by, graph, &options, &result), GWS_OUT_OF_RANGE);
    options.sources = 1;
    ck_assert_int_eq(gws_betweenness_check(by, graph, &options, &result, NULL), GWS_OK);
    run(by, none, NULL, &result);
    ck_assert_uint_eq(result.sources, 0);
    gws_betweenness_result_clear(&result);
    gws_betweenness_result_clear(&result);
    gws_betweenness_result_clear(NULL);
    gws_runtime_close(by);
    gws_graph_destroy(graph);
    gws_graph_destroy(none);
}
END_TEST

struct trial {
    const struct gws_graph *graph;
    struct gws_betweenness_options options;
};

static gws_status betweenness_once(struct gws_runtime *by, const void *context)
{
    const struct trial *trial = context;
    struct gws_betweenness_result result = {0};
    gws_status status = gws_betweenness(by, trial->graph, &trial->options, &result);
    ck_assert_int_eq(result.scratch != NULL, status == GWS_OK);
    if (status == GWS_OK) status = gws_betweenness_check(by, trial->graph, &trial->options, &result, NULL);
    gws_betweenness_result_clear(&result);
    return status;
}

START_TEST(short_memory)
{
    struct gws_graph *graph = make_graph(squares, 4000, UNDIRECTED);
    const struct trial trial = {graph, {.samples = 3, .arcs = true, .memory = _i ? cooperative : 0}};
    gws_test_each_allocation(2, betweenness_once, &trial);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_shape, shape_count * arc_kinds},
                                    {large_shapes, shape_count * arc_kinds},
                                    {given_sources_count_as_often_as_they_occur, 2},
                                    {samples_are_different_vertices, 1},
                                    {extremes, 12},
                                    {generated, 4},
                                    {one_result_for_all, 1},
                                    {bad_arguments_keep_the_result, 1},
                                    {short_memory, 2},
                                    {0}};
    return gws_test_run("betweenness", test);
}
