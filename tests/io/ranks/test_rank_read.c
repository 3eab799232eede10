/* SPDX-License-Identifier: MIT */
/* Graphs that ranks (threads here) read together have the rows, ids and names of the graph that one process reads, and
 * mistakes have the same message. Files that are to be cut between ranks have several ranges of 256 KiB. */
#include "../../harness.h"

#include "../../../io/gwsg/gwsg.h"
#include "../../lib/transport/rank_calls.h"
#include "../graphs.h"

#include "../../../lib/random.h"

enum { cut_bytes = 900000 }; /* four ranges, the last one short */

struct subject {
    const char *path;
    struct gws_read_options options;
    struct gws_graph *whole;     /* NULL: reading fails */
    struct gws_diagnostic where; /* of the failure in one process */
    bool reverse;                /* the reverse is added */
    bool any_bytes;   /* the ranks' bytes are not compared with the size of the file, such as for long lines */
    bool any_message; /* nor is the message of a failure with that of one process */
};

static struct gws_runtime *runtime;

static void open_runtime(void)
{
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
}

/* ---- what each rank does ---- */

static void check_names(const struct gws_graph *names, const struct gws_graph *whole)
{
    RANK_EXPECT(names->vertices == whole->vertices && names->arcs == 0);
    for (uint32_t v = 0; v < whole->vertices; v++) {
        uint64_t length = 0, wanted = 0;
        const char *name = gws_graph_name(names, v, &length), *same = gws_graph_name(whole, v, &wanted);
        RANK_EXPECT(gws_graph_id(names, v) == gws_graph_id(whole, v));
        RANK_EXPECT(!name == !same && length == wanted && (!name || memcmp(name, same, length) == 0));
    }
}

/* Every rank reads the head, its own part, and a little at the ends of ranges. */
static void check_bytes(const struct gws_rank_graph *graph, const char *path)
{
    enum { range = 256 << 10 };
    struct stat about;
    const uint64_t ranks = gws_transport_ranks(graph->transport);
    RANK_EXPECT(stat(path, &about) == 0);
    const uint64_t size = (uint64_t)about.st_size, ranges = (size + range - 1) / range,
                   own = (ranges + ranks - 1) / ranks;
    RANK_EXPECT(graph->bytes_read <= (own + 1) * (range + range / 8));
    uint64_t sum = graph->bytes_read;
    gws_transport_sum(graph->transport, &sum, 1);
    RANK_EXPECT(sum >= size);
}

static void check_failure(const struct subject *subject, const struct gws_diagnostic *where)
{
    RANK_EXPECT(where->line == subject->where.line && where->column == subject->where.column);
    RANK_EXPECT(strcmp(where->file, subject->where.file) == 0);
    RANK_EXPECT(strcmp(where->message, subject->where.message) == 0);
}

static gws_status body(struct rank_calls *calls, struct gws_runtime *own, struct gws_transport *transport)
{
    const struct subject *subject = calls->context;
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_rank_graph_read(own, transport, subject->path, &subject->options, &graph, &where);
    RANK_EXPECT((status == GWS_OK) == (graph != NULL) && (status == GWS_OK) == !*where.message);
    if (status != GWS_OK && !subject->whole && status != GWS_NO_MEMORY && !subject->any_message)
        check_failure(subject, &where);
    if (!graph) return status;
    RANK_EXPECT(subject->whole != NULL);
    if (status == GWS_OK && subject->reverse) status = gws_rank_graph_add_reverse(own, graph, &where);
    if (status == GWS_OK) {
        check_rank_rows(graph, subject->whole);
        RANK_EXPECT((graph->reverse != NULL) == (subject->whole->reverse != NULL));
        if (graph->reverse) check_rank_rows(graph->reverse, subject->whole->reverse);
        if (graph->names) check_names(graph->names, subject->whole);
        if (!subject->any_bytes) check_bytes(graph, subject->path);
    }
    gws_rank_graph_destroy(graph);
    return status;
}

static struct subject subject_of(const char *path, struct gws_read_options options)
{
    struct subject subject = {.path = path, .options = options};
    (void)gws_graph_read(runtime, path, &options, &subject.whole, &subject.where);
    return subject;
}

/* Compares 1, 2, 3 and 5 ranks, or 3 with sanitizers, with one process, which succeeds or not. */
static void check(const char *path, struct gws_read_options options, gws_status expected)
{
    struct subject subject = subject_of(path, options);
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_msg((subject.whole != NULL) == (expected == GWS_OK), "%s: %s", path, subject.where.message);
    const size_t length = strlen(path);
    subject.any_bytes = strcmp(path + length - 3, ".gz") == 0 || strcmp(path + length - 2, ".v") == 0 ||
                        strstr(path, "/long") || strstr(path, "/star");
    for (uint32_t ranks = next_test_ranks(0); ranks; ranks = next_test_ranks(ranks))
        if (ranks == 3 || !gws_test_quick())
            ck_assert_msg(run_rank_calls(&calls, ranks) == expected, "%s on %u ranks", path, ranks);
    gws_graph_destroy(subject.whole);
}

static void check_text(const char *name, const char *text, gws_status expected)
{
    check(gws_test_file(name, text, strlen(text)), (struct gws_read_options){0}, expected);
}

/* ---- formats ---- */

static void check_graph(const struct gws_recipe *recipe, const char *const *name)
{
    struct gws_graph *graph = gws_make_graph(runtime, recipe);
    for (; *name; name++) {
        const char *path = gws_test_temp(*name);
        ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, NULL), GWS_OK);
        check(path, (struct gws_read_options){0}, GWS_OK);
    }
    gws_graph_destroy(graph);
}

/* Some of the files are cut between ranks. METIS' rows have numbers that depend on all lines before. */
START_TEST(test_formats)
{
    static const char *const all[] = {"a.gr", "a.mtx", "a.el", "a.el.gz", NULL},
                             *const undirected[] = {"b.col", "b.graph", "b.graph.gz", "b.mtx", "b.tsv", NULL},
                             *const named[] = {"c.csv", "c.csv.gz", NULL}, *const ids[] = {"d.el", "d.txt.gz", NULL};
    check_graph(&(struct gws_recipe){.vertices = 30000, .edges = 60000, .seed = 1, .weights = true}, all);
    check_graph(&(struct gws_recipe){.vertices = 20000, .edges = 60000, .seed = 2, .undirected = true}, undirected);
    check_graph(&(struct gws_recipe){.vertices = 5000, .edges = 30000, .seed = 3, .names = true}, named);
    check_graph(
        &(struct gws_recipe){
            .vertices = 20000, .edges = 40000, .seed = 4, .weights = true, .reals = true, .ids = true, .loops = true},
        ids);
}
END_TEST

/* ---- .gwsg ---- */

/* Compares 1, 2, 3 and 5 ranks, or 3 with sanitizers, with one process. */
static void check_native(const char *path, struct gws_read_options options)
{
    struct subject subject = subject_of(path, options);
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    subject.any_bytes = subject.any_message = true;
    const gws_status expected = subject.whole ? GWS_OK : GWS_CORRUPT;
    for (uint32_t ranks = next_test_ranks(0); ranks; ranks = next_test_ranks(ranks))
        if (ranks == 3 || !gws_test_quick())
            ck_assert_msg(run_rank_calls(&calls, ranks) == expected, "%s on %u ranks", path, ranks);
    gws_graph_destroy(subject.whole);
}

static const struct gws_recipe native[] = {
    {.vertices = 0},
    {.vertices = 1, .first_id = 7},
    {.vertices = 300, .positions = true},
    {.vertices = 500, .edges = 3000, .weights = true, .ids = true, .positions = true},
    {.vertices = 700, .edges = 3000, .weights = true, .reals = true, .undirected = true, .loops = true},
    {.vertices = 600, .edges = 2000, .weights = true, .reals = true, .ids = true, .permuted = true},
    {.vertices = 400, .edges = 2000, .names = true, .undirected = true, .positions = true},
};

START_TEST(test_native)
{
    static const struct gws_read_options options[] = {
        {0},
        {.trust = true},
        {.weights = GWS_WEIGHTS_DROP},
        {.weights = GWS_WEIGHTS_ROUND},
        {.direction = GWS_EDGES_DIRECTED},
        {.direction = GWS_EDGES_UNDIRECTED},
        {.remove_loops = true, .remove_duplicates = true},
    };
    struct gws_graph *graph = gws_make_graph(runtime, &native[_i]);
    const char *path = gws_test_temp("native.gwsg");
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    gws_graph_destroy(graph);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) check_native(path, options[i]);
}
END_TEST

/* A stream is read by rank 0. A mapped file is refused. */
START_TEST(test_native_stream)
{
    struct gws_graph *graph = gws_make_graph(runtime, &native[3]);
    const char *path = gws_test_temp("native.gwsg.gz");
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    check_native(path, (struct gws_read_options){0});
    path = gws_test_temp("native.gwsg");
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    struct subject subject = {.path = path, .options = {.mapped = true}, .any_message = true};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 3), GWS_INVALID);
    gws_graph_destroy(graph);
}
END_TEST

/* A rank reads its part, and the rest of the last block of each of the four sections. */
static gws_status check_native_bytes(struct rank_calls *calls, struct gws_runtime *own, struct gws_transport *transport)
{
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_rank_graph_read(own, transport, calls->context, NULL, &graph, &where);
    if (!graph) return status;
    const uint64_t part = 8 * graph->rows + 8 * graph->offset[graph->rows] + 16 * graph->rows, block = UINT64_C(1)
                                                                                                       << 20;
    RANK_EXPECT(graph->bytes_read >= part - block && graph->bytes_read <= part + 5 * block);
    gws_rank_graph_destroy(graph);
    return status;
}

/* A file of many blocks; then each of them is damaged, and each gap between sections. */
START_TEST(test_native_blocks)
{
    enum { step = 700001 };
    struct gws_graph *graph = gws_make_graph(
        runtime, &(struct gws_recipe){
                     .vertices = 90000, .edges = 500000, .weights = true, .positions = true, .undirected = true});
    const char *path = gws_test_temp("blocks.gwsg");
    struct subject subject = {.path = path, .whole = graph, .any_bytes = true};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    size_t size = 0;
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    ck_assert_int_eq(run_rank_calls(&calls, 3), GWS_OK);
    calls = (struct rank_calls){.body = check_native_bytes, .context = (void *)path, .rank = UINT32_MAX};
    ck_assert_int_eq(run_rank_calls(&calls, 3), GWS_OK);
    char *bytes = gws_slurp(path, &size);
    struct subject damaged = {.path = path, .any_message = true};
    calls = (struct rank_calls){.body = body, .context = &damaged, .rank = UINT32_MAX};
    const size_t gap = GWS__NATIVE_PAGE + 8 * (graph->vertices + 1); /* behind the offsets */
    for (size_t at = GWS__NATIVE_PAGE; at < size; at += gws_test_quick() ? 5 * step : step) {
        const size_t byte = at == GWS__NATIVE_PAGE ? gap : at;
        bytes[byte] ^= 4;
        gws_test_file("blocks.gwsg", bytes, size);
        ck_assert_msg(run_rank_calls(&calls, 3) == GWS_CORRUPT, "byte %zu", byte);
        bytes[byte] ^= 4;
    }
    free(bytes);
    gws_graph_destroy(graph);
}
END_TEST

/* Files with correct checksums and one wrong entry, on whichever rank. */
START_TEST(test_native_crafted)
{
    struct gws_graph *graph =
        gws_make_graph(runtime, &(struct gws_recipe){.vertices = 300, .edges = 3000, .weights = true, .ids = true});
    uint64_t offset[301], id[300];
    uint32_t *target = malloc(graph->arcs * sizeof *target);
    struct gws_graph crafted = *graph;
    const char *path = gws_test_temp("crafted.gwsg");
    crafted.offset = offset;
    crafted.target = target;
    crafted.id = id;
    for (int change = 0; change < 9; change++) {
        memcpy(offset, graph->offset, sizeof offset);
        memcpy(id, graph->id, sizeof id);
        memcpy(target, graph->target, graph->arcs * sizeof *target);
        crafted.directed = change != 8;
        if (change == 0) offset[0] = 1;
        if (change == 1) offset[300]--;
        if (change == 2) offset[128] = UINT64_MAX;
        if (change == 3) offset[250] = offset[251] + 1;
        if (change == 4) id[200] = id[199];
        if (change == 5) target[graph->arcs - 1] = 300;
        if (change == 6) target[offset[150] + 1] = 0;
        if (change == 7) target[0] = UINT32_MAX;
        ck_assert_int_eq(gws__gwsg_write(runtime, &crafted, path, NULL), GWS_OK);
        ck_assert_msg(change == 8 || change == 6 || subject_of(path, (struct gws_read_options){0}).whole == NULL, "%d",
                      change);
        check_native(path, (struct gws_read_options){0});
    }
    free(target);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- edge lists by hand ---- */

/* A text that grows. */
struct text {
    char *bytes;
    size_t size, capacity;
};

static void add(struct text *text, const char *line)
{
    const size_t length = strlen(line);
    if (text->size + length + 1 > text->capacity) {
        text->capacity = 2 * (text->capacity + length + 1);
        text->bytes = realloc(text->bytes, text->capacity);
        ck_assert(text->bytes != NULL);
    }
    memcpy(text->bytes + text->size, line, length + 1);
    text->size += length;
}

/* Adds edges of vertices below 5000 until the text has that many bytes. */
static void add_edges(struct text *text, size_t bytes, const char *end)
{
    char line[64];
    for (uint64_t i = 0; text->size < bytes; i++) {
        snprintf(line, sizeof line, "%u %u%s", (unsigned)(gws_random_at(1, i) % 5000),
                 (unsigned)(gws_random_at(2, i) % 5000), end);
        add(text, line);
    }
}

static void check_lines(struct text *text, const char *name, gws_status expected)
{
    check(gws_test_file(name, text->bytes, text->size), (struct gws_read_options){0}, expected);
    free(text->bytes);
    *text = (struct text){0};
}

START_TEST(test_edge_lists)
{
    struct text text = {0};
    add_edges(&text, cut_bytes, "\r\n");
    check_lines(&text, "crlf.el", GWS_OK);
    add_edges(&text, cut_bytes, "\n# a comment\n\n");
    add(&text, "1 99999999999999"); /* without a line feed; the last rank alone has a wide id */
    check_lines(&text, "wide.el", GWS_OK);
    add_edges(&text, cut_bytes, " 7\n");
    add(&text, "1 2 0.5\n"); /* the last rank alone has a real weight */
    check_lines(&text, "real.wel", GWS_OK);
    add(&text, "# Ids: 0 to 5009\n# ");
    while (text.size < 600000) add(&text, "a long comment "); /* no line begins in the second range */
    add(&text, "\n");
    add_edges(&text, cut_bytes, "\n");
    check_lines(&text, "long.el", GWS_OK);
    static char blanks[10001]; /* longer lines than the bytes that are read behind a range at once */
    memset(blanks, ' ', sizeof blanks - 1);
    while (text.size < cut_bytes) {
        add(&text, "1 2");
        add(&text, blanks);
        add(&text, "\n");
    }
    check_lines(&text, "blanks.el", GWS_OK);
    add(&text, "0 7\n");
    for (uint64_t i = 0; text.size < cut_bytes; i++) add(&text, "4000000000 7\n"); /* sparse ids */
    check_lines(&text, "sparse.el", GWS_OK);
}
END_TEST

START_TEST(test_small)
{
    static const char *const text[] = {"",
                                       "1 2\n",
                                       "5 9\n9 7\n",
                                       "# nothing\n",
                                       "from,to\na,b\nb,a\n",
                                       "a b\nc d\n",
                                       "# Ids: 3 to 9\n4 5\n",
                                       "\357\273\2771 2 0.5\n",
                                       "# Undirected\n3 4 9\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) check_text("small.csv", text[i], GWS_OK);
    check_text("empty.gr", "p sp 0 0\n", GWS_OK);
    check_text("small.graph", "3 2\n2 3\n1\n1\n", GWS_OK);
    gws_test_file("pair.v", "7\n3\n99999999999\n5\n", 18);
    check_text("pair.e", "7 5\n3 99999999999\n", GWS_OK);
    check(gws_test_temp("pair.v"), (struct gws_read_options){0}, GWS_OK);
}
END_TEST

/* A star: METIS' line of its centre covers whole ranges. */
START_TEST(test_star)
{
    enum { leaves = 90000 };
    struct text text = {0};
    char number[64];
    snprintf(number, sizeof number, "%d %d\n", leaves + 1, leaves);
    add(&text, number);
    for (int i = 0; i < leaves; i++) {
        snprintf(number, sizeof number, "%d ", i + 2);
        add(&text, number);
    }
    for (int i = 0; i < leaves; i++) add(&text, "\n1");
    add(&text, "\n");
    check_lines(&text, "star.graph", GWS_OK);
}
END_TEST

/* ---- mistakes ---- */

START_TEST(test_mistakes)
{
    struct text text = {0};
    add_edges(&text, 600000, "\n");
    add(&text, "12 x\n");
    add_edges(&text, cut_bytes, "\n");
    add(&text, "y 12\n"); /* the first mistake counts */
    check_lines(&text, "mistake.el", GWS_SYNTAX);
    add_edges(&text, cut_bytes, "\n");
    add(&text, "1 \0012\n");
    check_lines(&text, "last.el", GWS_SYNTAX);
    add(&text, "# Ids: 0 to 4999\n");
    add_edges(&text, cut_bytes, "\n");
    add(&text, "1 5000\n");
    check_lines(&text, "range.el", GWS_OUT_OF_RANGE);
    check_text("count.gr", "p sp 3 3\na 1 2 3\na 2 3 4\n", GWS_TRUNCATED);
    check_text("large.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n", GWS_OUT_OF_RANGE);
    check_text("short.graph", "5 1\n2\n1\n", GWS_TRUNCATED);
    check_text("name.unknown", "hello\n", GWS_UNKNOWN_FORMAT);
    check_text("broken.gwsg", "GWSG", GWS_UNKNOWN_FORMAT);
    gws_test_file("missing.v", "1\n2\n", 4);
    check_text("missing.e", "1 3\n", GWS_OUT_OF_RANGE);
    check("/nowhere/at/all.el", (struct gws_read_options){0}, GWS_SYSTEM);
}
END_TEST

/* The rank that finds no reverse arc has only its own rows, so the message does not name the arc. */
START_TEST(test_asymmetric)
{
    struct subject subject = {.path = gws_test_file("arc.graph", "4 2\n2\n1\n4\n4\n", 12)};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    strcpy(subject.where.message, "an arc has no reverse arc of its weight and multiplicity");
    strcpy(subject.where.file, subject.path);
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_CORRUPT);
}
END_TEST

/* A cut gzip file, and a mistake in one. */
START_TEST(test_gzip_mistakes)
{
    struct gws_graph *graph =
        gws_make_graph(runtime, &(struct gws_recipe){.vertices = 9000, .edges = 90000, .seed = 5});
    const char *path = gws_test_temp("whole.el.gz");
    size_t size = 0;
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    char *bytes = gws_slurp(path, &size);
    check(gws_test_file("cut.el.gz", bytes, size - 9), (struct gws_read_options){0}, GWS_TRUNCATED);
    check(path, (struct gws_read_options){.format = GWS_FORMAT_DIMACS}, GWS_SYNTAX);
    check(path, (struct gws_read_options){.format = GWS_FORMAT_METIS}, GWS_SYNTAX);
    bytes[size / 2] = (char)~bytes[size / 2];
    struct subject subject = subject_of(gws_test_file("corrupt.el.gz", bytes, size), (struct gws_read_options){0});
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert(subject.whole == NULL);
    ck_assert_int_ne(run_rank_calls(&calls, 3), GWS_OK);
    free(bytes);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- the reverse ---- */

static void check_reverse(struct gws_graph *graph)
{
    struct subject subject = {.path = gws_test_temp("reverse.el"), .whole = graph, .reverse = true};
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(gws_graph_write(runtime, graph, subject.path, GWS_FORMAT_EDGE_LIST, NULL), GWS_OK);
    subject.options.direction = GWS_EDGES_DIRECTED;
    graph->directed = true;
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    for (uint32_t ranks = 1; ranks <= 3; ranks++) ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
    gws_graph_destroy(graph);
}

START_TEST(test_reverse)
{
    struct gws_recipe recipe = {.vertices = 300, .edges = 2000, .weights = true};
    check_reverse(gws_make_graph(runtime, &recipe));
    recipe.reals = true;
    check_reverse(gws_make_graph(runtime, &recipe));
    const char *path = gws_test_file("both.el", "0 1\n1 0\n2 1\n1 2\n", 16);
    struct subject subject = subject_of(path, (struct gws_read_options){0});
    struct rank_calls calls = {.body = body, .context = &subject, .rank = UINT32_MAX};
    ck_assert_int_eq(gws_graph_add_reverse(runtime, subject.whole), GWS_OK);
    ck_assert(!subject.whole->directed);
    subject.reverse = true;
    ck_assert_int_eq(run_rank_calls(&calls, 2), GWS_OK);
    gws_graph_destroy(subject.whole);
}
END_TEST

/* ---- failures ---- */

static void check_failing(const char *name, const char *text, bool compressed)
{
    struct subject subject = subject_of(gws_test_file(name, text, strlen(text)), (struct gws_read_options){0});
    struct rank_calls calls = {.body = body, .context = &subject};
    ck_assert_msg(subject.whole != NULL, "%s", subject.where.message);
    if (compressed) {
        subject.path = gws_test_temp("failing.el.gz");
        ck_assert_int_eq(gws_graph_write(runtime, subject.whole, subject.path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    }
    subject.any_bytes = true;
    subject.reverse = subject.whole->directed;
    ck_assert_int_eq(gws_graph_add_reverse(runtime, subject.whole), GWS_OK);
    run_failing_ranks(&calls);
    gws_graph_destroy(subject.whole);
}

/* Every allocation of each rank fails, and each rank is cancelled. */
START_TEST(test_failing)
{
    if (!gws_test_quick()) check_failing("failing.el", "5 9\n9 7\n1 5\n", false);
    check_failing("failing.wel", "5 9 0.5\n9 99999999999 1\n", false);
    check_failing("failing.csv", "from,to\nann,bob\nbob,cid\n", false);
    check_failing("failing.graph", "3 2\n2 3\n1\n1\n", false);
    check_failing("zipped.el", "5 9\n9 7\n1 5\n", true);
    gws_test_file("failing.v", "7\n3\n5\n", 6);
    check_failing("failing.e", "7 5\n3 7\n", false);
}
END_TEST

/* A named graph as .gwsg, and one with ids and weights. */
START_TEST(test_failing_native)
{
    const struct gws_recipe recipe[] = {{.vertices = 70, .edges = 200, .names = true, .undirected = true},
                                        {.vertices = 70, .edges = 200, .weights = true, .ids = true, .permuted = true}};
    struct gws_graph *graph = gws_make_graph(runtime, &recipe[_i]);
    struct subject subject = {.path = gws_test_temp("failing.gwsg"), .whole = graph, .any_bytes = true};
    struct rank_calls calls = {.body = body, .context = &subject};
    ck_assert_int_eq(gws_graph_write(runtime, graph, subject.path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    run_failing_ranks(&calls);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_formats, 1},
                                    {test_native, sizeof native / sizeof *native},
                                    {test_native_stream, 1},
                                    {test_native_blocks, 1},
                                    {test_native_crafted, 1},
                                    {test_edge_lists, 1},
                                    {test_small, 1},
                                    {test_star, 1},
                                    {test_mistakes, 1},
                                    {test_asymmetric, 1},
                                    {test_gzip_mistakes, 1},
                                    {test_reverse, 1},
                                    {test_failing, 1},
                                    {test_failing_native, 2},
                                    {0}};
    return gws_test_run_between("rank_read", test, open_runtime, close_runtime);
}
