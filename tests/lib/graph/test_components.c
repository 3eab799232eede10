/* SPDX-License-Identifier: MIT */
#include "naive.h"

/* Finds the components. Propagates the smaller label along arcs until no label changes. */
static uint32_t *naive_components(const struct gws_graph *graph, uint64_t *count)
{
    uint32_t *name = calloc(graph->vertices + 1, sizeof *name);
    for (uint64_t v = 0; v < graph->vertices; v++) name[v] = (uint32_t)v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t v = 0; v < graph->vertices; v++)
            for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
                uint32_t *a = &name[v], *b = &name[graph->target[i]];
                changed = changed || *a != *b;
                *a = *b = *a < *b ? *a : *b;
            }
    }
    *count = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) *count += name[v] == v;
    return name;
}

START_TEST(random_graphs)
{
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i);
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint64_t vertices = 1 + gws_random_at(seed, 0) % (seed % 10 ? 300 : 20000), expected, count = 77;
        struct gws_graph *graph = naive_random_graph(runtime, vertices, gws_random_at(seed, 1) % (vertices + 1), false,
                                                     seed % 2 ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE, seed);
        uint32_t *component = malloc((vertices + 1) * sizeof *component);
        uint32_t *name = naive_components(graph, &expected);
        ck_assert_int_eq(gws_graph_components(runtime, graph, component, &count), GWS_OK);
        ck_assert_mem_eq(component, name, vertices * sizeof *name);
        ck_assert_uint_eq(count, expected);
        ck_assert_int_eq(gws_graph_components(runtime, graph, component, NULL), GWS_OK);
        free(component);
        free(name);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The vertices of the path are in scrambled order. This order causes long chains of links, and races between
 * workers. */
START_TEST(scrambled_path)
{
    struct gws_runtime *runtime = naive_runtime(8);
    uint32_t count = gws_test_quick() ? 50000 : 500000, step = 1299709;
    struct gws_edge *edge = malloc(count * sizeof *edge);
    for (uint32_t i = 0; i < count; i++)
        edge[i] =
            (struct gws_edge){(uint32_t)((uint64_t)i * step % count), (uint32_t)((uint64_t)(i + 1) * step % count)};
    struct gws_edge_block block = {.edge = edge, .count = count - 1};
    struct gws_edges edges = {.vertices = count, .blocks = 1, .block = &block};
    struct gws_graph *graph = NULL;
    uint32_t *component = malloc(count * sizeof *component);
    uint64_t components = 0;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_components(runtime, graph, component, &components), GWS_OK);
    ck_assert_uint_eq(components, 1);
    for (uint32_t v = 0; v < count; v++) ck_assert_uint_eq(component[v], 0);
    gws_graph_destroy(graph);
    free(component);
    free(edge);
    gws_runtime_close(runtime);
}
END_TEST

/* gws_graph_components() allocates no memory. */
START_TEST(no_memory)
{
    struct gws_test_memory memory = {0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    struct gws_graph *graph = naive_random_graph(runtime, 3, 5, false, GWS_BUILD_DIRECTED, 1);
    uint32_t component[3] = {9, 9, 9};
    uint64_t count = 9;
    memory.fail_at = memory.calls + 1;
    ck_assert_int_eq(gws_graph_components(runtime, graph, component, &count), GWS_OK);
    ck_assert_uint_le(count, 3);
    struct gws_graph *result = NULL;
    ck_assert_int_eq(gws_graph_largest_component(runtime, graph, &result), GWS_NO_MEMORY);
    ck_assert_ptr_null(result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

/* ---- the largest ---- */

START_TEST(largest)
{
    /* The components are {0}, {1 3 5}, {2 4 6} and {7}. Of the two largest, the result is the one with the smallest
     * vertex. */
    struct gws_runtime *runtime = naive_runtime(2);
    const struct gws_edge edge[] = {{5, 3}, {3, 1}, {2, 6}, {6, 4}};
    struct gws_edge_block block = {.edge = edge, .count = 4};
    struct gws_edges edges = {.vertices = 8, .blocks = 1, .block = &block};
    struct gws_graph *graph = NULL, *result = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    gws_graph_set_first_id(graph, 10);
    ck_assert_int_eq(gws_graph_largest_component(runtime, graph, &result), GWS_OK);
    ck_assert_uint_eq(result->vertices, 3);
    ck_assert_uint_eq(result->arcs, 2);
    ck_assert_uint_eq(gws_graph_id(result, 0), 11);
    ck_assert_uint_eq(gws_graph_id(result, 1), 13);
    ck_assert_uint_eq(gws_graph_id(result, 2), 15);
    ck_assert_uint_eq(result->target[result->offset[1]], 0);
    ck_assert_uint_eq(result->target[result->offset[2]], 1);
    gws_graph_destroy(result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(largest_of_random_graphs)
{
    struct gws_runtime *runtime = naive_runtime(3);
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct gws_graph *graph = naive_random_graph(runtime, 200, 60 + seed * 3, false, GWS_BUILD_DIRECTED, seed),
                         *result = NULL;
        uint64_t count, size[200] = {0}, max = 0;
        uint32_t *name = naive_components(graph, &count);
        for (uint32_t v = 0; v < 200; v++) max = ++size[name[v]] > max ? size[name[v]] : max;
        ck_assert_int_eq(gws_graph_largest_component(runtime, graph, &result), GWS_OK);
        ck_assert_uint_eq(result->vertices, max);
        /* All vertices come from one old component and have all their arcs. */
        for (uint32_t v = 0; v < result->vertices; v++) {
            uint32_t old = (uint32_t)gws_graph_id(result, v);
            ck_assert_uint_eq(name[old], name[gws_graph_id(result, 0)]);
            ck_assert_uint_eq(gws_graph_degree(result, v), gws_graph_degree(graph, old));
        }
        free(name);
        gws_graph_destroy(result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(largest_of_nothing)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_edges edges = {.vertices = 0};
    struct gws_graph *graph = NULL, *result = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_largest_component(runtime, graph, &result), GWS_OK);
    ck_assert_uint_eq(result->vertices, 0);
    gws_graph_destroy(result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

static Suite *components_suite(void)
{
    Suite *suite = suite_create("components");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, random_graphs, 1, 5);
    tcase_add_test(all, scrambled_path);
    tcase_add_test(all, no_memory);
    tcase_add_test(all, largest);
    tcase_add_test(all, largest_of_random_graphs);
    tcase_add_test(all, largest_of_nothing);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(components_suite);
}
