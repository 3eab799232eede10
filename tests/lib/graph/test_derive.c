/* SPDX-License-Identifier: MIT */
/* Reverse, symmetric closure and relabelling, compared with lists of arcs. */
#include "naive.h"

static struct naive reversed(const struct gws_graph *graph)
{
    struct naive naive = naive_of(graph);
    for (uint64_t i = 0; i < naive.arcs; i++) {
        uint32_t from = naive.arc[i].from;
        naive.arc[i].from = naive.arc[i].to;
        naive.arc[i].to = from;
    }
    naive_sort(&naive);
    return naive;
}

/* ---- reverse ---- */

START_TEST(reverse_has_reversed_arcs)
{
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i);
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct gws_graph *graph =
            naive_random_graph(runtime, 20 + seed * 50, 50 + seed * 500, seed % 2, GWS_BUILD_DIRECTED, seed);
        struct naive naive = reversed(graph);
        ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
        ck_assert_ptr_nonnull(graph->reverse);
        naive_check(graph->reverse, &naive);
        const struct gws_graph *reverse = graph->reverse;
        ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
        ck_assert_ptr_eq(graph->reverse, reverse);
        naive_clear(&naive);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(symmetric_graph_needs_no_reverse)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *graph = naive_random_graph(runtime, 20000, 50000, true, GWS_BUILD_SYMMETRISE, 3), *same = NULL;
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    ck_assert_ptr_null(graph->reverse);
    ck_assert_int_eq(
        gws_graph_wrap(runtime, graph->vertices, graph->offset, graph->target, graph->weight, true, false, &same),
        GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, same), GWS_OK);
    ck_assert(!same->directed);
    ck_assert_ptr_null(same->reverse);
    gws_graph_destroy(same);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* Arcs in both directions with different weights: the graph is not its own reverse. */
START_TEST(weights_tell_a_graph_from_its_reverse)
{
    struct gws_runtime *runtime = naive_runtime(2);
    const uint64_t offset[] = {0, 1, 2};
    const uint32_t target[] = {1, 0};
    const int32_t weight[] = {4, 5};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 2, offset, target, weight, true, false, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    ck_assert(graph->directed);
    ck_assert_int_eq(graph->reverse->weight[0], 5);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- symmetrise ---- */

START_TEST(symmetrised)
{
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct gws_graph *graph = naive_random_graph(runtime, 30 + seed * 40, seed * 300, seed % 2,
                                                     seed % 5 ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE, seed),
                         *result = NULL;
        struct naive all = naive_of(graph), back = reversed(graph);
        all.arc = realloc(all.arc, (2 * all.arcs + 1) * sizeof *all.arc);
        memcpy(all.arc + all.arcs, back.arc, back.arcs * sizeof *back.arc);
        all.arcs += back.arcs;
        naive_sort(&all);
        naive_remove_duplicates(&all);
        gws_graph_set_first_id(graph, 9);
        ck_assert_int_eq(gws_graph_symmetrise(runtime, graph, &result), GWS_OK);
        naive_check(result, &all);
        ck_assert(!result->directed);
        ck_assert_uint_eq(result->first_id, 9);
        naive_clear(&all);
        naive_clear(&back);
        gws_graph_destroy(result);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- relabel ---- */

/* Sparse ids 3 * v + 100 and positions (v, -v). */
static void name_all(struct gws_runtime *runtime, struct gws_graph *graph, bool ids)
{
    uint64_t *id = gws_allocate(runtime, graph->vertices, sizeof *id);
    double *position = gws_allocate(runtime, 2 * graph->vertices, sizeof *position);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        id[v] = 3 * v + 100;
        position[2 * v] = (double)v;
        position[2 * v + 1] = -(double)v;
    }
    gws_graph_adopt_positions(graph, position);
    gws_graph_adopt_ids(graph, id);
    if (!ids) gws_graph_set_first_id(graph, 1);
}

static struct naive renamed(const struct gws_graph *graph, const uint32_t *new_of_old, uint64_t remaining)
{
    struct naive naive = naive_of(graph);
    uint64_t out = 0;
    for (uint64_t i = 0; i < naive.arcs; i++) {
        struct naive_arc arc = naive.arc[i];
        if (new_of_old[arc.from] == GWS_NO_VERTEX || new_of_old[arc.to] == GWS_NO_VERTEX) continue;
        naive.arc[out++] = (struct naive_arc){new_of_old[arc.from], new_of_old[arc.to], arc.weight};
    }
    naive.arcs = out;
    naive.vertices = remaining;
    naive_sort(&naive);
    return naive;
}

/* Removes about a third of the vertices, and keeps or reverses the order of the rest. */
static uint64_t some_names(uint32_t *new_of_old, uint64_t vertices, bool turn, uint64_t seed)
{
    uint32_t remaining = 0;
    for (uint64_t v = 0; v < vertices; v++)
        new_of_old[v] = gws_random_at(seed, v) % 3 == 0 ? GWS_NO_VERTEX : remaining++;
    for (uint64_t v = 0; turn && v < vertices; v++)
        if (new_of_old[v] != GWS_NO_VERTEX) new_of_old[v] = remaining - 1 - new_of_old[v];
    return remaining;
}

static void check_names(const struct gws_graph *graph, const uint32_t *new_of_old, const struct gws_graph *result,
                        bool turn)
{
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint32_t name = new_of_old[v];
        if (name == GWS_NO_VERTEX) continue;
        ck_assert_uint_eq(gws_graph_id(result, name), turn ? name : gws_graph_id(graph, (uint32_t)v));
        ck_assert(result->position[2 * (uint64_t)name] == (double)v);
        ck_assert(result->position[2 * (uint64_t)name + 1] == -(double)v);
    }
}

START_TEST(relabelled)
{
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i);
    for (uint64_t seed = 0; seed < 24; seed++) {
        bool turn = seed & 1, undirected = seed & 4;
        struct gws_graph *graph = naive_random_graph(runtime, 10 + seed * 90, seed * 400, seed & 2,
                                                     undirected ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED, seed),
                         *result = NULL;
        uint32_t *new_of_old = malloc(graph->vertices * sizeof *new_of_old);
        uint64_t remaining = some_names(new_of_old, graph->vertices, turn, seed);
        struct naive naive = renamed(graph, new_of_old, remaining);
        name_all(runtime, graph, seed & 8);
        ck_assert_int_eq(gws_graph_relabel(runtime, graph, new_of_old, remaining, &result), GWS_OK);
        naive_check(result, &naive);
        ck_assert_int_eq(result->directed, !undirected);
        check_names(graph, new_of_old, result, turn && remaining > 1);
        naive_clear(&naive);
        gws_graph_destroy(result);
        gws_graph_destroy(graph);
        free(new_of_old);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(names_that_are_no_numbering)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *graph = naive_random_graph(runtime, 4, 10, false, GWS_BUILD_DIRECTED, 1), *result = NULL;
    const struct {
        uint32_t name[4];
        uint64_t remaining;
        gws_status status;
    } cases[] = {
        {{0, 1, 2, 3}, 4, GWS_OK},
        {{3, 1, 2, 0}, 4, GWS_OK},
        {{0, 1, 2, 2}, 4, GWS_INVALID},
        {{0, 1, 2, 4}, 4, GWS_INVALID},
        {{0, 1, 2, 3}, 5, GWS_INVALID},
        {{0, 1, 2, 3}, 3, GWS_INVALID},
        {{0, GWS_NO_VERTEX, 2, 1}, 3, GWS_OK},
        {{0, GWS_NO_VERTEX, 3, 1}, 3, GWS_INVALID},
        {{0, GWS_NO_VERTEX, 2, 1}, 4, GWS_INVALID},
        {{GWS_NO_VERTEX, GWS_NO_VERTEX, GWS_NO_VERTEX, GWS_NO_VERTEX}, 0, GWS_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        result = NULL;
        ck_assert_int_eq(gws_graph_relabel(runtime, graph, cases[i].name, cases[i].remaining, &result),
                         cases[i].status);
        ck_assert_int_eq(result != NULL, cases[i].status == GWS_OK);
        gws_graph_destroy(result);
    }
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- any allocation may fail ---- */

static gws_status derive(struct gws_runtime *runtime, int which, struct gws_graph *graph, struct gws_graph **result)
{
    uint32_t new_of_old[200];
    uint64_t remaining = some_names(new_of_old, graph->vertices, false, 4);
    switch (which) {
    case 0:
        return gws_graph_add_reverse(runtime, graph);
    case 1:
        return gws_graph_symmetrise(runtime, graph, result);
    case 2:
        return gws_graph_relabel(runtime, graph, new_of_old, remaining, result);
    case 3:
        return gws_graph_largest_component(runtime, graph, result);
    default:
        return gws_graph_order(runtime, graph, GWS_ORDER_DEGREE, 1, new_of_old);
    }
}

START_TEST(any_allocation_may_fail)
{
    bool failed = true;
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        struct gws_graph *graph = naive_random_graph(runtime, 200, 900, true, GWS_BUILD_DIRECTED, 2), *result = NULL;
        name_all(runtime, graph, true);
        memory.fail_at = memory.calls + k;
        gws_status status = derive(runtime, _i, graph, &result);
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        if (failed) ck_assert_ptr_null(result);
        if (failed) ck_assert_ptr_null(graph->reverse);
        gws_graph_destroy(result);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}
END_TEST

static Suite *derive_suite(void)
{
    Suite *suite = suite_create("derive");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, reverse_has_reversed_arcs, 1, 4);
    tcase_add_test(all, symmetric_graph_needs_no_reverse);
    tcase_add_test(all, weights_tell_a_graph_from_its_reverse);
    tcase_add_loop_test(all, symmetrised, 1, 4);
    tcase_add_loop_test(all, relabelled, 1, 4);
    tcase_add_test(all, names_that_are_no_numbering);
    tcase_add_loop_test(all, any_allocation_may_fail, 0, 5);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(derive_suite);
}
