/* SPDX-License-Identifier: MIT */
/* Compares label propagation on a device and threads together with the oracle. The model decides handoffs, or the test
 * forces handoffs in both directions. Both sides share memory, or copy the data. */
#include "labels.h"

#include "../../../../lib/device/kind.h"

#define GWS_HOST_WORKER
#include "../../../../kernels/portability/host.h"

#include "../../../../kernels/operator/operator.h"
#include "../../../../traversal/engine/engine.h"

#include "../../../../kernels/operator/label_propagation.cl"

#include "../../../../traversal/engine/rounds_body.h"

/* The max numbers of rounds on the host and on the device. */
static const uint32_t max[][2] = {{1, 1}, {2, 3}, {UINT32_MAX, 1}};

static uint64_t handoffs;

static void check_forced(struct gws_device_graph *on_device, const struct gws_graph *graph, const struct labels *wanted)
{
    struct gws_label_propagation_result result = {.label = malloc((graph->vertices + 1) * sizeof *result.label)};
    for (size_t i = 0; i < sizeof max / sizeof *max; i++) {
        const struct gws__hybrid both = {.program = "engine_label_propagation_hybrid",
                                         .loops = &rounds_loops,
                                         .arrays = 1,
                                         .max_host = max[i][0],
                                         .max_device = max[i][1]};
        struct gws__hybrid_report report;
        struct gws_diagnostic where = {0};
        memset(result.label, 0x55, graph->vertices * sizeof *result.label);
        ck_assert_msg(gws__hybrid_run(on_device, &both, &result.label, &report, &where) == GWS_OK, "%s", where.message);
        result.roots = report.counted;
        result.rounds = report.rounds;
        check_labels(graph, wanted, &result);
        uint64_t passes = report.model.handoffs;
        ck_assert_uint_eq(report.rounds, report.device_rounds + report.model.host_levels);
        ck_assert(passes > 0 || report.device_rounds == report.rounds);
        if (report.model.host_vertices > 0) ck_assert_uint_gt(report.model.host_levels, 0);
        if (i == 0 && report.rounds > 1) ck_assert_uint_ge(passes, report.rounds - 1);
        if (i == 2) ck_assert(passes == 0 ? report.rounds <= 1 : passes == 1 && report.device_rounds == 1);
        handoffs += passes;
    }
    free(result.label);
}

static void check_calibrated(struct gws_device_graph *on_device, const struct gws_graph *graph,
                             const struct labels *wanted)
{
    struct gws_label_propagation_result result = {.label = malloc((graph->vertices + 1) * sizeof *result.label)};
    struct gws_diagnostic where = {0};
    memset(result.label, 0x55, graph->vertices * sizeof *result.label);
    ck_assert_msg(gws_label_propagation_hybrid(on_device, &result, &where) == GWS_OK, "%s", where.message);
    check_labels(graph, wanted, &result);
    ck_assert_uint_le(result.device_rounds, result.rounds);
    ck_assert(result.handoffs > 0 || result.device_rounds == result.rounds);
    free(result.label);
}

static void check(struct gws_graph *graph, const struct labels *wanted)
{
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    if (!graph->directed) check_calibrated(on_device, graph, wanted); /* undirected only, since calibration is slow */
    check_forced(on_device, graph, wanted);
    gws_device_graph_close(on_device);
}

static void check_shapes(void)
{
    handoffs = 0;
    on_shapes(check);
    ck_assert_uint_gt(handoffs, 0);
}

START_TEST(labels_are_smallest)
{
    on_devices(check_shapes);
}
END_TEST

/* Treats a device with shared memory as a device with its own memory. */
DEVICE_TEST(labels_cross_by_copies)
{
    device->info.svm = GWS_SVM_COARSE;
    device->info.unified = false;
    ck_assert(!gws_device_sharing(device, NULL).memory);
    check_shapes();
}

/* Fails each allocation of a run in turn. */
static void check_short(void)
{
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED);
    struct gws_label_propagation_result result = {.label = malloc(graph->vertices * sizeof *result.label)};
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        const struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *short_runtime = NULL;
        struct gws_device_graph *on_device = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &short_runtime), GWS_OK);
        ck_assert_int_eq(gws_device_graph_open(short_runtime, device, graph, NULL, &on_device, NULL), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        result.rounds = 77;
        gws_status status = gws_label_propagation_hybrid(on_device, &result, NULL);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(result.rounds == 77, memory.failed);
        gws_device_graph_close(on_device);
        gws_runtime_close(short_runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
    free(result.label);
    gws_graph_destroy(graph);
}

/* Tests shared memory, and copies, which need more memory. */
DEVICE_TEST(short_memory_is_reported)
{
    check_short();
    device->info.unified = false;
    check_short();
}

DEVICE_TEST(a_graph_without_vertices)
{
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    const struct labels none = {.roots = 0};
    check(graph, &none);
    device->info.unified = false;
    check(graph, &none);
    gws_graph_destroy(graph);
}

DEVICE_TEST(a_graph_with_the_host_is_refused)
{
    check_refuses(gws_label_propagation_hybrid);
}

int main(void)
{
    const struct gws_test test[] = {
        {labels_are_smallest, 1},      {labels_cross_by_copies, 1},           {short_memory_is_reported, 1},
        {a_graph_without_vertices, 1}, {a_graph_with_the_host_is_refused, 1}, {0}};
    return gws_test_run("label propagation", test);
}
