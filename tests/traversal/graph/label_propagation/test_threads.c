/* SPDX-License-Identifier: MIT */
/* Compares label propagation on threads with the oracle and, on undirected graphs, with gws_graph_components(). */
#include "labels.h"

static uint32_t threads;

static void check(struct gws_graph *graph, const struct labels *wanted)
{
    struct gws_label_propagation_result result = {.label = malloc((graph->vertices + 1) * sizeof *result.label)};
    runtime = open_runtime(NULL, threads, 0);
    memset(result.label, 0x55, graph->vertices * sizeof *result.label);
    ck_assert_int_eq(gws_label_propagation(runtime, graph, &result), GWS_OK);
    check_labels(graph, wanted, &result);
    if (!graph->directed) {
        uint32_t *component = malloc((graph->vertices + 1) * sizeof *component);
        uint64_t count = 0;
        ck_assert_int_eq(gws_graph_components(runtime, graph, component, &count), GWS_OK);
        ck_assert_uint_eq(count, result.roots);
        ck_assert_int_eq(memcmp(component, result.label, graph->vertices * sizeof *component), 0);
        free(component);
    }
    gws_runtime_close(runtime);
    free(result.label);
}

START_TEST(labels_are_smallest)
{
    for (threads = 1; threads <= 4; threads += 3) on_shapes(check);
}
END_TEST

static gws_status label_once(struct gws_runtime *by, const void *context)
{
    const struct gws_graph *graph = context;
    struct gws_label_propagation_result result = {.label = malloc(graph->vertices * sizeof *result.label),
                                                  .rounds = 77};
    const gws_status status = gws_label_propagation(by, graph, &result);
    ck_assert_int_eq(result.rounds == 77, status != GWS_OK);
    free(result.label);
    return status;
}

START_TEST(short_memory_is_reported)
{
    struct gws_graph *graph = make_graph(grid, 3000, UNDIRECTED);
    gws_test_each_allocation(2, label_once, graph);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{labels_are_smallest, 1}, {short_memory_is_reported, 1}, {0}};
    return gws_test_run("label propagation", test);
}
