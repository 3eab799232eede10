/* SPDX-License-Identifier: MIT */
/* Memory of the algorithms on threads. The test runs each algorithm on a graph with long rows and on a grid, and
 * compares the peak of memory in use with the figures of the algorithm's header. */
#include "graph/bfs/shapes.h"

#include "../../graphws.h"

enum { threads = 2 };

/* What a header states, with the result: bytes per vertex, per arc, per worker, per worker and label of the longest
 * row, and in all. */
struct bound {
    double vertex, arc;
    uint64_t worker, label, fixed;
};

/* Runs an algorithm and frees its result. */
typedef gws_status run_call(struct gws_runtime *runtime, const struct gws_graph *graph);

static gws_status run_bfs(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_bfs_result result = {0};
    gws_status status = gws_bfs(runtime, graph, 1, NULL, &result);
    gws_bfs_result_clear(&result);
    return status;
}

static gws_status visit_level(void *context, const struct gws_bfs_batch_level *level)
{
    (void)context;
    (void)level;
    return GWS_OK;
}

static gws_status run_bfs_batch(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    const uint32_t source[] = {1, 2, 3};
    return gws_bfs_batch(runtime, graph, source, 3, false, visit_level, NULL);
}

static gws_status run_sssp(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_sssp_result result = {0};
    gws_status status = gws_sssp(runtime, graph, 1, NULL, &result, NULL);
    gws_sssp_result_clear(&result);
    return status;
}

static gws_status run_path(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_path_result result = {0};
    gws_status status = gws_path(runtime, graph, 1, (uint32_t)graph->vertices - 1, NULL, &result, NULL);
    gws_path_result_clear(&result);
    return status;
}

static gws_status run_components(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_components_result result = {0};
    gws_status status = gws_components(runtime, graph, NULL, &result);
    gws_components_result_clear(&result);
    return status;
}

static gws_status run_strong_components(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    const struct gws_components_options options = {.strong = true};
    struct gws_components_result result = {0};
    gws_status status = gws_components(runtime, graph, &options, &result);
    gws_components_result_clear(&result);
    return status;
}

static gws_status run_pagerank(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_pagerank_result result = {0};
    gws_status status = gws_pagerank(runtime, graph, NULL, &result);
    gws_pagerank_result_clear(&result);
    return status;
}

static gws_status run_betweenness(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    const struct gws_betweenness_options options = {.samples = 2, .memory = 1};
    struct gws_betweenness_result result = {0};
    gws_status status = gws_betweenness(runtime, graph, &options, &result);
    gws_betweenness_result_clear(&result);
    return status;
}

static gws_status run_closeness(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    static const uint32_t source[] = {1, 2, 3};
    const struct gws_closeness_options options = {.source = source, .sources = 3, .memory = 1};
    struct gws_closeness_result result = {0};
    gws_status status = gws_closeness(runtime, graph, &options, &result);
    gws_closeness_result_clear(&result);
    return status;
}

static gws_status run_diameter(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_diameter_result result = {0};
    return gws_diameter(runtime, graph, &result);
}

static gws_status run_triangles(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_triangles_result result = {0};
    gws_status status = gws_triangles(runtime, graph, NULL, &result);
    gws_triangles_result_clear(&result);
    return status;
}

static gws_status run_cores(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_cores_result result = {0};
    gws_status status = gws_cores(runtime, graph, &result);
    gws_cores_result_clear(&result);
    return status;
}

static gws_status find_communities(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   enum gws_communities_method method, uint32_t max_levels)
{
    const struct gws_communities_options options = {.method = method, .max_levels = max_levels};
    struct gws_communities_result result = {0};
    gws_status status = gws_communities(runtime, graph, &options, &result);
    gws_communities_result_clear(&result);
    return status;
}

static gws_status run_leiden(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    return find_communities(runtime, graph, GWS_COMMUNITIES_LEIDEN, 0);
}

static gws_status run_leiden_level(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    return find_communities(runtime, graph, GWS_COMMUNITIES_LEIDEN, 1);
}

static gws_status run_louvain_level(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    return find_communities(runtime, graph, GWS_COMMUNITIES_LOUVAIN, 1);
}

static gws_status run_propagation(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    return find_communities(runtime, graph, GWS_COMMUNITIES_CDLP, 0);
}

enum { bfs_worker = 37000 + 18000, bfs_fixed = 2400000 + 30000 };

/* A directed graph is symmetrised for diameters, triangles and cores; its CSR has 8 bytes per vertex and 4 per arc. */
static const struct {
    const char *name;
    run_call *run;
    struct bound bound;
    bool symmetrises;
    bool mesh; /* the bound holds for meshes only */
} algorithms[] = {
    {"bfs", run_bfs, {.vertex = 12.4, .worker = bfs_worker, .fixed = bfs_fixed}, false, false},
    {"bfs of many sources", run_bfs_batch, {.vertex = 24, .worker = 8192, .fixed = 530000}, false, false},
    {"sssp", run_sssp, {.vertex = 12 + 10, .arc = 8 / 500.0, .worker = 200000}, false, false},
    {"path", run_path, {.vertex = 2 * 12.3 + 48}, false, false},
    {"components", run_components, {.vertex = 8, .fixed = 4096}, false, false},
    {"strong components", run_strong_components, {.vertex = 24 + 8, .fixed = 4096}, false, false},
    {"pagerank", run_pagerank, {.vertex = 16, .fixed = 65536}, false, false},
    {"betweenness",
     run_betweenness,
     {.vertex = 8 + 12.4 + 9 + 2, .worker = bfs_worker + 1024, .fixed = bfs_fixed + 16 * 1000},
     false,
     false},
    {"closeness", run_closeness, {.vertex = 12.4, .worker = bfs_worker, .fixed = bfs_fixed + 96}, false, false},
    {"diameter", run_diameter, {.vertex = 12.4 + 8, .worker = bfs_worker, .fixed = bfs_fixed}, true, false},
    {"triangles", run_triangles, {.vertex = 12 + 8 + threads / 8.0, .arc = 2, .fixed = 1 << 20}, true, false},
    {"cores", run_cores, {.vertex = 4 + 13, .fixed = 65536}, true, false},
    {"leiden, one level", run_leiden_level, {.vertex = 4 + 21, .label = 64}, false, false},
    {"louvain, one level", run_louvain_level, {.vertex = 4 + 21, .label = 64}, false, false},
    {"leiden", run_leiden, {.vertex = 4 + 50, .worker = 4096}, false, true},
    {"label propagation", run_propagation, {.vertex = 4 + 16, .label = 64}, false, false},
};

static double limit_of(size_t i, const struct gws_graph *graph, const struct gws_graph_summary *summary)
{
    const struct bound *bound = &algorithms[i].bound;
    double limit = bound->vertex * (double)graph->vertices + bound->arc * (double)graph->arcs;
    double row = (double)summary->max_degree * (graph->directed ? 2 : 1) + 1 + 4; /* a table has at least 8 entries */
    if (algorithms[i].symmetrises && graph->directed)
        limit += 2 * (8 * (double)graph->vertices + 4 * (double)graph->arcs);
    return limit + (double)bound->fixed + threads * ((double)bound->worker + (double)bound->label * row);
}

static void check_peak(size_t i, const char *name, const struct gws_graph *graph)
{
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = threads, .allocator = gws_test_allocator(&memory)};
    struct gws_graph_summary summary;
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_summarise(runtime, graph, &summary), GWS_OK);
    uint64_t before = (uint64_t)memory.live;
    memory.peak = before;
    ck_assert_int_eq(algorithms[i].run(runtime, graph), GWS_OK);
    double peak = (double)(memory.peak - before), limit = limit_of(i, graph, &summary);
    ck_assert_msg(peak <= limit, "%s of %s: %.0f bytes, limit %.0f", algorithms[i].name, name, peak, limit);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}

static void check_graph(const char *name, struct gws_graph *graph, bool mesh)
{
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (mesh || !algorithms[i].mesh) check_peak(i, name, graph);
    gws_graph_destroy(graph);
}

START_TEST(peaks_are_as_stated)
{
    uint64_t n = gws_test_quick() ? 10000 : 60000;
    check_graph("kron", generate(gws_test_quick() ? "kron:10" : "kron:14"), false);
    check_graph("road", generate(gws_test_quick() ? "road:10000" : "road:60000"), true);
    check_graph("grid", make_graph(grid, n, UNDIRECTED), true);
    check_graph("directed grid", make_graph(grid, n, DIRECTED_WITH_REVERSE), true);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{peaks_are_as_stated, 1}, {0}};
    return gws_test_run("memory", test);
}
