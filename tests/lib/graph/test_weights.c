/* SPDX-License-Identifier: MIT */
/* Random weights are in range, depend on the seed, and are equal for both arcs of an edge and in the reverse. */
#include "../../harness.h"

#include "../../../lib/graph.h"

static struct gws_runtime *runtime;

static struct gws_graph *make(bool directed)
{
    struct gws_graph *graph = NULL;
    static const struct gws_edge edge[] = {{0, 1}, {1, 0}, {1, 2}, {2, 2}, {2, 0}, {1, 2}, {4, 3}};
    const struct gws_edge_block block = {.edge = edge, .count = sizeof edge / sizeof *edge};
    const struct gws_edges edges = {.vertices = 6, .blocks = 1, .block = &block};
    const struct gws_build_options options = {.kind = directed ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE};
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    return graph;
}

/* Returns the weight of the first arc between two vertices. */
static int32_t between(const struct gws_graph *graph, uint32_t from, uint32_t to)
{
    for (uint64_t a = graph->offset[from]; a < graph->offset[from + 1]; a++)
        if (graph->target[a] == to) return graph->weight[a];
    ck_abort_msg("no arc");
    return 0;
}

static void set_up(void)
{
    const struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void tear_down(void)
{
    gws_runtime_close(runtime);
}

START_TEST(both_arcs_agree)
{
    for (int directed = 0; directed < 2; directed++) {
        struct gws_graph *graph = make(directed);
        ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
        ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, 0, INT32_MAX, 7), GWS_OK);
        const struct gws_graph *reverse = directed ? graph->reverse : graph;
        ck_assert_int_eq(between(graph, 0, 1), between(graph, 1, 0));
        ck_assert_int_eq(between(graph, 1, 2), between(reverse, 2, 1));
        ck_assert_int_eq(between(graph, 4, 3), between(reverse, 3, 4));
        ck_assert_int_ne(between(graph, 4, 3), between(graph, 1, 2));
        int32_t before = between(graph, 2, 2);
        ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, 0, INT32_MAX, 8), GWS_OK);
        ck_assert_int_ne(between(graph, 2, 2), before);
        gws_graph_destroy(graph);
    }
}
END_TEST

START_TEST(weights_are_in_range)
{
    struct gws_graph *graph = NULL;
    uint64_t count[4] = {0};
    ck_assert_int_eq(gws_graph_generate(runtime, "uniform:10", &graph, NULL), GWS_OK);
    ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, 5, 8, 1), GWS_OK);
    for (uint64_t a = 0; a < graph->arcs; a++) {
        if (graph->weight[a] < 5 || graph->weight[a] > 8) ck_abort_msg("%d", graph->weight[a]);
        count[graph->weight[a] - 5]++;
    }
    for (int i = 0; i < 4; i++) ck_assert_uint_gt(count[i], graph->arcs / 5);
    ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, 3, 2, 1), GWS_INVALID);
    ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, -1, 2, 1), GWS_INVALID);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(short_memory_is_reported)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        const struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *opened = NULL, *outer = runtime;
        ck_assert_int_eq(gws_runtime_open(&options, &opened), GWS_OK);
        runtime = opened;
        struct gws_graph *graph = make(true);
        runtime = outer;
        ck_assert_int_eq(gws_graph_add_reverse(opened, graph), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_graph_draw_weights(opened, graph, 1, 2, 1);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(graph->weight == NULL, memory.failed);
        ck_assert_int_eq(graph->reverse->weight == NULL, memory.failed);
        gws_graph_destroy(graph);
        gws_runtime_close(opened);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {both_arcs_agree, 1}, {weights_are_in_range, 1}, {short_memory_is_reported, 1}, {0}};
    return gws_test_run_between("weights", test, set_up, tear_down);
}
