/* SPDX-License-Identifier: MIT */
/* Components of graphs that are parted among devices (traversal/components_devices.h), on emulated devices, whose
 * kernels are the sources of the real ones, and on the real devices of this machine. The tests compare with the
 * threads' components. */
#include "../../engine/parted_suite.h"

#include "../../../../traversal/components_devices.h"

/* ---- runs ---- */

/* The parts are the whole graph. */
static void check_parts(const struct gws_components_devices *components, const struct gws_graph *graph)
{
    struct gws_components_devices_part part;
    uint64_t vertices = 0, arcs = 0;
    for (uint32_t d = 0; d < gws_components_devices_count(components); d++) {
        gws_components_devices_describe(components, d, &part);
        ck_assert_uint_eq(part.first, vertices);
        ck_assert_uint_eq(part.sent_bytes, d > 0 ? 4 * graph->vertices : 0);
        vertices += part.vertices;
        arcs += part.arcs;
    }
    ck_assert_uint_eq(vertices, graph->vertices);
    ck_assert_uint_eq(arcs, graph->arcs);
}

static void check_graph(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                        const struct gws_graph *graph)
{
    struct gws_components_devices *components = NULL;
    struct gws_components_result wanted = {0}, result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_components(runtime, graph, NULL, &wanted), GWS_OK);
    gws_status status = gws_components_devices_open(runtime, device, devices, graph, &components, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    for (int run = 0; run < 2; run++) {
        gws_components_result_clear(&result);
        ck_assert_msg(gws_components_devices_run(components, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_int_eq(gws_components_devices_fetch(components, &result, &where), GWS_OK);
        ck_assert_uint_eq(result.components, wanted.components);
        ck_assert_uint_eq(result.largest, wanted.largest);
        ck_assert_int_eq(memcmp(result.component, wanted.component, graph->vertices * sizeof *wanted.component), 0);
    }
    check_parts(components, graph);
    gws_components_result_clear(&wanted);
    gws_components_result_clear(&result);
    gws_components_devices_close(components);
}

static void check_shape(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                        const struct shape *shape)
{
    for (int directed = 0; directed < 2; directed++) {
        struct gws_graph *graph = make_graph(shape->make, shape->vertices, directed ? DIRECTED : UNDIRECTED);
        check_graph(runtime, device, devices, graph);
        gws_graph_destroy(graph);
    }
}

START_TEST(emulated_components)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_device *device[max_emulated];
    for (uint32_t i = 0; i <= few_devices; i++) {
        const uint32_t devices = devices_of(_i, i);
        open_emulated(runtime, devices, 1 << 28, device);
        check_shape(runtime, device, devices, &shapes[_i]);
        close_emulated(devices);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(an_empty_graph)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_device *device[max_emulated];
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    open_emulated(runtime, 2, 1 << 26, device);
    check_graph(runtime, device, 2, graph);
    close_emulated(2);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(real_devices)
{
    struct gws_device *device[GWS_COMPONENTS_DEVICES];
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    const uint32_t opened = open_real(runtime, device);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && opened > 0; i += opened > 1 ? 1 : 4)
        check_shape(runtime, device, opened - (uint32_t)i % opened, &shapes[i]);
    close_real(device, opened);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- refusals and failures ---- */

static gws_status refusal(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                          const struct gws_graph *graph, const void *options, const char *message)
{
    struct gws_components_devices *components = NULL;
    struct gws_diagnostic where = {0};
    (void)options; /* there are none */
    gws_status status = gws_components_devices_open(runtime, device, devices, graph, &components, &where);
    ck_assert_ptr_null(components);
    ck_assert_msg(strstr(where.message, message) != NULL, "%s", where.message);
    return status;
}

START_TEST(refused)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = make_graph(path, 100, UNDIRECTED);
    struct gws_device *device[max_emulated];
    open_emulated(runtime, 2, 1 << 26, device);
    check_refusals(runtime, device, graph, refusal);
    gws_components_devices_close(NULL);
    close_emulated(2);
    check_full_device(runtime, graph, refusal);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status try_run(struct gws_runtime *runtime, struct gws_device *const *device, const struct attempt *attempt)
{
    struct gws_components_devices *components = NULL;
    struct gws_components_result result = {0};
    gws_status status =
        gws_components_devices_open(runtime, device, attempt_devices, attempt->graph, &components, NULL);
    ck_assert(status == GWS_OK || components == NULL);
    if (status == GWS_OK) status = gws_components_devices_run(components, &result, NULL);
    if (status == GWS_OK) status = gws_components_devices_fetch(components, &result, NULL);
    gws_components_result_clear(&result);
    gws_components_devices_close(components);
    return status;
}

START_TEST(failures)
{
    struct gws_graph *graph = make_graph(dense, 300, DIRECTED);
    check_failures((struct attempt){.run = try_run, .graph = graph});
    gws_graph_destroy(graph);
}
END_TEST

static void cancel_runs(struct gws_runtime *on, struct gws_device *const *devices, uint32_t count)
{
    struct gws_graph *graph = make_graph(dense, 300, UNDIRECTED);
    struct gws_components_devices *components = NULL;
    struct gws_components_result result = {.components = 777};
    ck_assert_int_eq(gws_components_devices_open(on, devices, count, graph, &components, NULL), GWS_OK);
    cancel_at = 1;
    ck_assert_int_eq(gws_components_devices_run(components, &result, NULL), GWS_CANCELLED);
    ck_assert_uint_eq(result.components, 777);
    cancel_at = 0;
    ck_assert_int_eq(gws_components_devices_run(components, &result, NULL), GWS_OK);
    ck_assert_uint_le(result.components, 300);
    gws_components_devices_close(components);
    gws_graph_destroy(graph);
}

START_TEST(cancelled)
{
    cancel_on_devices(cancel_runs);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{emulated_components, sizeof shapes / sizeof *shapes},
                                    {an_empty_graph, 1},
                                    {real_devices, 1},
                                    {refused, 1},
                                    {failures, 1},
                                    {cancelled, 1},
                                    {0}};
    return gws_test_run("components devices", test);
}
