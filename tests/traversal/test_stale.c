/* SPDX-License-Identifier: MIT */
/* A verified run poisons the results first. So a run that writes nothing must fail, although an earlier run wrote
 * correct results to the same arrays. A table of the device's calls with an empty run() emulates launches that do
 * nothing. The device is $GWS_TEST_DEVICE, or by default the first OpenCL device. */
#include "../harness.h"
#include "../lib/device/drivers.h"
#include "graph/bfs/device/searches.h"

#include "../../graphws.h"
#include "../../lib/device/kind.h"

static struct gws_runtime *runtime;
static struct gws_device *device;
static struct gws_device_calls idle;

static gws_status run_nothing(struct gws_stream *of, const struct gws_device_launch *launch,
                              struct gws_diagnostic *where)
{
    (void)of;
    (void)launch;
    (void)where;
    return GWS_OK;
}

/* Makes the kernels of the device do nothing from this call on. */
static void go_idle(void)
{
    idle = *device->call;
    idle.run = run_nothing;
    device->call = &idle;
}

/* Returns false after a message if there is no device. */
static bool begin(const char *policy)
{
    const char *address = getenv("GWS_TEST_DEVICE");
    const struct gws_options options = {.threads = 2, .policy = policy};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    device = NULL;
    if (gws_device_open(runtime, address ? address : "opencl", gws_test_cached(), &device, NULL) == GWS_OK) return true;
    printf("skipped: no device\n");
    gws_runtime_close(runtime);
    return false;
}

static void end(void)
{
    gws_device_close(device);
    gws_runtime_close(runtime);
}

/* ---- breadth-first search ---- */

static struct gws_graph *some_graph(void)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:16x16", &graph, NULL), GWS_OK);
    return graph;
}

static gws_status judge(const struct gws_graph *graph, const struct gws_bfs_result *result)
{
    return gws_bfs_check(runtime, graph, result, NULL);
}

START_TEST(a_poisoned_result_is_wrong)
{
    struct gws_bfs_result result = {0};
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_graph *graph = some_graph();
    gws_bfs_result_poison(&result);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gws_bfs(runtime, graph, 5, NULL, &result), GWS_OK);
        ck_assert_int_eq(judge(graph, &result), GWS_OK);
        gws_bfs_result_poison(&result);
        ck_assert_int_eq(judge(graph, &result), GWS_WRONG_RESULT);
        result.source = 5; /* stale arrays with another source do not pass either */
        ck_assert_int_eq(judge(graph, &result), GWS_WRONG_RESULT);
    }
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* Searches twice with kernels, and then once without. poisons: poisons the results before each search but the first. */
static void search_idly(const struct gws_bfs_device_options *options, bool poisons)
{
    struct gws_bfs_result result = {0};
    struct gws_bfs_device *search = NULL;
    if (!begin("chunked")) return;
    struct gws_graph *graph = some_graph();
    ck_assert_int_eq(search_open(runtime, device, graph, options, &search, NULL), GWS_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(search_run(search, 5, &result, NULL), GWS_OK);
        ck_assert_int_eq(judge(graph, &result), GWS_OK);
        if (poisons) ck_assert_int_eq(gws_bfs_device_poison(search, NULL), GWS_OK);
        if (poisons) gws_bfs_result_poison(&result);
    }
    go_idle();
    gws_status status = search_run(search, 5, &result, NULL);
    if (status == GWS_OK) status = judge(graph, &result);
    if (poisons)
        ck_assert_int_ne(status, GWS_OK);
    else
        ck_assert_int_eq(status, GWS_OK); /* the stale arrays pass, which is why verified runs poison them */
    gws_bfs_result_clear(&result);
    search_close(search);
    gws_graph_destroy(graph);
    end();
}

START_TEST(a_search_that_writes_nothing_fails)
{
    static const enum gws_bfs_launch launch[] = {GWS_BFS_PER_LEVEL, GWS_BFS_PERSISTENT, GWS_BFS_LAUNCH_AUTO};
    const struct gws_bfs_device_options options = {.launch = launch[_i % 3]};
    search_idly(&options, _i / 3);
}
END_TEST

static gws_status judge_one(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    (void)index;
    return judge(context, result);
}

START_TEST(many_searches_that_write_nothing_fail)
{
    const uint32_t source[3] = {5, 5, 5};
    struct gws_bfs_device *search = NULL;
    if (!begin("chunked")) return;
    struct gws_graph *graph = some_graph();
    ck_assert_int_eq(search_open(runtime, device, graph, NULL, &search, NULL), GWS_OK);
    ck_assert_int_eq(gws_bfs_device_poison(search, NULL), GWS_OK);
    ck_assert_int_eq(gws_bfs_device_run_many(search, source, 3, judge_one, graph, NULL), GWS_OK);
    go_idle();
    ck_assert_int_ne(gws_bfs_device_run_many(search, source, 3, judge_one, graph, NULL), GWS_OK);
    search_close(search);
    gws_graph_destroy(graph);
    end();
}
END_TEST

/* ---- octrees ---- */

static void some_points(struct gws_points *points)
{
    ck_assert_int_eq(gws_points_generate(runtime, "uniform:3000", false, points, NULL), GWS_OK);
}

START_TEST(an_octree_that_was_not_written_is_wrong)
{
    static const char *const policy[] = {"abp", "static", "chunked"};
    struct gws_points points = {0};
    struct gws_octree_device *builder = NULL;
    struct gws_octree *tree = NULL;
    if (!begin(policy[_i])) return;
    some_points(&points);
    ck_assert_int_eq(gws_octree_device_open(runtime, device, NULL, &builder, NULL), GWS_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gws_octree_device_build(builder, &points, &tree, NULL), GWS_OK);
        ck_assert_int_eq(gws_octree_check(runtime, &points, tree, NULL), GWS_OK);
        gws_octree_poison(tree);
        ck_assert_int_eq(gws_octree_check(runtime, &points, tree, NULL), GWS_WRONG_RESULT);
        gws_octree_destroy(tree);
        tree = NULL;
        ck_assert_int_eq(gws_octree_device_poison(builder, NULL), GWS_OK);
    }
    go_idle();
    gws_status status = gws_octree_device_build(builder, &points, &tree, NULL);
    if (status == GWS_OK) status = gws_octree_check(runtime, &points, tree, NULL);
    ck_assert_int_ne(status, GWS_OK);
    gws_octree_destroy(tree);
    gws_octree_device_close(builder);
    gws_points_clear(&points);
    end();
}
END_TEST

/* ---- MADNESS ---- */

static struct gws_madness_body body = {{0.3, -0.2, 1}, 1, 1};

static struct gws_madness_problem some_problem(void)
{
    struct gws_madness_problem problem;
    gws_madness_defaults(&problem);
    problem.functions = 1;
    problem.values = gws_madness_gaussian;
    problem.context = &body;
    problem.order = 4;
    problem.threshold = 0.01;
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -4;
        problem.high[a] = 5;
    }
    return problem;
}

START_TEST(a_madness_tree_that_was_not_written_is_wrong)
{
    const struct gws_madness_problem problem = some_problem();
    struct gws_madness_device *builder = NULL;
    struct gws_madness_tree *tree = NULL;
    if (!begin("chaselev")) return;
    ck_assert_int_eq(gws_madness_device_open(runtime, device, problem.order, NULL, &builder, NULL), GWS_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gws_madness_device_poison(builder, NULL), GWS_OK);
        ck_assert_int_eq(gws_madness_device_build(builder, &problem, &tree, NULL), GWS_OK);
        ck_assert_int_eq(gws_madness_check(runtime, &problem, tree, NULL), GWS_OK);
        gws_madness_poison(tree);
        gws_madness_destroy(tree);
        tree = NULL;
    }
    ck_assert_int_eq(gws_madness_device_poison(builder, NULL), GWS_OK);
    go_idle();
    gws_status status = gws_madness_device_build(builder, &problem, &tree, NULL);
    if (status == GWS_OK) status = gws_madness_check(runtime, &problem, tree, NULL);
    ck_assert_int_ne(status, GWS_OK);
    gws_madness_destroy(tree);
    gws_madness_device_close(builder);
    end();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{a_poisoned_result_is_wrong, 1},
                                    {a_search_that_writes_nothing_fails, 6},
                                    {many_searches_that_write_nothing_fail, 1},
                                    {an_octree_that_was_not_written_is_wrong, 3},
                                    {a_madness_tree_that_was_not_written_is_wrong, 1},
                                    {0}};
    return gws_test_run("results that nobody has written", test);
}
