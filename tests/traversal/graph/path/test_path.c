/* SPDX-License-Identifier: MIT */
/* One shortest path. The tests compare paths by hops and by weights with the oracle, and run the checker. */
#include "../sssp/weights.h"

static struct gws_runtime *runtime;

/* Searches, and compares the length with the oracle's length. */
static void search_and_check(const struct gws_graph *graph, uint32_t source, uint32_t target, bool hops, double wanted,
                             struct gws_path_result *result)
{
    const struct gws_path_options options = {.hops = hops};
    struct gws_diagnostic where = {0};
    gws_status status = gws_path(runtime, graph, source, target, &options, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    status = gws_path_check(runtime, graph, result, &where);
    ck_assert_msg(status == GWS_OK, "%u to %u: %s", source, target, where.message);
    if ((result->length > 0) != (wanted < (double)INFINITY)) ck_abort_msg("%u to %u: reached?", source, target);
    if (result->length == 0) return;
    double length = result->real_distance ? result->real_distance[result->length - 1]
                                          : (double)result->distance[result->length - 1];
    if (fabs(length - wanted) > (result->real_distance ? 1e-12 * wanted : 0))
        ck_abort_msg("%u to %u: %.17g, not %.17g", source, target, length, wanted);
}

/* The test finds paths from some sources to some targets of one shape, with arcs and weights of every kind. */
START_TEST(lengths_equal_the_oracles)
{
    struct gws_path_result result = {0};
    uint64_t vertices = shapes[_i].vertices, step = vertices / 5 + 1;
    runtime = open_runtime(NULL, 2, 0);
    for (int i = 0; i < arc_kinds * weight_kinds; i++) {
        if (gws_test_quick() && (i + _i) % 3) continue; /* each kind, on other shapes */
        struct gws_graph *plain = make_graph(shapes[_i].make, vertices, (enum arcs)(i % arc_kinds));
        struct weighted made = add_weights(plain, (enum weights)(i / arc_kinds));
        if (i % arc_kinds == DIRECTED_WITH_REVERSE)
            ck_assert_int_eq(gws_graph_add_reverse(runtime, made.graph), GWS_OK);
        for (uint64_t source = 0; source < vertices; source += (gws_test_quick() ? 4 : 2) * step) {
            double *wanted = search_serially(made.graph, (uint32_t)source);
            double *hops = search_serially(made.plain, (uint32_t)source);
            for (uint64_t target = 0; target < vertices; target += step) {
                search_and_check(made.graph, (uint32_t)source, (uint32_t)target, false, wanted[target], &result);
                search_and_check(made.graph, (uint32_t)source, (uint32_t)target, true, hops[target], &result);
            }
            free(wanted);
            free(hops);
        }
        weighted_free(&made);
    }
    gws_path_result_clear(&result);
    gws_runtime_close(runtime);
}
END_TEST

/* Both sides together must read only a small part of a large graph. */
START_TEST(near_targets_are_near)
{
    struct weighted made = add_weights(generate("grid:500x500"), SMALL);
    struct gws_path_result result = {0};
    runtime = open_runtime(NULL, 1, 0);
    for (int hops = 0; hops < 2; hops++) {
        const struct gws_path_options options = {.hops = hops};
        ck_assert_int_eq(gws_path(runtime, made.graph, 100250, 100270, &options, &result, NULL), GWS_OK);
        ck_assert_uint_gt(result.visited, 0);
        ck_assert_uint_lt(result.visited, 3000);
        ck_assert_uint_lt(result.arcs, 12000);
        if (hops) ck_assert_uint_eq(result.length, 21);
    }
    gws_path_result_clear(&result);
    weighted_free(&made);
    gws_runtime_close(runtime);
}
END_TEST

/* The path 0 -> 1 -> 2 -> 3 has an invalid weight in the middle. */
START_TEST(invalid_weights_are_named)
{
    const uint64_t offset[] = {0, 1, 2, 3, 3};
    const uint32_t target[] = {1, 2, 3};
    const int32_t weight[] = {4, -3, 1};
    const float real_weight[] = {4, -0.5f, 1};
    struct gws_path_result result = {0};
    struct gws_diagnostic where = {0};
    runtime = open_runtime(NULL, 1, 0);
    for (int i = 0; i < 4; i++) {
        struct gws_graph *graph = NULL;
        gws_status status = i % 2 ? gws_graph_wrap_real(runtime, 4, offset, target, real_weight, true, false, &graph)
                                  : gws_graph_wrap(runtime, 4, offset, target, weight, true, false, &graph);
        ck_assert_int_eq(status, GWS_OK);
        if (i / 2) ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
        ck_assert_int_eq(gws_path(runtime, graph, 0, 3, NULL, &result, &where), GWS_INVALID);
        ck_assert_msg(
            strstr(where.message, i % 2 ? "from 1 to 2 has the weight -0.5" : "from 1 to 2 has the weight -3"), "%s",
            where.message);
        ck_assert_int_eq(gws_path(runtime, graph, 0, 1, NULL, &result, NULL), GWS_OK);
        const struct gws_path_options hops = {.hops = true};
        ck_assert_int_eq(gws_path(runtime, graph, 0, 3, &hops, &result, NULL), GWS_OK);
        ck_assert_uint_eq(result.length, 4);
        ck_assert_int_eq(gws_path(runtime, graph, 0, 4, NULL, &result, &where), GWS_OUT_OF_RANGE);
        ck_assert_int_eq(gws_path(runtime, graph, 4, 0, NULL, &result, &where), GWS_OUT_OF_RANGE);
        gws_path_result_clear(&result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

static gws_status path_once(struct gws_runtime *by, const void *graph)
{
    struct gws_path_result result = {0};
    const gws_status status = gws_path(by, graph, 0, 3999, NULL, &result, NULL);
    ck_assert_int_eq(result.length == 0, status != GWS_OK);
    gws_path_result_clear(&result);
    return status;
}

START_TEST(short_memory_is_reported)
{
    struct weighted made = add_weights(make_graph(grid, 4000, UNDIRECTED), SMALL);
    gws_test_each_allocation(1, path_once, made.graph);
    weighted_free(&made);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{lengths_equal_the_oracles, shape_count},
                                    {near_targets_are_near, 1},
                                    {invalid_weights_are_named, 1},
                                    {short_memory_is_reported, 1},
                                    {0}};
    return gws_test_run("path", test);
}
