/* SPDX-License-Identifier: MIT */
/* Real data sets, compared with counts that other authors published or other programs computed. A test skips a data set
 * that is missing. */
#define _GNU_SOURCE
#include <math.h>

#include "../../harness.h"

#include "../../../io/graph_io.h"
#include "../graphs.h"

static const struct {
    const char *name;
    uint64_t vertices, arcs, duplicates, loops;
    bool directed;
    uint64_t first_id;
} graphs[] = {
    {"dimacs9/USA-road-d.NY.gr.gz", 264346, 733846, 3746, 0, true, 1},
    {"dimacs9/rome99.gr.gz", 3353, 8870, 11, 0, true, 1},
    {"dimacs9/pace16-BAY.gr.gz", 321270, 2 * 397415, 0, 0, false, 1},
    {"dimacs9/pace16-COL.gr.gz", 435666, 2 * 521200, 0, 0, false, 1},
    {"dimacs9/pace16-NE.gr.gz", 1524453, 2 * 1934010, 0, 0, false, 1},
    {"dimacs9/pace16-NW.gr.gz", 1207945, 2 * 1410387, 0, 0, false, 1},
    {"snap/actor-movie-bipartite.txt.gz", 511463, 2 * 1470404, 0, 0, false, 0},
    {"snap/as-caida20071105.txt.gz", 26475, 2 * 53381, 0, 0, false, 0},
    {"snap/ca-AstroPh-cc1.txt.gz", 17903, 2 * 197031 - 59, 0, 59, false, 0},
    {"snap/ca-CondMat-cc1.txt.gz", 21363, 2 * 91342 - 56, 0, 56, false, 0},
    {"snap/cit-HepTh.txt.gz", 27770, 352807, 0, 39, true, 0},
    {"snap/email-Enron.txt.gz", 36692, 367662, 0, 0, true, 0},
    {"snap/email-Eu-core.txt.gz", 1005, 25571, 0, 642, true, 0},
    {"snap/facebook_combined.txt.gz", 4039, 88234, 0, 0, true, 0},
    {"snap/p2p-Gnutella31.txt.gz", 62586, 147892, 0, 0, true, 1},
    {"snap/soc-Epinions1-undirected-lcc.txt.gz", 75877, 2 * 405739, 0, 0, false, 0},
    {"snap/soc-Slashdot0902.txt.gz", 82168, 948464, 0, 78303, true, 0},
    {"mtx/A.mtx.gz", 7, 30, 0, 0, false, 1},
    {"mtx/bcsstk13.mtx.gz", 2003, 2 * 42943 - 2003, 0, 2003, false, 1},
    {"mtx/chesapeake.mtx.gz", 39, 340, 0, 0, false, 1},
    {"mtx/karate.mtx.gz", 34, 156, 0, 0, false, 1},
    {"mtx/west0067.mtx.gz", 67, 294, 0, 2, true, 1},
    {"mtx/west0067_jumbled.mtx.gz", 67, 294, 0, 2, true, 1},
    {"mtx/LFAT5_hypersparse.mtx.gz", 2000, 46, 0, 14, false, 1},
    {"mtx/polbooks.mtx.gz", 105, 882, 0, 0, false, 1},
    {"mtx/matrix_int64.mtx.gz", 7, 12, 0, 0, true, 1},
};

/* Reads a data set without weights. Returns false if the data set is missing. */
static bool read_set(struct gws_runtime *runtime, const char *name, const struct gws_read_options *options,
                     gws_status expected, struct gws_graph **graph)
{
    const char *path = gws_test_dataset(name);
    struct gws_diagnostic where = {0};
    *graph = NULL;
    if (!path) return false;
    gws_status status = gws_graph_read(runtime, path, options, graph, &where);
    ck_assert_msg(status == expected, "%s: %d %s", name, status, where.message);
    return true;
}

START_TEST(test_counts)
{
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_read_options options = {.weights = GWS_WEIGHTS_DROP};
    struct gws_graph *graph;
    struct gws_graph_summary summary;
    if (gws_test_quick() && graphs[_i].arcs > 1000000) return; /* smaller sets have the same formats */
    if (read_set(runtime, graphs[_i].name, &options, GWS_OK, &graph)) {
        ck_assert_uint_eq(graph->vertices, graphs[_i].vertices);
        ck_assert_uint_eq(graph->arcs, graphs[_i].arcs);
        ck_assert_int_eq(graph->directed, graphs[_i].directed);
        ck_assert(graph->id == NULL && graph->first_id == graphs[_i].first_id && graph->weight == NULL);
        ck_assert_int_eq(gws_graph_summarise(runtime, graph, &summary), GWS_OK);
        ck_assert_uint_eq(summary.duplicates, graphs[_i].duplicates);
        ck_assert_uint_eq(summary.loops, graphs[_i].loops);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* One graph in seven formats. It has 53 arcs without loops and duplicates. Vertex 4 (5 in the formats that count from
 * 1) has no arc. The vertices of an edge list are the ids that appear, so the graphs of edge lists have one vertex
 * less. */
static const struct {
    const char *name;
    bool weighted, list;
} sevenfold[] = {
    {"formats-gapbs/4.el.gz", false, true},     {"formats-gapbs/4.gr.gz", true, false},
    {"formats-gapbs/4.graph.gz", false, false}, {"formats-gapbs/4.mtx.gz", false, false},
    {"formats-gapbs/4.wel.gz", true, true},     {"formats-gapbs/4w.graph.gz", true, false},
    {"formats-gapbs/4w.mtx.gz", true, false},
};

START_TEST(test_sevenfold)
{
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_read_options options = {.remove_loops = true, .remove_duplicates = true};
    struct gws_graph *graph;
    if (read_set(runtime, sevenfold[_i].name, &options, GWS_OK, &graph)) {
        ck_assert_uint_eq(graph->vertices, sevenfold[_i].list ? 13 : 14);
        ck_assert_uint_eq(graph->arcs, 53);
        ck_assert(graph->directed);
        ck_assert_int_eq(graph->weight != NULL, sevenfold[_i].weighted);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

static const struct {
    const char *name;
    gws_status status;
} refused[] = {
    {"mtx/complex.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/empty.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/full.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/full_noheader.mtx.gz", GWS_SYNTAX},
    {"mtx/full_symmetric.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/lp_afiro.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/skew_fp32.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/west0067_noheader.mtx.gz", GWS_SYNTAX},
    {"mtx/malformed/mangled1.mtx.gz", GWS_SYNTAX},
    {"mtx/malformed/mangled2.mtx.gz", GWS_SYNTAX},
    {"mtx/malformed/mangled3.mtx.gz", GWS_SYNTAX},
    {"mtx/malformed/mangled4.mtx.gz", GWS_SYNTAX},
    {"mtx/malformed/mangled5.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled6.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled7.mtx.gz", GWS_SYNTAX},
    {"mtx/malformed/mangled8.mtx.gz", GWS_SYNTAX},
    {"mtx/malformed/mangled9.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled10.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled13.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled15.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled16.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled_format.mtx.gz", GWS_UNSUPPORTED},
    {"mtx/malformed/mangled_skew.mtx.gz", GWS_UNSUPPORTED},
};

START_TEST(test_refused)
{
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    struct gws_graph *graph;
    read_set(runtime, refused[_i].name, NULL, refused[_i].status, &graph);
    ck_assert_ptr_null(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The reader stores weights that are not 32-bit integers as floats. */
START_TEST(test_real_weights)
{
    static const struct {
        const char *name;
        float min, max;
    } real[] = {{"mtx/west0067.mtx.gz", -1.86335397F, 1.86335397F}, {"mtx/matrix_int64.mtx.gz", -0x1p63F, 0x1p63F}};
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        struct gws_graph *graph;
        if (!read_set(runtime, real[i].name, NULL, GWS_OK, &graph)) continue;
        float min = INFINITY, max = -INFINITY;
        ck_assert(graph->weight == NULL && graph->real_weight != NULL);
        for (uint64_t arc = 0; arc < graph->arcs; arc++) {
            min = fminf(min, graph->real_weight[arc]);
            max = fmaxf(max, graph->real_weight[arc]);
        }
        ck_assert_float_eq(min, real[i].min);
        ck_assert_float_eq(max, real[i].max);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* With an explicit format, the reader accepts a matrix without its banner. The graph equals the graph of the file with
 * the banner. */
START_TEST(test_without_banner)
{
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    struct gws_read_options options = {.format = GWS_FORMAT_MATRIX_MARKET, .weights = GWS_WEIGHTS_ROUND};
    struct gws_graph *with, *without;
    if (read_set(runtime, "mtx/west0067.mtx.gz", &options, GWS_OK, &with)) {
        read_set(runtime, "mtx/west0067_noheader.mtx.gz", &options, GWS_OK, &without);
        gws_check_same(with, without, GWS_SAME_ALL);
        gws_graph_destroy(with);
        gws_graph_destroy(without);
    }
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_counts, sizeof graphs / sizeof *graphs},
                                    {test_sevenfold, sizeof sevenfold / sizeof *sevenfold},
                                    {test_refused, sizeof refused / sizeof *refused},
                                    {test_real_weights, 1},
                                    {test_without_banner, 1},
                                    {0}};
    return gws_test_run("datasets", test);
}
