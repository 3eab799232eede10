/* SPDX-License-Identifier: MIT */
#include "naive.h"

static int compare_degrees(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void check(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_graph_summary found, expected = {.max_degree_vertex = GWS_NO_VERTEX};
    uint64_t *degree = calloc(graph->vertices + 1, sizeof *degree);
    bool *has_arc = calloc(graph->vertices + 1, sizeof *has_arc);
    struct naive naive = naive_of(graph);
    for (uint64_t i = 0; i < naive.arcs; i++) {
        degree[naive.arc[i].from]++;
        has_arc[naive.arc[i].from] = has_arc[naive.arc[i].to] = true;
        expected.loops += naive.arc[i].from == naive.arc[i].to;
        expected.duplicates +=
            i > 0 && naive.arc[i].from == naive.arc[i - 1].from && naive.arc[i].to == naive.arc[i - 1].to;
    }
    for (uint64_t v = graph->vertices; v-- > 0;) {
        expected.isolated += !has_arc[v];
        if (degree[v] >= expected.max_degree) expected.max_degree_vertex = (uint32_t)v;
        if (degree[v] >= expected.max_degree) expected.max_degree = degree[v];
    }
    qsort(degree, graph->vertices, sizeof *degree, compare_degrees);
    ck_assert_int_eq(gws_graph_summarise(runtime, graph, &found), GWS_OK);
    ck_assert_uint_eq(found.min_degree, degree[0]);
    ck_assert_uint_eq(found.max_degree, expected.max_degree);
    ck_assert_uint_eq(found.median_degree, graph->vertices ? degree[(graph->vertices - 1) / 2] : 0);
    ck_assert_uint_eq(found.isolated, expected.isolated);
    ck_assert_uint_eq(found.max_degree_vertex, expected.max_degree_vertex);
    ck_assert_uint_eq(gws_graph_max_degree_vertex(graph), expected.max_degree_vertex);
    ck_assert_uint_eq(found.loops, expected.loops);
    ck_assert_uint_eq(found.duplicates, expected.duplicates);
    ck_assert(found.mean_degree == (graph->vertices ? (double)graph->arcs / (double)graph->vertices : 0.0));
    naive_clear(&naive);
    free(degree);
    free(has_arc);
}

START_TEST(random_graphs)
{
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i);
    for (uint64_t seed = 0; seed < 60; seed++) {
        /* graphs of at most 3 vertices have degrees in the thousands, so the median is not a small degree */
        uint64_t vertices = seed % 4 == 0 ? seed % 3 + 1 : 1 + gws_random_at(seed, 0) % 3000;
        enum gws_build_kind kind = seed % 5 ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE;
        struct gws_graph *graph =
            naive_random_graph(runtime, vertices, gws_random_at(seed, 1) % 9000, false, kind, seed);
        check(runtime, graph);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(no_vertices)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_edges edges = {.vertices = 0};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    check(runtime, graph);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(no_memory)
{
    struct gws_test_memory memory = {0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    struct gws_graph_summary summary = {.isolated = 9};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    struct gws_graph *graph = naive_random_graph(runtime, 3, 5, false, GWS_BUILD_DIRECTED, 1);
    memory.fail_at = memory.calls + (uint64_t)_i;
    ck_assert_int_eq(gws_graph_summarise(runtime, graph, &summary), GWS_NO_MEMORY);
    ck_assert_uint_eq(summary.isolated, 9);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

static Suite *summarise_suite(void)
{
    Suite *suite = suite_create("summarise");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, random_graphs, 1, 4);
    tcase_add_test(all, no_vertices);
    tcase_add_loop_test(all, no_memory, 1, 3);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(summarise_suite);
}
