/* SPDX-License-Identifier: MIT */
/* Malformed files of every text format, with the expected status, position and part of the message. */
#define _GNU_SOURCE
#include "../../harness.h"

#include "../graphs.h"

#define BANNER "%%MatrixMarket matrix coordinate "

static const struct {
    const char *name, *text;
    gws_status status;
    uint64_t line, column;
    const char *part;
    struct gws_read_options options;
} cases[] = {
    /* unknown formats */
    {"a", "", GWS_UNKNOWN_FORMAT, 0, 0, "format", {0}},
    {"a", "hello world\n", GWS_UNKNOWN_FORMAT, 0, 0, "format", {0}},
    {"a", "1 2 3 4\n", GWS_UNKNOWN_FORMAT, 0, 0, "format", {0}},
    /* options of another format */
    {"a.gr",
     "p sp 1 0\n",
     GWS_INVALID,
     0,
     0,
     "trust only works for .gwsg files; this file is read as dimacs",
     {.trust = true}},
    {"a", "0 1\n", GWS_INVALID, 0, 0, "read as edge-list", {.trust = true}},
    {"a", "", GWS_UNKNOWN_FORMAT, 0, 0, "format", {.trust = true}},
    /* DIMACS */
    {"a.gr", "", GWS_TRUNCATED, 1, 1, "\"p ...\"", {0}},
    {"a.gr", "c only\n", GWS_TRUNCATED, 2, 1, "\"p ...\"", {0}},
    {"a.gr", "a 1 2 3\n", GWS_SYNTAX, 1, 1, "\"p ...\"", {0}},
    {"a.gr", "p xx 1 1\n", GWS_SYNTAX, 1, 3, "expected sp, found 'xx'", {0}},
    {"a.gr", "p sp 1\n", GWS_SYNTAX, 1, 7, "number of edges", {0}},
    {"a.gr", "p sp 1 0 5\n", GWS_SYNTAX, 1, 10, "end of the line", {0}},
    {"a.gr", "p sp -1 0\n", GWS_SYNTAX, 1, 6, "number of vertices", {0}},
    {"a.gr", "p sp 99999999999999999999 0\n", GWS_TOO_LARGE, 1, 6, "64 bits", {0}},
    {"a.gr", "p sp 4294967295 0\n", GWS_TOO_LARGE, 1, 0, "4294967294", {0}},
    {"a.gr", "p sp 4294967294 0\n", GWS_TOO_LARGE, 1, 0, "bytes", {0}},
    {"a.gr", "p sp 2 1000000000000000000\na 1 2 3\n", GWS_TRUNCATED, 1, 0, "1 found", {0}},
    {"a.gr", "p sp 2 18446744073709551615\na 1 2 3\n", GWS_TRUNCATED, 1, 0, "1 found", {0}},
    {"a.gr", "p sp 2 1\np sp 2 1\na 1 2 3\n", GWS_SYNTAX, 2, 1, "begins with 'a', found 'p'", {0}},
    {"a.gr", "p sp +2 1\na 1 2 3\n", GWS_SYNTAX, 1, 6, "found '+2'", {0}},
    {"a.gr", "p sp 2 1e0\na 1 2 3\n", GWS_SYNTAX, 1, 8, "found '1e0'", {0}},
    {"a.gr", "p sp 2 0x1\na 1 2 3\n", GWS_SYNTAX, 1, 8, "found '0x1'", {0}},
    {"a.gr", "c\np sp 2 1\na 1 2 3\na 1 2 3\n", GWS_SYNTAX, 2, 0, "2 found", {0}},
    {"a.gr", "p sp 2 1\na 0 2 3\n", GWS_OUT_OF_RANGE, 2, 3, "'0' is not in 1 .. 2", {0}},
    {"a.gr", "p sp 2 1\r\n\r\na 1 3 3\r\n", GWS_OUT_OF_RANGE, 3, 5, "'3'", {0}},
    {"a.gr", "p sp 0 1\na 1 1 1\n", GWS_OUT_OF_RANGE, 2, 3, "'1'", {0}},
    {"a.gr", "p sp 2 1\na 1 99999999999999999999 3\n", GWS_OUT_OF_RANGE, 2, 5, "64 bits", {0}},
    {"a.gr", "p sp 2 1\na 1 2\n", GWS_SYNTAX, 2, 6, "a weight, found the end of the line", {0}},
    {"a.gr", "p sp 2 1\na 1\n", GWS_SYNTAX, 2, 4, "a vertex, found the end of the line", {0}},
    {"a.gr", "p sp 2 1\na 1 2 3 4\n", GWS_SYNTAX, 2, 9, "the end of the line, found '4'", {0}},
    {"a.gr", "p sp 2 1\na 1 2 \x1b[1mgr\xc3\xbcn\n", GWS_SYNTAX, 2, 7, "found '\\x1b[1mgr\xc3\xbcn'", {0}},
    {"a.gr", "p sp 2 1\na 1 2 x23456789012345678901234\xc3\xbcx\n", GWS_SYNTAX, 2, 7, "5678901234...'", {0}},
    {"a.gr", "p sp 2 1\na 1 2 x\n", GWS_SYNTAX, 2, 7, "a weight, found 'x'", {0}},
    {"a.gr", "p sp 2 1\na 1 2 3x\n", GWS_SYNTAX, 2, 7, "'3x'", {0}},
    {"a.gr", "p sp 2 1\na 1 2 x\n", GWS_SYNTAX, 2, 7, "'x'", {.weights = GWS_WEIGHTS_DROP}},
    {"a.gr", "p sp 2 1\na 1 2 nan\n", GWS_OUT_OF_RANGE, 2, 7, "'nan' is not a finite", {0}},
    {"a.gr", "p sp 2 1\na 1 2 -inf\n", GWS_OUT_OF_RANGE, 2, 7, "can be dropped", {0}},
    {"a.gr", "p sp 2 2\na 1 2 1.5\na 1 2 3.5e38\n", GWS_OUT_OF_RANGE, 3, 7, "'3.5e38'", {0}},
    {"a.gr", "p sp 2 2\na 1 2 1.5\na 1 2 1.5x\n", GWS_SYNTAX, 3, 7, "'1.5x'", {0}},
    {"a.gr", "p sp 2 1\na 1 2 2147483648\n", GWS_OUT_OF_RANGE, 2, 7, "32 bits", {.weights = GWS_WEIGHTS_ROUND}},
    {"a.gr", "p sp 2 1\na 1 2 2147483647.5\n", GWS_OUT_OF_RANGE, 2, 7, "32 bits", {.weights = GWS_WEIGHTS_ROUND}},
    {"a.gr", "p sp 2 1\na 1 2 nan\n", GWS_OUT_OF_RANGE, 2, 7, "'nan'", {.weights = GWS_WEIGHTS_ROUND}},
    {"a.gr", "p sp 2 1\nb 1 2 3\n", GWS_SYNTAX, 2, 1, "begins with 'a', found 'b'", {0}},
    {"a.gr", "p sp 2 1\na1 2 3\n", GWS_SYNTAX, 2, 1, "'a1'", {0}},
    {"a.gr", "p sp 2 1\na 1,2 3\n", GWS_SYNTAX, 2, 4, "','", {0}},
    {"a.gr", "p sp 2 1\na -1 2 3\n", GWS_SYNTAX, 2, 3, "'-1'", {0}},
    {"a.gr", "p sp 2 1\na 1.0 2 3\n", GWS_SYNTAX, 2, 3, "'1.0'", {0}},
    {"a.gr", "p sp 2 1\na 1\r2 3\n", GWS_SYNTAX, 2, 3, "'1\\x0d2'", {0}},
    /* other formats with declared counts */
    {"a.col", "p edge 3 3\ne 1 2\n", GWS_TRUNCATED, 1, 0, "3 edges declared, 1 found", {0}},
    {"a.col", "p edge 3 1\na 1 2\n", GWS_SYNTAX, 2, 1, "begins with 'e'", {0}},
    {"a.gr", "p tw 3 1\n1 2 3\n", GWS_SYNTAX, 2, 5, "the end of the line, found '3'", {0}},
    {"a.gr", "p tw 3 2\n1 2\n", GWS_TRUNCATED, 1, 0, "1 found", {0}},
    {"a.gr", "p tw 3 1\n1 4\n", GWS_OUT_OF_RANGE, 2, 3, "'4'", {0}},
    /* edge lists */
    {"a.el", "0 1\n0\n", GWS_SYNTAX, 2, 2, "a vertex, found the end of the line", {0}},
    {"a.el", "0 1\n0 1 2\n", GWS_SYNTAX, 2, 5, "the end of the line, found '2'", {0}},
    {"a.el", "0 1 2\n0 1\n", GWS_SYNTAX, 2, 4, "a weight", {0}},
    {"a.el", "0 1 2 3\n0 1 2\n", GWS_SYNTAX, 2, 6, "expected 4 columns, found 3", {0}},
    {"a.el", "0 1 2 3\n0 1 2 3 4\n", GWS_SYNTAX, 2, 9, "after 4 columns, found '4'", {0}},
    {"a.el", "0 1 2x\n", GWS_SYNTAX, 1, 5, "a weight, found '2x'", {0}},
    {"a.el", "-1 0\n", GWS_SYNTAX, 1, 1, "a vertex, found '-1'", {0}},
    {"a.el", "0 1\n1 bob\n", GWS_SYNTAX, 2, 3, "found 'bob' (the first edge has numbers)", {0}},
    {"a.el", "alice bob\nalice\n", GWS_SYNTAX, 2, 6, "expected 2 columns, found 1", {0}},
    {"a.el", "alice bob\nalice bob 3\n", GWS_SYNTAX, 2, 11, "after 2 columns, found '3'", {0}},
    {"a.el", "alice bob 2\n\nbob alice x\n", GWS_SYNTAX, 3, 11, "a weight, found 'x'", {0}},
    {"a.csv", "alice,bob\nbob,\n", GWS_SYNTAX, 2, 5, "expected a name, found nothing", {0}},
    {"a.csv", "alice,\"bob\nbob,alice\n", GWS_SYNTAX, 1, 7, "a quote without end", {0}},
    {"a.csv", "alice,bob\nbob,\"al\"ice\n", GWS_SYNTAX, 2, 9, "expected a separator after the quotes", {0}},
    {"a.csv", "alice,bob\nbob,\"alice\n", GWS_SYNTAX, 2, 5, "a quote without end", {0}},
    {"a.el", "1 2 {}\n1 2 {'weight': 3}\n", GWS_SYNTAX, 2, 5, "this edge has a weight", {0}},
    {"a.el", "1 2 {'weight': 3}\n1 2 {}\n", GWS_SYNTAX, 2, 5, "this edge has no weight", {0}},
    {"a.el", "1 2 {'weight': x}\n", GWS_SYNTAX, 1, 16, "a weight, found 'x", {0}},
    {"a.el", "1 2 {}\n1 2 {\n", GWS_SYNTAX, 2, 5, "expected a dictionary", {0}},
    {"a.csv", "source,target\n1\n", GWS_SYNTAX, 2, 0, "at least 2 columns, found 1", {0}},
    {"a.el", "# Ids: 0 to 3\nalice bob\n", GWS_SYNTAX, 2, 1, "a vertex, found 'alice'", {0}},
    {"a.csv", "6,2,4,x\n6,5,2,x\n99999999999999999999,1,1,1\n", GWS_OUT_OF_RANGE, 3, 1, "64 bits", {0}},
    {"a.el", "0 1,,\n", GWS_SYNTAX, 1, 4, "','", {0}},
    {"a.el", "0,,1\n", GWS_SYNTAX, 1, 3, "','", {0}},
    {"a.csv", "from\n0,1\n", GWS_SYNTAX, 1, 0, "at least 2 columns, found 1", {0}},
    {"a.csv", "0,1\nfrom,to\n", GWS_SYNTAX, 2, 1, "'from'", {0}},
    {"a.el", "0 18446744073709551616\n", GWS_OUT_OF_RANGE, 1, 3, "64 bits", {0}},
    {"a.el", "18446744073709551615 4294967296\n-1 0\n", GWS_SYNTAX, 2, 1, "'-1'", {0}},
    /* MatrixMarket */
    {"a.mtx", "2 2 1\n1 2\n", GWS_SYNTAX, 1, 1, "%%MatrixMarket", {0}},
    {"a", BANNER "complex general\n", GWS_UNSUPPORTED, 1, 34, "'complex' matrices", {0}},
    {"a", BANNER "real hermitian\n", GWS_UNSUPPORTED, 1, 39, "'hermitian'", {0}},
    {"a", BANNER "real skew-symmetric\n", GWS_UNSUPPORTED, 1, 39, "'skew-symmetric'", {0}},
    {"a", "%%MatrixMarket matrix array real general\n", GWS_UNSUPPORTED, 1, 23, "'array'", {0}},
    {"a", "%%MatrixMarket vector coordinate real general\n", GWS_SYNTAX, 1, 16, "\"matrix\"", {0}},
    {"a", BANNER "real\n2 2 0\n", GWS_SYNTAX, 1, 38, "general or symmetric", {0}},
    {"a", BANNER "real general\n", GWS_TRUNCATED, 2, 1, "size", {0}},
    {"a", BANNER "real general\n2 3 0\n", GWS_UNSUPPORTED, 2, 0, "2 rows and 3 columns", {0}},
    {"a", BANNER "real general\n2 2\n", GWS_SYNTAX, 2, 4, "number of entries", {0}},
    {"a", BANNER "real general\n2 2 1\n1 2\n", GWS_SYNTAX, 3, 4, "a weight", {0}},
    {"a", BANNER "pattern general\n2 2 1\n1 2 3\n", GWS_SYNTAX, 3, 5, "the end of the line", {0}},
    {"a", BANNER "pattern general\n2 2 1\n1 2\n2 1\n", GWS_SYNTAX, 2, 0, "2 found", {0}},
    {"a", BANNER "pattern general\n2 2 3\n1 2\n2 1\n", GWS_TRUNCATED, 2, 0, "2 found", {0}},
    /* METIS */
    {"a.graph", "", GWS_TRUNCATED, 1, 1, "numbers of vertices and edges", {0}},
    {"a.graph", "2 1 5\n", GWS_SYNTAX, 1, 5, "digits 0 or 1", {0}},
    {"a.graph", "3 2 110 18446744073709551615\n2\n1 3\n2\n", GWS_SYNTAX, 2, 2, "a weight", {0}},
    {"a.graph", "3 2 0 1\n2\n1 3\n2\n", GWS_SYNTAX, 1, 7, "expected no NCON", {0}},
    {"a.graph", "2 1 1111\n", GWS_SYNTAX, 1, 5, "digits 0 or 1", {0}},
    {"a.graph", "2 1\n2\n3\n", GWS_OUT_OF_RANGE, 3, 1, "'3' is not in 1 .. 2", {0}},
    {"a.graph", "3 1\n2\n", GWS_TRUNCATED, 1, 0, "lines for 1", {0}},
    {"a.graph", "2 2\n2\n1\n1\n", GWS_SYNTAX, 1, 0, "lines for 3", {0}},
    {"a.graph", "2 3\n2\n1\n", GWS_TRUNCATED, 1, 0, "twice as many neighbours, but 2 found", {0}},
    {"a.graph", "3 1\n2\n3\n\n", GWS_CORRUPT, 0, 0, "the arc from 1 to 2 has no reverse arc", {0}},
    {"a.graph", "2 1 1\n2 5\n1 6\n", GWS_CORRUPT, 0, 0, "with this weight", {0}},
    {"a.graph", "2 1 1\n2\n1 6\n", GWS_SYNTAX, 2, 2, "a weight", {0}},
    {"a.graph", "2 1 10\n\n1 1\n", GWS_SYNTAX, 0, 0, "vertex 1 is blank", {0}},
};

static void check(int i, uint32_t threads, const char *mark)
{
    struct gws_runtime *runtime = gws_open_runtime(threads, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    char text[1024];
    int size = snprintf(text, sizeof text, "%s%s", mark, cases[i].text);
    const char *path = gws_test_file(cases[i].name, text, (size_t)size);
    gws_status status = gws_graph_read(runtime, path, &cases[i].options, &graph, &where);
    ck_assert_ptr_null(graph);
    ck_assert_msg(status == cases[i].status && where.line == cases[i].line && where.column == cases[i].column &&
                      strstr(where.message, cases[i].part),
                  "%s\nbut %d at %d:%d: %s", cases[i].text, status, (int)where.line, (int)where.column, where.message);
    ck_assert_str_eq(where.file, path);
    gws_runtime_close(runtime);
}

START_TEST(test_mistake)
{
    check(_i, 1, "");
    check(_i, 3, "");
    check(_i, 2, "\xef\xbb\xbf"); /* a byte-order mark does not move positions */
}
END_TEST

/* Readers check skipped text for bytes that text cannot contain. So a lost disk block cannot hide lines. */
START_TEST(test_flaws)
{
    static const struct {
        const char *name, *text;
        unsigned size, line, column;
    } flaws[] = {
        {"a.el", "# a\0\n0 1\n", 10, 1, 4},
        {"a.el", "# a\r0 1\r1 2\r", 12, 1, 4},
        {"a.el", "0 1\n# a\r1 2\n", 13, 2, 4},
        {"a.gr", "c \0\np sp 1 0\n", 13, 1, 3},
        {"a.gr", "p sp 1 0\nc \0\n", 13, 2, 3},
        {"a.graph", "% \0\n1 0\n\n", 9, 1, 3},
        {"a.graph", "1 0\n% \0\n\n", 9, 2, 3},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n%\0\n1 1 0\n", 58, 2, 2},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n%\0\n", 58, 3, 2},
        {"a.csv", "from\0,to\n0,1\n", 13, 1, 5},
    };
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    for (unsigned i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        struct gws_graph *graph = NULL;
        struct gws_diagnostic where = {0};
        const char *path = gws_test_file(flaws[i].name, flaws[i].text, flaws[i].size);
        ck_assert_int_eq(gws_graph_read(runtime, path, NULL, &graph, &where), GWS_SYNTAX);
        ck_assert_msg(where.line == flaws[i].line && where.column == flaws[i].column, "%u: %d:%d: %s", i,
                      (int)where.line, (int)where.column, where.message);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The message names the encoding of text that is not UTF-8. */
START_TEST(test_encodings)
{
    static const struct {
        const char *text;
        unsigned size;
    } texts[] = {{"\xff\xfe"
                  "0\0 \0"
                  "1\0\n\0",
                  10},
                 {"\xfe\xff\0"
                  "0\0 \0"
                  "1\0\n",
                  10},
                 {"\xff\xfe\0\0"
                  "0\0\0\0",
                  8},
                 {"\0\0\xfe\xff\0\0\0"
                  "0",
                  8}};
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct gws_graph *graph = NULL;
        struct gws_diagnostic where = {0};
        const char *path = gws_test_file("a.el", texts[i].text, texts[i].size);
        ck_assert_int_eq(gws_graph_read(runtime, path, NULL, &graph, &where), GWS_UNSUPPORTED);
        ck_assert_ptr_nonnull(strstr(where.message, "UTF-16"));
    }
    gws_runtime_close(runtime);
}
END_TEST

/* A NUL is an error anywhere. */
START_TEST(test_zero_bytes)
{
    static const char text[] = "0 1\n#\0\n1 2\n", other[] = "0 1\n1\0002\n";
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    const char *path = gws_test_file("a.el", text, sizeof text - 1);
    ck_assert_int_eq(gws_graph_read(runtime, path, NULL, &graph, &where), GWS_SYNTAX);
    ck_assert(where.line == 2 && where.column == 2);
    path = gws_test_file("a.el", other, sizeof other - 1);
    ck_assert_int_eq(gws_graph_read(runtime, path, NULL, &graph, &where), GWS_SYNTAX);
    ck_assert(where.line == 2 && where.column == 1);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_no_file)
{
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_temp("none.gr"), NULL, &graph, &where), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "No such file"));
    gws_test_file("x", "", 0);
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_temp("."), NULL, &graph, &where), GWS_SYSTEM);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_mistake, sizeof cases / sizeof *cases},
                                    {test_flaws, 1},
                                    {test_encodings, 1},
                                    {test_zero_bytes, 1},
                                    {test_no_file, 1},
                                    {0}};
    return gws_test_run("mistakes", test);
}
