/* SPDX-License-Identifier: MIT */
/* Cancelled runs on devices. The hook returns true while the kernel runs. The run must then return GWS_CANCELLED and
 * end long before its work is done, leave no result, and free its memory. The next run must be right. */
#include "../../harness.h"

#include "../../../kernels/engine/engine_words.h"
#include "../../../lib/base/services.h"
#include "../../../traversal/betweenness.h"
#include "../../../traversal/communities_device.h"
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

/* Numbers the vertices at random, so that a round over them in order does not follow a path far. */
static void shuffle(void)
{
    struct gws_graph *shuffled = NULL;
    uint32_t *new_of_old = malloc(graph->vertices * sizeof *new_of_old);
    ck_assert_int_eq(gws_graph_order(runtime, graph, GWS_ORDER_RANDOM, 1, new_of_old), GWS_OK);
    ck_assert_int_eq(gws_graph_relabel(runtime, graph, new_of_old, graph->vertices, &shuffled), GWS_OK);
    gws_graph_destroy(graph);
    graph = shuffled;
    free(new_of_old);
}

/* Opens the first device of the kind. Returns false, with a message, if there is none or if a kernel on it cannot see
 * what the host writes. */
static bool open(const char *kind, const char *description, bool shuffled)
{
    memory = (struct gws_test_memory){0};
    polls = stop = reports = 0;
    const struct gws_options options = {
        .threads = 2, .allocator = gws_test_allocator(&memory), .cancel = ask, .progress = report};
    if (!getenv("GRAPHWS_BUILD")) setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1);
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    runtime->ask_every_ms = 0;
    bool opened = gws_device_open(runtime, kind, gws_test_cached(), &device, NULL) == GWS_OK;
    if (opened && gws_device_describe(device)->max_shared > 0) {
        ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
        if (shuffled) shuffle();
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

/* Returns true if the run was cancelled. On a busy machine a kernel may end before the host polls. The caller then
 * tries again. */
static bool is_cancelled(gws_status status)
{
    if (status != GWS_OK) ck_assert_int_eq(status, GWS_CANCELLED);
    return status != GWS_OK;
}

enum { tries = 200, needed = 2 }; /* at least `needed` runs in `tries` must be cancelled */

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
    if (!open(kinds[_i], "kron:10", false)) return;
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
    if (!open(kinds[_i], "grid:1x300000", false)) return;
    double *value = malloc(graph->vertices * sizeof *value);
    ck_assert_int_eq(gws_betweenness_device_open(on_device, &search, &where), GWS_OK);
    int early = 0;
    for (int i = 0; i < tries && early < needed; i++) {
        cancel_soon();
        if (!is_cancelled(gws_betweenness_device_run(search, &options, &result, &where))) continue;
        ck_assert_ptr_null(result.scratch);
        ck_assert_int_eq(gws_betweenness_device_fetch(search, &result, &where), GWS_INVALID);
        struct gws_device_buffer *buffer = gws_betweenness_device_buffer(search);
        ck_assert_int_eq(gws_device_read(buffer, 0, value, graph->vertices * sizeof *value, NULL), GWS_OK);
        double sum = 0;
        for (uint64_t v = 0; v < graph->vertices; v++) sum += value[v];
        early += sum == 0;
    }
    ck_assert_int_eq(early, needed);
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

START_TEST(sssp)
{
    struct gws_sssp_device *search = NULL;
    struct gws_sssp_result result = {.rounds = 77};
    if (!open(kinds[_i], "grid:1x100000", false)) return;
    ck_assert_int_eq(gws_sssp_device_open(on_device, NULL, &search, &where), GWS_OK);
    int early = 0;
    for (int i = 0; i < tries && early < needed; i++) {
        cancel_soon();
        result.rounds = 77;
        if (!is_cancelled(gws_sssp_device_run(search, 0, &result, &where))) continue;
        ck_assert_uint_eq(result.rounds, 77);
        ck_assert_int_eq(gws_sssp_device_fetch(search, &result, &where), GWS_INVALID);
        early++;
    }
    ck_assert_int_eq(early, needed);
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
    int early = 0;
    if (!open(kinds[_i], "grid:1x30000", true)) return;
    ck_assert_int_eq(gws__device_run_open(on_device, "engine_label_propagation", 1, NULL, false, &run, &where), GWS_OK);
    ck_assert_int_eq(gws__device_run_go(run, words, &done, &where), GWS_OK);
    for (int i = 0; i < tries && early < needed; i++) {
        cancel_soon();
        ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
        gws_status status = gws__device_run_go(run, words, &done, &where);
        if (!is_cancelled(gws_call_end(runtime, status))) continue;
        ck_assert_int_eq(gws_device_read(run->buffer[4], 0, control, sizeof control, NULL), GWS_OK);
        early += control[COUNT_REPORT_LEVELS] < done.rounds / 2;
    }
    ck_assert_int_eq(early, needed);
    cancel_never();
    ck_assert_int_eq(gws__device_run_go(run, words, &done, &where), GWS_OK);
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
    if (!open(kinds[_i], "kron:13", false)) return;
    ck_assert_int_eq(gws_triangles_device_open(on_device, &options, &search, &where), GWS_OK);
    int early = 0;
    for (int i = 0; i < tries && early < needed; i++) {
        cancel_soon();
        result.triangles = 77;
        if (!is_cancelled(gws_triangles_device_run(search, &result, &where))) continue;
        ck_assert_uint_eq(result.triangles, 77);
        early++;
    }
    ck_assert_int_eq(early, needed);
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
    if (!open(kinds[_i], "grid:1x100000", false)) return;
    ck_assert_int_eq(gws_cores_device_open(on_device, &search, &where), GWS_OK);
    int early = 0;
    for (int i = 0; i < tries && early < needed; i++) {
        cancel_soon();
        result.max_core = 77;
        if (!is_cancelled(gws_cores_device_run(search, &result, &where))) continue;
        ck_assert_uint_eq(result.max_core, 77);
        early++;
    }
    ck_assert_int_eq(early, needed);
    cancel_never();
    ck_assert_int_eq(gws_cores_device_run(search, &result, &where), GWS_OK);
    ck_assert_uint_eq(result.max_core, 1);
    gws_cores_device_close(search);
    close_all();
}
END_TEST

/* Labels of a grid swap for ever. */
START_TEST(communities)
{
    const struct gws_communities_options endless = {.method = GWS_COMMUNITIES_CDLP, .iterations = UINT32_MAX};
    struct gws_communities_device *search = NULL;
    struct gws_communities_result result = {.levels = 77};
    if (!open(kinds[_i], "grid:40x40", false)) return;
    ck_assert_int_eq(gws_communities_device_open(on_device, &endless, &search, &where), GWS_OK);
    for (int i = 0; i < 2; i++) {
        cancel_soon();
        ck_assert_int_eq(gws_communities_device_run(search, &result, &where), GWS_CANCELLED);
        ck_assert_uint_eq(result.levels, 77);
        ck_assert_int_eq(gws_communities_device_fetch(search, &result, &where), GWS_INVALID);
    }
    gws_communities_device_close(search);
    cancel_never();
    ck_assert_int_eq(gws_communities_device_open(on_device, NULL, &search, &where), GWS_OK);
    ck_assert_int_eq(gws_communities_device_run(search, &result, &where), GWS_OK);
    ck_assert_uint_gt(reports, 0);
    ck_assert_int_eq(gws_communities_device_fetch(search, &result, &where), GWS_OK);
    ck_assert_int_eq(gws_communities_check(runtime, graph, NULL, &result, &where), GWS_OK);
    gws_communities_result_clear(&result);
    gws_communities_device_close(search);
    close_all();
}
END_TEST

static Suite *device_cancel(void)
{
    Suite *suite = suite_create("cancelled runs on devices");
    TCase *all = tcase_create("all");
    const int end = sizeof kinds / sizeof *kinds;
    tcase_add_loop_test(all, pagerank, 0, end);
    tcase_add_loop_test(all, communities, 0, end);
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
