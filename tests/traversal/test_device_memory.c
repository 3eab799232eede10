/* SPDX-License-Identifier: MIT */
/* Memory of the algorithms on devices. The test runs each algorithm on an undirected graph and on a directed one with
 * its reverse. It compares the bytes in the algorithm's buffers, beside the rows, with the figures of the algorithm's
 * header. */
#include "engine/devices.h"

#include "../../graphws.h"

static uint64_t taken; /* bytes in the buffers of the algorithm that has run */

static uint64_t held; /* bytes in buffers before it was opened */

/* Records the bytes of an open algorithm. */
static void measure(gws_status status)
{
    ck_assert_int_eq(status, GWS_OK);
    taken = gws_device_memory_held(device) - held;
}

/* Opens an algorithm, runs it, measures, and closes it. */
typedef void run_call(struct gws_device_graph *graph);

static void run_bfs(struct gws_device_graph *graph)
{
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    ck_assert_int_eq(gws_bfs_device_open(graph, NULL, &search, NULL), GWS_OK);
    measure(gws_bfs_device_run(search, 1, &result, NULL));
    gws_bfs_result_clear(&result);
    gws_bfs_device_close(search);
}

static void run_sssp(struct gws_device_graph *graph)
{
    struct gws_sssp_device *search = NULL;
    struct gws_sssp_result result = {0};
    ck_assert_int_eq(gws_sssp_device_open(graph, NULL, &search, NULL), GWS_OK);
    measure(gws_sssp_device_run(search, 1, &result, NULL));
    gws_sssp_result_clear(&result);
    gws_sssp_device_close(search);
}

static void run_betweenness(struct gws_device_graph *graph)
{
    const struct gws_betweenness_options options = {.samples = 2, .memory = 1};
    struct gws_betweenness_device *betweenness = NULL;
    struct gws_betweenness_result result = {0};
    ck_assert_int_eq(gws_betweenness_device_open(graph, &betweenness, NULL), GWS_OK);
    measure(gws_betweenness_device_run(betweenness, &options, &result, NULL));
    gws_betweenness_result_clear(&result);
    gws_betweenness_device_close(betweenness);
}

static void find_closeness(struct gws_device_graph *graph, uint32_t sources)
{
    const struct gws_closeness_options options = {.samples = sources};
    struct gws_closeness_device *closeness = NULL;
    struct gws_closeness_result result = {0};
    ck_assert_int_eq(gws_closeness_device_open(graph, &options, &closeness, NULL), GWS_OK);
    measure(gws_closeness_device_run(closeness, &result, NULL));
    gws_closeness_result_clear(&result);
    gws_closeness_device_close(closeness);
}

static void run_closeness(struct gws_device_graph *graph)
{
    find_closeness(graph, 64);
}

static void run_closeness_of_many(struct gws_device_graph *graph)
{
    find_closeness(graph, 65);
}

static void run_diameter(struct gws_device_graph *graph)
{
    struct gws_diameter_device *diameter = NULL;
    measure(gws_diameter_device_open(graph, &diameter, NULL)); /* a run allocates nothing, and takes many searches */
    gws_diameter_device_close(diameter);
}

static void run_components(struct gws_device_graph *graph)
{
    struct gws_components_device *components = NULL;
    struct gws_components_result result = {0};
    ck_assert_int_eq(gws_components_device_open(graph, &components, NULL), GWS_OK);
    measure(gws_components_device_run(components, &result, NULL));
    gws_components_result_clear(&result);
    gws_components_device_close(components);
}

static void run_strong_components(struct gws_device_graph *graph)
{
    struct gws_components_device *components = NULL;
    struct gws_components_result result = {0};
    ck_assert_int_eq(gws_components_device_open_strong(graph, &components, NULL), GWS_OK);
    measure(gws_components_device_run(components, &result, NULL));
    gws_components_result_clear(&result);
    gws_components_device_close(components);
}

static void run_pagerank(struct gws_device_graph *graph)
{
    struct gws_pagerank_device *pagerank = NULL;
    struct gws_pagerank_result result = {0};
    ck_assert_int_eq(gws_pagerank_device_open(graph, NULL, &pagerank, NULL), GWS_OK);
    measure(gws_pagerank_device_run(pagerank, &result, NULL));
    gws_pagerank_result_clear(&result);
    gws_pagerank_device_close(pagerank);
}

static void run_cores(struct gws_device_graph *graph)
{
    struct gws_cores_device *cores = NULL;
    struct gws_cores_result result = {0};
    ck_assert_int_eq(gws_cores_device_open(graph, &cores, NULL), GWS_OK);
    measure(gws_cores_device_run(cores, &result, NULL));
    gws_cores_result_clear(&result);
    gws_cores_device_close(cores);
}

static void run_triangles(struct gws_device_graph *graph)
{
    const struct gws_triangles_options options = {.parts = GWS_TRIANGLES_COUNT};
    struct gws_triangles_device *triangles = NULL;
    struct gws_triangles_result result = {0};
    ck_assert_int_eq(gws_triangles_device_open(graph, &options, &triangles, NULL), GWS_OK);
    measure(gws_triangles_device_run(triangles, &result, NULL));
    gws_triangles_result_clear(&result);
    gws_triangles_device_close(triangles);
}

static void run_communities(struct gws_device_graph *graph)
{
    const struct gws_communities_options options = {.max_levels = 1};
    struct gws_communities_device *communities = NULL;
    struct gws_communities_result result = {0};
    ck_assert_int_eq(gws_communities_device_open(graph, &options, &communities, NULL), GWS_OK);
    measure(gws_communities_device_run(communities, &result, NULL));
    gws_communities_result_clear(&result);
    gws_communities_device_close(communities);
}

/* A warp of communities has a table of 6 KiB, and a group one of 192 KiB. A unit runs at most 64 warps and 2 groups. */
enum { every_unit = 1024, communities_unit = 64 * 6144 + 2 * 196608, fixed = 16384 };

/* What a header states: bytes per vertex and per arc. unit: bytes for each of the device's compute units. */
static const struct {
    const char *name;
    run_call *run;
    double vertex, arc;
    uint64_t unit;
    bool undirected; /* the algorithm reads undirected graphs, or copies of directed ones */
    bool directed;   /* undirected graphs take another form */
    bool at_most;    /* the figure depends on the device */
} algorithms[] = {
    {"bfs", run_bfs, 25, 1 / 32.0, 0, false, false, true},
    {"sssp", run_sssp, 20.375, 4 + 1 / 32.0, 0, false, false, false},
    {"betweenness", run_betweenness, 24.25, 1 / 16.0, 0, false, false, false},
    {"closeness", run_closeness, 24, 1 / 64.0, 0, false, false, false},
    {"closeness of many", run_closeness_of_many, 76, 1 / 64.0, 0, false, false, false},
    {"diameter", run_diameter, 12 + 25, 1 / 32.0, 0, true, false, true},
    {"components", run_components, 8.125, 0, 0, false, false, false},
    {"strong components", run_strong_components, 24, 0, 0, false, true, false},
    {"pagerank", run_pagerank, 20, 1 / 8.0, 0, false, false, false},
    {"cores", run_cores, 12.375, 1 / 32.0, 0, true, false, false},
    {"triangles", run_triangles, 16 + 8, 2 + 0.14, 0, true, false, false},
    {"communities", run_communities, 25, 4, communities_unit, false, false, true},
};

/* A figure exceeds the memory by a twentieth at most. */
static void check_memory(size_t i, const struct gws_graph *graph)
{
    const double figure = algorithms[i].vertex * (double)graph->vertices + algorithms[i].arc * (double)graph->arcs;
    const uint64_t units = gws_device_describe(device)->units, more = fixed + units * (every_unit + algorithms[i].unit);
    const double min = algorithms[i].at_most ? 0 : 0.95 * figure, max = figure + (double)more;
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_device_graph_upload(on_device, NULL), GWS_OK);
    if (graph->directed) ck_assert_int_eq(gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, NULL), GWS_OK);
    held = gws_device_memory_held(device);
    algorithms[i].run(on_device);
    ck_assert_msg((double)taken >= min && (double)taken <= max, "%s: %.0f bytes, not from %.0f to %.0f",
                  algorithms[i].name, (double)taken, min, max);
    gws_device_graph_close(on_device);
    ck_assert_uint_eq(gws_device_memory_held(device), 0);
}

static size_t row; /* of the table */

static void check_graphs(void)
{
    for (enum arcs kind = UNDIRECTED; kind < arc_kinds; kind++) {
        if (kind == DIRECTED || (kind == UNDIRECTED ? algorithms[row].directed : algorithms[row].undirected)) continue;
        struct gws_graph *graph = make_graph(hubs, gws_test_quick() ? 50000 : 100000, kind);
        check_memory(row, graph);
        gws_graph_destroy(graph);
    }
}

START_TEST(memory_is_as_stated)
{
    row = (size_t)_i;
    on_devices(check_graphs);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{memory_is_as_stated, sizeof algorithms / sizeof *algorithms}, {0}};
    return gws_test_run("memory on devices", test);
}
