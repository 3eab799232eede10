/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <math.h>

/* the arcs 0 -> 1 2 and 2 -> 0 0 2 */
static const uint64_t good_offset[] = {0, 2, 2, 5};
static const uint32_t good_target[] = {1, 2, 0, 0, 2};
static const int32_t good_weight[] = {9, 8, 7, 6, 5};

START_TEST(sound_arrays)
{
    struct gws_runtime *runtime = naive_runtime(2);
    for (int i = 0; i < 8; i++) {
        struct gws_graph *graph = NULL;
        const int32_t *weight = i & 1 ? good_weight : NULL;
        ck_assert_int_eq(gws_graph_wrap(runtime, 3, good_offset, good_target, weight, i & 2, i & 4, &graph), GWS_OK);
        ck_assert_ptr_eq(graph->offset, good_offset);
        ck_assert_ptr_eq(graph->target, good_target);
        ck_assert_ptr_eq(graph->weight, weight);
        ck_assert_uint_eq(graph->arcs, 5);
        ck_assert_int_eq(graph->directed, (i & 2) != 0);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(real_weights)
{
    struct gws_runtime *runtime = naive_runtime(2);
    const float bad[] = {INFINITY, -INFINITY, NAN};
    float weight[] = {9.5F, 8, 7, 6, -0.25F};
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_graph_wrap_real(runtime, 3, good_offset, good_target, weight, true, false, &graph), GWS_OK);
    ck_assert_ptr_eq(graph->real_weight, weight);
    ck_assert_ptr_null(graph->weight);
    for (int i = 0; i < 3; i++) {
        struct gws_graph *none = NULL;
        weight[3] = bad[i];
        ck_assert_int_eq(gws_graph_check_rows(runtime, graph, &where), GWS_INVALID);
        ck_assert_str_eq(where.message, "the row of vertex 2 has a weight that is not finite");
        ck_assert_int_eq(gws_graph_wrap_real(runtime, 3, good_offset, good_target, weight, true, false, &none),
                         GWS_INVALID);
        ck_assert_ptr_null(none);
    }
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(no_vertices)
{
    struct gws_runtime *runtime = naive_runtime(2);
    const uint64_t offset[1] = {0}, bad[1] = {1};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 0, offset, good_target, NULL, false, false, &graph), GWS_OK);
    ck_assert_uint_eq(graph->arcs, 0);
    gws_graph_destroy(graph);
    graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 0, bad, good_target, NULL, false, false, &graph), GWS_INVALID);
    ck_assert_ptr_null(graph);
    gws_runtime_close(runtime);
}
END_TEST

static const struct bad_graph {
    uint64_t offset[4];
    uint32_t target[5];
    gws_status status;
    const char *message; /* a substring of the message */
} bad_rows[] = {
    {{1, 2, 2, 5}, {1, 2, 0, 0, 2}, GWS_INVALID, "begin at 0"},
    {{0, 3, 2, 5}, {1, 2, 2, 0, 2}, GWS_INVALID, "fall after vertex 1"},
    {{0, UINT64_MAX, 2, 5}, {1, 2, 2, 0, 2}, GWS_INVALID, "vertex 0"},
    {{0, 6, 6, 5}, {1, 2, 2, 0, 2}, GWS_INVALID, "vertex 0"},
    {{0, 2, 2, 5}, {1, 3, 0, 0, 2}, GWS_OUT_OF_RANGE, "vertex 0 has an arc to 3"},
    {{0, 2, 2, 5}, {1, 2, UINT32_MAX, 0, 2}, GWS_OUT_OF_RANGE, "vertex 2 has an arc to 4294967295"},
    {{0, 2, 2, 5}, {2, 1, 0, 0, 2}, GWS_INVALID, "vertex 0 is not in ascending"},
    {{0, 2, 2, 5}, {1, 2, 0, 2, 1}, GWS_INVALID, "vertex 2 is not in ascending"},
};

START_TEST(unsound_arrays)
{
    const struct bad_graph *bad = &bad_rows[_i];
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, bad->offset, bad->target, NULL, true, false, &graph), bad->status);
    ck_assert_ptr_null(graph);
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, bad->offset, bad->target, NULL, true, true, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_check_rows(runtime, graph, &where), bad->status);
    ck_assert_msg(strstr(where.message, bad->message) != NULL, "\"%s\" lacks \"%s\"", where.message, bad->message);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* A graph is invalid if its number of arcs differs from the last offset. */
START_TEST(arcs_that_disagree)
{
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, good_offset, good_target, NULL, true, true, &graph), GWS_OK);
    graph->arcs = 4;
    ck_assert_int_eq(gws_graph_check_rows(runtime, graph, NULL), GWS_INVALID);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The check reports the smallest vertex with an invalid row, regardless of the workers' order. */
START_TEST(first_of_many_bad_rows)
{
    struct gws_runtime *runtime = naive_runtime(8);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:400x300", &graph, NULL), GWS_OK);
    uint32_t *target = malloc(graph->arcs * sizeof *target);
    memcpy(target, graph->target, graph->arcs * sizeof *target);
    for (uint64_t v = 777; v < graph->vertices; v++) target[graph->offset[v]] = UINT32_MAX;
    struct gws_graph *bad = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_graph_wrap(runtime, graph->vertices, graph->offset, target, NULL, true, true, &bad), GWS_OK);
    ck_assert_int_eq(gws_graph_check_rows(runtime, bad, &where), GWS_OUT_OF_RANGE);
    ck_assert_ptr_nonnull(strstr(where.message, "vertex 777 "));
    gws_graph_destroy(bad);
    gws_graph_destroy(graph);
    free(target);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(too_many_vertices)
{
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, UINT64_C(1) << 32, good_offset, good_target, NULL, true, true, &graph),
                     GWS_TOO_LARGE);
    ck_assert_ptr_null(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(no_memory)
{
    struct gws_test_memory memory = {0};
    struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime;
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    memory.fail_at = memory.calls + 1;
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, good_offset, good_target, NULL, true, false, &graph), GWS_NO_MEMORY);
    ck_assert_ptr_null(graph);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

/* The test compares the search for every possible arc in the rows {1, 1, 3}, {}, {0}, {3} with a linear scan. */
START_TEST(arcs_are_found)
{
    static const uint64_t offset[] = {0, 3, 3, 4, 5};
    static const uint32_t target[] = {1, 1, 3, 0, 3};
    const struct gws_graph graph = {.vertices = 4, .arcs = 5, .offset = offset, .target = target};
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++) {
            uint64_t arc = offset[from];
            while (arc < offset[from + 1] && target[arc] < to) arc++;
            ck_assert_uint_eq(gws_graph_find_arc(&graph, from, to), arc);
            ck_assert_int_eq(gws_graph_has_arc(&graph, from, to), arc < offset[from + 1] && target[arc] == to);
        }
    for (uint64_t arc = 0; arc < 5; arc++) {
        uint64_t row = gws_bounds_find(offset, 1, 4, arc);
        ck_assert(offset[row] <= arc && arc < offset[row + 1]);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{sound_arrays, 1},       {real_weights, 1},
                                    {no_vertices, 1},        {unsound_arrays, sizeof bad_rows / sizeof *bad_rows},
                                    {arcs_that_disagree, 1}, {first_of_many_bad_rows, 1},
                                    {too_many_vertices, 1},  {arcs_are_found, 1},
                                    {no_memory, 1},          {0}};
    return gws_test_run("wrap", test);
}
