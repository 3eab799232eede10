/* SPDX-License-Identifier: MIT */
/* Searches of graphs that are parted among devices (traversal/bfs_devices.h), on emulated devices, whose groups are
 * threads and whose kernels are the sources of the real ones, and on the real devices of this machine. The tests
 * compare with a plain serial search. */
#include "../../../engine/parted_suite.h"

#include "../../../../../traversal/bfs_devices.h"

/* ---- searches ---- */

static gws_status search_once(struct gws_bfs_devices *search, uint32_t source, struct gws_bfs_result *result,
                              struct gws_diagnostic *where)
{
    const uint32_t all = GWS_BFS_DEPTH | GWS_BFS_PARENT | GWS_BFS_NARROW;
    gws_bfs_result_poison(result);
    gws_status status = gws_bfs_devices_poison(search, where);
    if (status == GWS_OK) status = gws_bfs_devices_run(search, source, result, where);
    return status == GWS_OK ? gws_bfs_devices_fetch(search, all, result, where) : status;
}

static void check_narrow(const struct gws_bfs_result *result)
{
    for (uint64_t v = 0; v < result->vertices; v++) {
        uint32_t depth = 0, none = UINT32_MAX >> (32 - 8 * result->narrow_bytes);
        memcpy(&depth, (const char *)result->narrow + v * result->narrow_bytes, result->narrow_bytes);
        if (depth != (result->depth[v] == GWS_NO_VERTEX ? none : result->depth[v]))
            ck_abort_msg("vertex %u: narrow depth %u", (uint32_t)v, depth);
    }
}

/* The parts are the whole graph, and what they report adds up. */
static void check_parts(const struct gws_bfs_devices *search, const struct gws_graph *graph,
                        const struct gws_bfs_result *result)
{
    struct gws_bfs_devices_part part;
    uint64_t vertices = 0, arcs = 0, reached = 0, sent = 0, gathered = 0;
    for (uint32_t d = 0; d < gws_bfs_devices_count(search); d++) {
        gws_bfs_devices_describe(search, d, &part);
        ck_assert_uint_eq(part.first, vertices);
        ck_assert_uint_eq(gws_device_buffer_bytes(part.depth), part.vertices * 4);
        vertices += part.vertices;
        arcs += part.arcs;
        reached += part.reached;
        sent += part.sent_bytes;
        gathered += part.gathered_bytes;
    }
    ck_assert_uint_eq(vertices, graph->vertices);
    ck_assert_uint_eq(arcs, graph->arcs);
    ck_assert_uint_eq(reached, result->reached);
    ck_assert_uint_le(sent, 8 * graph->vertices * gws_bfs_devices_count(search));
    if (gws_bfs_devices_count(search) == 1) ck_assert_uint_eq(sent + gathered, 0);
}

static void search_graph(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                         const struct gws_graph *graph, struct gws_bfs_devices_options options)
{
    struct gws_bfs_devices *search = NULL;
    struct gws_bfs_result result = {0};
    struct gws_diagnostic where = {0};
    const uint32_t sources[] = {0, (uint32_t)graph->vertices / 2, (uint32_t)graph->vertices - 1};
    gws_status status = gws_bfs_devices_open(runtime, device, devices, graph, &options, &search, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct oracle oracle = oracle_new(graph, sources[i]);
        status = search_once(search, sources[i], &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        compare(graph, sources[i], &oracle, &result);
        ck_assert_msg(gws_bfs_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
        check_narrow(&result);
        check_parts(search, graph, &result);
        oracle_free(&oracle);
    }
    ck_assert_int_eq(gws_bfs_devices_run(search, (uint32_t)graph->vertices, &result, &where), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_bfs_devices_fetch(search, 8, &result, &where), GWS_INVALID);
    gws_bfs_result_clear(&result);
    gws_bfs_devices_close(search);
}

/* Searches every shape, directed with and without the reverse, and with and without indexes. */
static void search_shape(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                         const struct shape *shape)
{
    for (uint32_t arcs = 0; arcs < arc_kinds; arcs++) {
        const uint64_t size = gws_test_quick() && shape->vertices > 700 ? 700 : shape->vertices;
        struct gws_graph *graph = make_graph(shape->make, size, arcs);
        search_graph(runtime, device, devices, graph, (struct gws_bfs_devices_options){.without = 0});
        if (devices == 2)
            search_graph(runtime, device, devices, graph,
                         (struct gws_bfs_devices_options){.without = GWS_INDEX_SET(GWS_INDEX_HUBS)});
        gws_graph_destroy(graph);
    }
}

START_TEST(emulated_devices)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_device *device[max_emulated];
    for (uint32_t devices = 1; devices <= few_devices; devices++) {
        open_emulated(runtime, devices, 1 << 28, device);
        search_shape(runtime, device, devices, &shapes[_i]);
        close_emulated(devices);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(many_emulated_devices)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_device *device[max_emulated];
    const uint32_t devices = many_devices(_i);
    const uint64_t size = shapes[_i].vertices < many_vertices ? shapes[_i].vertices : many_vertices;
    struct gws_graph *graph = make_graph(shapes[_i].make, size, (enum arcs)(_i / 3 % arc_kinds));
    open_emulated(runtime, devices, 1 << 28, device);
    search_graph(runtime, device, devices, graph, (struct gws_bfs_devices_options){.without = 0});
    close_emulated(devices);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* Real devices: one, two, three, and all. */
START_TEST(real_devices)
{
    struct gws_device *device[GWS_BFS_DEVICES];
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    const uint32_t opened = open_real(runtime, device);
    /* One shape is enough for a CPU device, on which opening takes long. */
    const size_t step = opened > 0 && gws_device_describe(device[0])->type == GWS_DEVICE_GPU ? 1 : shape_count / 2;
    for (size_t i = step - 1; i < shape_count && opened > 0; i += step)
        for (uint32_t devices = 1; devices <= opened; devices = next_count(devices, opened))
            search_shape(runtime, device, devices, &shapes[i]);
    close_real(device, opened);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- refusals and failures ---- */

static gws_status refusal(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                          const struct gws_graph *graph, const void *options, const char *message)
{
    struct gws_bfs_devices *search = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_bfs_devices_open(runtime, device, devices, graph, options, &search, &where);
    ck_assert_ptr_null(search);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
    return status;
}

START_TEST(refused)
{
    const struct gws_bfs_devices_options up = {.direction = GWS_BFS_BOTTOM_UP};
    const struct gws_bfs_devices_options unknown = {.without = 1u << GWS_INDEXES};
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0), *global = open_runtime("static", 1, 0);
    struct gws_graph *graph = make_graph(path, 100, UNDIRECTED), *empty = make_graph(nothing, 0, UNDIRECTED);
    struct gws_device *device[max_emulated];
    open_emulated(runtime, 2, 1 << 26, device);
    ck_assert_int_eq(refusal(runtime, device, 2, graph, &up, "bottom-up alone"), GWS_UNSUPPORTED);
    ck_assert_int_eq(refusal(runtime, device, 2, graph, &unknown, ""), GWS_INVALID);
    ck_assert_int_eq(refusal(runtime, device, 2, empty, NULL, "no vertices"), GWS_INVALID);
    ck_assert_int_eq(refusal(global, device, 2, graph, NULL, "policy static"), GWS_UNSUPPORTED);
    check_refusals(runtime, device, graph, refusal);
    close_emulated(2);
    check_full_device(runtime, graph, refusal);
    gws_graph_destroy(graph);
    gws_graph_destroy(empty);
    gws_runtime_close(runtime);
    gws_runtime_close(global);
}
END_TEST

static gws_status try_search(struct gws_runtime *runtime, struct gws_device *const *device,
                             const struct attempt *attempt)
{
    struct gws_bfs_devices *search = NULL;
    struct gws_bfs_result result = {0};
    gws_status status = gws_bfs_devices_open(runtime, device, attempt_devices, attempt->graph, NULL, &search, NULL);
    ck_assert(status == GWS_OK || search == NULL);
    if (status == GWS_OK) status = search_once(search, 5, &result, NULL);
    gws_bfs_result_clear(&result);
    gws_bfs_devices_close(search);
    return status;
}

START_TEST(failures)
{
    struct gws_graph *graph = make_graph(dense, 300, DIRECTED_WITH_REVERSE);
    check_failures((struct attempt){.run = try_search, .graph = graph});
    gws_graph_destroy(graph);
}
END_TEST

/* A graph that does not fit one device fits two. */
START_TEST(larger_than_a_device)
{
    const uint64_t memory = 480000;
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = make_graph(dense, 3000, UNDIRECTED);
    struct gws_device *device[max_emulated];
    struct gws_bfs_devices *search = NULL;
    open_emulated(runtime, 2, memory, device);
    ck_assert_int_eq(gws_bfs_devices_open(runtime, device, 1, graph, NULL, &search, NULL), GWS_NO_MEMORY);
    search_graph(runtime, device, 2, graph, (struct gws_bfs_devices_options){.without = 0});
    close_emulated(2);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* Two parts on one device, which is opened for two shares. */
START_TEST(shares_of_a_device)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = make_graph(dense, 300, UNDIRECTED);
    struct gws_device *device[max_emulated];
    open_emulated(runtime, 2, 1 << 28, device);
    strcpy(emulated[1].base.info.address, "cuda:0");
    ck_assert_int_eq(refusal(runtime, device, 2, graph, NULL, "cuda:0 is given twice"), GWS_INVALID);
    emulated[0].base.shares = emulated[1].base.shares = 2;
    search_graph(runtime, device, 2, graph, (struct gws_bfs_devices_options){.without = 0});
    close_emulated(2);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- searches that end early ---- */

/* A long path has as many levels as vertices, so its search is cancelled long before its end. */
static void cancel_searches(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices)
{
    struct gws_graph *graph = make_graph(path, 200000, UNDIRECTED);
    struct gws_bfs_devices *search = NULL;
    struct gws_bfs_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_bfs_devices_open(runtime, device, devices, graph, NULL, &search, &where), GWS_OK);
    for (int i = 0; i < 2; i++) {
        polls = 0;
        cancel_at = 4; /* a call polls when it begins, and before its launches */
        ck_assert_int_eq(gws_bfs_devices_run(search, 0, &result, &where), GWS_CANCELLED);
        ck_assert_str_eq(where.message, gws_status_text(GWS_CANCELLED));
        ck_assert_ptr_null(result.scratch);
    }
    gws_bfs_devices_close(search);
    gws_graph_destroy(graph);
    cancel_at = 0;
    graph = make_graph(dense, 700, UNDIRECTED);
    search_graph(runtime, device, devices, graph, (struct gws_bfs_devices_options){.without = 0});
    gws_graph_destroy(graph);
}

START_TEST(cancelled)
{
    cancel_on_devices(cancel_searches);
}
END_TEST

/* A device does not launch. The others end at once, and the next search is right. */
START_TEST(a_lost_launch)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = make_graph(dense, 700, UNDIRECTED);
    struct gws_device *device[max_emulated];
    struct gws_bfs_devices *search = NULL;
    struct gws_bfs_result result = {0};
    open_emulated(runtime, 3, 1 << 28, device);
    ck_assert_int_eq(gws_bfs_devices_open(runtime, device, 3, graph, NULL, &search, NULL), GWS_OK);
    for (unlaunched = 3; unlaunched > 0; unlaunched--)
        ck_assert_int_eq(search_once(search, 5, &result, NULL), GWS_DEVICE);
    ck_assert_int_eq(search_once(search, 5, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_bfs_check(runtime, graph, &result, NULL), GWS_OK);
    gws_bfs_result_clear(&result);
    gws_bfs_devices_close(search);
    close_emulated(3);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{emulated_devices, sizeof shapes / sizeof *shapes},
                                    {many_emulated_devices, sizeof shapes / sizeof *shapes},
                                    {real_devices, 1},
                                    {refused, 1},
                                    {failures, 1},
                                    {larger_than_a_device, 1},
                                    {shares_of_a_device, 1},
                                    {cancelled, 1},
                                    {a_lost_launch, 1},
                                    {0}};
    return gws_test_run("parted", test);
}
