/* SPDX-License-Identifier: MIT */
/* Compares searches on devices with a plain serial search, for graphs of every shape, every form and all options.
 * $GWS_TEST_DEVICE selects the device. The default is the first OpenCL device.
 *
 * A device refuses unsupported options by the rules of bfs_device.h. Forms with shared deques need atomics that are
 * coherent between host and device. CUDA programs exist for the weakest orders only. The tests check that the device
 * refuses such a combination, and then run the combination on the device alone, or in the weakest orders. */
#include "../shapes.h"
#include "searches.h"

#include "../../../../../io/graph_io.h"
#include "../../../../../lib/parallel.h"
#include "../../../../../traversal/bfs_device.h"
#include "../../../../lib/device/drivers.h"

static const char *device_address(void)
{
    const char *address = getenv("GWS_TEST_DEVICE");
    return address ? address : "opencl";
}

/* Returns NULL, after a message, if there is no device. */
static struct gws_device *open_device_with(struct gws_runtime *runtime, const struct gws_device_options *options)
{
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, device_address(), options, &device, NULL) != GWS_OK) printf("skipped: no device\n");
    return device;
}

static struct gws_device *open_device(struct gws_runtime *runtime)
{
    return open_device_with(runtime, gws_test_cached());
}

/* ---- refused options ---- */

static bool is_cuda(const struct gws_device *device)
{
    return gws_device_describe(device)->api == GWS_DEVICE_CUDA;
}

static bool shares_deques(const struct gws_device *device)
{
    return gws_device_sharing(device, NULL).atomics;
}

static bool is_refused(const struct gws_device *device, const struct gws_bfs_device_options *options)
{
    return (options->cpu && !shares_deques(device)) || (options->order == GWS_BFS_SEQ_CST && is_cuda(device));
}

/* Replaces the options that the device does not support. */
static struct gws_bfs_device_options possible(const struct gws_device *device, struct gws_bfs_device_options options)
{
    if (options.cpu && !shares_deques(device)) {
        options.cpu = false;
        options.strategy = GWS_BFS_DEVICE;
        options.launch = GWS_BFS_PER_LEVEL;
    }
    if (is_cuda(device)) options.order = GWS_BFS_WEAKEST;
    return options;
}

/* ---- one search ---- */

static void judge(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                  const struct oracle *oracle, const struct gws_bfs_result *result)
{
    struct gws_diagnostic where = {0};
    compare(graph, source, oracle, result);
    ck_assert_msg(gws_bfs_check(runtime, graph, result, &where) == GWS_OK, "%s", where.message);
}

static void search_from(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_device *search,
                        uint32_t source)
{
    struct gws_diagnostic where = {0};
    struct gws_bfs_result result = {0};
    struct oracle oracle = oracle_new(graph, source);
    gws_status status = search_run(search, source, &result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    judge(runtime, graph, source, &oracle, &result);
    oracle_free(&oracle);
    gws_bfs_result_clear(&result);
}

/* Returns the form that ran, or -1 if the device must refuse the search. */
static int search_with(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                       const struct gws_bfs_device_options *wanted)
{
    struct gws_bfs_device *search = NULL;
    struct gws_diagnostic where = {0};
    struct gws_bfs_device_options requested = *wanted;
    if (requested.cpu) requested.strategy = GWS_BFS_SHARED;
    const struct gws_bfs_device_options options = possible(device, requested);
    if (is_refused(device, &requested)) {
        gws_status refused = search_open(runtime, device, graph, &requested, &search, &where);
        ck_assert(refused == GWS_UNSUPPORTED || refused == GWS_NEEDS_REVERSE);
        ck_assert_str_ne(where.message, "");
    }
    gws_status status = search_open(runtime, device, graph, &options, &search, &where);
    if (options.direction == GWS_BFS_BOTTOM_UP && graph->directed && !graph->reverse) {
        ck_assert_int_eq(status, GWS_NEEDS_REVERSE);
        return -1;
    }
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    search_from(runtime, graph, search, 0);
    search_from(runtime, graph, search, (uint32_t)graph->vertices - 1);
    enum gws_bfs_form form = gws_bfs_device_form(search);
    search_close(search);
    return (int)form;
}

static void alone_shape(struct gws_runtime *runtime, struct gws_device *device, uint32_t policy, uint32_t i)
{
    const struct shape *shape = &shapes[i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(i % arc_kinds));
    for (uint32_t d = GWS_BFS_AUTO; d <= GWS_BFS_BOTTOM_UP; d++) {
        struct gws_bfs_device_options options = {.launch = GWS_BFS_PER_LEVEL,
                                                 .direction = (enum gws_bfs_direction)d,
                                                 .threshold = (policy + i + d) % 3,
                                                 .groups = 1 + (policy + d) % 4};
        search_with(runtime, device, graph, &options);
    }
    gws_graph_destroy(graph);
}

static const char *const alone_policies[] = {"static", "cursor", "chunked", "abp"};

/* One test runs many searches, since opening a device is slow and each test is a separate process. Each shape runs
 * under two of the policies. */
START_TEST(device_only_every_shape)
{
    struct gws_runtime *runtime = open_runtime(alone_policies[_i], 1, 0);
    struct gws_device *device = open_device(runtime);
    for (uint32_t i = 0; device && i < shape_count * arc_kinds; i++)
        if (shape_runs(i) && (i + i / arc_kinds + (uint32_t)_i) % 2 == 0) alone_shape(runtime, device, (uint32_t)_i, i);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* The kernel for whole searches of any graph, on each device with warps or groups of one item, under all policies but
 * one. The device refuses more groups than can be resident. */
START_TEST(device_only_persistent)
{
    struct gws_runtime *runtime = open_runtime(alone_policies[_i], 1, 0);
    struct gws_device *device = open_device(runtime);
    for (uint32_t i = 0; device && i < shape_count * arc_kinds; i++) {
        if (!shape_runs(i)) continue;
        const struct shape *shape = &shapes[i / arc_kinds];
        struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(i % arc_kinds));
        struct gws_bfs_device_options options = {.launch = GWS_BFS_PERSISTENT,
                                                 .direction = i % 4 ? GWS_BFS_AUTO : GWS_BFS_TOP_DOWN,
                                                 .groups = 1 + i % 2,
                                                 .steal = i % 3 ? GWS_BFS_STEAL_ALL : GWS_BFS_STEAL_NONE};
        ck_assert_int_eq(search_with(runtime, device, graph, &options), GWS_BFS_FORM_DEVICE);
        gws_graph_destroy(graph);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

static const enum gws_bfs_launch launches[] = {GWS_BFS_PER_LEVEL, GWS_BFS_PERSISTENT};

static const char *const both_policies[] = {"static", "cursor", "chunked", "abp", "coarse"};
enum { policy_kinds = 5, form_kinds = 2 };

/* Returns combination number `index` of the options. Consecutive combinations differ in every option. */
static struct gws_bfs_device_options combination(uint32_t index)
{
    static const uint64_t thresholds[] = {1, 0, 30};
    static const uint32_t chunks[] = {1, 0, 13, 64};
    return (struct gws_bfs_device_options){.cpu = true,
                                           .launch = launches[index % form_kinds],
                                           .direction = (enum gws_bfs_direction)(index / 3 % 3),
                                           .threshold = thresholds[(index + index / 3) % 3],
                                           .chunk = chunks[(index + index / 4) % 4],
                                           .steal = (enum gws_bfs_steal)((index + index / 7) % 4),
                                           .order = (enum gws_bfs_order)((index + index / 2) % 2),
                                           .groups = 1 + (index + index / 5) % 2};
}

/* Returns true if a search has many levels. Each level that the device joins costs a launch, which is slow while all
 * cores are busy. */
static bool is_deep(const struct gws_graph *graph)
{
    struct oracle oracle = oracle_new(graph, 0);
    bool deep = oracle.levels > 25;
    oracle_free(&oracle);
    return deep;
}

static void both_shape(struct gws_runtime *runtime, struct gws_device *device, uint32_t i)
{
    const struct shape *shape = &shapes[i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(i % arc_kinds));
    struct gws_bfs_device_options options = combination(7 * i + gws_runtime_workers(runtime));
    if (is_deep(graph) && options.threshold == 1) options.threshold = 25;
    search_with(runtime, device, graph, &options);
    gws_graph_destroy(graph);
}

START_TEST(both_every_shape)
{
    struct gws_runtime *runtime = open_runtime(both_policies[_i], 1 + (uint32_t)_i % 3, 0);
    struct gws_device *device = open_device(runtime);
    for (uint32_t i = 0; device && i < shape_count * arc_kinds; i++)
        if (shape_runs(i) && (i + (uint32_t)_i) % (gws_test_quick() ? 4 : 2) == 0) both_shape(runtime, device, i);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* The test runs every second combination of policy, stealing, form, order and direction, on a graph with narrow and
 * wide levels. */
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
                                                 .launch = launches[rest / 8 % form_kinds],
                                                 .direction = (enum gws_bfs_direction)(rest / 8 / form_kinds)};
        if ((rest + (uint32_t)_i) % (gws_test_quick() ? 18 : 2)) continue;
        search_with(runtime, device, graph, &options);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- groups of several items ---- */

/* Makes rows of every length, some much longer than a group. */
static void brooms(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 1; v < n; v++) add(edges, v % 3, v);
    for (uint64_t v = 3; v + 40 < n; v += 37)
        for (uint64_t u = 1; u < v % 40; u++) add(edges, v, v + u);
}

START_TEST(groups_of_four)
{
    /* The test opens the device without the cache, because PoCL compiles a stored program for groups of any size. */
    static const struct gws_device_options no_cache = {.cache = ""};
    struct gws_graph *graph = make_graph(brooms, 2000, (enum arcs)(2 * _i));
    struct gws_runtime *runtime = open_runtime("chunked", 2, 16);
    struct gws_device *device = open_device_with(runtime, &no_cache);
    for (int k = 0; device && k < (gws_test_sanitized() ? 1 : 3); k++) {
        struct gws_bfs_device_options options = {
            .group_size = 4, .groups = 2, .direction = (enum gws_bfs_direction)(k % 3)};
        search_with(runtime, device, graph, &options);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- statistics and chosen options ---- */

START_TEST(statistics_add_up)
{
    struct gws_graph *graph = generate("kron:11");
    struct gws_runtime *runtime = open_runtime(both_policies[_i % policy_kinds], 2, 0);
    struct gws_device *device = open_device(runtime);
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    const bool cpu = _i / policy_kinds > 0;
    struct gws_bfs_device_options options = {
        .cpu = cpu, .groups = 2, .launch = launches[_i % form_kinds], .direction = GWS_BFS_TOP_DOWN, .threshold = 50};
    if (!device || (!cpu && _i % policy_kinds == 4)) goto out;
    if (!cpu) options.launch = _i % 2 ? GWS_BFS_PER_LEVEL : GWS_BFS_LAUNCH_AUTO;
    options = possible(device, options);
    ck_assert_int_eq(search_open(runtime, device, graph, &options, &search, NULL), GWS_OK);
    uint32_t source = 0, workers = gws_bfs_device_workers(search);
    while (gws_graph_degree(graph, source) == 0) source++;
    ck_assert_uint_eq(workers, options.cpu ? 4 : 2);
    struct gws_bfs_device_stats stats[4], all = {0};
    for (int run = 0; run < 2; run++) ck_assert_int_eq(search_run(search, source, &result, NULL), GWS_OK);
    gws_bfs_device_stats(search, stats);
    for (uint32_t w = 0; w < workers; w++) {
        ck_assert_int_eq(stats[w].gpu, w < 2);
        ck_assert_uint_le(stats[w].did.stolen_from_cpu + stats[w].did.stolen_from_device, stats[w].did.run);
        all.did.made += stats[w].did.made;
        all.did.run += stats[w].did.run;
    }
    ck_assert_uint_eq(all.did.run, 2 * result.reached);
    ck_assert_uint_eq(all.did.made, 2 * result.reached);
    ck_assert_str_ne(gws_bfs_form_name(gws_bfs_device_form(search)), "");
    gws_bfs_device_stats_reset(search);
    gws_bfs_device_stats(search, stats);
    for (uint32_t w = 0; w < workers; w++)
        ck_assert_uint_eq(stats[w].did.run + stats[w].did.made + stats[w].did.failed, 0);
out:
    gws_bfs_result_clear(&result);
    search_close(search);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- failures ---- */

static gws_status open_status(const char *policy, const struct gws_graph *graph,
                              const struct gws_bfs_device_options *options)
{
    struct gws_runtime *runtime = open_runtime(policy, 2, 0);
    struct gws_device *device = open_device(runtime);
    struct gws_bfs_device *search = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = device ? search_open(runtime, device, graph, options, &search, &where) : GWS_OK;
    if (device && status != GWS_OK) {
        ck_assert_ptr_null(search);
        ck_assert_str_ne(where.message, "");
    }
    search_close(search);
    gws_device_close(device);
    gws_runtime_close(runtime);
    return device ? status : GWS_UNSUPPORTED;
}

START_TEST(refuses_what_it_cannot)
{
    struct gws_graph *graph = make_graph(path, 10, DIRECTED);
    static const struct gws_bfs_device_options wrong[] = {{.group_size = 3},
                                                          {.group_size = 2048},
                                                          {.groups = 70000},
                                                          {.steal = (enum gws_bfs_steal)4},
                                                          {.order = (enum gws_bfs_order)2},
                                                          {.strategy = (enum gws_bfs_strategy)5},
                                                          {.launch = (enum gws_bfs_launch)3},
                                                          {.strategy = GWS_BFS_SHARED},
                                                          {.cpu = true, .strategy = GWS_BFS_DEVICE},
                                                          {.strategy = GWS_BFS_HOST_RESIDENT}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gws_status status = open_status("chunked", graph, &wrong[i]);
        ck_assert_msg(status == GWS_INVALID || status == GWS_UNSUPPORTED, "%zu: %s", i, gws_status_text(status));
    }
    ck_assert_int_eq(open_status("workpile", graph, NULL), GWS_UNSUPPORTED);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(source_out_of_range)
{
    struct gws_graph *graph = make_graph(path, 10, UNDIRECTED);
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct gws_device *device = open_device(runtime);
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    struct gws_bfs_device_options options = {.cpu = _i, .groups = 1};
    if (device) {
        ck_assert_int_eq(search_open(runtime, device, graph, &options, &search, NULL), GWS_OK);
        ck_assert_int_eq(search_run(search, 10, &result, NULL), GWS_OUT_OF_RANGE);
        ck_assert_ptr_null(result.depth);
        ck_assert_int_eq(search_run(search, 9, &result, NULL), GWS_OK);
        ck_assert_uint_eq(result.levels, 10);
        struct gws_handoff_model model = {.handoffs = 7};
        bool hands_off = gws_bfs_device_form(search) == GWS_BFS_FORM_HANDOFF;
        ck_assert(gws_bfs_device_model(search, &model) == hands_off && (hands_off || model.handoffs == 7));
    }
    gws_bfs_result_clear(&result);
    search_close(search);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

static struct gws_bfs_device_options short_options(const struct gws_device *device, uint32_t form)
{
    struct gws_bfs_device_options options = {.cpu = form < form_kinds,
                                             .groups = 1,
                                             .threshold = 40,
                                             .launch = form < form_kinds ? launches[form] : GWS_BFS_LAUNCH_AUTO};
    if (form > form_kinds) options = (struct gws_bfs_device_options){.groups = 1, .launch = GWS_BFS_PERSISTENT};
    return possible(device, options);
}

/* Fails the k-th allocation of opening and searching, and checks that nothing leaks. Returns false if there is no k-th
 * allocation. */
static bool fail_once(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                      const struct gws_bfs_device_options *options, struct gws_test_memory *memory, uint64_t k)
{
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    int64_t live = atomic_load(&memory->live);
    atomic_store(&memory->failed, false);
    memory->fail_at = atomic_load(&memory->calls) + k;
    gws_status status = search_open(runtime, device, graph, options, &search, NULL);
    if (search) status = search_run(search, 0, &result, NULL);
    bool failed = atomic_load(&memory->failed);
    memory->fail_at = 0;
    ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
    ck_assert(status == GWS_OK || result.depth == NULL);
    gws_bfs_result_clear(&result);
    search_close(search);
    ck_assert_int_eq(atomic_load(&memory->live), live);
    return failed;
}

START_TEST(memory_is_short)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options with = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_graph *graph = make_graph(hubs, 600, UNDIRECTED);
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&with, &runtime), GWS_OK);
    struct gws_device *device = open_device(runtime);
    if (device) {
        const struct gws_bfs_device_options options = short_options(device, (uint32_t)_i);
        for (uint64_t k = 1; fail_once(runtime, device, graph, &options, &memory, k); k += gws_test_step()) continue;
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    gws_graph_destroy(graph);
}
END_TEST

/* If a device misses its time limit, every form returns an error and none hangs. */
START_TEST(device_is_lost)
{
    static const struct gws_device_options hasty = {.limit_ms = 0.0001};
    struct gws_graph *graph = generate("kron:14");
    struct gws_runtime *runtime = open_runtime("static", 2, 0);
    struct gws_device *device = open_device_with(runtime, &hasty);
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    struct gws_diagnostic where = {0};
    struct gws_bfs_device_options options = {.cpu = _i < form_kinds,
                                             .groups = 2,
                                             .threshold = 1,
                                             .launch = _i < form_kinds ? launches[_i] : GWS_BFS_LAUNCH_AUTO};
    if (_i > form_kinds) options = (struct gws_bfs_device_options){.groups = 2, .launch = GWS_BFS_PERSISTENT};
    if (device) {
        options = possible(device, options);
        gws_status status = search_open(runtime, device, graph, &options, &search, &where);
        /* a search succeeds despite the limit if the answer arrives before the first poll */
        for (int k = 0; k < 2000 && search && status == GWS_OK; k++) status = search_run(search, 1, &result, &where);
        ck_assert_msg(status == GWS_DEVICE, "%s", gws_status_text(status));
        ck_assert_str_ne(where.message, "");
        ck_assert_ptr_null(result.depth);
    }
    search_close(search);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- large and real graphs ---- */

/* Searches in every form with CPU workers, and on the device alone. */
static void search_in_every_form(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph,
                                 uint32_t groups)
{
    for (uint32_t form = 0; form <= form_kinds; form++) {
        struct gws_bfs_device_options options = {.cpu = form < form_kinds,
                                                 .groups = groups,
                                                 .launch = form < form_kinds ? launches[form] : GWS_BFS_LAUNCH_AUTO};
        search_with(runtime, device, graph, &options);
    }
}

START_TEST(generated)
{
    static const char *const names[] = {"kron:13", "road:20000", "grid:120x70"};
    struct gws_graph *graph = generate(names[_i]);
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct gws_device *device = open_device(runtime);
    if (device) search_in_every_form(runtime, device, graph, 2);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(real)
{
    static const char *const names[] = {"dimacs9/rome99.gr.gz", "snap/soc-Slashdot0902.txt.gz",
                                        "dimacs9/USA-road-d.NY.gr.gz"};
    const char *path = gws_test_dataset(names[_i]);
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct gws_device *device = path && !(gws_test_quick() && _i == 2) ? open_device(runtime) : NULL;
    struct gws_read_options options = {.weights = GWS_WEIGHTS_DROP};
    struct gws_graph *graph = NULL;
    if (device) ck_assert_int_eq(gws_graph_read(runtime, path, &options, &graph, NULL), GWS_OK);
    if (device) search_in_every_form(runtime, device, graph, 1);
    gws_device_close(device);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The search has more levels than a device records between two reads by the host. */
START_TEST(very_deep)
{
    struct gws_graph *graph = make_graph(path, 40000, UNDIRECTED);
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct gws_device *device = open_device(runtime);
    if (device) search_in_every_form(runtime, device, graph, 2);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* Selects one cache for all tests, outside the user's cache. The device then compiles each program once. */
static void choose_cache(void)
{
    if (!getenv("GRAPHWS_BUILD") && !getenv("GWS_TEST_DEVICE")) setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1);
}

static TCase *case_of(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_add_unchecked_fixture(tests, choose_cache, NULL); /* the fixture runs before the tests fork */
    suite_add_tcase(suite, tests);
    return tests;
}

static Suite *bfs_device_suite(void)
{
    Suite *suite = suite_create("searches on devices");
    TCase *tests = case_of(suite, "device only");
    tcase_add_loop_test(tests, device_only_every_shape, 0, 4);
    tcase_add_loop_test(tests, device_only_persistent, 0, 3);
    tests = case_of(suite, "both sides");
    tcase_add_loop_test(tests, both_every_shape, 0, policy_kinds);
    tcase_add_loop_test(tests, both_every_combination, 0, policy_kinds);
    tests = case_of(suite, "groups");
    tcase_add_loop_test(tests, groups_of_four, 0, 2);
    tests = case_of(suite, "report");
    tcase_add_loop_test(tests, statistics_add_up, 0, 2 * policy_kinds);
    tests = case_of(suite, "wrong");
    tcase_add_test(tests, refuses_what_it_cannot);
    tcase_add_loop_test(tests, source_out_of_range, 0, 2);
    tcase_add_loop_test(tests, memory_is_short, 0, form_kinds + 2);
    tcase_add_loop_test(tests, device_is_lost, 0, form_kinds + 2);
    tests = case_of(suite, "large");
    tcase_add_loop_test(tests, generated, 0, 3);
    tcase_add_loop_test(tests, real, 0, 3);
    tcase_add_test(tests, very_deep);
    return suite;
}

int main(void)
{
    return gws_test_main(bfs_device_suite);
}
