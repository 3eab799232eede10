/* SPDX-License-Identifier: MIT */
/* The checker of betweenness centrality. The tests break each rule by hand, and the checker must find each fault. */
#include "../graph/bfs/shapes.h"

#include <math.h>

#include "../../../traversal/betweenness.h"

static struct gws_runtime *by;
static struct gws_graph *graph;
static struct gws_betweenness_result result;
static struct gws_betweenness_options options;

static void open_result(const char *name, uint64_t samples)
{
    by = open_runtime(NULL, 2, 0);
    graph = generate(name);
    options = (struct gws_betweenness_options){.samples = samples, .arcs = true};
    ck_assert_int_eq(gws_betweenness(by, graph, &options, &result), GWS_OK);
    ck_assert_int_eq(gws_betweenness_check(by, graph, &options, &result, NULL), GWS_OK);
}

static void close_result(void)
{
    gws_betweenness_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(by);
}

static void must_fail(const char *message)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_betweenness_check(by, graph, &options, &result, &where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
}

/* Sets *value to wrong for one check, which must fail with the message. */
static void must_fail_with(double *value, double wrong, const char *message)
{
    double right = *value;
    *value = wrong;
    must_fail(message);
    *value = right;
}

static void check_shapes_of_results(void)
{
    double *centrality = result.centrality, *arc = result.arc;
    result.vertices--;
    must_fail("another graph");
    result.vertices++;
    result.arcs++;
    must_fail("another graph");
    result.arcs--;
    result.centrality = NULL;
    must_fail("another graph");
    result.centrality = centrality;
    result.arc = NULL;
    must_fail("missing");
    result.arc = arc;
    must_fail_with(&result.centrality[3], -1, "the value of vertex");
    must_fail_with(&result.centrality[3], NAN, "the value of vertex");
    must_fail_with(&result.arc[3], -1, "an arc has");
}

/* The work is small, so the checker repeats it. */
START_TEST(repetition)
{
    open_result("kron:8", 0);
    uint64_t a = graph->offset[graph->vertices] / 2;
    check_shapes_of_results();
    result.sources--;
    must_fail("another graph");
    result.sources++;
    must_fail_with(&result.centrality[7], result.centrality[7] + 1e-3, "the value of vertex");
    must_fail_with(&result.arc[a], result.arc[a] * (1 + 1e-6), "the value of an arc");
    options.normalised = true;
    must_fail("the value of vertex");
    close_result();
}
END_TEST

/* The work is larger, so the checker compares sums. */
START_TEST(sums)
{
    if (gws_test_quick()) return; /* the checker compares sums only from 2^28 arcs on */
    open_result("kron:16", 200);
    uint64_t v = 0;
    while (gws_graph_degree(graph, (uint32_t)v) < 2) v++;
    check_shapes_of_results();
    must_fail_with(&result.centrality[v], result.centrality[v] * 2 + 1000, "the sum over all vertices");
    must_fail_with(&result.arc[graph->offset[v]], result.arc[graph->offset[v]] * 2 + 1000, "the sum over all arcs");
    double *arc = &result.arc[graph->offset[v]], one = arc[0], two = arc[1];
    arc[0] = one + two;
    arc[1] = 0;
    ck_assert_int_eq(gws_betweenness_check(by, graph, &options, &result, NULL), GWS_OK);
    arc[0] = one + 100;
    arc[1] = two;
    result.arc[graph->arcs - 1] -= 100;
    if (result.arc[graph->arcs - 1] >= 0) must_fail("the sum over the arcs of vertex");
    result.arc[graph->arcs - 1] += 100;
    arc[0] = one;
    result.reached++;
    must_fail("the result says");
    result.reached--;
    result.source[4] = (uint32_t)graph->vertices;
    must_fail("a source");
    close_result();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{repetition, 1}, {sums, 1}, {0}};
    return gws_test_run("betweenness_check", test);
}
