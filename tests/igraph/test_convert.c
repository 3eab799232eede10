/* SPDX-License-Identifier: MIT */
/* Converts graphs to and from igraph. igraph's own search is the oracle of gws_bfs(). */
#include "../harness.h"

#include "../../igraph/graph_igraph.h"
#include "../../traversal/bfs.h"

static struct gws_runtime *runtime;

static void open_runtime(void)
{
    struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
}

/* ---- searches ---- */

static igraph_error_t distances(const igraph_t *graph, uint32_t source, igraph_matrix_t *distance)
{
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_distances(graph, NULL, distance, igraph_vss_1(source), igraph_vss_all(), IGRAPH_OUT);
#else
    return igraph_distances(graph, distance, igraph_vss_1(source), igraph_vss_all(), IGRAPH_OUT);
#endif
}

static igraph_error_t random_graph(igraph_t *graph, int vertices, int edges, bool directed, bool loops)
{
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_erdos_renyi_game_gnm(graph, vertices, edges, directed, loops ? IGRAPH_LOOPS_SW : IGRAPH_SIMPLE_SW,
                                       false);
#else
    return igraph_erdos_renyi_game_gnm(graph, vertices, edges, directed, loops);
#endif
}

/* Compares igraph's distance of every vertex from the source, along arcs, with the result's depth. */
static void compare_distances(const igraph_t *graph, const struct gws_bfs_result *result)
{
    igraph_matrix_t distance;
    igraph_matrix_init(&distance, 0, 0);
    ck_assert_int_eq(distances(graph, result->source, &distance), 0);
    for (uint64_t v = 0; v < result->vertices; v++) {
        double far = MATRIX(distance, 0, v);
        double ours = result->depth[v] == GWS_NO_VERTEX ? IGRAPH_INFINITY : result->depth[v];
        if (far != ours) ck_abort_msg("vertex %llu: igraph %g, ours %g", (unsigned long long)v, far, ours);
    }
    igraph_matrix_destroy(&distance);
}

/* The random graphs are sparse to dense. Every second graph is directed, and some have loops. */
START_TEST(distances_of_random_graphs)
{
    igraph_t random;
    struct gws_graph *graph = NULL;
    struct gws_bfs_result result = {0};
    igraph_rng_seed(igraph_rng_default(), (igraph_uint_t)_i + 1);
    int vertices = 20 + 13 * (_i % 29), edges = vertices * (1 + _i % 7) / 2;
    ck_assert_int_eq(random_graph(&random, vertices, edges, _i % 2, _i % 3 == 0), 0);
    ck_assert_int_eq(gws_graph_from_igraph(runtime, &random, NULL, NULL, &graph, NULL), GWS_OK);
    ck_assert_uint_eq(graph->vertices, (uint64_t)vertices);
    ck_assert_int_eq(graph->directed, _i % 2);
    for (uint32_t source = 0; source < 3; source++) {
        ck_assert_int_eq(gws_bfs(runtime, graph, source, NULL, &result), GWS_OK);
        compare_distances(&random, &result);
    }
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
    igraph_destroy(&random);
}
END_TEST

/* ---- round trips ---- */

static void check_same(const struct gws_graph *graph, const struct gws_graph *other)
{
    ck_assert_uint_eq(graph->vertices, other->vertices);
    ck_assert_uint_eq(graph->arcs, other->arcs);
    ck_assert_int_eq(graph->directed, other->directed);
    ck_assert_mem_eq(graph->offset, other->offset, (graph->vertices + 1) * sizeof *graph->offset);
    if (graph->arcs) ck_assert_mem_eq(graph->target, other->target, graph->arcs * sizeof *graph->target);
    ck_assert_int_eq(graph->weight != NULL, other->weight != NULL);
    if (graph->weight) ck_assert_mem_eq(graph->weight, other->weight, graph->arcs * sizeof *graph->weight);
    ck_assert_int_eq(graph->real_weight != NULL, other->real_weight != NULL);
    if (graph->real_weight)
        ck_assert_mem_eq(graph->real_weight, other->real_weight, graph->arcs * sizeof *graph->real_weight);
}

static void there_and_back(const struct gws_graph *graph)
{
    igraph_t there;
    igraph_vector_t weights;
    struct gws_graph *back = NULL;
    igraph_vector_init(&weights, 0);
    ck_assert_int_eq(gws_graph_to_igraph(runtime, graph, &there, &weights, NULL), GWS_OK);
    ck_assert_uint_eq((uint64_t)igraph_vcount(&there), graph->vertices);
    ck_assert_int_eq(igraph_vector_size(&weights), igraph_ecount(&there));
    ck_assert_int_eq(gws_graph_from_igraph(runtime, &there, graph->weight || graph->real_weight ? &weights : NULL, NULL,
                                           &back, NULL),
                     GWS_OK);
    check_same(graph, back);
    gws_graph_destroy(back);
    igraph_vector_destroy(&weights);
    igraph_destroy(&there);
}

/* A graph with parallel edges, a loop, weights of both signs and a vertex without edges. */
START_TEST(awkward_graphs_there_and_back)
{
    struct gws_edge edge[] = {{0, 1}, {1, 0}, {0, 1}, {2, 2}, {1, 3}, {3, 1}};
    int32_t weight[] = {5, -5, 2147483647, 0, -2147483647 - 1, 7};
    struct gws_edge_block block = {.edge = edge, .weight = _i & 1 ? weight : NULL, .count = 6};
    struct gws_edges edges = {.vertices = 5, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = _i & 2 ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    there_and_back(graph);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(generated_graphs_there_and_back)
{
    static const char *const name[] = {"kron:8", "grid:7x5", "road:500", "grid:1x1"};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, name[_i], &graph, NULL), GWS_OK);
    there_and_back(graph);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(no_vertices)
{
    igraph_t empty;
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(igraph_empty(&empty, 0, true), 0);
    ck_assert_int_eq(gws_graph_from_igraph(runtime, &empty, NULL, NULL, &graph, NULL), GWS_OK);
    ck_assert_uint_eq(graph->vertices, 0);
    there_and_back(graph);
    gws_graph_destroy(graph);
    igraph_destroy(&empty);
}
END_TEST

/* ---- refusals ---- */

START_TEST(weights_that_do_not_fit)
{
    static const double bad[] = {0.5, 2147483648.0, -2147483649.0, NAN, INFINITY, 1e39};
    igraph_t path;
    igraph_vector_t weights;
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    igraph_ring(&path, 3, false, false, false);
    igraph_vector_init(&weights, 2);
    VECTOR(weights)[1] = bad[_i];
    gws_status real = gws_graph_from_igraph(runtime, &path, &weights, NULL, &graph, &where);
    ck_assert_int_eq(real, _i < 3 ? GWS_OK : GWS_OUT_OF_RANGE);
    if (real == GWS_OK) {
        ck_assert(graph->real_weight[0] == 0 && graph->real_weight[3] == (float)bad[_i]); /* 0 - 1 - 2 */
        if (_i < 2) there_and_back(graph); /* the float nearest to the third weight is an integer */
        gws_graph_destroy(graph);
        graph = NULL;
    } else {
        ck_assert_ptr_null(graph);
        ck_assert_ptr_nonnull(strstr(where.message, "edge 1 has the weight"));
    }
    struct gws_read_options rounded = {.weights = GWS_WEIGHTS_ROUND}, none = {.weights = GWS_WEIGHTS_DROP};
    gws_status status = gws_graph_from_igraph(runtime, &path, &weights, &rounded, &graph, NULL);
    ck_assert_int_eq(status, bad[_i] == 0.5 ? GWS_OK : GWS_OUT_OF_RANGE);
    if (status == GWS_OK) gws_graph_destroy(graph);
    ck_assert_int_eq(gws_graph_from_igraph(runtime, &path, &weights, &none, &graph, NULL), GWS_OK);
    ck_assert_ptr_null(graph->weight);
    gws_graph_destroy(graph);
    igraph_vector_pop_back(&weights);
    ck_assert_int_eq(gws_graph_from_igraph(runtime, &path, &weights, NULL, &graph, NULL), GWS_INVALID);
    igraph_vector_destroy(&weights);
    igraph_destroy(&path);
}
END_TEST

START_TEST(failing_allocator)
{
    igraph_t random;
    igraph_vector_t weights;
    igraph_barabasi_game(&random, 200, 1, 2, NULL, true, 1, false, IGRAPH_BARABASI_PSUMTREE, NULL);
    igraph_vector_init(&weights, igraph_ecount(&random));
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *own;
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
        memory.fail_at = memory.calls + k;
        gws_status status = gws_graph_from_igraph(own, &random, &weights, NULL, &graph, NULL);
        ck_assert(memory.failed ? status == GWS_NO_MEMORY && !graph : status == GWS_OK);
        gws_graph_destroy(graph);
        gws_runtime_close(own);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
    igraph_vector_destroy(&weights);
    igraph_destroy(&random);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("igraph");
    TCase *tcase = tcase_create("graphs");
    tcase_add_checked_fixture(tcase, open_runtime, close_runtime);
    tcase_add_loop_test(tcase, distances_of_random_graphs, 0, 100);
    tcase_add_loop_test(tcase, awkward_graphs_there_and_back, 0, 4);
    tcase_add_loop_test(tcase, generated_graphs_there_and_back, 0, 4);
    tcase_add_test(tcase, no_vertices);
    tcase_add_loop_test(tcase, weights_that_do_not_fit, 0, 6);
    tcase_add_test(tcase, failing_allocator);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(suite);
}
