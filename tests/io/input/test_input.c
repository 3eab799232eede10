/* SPDX-License-Identifier: MIT */
/* Where the bytes come from: maps, gzip of all kinds, pipes; and files of many pieces, read by any number of threads.
 */
#define _GNU_SOURCE
#include "../../harness.h"

#include <sys/wait.h>
#include <zlib.h>

#include "../same_graph.h"
#include "../text/said.h"

/* Text to gzip: returns its size. */
static size_t pack(const char *text, size_t size, unsigned char *out, size_t room)
{
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)size;
    z.next_out = out;
    z.avail_out = (uInt)room;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t made = z.total_out;
    deflateEnd(&z);
    return made;
}

static gws_status read_bytes(const void *bytes, size_t size, uint32_t threads, struct gws_graph **graph,
                             struct gws_where *where)
{
    struct gws_runtime *runtime = gws_open_runtime(threads, (struct gws_allocator){0});
    *where = (struct gws_where){0};
    *graph = NULL;
    gws_status status = gws_graph_read(runtime, gws_test_file("graph.el", bytes, size), NULL, graph, where);
    gws_runtime_close(runtime);
    return status;
}

static void check_bytes(const void *bytes, size_t size, gws_status status, const char *part)
{
    struct gws_graph *graph;
    struct gws_where where;
    ck_assert_int_eq(read_bytes(bytes, size, 2, &graph, &where), status);
    if (status == GWS_OK) ck_assert_str_eq(gws_said(graph), part);
    if (status != GWS_OK) ck_assert_msg(strstr(where.message, part) != NULL, "%s", where.message);
    gws_graph_destroy(graph);
}

START_TEST(test_gzip)
{
    unsigned char bytes[512] = {0};
    size_t size = pack("0 1\n1 2\n", 8, bytes, sizeof bytes);
    check_bytes(bytes, size, GWS_OK, "d 3 0>1 1>2 2");
    check_bytes(bytes, size + 100, GWS_OK, "d 3 0>1 1>2 2"); /* zeros behind */
    bytes[size] = 'x';
    check_bytes(bytes, size + 1, GWS_CORRUPT, "behind the gzip data");
    size_t more = pack("2 0\n", 4, bytes + size, sizeof bytes - size);
    check_bytes(bytes, size + more, GWS_OK, "d 3 0>1 1>2 2>0"); /* two members */
    for (size_t cut = 2; cut < size; cut++) check_bytes(bytes, cut, GWS_TRUNCATED, "ends too early");
    bytes[size - 6] ^= 1;
    check_bytes(bytes, size, GWS_CORRUPT, "incorrect data check");
    bytes[size - 6] ^= 1;
    bytes[size - 2] ^= 1;
    check_bytes(bytes, size, GWS_CORRUPT, "incorrect length check");
    bytes[3] = 0xff;
    check_bytes(bytes, size, GWS_CORRUPT, "unknown header flags");
    size = pack("", 0, bytes, sizeof bytes);
    check_bytes(bytes, size, GWS_OK, "d 0");
}
END_TEST

/* Runs the reader with its standard input from a pipe. */
static void read_pipe(const void *bytes, size_t size, enum gws_format format, const char *said)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (size_t at = 0; at < size; at++) {
            if (write(ends[1], (const char *)bytes + at, 1) != 1) _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_where where = {0};
    struct gws_read_options options = {.format = format};
    gws_status status = gws_graph_read(runtime, "-", &options, &graph, &where);
    if (status == GWS_OK) ck_assert_str_eq(gws_said(graph), said);
    if (status != GWS_OK) {
        ck_assert_str_eq(where.file, "standard input");
        ck_assert_str_eq(where.message, said);
    }
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    waitpid(child, NULL, 0);
}

START_TEST(test_pipe)
{
    unsigned char bytes[256];
    size_t size = pack("0 1\n1 2", 7, bytes, sizeof bytes);
    read_pipe("0 1\n1 2", 7, GWS_FORMAT_AUTO, "d 3 0>1 1>2 2");
    read_pipe(bytes, size, GWS_FORMAT_AUTO, "d 3 0>1 1>2 2");
    read_pipe(bytes, size - 1, GWS_FORMAT_AUTO, "the gzip data ends too early");
    read_pipe("p tw 2 1\n1 2\n", 13, GWS_FORMAT_AUTO, "u 2 1>2 2>1");
    read_pipe("2 1\n2\n1\n", 8, GWS_FORMAT_METIS, "u 2 1>2 2>1");
    read_pipe("", 0, GWS_FORMAT_EDGE_LIST, "d 0");
}
END_TEST

/* A .gwsg tells itself on standard input and under any name, plain or compressed. */
START_TEST(test_gwsg)
{
    struct gws_graph *graph = NULL;
    struct gws_where where;
    size_t size = 0;
    ck_assert_int_eq(read_bytes("5 7\n7 5\n", 8, 1, &graph, &where), GWS_OK);
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    const char *path = gws_test_temp("a.gwsg");
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, &where), GWS_OK);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    char *bytes = gws_slurp(path, &size);
    unsigned char *packed = malloc(size + 1000);
    size_t packed_size = pack(bytes, size, packed, size + 1000);
    read_pipe(bytes, size, GWS_FORMAT_AUTO, "d 2 5>7 7>5");
    read_pipe(packed, packed_size, GWS_FORMAT_AUTO, "d 2 5>7 7>5");
    read_pipe(packed, packed_size - 1, GWS_FORMAT_AUTO, "the gzip data ends too early");
    check_bytes(bytes, size, GWS_OK, "d 2 5>7 7>5");
    check_bytes(packed, packed_size, GWS_OK, "d 2 5>7 7>5");
    free(packed);
    free(bytes);
}
END_TEST

/* A text of several megabytes: edge i is i % 70001 to i * i % 70001, so that every id below 70001 is there. Lines have
 * all widths, and comments and blank lines are strewn in. *lines receives how many there are. */
static char *make_text(size_t *size, uint64_t *lines)
{
    enum { edges = 400000 };
    char *text = malloc(edges * 40);
    size_t at = 0;
    *lines = 0;
    for (uint64_t i = 0; i < edges; i++) {
        if (i % 1000 == 7) at += (size_t)sprintf(text + at, "# a comment before edge %d\r\n", (int)i), ++*lines;
        if (i % 777 == 8) at += (size_t)sprintf(text + at, " \n"), ++*lines;
        at += (size_t)sprintf(text + at, "%d%s%d%s", (int)(i % 70001), i % 3 ? "\t" : "  ", (int)(i * i % 70001),
                              i % 5 ? "\n" : "\r\n");
        ++*lines;
    }
    *size = at;
    return text;
}

START_TEST(test_many_pieces)
{
    size_t size;
    uint64_t lines;
    char *text = make_text(&size, &lines);
    unsigned char *packed = malloc(size + 1000);
    size_t packed_size = pack(text, size / 2, packed, size);
    packed_size += pack(text + size / 2, size - size / 2, packed + packed_size, size - packed_size);
    struct gws_graph *first, *next;
    struct gws_where where;
    ck_assert_int_eq(read_bytes(text, size, 1, &first, &where), GWS_OK);
    ck_assert_uint_eq(first->vertices, 70001);
    ck_assert_uint_eq(first->arcs, 400000);
    ck_assert(first->id == NULL && first->first_id == 0 && first->directed);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        ck_assert_int_eq(read_bytes(text, size, threads, &next, &where), GWS_OK);
        gws_check_same(first, next, GWS_SAME_ALL);
        gws_graph_destroy(next);
        ck_assert_int_eq(read_bytes(packed, packed_size, threads, &next, &where), GWS_OK);
        gws_check_same(first, next, GWS_SAME_ALL);
        gws_graph_destroy(next);
    }
    gws_graph_destroy(first);
    free(packed);
    free(text);
}
END_TEST

/* Two mistakes, near the end and in the middle: the first in the file is told, whoever finds it. */
START_TEST(test_first_mistake)
{
    size_t size;
    uint64_t lines, line = 1;
    char *text = make_text(&size, &lines);
    unsigned char *packed = malloc(size + 1000);
    size_t middle = size / 2;
    while (text[middle - 1] != '\n') middle++;
    for (size_t i = 0; i < middle; i++) line += text[i] == '\n';
    text[middle] = 'x';
    text[size - 3] = 'y';
    size_t packed_size = pack(text, size, packed, size);
    for (uint32_t threads = 1; threads <= 4; threads++) {
        struct gws_graph *graph;
        struct gws_where where;
        ck_assert_int_eq(read_bytes(text, size, threads, &graph, &where), GWS_SYNTAX);
        ck_assert(where.line == line && where.column == 1);
        ck_assert_int_eq(read_bytes(packed, packed_size, threads, &graph, &where), GWS_SYNTAX);
        ck_assert(where.line == line && where.column == 1);
    }
    free(packed);
    free(text);
}
END_TEST

/* Lines longer than a piece: a comment, and a METIS row. */
START_TEST(test_long_lines)
{
    enum { n = 200000 };
    char *text = malloc(n * 16);
    size_t at = (size_t)sprintf(text, "# Undirected ");
    memset(text + at, 'x', 1 << 20);
    at += 1 << 20;
    at += (size_t)sprintf(text + at, "\n1 2\n");
    unsigned char *packed = malloc(n * 16);
    size_t packed_size = pack(text, at, packed, n * 16);
    check_bytes(text, at, GWS_OK, "u 2 1>2 2>1");
    check_bytes(packed, packed_size, GWS_OK, "u 2 1>2 2>1");
    at = (size_t)sprintf(text, "%d %d\n", n, n - 1);
    for (int i = 2; i <= n; i++) at += (size_t)sprintf(text + at, "%d ", i);
    text[at++] = '\n';
    for (int i = 2; i <= n; i++) at += (size_t)sprintf(text + at, "1\n");
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_where where = {0};
    packed_size = pack(text, at, packed, n * 16);
    const char *path = gws_test_file("star.graph.gz", packed, packed_size);
    ck_assert_msg(gws_graph_read(runtime, path, NULL, &graph, &where) == GWS_OK, "%s", where.message);
    ck_assert_uint_eq(graph->arcs, 2 * (n - 1));
    ck_assert_uint_eq(gws_graph_degree(graph, 0), n - 1);
    ck_assert_uint_eq(gws_graph_degree(graph, n - 1), 1);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    free(packed);
    free(text);
}
END_TEST

/* Inflating while memory runs out, at any call. */
START_TEST(test_failing_memory)
{
    unsigned char bytes[256];
    const char *path = gws_test_file("m.el.gz", bytes, pack("0 1\n1 2\n", 8, bytes, sizeof bytes));
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_options how = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws_graph *graph = NULL;
        gws_status status = gws_runtime_open(&how, &runtime);
        if (status == GWS_OK) status = gws_graph_read(runtime, path, NULL, &graph, NULL);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(graph != NULL, status == GWS_OK);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("input");
    TCase *all = tcase_create("all");
    tcase_add_test(all, test_gzip);
    tcase_add_test(all, test_pipe);
    tcase_add_test(all, test_gwsg);
    tcase_add_test(all, test_many_pieces);
    tcase_add_test(all, test_first_mistake);
    tcase_add_test(all, test_long_lines);
    tcase_add_test(all, test_failing_memory);
    suite_add_tcase(made, all);
    return made;
}

int main(void)
{
    return gws_test_main(suite);
}
