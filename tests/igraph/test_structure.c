/* SPDX-License-Identifier: MIT */
/* Components, ranks, triangles, cores and modularity, compared with igraph on many small random graphs. */
#include "random_graph.h"

#include "../../traversal/communities.h"
#include "../../traversal/components.h"
#include "../../traversal/cores.h"
#include "../../traversal/pagerank.h"
#include "../../traversal/triangles.h"

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

/* ---- igraph's functions whose names or parameters differ between its versions ---- */

/* The ranks of walks that restart at the sources with the probability 1 - damping. */
static igraph_error_t pagerank(const igraph_t *graph, double damping, const igraph_vector_t *restart,
                               igraph_vector_t *rank)
{
    igraph_real_t eigenvalue;
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_personalized_pagerank(graph, NULL, rank, &eigenvalue, restart, damping, true, igraph_vss_all(),
                                        IGRAPH_PAGERANK_ALGO_PRPACK, NULL);
#else
    return igraph_personalized_pagerank(graph, IGRAPH_PAGERANK_ALGO_PRPACK, rank, &eigenvalue, igraph_vss_all(), true,
                                        damping, restart, NULL, NULL);
#endif
}

static igraph_error_t triangles_of_vertices(const igraph_t *graph, igraph_vector_t *count)
{
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_count_adjacent_triangles(graph, count, igraph_vss_all());
#else
    return igraph_adjacent_triangles(graph, count, igraph_vss_all());
#endif
}

/* ---- components ---- */

/* igraph numbers components in an order of its own; the library names them by their smallest vertices. */
static uint32_t first_member(const igraph_vector_int_t *membership, uint64_t v)
{
    uint32_t first = 0;
    while (VECTOR(*membership)[first] != VECTOR(*membership)[v]) first++;
    return first;
}

static void compare_components(const struct random_graph *random, bool strong)
{
    struct gws_components_options options = {.strong = strong};
    struct gws_components_result result = {0};
    igraph_vector_int_t membership;
    igraph_integer_t count;
    igraph_vector_int_init(&membership, 0);
    ck_assert_int_eq(
        igraph_connected_components(&random->peer, &membership, NULL, &count, strong ? IGRAPH_STRONG : IGRAPH_WEAK),
        IGRAPH_SUCCESS);
    ck_assert_int_eq(gws_components(runtime, random->graph, &options, &result), GWS_OK);
    compare(random, strong ? "strong components of graph" : "components of graph", random->seed,
            (double)result.components, (double)count);
    for (uint64_t v = 0; v < result.vertices; v++)
        compare(random, "component of vertex", v, result.component[v], first_member(&membership, v));
    gws_components_result_clear(&result);
    igraph_vector_int_destroy(&membership);
}

START_TEST(components)
{
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, true);
        compare_components(&random, false);
        compare_components(&random, true);
        random_graph_destroy(&random);
    }
}
END_TEST

/* ---- ranks ---- */

/* The walk restarts at every step-th vertex. */
static void compare_ranks(const struct random_graph *random, double damping, uint32_t step)
{
    uint32_t source[random_max_vertices], sources = 0;
    igraph_vector_t wanted, restart;
    igraph_vector_init(&wanted, 0);
    igraph_vector_init(&restart, igraph_vcount(&random->peer));
    for (uint32_t v = 0; v < random->graph->vertices; v += step) {
        source[sources++] = v;
        VECTOR(restart)[v] = 1;
    }
    struct gws_pagerank_options options = {
        .damping = damping, .tolerance = 1e-13, .source = step > 1 ? source : NULL, .sources = step > 1 ? sources : 0};
    struct gws_pagerank_result result = {0};
    ck_assert_int_eq(pagerank(&random->peer, damping, &restart, &wanted), IGRAPH_SUCCESS);
    ck_assert_int_eq(gws_pagerank(runtime, random->graph, &options, &result), GWS_OK);
    for (uint64_t v = 0; v < result.vertices; v++)
        compare(random, "rank of vertex", v, result.rank[v], VECTOR(wanted)[v]);
    gws_pagerank_result_clear(&result);
    igraph_vector_destroy(&restart);
    igraph_vector_destroy(&wanted);
}

/* A loop of an undirected graph counts twice for igraph's walk, like its degree, but is one arc of the library. So only
 * directed graphs have loops here. */
START_TEST(ranks)
{
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, seed % 2);
        compare_ranks(&random, 0.85, 1);
        compare_ranks(&random, 0.5, 3);
        random_graph_destroy(&random);
    }
}
END_TEST

/* ---- triangles and cores, of the graph without directions, loops and parallel edges ---- */

static void make_simple(igraph_t *graph)
{
    ck_assert_int_eq(igraph_to_undirected(graph, IGRAPH_TO_UNDIRECTED_COLLAPSE, NULL), IGRAPH_SUCCESS);
    ck_assert_int_eq(igraph_simplify(graph, true, true, NULL), IGRAPH_SUCCESS);
}

static void compare_triangles(const struct random_graph *random)
{
    struct gws_triangles_options options = {.parts = GWS_TRIANGLES_COUNT | GWS_TRIANGLES_CLUSTERING};
    struct gws_triangles_result result = {0};
    igraph_vector_t count, clustering;
    igraph_real_t transitivity;
    igraph_vector_init(&count, 0);
    igraph_vector_init(&clustering, 0);
    ck_assert_int_eq(triangles_of_vertices(&random->peer, &count), IGRAPH_SUCCESS);
    ck_assert_int_eq(
        igraph_transitivity_local_undirected(&random->peer, &clustering, igraph_vss_all(), IGRAPH_TRANSITIVITY_ZERO),
        IGRAPH_SUCCESS);
    ck_assert_int_eq(igraph_transitivity_undirected(&random->peer, &transitivity, IGRAPH_TRANSITIVITY_ZERO),
                     IGRAPH_SUCCESS);
    ck_assert_int_eq(gws_triangles(runtime, random->graph, &options, &result), GWS_OK);
    for (uint64_t v = 0; v < result.vertices; v++) {
        compare(random, "triangles of vertex", v, (double)result.count[v], VECTOR(count)[v]);
        compare(random, "clustering of vertex", v, result.clustering[v], VECTOR(clustering)[v]);
    }
    compare(random, "triangles of graph", random->seed, 3 * (double)result.triangles, igraph_vector_sum(&count));
    compare(random, "transitivity of graph", random->seed, result.transitivity, transitivity);
    gws_triangles_result_clear(&result);
    igraph_vector_destroy(&clustering);
    igraph_vector_destroy(&count);
}

static void compare_cores(const struct random_graph *random)
{
    struct gws_cores_result result = {0};
    igraph_vector_int_t core;
    igraph_vector_int_init(&core, 0);
    ck_assert_int_eq(igraph_coreness(&random->peer, &core, IGRAPH_ALL), IGRAPH_SUCCESS);
    ck_assert_int_eq(gws_cores(runtime, random->graph, &result), GWS_OK);
    for (uint64_t v = 0; v < result.vertices; v++)
        compare(random, "coreness of vertex", v, result.core[v], (double)VECTOR(core)[v]);
    gws_cores_result_clear(&result);
    igraph_vector_int_destroy(&core);
}

START_TEST(triangles_and_cores)
{
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, true);
        make_simple(&random.peer);
        compare_triangles(&random);
        compare_cores(&random);
        random_graph_destroy(&random);
    }
}
END_TEST

/* ---- communities ---- */

static void compare_modularity(const struct random_graph *random, const struct gws_communities_options *options)
{
    struct gws_communities_result result = {0};
    igraph_vector_int_t membership;
    igraph_real_t wanted;
    bool weighted = !options->ignore_weights && options->method != GWS_COMMUNITIES_CDLP;
    ck_assert_int_eq(gws_communities(runtime, random->graph, options, &result), GWS_OK);
    igraph_vector_int_init(&membership, 0);
    for (uint64_t v = 0; v < result.vertices; v++) igraph_vector_int_push_back(&membership, result.community[v]);
    ck_assert_int_eq(igraph_modularity(&random->peer, &membership, weighted ? &random->weights : NULL,
                                       options->resolution, false, &wanted),
                     IGRAPH_SUCCESS);
    /* Without weight there is no modularity: igraph says "not a number", the library 0. */
    compare(random, "modularity by method", options->method, result.modularity, isnan(wanted) ? 0 : wanted);
    igraph_vector_int_destroy(&membership);
    gws_communities_result_clear(&result);
}

START_TEST(modularity)
{
    static const enum gws_communities_method method[] = {GWS_COMMUNITIES_LEIDEN, GWS_COMMUNITIES_LOUVAIN,
                                                         GWS_COMMUNITIES_CDLP};
    for (uint64_t seed = 0; seed < random_rounds(); seed++) {
        struct random_graph random = random_graph_draw(runtime, seed, true);
        for (int i = 0; i < 6; i++)
            compare_modularity(&random, &(struct gws_communities_options){.method = method[i % 3],
                                                                          .resolution = i < 3 ? 1 : 0.5,
                                                                          .ignore_weights = seed % 5 == 0});
        random_graph_destroy(&random);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("structure and igraph");
    TCase *tcase = tcase_create("random graphs");
    tcase_add_checked_fixture(tcase, open_runtime, close_runtime);
    tcase_add_test(tcase, components);
    tcase_add_test(tcase, ranks);
    tcase_add_test(tcase, triangles_and_cores);
    tcase_add_test(tcase, modularity);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(suite);
}
