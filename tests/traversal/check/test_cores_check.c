/* SPDX-License-Identifier: MIT */
/* The checker must detect every fault of a result, and accept every correct result. */
#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../traversal/cores.h"

enum { vertices = 9 };

/* A clique 0 1 2 3 with a triangle 3 4 5, a tail 5 - 6, a loop at 6, a double edge 6 - 7, and the isolated vertex 8. */
static const struct gws_edge edge[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4},
                                       {4, 5}, {3, 5}, {5, 6}, {6, 6}, {6, 7}, {7, 6}};
enum { edges = sizeof edge / sizeof edge[0] };

static struct gws_runtime *runtime;
static struct gws_graph *graph;
static uint32_t core[vertices];
static struct gws_cores_result result;

static void set_up(void)
{
    const uint32_t right[vertices] = {3, 3, 3, 3, 2, 2, 1, 1, 0};
    struct gws_options options = {.threads = 2};
    struct gws_edge_block block = {.edge = edge, .count = edges};
    struct gws_edges input = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_build_options build = {.kind = GWS_BUILD_SYMMETRISE};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_build(runtime, &input, &build, &graph), GWS_OK);
    memcpy(core, right, sizeof core);
    result = (struct gws_cores_result){.vertices = vertices, .core = core, .max_core = 3};
}

static void tear_down(void)
{
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

START_TEST(right_result)
{
    ck_assert_int_eq(gws_cores_check(runtime, graph, &result, NULL), GWS_OK);
}
END_TEST

/* Each row has one or two vertices whose coreness the test changes. */
static const struct {
    const char *about, *message;
    uint32_t vertex[2], value[2], max_core;
} spoils[] = {
    {"too large", "vertex 4 ", {4, 4}, {3, 3}, 3},
    {"too large, larger than the degree", "vertex 0 ", {0, 0}, {4, 4}, 4},
    {"isolated, with coreness 1", "vertex 8 ", {8, 8}, {1, 1}, 3},
    {"a parallel arc counted", "vertex 7 ", {6, 7}, {2, 2}, 3},
    {"a loop counted", "vertex 6 ", {6, 6}, {2, 2}, 3},
    {"too small", "vertex 7 has a larger", {7, 7}, {0, 0}, 3},
    {"a pair too small", "has a larger", {4, 5}, {1, 1}, 3},
    {"the core too small", "vertex 1 ", {0, 0}, {2, 2}, 3},
};
enum { spoil_count = sizeof spoils / sizeof spoils[0] };

START_TEST(spoiled_arrays)
{
    struct gws_diagnostic where = {.message = ""};
    for (int i = 0; i < 2; i++) core[spoils[_i].vertex[i]] = spoils[_i].value[i];
    result.max_core = spoils[_i].max_core;
    ck_assert_msg(gws_cores_check(runtime, graph, &result, &where) == GWS_WRONG_RESULT, "accepted: %s",
                  spoils[_i].about);
    ck_assert_msg(strstr(where.message, spoils[_i].message) != NULL, "%s: %s", spoils[_i].about, where.message);
    ck_assert_int_eq(gws_cores_check(runtime, graph, &result, NULL), GWS_WRONG_RESULT);
}
END_TEST

/* All corenesses are too small, so every vertex has enough neighbours. */
START_TEST(all_too_small)
{
    struct gws_diagnostic where = {.message = ""};
    memset(core, 0, sizeof core);
    result.max_core = 0;
    ck_assert_int_eq(gws_cores_check(runtime, graph, &result, &where), GWS_WRONG_RESULT);
    ck_assert_ptr_nonnull(strstr(where.message, "larger coreness than 0"));
}
END_TEST

START_TEST(spoiled_numbers)
{
    result.max_core = 2;
    ck_assert_int_eq(gws_cores_check(runtime, graph, &result, NULL), GWS_WRONG_RESULT);
    result.max_core = 3;
    result.vertices--;
    ck_assert_int_eq(gws_cores_check(runtime, graph, &result, NULL), GWS_WRONG_RESULT);
    result.vertices++;
    result.core = NULL;
    ck_assert_int_eq(gws_cores_check(runtime, graph, &result, NULL), GWS_INVALID);
}
END_TEST

START_TEST(messages_use_the_names_of_the_input)
{
    struct gws_diagnostic where;
    gws_graph_set_first_id(graph, 1);
    core[4] = 3;
    ck_assert_int_eq(gws_cores_check(runtime, graph, &result, &where), GWS_WRONG_RESULT);
    ck_assert_ptr_nonnull(strstr(where.message, "vertex 5 "));
}
END_TEST

START_TEST(short_memory)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *own = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
    for (uint64_t k = 1;; k++) {
        memory.failed = false;
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_cores_check(own, graph, &result, NULL);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        if (!memory.failed) break;
    }
    gws_runtime_close(own);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{right_result, 1},
                                    {spoiled_arrays, spoil_count},
                                    {all_too_small, 1},
                                    {spoiled_numbers, 1},
                                    {messages_use_the_names_of_the_input, 1},
                                    {short_memory, 1},
                                    {0}};
    return gws_test_run_between("cores_check", test, set_up, tear_down);
}
