/* SPDX-License-Identifier: MIT */
/* The checker must detect every fault of a result, and accept every correct result. */
#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../traversal/bfs.h"

enum { vertices = 10, capacity = 8 };

/*  0 - 1 - 3 - 5 - 6        7 - 8    9      undirected, with the neighbours 1, 2, 4, 5 of 3, and a loop at 6
 *   \- 2 -/ \- 4                            level sizes 1 2 1 2 1 */
static const struct gws_edge edge[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {5, 6}, {6, 6}, {7, 8}};
enum { edges = sizeof edge / sizeof edge[0] };

/* A correct result in arrays of its own, which tests may corrupt. */
struct sample {
    struct gws_runtime *runtime;
    struct gws_graph *graph;
    uint32_t depth[vertices], parent[vertices];
    struct gws_bfs_level level[capacity];
    struct gws_bfs_result result;
};

static struct sample sample;

static void sample_graph(enum gws_build_kind kind)
{
    struct gws_options options = {.threads = 2};
    struct gws_edge_block block = {.edge = edge, .count = edges};
    struct gws_edges input = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_build_options build = {.kind = kind};
    ck_assert_int_eq(gws_runtime_open(&options, &sample.runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_build(sample.runtime, &input, &build, &sample.graph), GWS_OK);
}

static void sample_reset(void)
{
    const uint32_t none = GWS_NO_VERTEX;
    const uint32_t depth[vertices] = {0, 1, 1, 2, 3, 3, 4, none, none, none};
    const uint32_t parent[vertices] = {0, 0, 0, 1, 3, 3, 5, none, none, none};
    const uint64_t size[capacity] = {1, 2, 1, 2, 1, 0, 0, 0};
    memcpy(sample.depth, depth, sizeof depth);
    memcpy(sample.parent, parent, sizeof parent);
    uint64_t arcs = 0;
    for (uint32_t v = 0; v < 7; v++) arcs += gws_graph_degree(sample.graph, v);
    for (uint32_t i = 0; i < capacity; i++) sample.level[i] = (struct gws_bfs_level){.size = size[i], .workers = 1};
    sample.result = (struct gws_bfs_result){.vertices = vertices, .source = 0, .reached = 7, .reached_arcs = arcs};
    sample.result.depth = sample.depth;
    sample.result.parent = sample.parent;
    sample.result.levels = 5;
    sample.result.level = sample.level;
}

static void set_up(void)
{
    sample_graph(GWS_BUILD_SYMMETRISE);
    sample_reset();
}

static void tear_down(void)
{
    gws_graph_destroy(sample.graph);
    gws_runtime_close(sample.runtime);
}

static gws_status check(struct gws_diagnostic *where)
{
    return gws_bfs_check(sample.runtime, sample.graph, &sample.result, where);
}

START_TEST(right_results)
{
    ck_assert_int_eq(check(NULL), GWS_OK);
    sample.parent[3] = 2; /* vertex 2 is as close as vertex 1 */
    ck_assert_int_eq(check(NULL), GWS_OK);
    tear_down();
    sample_graph(GWS_BUILD_DIRECTED);
    sample_reset();
    ck_assert_int_eq(check(NULL), GWS_OK);
}
END_TEST

START_TEST(isolated_source)
{
    for (uint32_t v = 0; v < vertices; v++) sample.depth[v] = sample.parent[v] = GWS_NO_VERTEX;
    sample.depth[9] = 0;
    sample.parent[9] = 9;
    sample.result.source = 9;
    sample.result.reached = sample.result.levels = 1;
    sample.result.reached_arcs = 0;
    ck_assert_int_eq(check(NULL), GWS_OK);
    sample.result.source = 8; /* vertex 8 is not at depth 0 */
    ck_assert_int_eq(check(NULL), GWS_WRONG_RESULT);
}
END_TEST

enum field { DEPTH, PARENT, LEVEL_SIZE };

/* A row has one or two changed entries, and text that the message must contain. */
static const struct {
    const char *about, *message;
    struct {
        enum field field;
        uint32_t at, value;
    } change[4];
} spoils[] = {
    {"a depth too large", "vertex 1 ", {{DEPTH, 4, 4}, {DEPTH, 3, 3}}},
    {"a leaf too deep", "vertex 3 ", {{DEPTH, 4, 4}}},
    {"a depth too small", "vertex 4 ", {{DEPTH, 4, 2}}},
    {"a depth of 0", "vertex 4 ", {{DEPTH, 4, 0}}},
    {"a depth past the levels", "vertex 5 ", {{DEPTH, 6, 5}}},
    {"a depth near the largest number", "vertex 5 ", {{DEPTH, 6, GWS_NO_VERTEX - 1}}},
    {"a parent that is no neighbour", "vertex 4 ", {{PARENT, 4, 1}}},
    {"a parent on the right level that is no neighbour", "vertex 6 ", {{PARENT, 6, 4}}},
    {"a neighbour deeper as the parent", "vertex 3 ", {{PARENT, 3, 4}}},
    {"its own parent", "vertex 4 ", {{PARENT, 4, 4}}},
    {"its own parent, with a loop in the graph", "vertex 6 ", {{PARENT, 6, 6}}},
    {"a second root", "vertex 4 ", {{PARENT, 4, 4}, {DEPTH, 4, 0}}},
    {"the source has a parent", "vertex 0 ", {{PARENT, 0, 1}}},
    {"the source is not at depth 0", "source", {{DEPTH, 0, 1}}},
    {"the source is not reached", "source", {{DEPTH, 0, GWS_NO_VERTEX}, {PARENT, 0, GWS_NO_VERTEX}}},
    {"a cycle of parents", "vertex 5 ", {{PARENT, 5, 6}, {PARENT, 6, 5}}},
    {"a cycle of parents far from the source",
     "vertex 7 ",
     {{PARENT, 7, 8}, {PARENT, 8, 7}, {DEPTH, 7, 3}, {DEPTH, 8, 4}}},
    {"unreached, said to be reached", "vertex 7 ", {{DEPTH, 7, 4}, {PARENT, 7, 5}}},
    {"reached, said to be unreached", "vertex 5 ", {{DEPTH, 6, GWS_NO_VERTEX}, {PARENT, 6, GWS_NO_VERTEX}}},
    {"a depth without a parent", "vertex 4 ", {{PARENT, 4, GWS_NO_VERTEX}}},
    {"a parent without a depth", "vertex 9 ", {{PARENT, 9, 0}}},
    {"a parent that is no vertex", "vertex 4 ", {{PARENT, 4, vertices}}},
    {"too large a level", "level 1", {{LEVEL_SIZE, 1, 3}}},
    {"too small a level", "level 4", {{LEVEL_SIZE, 4, 0}}},
    {"a vertex on the wrong level", "level 3", {{LEVEL_SIZE, 3, 1}, {LEVEL_SIZE, 4, 2}}},
};
enum { spoil_count = sizeof spoils / sizeof spoils[0] };

START_TEST(spoiled_arrays)
{
    for (int i = 0; i < 4; i++) {
        uint32_t at = spoils[_i].change[i].at, value = spoils[_i].change[i].value;
        if (i > 0 && at == 0) break; /* only the first change may have index 0 */
        if (spoils[_i].change[i].field == DEPTH) sample.depth[at] = value;
        if (spoils[_i].change[i].field == PARENT) sample.parent[at] = value;
        if (spoils[_i].change[i].field == LEVEL_SIZE) sample.level[at].size = value;
    }
    struct gws_diagnostic where = {.message = ""};
    ck_assert_msg(check(&where) == GWS_WRONG_RESULT, "accepted: %s", spoils[_i].about);
    ck_assert_msg(strstr(where.message, spoils[_i].message) != NULL, "%s: %s", spoils[_i].about, where.message);
    ck_assert_int_eq(check(NULL), GWS_WRONG_RESULT);
}
END_TEST

START_TEST(spoiled_numbers)
{
    const struct gws_bfs_result right = sample.result;
    for (int i = 0; i < 12; i++) {
        sample.result = right;
        switch (i) {
        case 0:
            sample.result.reached++;
            break;
        case 1:
            sample.result.reached--;
            break;
        case 2:
            sample.result.reached_arcs++;
            break;
        case 3:
            sample.result.reached_arcs = 0;
            break;
        case 4:
            sample.result.levels--;
            break;
        case 5:
            sample.result.levels++;
            break; /* the last level would be empty */
        case 6:
            sample.result.source = 1;
            break;
        case 7:
            sample.result.source = vertices;
            break;
        case 8:
            sample.result.vertices++;
            break;
        case 10:
            sample.result.levels = 0;
            break;
        case 11:
            sample.result.levels = GWS_NO_VERTEX;
            break;
        case 9:
            sample.result = (struct gws_bfs_result){0};
            break;
        }
        struct gws_diagnostic where = {.message = ""};
        ck_assert_msg(check(&where) == GWS_WRONG_RESULT, "accepted: number %d", i);
        ck_assert_int_ne(where.message[0], '\0');
    }
}
END_TEST

/* The arc of a directed graph must lead from the parent. The reverse of the arc does not count. */
START_TEST(arcs_have_a_direction)
{
    tear_down();
    sample_graph(GWS_BUILD_DIRECTED);
    sample_reset();
    for (uint32_t v = 0; v < vertices; v++) sample.depth[v] = sample.parent[v] = GWS_NO_VERTEX;
    sample.depth[8] = 0;
    sample.parent[8] = 8;
    sample.result.source = 8;
    sample.result.levels = sample.result.reached = 1;
    sample.result.reached_arcs = 0;
    ck_assert_int_eq(check(NULL), GWS_OK);
    sample.depth[7] = 1;
    sample.parent[7] = 8; /* the reverse of the arc 7 -> 8 */
    sample.level[1].size = 1;
    sample.result.levels = sample.result.reached = 2;
    sample.result.reached_arcs = 1;
    ck_assert_int_eq(check(NULL), GWS_WRONG_RESULT);
}
END_TEST

START_TEST(messages_use_the_names_of_the_input)
{
    gws_graph_set_first_id(sample.graph, 1);
    sample.parent[4] = 1;
    struct gws_diagnostic where;
    ck_assert_int_eq(check(&where), GWS_WRONG_RESULT);
    ck_assert_ptr_nonnull(strstr(where.message, "vertex 5 "));
}
END_TEST

START_TEST(short_memory)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    memory.fail_at = memory.calls + 1;
    ck_assert_int_eq(gws_bfs_check(runtime, sample.graph, &sample.result, NULL), GWS_NO_MEMORY);
    ck_assert_int_eq(gws_bfs_check(runtime, sample.graph, &sample.result, NULL), GWS_OK);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{right_results, 1},
                                    {isolated_source, 1},
                                    {spoiled_arrays, spoil_count},
                                    {spoiled_numbers, 1},
                                    {arcs_have_a_direction, 1},
                                    {messages_use_the_names_of_the_input, 1},
                                    {short_memory, 1},
                                    {0}};
    return gws_test_run_between("bfs_check", test, set_up, tear_down);
}
