/* SPDX-License-Identifier: MIT */
/* Runs many searches in one call on each device, and compares each with a plain serial search. Also checks the device
 * memory that a search holds. */
#include "../shapes.h"
#include "searches.h"

#include "../../../../../traversal/bfs_device.h"

static const char *const addresses[] = {"cuda", "opencl"};

enum { max_sources = 70 };

static struct gws_device *open_device(struct gws_runtime *runtime, const char *address)
{
    const char *only = getenv("GWS_TEST_DEVICE");
    struct gws_device *device = NULL;
    if (only && strncmp(only, address, strlen(address)) != 0) return NULL;
    bool mine = strcmp(address, "opencl") == 0 && !getenv("GRAPHWS_BUILD");
    if (mine) setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1); /* the tests must not use the user's cache */
    if (gws_device_open(runtime, address, NULL, &device, NULL) != GWS_OK) printf("skipped: no device %s\n", address);
    return device;
}

/* The results that visit() must receive, and the number of results that visit() has received. */
struct expected {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    const uint32_t *source;
    uint64_t seen, stop_at; /* seen: number of results so far; stop_at: the search that ends the call, 0: none */
};

static gws_status judge(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    struct expected *expected = context;
    struct gws_diagnostic where = {0};
    ck_assert_uint_eq(index, expected->seen);
    struct oracle oracle = oracle_new(expected->graph, expected->source[index]);
    compare(expected->graph, expected->source[index], &oracle, result);
    oracle_free(&oracle);
    ck_assert_msg(gws_bfs_check(expected->runtime, expected->graph, result, &where) == GWS_OK, "%s", where.message);
    ck_assert(result->ms > 0);
    return ++expected->seen == expected->stop_at ? GWS_SYSTEM : GWS_OK;
}

/* Chooses sources, among them the same vertex twice, the first vertex and the last vertex. */
static void choose_sources(const struct gws_graph *graph, uint32_t *source)
{
    uint64_t random = 17;
    for (uint32_t i = 0; i < max_sources; i++) source[i] = (uint32_t)(gws_random_next(&random) % graph->vertices);
    source[0] = source[1] = (uint32_t)graph->vertices - 1;
    source[2] = 0;
}

/* Returns the bytes of the CSR. max_bytes() adds 24 bytes per vertex and a constant. */
static uint64_t csr_bytes(const struct gws_graph *graph)
{
    uint64_t bytes = (graph->vertices + 1) * 8 + graph->arcs * 4;
    return graph->directed && graph->reverse ? bytes + csr_bytes(graph->reverse) : bytes;
}

static uint64_t max_bytes(const struct gws_graph *graph)
{
    return csr_bytes(graph) + 24 * graph->vertices + (256 << 10);
}

static void search_many(struct gws_runtime *runtime, struct gws_device *device, const struct gws_graph *graph)
{
    static const uint64_t counts[] = {0, 1, 2, 9, max_sources};
    uint32_t source[max_sources];
    struct gws_bfs_device *search = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = search_open(runtime, device, graph, NULL, &search, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    choose_sources(graph, source);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct expected expected = {.runtime = runtime, .graph = graph, .source = source};
        status = gws_bfs_device_run_many(search, source, counts[i], judge, &expected, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(expected.seen, counts[i]);
        /* The call has freed the batch's results. */
        ck_assert_uint_le(gws_device_memory_held(device), max_bytes(graph));
    }
    struct gws_bfs_result result = {0}; /* single searches still work */
    struct expected expected = {.runtime = runtime, .graph = graph, .source = source};
    ck_assert_int_eq(search_run(search, source[0], &result, &where), GWS_OK);
    judge(&expected, 0, &result);
    gws_bfs_result_clear(&result);
    search_close(search);
    ck_assert_uint_eq(gws_device_memory_held(device), 0);
}

/* The graphs are skewed and uniform. The meshes for CUDA are narrow, have many components, or are too wide for one
 * cluster. */
static const struct {
    const char *generator; /* NULL: use the shape */
    void (*shape)(struct edges *, uint64_t);
    uint64_t vertices;
    enum arcs arcs;
} graphs[] = {{"kron:11", NULL, 0, UNDIRECTED},      {"grid:60x50", NULL, 0, UNDIRECTED},
              {"uniform:15:1", NULL, 0, UNDIRECTED}, {NULL, hubs, 3000, DIRECTED},
              {NULL, grid, 1500, DIRECTED},          {NULL, loops_and_duplicates, 900, DIRECTED_WITH_REVERSE},
              {NULL, sparse, 2000, UNDIRECTED},      {NULL, nothing, 40, UNDIRECTED},
              {NULL, nothing, 1, UNDIRECTED}};

enum { graph_count = sizeof graphs / sizeof *graphs };

static struct gws_graph *graph_at(int i)
{
    return graphs[i].generator ? generate(graphs[i].generator)
                               : make_graph(graphs[i].shape, graphs[i].vertices, graphs[i].arcs);
}

START_TEST(every_source)
{
    struct gws_graph *graph = graph_at(_i % graph_count);
    struct gws_runtime *runtime = open_runtime("chunked", 1, 0);
    struct gws_device *device = open_device(runtime, addresses[_i / graph_count]);
    if (device) search_many(runtime, device, graph);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* No search runs if any source is out of range. A visitor can end the call. */
START_TEST(refuses_and_stops)
{
    struct gws_graph *graph = graph_at(_i % 2);
    struct gws_runtime *runtime = open_runtime("chunked", 1, 0);
    struct gws_device *device = open_device(runtime, addresses[_i / 2]);
    struct gws_bfs_device *search = NULL;
    for (uint32_t bad = 0; device && bad < 3; bad++) {
        uint32_t source[3] = {1, 2, 3};
        struct expected expected = {.runtime = runtime, .graph = graph, .source = source, .stop_at = 2};
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(search_open(runtime, device, graph, NULL, &search, NULL), GWS_OK);
        ck_assert_int_eq(gws_bfs_device_run_many(search, source, 3, judge, &expected, &where), GWS_SYSTEM);
        ck_assert_uint_eq(expected.seen, 2);
        source[bad] = (uint32_t)graph->vertices;
        expected.seen = 0;
        ck_assert_int_eq(gws_bfs_device_run_many(search, source, 3, judge, &expected, &where), GWS_OUT_OF_RANGE);
        ck_assert_uint_eq(expected.seen, 0);
        ck_assert_str_ne(where.message, "");
        search_close(search);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

static gws_status count(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    (void)index;
    *(uint64_t *)context += result->reached > 0;
    return GWS_OK;
}

/* Fails the k-th allocation of the call for k = 1, 2, ..., until none fails. The search must stay usable after each
 * failure. */
static void fail_each(struct gws_bfs_device *search, struct gws_test_memory *memory)
{
    const uint32_t source[5] = {0, 1, 2, 3, 4};
    for (uint64_t k = 1, seen = 0;; k++, seen = 0) {
        atomic_store(&memory->failed, false);
        memory->fail_at = atomic_load(&memory->calls) + k;
        gws_status status = gws_bfs_device_run_many(search, source, 5, count, &seen, NULL);
        bool failed = atomic_load(&memory->failed);
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        memory->fail_at = seen = 0;
        ck_assert_int_eq(gws_bfs_device_run_many(search, source, 5, count, &seen, NULL), GWS_OK);
        ck_assert_uint_eq(seen, 5);
        if (!failed) break;
    }
}

START_TEST(memory_is_short)
{
    struct gws_graph *graph = graph_at(_i % 2);
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options with = {.threads = 1, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    struct gws_bfs_device *search = NULL;
    ck_assert_int_eq(gws_runtime_open(&with, &runtime), GWS_OK);
    struct gws_device *device = open_device(runtime, addresses[_i / 2]);
    if (device) {
        ck_assert_int_eq(search_open(runtime, device, graph, NULL, &search, NULL), GWS_OK);
        fail_each(search, &memory);
    }
    search_close(search);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- memory ---- */

static const char *const sizes[] = {"kron:15", "uniform:15:8", "grid:300x200", "road:50000", "uniform:16:2"};

enum { size_count = sizeof sizes / sizeof *sizes };

/* The memory stays within the limit, also after a mesh was too wide. */
START_TEST(memory_within_limit)
{
    struct gws_graph *graph = generate(sizes[_i % size_count]);
    struct gws_runtime *runtime = open_runtime("chunked", 1, 0);
    struct gws_device *device = open_device(runtime, addresses[_i / size_count]);
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    if (device) {
        uint64_t max = max_bytes(graph);
        ck_assert_int_eq(search_open(runtime, device, graph, NULL, &search, NULL), GWS_OK);
        ck_assert_uint_ge(gws_device_memory_held(device), 12 * graph->vertices);
        for (uint32_t i = 0; i < 3; i++) {
            ck_assert_uint_le(gws_device_memory_held(device), max);
            ck_assert_int_eq(search_run(search, i, &result, NULL), GWS_OK);
        }
        ck_assert_uint_le(gws_device_memory_held(device), max);
    }
    gws_bfs_result_clear(&result);
    search_close(search);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

static Suite *bfs_many_suite(void)
{
    Suite *suite = suite_create("many searches in one call");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_source, 0, graph_count + 2); /* other OpenCL devices run the same code */
    tcase_add_loop_test(tests, refuses_and_stops, 0, 2 + 1);
    tcase_add_loop_test(tests, memory_is_short, 0, 2 + 1);
    tcase_add_loop_test(tests, memory_within_limit, 0, size_count + 1);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(bfs_many_suite);
}
