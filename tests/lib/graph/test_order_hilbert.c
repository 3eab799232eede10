/* SPDX-License-Identifier: MIT */
/* A Hilbert curve steps from a cell to a neighbouring cell. Any numbers may be positions. */
#include "naive.h"

#include <float.h>
#include <math.h>

/* The cells of a square lattice whose side is a power of two lie on the curve one after the other. */
START_TEST(curve_visits_neighbours)
{
    static const struct {
        const char *description;
        uint64_t side;
    } cases[] = {{"grid:2x2", 2}, {"grid:4x4", 4}, {"grid:64x64", 64}};
    struct gws_runtime *runtime = naive_runtime(2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_graph_generate(runtime, cases[i].description, &graph, NULL), GWS_OK);
        uint32_t *name = naive_order(runtime, graph, GWS_ORDER_HILBERT), old[64 * 64];
        for (uint32_t v = 0; v < graph->vertices; v++) old[name[v]] = v;
        for (uint64_t k = 1; k < graph->vertices; k++)
            if (!naive_are_neighbours(cases[i].side, old[k - 1], old[k]))
                ck_abort_msg("%s: step %llu", cases[i].description, (unsigned long long)k);
        free(name);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* Orders six vertices without arcs at these positions. */
static void order_points(const double position[12], uint32_t name[6])
{
    struct gws_runtime *runtime = naive_runtime(2);
    static const uint64_t offset[7] = {0};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 6, offset, NULL, NULL, true, false, &graph), GWS_OK);
    gws_graph_borrow_positions(graph, position);
    uint32_t *found = naive_order(runtime, graph, GWS_ORDER_HILBERT);
    memcpy(name, found, 6 * sizeof *name);
    free(found);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a < b ? b - a : a - b;
}

/* Differences of the largest floats overflow, and quotients of the smallest do. Two groups must stay apart. */
START_TEST(extreme_positions)
{
    static const double sizes[] = {DBL_MAX, DBL_MIN, 4 * DBL_TRUE_MIN, 1e300, 1e-300, 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const double s = sizes[i], position[12] = {-s, -s, s, s, -s, -s, s, s, -s, -s, s, s};
        uint32_t name[6];
        order_points(position, name);
        const uint32_t right[6] = {0, 3, 1, 4, 2, 5};
        ck_assert_mem_eq(name, right, sizeof right);
    }
}
END_TEST

START_TEST(positions_that_are_no_numbers)
{
    const double mixed[12] = {NAN, 0, INFINITY, -INFINITY, 1, 1, -NAN, NAN, 0, 0, 1.01, 1.01};
    const double none[12] = {NAN, NAN, INFINITY, NAN, NAN, -INFINITY, NAN, NAN, INFINITY, INFINITY, NAN, 1},
                 same[12] = {3, 4, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4};
    uint32_t name[6];
    order_points(mixed, name);
    ck_assert_uint_eq(distance(name[2], name[5]), 1);
    order_points(none, name);
    order_points(same, name);
    for (uint32_t v = 0; v < 6; v++) ck_assert_uint_eq(name[v], v);
}
END_TEST

START_TEST(no_positions)
{
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = naive_random_graph(runtime, 3, 3, false, GWS_BUILD_DIRECTED, 1);
    uint32_t name[3] = {9, 9, 9};
    ck_assert_int_eq(gws_graph_order(runtime, graph, GWS_ORDER_HILBERT, 0, name), GWS_INVALID);
    ck_assert_uint_eq(name[0], 9);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{curve_visits_neighbours, 1},
                                    {extreme_positions, 1},
                                    {positions_that_are_no_numbers, 1},
                                    {no_positions, 1},
                                    {0}};
    return gws_test_run("order_hilbert", test);
}
