/* SPDX-License-Identifier: MIT */
/* Compares triangles with known answers and with an oracle, which looks up every pair of neighbours in a matrix. */
#include "../bfs/shapes.h"

#include <math.h>

#include "../../../../io/graph_io.h"
#include "../../../../traversal/triangles.h"

/* quick_size: the largest number of vertices of a shape if the tests must be quick. */
enum { all_parts = GWS_TRIANGLES_COUNT | GWS_TRIANGLES_CLUSTERING, quick_size = 250 };

/* ---- the oracle ---- */

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* Returns a matrix. adjacent[v * n + w] is true if v and w are different and an arc joins them in some direction. */
static bool *matrix_of(const struct gws_graph *graph)
{
    uint64_t n = graph->vertices;
    bool *adjacent = calloc(n * n + 1, sizeof *adjacent);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
            if (graph->target[a] != v) adjacent[v * n + graph->target[a]] = adjacent[graph->target[a] * n + v] = true;
    return adjacent;
}

struct oracle_counts {
    uint64_t *count, *wedges; /* vertices entries each */
    uint64_t triangles, all_wedges;
    double clustering; /* the sum over all vertices */
};

static double clustering_at(const struct oracle_counts *counts, uint64_t v)
{
    return counts->wedges[v] ? (double)counts->count[v] / (double)counts->wedges[v] : 0;
}

static struct oracle_counts count_serially(const struct gws_graph *graph)
{
    uint64_t n = graph->vertices, *neighbour = malloc((n + 1) * sizeof *neighbour);
    struct oracle_counts counts = {.count = calloc(n + 1, sizeof(uint64_t)), .wedges = calloc(n + 1, sizeof(uint64_t))};
    bool *adjacent = matrix_of(graph);
    for (uint64_t v = 0; v < n; v++) {
        uint64_t degree = 0;
        for (uint64_t w = 0; w < n; w++)
            if (adjacent[v * n + w]) neighbour[degree++] = w;
        for (uint64_t i = 0; i < degree; i++)
            for (uint64_t j = 0; j < i; j++) counts.count[v] += adjacent[neighbour[i] * n + neighbour[j]];
        counts.wedges[v] = degree ? degree * (degree - 1) / 2 : 0;
        counts.triangles += counts.count[v];
        counts.all_wedges += counts.wedges[v];
        counts.clustering += clustering_at(&counts, v);
    }
    counts.triangles /= 3;
    free(adjacent);
    free(neighbour);
    return counts;
}

static void free_counts(struct oracle_counts *counts)
{
    free(counts->count);
    free(counts->wedges);
}

static void compare_counts(const struct oracle_counts *counts, uint64_t n, const struct gws_triangles_result *result)
{
    for (uint64_t v = 0; v < n; v++) {
        if (result->count && result->count[v] != counts->count[v])
            ck_abort_msg("vertex %d: %d triangles, not %d", (int)v, (int)result->count[v], (int)counts->count[v]);
        if (result->clustering && !near(result->clustering[v], clustering_at(counts, v)))
            ck_abort_msg("vertex %d: clustering %g, not %g", (int)v, result->clustering[v], clustering_at(counts, v));
    }
    uint64_t wedges = counts->all_wedges;
    ck_assert_uint_eq(result->vertices, n);
    ck_assert_uint_eq(result->triangles, counts->triangles);
    ck_assert_uint_eq(result->wedges, wedges);
    ck_assert(near(result->transitivity, wedges ? 3 * (double)counts->triangles / (double)wedges : 0));
    ck_assert(near(result->mean_clustering, result->clustering && n ? counts->clustering / (double)n : 0));
    ck_assert(result->ms >= 0 && result->prepare_ms >= 0);
}

/* ---- shapes ---- */

/* Makes some hubs that are all joined, and vertices joined to several hubs. Rows are long and have many common
 * targets. */
static void core(struct edges *edges, uint64_t n)
{
    uint64_t hubs = n / 4, random = 5;
    for (uint64_t v = 0; v < hubs; v++)
        for (uint64_t u = 0; u < v; u++) add(edges, u, v);
    for (uint64_t v = hubs; v < n; v++)
        for (int i = 0; i < 40; i++) add(edges, v, gws_random_next(&random) % (i < 30 ? hubs : n));
}

static const struct shape own_shapes[] = {
    {"nothing", nothing, 0},
    {"core", core, 500},
    {"complete, large", complete, 300},
};
enum { own_count = sizeof own_shapes / sizeof own_shapes[0] };

static void check(const struct gws_graph *graph, const struct oracle_counts *wanted, uint32_t threads,
                  const char *policy)
{
    struct gws_runtime *runtime = open_runtime(policy, threads, 0);
    struct gws_triangles_result result = {0};
    for (uint32_t parts = 0; parts <= all_parts; parts++) {
        const struct gws_triangles_options options = {.parts = parts};
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_triangles(runtime, graph, parts ? &options : NULL, &result), GWS_OK);
        ck_assert_int_eq(result.count != NULL, (parts & GWS_TRIANGLES_COUNT) != 0);
        ck_assert_int_eq(result.clustering != NULL, (parts & GWS_TRIANGLES_CLUSTERING) != 0);
        compare_counts(wanted, graph->vertices, &result);
        ck_assert_msg(gws_triangles_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
    }
    gws_triangles_result_clear(&result);
    gws_triangles_result_clear(&result);
    gws_triangles_result_clear(NULL);
    gws_runtime_close(runtime);
}

START_TEST(shapes_of_every_kind)
{
    const struct shape *shape = _i < shape_count ? &shapes[_i] : &own_shapes[_i - shape_count];
    uint64_t vertices = shape->vertices > quick_size && gws_test_quick() ? quick_size : shape->vertices;
    if (vertices > 3000) return; /* the oracle cannot handle larger shapes */
    for (int arcs = 0; arcs < arc_kinds; arcs++) {
        if (gws_test_quick() && arcs != _i % arc_kinds) continue;
        struct gws_graph *graph = make_graph(shape->make, vertices, (enum arcs)arcs);
        struct oracle_counts wanted = count_serially(graph);
        check(graph, &wanted, 1, NULL);
        check(graph, &wanted, 3, NULL);
        free_counts(&wanted);
        gws_graph_destroy(graph);
    }
}
END_TEST

/* Workers share a row. The count must include each arc once under every policy. */
START_TEST(policies)
{
    static const char *const names[] = {"static", "chunked", "workpile", "split"};
    struct gws_graph *graph = make_graph(core, gws_test_quick() ? quick_size : 500, UNDIRECTED);
    struct oracle_counts wanted = count_serially(graph);
    check(graph, &wanted, 4, names[_i]);
    free_counts(&wanted);
    gws_graph_destroy(graph);
}
END_TEST

/* The test reuses one result for graphs of several sizes. */
START_TEST(results_are_reused)
{
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_triangles_result result = {0};
    const struct gws_triangles_options options = {.parts = all_parts};
    static const uint64_t sizes[] = {400, 400, 100, 0, 500};
    const void *before = NULL;
    for (int i = 0; i < 5; i++) {
        struct gws_graph *graph = make_graph(core, sizes[i], UNDIRECTED);
        ck_assert_int_eq(gws_triangles(runtime, graph, &options, &result), GWS_OK);
        struct oracle_counts wanted = count_serially(graph);
        compare_counts(&wanted, graph->vertices, &result);
        free_counts(&wanted);
        if (i == 1) ck_assert_ptr_eq(result.count, before);
        before = result.count;
        gws_graph_destroy(graph);
    }
    gws_triangles_result_clear(&result);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- larger graphs ---- */

START_TEST(generated_graphs_pass_the_check)
{
    static const char *const names[][2] = {{"kron:12", "kron:9"},
                                           {"uniform:12", "uniform:9"},
                                           {"road:20000", "road:2000"},
                                           {"grid:200x300", "grid:50x40"},
                                           {"kron:17:2", "kron:12:2"}};
    struct gws_graph *graph = generate(names[_i][gws_test_quick()]);
    uint64_t triangles = 0;
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        struct gws_runtime *runtime = open_runtime(NULL, threads, 0);
        const struct gws_triangles_options options = {.parts = all_parts};
        struct gws_triangles_result result = {0};
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_triangles(runtime, graph, &options, &result), GWS_OK);
        ck_assert_msg(gws_triangles_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert(threads == 1 || result.triangles == triangles);
        triangles = result.triangles;
        gws_triangles_result_clear(&result);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
}
END_TEST

static const struct {
    const char *file;
    uint64_t triangles;
} known[] = {
    {"snap/facebook_combined.txt.gz", 1612010},
    {"snap/email-Enron.txt.gz", 727044},
    {"snap/soc-Slashdot0902.txt.gz", 602592},
    {"snap/p2p-Gnutella31.txt.gz", 2024},
    {"snap/email-Eu-core.txt.gz", 105461},
    {"snap/soc-Epinions1-undirected-lcc.txt.gz", 1624481},
    {"mtx/karate.mtx.gz", 45},
    {"mtx/jagmesh7.mtx.gz", 2016},
    {"mtx/bcsstk13.mtx.gz", 342300},
};
enum { known_count = sizeof known / sizeof known[0] };

START_TEST(known_answers)
{
    const char *path = gws_test_dataset(known[_i].file);
    if (!path || (gws_test_quick() && known[_i].triangles > 500000)) return;
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_graph *graph = NULL;
    const struct gws_read_options options = {.weights = GWS_WEIGHTS_DROP};
    struct gws_triangles_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_graph_read(runtime, path, &options, &graph, &where) == GWS_OK, "%s", where.message);
    ck_assert_int_eq(gws_triangles(runtime, graph, NULL, &result), GWS_OK);
    ck_assert_uint_eq(result.triangles, known[_i].triangles);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- failures ---- */

START_TEST(unknown_parts_are_refused)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = make_graph(path, 9, UNDIRECTED);
    struct gws_triangles_result result = {.triangles = 77};
    const struct gws_triangles_options options = {.parts = 4};
    ck_assert_int_eq(gws_triangles(runtime, graph, &options, &result), GWS_INVALID);
    ck_assert_uint_eq(result.triangles, 77);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The test fails each allocation in turn, with an empty result and with a result of another graph. */
START_TEST(short_memory_is_reported)
{
    struct gws_graph *graph = make_graph(core, 300, _i ? DIRECTED : UNDIRECTED), *other = make_graph(path, 9, DIRECTED);
    const struct gws_triangles_options options = {.parts = all_parts};
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        const struct gws_options runtime_options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_triangles_result result = {0};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&runtime_options, &runtime), GWS_OK);
        ck_assert_int_eq(gws_triangles(runtime, other, &options, &result), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        struct gws_triangles_result before = result;
        gws_status status = gws_triangles(runtime, graph, &options, &result);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        if (memory.failed) ck_assert_int_eq(memcmp(&before, &result, sizeof result), 0);
        gws_triangles_result_clear(&result);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
    gws_graph_destroy(graph);
    gws_graph_destroy(other);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{shapes_of_every_kind, shape_count + own_count},
                                    {policies, 4},
                                    {results_are_reused, 1},
                                    {generated_graphs_pass_the_check, 5},
                                    {known_answers, known_count},
                                    {unknown_parts_are_refused, 1},
                                    {short_memory_is_reported, 2},
                                    {0}};
    return gws_test_run("triangles", test);
}
