/* SPDX-License-Identifier: MIT */
/* Strong components. The tests compare small random graphs with the definition, and check large graphs of known
 * components. */
#include "../../engine/devices.h"

#include "../../../../lib/random.h"
#include "../../../../traversal/components.h"

static const struct gws_components_options strong = {.strong = true};

static struct gws_graph *make(uint32_t vertices, const struct gws_edge *edge, uint64_t edges)
{
    struct gws_edge_block block = {.edge = edge, .count = edges};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &(struct gws_edges){vertices, 1, &block}, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    return graph;
}

/* reaches[v * vertices + u] is true if a path leads from v to u. */
static bool *closure_of(const struct gws_graph *graph)
{
    const uint64_t n = graph->vertices;
    bool *reaches = calloc(n * n + 1, sizeof *reaches);
    for (uint64_t v = 0; v < n; v++) {
        reaches[v * n + v] = true;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) reaches[v * n + graph->target[a]] = true;
    }
    for (uint64_t by = 0; by < n; by++)
        for (uint64_t v = 0; v < n; v++)
            for (uint64_t u = 0; reaches[v * n + by] && u < n; u++) reaches[v * n + u] |= reaches[by * n + u];
    return reaches;
}

static void check_definition(const struct gws_graph *graph, const struct gws_components_result *result)
{
    const uint64_t n = graph->vertices;
    bool *reaches = closure_of(graph);
    uint64_t components = 0, largest = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t smallest = n, size = 0;
        for (uint64_t u = n; u-- > 0;)
            if (reaches[v * n + u] && reaches[u * n + v]) {
                smallest = u;
                size++;
            }
        ck_assert_uint_eq(result->component[v], smallest);
        components += smallest == v;
        if (size > largest) largest = size;
    }
    ck_assert_uint_eq(result->components, components);
    ck_assert_uint_eq(result->largest, largest);
    free(reaches);
}

static void check(struct gws_graph *graph, struct gws_components_result *result)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_components(runtime, graph, &strong, result), GWS_OK);
    ck_assert_msg(gws_components_check(runtime, graph, &strong, result, &where) == GWS_OK, "%s", where.message);
}

START_TEST(random_graphs)
{
    enum { max = 60 };
    struct gws_components_result result = {0};
    runtime = open_runtime(NULL, (uint32_t)_i + 1, 0);
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct gws_edge edge[4 * max];
        uint32_t vertices = 1 + (uint32_t)(gws_random_at(seed, 0) % max);
        uint64_t edges = gws_random_at(seed, 1) % (2 * (uint64_t)vertices + 1);
        for (uint64_t i = 0; i < edges; i++)
            edge[i] = (struct gws_edge){(uint32_t)(gws_random_at(seed, 2 * i + 2) % vertices),
                                        (uint32_t)(gws_random_at(seed, 2 * i + 3) % vertices)};
        struct gws_graph *graph = make(vertices, edge, edges);
        check(graph, &result);
        check_definition(graph, &result);
        gws_graph_destroy(graph);
    }
    gws_components_result_clear(&result);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(shapes_of_graphs)
{
    struct gws_components_result result = {0};
    runtime = open_runtime(NULL, 3, 0);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int arcs = 0; arcs < arc_kinds; arcs++) {
            struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
            ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
            check(graph, &result);
            gws_graph_destroy(graph);
        }
    gws_components_result_clear(&result);
    gws_runtime_close(runtime);
}
END_TEST

/* The graph is a row of cycles of three, each with an arc to the next cycle. It has no giant component, and more open
 * vertices than one worker handles. */
START_TEST(many_components)
{
    enum { cycles = 20000 };
    struct gws_components_result result = {0};
    struct gws_edge *edge = malloc(4 * cycles * sizeof *edge);
    for (uint32_t i = 0; i < cycles; i++)
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t from = 3 * i + (k < 3 ? k : 0), to = k < 3 ? 3 * i + (k + 1) % 3 : 3 * ((i + i % 7 + 1) % cycles);
            edge[4 * i + k] = (struct gws_edge){from, to < from && k == 3 ? from : to};
        }
    runtime = open_runtime(NULL, 3, 0);
    struct gws_graph *graph = make(3 * cycles, edge, 4 * cycles);
    check(graph, &result);
    ck_assert_uint_eq(result.components, cycles);
    ck_assert_uint_eq(result.largest, 3);
    for (uint32_t v = 0; v < 3 * cycles; v++) ck_assert_uint_eq(result.component[v], v / 3 * 3);
    gws_components_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    free(edge);
}
END_TEST

/* The graph is a chain of cycles of three whose arcs lead to smaller numbers. Colouring alone would raise the colour of
 * a cycle once for each earlier cycle. */
START_TEST(a_chain_of_cycles)
{
    enum { cycles = 20000 };
    struct gws_components_result result = {0};
    struct gws_edge *edge = malloc(4 * cycles * sizeof *edge);
    for (uint32_t i = 0; i < cycles; i++)
        for (uint32_t k = 0; k < 4; k++)
            edge[4 * i + k] = (struct gws_edge){3 * i + k % 3, k < 3 ? 3 * i + (k + 1) % 3 : 3 * (i > 0 ? i - 1 : 0)};
    runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = make(3 * cycles, edge, 4 * cycles);
    check(graph, &result);
    ck_assert_uint_eq(result.components, cycles);
    for (uint32_t v = 0; v < 3 * cycles; v++) ck_assert_uint_eq(result.component[v], v / 3 * 3);
    gws_components_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    free(edge);
}
END_TEST

/* The graph has a long cycle, which is one giant component, and a long path, where each vertex is a component. */
START_TEST(a_cycle_and_a_path)
{
    enum { half = 50000 };
    struct gws_components_result result = {0};
    struct gws_edge *edge = malloc(2 * half * sizeof *edge);
    for (uint32_t i = 0; i < half; i++) {
        edge[i] = (struct gws_edge){i, (i + 1) % half};
        edge[half + i] = (struct gws_edge){half + i, half + (i + 1 < half ? i + 1 : i)};
    }
    runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = make(2 * half, edge, 2 * half);
    check(graph, &result);
    ck_assert_uint_eq(result.components, half + 1);
    ck_assert_uint_eq(result.largest, half);
    gws_components_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    free(edge);
}
END_TEST

START_TEST(refused)
{
    const struct gws_edge edge[] = {{0, 1}, {1, 2}};
    struct gws_edge_block block = {.edge = edge, .count = 2};
    struct gws_graph *graph = NULL;
    struct gws_components_result result = {0};
    struct gws_test_memory memory = {0};
    struct gws_allocator allocator = gws_test_allocator(&memory);
    runtime = open_runtime(NULL, 2, 0);
    ck_assert_int_eq(gws_graph_build(runtime, &(struct gws_edges){3, 1, &block}, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_components(runtime, graph, &strong, &result), GWS_NEEDS_REVERSE);
    ck_assert_ptr_null(result.component);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    gws_runtime_close(runtime);
    ck_assert_int_eq(gws_runtime_open(&(struct gws_options){.threads = 2, .allocator = allocator}, &runtime), GWS_OK);
    for (uint64_t call = 1;; call++) {
        memory.fail_at = memory.calls + call;
        gws_status status = gws_components(runtime, graph, &strong, &result);
        if (status == GWS_OK) break;
        ck_assert_int_eq(status, GWS_NO_MEMORY);
        gws_components_result_clear(&result);
    }
    memory.fail_at = 0;
    check(graph, &result);
    gws_components_result_clear(&result);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{random_graphs, 3},
                                    {shapes_of_graphs, 1},
                                    {many_components, 1},
                                    {a_chain_of_cycles, 1},
                                    {a_cycle_and_a_path, 1},
                                    {refused, 1},
                                    {0}};
    return gws_test_run("strong components", test);
}
