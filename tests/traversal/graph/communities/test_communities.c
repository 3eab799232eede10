/* SPDX-License-Identifier: MIT */
/* Communities on threads. The tests run every method on every shape, compare known partitions, and compute the
 * modularity pair by pair as an oracle. */
#include "../../engine/devices.h"

#include <math.h>

#include "../../../../io/graph_io.h"
#include "../../../../traversal/communities.h"

/* Computes the modularity by definition, over all pairs of vertices, from a matrix of weights. */
static double modularity_by_pairs(const struct gws_graph *graph, const uint32_t *label, double resolution)
{
    uint64_t n = graph->vertices;
    double *matrix = calloc(n * n + 1, sizeof *matrix), *degree = calloc(n + 1, sizeof *degree), total = 0, sum = 0;
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            double weight = graph->weight ? graph->weight[a] : graph->real_weight ? graph->real_weight[a] : 1;
            uint32_t to = graph->target[a];
            matrix[v * n + to] += weight;
            if (graph->directed || to == v) matrix[to * n + v] += weight;
        }
    for (uint64_t i = 0; i < n * n; i++) degree[i / n] += matrix[i];
    for (uint64_t v = 0; v < n; v++) total += degree[v];
    for (uint64_t i = 0; i < n * n; i++)
        if (label[i / n] == label[i % n]) sum += matrix[i] - resolution * degree[i / n] * degree[i % n] / total;
    free(matrix);
    free(degree);
    return total > 0 ? sum / total : 0;
}

static void check_method(struct gws_graph *graph, const struct gws_communities_options *options,
                         struct gws_communities_result *result)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_communities(runtime, graph, options, result), GWS_OK);
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_msg(gws_communities_check(runtime, graph, options, result, &where) == GWS_OK, "%s", where.message);
    if (graph->vertices > 1100) return;
    double wanted = modularity_by_pairs(graph, result->community, options->resolution == 0 ? 1 : options->resolution);
    ck_assert_double_eq_tol(result->modularity, wanted, 1e-9);
}

static void check_graph(struct gws_graph *graph)
{
    struct gws_communities_result result = {0};
    for (int method = 0; method < 3; method++)
        for (int i = 0; i < 2; i++) {
            const struct gws_communities_options options = {.method = (enum gws_communities_method)method,
                                                            .resolution = i ? 0.4 : 0,
                                                            .passes = i ? 3 : 0,
                                                            .iterations = i ? 4 : 0};
            check_method(graph, &options, &result);
        }
    gws_communities_result_clear(&result);
}

START_TEST(shapes_are_partitioned)
{
    for (uint32_t threads = gws_test_races() ? 4 : 1; threads <= 4; threads += 3) {
        runtime = open_runtime(NULL, threads, 0);
        for (int arcs = 0; arcs < 2; arcs++) {
            struct gws_graph *graph =
                make_graph(shapes[_i].make, shapes[_i].vertices, arcs ? DIRECTED_WITH_REVERSE : UNDIRECTED);
            check_graph(graph);
            gws_graph_destroy(graph);
        }
        gws_runtime_close(runtime);
    }
}
END_TEST

START_TEST(an_empty_graph)
{
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    runtime = open_runtime(NULL, 2, 0);
    check_graph(graph);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* Makes cliques of five in a ring. An edge joins each clique with the next. The communities are the cliques. */
static void ring_of_cliques(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v < n; v++) {
        for (uint64_t u = v / 5 * 5; u < v; u++) add(edges, u, v);
        if (v % 5 == 4) add(edges, v, (v + 1) % n);
    }
}

START_TEST(cliques_are_found)
{
    struct gws_graph *graph = make_graph(ring_of_cliques, 5 * 12, UNDIRECTED);
    runtime = open_runtime(NULL, 2, 0);
    for (int method = 0; method < 2; method++) {
        const struct gws_communities_options options = {.method = (enum gws_communities_method)method};
        struct gws_communities_result result = {0};
        ck_assert_int_eq(gws_communities(runtime, graph, &options, &result), GWS_OK);
        ck_assert_uint_eq(result.count, 12);
        ck_assert_uint_eq(result.largest, 5);
        for (uint32_t v = 0; v < 60; v++) ck_assert_uint_eq(result.community[v], v / 5 * 5);
        gws_communities_result_clear(&result);
    }
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* The heavy sides of a square determine its communities, with integer and with real weights. All sides are equal if
 * the method ignores weights. The library refuses a negative weight. */
START_TEST(weights_count)
{
    const struct gws_edge edge[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    int32_t weight[] = {1, 9, 1, 9};
    float real[] = {0.125F, 2.5F, 0.125F, 2.5F};
    runtime = open_runtime(NULL, 2, 0);
    for (int i = 0; i < 3; i++) {
        const struct gws_edge_block block = {
            .edge = edge, .count = 4, .weight = i != 1 ? weight : NULL, .real_weight = i == 1 ? real : NULL};
        const struct gws_edges edges = {.vertices = 4, .blocks = 1, .block = &block};
        const struct gws_build_options build = {.kind = GWS_BUILD_SYMMETRISE};
        const struct gws_communities_options ignore = {.ignore_weights = true};
        struct gws_communities_result result = {0};
        struct gws_graph *graph = NULL;
        if (i == 2) weight[0] = -1;
        ck_assert_int_eq(gws_graph_build(runtime, &edges, &build, &graph), GWS_OK);
        ck_assert_int_eq(gws_communities(runtime, graph, NULL, &result), i == 2 ? GWS_INVALID : GWS_OK);
        if (i < 2) {
            const uint32_t wanted[] = {0, 1, 1, 0};
            ck_assert_int_eq(memcmp(result.community, wanted, sizeof wanted), 0);
            ck_assert_double_eq_tol(result.modularity, modularity_by_pairs(graph, result.community, 1), 1e-7);
            ck_assert_int_eq(gws_communities_check(runtime, graph, NULL, &result, NULL), GWS_OK);
        } else {
            ck_assert_ptr_null(result.community);
        }
        ck_assert_int_eq(gws_communities(runtime, graph, &ignore, &result), GWS_OK);
        ck_assert_int_eq(gws_communities_check(runtime, graph, &ignore, &result, NULL), GWS_OK);
        gws_communities_result_clear(&result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The labels must be equal for any number of workers and any policy. */
START_TEST(workers_change_no_label)
{
    struct gws_graph *graph = generate("kron:11:8");
    const char *policy;
    for (int method = 0; method < 3; method++) {
        const struct gws_communities_options options = {.method = (enum gws_communities_method)method};
        struct gws_communities_result first = {0}, result = {0};
        runtime = open_runtime(NULL, 1, 0);
        ck_assert_int_eq(gws_communities(runtime, graph, &options, &first), GWS_OK);
        gws_runtime_close(runtime);
        for (uint32_t i = 0; (policy = gws_policy_at(i, NULL)); i++) {
            if (gws_test_quick() && (i + (uint32_t)method) % 3 != 0) continue; /* each policy has one method */
            runtime = open_runtime(policy, 3 + i, 0);
            ck_assert_int_eq(gws_communities(runtime, graph, &options, &result), GWS_OK);
            ck_assert_int_eq(memcmp(result.community, first.community, graph->vertices * sizeof *first.community), 0);
            ck_assert(result.modularity == first.modularity);
            gws_runtime_close(runtime);
        }
        gws_communities_result_clear(&result);
        gws_communities_result_clear(&first);
    }
    gws_graph_destroy(graph);
}
END_TEST

static struct gws_graph *read_data(const char *name)
{
    const char *path = gws_test_dataset(name);
    struct gws_graph *graph = NULL;
    if (!path) return NULL;
    ck_assert_int_eq(gws_graph_read(runtime, path, NULL, &graph, NULL), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    return graph;
}

/* The modularity of each graph must reach a minimum. The best known values of karate, dolphins and polbooks are
 * 0.4198, 0.5285 and 0.5272. */
START_TEST(modularity_is_high)
{
    static const struct {
        const char *name;
        double leiden, louvain;
    } known[] = {{"mtx/karate.mtx.gz", 0.4197, 0.41},
                 {"mtx/dolphins.mtx.gz", 0.525, 0.515},
                 {"mtx/polbooks.mtx.gz", 0.526, 0.52},
                 {"snap/facebook_combined.txt.gz", 0.835, 0.83},
                 {"snap/ca-AstroPh-cc1.txt.gz", 0.625, 0.61}};
    runtime = open_runtime(NULL, 2, 0);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct gws_graph *graph = read_data(known[i].name);
        if (!graph) continue;
        for (int method = 0; method < 2; method++) {
            const struct gws_communities_options options = {.method = (enum gws_communities_method)method};
            struct gws_communities_result result = {0};
            ck_assert_int_eq(gws_communities(runtime, graph, &options, &result), GWS_OK);
            ck_assert_int_eq(gws_communities_check(runtime, graph, &options, &result, NULL), GWS_OK);
            ck_assert_double_ge(result.modularity, method == 0 ? known[i].leiden : known[i].louvain);
            gws_communities_result_clear(&result);
        }
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The test runs the examples of LDBC Graphalytics until no label changes. */
START_TEST(graphalytics_examples)
{
    static const char *const names[] = {"mtx/ldbc-cdlp-directed-example.mtx.gz",
                                        "mtx/ldbc-cdlp-undirected-example.mtx.gz"};
    runtime = open_runtime(NULL, 2, 0);
    for (size_t i = 0; i < 2; i++) {
        struct gws_graph *graph = read_data(names[i]);
        const struct gws_communities_options options = {.method = GWS_COMMUNITIES_CDLP};
        struct gws_communities_result result = {0};
        if (!graph) continue;
        ck_assert_int_eq(gws_communities(runtime, graph, &options, &result), GWS_OK);
        ck_assert_int_eq(gws_communities_check(runtime, graph, &options, &result, NULL), GWS_OK);
        ck_assert_uint_eq(result.count, 2);
        for (uint32_t v = 0; v < graph->vertices; v++) ck_assert_uint_eq(result.community[v], v < 3 ? 0 : 3);
        gws_communities_result_clear(&result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refusals_change_nothing)
{
    const struct gws_communities_options wrong[] = {
        {.method = 3}, {.resolution = -1}, {.resolution = NAN}, {.resolution = INFINITY}};
    struct gws_graph *graph = make_graph(grid, 60, UNDIRECTED), *directed = make_graph(grid, 60, DIRECTED);
    struct gws_communities_result result = {0}, before;
    runtime = open_runtime(NULL, 2, 0);
    ck_assert_int_eq(gws_communities(runtime, graph, NULL, &result), GWS_OK);
    before = result;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_int_eq(gws_communities(runtime, graph, &wrong[i], &result), GWS_INVALID);
    ck_assert_int_eq(gws_communities(runtime, directed, NULL, &result), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(memcmp(&result, &before, sizeof result), 0);
    gws_communities_result_clear(&result);
    gws_communities_result_clear(NULL);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
    gws_graph_destroy(directed);
}
END_TEST

struct trial {
    const struct gws_graph *graph;
    struct gws_communities_options options;
};

static gws_status find_once(struct gws_runtime *by, const void *context)
{
    const struct trial *trial = context;
    struct gws_communities_result result = {0};
    gws_status status = gws_communities(by, trial->graph, &trial->options, &result);
    ck_assert_int_eq(result.community != NULL, status == GWS_OK);
    if (status == GWS_OK) status = gws_communities_check(by, trial->graph, &trial->options, &result, NULL);
    gws_communities_result_clear(&result);
    return status;
}

START_TEST(short_memory_is_reported)
{
    struct gws_graph *graph = make_graph(grid, 1500, DIRECTED_WITH_REVERSE);
    for (int method = 0; method < 3; method++) {
        const struct trial trial = {graph, {.method = (enum gws_communities_method)method}};
        gws_test_each_allocation(2, find_once, &trial);
    }
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{shapes_are_partitioned, shape_count},
                                    {an_empty_graph, 1},
                                    {cliques_are_found, 1},
                                    {weights_count, 1},
                                    {workers_change_no_label, 1},
                                    {modularity_is_high, 1},
                                    {graphalytics_examples, 1},
                                    {refusals_change_nothing, 1},
                                    {short_memory_is_reported, 1},
                                    {0}};
    return gws_test_run("communities", test);
}
