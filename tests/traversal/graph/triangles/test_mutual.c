/* SPDX-License-Identifier: MIT */
/* Compares clustering coefficients of directed graphs, by the rule of LDBC Graphalytics, with an oracle, which looks up
 * every ordered pair of neighbours in a matrix. */
#include "../bfs/shapes.h"

#include <math.h>

#include "../../../../traversal/triangles.h"

/* ---- the oracle ---- */

/* Returns a matrix: arc[v * n + w] is true if v and w are different and an arc leads from v to w. */
static bool *matrix_of(const struct gws_graph *graph)
{
    uint64_t n = graph->vertices;
    bool *arc = calloc(n * n + 1, sizeof *arc);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
            if (graph->target[a] != v) arc[v * n + graph->target[a]] = true;
    return arc;
}

static double clustering_of(const bool *arc, uint64_t n, uint64_t v)
{
    uint64_t pairs = 0, arcs = 0;
    for (uint64_t a = 0; a < n; a++) {
        if (!arc[v * n + a] && !arc[a * n + v]) continue;
        for (uint64_t b = 0; b < n; b++) {
            if (a == b || (!arc[v * n + b] && !arc[b * n + v])) continue;
            pairs++;
            arcs += arc[a * n + b];
        }
    }
    return pairs ? (double)arcs / (double)pairs : 0;
}

static void compare_clustering(const struct gws_graph *graph, const struct gws_triangles_result *result)
{
    bool *arc = matrix_of(graph);
    double sum = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        double wanted = clustering_of(arc, graph->vertices, v);
        if (fabs(result->clustering[v] - wanted) > 1e-9)
            ck_abort_msg("vertex %d: clustering %g, not %g", (int)v, result->clustering[v], wanted);
        sum += wanted;
    }
    ck_assert(graph->vertices == 0 || fabs(result->mean_clustering - sum / (double)graph->vertices) < 1e-9);
    free(arc);
}

/* ---- graphs ---- */

/* Half of the arcs have a reverse arc. There are hubs, loops and parallel arcs. */
static struct gws_graph *draw(struct gws_runtime *runtime, uint64_t n, uint64_t arcs, enum gws_build_kind kind)
{
    struct edges edges = {0};
    uint64_t random = n;
    for (uint64_t i = 0; i < arcs; i++) {
        uint64_t from = gws_random_next(&random) % n, to = gws_random_next(&random) % (i % 4 ? n : n / 9 + 1);
        add(&edges, from, to);
        if (i % 2) add(&edges, to, from);
    }
    struct gws_edge_block block = {.edge = edges.edge, .count = edges.count};
    struct gws_edges list = {.vertices = n, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = kind};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &list, &options, &graph), GWS_OK);
    free(edges.edge);
    return graph;
}

static const struct gws_triangles_options options = {.parts = GWS_TRIANGLES_CLUSTERING, .directed = true};

static void check(uint64_t n, uint64_t arcs, uint32_t threads, const char *policy)
{
    struct gws_runtime *runtime = open_runtime(policy, threads, 0);
    struct gws_graph *graph = draw(runtime, n, arcs, GWS_BUILD_DIRECTED);
    struct gws_triangles_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_triangles(runtime, graph, &options, &result), GWS_OK);
    ck_assert(result.directed);
    compare_clustering(graph, &result);
    ck_assert_msg(gws_triangles_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
    gws_triangles_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

START_TEST(random_graphs)
{
    for (uint64_t n = 1; n <= (gws_test_quick() ? 50 : 400); n = n * 2 + 1)
        for (uint64_t degree = 0; degree <= 16; degree += 4) check(n, n * degree, 1 + n % 3, NULL);
}
END_TEST

/* Workers share the rows of hubs. */
START_TEST(policies)
{
    static const char *const names[] = {"static", "chunked", "workpile", "split"};
    check(gws_test_quick() ? 100 : 300, 9000, 4, names[_i]);
}
END_TEST

/* The option has no effect on an undirected graph, and none without clustering coefficients. */
START_TEST(undirected_graphs)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = draw(runtime, 60, 600, GWS_BUILD_SYMMETRISE);
    struct gws_graph *directed = draw(runtime, 60, 600, GWS_BUILD_DIRECTED);
    const struct gws_triangles_options count = {.parts = GWS_TRIANGLES_COUNT, .directed = true};
    struct gws_triangles_result result = {0};
    ck_assert_int_eq(gws_triangles(runtime, graph, &options, &result), GWS_OK);
    ck_assert(!result.directed);
    compare_clustering(graph, &result);
    ck_assert_int_eq(gws_triangles(runtime, directed, &count, &result), GWS_OK);
    ck_assert(!result.directed);
    gws_triangles_result_clear(&result);
    gws_graph_destroy(directed);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The test fails each allocation of the call in turn. */
START_TEST(short_memory_is_reported)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        const struct gws_options runtime_options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_triangles_result result = {0};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&runtime_options, &runtime), GWS_OK);
        struct gws_graph *graph = draw(runtime, 200, 4000, GWS_BUILD_DIRECTED);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_triangles(runtime, graph, &options, &result);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert(memory.failed ? result.clustering == NULL : result.directed);
        gws_triangles_result_clear(&result);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

/* The checker refuses the coefficients of another rule, and a wrong value. */
START_TEST(wrong_results)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = draw(runtime, 60, 200, GWS_BUILD_DIRECTED);
    struct gws_triangles_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_triangles(runtime, graph, &options, &result), GWS_OK);
    if (_i == 0) result.directed = false;
    if (_i == 1) { /* the mean stays */
        result.clustering[3] += 0.25;
        result.clustering[4] -= 0.25;
    }
    ck_assert_int_eq(gws_triangles_check(runtime, graph, &result, &where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, "clustering coefficient") != NULL, "%s", where.message);
    gws_triangles_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{random_graphs, 1},     {policies, 4},
                                    {undirected_graphs, 1}, {short_memory_is_reported, 1},
                                    {wrong_results, 2},     {0}};
    return gws_test_run("mutual", test);
}
