/* SPDX-License-Identifier: MIT */
/* Compares components of many shapes with a serial search. Tests reused results and failed allocations. */
#include "../../engine/devices.h"

#include "../../../../traversal/components.h"

/* Labels every vertex with the smallest vertex of its component, by passes over all arcs. Returns the number of
 * components. */
static uint64_t label_slowly(const struct gws_graph *graph, uint32_t *label)
{
    uint64_t components = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) label[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < graph->vertices; v++)
            for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
                uint32_t *from = &label[v], *to = &label[graph->target[a]];
                changed = changed || *from != *to;
                *from = *to = *from < *to ? *from : *to;
            }
    }
    for (uint32_t v = 0; v < graph->vertices; v++) components += label[v] == v;
    return components;
}

static uint64_t largest_of(const struct gws_graph *graph, const uint32_t *label)
{
    uint64_t *size = calloc(graph->vertices + 1, sizeof *size), largest = 0;
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (++size[label[v]] > largest) largest = size[label[v]];
    free(size);
    return largest;
}

static void check(struct gws_runtime *runtime, struct gws_graph *graph, struct gws_components_result *result)
{
    struct gws_diagnostic where = {0};
    uint32_t *label = malloc((graph->vertices + 1) * sizeof *label);
    uint64_t components = label_slowly(graph, label);
    ck_assert_int_eq(gws_components(runtime, graph, NULL, result), GWS_OK);
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_mem_eq(result->component, label, graph->vertices * sizeof *label);
    ck_assert_uint_eq(result->components, components);
    ck_assert_uint_eq(result->largest, largest_of(graph, label));
    ck_assert(result->ms >= 0);
    ck_assert_msg(gws_components_check(runtime, graph, NULL, result, &where) == GWS_OK, "%s", where.message);
    free(label);
}

START_TEST(shapes_of_graphs)
{
    struct gws_components_result result = {0};
    struct gws_runtime *runtime;
    ck_assert_int_eq(gws_runtime_open(&(struct gws_options){.threads = (uint32_t)_i + 1}, &runtime), GWS_OK);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int arcs = 0; arcs < arc_kinds; arcs++) {
            struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
            check(runtime, graph, &result);
            gws_graph_destroy(graph);
        }
    gws_components_result_clear(&result);
    gws_components_result_clear(NULL);
    gws_runtime_close(runtime);
}
END_TEST

/* No component has a majority, so the library counts all components. */
START_TEST(no_majority)
{
    enum { pairs = 20000 };
    struct gws_runtime *runtime;
    struct gws_edge *edge = malloc(2 * pairs * sizeof *edge);
    for (uint32_t i = 0; i < pairs; i++) edge[i] = (struct gws_edge){2 * i, 2 * i + 1};
    edge[pairs] = (struct gws_edge){9, 2 * pairs - 1};
    struct gws_edge_block block = {.edge = edge, .count = pairs + 1};
    struct gws_graph *graph = NULL;
    struct gws_components_result result = {0};
    ck_assert_int_eq(gws_runtime_open(&(struct gws_options){.threads = 3}, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_build(runtime, &(struct gws_edges){2 * pairs, 1, &block},
                                     &(struct gws_build_options){.kind = GWS_BUILD_SYMMETRISE}, &graph),
                     GWS_OK);
    check(runtime, graph, &result);
    ck_assert_uint_eq(result.components, pairs - 1);
    ck_assert_uint_eq(result.largest, 4);
    gws_components_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    free(edge);
}
END_TEST

START_TEST(no_memory)
{
    struct gws_test_memory memory = {0};
    struct gws_runtime *runtime;
    struct gws_components_result result = {0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED);
    memory.fail_at = memory.calls + 1;
    ck_assert_int_eq(gws_components(runtime, graph, NULL, &result), GWS_NO_MEMORY);
    ck_assert_ptr_null(result.component);
    ck_assert_int_eq(gws_components(runtime, graph, NULL, &result), GWS_OK);
    for (uint64_t call = 1; call <= 2; call++) {
        memory.fail_at = memory.calls + call;
        ck_assert_int_eq(gws_components_check(runtime, graph, NULL, &result, NULL), GWS_NO_MEMORY);
    }
    gws_components_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{shapes_of_graphs, 4}, {no_majority, 1}, {no_memory, 1}, {0}};
    return gws_test_run("components", test);
}
