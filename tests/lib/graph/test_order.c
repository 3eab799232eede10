/* SPDX-License-Identifier: MIT */
#include "naive.h"

static void check_permutation(const uint32_t *name, uint64_t count)
{
    bool *used = calloc(count + 1, sizeof *used);
    for (uint64_t v = 0; v < count; v++) {
        if (name[v] >= count || used[name[v]]) ck_abort_msg("not a permutation at %llu", (unsigned long long)v);
        used[name[v]] = true;
    }
    free(used);
}

/* Checks that each vertex follows a vertex with a larger degree, or with the same degree and a smaller number. */
static void check_falling(const struct gws_graph *graph, const uint32_t *name)
{
    uint32_t *old = malloc((graph->vertices + 1) * sizeof *old);
    for (uint64_t v = 0; v < graph->vertices; v++) old[name[v]] = (uint32_t)v;
    for (uint64_t i = 1; i < graph->vertices; i++) {
        uint64_t before = gws_graph_degree(graph, old[i - 1]), after = gws_graph_degree(graph, old[i]);
        if (before < after || (before == after && old[i - 1] > old[i]))
            ck_abort_msg("out of order at %llu", (unsigned long long)i);
    }
    free(old);
}

START_TEST(by_degree)
{
    struct gws_runtime *runtime = naive_runtime(2);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct gws_graph *graph =
            naive_random_graph(runtime, 1 + seed * 100, seed * 700, false, GWS_BUILD_DIRECTED, seed);
        uint32_t *name = malloc(graph->vertices * sizeof *name);
        ck_assert_int_eq(gws_graph_order(runtime, graph, GWS_ORDER_DEGREE, 0, name), GWS_OK);
        check_permutation(name, graph->vertices);
        check_falling(graph, name);
        free(name);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The degrees are 65,530 and more, some of them equal, in random order. These degrees exceed the bins of the counting
 * sort. */
START_TEST(hubs_by_degree)
{
    enum { hubs = 50, plenty = 65530 };
    struct gws_runtime *runtime = naive_runtime(2);
    uint64_t *offset = malloc((hubs + 1) * sizeof *offset);
    offset[0] = 0;
    for (uint64_t v = 0; v < hubs; v++) offset[v + 1] = offset[v] + plenty + gws_random_at(3, v) % 20;
    uint32_t *target = calloc(offset[hubs], sizeof *target), name[hubs];
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, hubs, offset, target, NULL, true, false, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_order(runtime, graph, GWS_ORDER_DEGREE, 0, name), GWS_OK);
    check_permutation(name, hubs);
    check_falling(graph, name);
    gws_graph_destroy(graph);
    free(offset);
    free(target);
    gws_runtime_close(runtime);
}
END_TEST

static uint32_t *random_order(uint64_t vertices, uint32_t threads, uint64_t seed)
{
    struct gws_runtime *runtime = naive_runtime(threads);
    uint64_t *offset = calloc(vertices + 1, sizeof *offset);
    uint32_t *name = malloc((vertices + 1) * sizeof *name), none = 0;
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, vertices, offset, &none, NULL, true, true, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_order(runtime, graph, GWS_ORDER_RANDOM, seed, name), GWS_OK);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    free(offset);
    return name;
}

START_TEST(at_random)
{
    const uint64_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 1023, 1024, 1025, 70000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t *one = random_order(sizes[i], 1, 7), *many = random_order(sizes[i], 8, 7);
        check_permutation(one, sizes[i]);
        ck_assert_mem_eq(one, many, sizes[i] * sizeof *one);
        free(one);
        free(many);
    }
}
END_TEST

/* Different seeds give different orders, few vertices keep their position, and few neighbours stay neighbours. */
START_TEST(random_orders_look_random)
{
    enum { count = 10000 };
    uint32_t *a = random_order(count, 2, 1), *b = random_order(count, 2, 2);
    uint64_t equal = 0, fixed = 0, adjacent = 0;
    for (uint32_t v = 0; v < count; v++) {
        equal += a[v] == b[v];
        fixed += a[v] == v;
        adjacent += v > 0 && (a[v] - a[v - 1] + 1 <= 2);
    }
    ck_assert_uint_lt(equal, 30);
    ck_assert_uint_lt(fixed, 30);
    ck_assert_uint_lt(adjacent, 30);
    free(a);
    free(b);
}
END_TEST

START_TEST(unknown_order)
{
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = naive_random_graph(runtime, 3, 3, false, GWS_BUILD_DIRECTED, 1);
    uint32_t name[3] = {9, 9, 9};
    ck_assert_int_eq(gws_graph_order(runtime, graph, (enum gws_order)7, 0, name), GWS_INVALID);
    ck_assert_uint_eq(name[0], 9);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {by_degree, 1}, {hubs_by_degree, 1}, {at_random, 1}, {random_orders_look_random, 1}, {unknown_order, 1}, {0}};
    return gws_test_run("order", test);
}
