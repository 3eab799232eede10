/* SPDX-License-Identifier: MIT */
/* Compares closeness, harmonic centrality and eccentricity with a serial search from every vertex. */
#include "../bfs/shapes.h"

#include "values.h"

/* Computes the values, compares some of them with serial searches, and checks all of them. */
static void run(struct gws_runtime *by, const struct gws_graph *graph, const struct gws_closeness_options *options,
                struct gws_closeness_result *result)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_closeness(by, graph, options, result), GWS_OK);
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_msg(gws_closeness_check(by, graph, options, result, &where) == GWS_OK, "%s", where.message);
    compare_entries(graph, options, result);
}

static const struct {
    uint32_t threads;
    uint64_t memory;
} strategies[] = {{1, 1}, {1, 0}, {3, 1}, {3, 0}, {2, 1 << 20}};

enum { strategy_count = sizeof strategies / sizeof *strategies };

START_TEST(every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    if ((enum arcs)(_i % arc_kinds) == DIRECTED) return;
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    struct gws_closeness_result result = {0};
    for (uint32_t i = 0; i < strategy_count; i++) {
        struct gws_runtime *by = open_runtime(NULL, strategies[i].threads, 0);
        struct gws_closeness_options options = {.memory = strategies[i].memory, .outgoing = i & 1, .unscaled = i & 2};
        if (gws_test_quick())
            options.samples = shape->vertices > 200 ? 20 : 0;
        else
            options.samples = shape->vertices > 2000 ? 150 : 0;
        run(by, graph, &options, &result);
        ck_assert((options.samples == 0) == (result.source == NULL));
        gws_runtime_close(by);
    }
    gws_closeness_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(generated)
{
    static const char *const names[][2] = {
        {"kron:13", "kron:9"}, {"road:30000", "road:2000"}, {"uniform:12", "uniform:8"}, {"grid:300x70", "grid:60x30"}};
    struct gws_graph *graph = generate(names[_i][gws_test_quick()]);
    const char *policy;
    struct gws_closeness_result result = {0};
    for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++) {
        struct gws_runtime *by = open_runtime(policy, 4, 0);
        struct gws_closeness_options options = {
            .samples = gws_test_quick() ? 70 : 100, .seed = p, .memory = p & 1 ? 1 : 8 << 20};
        run(by, graph, &options, &result);
        gws_runtime_close(by);
    }
    gws_closeness_result_clear(&result);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(given_sources_may_repeat)
{
    static const uint32_t source[] = {7, 7, 3, 99, 3};
    struct gws_graph *graph = make_graph(dense, 100, DIRECTED_WITH_REVERSE);
    struct gws_runtime *by = open_runtime(NULL, 2, 0);
    struct gws_closeness_result result = {0};
    struct gws_closeness_options options = {.source = source, .sources = 5};
    run(by, graph, &options, &result);
    ck_assert_uint_eq(result.total[0], result.total[1]);
    options.sources = 0;
    run(by, graph, &options, &result);
    gws_closeness_result_clear(&result);
    gws_runtime_close(by);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(bad_arguments_keep_the_result)
{
    struct gws_graph *graph = make_graph(path, 10, DIRECTED), *none = make_graph(nothing, 0, UNDIRECTED);
    struct gws_runtime *by = open_runtime(NULL, 2, 0);
    const uint32_t source[] = {3, 10};
    struct gws_closeness_options options = {.source = source, .sources = 2};
    struct gws_closeness_result result = {0};
    ck_assert_int_eq(gws_closeness(by, graph, &options, &result), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_closeness(by, graph, NULL, &result), GWS_NEEDS_REVERSE);
    ck_assert_ptr_null(result.scratch);
    ck_assert_int_eq(gws_graph_add_reverse(by, graph), GWS_OK);
    ck_assert_int_eq(gws_closeness(by, graph, NULL, &result), GWS_OK);
    ck_assert_int_eq(gws_closeness(by, graph, &options, &result), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_closeness_check(by, graph, NULL, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.diameter, 9);
    ck_assert_uint_eq(result.radius, 1);
    ck_assert_int_eq(gws_closeness(by, none, NULL, &result), GWS_OK);
    ck_assert_uint_eq(result.sources, 0);
    gws_closeness_result_clear(&result);
    gws_closeness_result_clear(NULL);
    gws_runtime_close(by);
    gws_graph_destroy(graph);
    gws_graph_destroy(none);
}
END_TEST

struct trial {
    const struct gws_graph *graph;
    struct gws_closeness_options options;
};

static gws_status closeness_once(struct gws_runtime *by, const void *context)
{
    const struct trial *trial = context;
    struct gws_closeness_result result = {0};
    const gws_status status = gws_closeness(by, trial->graph, &trial->options, &result);
    ck_assert_int_eq(result.scratch != NULL, status == GWS_OK);
    gws_closeness_result_clear(&result);
    return status;
}

START_TEST(short_memory)
{
    struct gws_graph *graph = make_graph(_i ? path : dense, 3000, UNDIRECTED);
    const struct trial trial = {graph, {.samples = 70, .memory = _i == 2 ? 0 : 1}};
    gws_test_each_allocation(2, closeness_once, &trial);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {every_shape, shape_count * arc_kinds}, {generated, 4},    {given_sources_may_repeat, 1},
        {bad_arguments_keep_the_result, 1},     {short_memory, 3}, {0}};
    return gws_test_run("closeness", test);
}
