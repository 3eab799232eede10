/* SPDX-License-Identifier: MIT */
/* Compares the persistent kernels on CUDA devices, for meshes and for any graph, with a plain serial search. Also tests
 * other kernels on request. */
#include "../shapes.h"
#include "searches.h"

#include "../../../../../traversal/bfs_device.h"

static const enum gws_bfs_form whole = GWS_BFS_FORM_DEVICE, levels = GWS_BFS_FORM_DEVICE_PER_LEVEL;

/* Returns NULL, after a message, if there is no device. */
static struct gws_device *open_device(struct gws_runtime *runtime)
{
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, "cuda", NULL, &device, NULL) != GWS_OK) printf("skipped: no CUDA device\n");
    return device;
}

static void judge(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_device *search,
                  uint32_t source, struct gws_bfs_result *result)
{
    struct gws_diagnostic where = {0};
    struct oracle oracle = oracle_new(graph, source);
    gws_status status = search_run(search, source, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    compare(graph, source, &oracle, result);
    ck_assert_msg(gws_bfs_check(runtime, graph, result, &where) == GWS_OK, "%s", where.message);
    oracle_free(&oracle);
}

static void search_with(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                        const struct gws_bfs_device_options *options, enum gws_bfs_form form)
{
    struct gws_bfs_device *search = NULL;
    struct gws_diagnostic where = {0};
    struct gws_bfs_result result = {0};
    gws_status status = search_open(runtime, device, graph, options, &search, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    ck_assert_int_eq(gws_bfs_device_form(search), form);
    const uint32_t sources[] = {0, (uint32_t)graph->vertices / 2, (uint32_t)graph->vertices - 1, 0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) judge(runtime, graph, search, sources[i], &result);
    gws_bfs_result_clear(&result);
    search_close(search);
}

/* Searches with both kernels, with and without stealing, top-down and direction-optimising. */
static void search_all(const struct gws_graph *graph)
{
    static const char *const policies[] = {"chunked", "static", "abp"};
    for (uint32_t p = 0; p < 3; p++) {
        struct gws_runtime *runtime = open_runtime(policies[p], 1, 0);
        struct gws_device *device = open_device(runtime);
        for (int d = GWS_BFS_AUTO; device && d <= GWS_BFS_TOP_DOWN; d++) {
            struct gws_bfs_device_options options = {.direction = (enum gws_bfs_direction)d};
            search_with(runtime, device, graph, &options, p < 2 ? whole : levels);
        }
        gws_device_close(device);
        gws_runtime_close(runtime);
    }
}

START_TEST(every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    search_all(graph);
    gws_graph_destroy(graph);
}
END_TEST

/* The graphs are skewed, uniform and deep, and one is a mesh too wide for a cluster. The frontiers of that mesh exceed
 * the cluster's memory, so the second search uses another kernel. */
static const char *const generators[] = {"kron:14", "uniform:14", "grid:300x200", "road:50000", "uniform:18:1"};

START_TEST(generated)
{
    struct gws_graph *graph = generate(generators[_i]);
    search_all(graph);
    gws_graph_destroy(graph);
}
END_TEST

/* A chunk, a threshold or a number of groups select the kernels that support them. */
START_TEST(shared_on_request)
{
    struct gws_graph *graph = generate("kron:10");
    struct gws_runtime *runtime = open_runtime("chunked", 1, 0);
    struct gws_device *device = open_device(runtime);
    const struct {
        struct gws_bfs_device_options options;
        enum gws_bfs_form form;
    } row[] = {{{.chunk = 64}, levels},
               {{.threshold = 100}, levels},
               {{.groups = 8}, whole},
               {{.direction = GWS_BFS_BOTTOM_UP}, levels}};
    for (size_t i = 0; device && i < sizeof row / sizeof *row; i++)
        search_with(runtime, device, graph, &row[i].options, row[i].form);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

static uint32_t of_highest_degree(const struct gws_graph *graph)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < graph->vertices; v++)
        if (gws_graph_degree(graph, v) > gws_graph_degree(graph, best)) best = v;
    return best;
}

/* Workers run all tasks that they made, except for the tasks of split rows. No worker is busy for longer than the
 * search took. */
START_TEST(statistics_add_up)
{
    struct gws_graph *graph = generate("kron:16");
    struct gws_runtime *runtime = open_runtime(_i ? "static" : "chunked", 1, 0);
    struct gws_device *device = open_device(runtime);
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    if (device) {
        ck_assert_int_eq(search_open(runtime, device, graph, NULL, &search, NULL), GWS_OK);
        judge(runtime, graph, search, of_highest_degree(graph), &result);
        uint32_t workers = gws_bfs_device_workers(search);
        struct gws_bfs_device_stats *stats = calloc(workers, sizeof *stats);
        gws_bfs_device_stats(search, stats);
        uint64_t given = 0, ran = 0, steals = 0;
        double busy = 0;
        for (uint32_t w = 0; w < workers; w++) {
            given += stats[w].did.made;
            ran += stats[w].did.run;
            steals += stats[w].did.steals;
            busy += stats[w].did.busy_ms;
            ck_assert(stats[w].ms > 0 && stats[w].did.busy_ms <= stats[w].ms);
        }
        ck_assert_uint_gt(ran, 0);
        ck_assert(busy > 0);
        ck_assert_uint_eq(given, ran);
        if (_i) ck_assert_uint_eq(steals, 0);
        free(stats);
    }
    gws_bfs_result_clear(&result);
    search_close(search);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_shape, (int)(sizeof shapes / sizeof *shapes) * arc_kinds},
                                    {generated, gws_test_quick() ? 2 : (int)(sizeof generators / sizeof *generators)},
                                    {shared_on_request, 1},
                                    {statistics_add_up, 2},
                                    {0}};
    return gws_test_run("searches on CUDA", test);
}
