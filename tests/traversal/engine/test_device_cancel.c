/* SPDX-License-Identifier: MIT */
/* Cancelled runs on devices. The hook returns true while the kernel runs. The run must then return GWS_CANCELLED and
 * end long before its work is done, leave no result, and free its memory. The next run must be right. */
#include "../../harness.h"

#include "../../../kernels/engine/engine_words.h"
#include "../../../lib/base/services.h"
#include "../../../traversal/betweenness.h"
#include "../../../traversal/cores.h"
#include "../../../traversal/engine/device_run.h"
#include "../../../traversal/pagerank_device.h"
#include "../../../traversal/sssp_device.h"
#include "../../../traversal/triangles.h"
#include "../../lib/device/drivers.h"

static struct gws_test_memory memory;
static struct gws_runtime *runtime;
static struct gws_device *device;
static struct gws_graph *graph;
static struct gws_device_graph *on_device;
static uint64_t polls, stop; /* the hook returns true from poll number `stop` on; 0: never */
static uint64_t reports;
static struct gws_diagnostic where;

static bool ask(void *context)
{
    (void)context;
    return ++polls >= stop && stop > 0;
}

static void report(void *context, const char *work, uint64_t done, uint64_t total)
{
    (void)context, (void)work, (void)done, (void)total;
    reports++;
}

/* Opens the first device of the kind. Returns false, with a message, if there is none or if a kernel on it cannot see
 * what the host writes. */
static bool open(const char *kind, const char *description)
{
    memory = (struct gws_test_memory){0};
    polls = stop = reports = 0;
    const struct gws_options options = {
        .threads = 2, .allocator = gws_test_allocator(&memory), .cancel = ask, .progress = report};
    if (!getenv("GRAPHWS_BUILD")) setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1);
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    runtime->ask_every_ms = 0;
    bool opened = gws_device_open(runtime, kind, NULL, &device, NULL) == GWS_OK;
    if (opened && gws_device_describe(device)->max_shared > 0) {
        ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
        ck_assert_int_eq(gws_device_graph_open(runtime, device, graph, NULL, &on_device, NULL), GWS_OK);
        return true;
    }
    printf("skipped: no device %s with shared memory\n", kind);
    if (opened) gws_device_close(device);
    gws_runtime_close(runtime);
    return false;
}

static void close_all(void)
{
    gws_device_graph_close(on_device);
    gws_device_close(device);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}

/* Lets the hook return true at the second poll while a kernel runs. A call polls when it begins, and before each
 * launch. */
static void cancel_soon(void)
{
    polls = 0;
    stop = 4;
}

static void cancel_never(void)
{
    polls = stop = reports = 0;
}

static const char *const kinds[] = {"opencl", "cuda"};

/* A run that never ends by itself. */
START_TEST(pagerank)
{
    const struct gws_pagerank_options endless = {.tolerance = -1, .max_iterations = UINT32_MAX};
    struct gws_pagerank_device *search = NULL;
    struct gws_pagerank_result result = {.iterations = 77};
    if (!open(kinds[_i], "kron:10")) return;
    ck_assert_int_eq(gws_pagerank_device_open(on_device, &endless, &search, &where), GWS_OK);
    for (int i = 0; i < 2; i++) {
        cancel_soon();
        ck_assert_int_eq(gws_pagerank_device_run(search, &result, &where), GWS_CANCELLED);
        ck_assert_str_eq(where.message, gws_status_text(GWS_CANCELLED));
        ck_assert_uint_eq(result.iterations, 77);
    }
    gws_pagerank_device_close(search);
    cancel_never();
    ck_assert_int_eq(gws_pagerank_device_open(on_device, NULL, &search, &where), GWS_OK);
    ck_assert_int_eq(gws_pagerank_device_run(search, &result, &where), GWS_OK);
    ck_assert_uint_gt(reports, 0);
    ck_assert_int_eq(gws_pagerank_device_fetch(search, &result, &where), GWS_OK);
    ck_assert_int_eq(gws_pagerank_check(runtime, graph, NULL, &result, &where), GWS_OK);
    gws_pagerank_result_clear(&result);
    gws_pagerank_device_close(search);
    close_all();
}
END_TEST

/* A long path has as many levels as vertices. The pass outwards adds nothing to centrality, so zeros show that the
 * kernel has ended within this pass. */
START_TEST(betweenness)
{
    const uint32_t source = 0;
    const struct gws_betweenness_options options = {.source = &source, .sources = 1};
    struct gws_betweenness_device *search = NULL;
    struct gws_betweenness_result result = {0};
    if (!open(kinds[_i], "grid:1x300000")) return;
    double *value = malloc(graph->vertices * sizeof *value);
    ck_assert_int_eq(gws_betweenness_device_open(on_device, &search, &where), GWS_OK);
    for (int i = 0; i < 2; i++) {
        cancel_soon();
        ck_assert_int_eq(gws_betweenness_device_run(search, &options, &result, &where), GWS_CANCELLED);
        ck_assert_ptr_null(result.scratch);
        ck_assert_int_eq(gws_betweenness_device_fetch(search, &result, &where), GWS_INVALID);
        struct gws_device_buffer *buffer = gws_betweenness_device_buffer(search);
        ck_assert_int_eq(gws_device_read(buffer, 0, value, graph->vertices * sizeof *value, NULL), GWS_OK);
        for (uint64_t v = 0; v < graph->vertices; v++)
            if (value[v] != 0) ck_abort_msg("the kernel ran to its end");
    }
    cancel_never();
    ck_assert_int_eq(gws_betweenness_device_run(search, &options, &result, &where), GWS_OK);
    ck_assert_uint_eq(result.levels, graph->vertices);
    ck_assert_uint_gt(reports, 0);
    ck_assert_int_eq(gws_betweenness_device_fetch(search, &result, &where), GWS_OK);
    ck_assert_int_eq(gws_betweenness_check(runtime, graph, &options, &result, &where), GWS_OK);
    gws_betweenness_result_clear(&result);
    gws_betweenness_device_close(search);
    free(value);
    close_all();
}
END_TEST

static void cancel_sssp(struct gws_sssp_device *search, struct gws_sssp_result *result)
{
    cancel_soon();
    ck_assert_int_eq(gws_sssp_device_run(search, 0, result, &where), GWS_CANCELLED);
    ck_assert_uint_eq(result->rounds, 77);
    ck_assert_int_eq(gws_sssp_device_fetch(search, result, &where), GWS_INVALID);
}

START_TEST(sssp)
{
    struct gws_sssp_device *search = NULL;
    struct gws_sssp_result result = {.rounds = 77};
    if (!open(kinds[_i], "grid:1x100000")) return;
    ck_assert_int_eq(gws_sssp_device_open(on_device, NULL, &search, &where), GWS_OK);
    for (int i = 0; i < 2; i++) cancel_sssp(search, &result);
    cancel_never();
    ck_assert_int_eq(gws_sssp_device_run(search, 0, &result, &where), GWS_OK);
    ck_assert_uint_gt(reports, 0);
    ck_assert_int_eq(gws_sssp_device_fetch(search, &result, &where), GWS_OK);
    ck_assert_int_eq(gws_sssp_check(runtime, graph, &result, &where), GWS_OK);
    gws_sssp_result_clear(&result);
    gws_sssp_device_close(search);
    close_all();
}
END_TEST

/* Rounds of the engine: a cancelled kernel ends after a part of its rounds. */
START_TEST(rounds)
{
    static const uint32_t words[4];
    struct gws__device_run *run = NULL;
    struct gws__device_run_report done;
    uint32_t control[ENGINE_CONTROL_WORDS];
    if (!open(kinds[_i], "grid:1x100000")) return;
    ck_assert_int_eq(gws__device_run_open(on_device, "engine_label_propagation", 1, NULL, false, &run, &where), GWS_OK);
    for (int i = 0; i < 2; i++) {
        cancel_soon();
        ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
        gws_status status = gws__device_run_go(run, words, &done, &where);
        ck_assert_int_eq(gws_call_end(runtime, status), GWS_CANCELLED);
        ck_assert_int_eq(gws_device_read(run->buffer[4], 0, control, sizeof control, NULL), GWS_OK);
    }
    cancel_never();
    ck_assert_int_eq(gws__device_run_go(run, words, &done, &where), GWS_OK);
    ck_assert_uint_lt(control[COUNT_REPORT_LEVELS], done.rounds);
    ck_assert_uint_eq(done.counted, 1);
    gws__device_run_close(run);
    close_all();
}
END_TEST

START_TEST(triangles)
{
    const struct gws_triangles_options options = {.parts = GWS_TRIANGLES_COUNT};
    struct gws_triangles_device *search = NULL;
    struct gws_triangles_result result = {.triangles = 77};
    if (!open(kinds[_i], "kron:13")) return;
    ck_assert_int_eq(gws_triangles_device_open(on_device, &options, &search, &where), GWS_OK);
    for (int i = 0; i < 2; i++) {
        cancel_soon();
        ck_assert_int_eq(gws_triangles_device_run(search, &result, &where), GWS_CANCELLED);
        ck_assert_uint_eq(result.triangles, 77);
    }
    cancel_never();
    ck_assert_int_eq(gws_triangles_device_run(search, &result, &where), GWS_OK);
    ck_assert_uint_gt(reports, 0);
    ck_assert_int_eq(gws_triangles_device_fetch(search, &result, &where), GWS_OK);
    ck_assert_int_eq(gws_triangles_check(runtime, graph, &result, &where), GWS_OK);
    gws_triangles_result_clear(&result);
    gws_triangles_device_close(search);
    close_all();
}
END_TEST

START_TEST(cores)
{
    struct gws_cores_device *search = NULL;
    struct gws_cores_result result = {.max_core = 77};
    if (!open(kinds[_i], "grid:1x100000")) return;
    ck_assert_int_eq(gws_cores_device_open(on_device, &search, &where), GWS_OK);
    for (int i = 0; i < 2; i++) {
        cancel_soon();
        ck_assert_int_eq(gws_cores_device_run(search, &result, &where), GWS_CANCELLED);
        ck_assert_uint_eq(result.max_core, 77);
    }
    cancel_never();
    ck_assert_int_eq(gws_cores_device_run(search, &result, &where), GWS_OK);
    ck_assert_uint_eq(result.max_core, 1);
    gws_cores_device_close(search);
    close_all();
}
END_TEST

static Suite *device_cancel(void)
{
    Suite *suite = suite_create("cancelled runs on devices");
    TCase *all = tcase_create("all");
    const int end = sizeof kinds / sizeof *kinds;
    tcase_add_loop_test(all, pagerank, 0, end);
    tcase_add_loop_test(all, betweenness, 0, end);
    tcase_add_loop_test(all, sssp, 0, end);
    tcase_add_loop_test(all, rounds, 0, end);
    tcase_add_loop_test(all, triangles, 0, end);
    tcase_add_loop_test(all, cores, 0, end);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(device_cancel);
}
