/* SPDX-License-Identifier: MIT */
/* Searches of host-resident meshes (traversal/graph/bfs/device/mesh_host.c), on an emulated device and on a CUDA device
 * if present. The tests compare the results with a plain serial search. */
#include "emulated_cuda.h"
#include "searches.h"

#include "../../../../../traversal/engine/mesh_rows.h"
#include "../../../../../traversal/graph/bfs/device/mesh.h"

static const enum gws_bfs_form mesh_form = GWS_BFS_FORM_HOST_MESH, host_resident = GWS_BFS_FORM_HOST_RESIDENT;

enum { plenty = 1 << 28 };
static const struct gws_device_graph_options with_host = {.placement = GWS_PLACE_HOST};

static void check_search(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_device *search,
                         uint32_t source, struct gws_bfs_result *result)
{
    struct gws_diagnostic where = {0};
    struct oracle oracle = oracle_new(graph, source);
    gws_status status = search_run(search, source, result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    compare(graph, source, &oracle, result);
    ck_assert_msg(gws_bfs_check(runtime, graph, result, &where) == GWS_OK, "%s", where.message);
    oracle_free(&oracle);
}

static void search_all(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_device *search)
{
    struct gws_bfs_result result = {0};
    const uint32_t sources[] = {0, (uint32_t)graph->vertices / 2, (uint32_t)graph->vertices - 1, 0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        check_search(runtime, graph, search, sources[i], &result);
    gws_bfs_result_clear(&result);
}

static struct gws_bfs_device *open_search(struct gws_runtime *runtime, struct gws_device *device,
                                          const struct gws_graph *graph, uint64_t memory,
                                          struct gws_bfs_device_options options)
{
    const struct gws_device_graph_options placing = {.placement = GWS_PLACE_HOST, .memory = memory};
    struct gws_bfs_device *search = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = search_open_at(runtime, device, graph, &placing, &options, &search, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    return search;
}

static struct gws_bfs_device_options with_cpu(bool cpu)
{
    return (struct gws_bfs_device_options){.cpu = cpu};
}

/* ---- meshes ---- */

/* Gives some vertices up to 17 arcs, more than a row has words. */
static void knots(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v + 40 < n; v++) {
        add(edges, v, v + 1);
        if (v % 3 == 0) add(edges, v, v + 40);
    }
    for (uint64_t v = 0; v + 9 < n; v += 100)
        for (uint64_t i = 2; i < 9; i++) add(edges, v, v + i);
}

static const struct {
    void (*make)(struct edges *, uint64_t);
    uint64_t vertices;
} meshes[] = {{cycle, 63}, {cycle, 64}, {grid, 3000}, {knots, 4000}, {tree, 4095}, {knots, 40000}};

enum { mesh_count = sizeof meshes / sizeof *meshes };

START_TEST(every_mesh)
{
    struct gws_graph *graph =
        make_graph(meshes[_i / arc_kinds].make, meshes[_i / arc_kinds].vertices, (enum arcs)(_i % arc_kinds));
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    uint64_t rows;
    for (int cpu = 0; cpu < 2 && emulated_can(); cpu++) {
        struct emulated emulated;
        struct gws_bfs_device_cached cached;
        emulated_open(&emulated, runtime, plenty);
        struct gws_bfs_device *search = open_search(runtime, &emulated.base, graph, 0, with_cpu(cpu));
        bool mesh = gws__mesh_rows_count(graph, &rows);
        ck_assert_int_eq(gws_bfs_device_form(search), mesh ? mesh_form : host_resident);
        if (mesh || cpu) search_all(runtime, graph, search); /* the host-resident kernel is not emulated */
        ck_assert(gws_bfs_device_cached(search, &cached));
        ck_assert_uint_eq(cached.arcs + cached.rows, 0);
        if (mesh) {
            ck_assert_uint_eq(cached.row_words, 4);
            ck_assert_uint_eq(cached.bytes + cached.bound_bytes + emulated.device_reads, 0);
            ck_assert_uint_gt(emulated.launches, 0);
            ck_assert_uint_le(gws_device_memory_held(&emulated.base), graph->vertices * 12 + rows * 14 + 262144);
            ck_assert((cached.cache_rows > 0) == (rows >= 16384) && (emulated.slots > 0) == (rows >= 16384));
            if (cached.cache_rows) ck_assert_uint_eq(emulated.prefetch_clusters, 1);
        }
        search_close(search);
        emulated_close(&emulated);
    }
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* The device holds as many rows as a budget allows, and never takes more bytes than the budget. */
START_TEST(budgets)
{
    struct gws_graph *graph = make_graph(_i ? knots : grid, 20000, UNDIRECTED);
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    uint64_t before = 0, rows;
    ck_assert(gws__mesh_rows_count(graph, &rows));
    bool all = false, pages = false;
    for (uint64_t memory = 100000; !all && emulated_can(); memory += 70001) {
        struct emulated emulated;
        struct gws_bfs_device_cached cached;
        struct gws_bfs_device_options options = with_cpu(memory % 2);
        const struct gws_device_graph_options placing = {.placement = memory % 3 ? GWS_PLACE_HOST : GWS_PLACE_AUTO,
                                                         .memory = memory};
        emulated_open(&emulated, runtime, plenty);
        struct gws_bfs_device *search = NULL;
        gws_status status = search_open_at(runtime, &emulated.base, graph, &placing, &options, &search, NULL);
        ck_assert(status == GWS_OK || (status == GWS_TOO_LARGE && memory < 400000));
        if (status == GWS_OK && gws_bfs_device_cached(search, &cached) && cached.row_words) {
            search_all(runtime, graph, search);
            ck_assert_uint_le(gws_device_memory_held(&emulated.base), memory);
            if (cached.cache_rows && !pages) before = 0; /* the first memory for rows goes to the row cache */
            pages |= cached.cache_rows > 0;
            ck_assert((cached.cache_rows > 0) == (emulated.slots > 0));
            if (cached.cache_rows) ck_assert_uint_ge((cached.cache_rows + 255) * 4, rows - cached.bytes / 16);
            ck_assert_uint_ge(cached.arcs, before);
            ck_assert_uint_eq(cached.bytes % 16, 0);
            ck_assert_uint_le(cached.bytes, rows * 16);
            ck_assert((cached.arcs > 0) == (emulated.device_reads > 0));
            ck_assert((cached.bytes < rows * 16) == (cached.arcs < graph->arcs));
            if (memory > graph->vertices * 36 + 200000) ck_assert_uint_gt(cached.whole_rows, graph->vertices / 2);
            before = cached.arcs;
            all = cached.arcs == graph->arcs && emulated.host_reads == 0;
        } else {
            ck_assert_uint_lt(memory, graph->vertices * 20 + 200000); /* the budget is too small even without rows */
        }
        search_close(search);
        emulated_close(&emulated);
        ck_assert_uint_lt(memory, graph->vertices * 60);
    }
    ck_assert(pages || !emulated_can());
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- pages ---- */

static uint64_t bytes_of_pages(uint64_t rows)
{
    return (rows + 31) / 32 * 132 + 262144; /* the constant exceeds the bytes of the pages' control words */
}

/* The plan has no cache if the memory holds less than a quarter of the rows, or if there are few rows. The plan never
 * has more slots than fit. */
START_TEST(capacity_for_pages)
{
    uint32_t slots = 7;
    ck_assert_uint_eq(gws__mesh_cache_plan(16383, 0, UINT64_MAX, &slots), 0);
    ck_assert_uint_eq(slots, 0);
    for (uint64_t rows = 16384; rows < UINT64_C(1) << 31; rows += rows / 3 + 77) {
        ck_assert_uint_eq(gws__mesh_cache_plan(rows, 0, rows * 4 - 1, &slots), 0);
        ck_assert_uint_eq(slots, 0);
        ck_assert_uint_eq(gws__mesh_cache_plan(rows, 0, rows * 4 + bytes_of_pages(rows), &slots), 0);
        ck_assert(slots % 32 == 0 && slots * UINT64_C(8) >= rows && slots * UINT64_C(8) < rows + 256);
        for (uint64_t bytes = rows * 4 + bytes_of_pages(rows), before = 0; bytes < rows * 16; bytes += rows) {
            uint64_t cached = gws__mesh_cache_plan(rows, rows - rows / 20, bytes, &slots);
            ck_assert(cached >= before && cached % 32 == 0 && cached <= rows - rows / 20);
            ck_assert(slots > 0 && slots * UINT64_C(8) >= rows - cached);
            ck_assert_uint_le(cached * 16 + slots * UINT64_C(32), bytes);
            before = cached;
        }
        ck_assert_uint_eq(gws__mesh_cache_plan(rows, rows, rows * 16, &slots), 0); /* all rows fit */
        ck_assert_uint_eq(slots, 0);
    }
}
END_TEST

/* ---- choice of the strategy ---- */

START_TEST(host_resident_on_request)
{
    struct gws_graph *graph = generate("grid:70x50"), *skewed = generate("kron:10");
    const struct {
        const char *policy;
        const struct gws_graph *graph;
        struct gws_bfs_device_options options;
        enum gws_bfs_form form;
    } row[] = {{"chunked", graph, {.cpu = true}, mesh_form},
               {"chunked", graph, {.cpu = true, .strategy = GWS_BFS_HOST_RESIDENT}, host_resident},
               {"chunked", graph, {.strategy = GWS_BFS_HOST_RESIDENT}, host_resident},
               {"chunked", graph, {.cpu = true, .threshold = 100}, host_resident},
               {"chunked", graph, {.chunk = 64}, host_resident},
               {"chunked", graph, {.groups = 8}, host_resident},
               {"chunked", graph, {.direction = GWS_BFS_BOTTOM_UP}, host_resident},
               {"chunked", graph, {.direction = GWS_BFS_TOP_DOWN}, mesh_form},
               {"coarse", graph, {.cpu = true}, host_resident},
               {"coarse", graph, {.cpu = false}, host_resident},
               {"chunked", skewed, {.cpu = true}, host_resident},
               {"chunked", skewed, {.cpu = false}, host_resident}};
    for (size_t i = 0; i < sizeof row / sizeof *row && emulated_can(); i++) {
        struct gws_runtime *runtime = open_runtime(row[i].policy, 2, 0);
        struct emulated emulated;
        emulated_open(&emulated, runtime, plenty);
        struct gws_bfs_device *search = open_search(runtime, &emulated.base, row[i].graph, 0, row[i].options);
        ck_assert_msg(gws_bfs_device_form(search) == row[i].form, "row %zu: %s", i,
                      gws_bfs_form_name(gws_bfs_device_form(search)));
        search_close(search);
        emulated_close(&emulated);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
    gws_graph_destroy(skewed);
}
END_TEST

START_TEST(refused_as_ever)
{
    struct gws_graph *graph = generate("grid:70x50");
    const struct {
        const char *policy;
        struct gws_bfs_device_options options;
    } row[] = {{"static", {.cpu = true}},
               {"chunked", {.cpu = true, .steal = GWS_BFS_STEAL_NONE}},
               {"chunked", {.cpu = true, .strategy = GWS_BFS_HANDOFF}},
               {"chunked", {.order = GWS_BFS_SEQ_CST}}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gws_runtime *runtime = open_runtime(row[i].policy, 2, 0);
        struct emulated emulated;
        struct gws_bfs_device *search = NULL;
        emulated_open(&emulated, runtime, plenty);
        ck_assert_int_eq(search_open_at(runtime, &emulated.base, graph, &with_host, &row[i].options, &search, NULL),
                         GWS_UNSUPPORTED);
        emulated_close(&emulated);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* After the device reports levels that are too wide for a cluster, the next searches use the host-resident strategy. */
START_TEST(too_wide)
{
    struct gws_graph *graph = generate("grid:70x50");
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct emulated emulated;
    struct gws_bfs_result result = {0};
    emulated_open(&emulated, runtime, plenty);
    if (emulated_can()) {
        struct gws_bfs_device *search = open_search(runtime, &emulated.base, graph, 0, with_cpu(true));
        emulated.too_wide = true;
        check_search(runtime, graph, search, 7, &result);
        ck_assert_int_eq(gws_bfs_device_form(search), mesh_form);
        uint32_t launches = emulated.launches;
        search_all(runtime, graph, search);
        ck_assert_int_eq(gws_bfs_device_form(search), host_resident);
        ck_assert_uint_eq(emulated.launches, launches); /* all levels are small, so the CPU runs them */
        gws_bfs_device_stats_reset(search);
        search_close(search);
    }
    gws_bfs_result_clear(&result);
    emulated_close(&emulated);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- both ---- */

/* The graph is so large that the search compares both sides. The search tries both sides and counts the CPU's
 * searches. */
START_TEST(both_sides_are_tried)
{
    struct gws_graph *graph = generate("road:70000");
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct emulated emulated;
    emulated_open(&emulated, runtime, plenty);
    if (emulated_can()) {
        struct gws_bfs_device *search = open_search(runtime, &emulated.base, graph, 0, with_cpu(true));
        struct gws_bfs_device_cached cached;
        search_all(runtime, graph, search);
        ck_assert(gws_bfs_device_cached(search, &cached));
        ck_assert_uint_ge(cached.cpu_searches, 1);
        ck_assert_uint_le(cached.cpu_searches, 3);
        gws_bfs_device_stats_reset(search);
        ck_assert(gws_bfs_device_cached(search, &cached) && cached.cpu_searches == 0);
        search_close(search);
    }
    emulated_close(&emulated);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- many ---- */

struct expected {
    const struct gws_graph *graph;
    const uint32_t *source;
    uint64_t count;
};

static gws_status check_result(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    struct expected *expected = context;
    ck_assert_uint_eq(index, expected->count++);
    struct oracle oracle = oracle_new(expected->graph, expected->source[index]);
    compare(expected->graph, expected->source[index], &oracle, result);
    oracle_free(&oracle);
    return GWS_OK;
}

START_TEST(many_in_a_launch)
{
    /* The larger graph has a row cache, which no cluster fills. */
    struct gws_graph *graph = generate(_i < 2 ? "grid:70x50" : "grid:150x120");
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct emulated emulated;
    uint32_t source[30];
    for (uint32_t i = 0; i < 30; i++) source[i] = i * 111;
    emulated_open(&emulated, runtime, plenty);
    if (emulated_can()) {
        struct gws_bfs_device *search = open_search(runtime, &emulated.base, graph, 0, with_cpu(_i % 2));
        struct expected expected = {graph, source, 0};
        uint32_t before = emulated.launches;
        ck_assert_int_eq(gws_bfs_device_run_many(search, source, 30, check_result, &expected, NULL), GWS_OK);
        ck_assert_uint_eq(expected.count, 30);
        if (_i % 2 == 0) ck_assert_uint_lt(emulated.launches - before, 10);
        ck_assert((emulated.slots > 0) == (_i >= 2) && (_i % 2 || emulated.prefetch_clusters == 0));
        search_all(runtime, graph, search);
        search_close(search);
    }
    emulated_close(&emulated);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- failures ---- */

static gws_status open_and_search(struct gws_runtime *runtime, struct emulated *emulated, const struct gws_graph *graph,
                                  bool cpu)
{
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    struct gws_bfs_device_options options = with_cpu(cpu);
    gws_status status = search_open_at(runtime, &emulated->base, graph, &with_host, &options, &search, NULL);
    emulated->too_wide = cpu;
    if (status == GWS_OK) status = search_run(search, 1, &result, NULL);
    if (status == GWS_OK) status = search_run(search, 2, &result, NULL);
    if (status != GWS_OK && search) { /* further calls must not crash */
        struct gws_handoff_model model;
        struct gws_bfs_device_cached cached;
        (void)gws_bfs_device_model(search, &model);
        (void)gws_bfs_device_cached(search, &cached);
        gws_bfs_device_stats_reset(search);
        (void)search_run(search, 3, &result, NULL);
    }
    gws_bfs_result_clear(&result);
    search_close(search);
    emulated_close(emulated);
    return status;
}

/* The test fails each allocation of the host and each call that creates device memory, one after the other. */
START_TEST(short_of_memory)
{
    struct gws_graph *graph = generate(_i < 4 ? "grid:20x20" : "grid:150x120"); /* the larger graph has a row cache */
    const bool host = _i % 4 < 2;
    for (uint64_t k = 1; emulated_can(); k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_options options = {.threads = 1, .policy = "chunked", .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct emulated emulated;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        emulated_open(&emulated, runtime, plenty);
        if (host)
            memory.fail_at = atomic_load(&memory.calls) + k;
        else
            emulated.fail_at = (uint32_t)k;
        gws_status status = open_and_search(runtime, &emulated, graph, _i % 2);
        bool failed = host ? memory.failed : emulated.calls >= emulated.fail_at;
        if (host && failed) ck_assert_int_eq(status, GWS_NO_MEMORY);
        ck_assert((status != GWS_OK) == failed);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!failed) break;
    }
    gws_graph_destroy(graph);
}
END_TEST

/* ---- a real device ---- */

static const char *const generators[] = {"grid:4x5000", "grid:300x200", "road:50000", "road:300000", "uniform:18:1"};

/* The test searches with a row cache, with a budget for a cache and some rows, and with a budget too small for a
 * cache. The last graph is too wide for a cluster. */
START_TEST(on_cuda)
{
    struct gws_graph *graph = generate(generators[_i]);
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, "cuda", NULL, &device, NULL) != GWS_OK) printf("skipped: no CUDA device\n");
    for (int variant = 0; device && variant < 6; variant++) {
        uint64_t memory = 0;
        if (variant >= 2) memory = graph->vertices * (variant < 4 ? 28 : 21) + (variant < 4 ? 300000 : 100000);
        struct gws_bfs_device *search = open_search(runtime, device, graph, memory, with_cpu(variant % 2));
        ck_assert_int_eq(gws_bfs_device_form(search), mesh_form);
        search_all(runtime, graph, search);
        search_close(search);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_mesh, mesh_count * arc_kinds},
                                    {budgets, 2},
                                    {capacity_for_pages, 1},
                                    {host_resident_on_request, 1},
                                    {refused_as_ever, 1},
                                    {too_wide, 1},
                                    {both_sides_are_tried, 1},
                                    {many_in_a_launch, 4},
                                    {short_of_memory, 8},
                                    {on_cuda, sizeof generators / sizeof *generators},
                                    {0}};
    return gws_test_run("meshes with their arcs at the host", test);
}
