/* SPDX-License-Identifier: MIT */
/* Compares the reverse, the symmetric closure and relabelled graphs with lists of arcs. */
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
            naive_random_graph(runtime, 20 + seed * 50, 50 + seed * 500, seed % 3, GWS_BUILD_DIRECTED, seed);
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

/* The two arcs of an edge have different weights, so the graph is not its own reverse. */
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
        struct gws_graph *graph = naive_random_graph(runtime, 30 + seed * 40, seed * 300, seed % 3,
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

/* Gives vertex v the id 3 * v + 100 (v + 1 unless `ids` is set) and the position (v, -v). */
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

/* Removes about a third of the vertices, and keeps or reverses the order of the others. */
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
    ck_assert_int_eq(result->id_order != NULL, turn);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint32_t name = new_of_old[v], found = GWS_NO_VERTEX;
        if (name == GWS_NO_VERTEX) continue;
        ck_assert_uint_eq(gws_graph_id(result, name), gws_graph_id(graph, (uint32_t)v));
        ck_assert_int_eq(gws_graph_find(result, gws_graph_id(graph, (uint32_t)v), &found), GWS_OK);
        ck_assert_uint_eq(found, name);
        ck_assert(result->position[2 * (uint64_t)name] == (double)v);
        ck_assert(result->position[2 * (uint64_t)name + 1] == -(double)v);
    }
}

START_TEST(relabelled)
{
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i);
    for (uint64_t seed = 0; seed < 24; seed++) {
        bool turn = seed & 1, undirected = seed & 4;
        struct gws_graph *graph = naive_random_graph(runtime, 10 + seed * 90, seed * 400, seed % 3,
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

/* The ids survive two orders in turn, and a copy. The second order is the inverse, so the ids ascend again. */
START_TEST(ids_follow_their_vertices)
{
    enum { count = 300 };
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *graph = naive_random_graph(runtime, count, 900, false, GWS_BUILD_DIRECTED, 1), *shuffled = NULL,
                     *copy = NULL, *back = NULL;
    uint32_t new_of_old[count], old_of_new[count], found = 0;
    for (uint32_t v = 0; v < count; v++) old_of_new[new_of_old[v] = (v * 7 + 5) % count] = v;
    name_all(runtime, graph, true);
    ck_assert_int_eq(gws_graph_relabel(runtime, graph, new_of_old, count, &shuffled), GWS_OK);
    ck_assert_int_eq(gws_graph_symmetrise(runtime, shuffled, &copy), GWS_OK);
    for (uint32_t v = 0; v < count; v++) {
        ck_assert_uint_eq(gws_graph_id(copy, new_of_old[v]), gws_graph_id(graph, v));
        ck_assert_int_eq(gws_graph_find(copy, gws_graph_id(graph, v), &found), GWS_OK);
        ck_assert_uint_eq(found, new_of_old[v]);
    }
    ck_assert_int_eq(gws_graph_relabel(runtime, shuffled, old_of_new, count, &back), GWS_OK);
    ck_assert_ptr_null(back->id_order);
    ck_assert_mem_eq(back->id, graph->id, count * sizeof *graph->id);
    gws_graph_destroy(back);
    gws_graph_destroy(copy);
    gws_graph_destroy(shuffled);
    gws_graph_destroy(graph);
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

/* ---- names ---- */

/* Gives vertex v the name "n" and the number v * 7919 mod 10007. So the names are not in the order of vertices. */
static void give_names(struct gws_runtime *runtime, struct gws_graph *graph)
{
    uint64_t n = graph->vertices;
    uint64_t *offset = gws_allocate(runtime, n + 1, sizeof *offset);
    char *long_text = malloc(8 * n + 1), *text;
    uint32_t *order = gws_allocate(runtime, n, sizeof *order);
    offset[0] = 0;
    for (uint64_t v = 0; v < n; v++) {
        int length = sprintf(long_text + offset[v], "n%u", (unsigned)(v * 7919 % 10007));
        offset[v + 1] = offset[v] + (uint64_t)length;
        order[v] = (uint32_t)v;
        for (uint64_t i = v; i > 0; i--) { /* insertion sort */
            const char *a = long_text + offset[order[i - 1]], *b = long_text + offset[order[i]];
            size_t a_length = offset[order[i - 1] + 1] - offset[order[i - 1]];
            size_t b_length = offset[order[i] + 1] - offset[order[i]];
            int sign = memcmp(a, b, a_length < b_length ? a_length : b_length);
            if (sign < 0 || (sign == 0 && a_length < b_length)) break;
            uint32_t swap = order[i];
            order[i] = order[i - 1];
            order[i - 1] = swap;
        }
    }
    text = gws_allocate(runtime, offset[n], 1);
    memcpy(text, long_text, offset[n]);
    free(long_text);
    gws_graph_adopt_names(graph, offset, text, order);
}

/* Checks that the lookup of every name returns the vertex with that name. */
static void check_lookup(const struct gws_graph *graph)
{
    uint64_t length = 0;
    uint32_t vertex = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        const char *name = gws_graph_name(graph, v, &length);
        if (gws_graph_find_name(graph, name, length, &vertex) != GWS_OK || vertex != v) ck_abort_msg("vertex %u", v);
    }
    ck_assert_int_eq(gws_graph_find_name(graph, "n", 1, &vertex), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_graph_find_name(graph, "zz", 2, &vertex), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_graph_find_name(graph, "", 0, &vertex), GWS_OUT_OF_RANGE);
}

START_TEST(names_follow_their_vertices)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *graph = naive_random_graph(runtime, 300, 900, false, GWS_BUILD_DIRECTED, 1), *result = NULL;
    uint32_t new_of_old[300];
    uint64_t a = 0, b = 0, remaining = some_names(new_of_old, 300, _i, 3);
    ck_assert_ptr_null(gws_graph_name(graph, 0, &a));
    ck_assert_int_eq(gws_graph_find_name(graph, "n0", 2, new_of_old), GWS_OUT_OF_RANGE);
    give_names(runtime, graph);
    check_lookup(graph);
    ck_assert_int_eq(gws_graph_relabel(runtime, graph, new_of_old, remaining, &result), GWS_OK);
    for (uint32_t v = 0; v < 300; v++) {
        if (new_of_old[v] == GWS_NO_VERTEX) continue;
        const char *old = gws_graph_name(graph, v, &a), *name = gws_graph_name(result, new_of_old[v], &b);
        ck_assert(a == b && memcmp(old, name, a) == 0);
    }
    check_lookup(result);
    gws_graph_destroy(result);
    ck_assert_int_eq(gws_graph_symmetrise(runtime, graph, &result), GWS_OK);
    check_lookup(result);
    gws_graph_destroy(result);
    ck_assert_int_eq(gws_graph_simplify(runtime, true, true, &graph), GWS_OK);
    check_lookup(graph);
    gws_graph_borrow_names(graph, &(struct gws_names){0});
    ck_assert_ptr_null(graph->names.text);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The graph has no list of the order of names if the vertices are in that order. */
START_TEST(names_in_order)
{
    struct gws_runtime *runtime = naive_runtime(1);
    static const uint64_t offset[] = {0, 1, 3, 4};
    static const uint32_t order[] = {1, 2, 0}, new_of_old[] = {2, 0, 1};
    struct gws_graph *graph = naive_random_graph(runtime, 3, 5, false, GWS_BUILD_DIRECTED, 1), *result = NULL;
    uint64_t length = 0;
    gws_graph_borrow_names(graph, &(struct gws_names){offset, "cabb", order});
    check_lookup(graph);
    ck_assert_int_eq(gws_graph_relabel(runtime, graph, new_of_old, 3, &result), GWS_OK);
    ck_assert_ptr_null(result->names.order);
    ck_assert_mem_eq(gws_graph_name(result, 0, &length), "ab", 2);
    check_lookup(result);
    gws_graph_destroy(result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- simplify ---- */

static struct naive simplified(const struct gws_graph *graph, bool loops, bool duplicates)
{
    struct naive naive = naive_of(graph);
    uint64_t out = 0;
    for (uint64_t i = 0; i < naive.arcs; i++)
        if (!loops || naive.arc[i].from != naive.arc[i].to) naive.arc[out++] = naive.arc[i];
    naive.arcs = out;
    if (duplicates) naive_remove_duplicates(&naive);
    return naive;
}

START_TEST(simplified_graphs)
{
    struct gws_runtime *runtime = naive_runtime(2);
    for (uint64_t seed = 0; seed < 24; seed++) {
        bool loops = seed & 1, duplicates = seed & 2;
        struct gws_graph *graph =
            naive_random_graph(runtime, 10 + seed * 40, seed * 400, seed % 3, GWS_BUILD_DIRECTED, seed);
        struct naive naive = simplified(graph, loops, duplicates);
        ck_assert_int_eq(gws_graph_simplify(runtime, loops, duplicates, &graph), GWS_OK);
        naive_check(graph, &naive);
        naive_clear(&naive);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* Parallel arcs may have any order in the caller's arrays. The lightest arc must remain. */
START_TEST(lightest_of_parallel_arcs)
{
    struct gws_runtime *runtime = naive_runtime(1);
    const uint64_t offset[] = {0, 6, 6};
    const uint32_t target[] = {0, 0, 0, 1, 1, 1};
    const int32_t weight[] = {3, 1, 2, 5, 6, 4};
    const float real_weight[] = {0.3F, 0.1F, 0.2F, 0.5F, 0.6F, 0.4F};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 2, offset, target, weight, true, false, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_simplify(runtime, false, true, &graph), GWS_OK);
    ck_assert_uint_eq(graph->arcs, 2);
    ck_assert(graph->weight[0] == 1 && graph->weight[1] == 4);
    gws_graph_destroy(graph);
    ck_assert_int_eq(gws_graph_wrap_real(runtime, 2, offset, target, real_weight, true, false, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_simplify(runtime, false, true, &graph), GWS_OK);
    ck_assert_uint_eq(graph->arcs, 2);
    ck_assert(graph->real_weight[0] == 0.1F && graph->real_weight[1] == 0.4F);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- any allocation may fail ---- */

/* Simplifies a copy of the graph. */
static gws_status simplify(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_graph **result)
{
    struct gws_graph *copy = NULL;
    gws_status status = gws_graph_wrap_real(runtime, graph->vertices, graph->offset, graph->target, graph->real_weight,
                                            true, true, &copy);
    if (status == GWS_OK) status = gws_graph_simplify(runtime, true, true, &copy);
    if (status == GWS_OK)
        *result = copy;
    else
        gws_graph_destroy(copy);
    return status;
}

static gws_status derive(struct gws_runtime *runtime, int which, struct gws_graph *graph, struct gws_graph **result)
{
    uint32_t new_of_old[200];
    uint64_t remaining = some_names(new_of_old, graph->vertices, which == 2, 4);
    switch (which) {
    case 0:
        return gws_graph_add_reverse(runtime, graph);
    case 1:
        return gws_graph_symmetrise(runtime, graph, result);
    case 2:
        return gws_graph_relabel(runtime, graph, new_of_old, remaining, result);
    case 4:
        return simplify(runtime, graph, result);
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
        struct gws_graph *graph = naive_random_graph(runtime, 200, 900, _i % 2 ? NAIVE_INTEGERS : NAIVE_REALS,
                                                     GWS_BUILD_DIRECTED, 2),
                         *result = NULL;
        name_all(runtime, graph, true);
        if (_i % 2) give_names(runtime, graph);
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
    tcase_add_test(all, ids_follow_their_vertices);
    tcase_add_loop_test(all, names_follow_their_vertices, 0, 2);
    tcase_add_test(all, names_in_order);
    tcase_add_test(all, simplified_graphs);
    tcase_add_test(all, lightest_of_parallel_arcs);
    tcase_add_test(all, names_that_are_no_numbering);
    tcase_add_loop_test(all, any_allocation_may_fail, 0, 6);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(derive_suite);
}
