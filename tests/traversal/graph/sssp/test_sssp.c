/* SPDX-License-Identifier: MIT */
/* Shortest paths on threads. The tests compare every shape, kind of weights and policy with the oracle, and run the
 * checker. */
#include "weights.h"

#include "../../../policies.h"

static struct gws_runtime *runtime;

static void search_and_check(const struct gws_graph *graph, uint32_t source, const struct gws_sssp_options *options,
                             struct gws_sssp_result *result)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_sssp(runtime, graph, source, options, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    status = gws_sssp_check(runtime, graph, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_uint_ge(result->relaxations, result->reached_arcs);
    ck_assert(!result->distance != !result->real_distance);
    ck_assert(result->ms >= 0 && result->delta > 0 && result->rounds > 0);
}

/* Each run of the test takes one shape, with arcs and weights of every kind, and reuses one result. Sanitizer runs take
 * one source and one width of buckets for each, in turn. */
START_TEST(distances_equal_the_oracles)
{
    struct gws_sssp_result result = {0};
    uint32_t searches = (uint32_t)_i;
    for (int i = 0; i < arc_kinds * weight_kinds; i++) {
        struct weighted made = add_weights(make_graph(shapes[_i].make, shapes[_i].vertices, (enum arcs)(i % arc_kinds)),
                                           (enum weights)(i / arc_kinds));
        runtime = policies_open((_i * 5 + i) % policies_count());
        const uint64_t half = shapes[_i].vertices / 2, first = gws_test_quick() && i % 2 ? half : 0;
        for (uint64_t source = first; source < shapes[_i].vertices;
             source += gws_test_quick() ? 2 * half + 1 : half + 1) {
            static const struct gws_sssp_options options[] = {{0}, {.delta = 1}, {.delta = 0.01}, {.delta = 1e12}};
            double *wanted = search_serially(made.graph, (uint32_t)source);
            enum { widths = sizeof options / sizeof *options };
            for (uint32_t o = gws_test_quick() ? searches++ % widths : 0; o < widths;
                 o += gws_test_quick() ? widths : 1) {
                search_and_check(made.graph, (uint32_t)source, &options[o], &result);
                compare_distances(made.graph, wanted, &result);
            }
            free(wanted);
        }
        gws_runtime_close(runtime);
        weighted_free(&made);
    }
    gws_sssp_result_clear(&result);
}
END_TEST

/* The graphs have long rows, and are so large that all workers take part. Sanitizer runs take smaller graphs, and each
 * policy in three of the runs. */
START_TEST(large_graphs)
{
    static const char *const names[] = {"kron:13", "grid:120x200", "road:30000", "uniform:12:40"};
    static const char *const small[] = {"kron:11", "grid:50x100", "road:7000", "uniform:10:40"};
    struct gws_graph *plain = generate(gws_test_quick() ? small[_i % 4] : names[_i % 4]);
    struct weighted made = add_weights(plain, (enum weights)(_i / 4));
    double *wanted = search_serially(made.graph, 5);
    struct gws_sssp_result result = {0};
    for (int policy = gws_test_quick() ? _i % 8 : 0; policy < policies_count(); policy += gws_test_quick() ? 8 : 1) {
        runtime = policies_open(policy);
        search_and_check(made.graph, 5, NULL, &result);
        compare_distances(made.graph, wanted, &result);
        gws_runtime_close(runtime);
    }
    gws_sssp_result_clear(&result);
    free(wanted);
    weighted_free(&made);
}
END_TEST

/* The distances leave no space for parents in a word. */
START_TEST(distances_of_many_bits)
{
    const uint64_t vertices = gws_test_quick() ? 50000 : 200000;
    struct gws_graph *plain = make_graph(path, vertices, UNDIRECTED);
    int32_t *weight = malloc(plain->arcs * sizeof *weight);
    struct gws_graph *graph = NULL;
    struct gws_sssp_result result = {0};
    runtime = open_runtime(NULL, 2, 0);
    for (uint64_t a = 0; a < plain->arcs; a++) weight[a] = INT32_MAX;
    ck_assert_int_eq(gws_graph_wrap(runtime, vertices, plain->offset, plain->target, weight, false, true, &graph),
                     GWS_OK);
    for (int i = 0; i < 2; i++) {
        search_and_check(graph, 0, NULL, &result);
        for (uint64_t v = 0; v < vertices; v++)
            if (result.distance[v] != v * INT32_MAX) ck_abort_msg("vertex %u", (uint32_t)v);
    }
    weight[vertices] = -1;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_sssp(runtime, graph, 0, NULL, &result, &where), GWS_INVALID);
    gws_sssp_result_clear(&result);
    gws_graph_destroy(graph);
    gws_graph_destroy(plain);
    gws_runtime_close(runtime);
    free(weight);
}
END_TEST

/* Tests a graph with the arcs 0 -> 1 -> 2, and 3 -> 0 with an invalid weight. */
static void check_invalid(const struct gws_graph *graph, const char *message)
{
    struct gws_sssp_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_sssp(runtime, graph, 3, NULL, &result, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
    ck_assert_ptr_null(result.parent);
    ck_assert_int_eq(gws_sssp(runtime, graph, 3, NULL, &result, NULL), GWS_INVALID);
    search_and_check(graph, 0, NULL, &result); /* the source does not reach the invalid arc */
    ck_assert_uint_eq(result.reached, 3);
    gws_sssp_result_clear(&result);
}

START_TEST(invalid_weights_are_named)
{
    const uint64_t offset[] = {0, 1, 2, 2, 3};
    const uint32_t target[] = {1, 2, 0};
    const int32_t weight[] = {4, 0, -7};
    const float real_weight[] = {4, 0, -0.5f};
    struct gws_graph *graph = NULL, *real = NULL;
    runtime = open_runtime(NULL, 2, 0);
    ck_assert_int_eq(gws_graph_wrap(runtime, 4, offset, target, weight, true, false, &graph), GWS_OK);
    gws_graph_set_first_id(graph, 1);
    check_invalid(graph, "from 4 to 1 has the weight -7");
    ck_assert_int_eq(gws_graph_wrap_real(runtime, 4, offset, target, real_weight, true, false, &real), GWS_OK);
    check_invalid(real, "from 3 to 0 has the weight -0.5");
    gws_graph_destroy(graph);
    gws_graph_destroy(real);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(invalid_arguments)
{
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED), *empty = make_graph(nothing, 0, UNDIRECTED);
    struct gws_sssp_result result = {.rounds = 77};
    struct gws_diagnostic where = {0};
    static const double delta[] = {-1, (double)INFINITY, (double)NAN};
    runtime = open_runtime(NULL, 2, 0);
    ck_assert_int_eq(gws_sssp(runtime, graph, 100, NULL, &result, &where), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_sssp(runtime, empty, 0, NULL, &result, NULL), GWS_OUT_OF_RANGE);
    for (int i = 0; i < 3; i++) {
        const struct gws_sssp_options options = {.delta = delta[i]};
        ck_assert_int_eq(gws_sssp(runtime, graph, 0, &options, &result, &where), GWS_INVALID);
    }
    ck_assert_uint_eq(result.rounds, 77);
    gws_sssp_result_clear(NULL);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
    gws_graph_destroy(empty);
}
END_TEST

static gws_status search_once(struct gws_runtime *with, void *context)
{
    struct gws_sssp_result result = {0};
    gws_status status = gws_sssp(with, context, 0, NULL, &result, NULL);
    if (status != GWS_OK) ck_assert_ptr_null(result.parent);
    if (status == GWS_OK) status = gws_sssp_check(with, context, &result, NULL);
    if (status == GWS_OK) status = gws_sssp(with, context, 1, NULL, &result, NULL);
    if (status == GWS_OK) status = gws_sssp_check(with, context, &result, NULL);
    gws_sssp_result_clear(&result);
    return status;
}

START_TEST(short_memory_is_reported)
{
    for (int i = 0; i < 2; i++) {
        struct weighted made =
            add_weights(i ? make_graph(star, 3000, UNDIRECTED) : make_graph(grid, 4000, UNDIRECTED), i ? ZEROS : SMALL);
        policies_fail(60, search_once, made.graph);
        weighted_free(&made);
    }
}
END_TEST

/* The limit is 24 bytes per vertex, and the memory per worker that the header states. */
START_TEST(memory_is_limited)
{
    static const char *const names[] = {"kron:16", "grid:300x300", "uniform:17:40"};
    static const char *const small[] = {"kron:14", "grid:200x200", "uniform:13:40"};
    struct weighted made = add_weights(generate(gws_test_quick() ? small[_i] : names[_i]), SMALL);
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_sssp_result result = {0};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    search_and_check(made.graph, 1, NULL, &result);
    ck_assert_uint_le(atomic_load(&memory.peak), 24 * made.graph->vertices + 2 * 200000);
    gws_sssp_result_clear(&result);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    weighted_free(&made);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{distances_equal_the_oracles, shape_count},
                                    {large_graphs, 4 * weight_kinds},
                                    {distances_of_many_bits, 1},
                                    {invalid_weights_are_named, 1},
                                    {invalid_arguments, 1},
                                    {short_memory_is_reported, 1},
                                    {memory_is_limited, 3},
                                    {0}};
    return gws_test_run("sssp", test);
}
