/* SPDX-License-Identifier: MIT */
/* Tests builds with several pieces and buckets, and with buckets larger than the scratch. */
#include "naive.h"

/* The graphs are large enough for several pieces and buckets, and their hubs are too large for the scratch. */
START_TEST(larger_random_graphs)
{
    struct gws_runtime *runtime = naive_runtime(_i == 3 ? 8 : (uint32_t)_i + 1);
    for (uint64_t seed = 0; seed < 3; seed++) {
        const uint64_t vertices[] = {5, 40000, 700000};
        struct naive_edges edges = naive_random_edges(vertices[seed], 90000, 7, seed != 1, seed);
        for (int i = (int)seed; i < 12; i += gws_test_quick() ? 5 : 3) {
            struct gws_build_options options = naive_build_options(i);
            struct naive naive = naive_build(&edges.edges, &options);
            struct gws_graph *graph = NULL;
            ck_assert_int_eq(gws_graph_build(runtime, &edges.edges, &options, &graph), GWS_OK);
            naive_check(graph, &naive);
            gws_graph_destroy(graph);
            naive_clear(&naive);
        }
        naive_edges_clear(&edges);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* One row has half of all arcs, far more than a worker's scratch. The edges of this row come in scrambled order. */
START_TEST(star)
{
    struct gws_runtime *runtime = naive_runtime(3);
    /* `step` is a prime that divides neither number of leaves. */
    uint32_t leaves = gws_test_quick() ? 100000 : 2000000, step = 1299709;
    struct gws_edge *edge = malloc(leaves * sizeof *edge);
    for (uint32_t i = 0; i < leaves; i++)
        edge[i] = (struct gws_edge){leaves / 2, (uint32_t)((uint64_t)i * step % leaves)};
    struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRISE, .remove_loops = true};
    struct gws_edge_block block = {.edge = edge, .count = leaves};
    struct gws_edges edges = {.vertices = leaves, .blocks = 1, .block = &block};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    ck_assert_uint_eq(graph->arcs, 2 * (uint64_t)(leaves - 1));
    for (uint32_t v = 0; v < leaves; v++)
        if (gws_graph_degree(graph, v) != (v == leaves / 2 ? leaves - 1 : 1)) ck_abort_msg("wrong degree of %u", v);
    ck_assert_int_eq(gws_graph_check_rows(runtime, graph, NULL), GWS_OK);
    gws_graph_destroy(graph);
    free(edge);
    gws_runtime_close(runtime);
}
END_TEST

/* The input has the same arc a million times, in descending order of weight. */
START_TEST(parallel_arcs)
{
    struct gws_runtime *runtime = naive_runtime(2);
    uint32_t count = gws_test_quick() ? 50000 : 1000000;
    struct gws_edge *edge = malloc(count * sizeof *edge);
    int32_t *weight = malloc(count * sizeof *weight);
    for (uint32_t i = 0; i < count; i++) {
        edge[i] = (struct gws_edge){1, 2};
        weight[i] = (int32_t)(count / 2) - (int32_t)i;
    }
    struct gws_edge_block block = {.edge = edge, .weight = weight, .count = count};
    struct gws_edges edges = {.vertices = 3, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = GWS_BUILD_DIRECTED};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    for (uint32_t i = 1; i < count; i++)
        if (graph->weight[i] != graph->weight[i - 1] + 1) ck_abort_msg("weights out of order at %u", i);
    gws_graph_destroy(graph);
    options.remove_duplicates = true;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    ck_assert_uint_eq(graph->arcs, 1);
    ck_assert_int_eq(graph->weight[0], (int32_t)(count / 2) - (int32_t)(count - 1));
    gws_graph_destroy(graph);
    free(edge);
    free(weight);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{larger_random_graphs, 4}, {star, 1}, {parallel_arcs, 1}, {0}};
    return gws_test_run("scatter", test);
}
