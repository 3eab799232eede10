/* SPDX-License-Identifier: MIT */
/* Sources of bytes: files, files that change during the read, gzip of all kinds, pipes, and files of many chunks that
 * any number of threads read. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <sys/wait.h>
#include <zlib.h>

#include "../../../io/input/input.h"
#include "../../../io/text/reader.h"
#include "../graphs.h"
#include "../input_of.h"

/* Compresses text as gzip, and returns the compressed size. */
static size_t pack(const char *text, size_t size, unsigned char *out, size_t capacity)
{
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)size;
    z.next_out = out;
    z.avail_out = (uInt)capacity;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t made = z.total_out;
    deflateEnd(&z);
    return made;
}

static gws_status read_bytes(const void *bytes, size_t size, uint32_t threads, struct gws_graph **graph,
                             struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = gws_open_runtime(threads, (struct gws_allocator){0});
    *where = (struct gws_diagnostic){0};
    *graph = NULL;
    gws_status status = gws_graph_read(runtime, gws_test_file("graph.el", bytes, size), NULL, graph, where);
    gws_runtime_close(runtime);
    return status;
}

static void check_bytes(const void *bytes, size_t size, gws_status status, const char *part)
{
    struct gws_graph *graph;
    struct gws_diagnostic where;
    ck_assert_int_eq(read_bytes(bytes, size, 2, &graph, &where), status);
    if (status == GWS_OK) ck_assert_str_eq(gws_describe_graph(graph), part);
    if (status != GWS_OK) ck_assert_msg(strstr(where.message, part) != NULL, "%s", where.message);
    gws_graph_destroy(graph);
}

START_TEST(test_gzip)
{
    unsigned char bytes[512] = {0};
    size_t size = pack("0 1\n1 2\n", 8, bytes, sizeof bytes);
    check_bytes(bytes, size, GWS_OK, "d 3 0>1 1>2 2");
    check_bytes(bytes, size + 100, GWS_OK, "d 3 0>1 1>2 2"); /* trailing zeros */
    bytes[size] = 'x';
    check_bytes(bytes, size + 1, GWS_CORRUPT, "after the gzip data");
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

/* Runs the reader with a pipe as standard input. */
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
    struct gws_diagnostic where = {0};
    struct gws_read_options options = {.format = format};
    gws_status status = gws_graph_read(runtime, "-", &options, &graph, &where);
    if (status == GWS_OK) ck_assert_str_eq(gws_describe_graph(graph), said);
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

/* The reader recognises .gwsg on standard input and under any name, plain or compressed. */
START_TEST(test_gwsg)
{
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where;
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

/* Makes a text of several megabytes. Edge i goes from i % 70001 to i * i % 70001, so every id below 70001 appears. The
 * text has lines of all widths, comments and blank lines. Sets *lines to the number of lines. */
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
    struct gws_diagnostic where;
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

/* A file with two errors, near the end and in the middle. The reader reports the first error in the file, whichever
 * thread finds it. */
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
        struct gws_diagnostic where;
        ck_assert_int_eq(read_bytes(text, size, threads, &graph, &where), GWS_SYNTAX);
        ck_assert(where.line == line && where.column == 1);
        ck_assert_int_eq(read_bytes(packed, packed_size, threads, &graph, &where), GWS_SYNTAX);
        ck_assert(where.line == line && where.column == 1);
    }
    free(packed);
    free(text);
}
END_TEST

/* Two lines longer than a chunk: a comment and a METIS row. */
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
    struct gws_diagnostic where = {0};
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

static gws_status read_once(struct gws_runtime *runtime, const void *path)
{
    struct gws_graph *graph = NULL;
    const gws_status status = gws_graph_read(runtime, path, NULL, &graph, NULL);
    ck_assert_int_eq(graph != NULL, status == GWS_OK);
    gws_graph_destroy(graph);
    return status;
}

/* The allocator may fail at any call while the reader inflates the input. */
START_TEST(test_failing_memory)
{
    unsigned char bytes[256];
    gws_test_each_allocation(2, read_once, gws_test_file("m.el.gz", bytes, pack("0 1\n1 2\n", 8, bytes, sizeof bytes)));
}
END_TEST

/* ---- files in chunks, which workers read by number ---- */

static struct gws_runtime *reader;

static void open_reader(void)
{
    reader = gws_open_runtime(3, (struct gws_allocator){0});
}

static void close_reader(void)
{
    gws_runtime_close(reader);
}

static gws_status read_in(struct gws__input *input, uint64_t chunk, struct gws_graph **graph)
{
    static const struct gws_read_options options = {.format = GWS_FORMAT_EDGE_LIST};
    *graph = NULL;
    if (chunk > 0) input->chunk_size = chunk;
    gws_status status = gws__graph_read_input(input, &options, graph);
    gws__input_close(input);
    return status;
}

/* Checks that a file in chunks of any size gives the same graph, or the same error at the same position, as a stream
 * of the same bytes. */
static void check_chunks(const char *text, size_t size)
{
    const char *path = gws_test_file("chunks.el", text, size);
    struct gws_graph *wanted, *found;
    struct gws_diagnostic said = {0};
    struct gws__input input;
    gws_status status = gws_stream_of(&input, reader, text, size, path, &said);
    status = status == GWS_OK ? read_in(&input, 0, &wanted) : status;
    for (uint64_t chunk = 1; chunk < 2 * size + 100; chunk += chunk < 40 ? 1 : chunk / 3) {
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws__input_open(&input, reader, path, &where), GWS_OK);
        ck_assert_msg(read_in(&input, chunk, &found) == status, "chunks of %d: %s", (int)chunk, where.message);
        if (status == GWS_OK) gws_check_same(wanted, found, GWS_SAME_ALL);
        ck_assert_msg(where.line == said.line && where.column == said.column, "chunks of %d: line %d, column %d",
                      (int)chunk, (int)where.line, (int)where.column);
        gws_graph_destroy(found);
    }
    gws_graph_destroy(wanted);
}

START_TEST(test_file_pieces)
{
    static const char *const texts[] = {
        "0 1\n1 2\n2 3\n30 400\n",
        "0 1\n1 2\n2 3",
        "\xef\xbb\xbf# Undirected, and a comment that is far longer than most pieces\n\n\n5 6\n\n \n7 8\n",
        "\n\n\n\n1 2\n",
        "1 2\n3 4\n5 x6\n7 8\n9 y\n",
        "1 2\n33333333333333333333333333333333333333333 4\n5 6\n",
        "7                                                                                             8\n",
        "1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_chunks(texts[i], strlen(texts[i]));
}
END_TEST

/* The chunks' offsets are offsets in the file. Each byte is in exactly one chunk, in order. */
START_TEST(test_chunks_cover)
{
    enum { size = 3000 };
    char text[size];
    for (int i = 0; i < size; i++) text[i] = i * i % 97 < 7 || i == size - 1 ? '\n' : (char)('a' + i % 26);
    const char *path = gws_test_file("cover.txt", text, size);
    for (uint64_t chunk = 1; chunk < 2 * size; chunk += 1 + chunk / 5) {
        struct gws__input input;
        struct gws__chunk next;
        uint64_t at = 0;
        ck_assert_int_eq(gws__input_open(&input, reader, path, NULL), GWS_OK);
        ck_assert(input.file);
        input.chunk_size = chunk;
        while (gws__input_next(&input, &next) == GWS_OK && next.text) {
            ck_assert_uint_eq(next.offset, at);
            ck_assert(next.end[-1] == '\n' && memcmp(next.text, text + at, (size_t)(next.end - next.text)) == 0);
            at += (uint64_t)(next.end - next.text);
            gws__input_release(&input, &next);
        }
        ck_assert_uint_eq(at, size);
        gws__input_close(&input);
    }
}
END_TEST

/* ---- files that change during the read ---- */

/* A change of a file to `size` bytes, at the reader's first report of its progress. */
struct change {
    const char *path;
    off_t size;
    bool done;
};

static void change_file(void *context, const char *work, uint64_t done, uint64_t total)
{
    struct change *change = context;
    (void)work, (void)done, (void)total;
    if (!change->done) ck_assert_int_eq(truncate(change->path, change->size), 0);
    change->done = true;
}

static gws_status read_changing(const char *path, off_t size, uint32_t threads, struct gws_diagnostic *where)
{
    struct change change = {.path = path, .size = size};
    struct gws_options options = {.threads = threads, .progress = change_file, .context = &change};
    struct gws_runtime *runtime = NULL;
    struct gws_graph *graph = NULL;
    *where = (struct gws_diagnostic){0};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    gws_status status = gws_graph_read(runtime, path, NULL, &graph, where);
    ck_assert(change.done && (graph != NULL) == (status == GWS_OK));
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    return status;
}

START_TEST(test_shrinking_text)
{
    size_t size;
    uint64_t lines;
    char *text = make_text(&size, &lines);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct gws_diagnostic where;
        const char *path = gws_test_file("shrinks.el", text, size);
        ck_assert_int_eq(read_changing(path, 300 << 10, threads, &where), GWS_TRUNCATED);
        ck_assert(strstr(where.file, "shrinks.el") && strstr(where.message, "when it was opened"));
        path = gws_test_file("empties.el", text, size);
        ck_assert_int_eq(read_changing(path, 0, threads, &where), GWS_TRUNCATED);
    }
    free(text);
}
END_TEST

/* Opens a file, replaces its bytes, and reads the file. */
static gws_status read_changed(const char *before, const char *after, struct gws_graph **graph)
{
    const char *path = gws_test_file("changes.el", before, strlen(before));
    struct gws__input input;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws__input_open(&input, reader, path, &where), GWS_OK);
    gws_test_file("changes.el", after, strlen(after));
    return read_in(&input, 0, graph);
}

START_TEST(test_changed_text)
{
    struct gws_graph *graph;
    ck_assert_int_eq(read_changed("0 1\n1 2\n", "0 1\n", &graph), GWS_TRUNCATED);
    ck_assert_int_eq(read_changed("0 1\n1 2\n", "", &graph), GWS_TRUNCATED);
    ck_assert_int_eq(read_changed("0 1\n1 2", "0 1\n1 23\n", &graph),
                     GWS_SYSTEM); /* the file has 23 in place of 2 now */
    ck_assert_int_eq(read_changed("0 1\n1 2\n", "0 1\n1 2\n2 3\n", &graph), GWS_OK);
    ck_assert_str_eq(gws_describe_graph(graph), "d 3 0>1 1>2 2");
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(test_changed_gwsg)
{
    struct gws_graph *graph = NULL;
    struct gws__input input;
    struct gws_diagnostic where = {0};
    const char *path = gws_test_temp("changes.gwsg");
    ck_assert_int_eq(gws_graph_generate(reader, "grid:300x300", &graph, NULL), GWS_OK);
    for (int mapped = 0; mapped < 2; mapped++) {
        struct gws_read_options options = {.mapped = mapped};
        struct gws_graph *again = NULL;
        ck_assert_int_eq(gws_graph_write(reader, graph, path, GWS_FORMAT_AUTO, &where), GWS_OK);
        ck_assert_int_eq(gws__input_open(&input, reader, path, &where), GWS_OK);
        ck_assert_int_eq(gws__graph_read_input(&input, &options, &again), GWS_OK);
        gws_check_same(graph, again, GWS_SAME_ALL);
        if (!mapped) ck_assert_int_eq(truncate(path, 0), 0);
        if (!mapped) gws_check_same(graph, again, GWS_SAME_ALL); /* the graph is a copy in memory */
        gws__input_close(&input);
        gws_graph_destroy(again);
    }
    ck_assert_int_eq(gws__input_open(&input, reader, path, &where), GWS_OK);
    ck_assert_int_eq(truncate(path, 2 << 20), 0);
    struct gws_graph *none = NULL;
    ck_assert_int_eq(gws__graph_read_input(&input, &(struct gws_read_options){0}, &none), GWS_TRUNCATED);
    ck_assert_ptr_null(none);
    gws__input_close(&input);
    gws_graph_destroy(graph);
}
END_TEST

/* Only plain .gwsg files can be mapped. */
START_TEST(test_mapped)
{
    struct gws_read_options options = {.mapped = true};
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_graph_read(reader, gws_test_file("a.el", "0 1\n", 4), &options, &graph, &where), GWS_INVALID);
    ck_assert_int_eq(gws_graph_generate(reader, "grid:3x3", &graph, NULL), GWS_OK);
    const char *path = gws_test_temp("m.gwsg.gz");
    ck_assert_int_eq(gws_graph_write(reader, graph, path, GWS_FORMAT_AUTO, &where), GWS_OK);
    gws_graph_destroy(graph);
    graph = NULL;
    ck_assert_int_eq(gws_graph_read(reader, path, &options, &graph, &where), GWS_INVALID);
    ck_assert_ptr_null(graph);
}
END_TEST

/* ---- endless lines ---- */

static void check_endless(const char *name, const void *bytes, size_t size, gws_status status, uint64_t line)
{
    struct gws_test_memory memory = {0};
    struct gws_runtime *runtime = gws_open_runtime(2, gws_test_allocator(&memory));
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_file(name, bytes, size), NULL, &graph, &where), status);
    ck_assert_msg(where.line == line && where.column == 3, "%s: line %d", where.message, (int)where.line);
    ck_assert_uint_lt(memory.peak, 64 << 20);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}

START_TEST(test_endless_lines)
{
    const size_t size = gws_test_quick() ? 4 << 20 : 40 << 20; /* quick runs read only zeros */
    const size_t before = 900000;                              /* number of bytes in whole lines */
    char *text = malloc(size);
    unsigned char *packed = malloc(1 << 20);
    for (size_t i = 0; i < before; i += 4) memcpy(text + i, "1 2\n", 4);
    memcpy(text + before, "5 ", 2);
    for (int zero = gws_test_quick(); zero < 2; zero++) {
        memset(text + before + 2, zero ? 0 : '7', size - before - 2);
        gws_status status = zero ? GWS_SYNTAX : GWS_TOO_LARGE;
        check_endless("endless.el", text, size, status, before / 4 + 1);
        size_t packed_size = pack(text, size, packed, 1 << 20);
        check_endless("endless.el.gz", packed, packed_size, status, before / 4 + 1);
    }
    free(packed);
    free(text);
}
END_TEST

/* Files in /proc report a size of 0. */
START_TEST(test_files_without_a_size)
{
    struct gws__input input;
    struct gws__chunk chunk;
    ck_assert_int_eq(gws__input_open(&input, reader, "/proc/self/status", NULL), GWS_OK);
    ck_assert(!input.file);
    ck_assert_int_eq(gws__input_next(&input, &chunk), GWS_OK);
    ck_assert(chunk.text && memcmp(chunk.text, "Name:", 5) == 0);
    gws__input_release(&input, &chunk);
    gws__input_close(&input);
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
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, open_reader, close_reader);
    tcase_add_test(files, test_file_pieces);
    tcase_add_test(files, test_chunks_cover);
    tcase_add_test(files, test_shrinking_text);
    tcase_add_test(files, test_changed_text);
    tcase_add_test(files, test_changed_gwsg);
    tcase_add_test(files, test_mapped);
    tcase_add_test(files, test_endless_lines);
    tcase_add_test(files, test_files_without_a_size);
    suite_add_tcase(made, files);
    return made;
}

int main(void)
{
    return gws_test_main(suite);
}
