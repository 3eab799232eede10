/* SPDX-License-Identifier: MIT */
/* The checker must detect every fault of a result, and accept every correct result. */
#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../traversal/communities.h"

enum { vertices = 7 };

/* An edge joins the triangles 0 1 2 and 3 4 5. Vertex 6 is isolated. */
static const struct gws_edge edge[] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}};

static struct gws_runtime *runtime;
static struct gws_graph *graph;
static struct gws_communities_result result;
static struct gws_communities_options options;

static void find(enum gws_communities_method method)
{
    options = (struct gws_communities_options){.method = method};
    ck_assert_int_eq(gws_communities(runtime, graph, &options, &result), GWS_OK);
    ck_assert_int_eq(gws_communities_check(runtime, graph, &options, &result, NULL), GWS_OK);
}

static void set_up(void)
{
    const struct gws_options two = {.threads = 2};
    const struct gws_edge_block block = {.edge = edge, .count = sizeof edge / sizeof *edge};
    const struct gws_edges input = {.vertices = vertices, .blocks = 1, .block = &block};
    const struct gws_build_options build = {.kind = GWS_BUILD_SYMMETRISE};
    result = (struct gws_communities_result){0};
    ck_assert_int_eq(gws_runtime_open(&two, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_build(runtime, &input, &build, &graph), GWS_OK);
    find(GWS_COMMUNITIES_LEIDEN);
}

static void tear_down(void)
{
    gws_communities_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

static void finds(const char *words)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_communities_check(runtime, graph, &options, &result, &where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, words) != NULL, "%s", where.message);
}

START_TEST(right_results)
{
    const uint32_t wanted[vertices] = {0, 0, 0, 3, 3, 3, 6};
    ck_assert_int_eq(memcmp(result.community, wanted, sizeof wanted), 0);
    ck_assert_uint_eq(result.count, 3);
    ck_assert_uint_eq(result.largest, 3);
    find(GWS_COMMUNITIES_LOUVAIN);
    find(GWS_COMMUNITIES_CDLP);
}
END_TEST

START_TEST(wrong_labels)
{
    uint32_t *label = result.community;
    label[4] = vertices;
    finds("vertex 4 has a label that is not a vertex");
    label[4] = 5;
    finds("vertex 4 has a label that is not the smallest");
    label[4] = 1; /* vertex 1 has the label 0 */
    finds("vertex 4 has a label that is not the smallest");
    label[4] = 3;
    label[6] = 3;
    finds("2 communities");
    result.count = 2;
    finds("at most 4 vertices");
    result.largest = 4;
    finds("vertex 6 is not connected"); /* the label of an isolated vertex does not affect the modularity */
    label[6] = 6;
    result.count = 3;
    result.largest = 3;
    ck_assert_int_eq(gws_communities_check(runtime, graph, &options, &result, NULL), GWS_OK);
}
END_TEST

START_TEST(wrong_modularity)
{
    result.modularity += 1e-5;
    finds("modularity");
    result.modularity -= 1e-5;
    options.resolution = 1.5;
    finds("modularity");
    options.resolution = 0;
    result.vertices--;
    finds("another graph");
    result.vertices++;
    ck_assert_int_eq(gws_communities_check(runtime, graph, &options, &result, NULL), GWS_OK);
}
END_TEST

/* Each case is label propagation that stopped early, or a label that the rule does not give. */
START_TEST(wrong_propagation)
{
    find(GWS_COMMUNITIES_CDLP);
    options.iterations = 1;
    result.levels = 1;
    finds("has another label by the rule");
    result.levels = 2;
    finds("2 iterations");
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {right_results, 1}, {wrong_labels, 1}, {wrong_modularity, 1}, {wrong_propagation, 1}, {0}};
    return gws_test_run_between("communities check", test, set_up, tear_down);
}
