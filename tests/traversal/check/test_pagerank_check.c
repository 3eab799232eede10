/* SPDX-License-Identifier: MIT */
/* The checker must detect every fault of a result, and accept every correct result. */
#include "../../harness.h"

#include <math.h>

#include "../../../lib/graph.h"
#include "../../../traversal/pagerank.h"

enum { vertices = 6 };

/* The arcs are 0 -> 1 -> 2 -> 0, 0 -> 2, 3 -> 2 and 2 -> 4. Vertex 4 is dangling, and vertex 5 is isolated. */
static const struct gws_edge edge[] = {{0, 1}, {1, 2}, {2, 0}, {0, 2}, {3, 2}, {2, 4}};

static struct gws_runtime *runtime;
static struct gws_graph *graph;
static struct gws_pagerank_result result;
static struct gws_pagerank_options options;

static void set_up(void)
{
    const struct gws_options two = {.threads = 2};
    const struct gws_edge_block block = {.edge = edge, .count = sizeof edge / sizeof *edge};
    const struct gws_edges input = {.vertices = vertices, .blocks = 1, .block = &block};
    options = (struct gws_pagerank_options){.tolerance = 1e-9};
    result = (struct gws_pagerank_result){0};
    ck_assert_int_eq(gws_runtime_open(&two, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_build(runtime, &input, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    ck_assert_int_eq(gws_pagerank(runtime, graph, &options, &result), GWS_OK);
}

static void tear_down(void)
{
    gws_pagerank_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

static void finds(const char *words)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_pagerank_check(runtime, graph, &options, &result, &where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, words) != NULL, "%s", where.message);
}

START_TEST(right_results)
{
    ck_assert_int_eq(gws_pagerank_check(runtime, graph, &options, &result, NULL), GWS_OK);
}
END_TEST

START_TEST(wrong_ranks)
{
    const double wrong[] = {-1e-3, 1.5, NAN, INFINITY};
    double *rank = result.rank, old = rank[3];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rank[3] = wrong[i];
        finds("vertex 3 has the rank");
    }
    rank[3] = old + 1e-6;
    finds("sum to");
    rank[0] -= 1e-6; /* the sum of the ranks is correct again */
    finds("one more step");
    rank[3] = old;
    rank[0] += 1e-6;
    for (uint32_t v = 0; v < vertices; v++) rank[v] = 1.0 / vertices;
    finds("one more step");
}
END_TEST

START_TEST(ranks_of_other_options)
{
    static const uint32_t source = 1;
    options.damping = 0.8;
    finds("one more step");
    options.damping = 0;
    options.source = &source;
    options.sources = 1;
    finds("one more step");
}
END_TEST

START_TEST(wrong_counts)
{
    result.converged = false;
    finds("said to be above");
    result.error = 1e-8;
    finds("ended before");
    result.converged = true;
    finds("said to be within");
    result.error = NAN;
    finds("iterations and an error");
    result.error = 1e-9;
    result.iterations = 0;
    finds("iterations and an error");
    result.iterations = 1001;
    finds("iterations and an error");
    result.iterations = 50;
    result.vertices--;
    finds("another graph");
    result.vertices++;
    ck_assert_int_eq(gws_pagerank_check(runtime, graph, &options, &result, NULL), GWS_OK);
}
END_TEST

START_TEST(wrong_options)
{
    static const uint32_t outside = vertices;
    options.damping = 1;
    ck_assert_int_eq(gws_pagerank_check(runtime, graph, &options, &result, NULL), GWS_INVALID);
    options.damping = 0;
    options.source = &outside;
    ck_assert_int_eq(gws_pagerank_check(runtime, graph, &options, &result, NULL), GWS_INVALID);
    options.sources = 1;
    ck_assert_int_eq(gws_pagerank_check(runtime, graph, &options, &result, NULL), GWS_OUT_OF_RANGE);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{right_results, 1}, {wrong_ranks, 1},   {ranks_of_other_options, 1},
                                    {wrong_counts, 1},  {wrong_options, 1}, {0}};
    return gws_test_run_between("pagerank check", test, set_up, tear_down);
}
