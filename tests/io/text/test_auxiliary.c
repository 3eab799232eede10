/* SPDX-License-Identifier: MIT */
/* Auxiliary files of a graph: positions (.co) and sources (.ss). Also runs every reader with an allocator that may
 * fail. */
#define _GNU_SOURCE
#include "../../harness.h"

#include "../graphs.h"

static const char square[] = "p sp 4 4\na 1 2 1\na 2 3 1\na 3 4 1\na 4 1 1\n";

static const struct {
    const char *text;
    gws_status status;
    uint64_t line, column;
    const char *part;
} coordinates[] = {
    {"c x\np aux sp co 4\nv 1 -73530767 41085396\r\nv 3 5 6\n\nv 4 1.5 -2e-1\nv 2 .1 0.30000000000000004\n", GWS_OK, 0,
     0, NULL},
    {"p aux sp co 4\nv 1 0 0\nv 2 0 0\nv 3 0 0\n", GWS_CORRUPT, 0, 0, "vertex 4 has no position"},
    {"p aux sp co 4\nv 1 0 0\nv 2 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0", GWS_CORRUPT, 0, 0, "vertex 2 has two positions"},
    {"p aux sp co 5\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0", GWS_TRUNCATED, 0, 0, "5 vertices declared, 4 found"},
    {"p aux sp co 3\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0", GWS_SYNTAX, 0, 0, "3 vertices declared, 4 found"},
    {"p aux sp co 4\nv 5 0 0\n", GWS_OUT_OF_RANGE, 2, 3, "no vertex 5"},
    {"p aux sp co 4\nv 1 0 nan\n", GWS_SYNTAX, 2, 7, "'nan'"},
    {"p aux sp co 4\nv 1 0 -1e999\n", GWS_SYNTAX, 2, 7, "'-1e999'"},
    {"p aux sp co 4\nv 1 0\n", GWS_SYNTAX, 2, 6, "a coordinate, found the end"},
    {"p aux sp co 4\nv 1 0 0 0\n", GWS_SYNTAX, 2, 9, "the end of the line"},
    {"p aux sp co 4\nx 1 0 0\n", GWS_SYNTAX, 2, 1, "\"v ID X Y\""},
    {"p aux sp ss 4\n", GWS_SYNTAX, 1, 10, "p aux sp co"},
    {"", GWS_TRUNCATED, 1, 1, "p aux sp co"},
};

START_TEST(test_coordinates)
{
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    const char *beside = gws_test_file("a.co", coordinates[_i].text, strlen(coordinates[_i].text));
    struct gws_read_options options = {.positions = beside};
    gws_status status =
        gws_graph_read(runtime, gws_test_file("a.gr", square, strlen(square)), &options, &graph, &where);
    ck_assert_msg(status == coordinates[_i].status && where.line == coordinates[_i].line &&
                      where.column == coordinates[_i].column,
                  "%d at %d:%d: %s", status, (int)where.line, (int)where.column, where.message);
    if (status == GWS_OK) {
        static const double right[] = {-73530767, 41085396, .1, 0.30000000000000004, 5, 6, 1.5, -.2};
        for (int i = 0; i < 8; i++) ck_assert(graph->position[i] == right[i]);
    } else {
        ck_assert_ptr_null(graph);
        ck_assert_str_eq(where.file, beside);
        ck_assert_ptr_nonnull(strstr(where.message, coordinates[_i].part));
    }
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

static const struct {
    const char *text;
    gws_status status;
    uint64_t line, column;
    const char *part;
} sources[] = {
    {"c x\np aux sp ss 3\ns 1\r\n\nc y\ns 4\ns 1", GWS_OK, 0, 0, NULL},
    {"p aux sp ss 2\ns 1\n", GWS_TRUNCATED, 0, 0, "2 sources declared, 1 found"},
    {"p aux sp ss 1000000000000000000\ns 1\n", GWS_TRUNCATED, 0, 0, "1 found"},
    {"p aux sp ss 1\ns 1\ns 2\n", GWS_SYNTAX, 0, 0, "1 sources declared, 2 found"},
    {"p aux sp ss 1\ns 5\n", GWS_OUT_OF_RANGE, 2, 3, "no vertex 5"},
    {"p aux sp ss 1\ns x\n", GWS_SYNTAX, 2, 3, "a vertex, found 'x'"},
    {"p aux sp ss 1\ns 1 2\n", GWS_SYNTAX, 2, 5, "the end of the line"},
    {"p aux sp ss 1\n1\n", GWS_SYNTAX, 2, 1, "\"s ID\""},
    {"p sp 1\n", GWS_SYNTAX, 1, 3, "p aux sp ss"},
};

START_TEST(test_sources)
{
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    uint32_t *source = NULL;
    uint64_t count = 77;
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_file("a.gr", square, strlen(square)), NULL, &graph, &where),
                     GWS_OK);
    const char *path = gws_test_file("a.ss", sources[_i].text, strlen(sources[_i].text));
    gws_status status = gws_sources_read(runtime, path, graph, &source, &count, &where);
    ck_assert_msg(status == sources[_i].status && where.line == sources[_i].line && where.column == sources[_i].column,
                  "%d at %d:%d: %s", status, (int)where.line, (int)where.column, where.message);
    if (status == GWS_OK) {
        ck_assert(count == 3 && source[0] == 0 && source[1] == 3 && source[2] == 0);
        gws_release(runtime, source, count, sizeof *source);
    } else {
        ck_assert(source == NULL && count == 77);
        ck_assert_ptr_nonnull(strstr(where.message, sources[_i].part));
    }
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

static const struct {
    const char *name, *text;
} small[] = {
    {"a.gr", square},
    {"a.col", "p edge 3 2\ne 1 2\ne 2 3\n"},
    {"b.gr", "p tw 3 2\n1 2\n2 3\n"},
    {"a.el", "0 1\n1 2\n"},
    {"b.el", "5 1 7\n1 2 8\n"},
    {"c.el", "4294967296 1 7\n1 2 8\n"},
    {"a.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 5\n"},
    {"a.graph", "3 2 1\n2 5\n1 5 3 6\n2 6\n"},
};

START_TEST(test_failing_memory)
{
    const char *co = "p aux sp co 4\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\n";
    struct gws_read_options options = {.positions = _i == 0 ? gws_test_file("m.co", co, strlen(co)) : NULL};
    const char *path = gws_test_file(small[_i].name, small[_i].text, strlen(small[_i].text));
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_options how = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws_graph *graph = NULL;
        struct gws_diagnostic where = {0};
        gws_status status = gws_runtime_open(&how, &runtime);
        if (status == GWS_OK) status = gws_graph_read(runtime, path, &options, &graph, &where);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        bool named = strcmp(where.file, path) == 0 || (options.positions && strcmp(where.file, options.positions) == 0);
        if (memory.failed && runtime)
            ck_assert_msg(named && strstr(where.message, "out of memory"), "%s", where.message);
        ck_assert_int_eq(graph != NULL, status == GWS_OK);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_coordinates, sizeof coordinates / sizeof *coordinates},
                                    {test_sources, sizeof sources / sizeof *sources},
                                    {test_failing_memory, sizeof small / sizeof *small},
                                    {0}};
    return gws_test_run("beside", test);
}
