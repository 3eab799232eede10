/* SPDX-License-Identifier: MIT */
/* Shortest paths on graphs that are parted among devices (traversal/sssp_devices.h), on emulated devices, whose groups
 * are threads that run the sources of the kernels, and on the real devices of this machine. The tests compare with a
 * plain serial search. */
#include "../../engine/parted_suite.h"

#include "weights.h"

#include "../../../../traversal/sssp_devices.h"

/* ---- runs ---- */

/* The parts are the whole graph. */
static void check_parts(const struct gws_sssp_devices *search, const struct gws_graph *graph)
{
    const uint32_t count = gws_sssp_devices_count(search);
    struct gws_sssp_devices_part part;
    uint64_t vertices = 0, arcs = 0, sent = 0;
    for (uint32_t d = 0; d < count; d++) {
        gws_sssp_devices_describe(search, d, &part);
        ck_assert_uint_eq(part.first, vertices);
        ck_assert(part.idle >= 0 && part.idle <= 1);
        vertices += part.vertices;
        arcs += part.arcs;
        sent += part.sent_bytes;
    }
    ck_assert_uint_eq(vertices, graph->vertices);
    ck_assert_uint_eq(arcs, graph->arcs);
    if (count == 1) ck_assert_uint_eq(sent, 0);
}

static void search_from(struct gws_runtime *on, struct gws_sssp_devices *search, const struct gws_graph *graph,
                        uint32_t source, struct gws_sssp_result *result)
{
    struct gws_diagnostic where = {0};
    double *wanted = search_serially(graph, source);
    ck_assert_msg(gws_sssp_devices_run(search, source, result, &where) == GWS_OK, "%s", where.message);
    ck_assert_int_eq(gws_sssp_devices_fetch(search, result, &where), GWS_OK);
    compare_distances(graph, wanted, result);
    ck_assert_msg(gws_sssp_check(on, graph, result, &where) == GWS_OK, "%s", where.message);
    free(wanted);
}

/* Searches from three sources by one object. */
static void check_graph(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count,
                        const struct gws_graph *graph, double delta)
{
    const struct gws_sssp_options options = {.delta = delta};
    const uint32_t vertices = (uint32_t)graph->vertices;
    struct gws_sssp_devices *search = NULL;
    struct gws_sssp_result result = {0};
    struct gws_diagnostic where = {0};
    gws_status status = gws_sssp_devices_open(on, devices, count, graph, &options, &search, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    search_from(on, search, graph, 0, &result);
    search_from(on, search, graph, vertices - 1, &result);
    search_from(on, search, graph, vertices / 2, &result);
    ck_assert_int_eq(gws_sssp_devices_fetch(search, &result, &where), GWS_INVALID);
    ck_assert_int_eq(gws_sssp_devices_run(search, vertices, &result, &where), GWS_OUT_OF_RANGE);
    check_parts(search, graph);
    gws_sssp_result_clear(&result);
    gws_sssp_devices_close(search);
}

/* Searches a shape of at most so many vertices; small buckets, computed ones, or one. */
static void check_shape(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count, size_t shape,
                        uint64_t max, size_t kind)
{
    const double delta = kind % 3 == 0 ? 0 : kind % 3 == 1 ? 8 : 1e12;
    const uint64_t vertices = shapes[shape].vertices;
    struct weighted made =
        add_weights(make_graph(shapes[shape].make, vertices < max ? vertices : max, kind % 2 ? DIRECTED : UNDIRECTED),
                    (enum weights)kind);
    check_graph(on, devices, count, made.graph, delta);
    weighted_free(&made);
}

START_TEST(emulated_distances)
{
    struct gws_runtime *on = open_runtime(NULL, 2, 0);
    struct gws_device *devices[max_emulated];
    for (size_t kind = (size_t)_i % 2; kind < weight_kinds; kind += 2) {
        const uint32_t count = devices_of(_i, (uint32_t)((size_t)_i + kind / 2) % (few_devices + 1));
        open_emulated(on, count, 1 << 26, devices);
        check_shape(on, devices, count, (size_t)_i, many_vertices, kind);
        close_emulated(count);
    }
    gws_runtime_close(on);
}
END_TEST

/* The hub has a heavy row, in the first part. */
START_TEST(a_heavy_row)
{
    struct gws_runtime *on = open_runtime(NULL, 2, 0);
    struct gws_device *devices[max_emulated];
    struct weighted made = add_weights(make_graph(star, 9000, UNDIRECTED), SMALL);
    open_emulated(on, 3, 1 << 28, devices);
    check_graph(on, devices, 3, made.graph, 0);
    close_emulated(3);
    weighted_free(&made);
    gws_runtime_close(on);
}
END_TEST

START_TEST(real_devices)
{
    struct gws_device *devices[GWS_SSSP_DEVICES];
    struct gws_runtime *on = open_runtime(NULL, 2, 0);
    const uint32_t opened = open_real(on, devices);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && opened > 0; i += opened > 1 ? 1 : 7)
        for (size_t kind = opened > 1 ? 0 : i % weight_kinds; kind<weight_kinds; kind += opened> 1 ? 1 : weight_kinds)
            check_shape(on, devices, opened - (uint32_t)(i + kind) % opened, i, opened > 1 ? UINT64_MAX : 250, kind);
    close_real(devices, opened);
    gws_runtime_close(on);
}
END_TEST

/* ---- refusals and failures ---- */

static gws_status refusal(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count,
                          const struct gws_graph *graph, const void *options, const char *message)
{
    struct gws_sssp_devices *search = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_sssp_devices_open(on, devices, count, graph, options, &search, &where);
    ck_assert_ptr_null(search);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
    return status;
}

START_TEST(refused)
{
    const struct gws_sssp_options negative = {.delta = -1};
    struct gws_runtime *on = open_runtime(NULL, 1, 0);
    struct weighted made = add_weights(make_graph(path, 100, UNDIRECTED), SMALL);
    struct gws_graph *empty = make_graph(nothing, 0, UNDIRECTED);
    struct gws_device *devices[max_emulated];
    open_emulated(on, 2, 1 << 26, devices);
    ck_assert_int_eq(refusal(on, devices, 2, empty, NULL, "no vertices"), GWS_INVALID);
    ck_assert_int_eq(refusal(on, devices, 2, made.graph, &negative, "delta"), GWS_INVALID);
    ((int32_t *)made.weight)[7] = -1;
    ck_assert_int_eq(refusal(on, devices, 2, made.graph, NULL, "weight"), GWS_INVALID);
    check_refusals(on, devices, made.graph, refusal);
    gws_sssp_devices_close(NULL);
    close_emulated(2);
    ((int32_t *)made.weight)[7] = 1;
    check_full_device(on, made.graph, refusal);
    gws_graph_destroy(empty);
    weighted_free(&made);
    gws_runtime_close(on);
}
END_TEST

static gws_status try_run(struct gws_runtime *on, struct gws_device *const *devices, const struct attempt *attempt)
{
    struct gws_sssp_devices *search = NULL;
    struct gws_sssp_result result = {0};
    gws_status status = gws_sssp_devices_open(on, devices, attempt_devices, attempt->graph, NULL, &search, NULL);
    ck_assert(status == GWS_OK || search == NULL);
    if (status == GWS_OK) status = gws_sssp_devices_run(search, 0, &result, NULL);
    if (status == GWS_OK) status = gws_sssp_devices_fetch(search, &result, NULL);
    gws_sssp_result_clear(&result);
    gws_sssp_devices_close(search);
    return status;
}

START_TEST(failures)
{
    struct gws_graph *graph = make_graph(dense, 100, DIRECTED);
    check_failures((struct attempt){.run = try_run, .graph = graph});
    gws_graph_destroy(graph);
}
END_TEST

/* ---- runs that end early ---- */

/* The hook cancels before the first launch, or while the kernels run on a path of many rounds. The next run is right.
 */
static void cancel_runs(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count)
{
    struct weighted made = add_weights(make_graph(path, 2000, UNDIRECTED), SMALL);
    struct gws_sssp_devices *search = NULL;
    struct gws_sssp_result result = {.rounds = 77};
    ck_assert_int_eq(gws_sssp_devices_open(on, devices, count, made.graph, NULL, &search, NULL), GWS_OK);
    for (cancel_at = 1; cancel_at <= 2; cancel_at++) {
        polls = 0;
        gws_status status = gws_sssp_devices_run(search, 0, &result, NULL);
        ck_assert(status == GWS_CANCELLED || (cancel_at == 2 && status == GWS_OK));
        if (status != GWS_OK) ck_assert_int_eq(gws_sssp_devices_fetch(search, &result, NULL), GWS_INVALID);
        if (cancel_at == 1) ck_assert_uint_eq(result.rounds, 77);
    }
    cancel_at = 0;
    search_from(on, search, made.graph, 0, &result);
    gws_sssp_result_clear(&result);
    gws_sssp_devices_close(search);
    weighted_free(&made);
}

START_TEST(cancelled)
{
    cancel_on_devices(cancel_runs);
}
END_TEST

/* The last device launches no kernel. The others end at their first barrier, and the next run is right. */
START_TEST(a_failed_launch_ends_the_others)
{
    struct gws_runtime *on = open_runtime(NULL, 1, 0);
    struct weighted made = add_weights(make_graph(dense, 300, UNDIRECTED), SMALL);
    struct gws_device *devices[max_emulated];
    struct gws_sssp_devices *search = NULL;
    struct gws_sssp_result result = {0};
    open_emulated(on, 3, 1 << 26, devices);
    ck_assert_int_eq(gws_sssp_devices_open(on, devices, 3, made.graph, NULL, &search, NULL), GWS_OK);
    for (unlaunched = 3; unlaunched > 0; unlaunched--)
        ck_assert_int_eq(gws_sssp_devices_run(search, 0, &result, NULL), GWS_DEVICE);
    search_from(on, search, made.graph, 7, &result);
    gws_sssp_result_clear(&result);
    gws_sssp_devices_close(search);
    close_emulated(3);
    weighted_free(&made);
    gws_runtime_close(on);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{emulated_distances, sizeof shapes / sizeof *shapes},
                                    {a_heavy_row, 1},
                                    {real_devices, 1},
                                    {refused, 1},
                                    {failures, 1},
                                    {cancelled, 1},
                                    {a_failed_launch_ends_the_others, 1},
                                    {0}};
    return gws_test_run("sssp devices", test);
}
