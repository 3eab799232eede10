/* SPDX-License-Identifier: MIT */
/* Tests vertex ids, adopted and borrowed arrays, and the destruction of graphs. */
#include "naive.h"

static const uint64_t ring_offset[] = {0, 1, 2, 3}, ring_id[] = {5, 70, UINT64_MAX};
static const uint32_t ring_target[] = {1, 2, 0};

static struct gws_graph *ring(struct gws_runtime *runtime)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, ring_offset, ring_target, NULL, true, true, &graph), GWS_OK);
    return graph;
}

START_TEST(destroying_nothing)
{
    gws_graph_destroy(NULL);
}
END_TEST

START_TEST(ids_by_number)
{
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = ring(runtime);
    uint32_t vertex = 77;
    ck_assert_uint_eq(gws_graph_id(graph, 2), 2);
    gws_graph_set_first_id(graph, 10);
    ck_assert_uint_eq(gws_graph_id(graph, 2), 12);
    ck_assert_int_eq(gws_graph_find(graph, 12, &vertex), GWS_OK);
    ck_assert_uint_eq(vertex, 2);
    ck_assert_int_eq(gws_graph_find(graph, 9, &vertex), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_graph_find(graph, 13, &vertex), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_graph_find(graph, UINT64_MAX, &vertex), GWS_OUT_OF_RANGE);
    ck_assert_uint_eq(vertex, 2);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(sparse_ids)
{
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = ring(runtime);
    const uint64_t missing[] = {0, 4, 6, 69, 71, UINT64_MAX - 1};
    uint32_t vertex = 77;
    gws_graph_borrow_ids(graph, ring_id);
    for (uint32_t v = 0; v < 3; v++) {
        ck_assert_uint_eq(gws_graph_id(graph, v), ring_id[v]);
        ck_assert_int_eq(gws_graph_find(graph, ring_id[v], &vertex), GWS_OK);
        ck_assert_uint_eq(vertex, v);
    }
    for (int i = 0; i < 6; i++) ck_assert_int_eq(gws_graph_find(graph, missing[i], &vertex), GWS_OUT_OF_RANGE);
    static const uint64_t reversed[] = {70, UINT64_MAX, 5};
    static const uint32_t order[] = {2, 0, 1};
    gws_graph_borrow_ids(graph, reversed);
    gws_graph_borrow_id_order(graph, order);
    for (uint32_t v = 0; v < 3; v++) {
        ck_assert_int_eq(gws_graph_find(graph, reversed[v], &vertex), GWS_OK);
        ck_assert_uint_eq(vertex, v);
    }
    for (int i = 0; i < 6; i++) ck_assert_int_eq(gws_graph_find(graph, missing[i], &vertex), GWS_OUT_OF_RANGE);
    gws_graph_set_first_id(graph, 1);
    ck_assert_ptr_null(graph->id);
    ck_assert_ptr_null(graph->id_order);
    ck_assert_uint_eq(gws_graph_id(graph, 0), 1);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The graph frees adopted arrays when other arrays replace them and when it is destroyed, even after the runtime. */
START_TEST(adopted_arrays)
{
    struct gws_test_memory memory = {0};
    struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    struct gws_graph *graph = ring(runtime);
    for (int i = 0; i < 2; i++) {
        uint64_t *id = gws_allocate(runtime, 3, sizeof *id);
        double *position = gws_allocate(runtime, 6, sizeof *position);
        memcpy(id, ring_id, sizeof ring_id);
        gws_graph_adopt_ids(graph, id);
        gws_graph_adopt_positions(graph, position);
        ck_assert_ptr_eq(graph->id, id);
        ck_assert_ptr_eq(graph->position, position);
    }
    gws_graph_borrow_positions(graph, NULL);
    ck_assert_ptr_null(graph->position);
    gws_runtime_close(runtime);
    ck_assert_uint_eq(gws_graph_id(graph, 1), 70);
    gws_graph_destroy(graph);
    gws_test_memory_check(&memory);
}
END_TEST

static void count_call(void *context)
{
    ++*(int *)context;
}

START_TEST(callback_on_destroy)
{
    struct gws_runtime *runtime = naive_runtime(1);
    int first = 0, second = 0;
    struct gws_graph *graph = ring(runtime);
    gws_graph_on_destroy(graph, count_call, &first);
    gws_graph_on_destroy(graph, count_call, &second);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    ck_assert_ptr_nonnull(graph->reverse);
    gws_graph_destroy(graph);
    ck_assert_int_eq(first, 0);
    ck_assert_int_eq(second, 1);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{destroying_nothing, 1}, {ids_by_number, 1},       {sparse_ids, 1},
                                    {adopted_arrays, 1},     {callback_on_destroy, 1}, {0}};
    return gws_test_run("owner", test);
}
