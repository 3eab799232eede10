/* SPDX-License-Identifier: MIT */
/* PageRank of graphs that are parted among devices (traversal/pagerank_devices.h), on emulated devices, whose groups
 * are threads and whose kernel is the source of the real one, and on the real devices of this machine. The tests
 * compare with pushes along all arcs, and one device with several, bit by bit. */
#include "../../engine/parted_suite.h"
#include "ranks.h"

#include "../../../../traversal/pagerank_devices.h"

/* ---- runs ---- */

/* The parts are the whole graph, and what they report is plausible. */
static void check_parts(const struct gws_pagerank_devices *pagerank, const struct gws_graph *graph)
{
    struct gws_pagerank_devices_part part;
    const uint32_t count = gws_pagerank_devices_count(pagerank);
    uint64_t vertices = 0, arcs = 0, sent = 0;
    for (uint32_t d = 0; d < count; d++) {
        gws_pagerank_devices_describe(pagerank, d, &part);
        ck_assert_uint_eq(part.first, vertices);
        ck_assert_uint_eq(gws_device_buffer_bytes(part.rank), part.vertices * sizeof(double));
        ck_assert(part.idle >= 0 && part.idle <= 1);
        vertices += part.vertices;
        arcs += part.arcs;
        sent += part.sent_bytes;
    }
    ck_assert_uint_eq(vertices, graph->vertices);
    ck_assert_uint_eq(arcs, graph->arcs);
    ck_assert_int_eq(sent > 0, count > 1 && graph->arcs > 0);
}

/* Runs twice. Ranks are near `wanted`, and equal to `first` unless that is empty, which they fill. */
static void check_ranks(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count,
                        const struct gws_graph *graph, const struct gws_pagerank_options *options, const double *wanted,
                        struct gws_pagerank_result *first)
{
    struct gws_pagerank_devices *pagerank = NULL;
    struct gws_pagerank_result result = {0};
    struct gws_diagnostic where = {0};
    gws_status status = gws_pagerank_devices_open(on, devices, count, graph, options, &pagerank, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    for (int run = 0; run < 2; run++) {
        ck_assert_msg(gws_pagerank_devices_run(pagerank, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_int_eq(gws_pagerank_devices_fetch(pagerank, &result, &where), GWS_OK);
        ck_assert_msg(gws_pagerank_check(on, graph, options, &result, &where) == GWS_OK, "%s", where.message);
        double bound = options->tolerance < 0 ? 2e-6 : (result.error + 2.5e-7) * 6;
        ck_assert_double_le(distance(result.rank, wanted, graph->vertices), bound);
        if (!first->rank) {
            *first = result;
            result = (struct gws_pagerank_result){0};
            continue;
        }
        ck_assert_int_eq(memcmp(first->rank, result.rank, graph->vertices * sizeof *result.rank), 0);
        ck_assert_uint_eq(first->iterations, result.iterations);
        ck_assert_double_eq(first->error, result.error);
        gws_pagerank_result_clear(&result);
    }
    check_parts(pagerank, graph);
    gws_pagerank_result_clear(&result);
    gws_pagerank_devices_close(pagerank);
}

/* Runs with every option on one device and on more, the last time with an index. */
static void check_graph(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count,
                        struct gws_graph *graph, enum gws_pagerank_precision precision)
{
    const uint32_t last = (uint32_t)graph->vertices - 1, source[] = {0, last, last / 2, last};
    const struct gws_pagerank_options all[] = {
        {.tolerance = 0, .precision = precision},
        {.tolerance = -1, .max_iterations = 5, .precision = precision},
        {.damping = 0.5, .source = source, .sources = 4, .precision = precision}};
    struct gws_pagerank_index index = {0};
    ck_assert_int_eq(gws_pagerank_index_build(on, graph, &index), GWS_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct gws_pagerank_options options = all[i];
        struct gws_pagerank_result first = {0};
        double *wanted = rank_serially(graph, &options, options.tolerance < 0 ? options.max_iterations : 200);
        for (uint32_t some = 1; some <= count; some = next_count(some, count)) {
            if (some == count) options.index = &index;
            check_ranks(on, devices, some, graph, &options, wanted, &first);
        }
        gws_pagerank_result_clear(&first);
        free(wanted);
    }
    gws_pagerank_index_clear(&index);
}

START_TEST(emulated_ranks)
{
    struct gws_runtime *on = open_runtime(NULL, 2, 0);
    struct gws_device *devices[max_emulated];
    const uint32_t many = many_devices(_i);
    open_emulated(on, many, 1 << 28, devices);
    for (int directed = 0; directed < 2; directed++) {
        const uint32_t count = directed == _i % 2 ? few_devices : many;
        const uint64_t max = count == many ? many_vertices : gws_test_quick() ? 700 : UINT64_MAX;
        const uint64_t size = shapes[_i].vertices < max ? shapes[_i].vertices : max;
        struct gws_graph *graph = make_graph(shapes[_i].make, size, directed ? DIRECTED_WITH_REVERSE : UNDIRECTED);
        check_graph(on, devices, count, graph, GWS_PAGERANK_FLOAT);
        gws_graph_destroy(graph);
    }
    close_emulated(many);
    gws_runtime_close(on);
}
END_TEST

/* The hub has a heavy row, in the first part. */
START_TEST(a_heavy_row)
{
    struct gws_runtime *on = open_runtime(NULL, 2, 0);
    struct gws_device *devices[max_emulated];
    struct gws_graph *graph = make_graph(star, 9000, UNDIRECTED);
    open_emulated(on, few_devices, 1 << 28, devices);
    check_graph(on, devices, few_devices, graph, GWS_PAGERANK_FLOAT);
    close_emulated(few_devices);
    gws_graph_destroy(graph);
    gws_runtime_close(on);
}
END_TEST

START_TEST(an_empty_graph)
{
    struct gws_runtime *on = open_runtime(NULL, 1, 0);
    struct gws_device *devices[max_emulated];
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    struct gws_pagerank_devices *pagerank = NULL;
    struct gws_pagerank_result result = {0};
    open_emulated(on, 2, 1 << 26, devices);
    ck_assert_int_eq(gws_pagerank_devices_open(on, devices, 2, graph, NULL, &pagerank, NULL), GWS_OK);
    ck_assert_int_eq(gws_pagerank_devices_run(pagerank, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_pagerank_devices_fetch(pagerank, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.vertices, 0);
    ck_assert_uint_eq(result.iterations, 0);
    ck_assert(result.converged);
    gws_pagerank_result_clear(&result);
    gws_pagerank_devices_close(pagerank);
    close_emulated(2);
    gws_graph_destroy(graph);
    gws_runtime_close(on);
}
END_TEST

START_TEST(real_devices)
{
    struct gws_device *devices[GWS_PAGERANK_DEVICES];
    struct gws_runtime *on = open_runtime(NULL, 2, 0);
    const uint32_t opened = open_real(on, devices);
    for (int directed = 0; directed < 2 && opened > 0; directed++) {
        struct gws_graph *graph = make_graph(hubs, 5000, directed ? DIRECTED_WITH_REVERSE : UNDIRECTED);
        check_graph(on, devices, opened, graph, directed ? GWS_PAGERANK_DOUBLE : GWS_PAGERANK_FLOAT);
        gws_graph_destroy(graph);
    }
    close_real(devices, opened);
    gws_runtime_close(on);
}
END_TEST

/* ---- refusals and failures ---- */

static gws_status refusal(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count,
                          const struct gws_graph *graph, const void *options, const char *message)
{
    struct gws_pagerank_devices *pagerank = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_pagerank_devices_open(on, devices, count, graph, options, &pagerank, &where);
    ck_assert_ptr_null(pagerank);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
    return status;
}

START_TEST(refused)
{
    static const uint32_t outside = 100;
    const struct gws_pagerank_options undamped = {.damping = 1}, from = {.source = &outside, .sources = 1};
    struct gws_runtime *on = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = make_graph(path, 100, UNDIRECTED), *directed = make_graph(path, 100, DIRECTED);
    struct gws_device *devices[max_emulated];
    open_emulated(on, 2, 1 << 26, devices);
    ck_assert_int_eq(refusal(on, devices, 2, directed, NULL, ""), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(refusal(on, devices, 2, graph, &undamped, ""), GWS_INVALID);
    ck_assert_int_eq(refusal(on, devices, 2, graph, &from, ""), GWS_OUT_OF_RANGE);
    check_refusals(on, devices, graph, refusal);
    gws_pagerank_devices_close(NULL);
    close_emulated(2);
    check_full_device(on, graph, refusal);
    gws_graph_destroy(graph);
    gws_graph_destroy(directed);
    gws_runtime_close(on);
}
END_TEST

static gws_status try_run(struct gws_runtime *on, struct gws_device *const *devices, const struct attempt *attempt)
{
    static const uint32_t source[] = {3, 299};
    const struct gws_pagerank_options options = {.source = source, .sources = 2, .index = attempt->index};
    struct gws_pagerank_devices *pagerank = NULL;
    struct gws_pagerank_result result = {0};
    gws_status status =
        gws_pagerank_devices_open(on, devices, attempt_devices, attempt->graph, &options, &pagerank, NULL);
    ck_assert(status == GWS_OK || pagerank == NULL);
    if (status == GWS_OK) status = gws_pagerank_devices_run(pagerank, &result, NULL);
    if (status == GWS_OK) status = gws_pagerank_devices_fetch(pagerank, &result, NULL);
    gws_pagerank_result_clear(&result);
    gws_pagerank_devices_close(pagerank);
    return status;
}

START_TEST(failures)
{
    struct gws_runtime *calm = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = make_graph(dense, 300, DIRECTED_WITH_REVERSE);
    struct gws_pagerank_index index = {0};
    ck_assert_int_eq(gws_pagerank_index_build(calm, graph, &index), GWS_OK);
    check_failures((struct attempt){.run = try_run, .graph = graph, .index = &index});
    gws_pagerank_index_clear(&index);
    gws_graph_destroy(graph);
    gws_runtime_close(calm);
}
END_TEST

/* ---- runs that end early ---- */

/* Cancels runs that never end by themselves. */
static void cancel_runs(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count)
{
    const struct gws_pagerank_options endless = {
        .tolerance = -1, .max_iterations = UINT32_MAX, .precision = GWS_PAGERANK_FLOAT};
    struct gws_graph *graph = make_graph(dense, 300, UNDIRECTED);
    struct gws_pagerank_devices *pagerank = NULL;
    struct gws_pagerank_result result = {.iterations = 77};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_pagerank_devices_open(on, devices, count, graph, &endless, &pagerank, NULL), GWS_OK);
    for (int i = 0; i < 2; i++) {
        polls = 0;
        cancel_at = 5; /* a call polls when it begins, and before its launches */
        ck_assert_int_eq(gws_pagerank_devices_run(pagerank, &result, &where), GWS_CANCELLED);
        ck_assert_str_eq(where.message, gws_status_text(GWS_CANCELLED));
        ck_assert_uint_eq(result.iterations, 77);
    }
    gws_pagerank_devices_close(pagerank);
    gws_graph_destroy(graph);
}

START_TEST(cancelled)
{
    cancel_on_devices(cancel_runs);
}
END_TEST

/* A device does not launch. The others end at once, and the next run is right. */
START_TEST(a_lost_launch)
{
    struct gws_runtime *on = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = make_graph(dense, 300, UNDIRECTED);
    struct gws_device *devices[max_emulated];
    struct gws_pagerank_devices *pagerank = NULL;
    struct gws_pagerank_result result = {0};
    open_emulated(on, 3, 1 << 28, devices);
    ck_assert_int_eq(gws_pagerank_devices_open(on, devices, 3, graph, NULL, &pagerank, NULL), GWS_OK);
    for (unlaunched = 3; unlaunched > 0; unlaunched--)
        ck_assert_int_eq(gws_pagerank_devices_run(pagerank, &result, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_pagerank_devices_run(pagerank, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_pagerank_devices_fetch(pagerank, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_pagerank_check(on, graph, NULL, &result, NULL), GWS_OK);
    gws_pagerank_result_clear(&result);
    gws_pagerank_devices_close(pagerank);
    close_emulated(3);
    gws_graph_destroy(graph);
    gws_runtime_close(on);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{emulated_ranks, sizeof shapes / sizeof *shapes},
                                    {a_heavy_row, 1},
                                    {an_empty_graph, 1},
                                    {real_devices, 1},
                                    {refused, 1},
                                    {failures, 1},
                                    {cancelled, 1},
                                    {a_lost_launch, 1},
                                    {0}};
    return gws_test_run("pagerank devices", test);
}
