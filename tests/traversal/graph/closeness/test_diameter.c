/* SPDX-License-Identifier: MIT */
/* Compares diameters with a serial search from every vertex of the undirected graph. */
#include "../bfs/shapes.h"

#include "../../../../traversal/closeness.h"

static uint32_t diameter_of(const struct gws_graph *graph)
{
    uint32_t diameter = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        struct oracle oracle = oracle_new(graph, v);
        if (oracle.levels - 1 > diameter) diameter = oracle.levels - 1;
        oracle_free(&oracle);
    }
    return diameter;
}

static void check(struct gws_runtime *by, const struct gws_graph *graph, uint32_t wanted)
{
    struct gws_diameter_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_diameter(by, graph, &result), GWS_OK);
    ck_assert_uint_eq(result.vertices, graph->vertices);
    ck_assert_uint_eq(result.diameter, wanted);
    ck_assert_msg(gws_diameter_check(by, graph, &result, &where) == GWS_OK, "%s", where.message);
}

START_TEST(every_shape)
{
    const struct shape *shape = &shapes[_i];
    if (shape->vertices > (gws_test_quick() ? 400U : 5000U)) return;
    const uint64_t vertices = shape->vertices < 2000 ? shape->vertices : 2000; /* the oracle searches from each */
    struct gws_graph *undirected = make_graph(shape->make, vertices, UNDIRECTED);
    struct gws_graph *directed = make_graph(shape->make, vertices, DIRECTED);
    uint32_t wanted = diameter_of(undirected);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        struct gws_runtime *by = open_runtime(NULL, threads, 0);
        check(by, undirected, wanted);
        check(by, directed, wanted);
        gws_runtime_close(by);
    }
    gws_graph_destroy(undirected);
    gws_graph_destroy(directed);
}
END_TEST

START_TEST(generated)
{
    static const char *const names[][2] = {
        {"kron:12", "kron:9"}, {"road:5000", "road:900"}, {"uniform:10", "uniform:8"}, {"grid:90x50", "grid:30x17"}};
    struct gws_graph *graph = generate(names[_i][gws_test_quick()]);
    struct gws_runtime *by = open_runtime(NULL, 3, 0);
    check(by, graph, diameter_of(graph));
    gws_runtime_close(by);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(no_vertices)
{
    struct gws_graph *none = make_graph(nothing, 0, UNDIRECTED);
    struct gws_runtime *by = open_runtime(NULL, 2, 0);
    struct gws_diameter_result result = {0};
    ck_assert_int_eq(gws_diameter(by, none, &result), GWS_OK);
    ck_assert_uint_eq(result.from, GWS_NO_VERTEX);
    ck_assert_int_eq(gws_diameter_check(by, none, &result, NULL), GWS_OK);
    gws_runtime_close(by);
    gws_graph_destroy(none);
}
END_TEST

START_TEST(checker_finds_faults)
{
    struct gws_graph *graph = make_graph(grid, 2000, UNDIRECTED);
    struct gws_runtime *by = open_runtime(NULL, 2, 0);
    struct gws_diameter_result right = {0}, wrong;
    ck_assert_int_eq(gws_diameter(by, graph, &right), GWS_OK);
    wrong = right;
    wrong.vertices++;
    ck_assert_int_eq(gws_diameter_check(by, graph, &wrong, NULL), GWS_WRONG_RESULT);
    wrong = right;
    wrong.to = 2000;
    ck_assert_int_eq(gws_diameter_check(by, graph, &wrong, NULL), GWS_WRONG_RESULT);
    wrong = right;
    wrong.diameter--;
    ck_assert_int_eq(gws_diameter_check(by, graph, &wrong, NULL), GWS_WRONG_RESULT);
    wrong.from = wrong.to = 1000; /* an inner vertex: distance 0, then its eccentricity */
    wrong.diameter = 0;
    ck_assert_int_eq(gws_diameter_check(by, graph, &wrong, NULL), GWS_WRONG_RESULT);
    struct oracle oracle = oracle_new(graph, 1000);
    wrong.diameter = oracle.levels - 1;
    while (oracle.depth[wrong.to] != wrong.diameter) wrong.to = (wrong.to + 1) % 2000;
    ck_assert_int_eq(gws_diameter_check(by, graph, &wrong, NULL), GWS_WRONG_RESULT);
    oracle_free(&oracle);
    gws_runtime_close(by);
    gws_graph_destroy(graph);
}
END_TEST

static gws_status diameter_once(struct gws_runtime *by, const void *graph)
{
    struct gws_diameter_result result = {.searches = 77};
    const gws_status status = gws_diameter(by, graph, &result);
    ck_assert_int_eq(result.searches == 77, status != GWS_OK);
    return status;
}

START_TEST(short_memory)
{
    struct gws_graph *graph = make_graph(dense, 500, _i ? DIRECTED : UNDIRECTED);
    gws_test_each_allocation(2, diameter_once, graph);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_shape, shape_count}, {generated, 4},    {no_vertices, 1},
                                    {checker_finds_faults, 1},  {short_memory, 2}, {0}};
    return gws_test_run("diameter", test);
}
