/* SPDX-License-Identifier: MIT */
/* Text formats: the bytes of small graphs, and round trips of larger graphs. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <zlib.h>

#include "../../../io/graph_io.h"
#include "../graphs.h"

static struct gws_runtime *runtime;
static struct gws_diagnostic where;

static void open_runtime(void)
{
    runtime = gws_open_runtime(2, (struct gws_allocator){0});
    where = (struct gws_diagnostic){0};
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
}

/* ---- byte for byte ---- */

/* The graph has the edges 0 - 1 and 0 - 3, the loop 3 - 3, and the isolated vertex 2. The ids are 10, 11, 12, 13. */
static const uint64_t offset[] = {0, 2, 3, 3, 5};
static const uint32_t target[] = {1, 3, 0, 0, 3};
static const int32_t weight[] = {-5, 7, -5, 7, 0};
static const uint64_t id[] = {10, 11, 12, UINT64_MAX};
static const double position[] = {-73530767, 41085396, 0.5, -0.125, 1, 2, 3, 4};

static struct gws_graph *small_graph(bool directed, bool weighted)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap(runtime, 4, offset, target, weighted ? weight : NULL, directed, false, &graph),
                     GWS_OK);
    gws_graph_borrow_ids(graph, id);
    gws_graph_borrow_positions(graph, position);
    return graph;
}

static const struct {
    const char *name;
    enum gws_format format;
    bool directed, weighted;
    const char *text;
} written[] = {
    {"a.gr", GWS_FORMAT_AUTO, true, true, "p sp 4 5\na 1 2 -5\na 1 4 7\na 2 1 -5\na 4 1 7\na 4 4 0\n"},
    {"a.gr", GWS_FORMAT_AUTO, false, false, "p sp 4 5\na 1 2 1\na 1 4 1\na 2 1 1\na 4 1 1\na 4 4 1\n"},
    {"a.col", GWS_FORMAT_AUTO, false, false, "p edge 4 3\ne 1 2\ne 1 4\ne 4 4\n"},
    {"a.gr", GWS_FORMAT_PACE, false, true, "p tw 4 3\n1 2\n1 4\n4 4\n"},
    {"a.el", GWS_FORMAT_AUTO, false, false,
     "# Undirected graph\n# Nodes: 4 Edges: 3\n10 11\n10 18446744073709551615\n"
     "18446744073709551615 18446744073709551615\n"},
    {"a.txt", GWS_FORMAT_AUTO, true, true,
     "# Directed graph\n# Nodes: 4 Edges: 5\n10\t11\t-5\n10\t18446744073709551615\t7\n11\t10\t-5\n"
     "18446744073709551615\t10\t7\n18446744073709551615\t18446744073709551615\t0\n"},
    {"a.csv", GWS_FORMAT_AUTO, false, true,
     "# Undirected graph\n# Nodes: 4 Edges: 3\n10,11,-5\n10,18446744073709551615,7\n"
     "18446744073709551615,18446744073709551615,0\n"},
    {"a.mtx", GWS_FORMAT_AUTO, false, true,
     "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 -5\n4 1 7\n4 4 0\n"},
    {"a.mtx", GWS_FORMAT_AUTO, true, false,
     "%%MatrixMarket matrix coordinate pattern general\n4 4 5\n1 2\n1 4\n2 1\n4 1\n4 4\n"},
    {"a.co", GWS_FORMAT_AUTO, true, false, "p aux sp co 4\nv 1 -73530767 41085396\nv 2 0.5 -0.125\nv 3 1 2\nv 4 3 4\n"},
    {"a.unknown", GWS_FORMAT_MATRIX_MARKET, false, false,
     "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n4 1\n4 4\n"},
};

START_TEST(test_written)
{
    struct gws_graph *graph = small_graph(written[_i].directed, written[_i].weighted);
    const char *path = gws_test_temp(written[_i].name);
    size_t size;
    ck_assert_msg(gws_graph_write(runtime, graph, path, written[_i].format, &where) == GWS_OK, "%s", where.message);
    char *text = gws_slurp(path, &size);
    ck_assert_str_eq(text, written[_i].text);
    free(text);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(test_metis)
{
    static const uint64_t rows[] = {0, 2, 3, 3, 4};
    static const uint32_t ends[] = {1, 3, 0, 0};
    static const int32_t costs[] = {5, 7, 5, 7};
    static const char *const want[] = {"4 2\n2 4\n1\n\n1\n", "4 2 001\n2 5 4 7\n1 5\n\n1 7\n"};
    struct gws_graph *graph = NULL;
    size_t size;
    ck_assert_int_eq(gws_graph_wrap(runtime, 4, rows, ends, _i ? costs : NULL, false, false, &graph), GWS_OK);
    ck_assert_int_eq(gws_graph_write(runtime, graph, gws_test_temp("a.graph"), GWS_FORMAT_AUTO, &where), GWS_OK);
    char *text = gws_slurp(gws_test_temp("a.graph"), &size);
    ck_assert_str_eq(text, want[_i]);
    free(text);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- refusals ---- */

static void check_refused(const struct gws_graph *graph, const char *name, enum gws_format format, gws_status status)
{
    const char *path = gws_test_temp(name);
    where = (struct gws_diagnostic){0};
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, format, &where), status);
    ck_assert(where.message[0] && strcmp(where.file, path) == 0);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, format, NULL), status);
}

START_TEST(test_metis_weights_begin_at_1)
{
    static const uint64_t rows[] = {0, 1, 2};
    static const uint32_t ends[] = {1, 0};
    static const int32_t cost[][2] = {{0, 0}, {1, 0}, {-1, -1}, {INT32_MIN, 1}};
    for (size_t i = 0; i < sizeof cost / sizeof *cost; i++) {
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_graph_wrap(runtime, 2, rows, ends, cost[i], false, false, &graph), GWS_OK);
        check_refused(graph, "weights.graph", GWS_FORMAT_AUTO, GWS_UNSUPPORTED);
        gws_graph_destroy(graph);
    }
}
END_TEST

START_TEST(test_metis_weights_are_integers)
{
    static const uint64_t rows[] = {0, 1, 2};
    static const uint32_t ends[] = {1, 0};
    static const float cost[] = {1.5F, 1.5F};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_wrap_real(runtime, 2, rows, ends, cost, false, false, &graph), GWS_OK);
    check_refused(graph, "weights.graph", GWS_FORMAT_AUTO, GWS_UNSUPPORTED);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(test_refused)
{
    struct gws_graph *directed = small_graph(true, false), *undirected = small_graph(false, false);
    check_refused(directed, "r.col", GWS_FORMAT_AUTO, GWS_UNSUPPORTED);
    check_refused(directed, "r.graph", GWS_FORMAT_AUTO, GWS_UNSUPPORTED);
    check_refused(directed, "r.gr", GWS_FORMAT_PACE, GWS_UNSUPPORTED);
    check_refused(undirected, "r.graph.gz", GWS_FORMAT_AUTO, GWS_UNSUPPORTED); /* the graph has a loop */
    gws_graph_borrow_positions(directed, NULL);
    check_refused(directed, "r.co", GWS_FORMAT_AUTO, GWS_UNSUPPORTED);
    check_refused(directed, "r.unknown", GWS_FORMAT_AUTO, GWS_UNKNOWN_FORMAT);
    check_refused(directed, "r", GWS_FORMAT_AUTO, GWS_UNKNOWN_FORMAT);
    check_refused(directed, "no/folder.gr", GWS_FORMAT_AUTO, GWS_SYSTEM);
    ck_assert_int_eq(gws_graph_write(runtime, directed, "-", GWS_FORMAT_AUTO, &where), GWS_UNKNOWN_FORMAT);
    gws_graph_destroy(directed);
    gws_graph_destroy(undirected);
}
END_TEST

static void count_line(void *context, const char *line)
{
    ck_assert(strstr(line, "left out") != NULL);
    ++*(int *)context;
}

/* The log names the properties that a format cannot hold. */
START_TEST(test_losses)
{
    int lines = 0;
    struct gws_options options = {.threads = 1, .log = count_line, .context = &lines};
    struct gws_runtime *talking = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &talking), GWS_OK);
    struct gws_graph *graph = small_graph(false, true);
    const char *path = gws_test_temp("l");
    ck_assert_int_eq(gws_graph_write(talking, graph, path, GWS_FORMAT_EDGE_LIST, &where), GWS_OK);
    ck_assert_int_eq(gws_graph_write(talking, graph, path, GWS_FORMAT_GWSG, &where), GWS_OK);
    ck_assert_int_eq(lines, 0);
    ck_assert_int_eq(gws_graph_write(talking, graph, path, GWS_FORMAT_DIMACS, &where), GWS_OK);
    ck_assert_int_eq(lines, 1);
    ck_assert_int_eq(gws_graph_write(talking, graph, path, GWS_FORMAT_PACE, &where), GWS_OK);
    ck_assert_int_eq(lines, 3);
    gws_graph_destroy(graph);
    gws_runtime_close(talking);
}
END_TEST

START_TEST(test_memory)
{
    static const char *const names[] = {"k.gr", "k.mtx.gz", "k.el", "k.co"};
    struct gws_graph *graph = small_graph(false, true);
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_runtime *failing = gws_open_runtime(2, gws_test_allocator(&memory));
        const char *path = gws_test_temp(names[_i]);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_graph_write(failing, graph, path, GWS_FORMAT_AUTO, &where);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        if (status != GWS_OK) ck_assert_str_eq(where.file, path);
        if (status != GWS_OK) ck_assert_ptr_nonnull(strstr(where.message, "out of memory"));
        where = (struct gws_diagnostic){0};
        ck_assert_int_eq(access(path, F_OK) == 0, status == GWS_OK);
        gws_runtime_close(failing);
        gws_test_memory_check(&memory);
        if (!atomic_load(&memory.failed)) break;
    }
    gws_graph_destroy(graph);
}
END_TEST

/* ---- round trips ---- */

static const struct round_trip {
    const char *suffix;
    enum gws_format format;
    bool directed, undirected, weights, ids, loops; /* the properties that the format preserves */
} modes[] = {
    {"gr", GWS_FORMAT_DIMACS, true, false, true, false, true},
    {"col", GWS_FORMAT_DIMACS_EDGE, false, true, false, false, true},
    {"gr", GWS_FORMAT_PACE, false, true, false, false, true},
    {"txt", GWS_FORMAT_EDGE_LIST, true, true, true, true, true},
    {"el", GWS_FORMAT_EDGE_LIST, true, true, true, true, true},
    {"csv", GWS_FORMAT_EDGE_LIST, true, true, true, true, true},
    {"mtx", GWS_FORMAT_MATRIX_MARKET, true, true, true, false, true},
    {"graph", GWS_FORMAT_METIS, false, true, true, false, false},
    {"gwsg", GWS_FORMAT_GWSG, true, true, true, true, true},
};
enum { mode_count = sizeof modes / sizeof *modes };

/* Makes a graph whose edges contain a cycle through all vertices. So the graph has no isolated vertices, which edge
 * lists lose. */
static struct gws_graph *cycle_graph(const struct gws_recipe *recipe)
{
    uint64_t n = recipe->vertices, state = recipe->seed;
    struct gws_edge *edge = malloc((n + recipe->edges) * sizeof *edge);
    int32_t *cost = malloc((n + recipe->edges) * sizeof *cost);
    for (uint64_t i = 0; i < n + recipe->edges; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        edge[i] = (struct gws_edge){(uint32_t)(i < n ? i : (state >> 33) % n),
                                    (uint32_t)(i < n ? (i + 1) % n : (state >> 11) % n)};
        cost[i] = 1 + (int32_t)(state >> 50);
    }
    float *real = malloc((n + recipe->edges) * sizeof *real);
    for (uint64_t i = 0; i < n + recipe->edges; i++) real[i] = (float)(cost[i] - 9000) * (i % 3 ? 0.37F : 1e-20F);
    struct gws_edge_block block = {.edge = edge, .count = n + recipe->edges};
    if (recipe->weights && recipe->reals) block.real_weight = real;
    if (recipe->weights && !recipe->reals) block.weight = cost;
    struct gws_edges edges = {.vertices = n, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = recipe->undirected ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED,
                                        .remove_loops = !recipe->loops,
                                        .remove_duplicates = true};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    free(edge);
    free(cost);
    free(real);
    if (recipe->names) gws_name_vertices(runtime, graph);
    if (recipe->ids) {
        uint64_t *own = gws_allocate(runtime, n, sizeof *own);
        for (uint64_t v = 0; v < n; v++) own[v] = 3 * v * v + 1;
        gws_graph_adopt_ids(graph, own);
    }
    return graph;
}

static void check_round_trip(const struct round_trip *mode, const char *suffix, const struct gws_recipe *recipe)
{
    struct gws_graph *graph = cycle_graph(recipe), *again = NULL;
    char name[64];
    snprintf(name, sizeof name, "way.%s%s", mode->suffix, suffix);
    const char *path = gws_test_temp(name);
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, mode->format, &where), GWS_OK);
    for (int automatic = 0; automatic < 2; automatic++) {
        struct gws_read_options options = {.format = automatic ? GWS_FORMAT_AUTO : mode->format};
        gws_status status = gws_graph_read(runtime, path, &options, &again, &where);
        ck_assert_msg(status == GWS_OK, "%s:%d: %s", path, (int)where.line, where.message);
        int what = GWS_SAME_DIRECTION;
        if (mode->weights && (recipe->weights || mode->format != GWS_FORMAT_DIMACS)) what |= GWS_SAME_WEIGHTS;
        if (mode->ids) what |= GWS_SAME_IDS;
        gws_check_same(graph, again, what);
        gws_graph_destroy(again);
    }
    gws_graph_destroy(graph);
}

START_TEST(test_there_and_back)
{
    const struct round_trip *mode = &modes[_i / 2];
    static const char *const suffixes[] = {"", ".gz"};
    for (int bits = 0; bits < 32; bits += gws_test_races() ? 7 : gws_test_quick() ? 3 : 1) {
        struct gws_recipe recipe = {.vertices = 900,
                                    .edges = 20000,
                                    .seed = (uint64_t)bits,
                                    .undirected = bits & 1,
                                    .weights = bits & 2,
                                    .reals = bits & 16,
                                    .ids = bits & 4,
                                    .loops = bits & 8};
        bool fits = recipe.undirected ? mode->undirected : mode->directed;
        if (recipe.reals && (!recipe.weights || mode->format == GWS_FORMAT_METIS)) continue;
        if (fits && (mode->loops || !recipe.loops)) check_round_trip(mode, suffixes[_i % 2], &recipe);
    }
}
END_TEST

/* The reader of edge lists puts vertices in the order of their names. */
START_TEST(test_names)
{
    static const char *const names[] = {"n.el", "n.txt", "n.csv", "n.tsv.gz", "n.wel"};
    struct gws_recipe recipe = {
        .vertices = 300, .edges = 2000, .names = true, .weights = _i % 2, .undirected = _i % 3 == 0};
    struct gws_graph *graph = cycle_graph(&recipe), *sorted = NULL, *again = NULL;
    const char *path = gws_test_temp(names[_i]);
    uint32_t *new_of_old = malloc(graph->vertices * sizeof *new_of_old);
    for (uint64_t i = 0; i < graph->vertices; i++) new_of_old[graph->names.order[i]] = (uint32_t)i;
    ck_assert_int_eq(gws_graph_relabel(runtime, graph, new_of_old, graph->vertices, &sorted), GWS_OK);
    ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, &where), GWS_OK);
    ck_assert_msg(gws_graph_read(runtime, path, NULL, &again, &where) == GWS_OK, "%d: %s", (int)where.line,
                  where.message);
    gws_check_same(sorted, again, GWS_SAME_ALL);
    free(new_of_old);
    gws_graph_destroy(graph);
    gws_graph_destroy(sorted);
    gws_graph_destroy(again);
}
END_TEST

/* An edge list whose ids are a range preserves vertices without edges. */
START_TEST(test_isolated_vertices)
{
    static const uint64_t first_ids[] = {0, 1, 1000, 4294960000, 4294965000, UINT64_MAX - 6000};
    struct gws_recipe recipe = {
        .vertices = 5000, .edges = _i ? 300 : 0, .undirected = _i == 2, .weights = _i > 0, .loops = true};
    for (size_t i = 0; i < sizeof first_ids / sizeof *first_ids; i++) {
        recipe.first_id = first_ids[i];
        struct gws_graph *graph = gws_make_graph(runtime, &recipe), *again = NULL;
        const char *path = gws_test_temp("isolated.el");
        ck_assert_int_eq(gws_graph_write(runtime, graph, path, GWS_FORMAT_AUTO, &where), GWS_OK);
        ck_assert_msg(gws_graph_read(runtime, path, NULL, &again, &where) == GWS_OK, "%s", where.message);
        gws_check_same(graph, again, (_i ? GWS_SAME_WEIGHTS : 0) | GWS_SAME_DIRECTION | GWS_SAME_IDS);
        gws_graph_destroy(graph);
        gws_graph_destroy(again);
    }
}
END_TEST

/* A comment that declares ids must be correct. The reader ignores a comment of another form. */
START_TEST(test_wrong_ranges)
{
    static const struct {
        const char *text;
        gws_status status;
        uint64_t line, column;
    } texts[] = {{"# Ids: 5 to 6\n4 5\n", GWS_OUT_OF_RANGE, 2, 1},
                 {"# Ids: 4 to 4\n4 5\n", GWS_OUT_OF_RANGE, 2, 3},
                 {"# Ids: 4 to 5\n4 5\n4 99999999999\n", GWS_OUT_OF_RANGE, 3, 3},
                 {"# Ids: 0 to 4294967294\n4 5\n", GWS_TOO_LARGE, 1, 0},
                 {"# Ids: 0 to 4000000000\n4 5\n", GWS_TOO_LARGE, 1, 0},
                 {"# Ids: 0 to 18446744073709551615\n4 5\n", GWS_TOO_LARGE, 1, 0},
                 {"# Ids: 4 to 99999999999999999999999\n4 5\n", GWS_TOO_LARGE, 1, 0},
                 {"# Ids: 9 to 3\n4 5\n", GWS_SYNTAX, 1, 0},
                 {"# Ids: 4 to 5 or so\n4 5\n", GWS_OK, 0, 0},
                 {"# Ids: 4 to\n4 5\n", GWS_OK, 0, 0},
                 {"# Ids: to 7\n4 5\n", GWS_OK, 0, 0}};
    struct gws_graph *graph = NULL;
    const char *path = gws_test_file("range.el", texts[_i].text, strlen(texts[_i].text));
    where = (struct gws_diagnostic){0};
    ck_assert_msg(gws_graph_read(runtime, path, NULL, &graph, &where) == texts[_i].status, "%s", where.message);
    ck_assert_msg(where.line == texts[_i].line && where.column == texts[_i].column, "%s: %d:%d: %s", texts[_i].text,
                  (int)where.line, (int)where.column, where.message);
    if (texts[_i].status != GWS_OK) return;
    ck_assert_uint_eq(graph->vertices, 2);
    ck_assert_uint_eq(gws_graph_id(graph, 0), 4);
    gws_graph_destroy(graph);
}
END_TEST

/* Converts an undirected graph without loops and weights, which all formats can hold, from every format to every other
 * format. */
START_TEST(test_pairs)
{
    struct gws_recipe recipe = {.vertices = 300, .edges = 2000, .undirected = true};
    struct gws_graph *graph = cycle_graph(&recipe), *first = NULL, *second = NULL;
    char names[2][64];
    const struct round_trip *from = &modes[_i / mode_count], *to = &modes[_i % mode_count];
    snprintf(names[0], sizeof names[0], "from.%s", from->suffix);
    snprintf(names[1], sizeof names[1], "to.%s", to->suffix);
    struct gws_read_options options[2] = {{.format = from->format, .direction = GWS_EDGES_UNDIRECTED},
                                          {.format = to->format, .direction = GWS_EDGES_UNDIRECTED}};
    ck_assert_int_eq(gws_graph_write(runtime, graph, gws_test_temp(names[0]), from->format, &where), GWS_OK);
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_temp(names[0]), &options[0], &first, &where), GWS_OK);
    ck_assert_int_eq(gws_graph_write(runtime, first, gws_test_temp(names[1]), to->format, &where), GWS_OK);
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_temp(names[1]), &options[1], &second, &where), GWS_OK);
    gws_check_same(graph, second, GWS_SAME_DIRECTION);
    gws_graph_destroy(graph);
    gws_graph_destroy(first);
    gws_graph_destroy(second);
}
END_TEST

/* ---- progress ---- */

struct progress_seen {
    const char *work;
    uint64_t calls, done, total;
    bool back; /* the progress decreased or exceeded the total */
};

static void record_progress(void *context, const char *work, uint64_t done, uint64_t total)
{
    struct progress_seen *heard = context;
    if (heard->work && strcmp(heard->work, work) == 0) heard->back |= done < heard->done || total != heard->total;
    *heard = (struct progress_seen){work, heard->calls + 1, done, total, heard->back || done > total};
}

START_TEST(progress)
{
    struct progress_seen heard = {0};
    struct gws_options options = {.threads = 2, .progress = record_progress, .context = &heard};
    struct gws_runtime *reported = NULL;
    struct gws_graph *made = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &reported), GWS_OK);
    ck_assert_int_eq(gws_graph_generate(reported, "kron:14", &made, NULL), GWS_OK);
    ck_assert_str_eq(heard.work, "building");
    ck_assert_uint_ge(heard.calls, 4);
    heard.calls = 0;
    ck_assert_int_eq(gws_graph_write(reported, made, gws_test_temp("p.el"), GWS_FORMAT_AUTO, NULL), GWS_OK);
    ck_assert_str_eq(heard.work, "writing");
    ck_assert_uint_ge(heard.calls, 1);
    ck_assert_uint_eq(heard.total, made->arcs);
    ck_assert(!heard.back);
    gws_graph_destroy(made);
    gws_runtime_close(reported);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_written, sizeof written / sizeof *written},
                                    {test_metis, 2},
                                    {test_metis_weights_begin_at_1, 1},
                                    {test_metis_weights_are_integers, 1},
                                    {test_refused, 1},
                                    {test_losses, 1},
                                    {test_memory, 4},
                                    {test_there_and_back, 2 * mode_count},
                                    {test_names, 5},
                                    {test_isolated_vertices, 3},
                                    {test_wrong_ranges, 11},
                                    {test_pairs, mode_count * mode_count},
                                    {progress, 1},
                                    {0}};
    return gws_test_run_between("write", test, open_runtime, close_runtime);
}
