/* SPDX-License-Identifier: MIT */
/* Pairs of a list of vertices and a list of edges. */
#define _GNU_SOURCE
#include "../../harness.h"

#include "../graphs.h"

static const struct {
    const char *vertices, *edges, *said; /* said: the graph, or part of the message */
    gws_status status;
    uint64_t line, column;
} cases[] = {
    {"1\n2\n3\n4\n", "1 2\n2 4\n", "d 4 1>2 2>4 3 4", GWS_OK, 0, 0},
    {"1\n2\n3\n4\n", "", "d 4 1 2 3 4", GWS_OK, 0, 0},
    {"", "", "d 0", GWS_OK, 0, 0},
    {"0\n1\n2\n", "1 2 0.5\n2 0 0.25\n", "d 3 0 1>2:f0.5 2>0:f0.25", GWS_OK, 0, 0},
    {"7\r\n\r\n# x\n 99 \n12\n7\n", "99 7\n", "d 3 7 12 99>7", GWS_OK, 0, 0},
    {"7\n18446744073709551615\n4294967296\n", "7 18446744073709551615 3\n",
     "d 3 7>18446744073709551615:3 4294967296 18446744073709551615", GWS_OK, 0, 0},
    {"7\n99999999999", "# Ids: 0 to 9\n7 7\n", "d 2 7>7 99999999999", GWS_OK, 0, 0},
    {"7\n8\n9\n", "7 8 1 5\n", "d 3 7>8:1 8 9", GWS_OK, 0, 0},
    {"1\n2\n", "1 3\n2 5\n", "an edge has the vertex 3, which is not in ", GWS_OUT_OF_RANGE, 0, 0},
    {"1\n2\n", "1 99999999999\n", "an edge has the vertex 99999999999", GWS_OUT_OF_RANGE, 0, 0},
    {"1\n99999999999\n", "1 2\n", "an edge has the vertex 2,", GWS_OUT_OF_RANGE, 0, 0},
    {"", "1 2\n", "an edge has the vertex 1,", GWS_OUT_OF_RANGE, 0, 0},
    {"1\nx\n", "1 1\n", "a vertex, found 'x'", GWS_SYNTAX, 2, 1},
    {"1\n2 3\n", "1 1\n", "the end of the line, found '3'", GWS_SYNTAX, 2, 3},
    {"1\n18446744073709551616\n", "1 1\n", "64 bits", GWS_OUT_OF_RANGE, 2, 1},
    {"1\n", "1 1\n1 a\n", "a vertex, found 'a'", GWS_SYNTAX, 2, 3},
    {"1\n", "a b\n", "a vertex, found 'a'", GWS_SYNTAX, 1, 1},
};

static void check(int i, const char *path, uint32_t threads)
{
    struct gws_runtime *runtime = gws_open_runtime(threads, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_graph_read(runtime, path, NULL, &graph, &where);
    ck_assert_msg(status == cases[i].status, "%d: %s", i, where.message);
    if (status == GWS_OK) {
        ck_assert_str_eq(gws_describe_graph(graph), cases[i].said);
    } else {
        ck_assert_msg(strstr(where.message, cases[i].said) != NULL, "%s", where.message);
        ck_assert_uint_eq(where.line, cases[i].line);
        ck_assert_uint_eq(where.column, cases[i].column);
    }
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

START_TEST(test_pair)
{
    char path[2][GWS_TEST_PATH];
    snprintf(path[0], sizeof path[0], "%s", gws_test_file("a.v", cases[_i].vertices, strlen(cases[_i].vertices)));
    snprintf(path[1], sizeof path[1], "%s", gws_test_file("a.e", cases[_i].edges, strlen(cases[_i].edges)));
    for (int name = 0; name < 2; name++) {
        check(_i, path[name], 1);
        check(_i, path[name], 3);
    }
}
END_TEST

START_TEST(test_one_file)
{
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_file("b.e", "1 9\n", 4), NULL, &graph, &where), GWS_OK);
    ck_assert_str_eq(gws_describe_graph(graph), "d 2 1>9 9");
    gws_graph_destroy(graph);
    graph = NULL;
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_file("c.v", "1\n", 2), NULL, &graph, &where), GWS_SYNTAX);
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_temp("d.v"), NULL, &graph, &where), GWS_SYSTEM);
    ck_assert_ptr_null(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The reader of pairs and names runs with an allocator that may fail at any call. */
START_TEST(test_memory)
{
    static const uint32_t threads[] = {2, 1, 3};
    const char *path;
    char list[4096] = "\"x\"\"y\",n0\n", *at = list + strlen(list);
    for (int i = 0; i < 200; i++) at += sprintf(at, "n%d,n%d\n", i, i * 7 % 200);
    gws_test_file("m.v", "1\n2\n99999999999\n", 16);
    path = _i == 0 ? gws_test_file("m.e", "1 2 .5\n", 7) : gws_test_file("n.csv", list, strlen(list));
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {0};
        struct gws_runtime *runtime = gws_open_runtime(threads[_i], gws_test_allocator(&memory));
        struct gws_graph *graph = NULL;
        struct gws_diagnostic where = {0};
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_graph_read(runtime, path, NULL, &graph, &where);
        bool failed = atomic_load(&memory.failed);
        ck_assert_msg(status == (failed ? GWS_NO_MEMORY : GWS_OK), "%d %s", status, where.message);
        ck_assert_int_eq(graph != NULL, !failed);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!failed) break;
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {test_pair, sizeof cases / sizeof *cases}, {test_one_file, 1}, {test_memory, 3}, {0}};
    return gws_test_run("pairs", test);
}
