/* SPDX-License-Identifier: MIT */
/* Searches on devices against a plain serial one, on graphs of every shape, in every form, for all options. */
#include "shapes.h"

#include "../../../lib/parallel.h"
#include "../../../traversal/bfs_device.h"

/* What PoCL and the compiler in it keep or share by their own rules is not this test's matter. */
GWS_API const char *__lsan_default_suppressions(void); /* the sanitizers' names, which they must find */
const char *__lsan_default_suppressions(void)
{
    return "leak:libLLVM\nleak:libclang\nleak:libpocl\nleak:libOpenCL\n";
}

GWS_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "ignore_noninstrumented_modules=1";
}

/* NULL, after a line that says so, where there is none. */
static struct gws_device *open_device(struct gws_runtime *runtime)
{
    struct gws_device *device = NULL;
    setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 0); /* not the user's */
    if (gws_device_open(runtime, "opencl", NULL, &device, NULL) != GWS_OK) printf("skipped: no OpenCL device\n");
    return device;
}

static void judge(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                  const struct oracle *oracle, const struct gws_bfs_result *result)
{
    struct gws_where where = {0};
    compare(graph, source, oracle, result);
    ck_assert_msg(gws_bfs_check(runtime, graph, result, &where) == GWS_OK, "%s", where.message);
}

static void search_with(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                        const struct gws_bfs_device_options *options)
{
    struct gws_bfs_device *search = NULL;
    struct gws_where where = {0};
    struct gws_bfs_result result = {0};
    gws_status status = gws_bfs_device_open(runtime, device, graph, options, &search, &where);
    if (options->direction == GWS_BFS_BOTTOM_UP && graph->directed && !graph->reverse) {
        ck_assert_int_eq(status, GWS_NEEDS_REVERSE);
        return;
    }
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    const uint32_t sources[] = {0, (uint32_t)graph->vertices / 2, (uint32_t)graph->vertices - 1};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct oracle oracle = oracle_new(graph, sources[i]);
        status = gws_bfs_device_run(search, sources[i], &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        judge(runtime, graph, sources[i], &oracle, &result);
        oracle_free(&oracle);
    }
    gws_bfs_result_clear(&result);
    gws_bfs_device_close(search);
}

START_TEST(alone_every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    static const char *const policies[] = {"static", "cursor", "chunked", "abp"};
    for (uint32_t p = 0; p < 4; p++) {
        struct gws_runtime *runtime = open_runtime(policies[p], 1, 0);
        struct gws_device *device = open_device(runtime);
        for (int d = GWS_BFS_AUTO; device && d <= GWS_BFS_BOTTOM_UP; d++) {
            struct gws_bfs_device_options options = {
                .direction = (enum gws_bfs_direction)d, .threshold = (p + _i + d) % 3, .groups = 1 + (p + d) % 4};
            search_with(runtime, device, graph, &options);
        }
        gws_device_close(device);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
}
END_TEST

static const enum gws_bfs_form forms[] = {GWS_BFS_FORM_LEVELS, GWS_BFS_FORM_KEPT, GWS_BFS_FORM_BRIDGED};

static const char *const both_policies[] = {"static", "cursor", "chunked", "abp", "coarse"};
enum { policy_kinds = 5, form_kinds = 3 };

/* The turn-th combination of options; any turns that follow each other differ in all of them. */
static struct gws_bfs_device_options combination(uint32_t turn)
{
    static const uint64_t thresholds[] = {1, 0, 30};
    static const uint32_t chunks[] = {1, 0, 13, 64};
    return (struct gws_bfs_device_options){.cpu = true,
                                           .form = forms[turn % form_kinds],
                                           .direction = (enum gws_bfs_direction)(turn / 3 % 3),
                                           .threshold = thresholds[(turn + turn / 3) % 3],
                                           .chunk = chunks[(turn + turn / 4) % 4],
                                           .steal = (enum gws_bfs_steal)((turn + turn / 7) % 4),
                                           .order = (enum gws_bfs_order)((turn + turn / 2) % 2),
                                           .groups = 1 + (turn + turn / 5) % 2};
}

/* Each level that the device joins costs a kernel, which takes long where all cores are busy. */
static bool is_deep(const struct gws_graph *graph)
{
    struct oracle oracle = oracle_new(graph, 0);
    bool deep = oracle.levels > 25;
    oracle_free(&oracle);
    return deep;
}

START_TEST(both_every_shape)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    for (uint32_t k = 0; k < (gws_test_quick() ? 2 : 6); k++) {
        uint32_t turn = 7 * (uint32_t)_i + 5 * k;
        struct gws_runtime *runtime = open_runtime(both_policies[turn % policy_kinds], 1 + turn % 3, 0);
        struct gws_device *device = open_device(runtime);
        struct gws_bfs_device_options options = combination(turn);
        if (is_deep(graph) && options.threshold == 1) options.threshold = 25;
        if (device) search_with(runtime, device, graph, &options);
        gws_device_close(device);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* Every combination of policy, stealing, form, order and direction on one graph that has thin and wide levels. */
START_TEST(both_every_combination)
{
    struct gws_graph *graph = make_graph(hubs, 1500, UNDIRECTED);
    struct gws_runtime *runtime = open_runtime(both_policies[_i % policy_kinds], 2, 0);
    struct gws_device *device = open_device(runtime);
    for (uint32_t rest = 0; device && rest < 8 * form_kinds * 3; rest++) {
        struct gws_bfs_device_options options = {.cpu = true,
                                                 .groups = 2,
                                                 .chunk = 8,
                                                 .threshold = 64,
                                                 .steal = (enum gws_bfs_steal)(rest % 4),
                                                 .order = (enum gws_bfs_order)(rest / 4 % 2),
                                                 .form = forms[rest / 8 % form_kinds],
                                                 .direction = (enum gws_bfs_direction)(rest / 8 / form_kinds)};
        if (gws_test_quick() && (rest + (uint32_t)_i) % 5) continue;
        search_with(runtime, device, graph, &options);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

static Suite *bfs_device_suite(void)
{
    Suite *suite = suite_create("searches on devices");
    TCase *tests = tcase_create("alone");
    tcase_add_loop_test(tests, alone_every_shape, 0, shape_count * arc_kinds);
    suite_add_tcase(suite, tests);
    tests = tcase_create("both sides");
    tcase_add_loop_test(tests, both_every_shape, 0, shape_count * arc_kinds);
    tcase_add_loop_test(tests, both_every_combination, 0, policy_kinds);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(bfs_device_suite);
}
