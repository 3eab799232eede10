/* SPDX-License-Identifier: MIT */
/* What all orders for locality have in common. */
#include "naive.h"

static const enum gws_order orders[] = {GWS_ORDER_LOCALITY, GWS_ORDER_HILBERT, GWS_ORDER_RCM};
enum { order_count = sizeof orders / sizeof *orders };

static void give_positions(struct gws_runtime *runtime, struct gws_graph *graph)
{
    double *position = gws_allocate(runtime, 2 * graph->vertices, sizeof *position);
    for (uint64_t i = 0; i < 2 * graph->vertices; i++) position[i] = (double)(gws_random_at(5, i) % 1000);
    gws_graph_adopt_positions(graph, position);
}

/* ---- all orders ---- */

/* The relabelled graph has the same arcs, weights and ids. Loops, parallel arcs, isolated vertices and both directions
 * occur. One thread and several give the same order. */
START_TEST(same_graph)
{
    struct gws_runtime *runtime = naive_runtime(4), *alone = naive_runtime(1);
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct gws_graph *graph = naive_random_graph(runtime, 1 + seed * 70, seed % 4 ? seed * 90 : 0, seed % 3,
                                                     seed & 1 ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED, seed);
        give_positions(runtime, graph);
        uint32_t *name = naive_order(runtime, graph, orders[_i]), *again = naive_order(alone, graph, orders[_i]);
        ck_assert_mem_eq(name, again, graph->vertices * sizeof *name);
        struct gws_graph *result = naive_relabelled(runtime, graph, orders[_i]);
        struct naive naive = naive_of(graph);
        for (uint64_t i = 0; i < naive.arcs; i++)
            naive.arc[i] = (struct naive_arc){name[naive.arc[i].from], name[naive.arc[i].to], naive.arc[i].weight};
        naive_sort(&naive);
        naive_check(result, &naive);
        ck_assert_int_eq(result->directed, graph->directed);
        for (uint32_t v = 0; v < graph->vertices; v++) ck_assert_uint_eq(gws_graph_id(result, name[v]), v);
        naive_clear(&naive);
        free(name);
        free(again);
        gws_graph_destroy(result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(alone);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(empty_graph)
{
    struct gws_runtime *runtime = naive_runtime(2);
    const uint64_t offset = 0;
    const double position = 0;
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 0, &offset, NULL, NULL, true, false, &graph), GWS_OK);
    free(naive_order(runtime, graph, GWS_ORDER_LOCALITY));
    free(naive_order(runtime, graph, GWS_ORDER_RCM));
    ck_assert_int_eq(gws_graph_choose_order(graph), GWS_ORDER_RCM);
    gws_graph_borrow_positions(graph, &position);
    free(naive_order(runtime, graph, GWS_ORDER_HILBERT));
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(choice)
{
    static const struct {
        const char *description;
        bool positions;
        enum gws_order order;
    } cases[] = {{"grid:30x30", true, GWS_ORDER_HILBERT},
                 {"grid:30x30", false, GWS_ORDER_RCM},
                 {"road:2000", false, GWS_ORDER_RCM},
                 {"uniform:10", false, GWS_ORDER_RCM},
                 {"kron:12", false, GWS_ORDER_DEGREE}};
    struct gws_runtime *runtime = naive_runtime(2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gws_graph *graph = naive_shuffled(runtime, cases[i].description);
        if (!cases[i].positions) gws_graph_borrow_positions(graph, NULL);
        ck_assert_int_eq(gws_graph_choose_order(graph), cases[i].order);
        uint32_t *chosen = naive_order(runtime, graph, cases[i].order),
                 *name = naive_order(runtime, graph, GWS_ORDER_LOCALITY);
        ck_assert_mem_eq(chosen, name, graph->vertices * sizeof *name);
        free(chosen);
        free(name);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The mean gap of a shuffled graph is a third of its vertices. The orders divide it by 20 and more. */
START_TEST(gaps_shrink)
{
    static const char *const descriptions[] = {"grid:90x70", "road:8000"};
    struct gws_runtime *runtime = naive_runtime(2);
    for (int i = 0; i < 2; i++) {
        struct gws_graph *graph = naive_shuffled(runtime, descriptions[i]),
                         *result = naive_relabelled(runtime, graph, orders[_i]);
        struct gws_graph_gaps before = naive_gaps(runtime, graph), after = naive_gaps(runtime, result);
        ck_assert_msg(after.mean * 20 < before.mean, "%s: mean %g to %g", descriptions[i], before.mean, after.mean);
        ck_assert_uint_lt(after.median * 20, before.median);
        ck_assert(after.mean_bits + 4 < before.mean_bits);
        gws_graph_destroy(result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- memory ---- */

START_TEST(any_allocation_may_fail)
{
    bool failed = true;
    for (uint64_t k = 1; failed; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        uint32_t name[200] = {9};
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        struct gws_graph *graph = naive_random_graph(runtime, 200, 900, NAIVE_REALS, GWS_BUILD_DIRECTED, 2);
        give_positions(runtime, graph);
        memory.fail_at = memory.calls + k;
        gws_status status = gws_graph_order(runtime, graph, orders[_i], 0, name);
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        if (failed) ck_assert_uint_eq(name[0], 9);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}
END_TEST

/* The header promises the bytes a vertex. A few bytes of every block belong to the allocator. */
START_TEST(promised_memory)
{
    struct gws_test_memory memory = {0};
    struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, "road:20000", &graph, NULL), GWS_OK);
    uint64_t before = (uint64_t)memory.live;
    memory.peak = before;
    free(naive_order(runtime, graph, GWS_ORDER_HILBERT));
    ck_assert_uint_le(memory.peak - before, 24 * graph->vertices);
    memory.peak = before;
    free(naive_order(runtime, graph, GWS_ORDER_RCM));
    ck_assert_uint_le(memory.peak - before, 5 * graph->vertices);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{same_graph, order_count},
                                    {empty_graph, 1},
                                    {choice, 1},
                                    {gaps_shrink, order_count},
                                    {any_allocation_may_fail, order_count},
                                    {promised_memory, 1},
                                    {0}};
    return gws_test_run("order_locality", test);
}
