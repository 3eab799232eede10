/* SPDX-License-Identifier: MIT */
/* Reverse Cuthill-McKee order gives a path bandwidth 1, and a lattice hardly more than its width. */
#include "naive.h"

enum { long_path = 5000 };

/* Makes a path through the vertices in random order. Every third edge has the opposite direction. */
static struct gws_graph *path(struct gws_runtime *runtime, enum gws_build_kind kind)
{
    struct gws_edge *edge = malloc(long_path * sizeof *edge);
    struct gws_graph *graph = NULL, *result;
    for (uint32_t v = 0; v + 1 < long_path; v++) edge[v] = (struct gws_edge){v % 3 ? v : v + 1, v % 3 ? v + 1 : v};
    const struct gws_edge_block block = {.edge = edge, .count = long_path - 1};
    ck_assert_int_eq(gws_graph_build(runtime, &(struct gws_edges){long_path, 1, &block},
                                     &(struct gws_build_options){.kind = kind}, &graph),
                     GWS_OK);
    result = naive_relabelled(runtime, graph, GWS_ORDER_RANDOM);
    gws_graph_destroy(graph);
    free(edge);
    return result;
}

START_TEST(bandwidth_of_a_path)
{
    struct gws_runtime *runtime = naive_runtime(2);
    for (int turn = 0; turn < 3; turn++) { /* undirected, directed, directed with a reverse */
        struct gws_graph *graph = path(runtime, turn == 0 ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED), *result;
        if (turn == 2) ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
        ck_assert_uint_gt(naive_gaps(runtime, graph).max, 1000);
        result = naive_relabelled(runtime, graph, GWS_ORDER_RCM);
        ck_assert_uint_eq(naive_gaps(runtime, result).max, 1);
        ck_assert_int_eq(graph->reverse != NULL, turn == 2);
        gws_graph_destroy(result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* A search from a corner of a lattice has levels of at most the lattice's width. A search from elsewhere would not. */
START_TEST(bandwidth_of_a_lattice)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *graph = naive_shuffled(runtime, "grid:400x10"),
                     *result = naive_relabelled(runtime, graph, GWS_ORDER_RCM);
    ck_assert_uint_le(naive_gaps(runtime, result).max, 11);
    gws_graph_destroy(result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The vertices of a component have consecutive numbers. */
START_TEST(components_are_contiguous)
{
    enum { count = 3000 };
    struct gws_runtime *runtime = naive_runtime(2);
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct gws_graph *graph = naive_random_graph(runtime, count, 1200, false, GWS_BUILD_DIRECTED, seed);
        uint32_t *name = naive_order(runtime, graph, GWS_ORDER_RCM), component[count], low[count], high[count];
        uint32_t size[count] = {0};
        ck_assert_int_eq(gws_graph_components(runtime, graph, component, NULL), GWS_OK);
        for (uint32_t v = 0; v < count; v++) {
            uint32_t root = component[v];
            if (size[root]++ == 0) low[root] = high[root] = name[v];
            if (name[v] < low[root]) low[root] = name[v];
            if (name[v] > high[root]) high[root] = name[v];
        }
        for (uint32_t v = 0; v < count; v++)
            if (size[v] && high[v] - low[v] + 1 != size[v]) ck_abort_msg("component %u", v);
        free(name);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* A vertex of a star has thousands of neighbours, which heap sort orders by degree. Pendant paths give them different
 * degrees. */
START_TEST(hub)
{
    enum { leaves = 3000 };
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_edge edge[2 * leaves];
    uint32_t count = 0;
    for (uint32_t v = 1; v <= leaves; v++) edge[count++] = (struct gws_edge){0, v};
    for (uint32_t v = 1; v < leaves; v++)
        if (gws_random_at(2, v) % 2) edge[count++] = (struct gws_edge){v, v + 1};
    const struct gws_edge_block block = {.edge = edge, .count = count};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &(struct gws_edges){leaves + 1, 1, &block},
                                     &(struct gws_build_options){.kind = GWS_BUILD_SYMMETRISE}, &graph),
                     GWS_OK);
    uint32_t *name = naive_order(runtime, graph, GWS_ORDER_RCM), old[leaves + 1];
    for (uint32_t v = 0; v <= leaves; v++) old[name[v]] = v;
    ck_assert_uint_gt(name[0], leaves / 2);
    for (uint32_t i = 1; i + 16 < name[0]; i++) { /* the leaves of the last level, reversed */
        uint64_t before = gws_graph_degree(graph, old[i - 1]), after = gws_graph_degree(graph, old[i]);
        if (before < after || (before == after && old[i - 1] < old[i])) ck_abort_msg("out of order at %u", i);
    }
    free(name);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {bandwidth_of_a_path, 1}, {bandwidth_of_a_lattice, 1}, {components_are_contiguous, 1}, {hub, 1}, {0}};
    return gws_test_run("order_rcm", test);
}
