/* SPDX-License-Identifier: MIT */
/* Shortest paths and what is counted along them, compared with igraph on many small random graphs. */
#include "random_graph.h"

#include "../../traversal/betweenness.h"
#include "../../traversal/closeness.h"
#include "../../traversal/sssp.h"

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

/* ---- igraph's functions whose parameters differ between its versions ---- */

#if IGRAPH_VERSION_MAJOR >= 1
static igraph_error_t betweenness(const igraph_t *graph, igraph_vector_t *vertex, igraph_vector_t *edge)
{
    igraph_error_t error = igraph_betweenness(graph, NULL, vertex, igraph_vss_all(), true, false);
    if (error != IGRAPH_SUCCESS) return error;
    return igraph_edge_betweenness(graph, NULL, edge, igraph_ess_all(IGRAPH_EDGEORDER_ID), true, false);
}

static igraph_error_t eccentricity(const igraph_t *graph, igraph_vector_t *result, igraph_neimode_t mode)
{
    return igraph_eccentricity(graph, NULL, result, igraph_vss_all(), mode);
}

static igraph_error_t diameter(const igraph_t *graph, igraph_real_t *result)
{
    return igraph_diameter(graph, NULL, result, NULL, NULL, NULL, NULL, false, true);
}
#else
static igraph_error_t betweenness(const igraph_t *graph, igraph_vector_t *vertex, igraph_vector_t *edge)
{
    igraph_error_t error = igraph_betweenness(graph, vertex, igraph_vss_all(), true, NULL);
    return error == IGRAPH_SUCCESS ? igraph_edge_betweenness(graph, edge, true, NULL) : error;
}

static igraph_error_t eccentricity(const igraph_t *graph, igraph_vector_t *result, igraph_neimode_t mode)
{
    return igraph_eccentricity(graph, result, igraph_vss_all(), mode);
}

static igraph_error_t diameter(const igraph_t *graph, igraph_real_t *result)
{
    return igraph_diameter(graph, result, NULL, NULL, NULL, NULL, false, true);
}
#endif

/* ---- distances ---- */

static double distance_of(const struct gws_sssp_result *result, uint64_t v)
{
    if (result->real_distance) return result->real_distance[v];
    return result->distance[v] == GWS_NO_DISTANCE ? INFINITY : (double)result->distance[v];
}

static void compare_distances(const struct random_graph *random)
{
    igraph_matrix_t wanted;
    struct gws_sssp_result result = {0};
    igraph_matrix_init(&wanted, 0, 0);
    ck_assert_int_eq(igraph_distances_dijkstra(&random->peer, &wanted, igraph_vss_all(), igraph_vss_all(),
                                               &random->weights, IGRAPH_OUT),
                     IGRAPH_SUCCESS);
    for (uint32_t source = 0; source < random->graph->vertices; source++) {
        ck_assert_int_eq(gws_sssp(runtime, random->graph, source, NULL, &result, NULL), GWS_OK);
        for (uint64_t v = 0; v < result.vertices; v++)
            compare(random, "distance of vertex", v, distance_of(&result, v), MATRIX(wanted, source, v));
    }
    gws_sssp_result_clear(&result);
    igraph_matrix_destroy(&wanted);
}

START_TEST(distances)
{
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, true);
        compare_distances(&random);
        random_graph_destroy(&random);
    }
}
END_TEST

/* ---- betweenness ---- */

/* The library halves the values of the vertices if a directed graph equals its reverse; igraph does not. The value of
 * an arc is the same, since then as many paths use the arc as its reverse. */
static void compare_betweenness(const struct random_graph *random)
{
    struct gws_betweenness_options options = {.arcs = true};
    struct gws_betweenness_result result = {0};
    igraph_vector_t vertex, edge;
    igraph_vector_init(&vertex, 0);
    igraph_vector_init(&edge, 0);
    ck_assert_int_eq(betweenness(&random->peer, &vertex, &edge), IGRAPH_SUCCESS);
    ck_assert_int_eq(gws_betweenness(runtime, random->graph, &options, &result), GWS_OK);
    double factor = random->directed && !random->graph->directed ? 2 : 1;
    for (uint64_t v = 0; v < result.vertices; v++)
        compare(random, "betweenness of vertex", v, factor * result.centrality[v], VECTOR(vertex)[v]);
    for (igraph_integer_t e = 0; e < igraph_ecount(&random->peer); e++) {
        uint32_t from = (uint32_t)IGRAPH_FROM(&random->peer, e), to = (uint32_t)IGRAPH_TO(&random->peer, e);
        uint64_t arc = gws_graph_find_arc(random->graph, from, to);
        compare(random, "betweenness of edge", (uint64_t)e, result.arc[arc], VECTOR(edge)[e]);
    }
    gws_betweenness_result_clear(&result);
    igraph_vector_destroy(&vertex);
    igraph_vector_destroy(&edge);
}

START_TEST(betweenness_of_vertices_and_edges)
{
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, true);
        compare_betweenness(&random);
        random_graph_destroy(&random);
    }
}
END_TEST

/* ---- closeness ---- */

struct centralities {
    igraph_vector_t closeness, harmonic, eccentricity;
    igraph_vector_int_t reached;
};

static void find_centralities(const igraph_t *graph, igraph_neimode_t mode, struct centralities *found)
{
    igraph_vector_init(&found->closeness, 0);
    igraph_vector_init(&found->harmonic, 0);
    igraph_vector_init(&found->eccentricity, 0);
    igraph_vector_int_init(&found->reached, 0);
    ck_assert_int_eq(
        igraph_closeness(graph, &found->closeness, &found->reached, NULL, igraph_vss_all(), mode, NULL, true),
        IGRAPH_SUCCESS);
    ck_assert_int_eq(igraph_harmonic_centrality(graph, &found->harmonic, igraph_vss_all(), mode, NULL, false),
                     IGRAPH_SUCCESS);
    ck_assert_int_eq(eccentricity(graph, &found->eccentricity, mode), IGRAPH_SUCCESS);
}

static void clear_centralities(struct centralities *found)
{
    igraph_vector_destroy(&found->closeness);
    igraph_vector_destroy(&found->harmonic);
    igraph_vector_destroy(&found->eccentricity);
    igraph_vector_int_destroy(&found->reached);
}

/* igraph's closeness, "normalized", is 1 / (mean distance of the reached vertices), and not a number if there are none.
 * That is the library's closeness without its factor, (reached - 1) / (vertices - 1). */
static void compare_closeness(const struct random_graph *random, bool outgoing, bool unscaled)
{
    struct gws_closeness_options options = {.outgoing = outgoing, .unscaled = unscaled};
    struct gws_closeness_result result = {0};
    struct centralities wanted;
    find_centralities(&random->peer, outgoing ? IGRAPH_OUT : IGRAPH_IN, &wanted);
    ck_assert_int_eq(gws_closeness(runtime, random->graph, &options, &result), GWS_OK);
    for (uint64_t v = 0; v < result.vertices; v++) {
        double others = (double)VECTOR(wanted.reached)[v];
        double factor = unscaled ? 1 : others / (double)(result.vertices - 1);
        double closeness = others == 0 ? 0 : factor * VECTOR(wanted.closeness)[v];
        compare(random, "vertices reached from or reaching vertex", v, result.reached[v], others + 1);
        compare(random, "closeness of vertex", v, result.closeness[v], closeness);
        compare(random, "harmonic centrality of vertex", v, result.harmonic[v], VECTOR(wanted.harmonic)[v]);
        compare(random, "eccentricity of vertex", v, result.eccentricity[v], VECTOR(wanted.eccentricity)[v]);
    }
    clear_centralities(&wanted);
    gws_closeness_result_clear(&result);
}

START_TEST(closeness_and_eccentricity)
{
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, true);
        for (int i = 0; i < 4; i++) compare_closeness(&random, i % 2, i / 2);
        random_graph_destroy(&random);
    }
}
END_TEST

START_TEST(diameters)
{
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, true);
        struct gws_diameter_result result = {0};
        igraph_real_t wanted = -1;
        ck_assert_int_eq(diameter(&random.peer, &wanted), IGRAPH_SUCCESS);
        ck_assert_int_eq(gws_diameter(runtime, random.graph, &result), GWS_OK);
        compare(&random, "diameter of graph", seed, result.diameter, wanted);
        random_graph_destroy(&random);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("paths and igraph");
    TCase *tcase = tcase_create("random graphs");
    tcase_add_checked_fixture(tcase, open_runtime, close_runtime);
    tcase_add_test(tcase, distances);
    tcase_add_test(tcase, betweenness_of_vertices_and_edges);
    tcase_add_test(tcase, closeness_and_eccentricity);
    tcase_add_test(tcase, diameters);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(suite);
}
