/* SPDX-License-Identifier: MIT */
/* The checker must detect every fault of a result, and accept every correct result. */
#include "../../harness.h"

#include "../../../lib/graph.h"
#include "../../../traversal/triangles.h"

enum { vertices = 8 };

/* Two triangles with a common edge 1 - 2, a triangle with a tail 4 - 7, a loop at 7 and a double edge 0 - 1.
 *    0 - 1 - 3     5 - 4 - 7
 *     \- 2 -/       \ 6 /       and 1 - 2 */
static const struct gws_edge edge[] = {{0, 1}, {0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3},
                                       {4, 5}, {5, 6}, {6, 4}, {4, 7}, {7, 7}};
enum { edges = sizeof edge / sizeof edge[0] };

struct sample {
    struct gws_runtime *runtime;
    struct gws_graph *graph;
    uint64_t count[vertices];
    double clustering[vertices];
    struct gws_triangles_result result;
};

static struct sample sample;

static void sample_reset(void)
{
    const uint64_t count[vertices] = {1, 2, 2, 1, 1, 1, 1, 0};
    const double clustering[vertices] = {1, 2.0 / 3, 2.0 / 3, 1, 1.0 / 3, 1, 1, 0};
    memcpy(sample.count, count, sizeof count);
    memcpy(sample.clustering, clustering, sizeof clustering);
    sample.result = (struct gws_triangles_result){
        .vertices = vertices, .count = sample.count, .clustering = sample.clustering, .triangles = 3, .wedges = 13};
    sample.result.transitivity = 9.0 / 13;
    sample.result.mean_clustering = (4 + 5.0 / 3) / vertices;
}

static struct gws_graph *build(const struct gws_edge *from, uint64_t count, uint64_t size)
{
    struct gws_edge_block block = {.edge = from, .count = count};
    struct gws_edges input = {.vertices = size, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRISE};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(sample.runtime, &input, &options, &graph), GWS_OK);
    return graph;
}

static void set_up(void)
{
    struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &sample.runtime), GWS_OK);
    sample.graph = build(edge, edges, vertices);
    sample_reset();
}

static void tear_down(void)
{
    gws_graph_destroy(sample.graph);
    gws_runtime_close(sample.runtime);
}

static gws_status check(struct gws_diagnostic *where)
{
    return gws_triangles_check(sample.runtime, sample.graph, &sample.result, where);
}

/* The result has both arrays, one of them, or none. */
START_TEST(right_results)
{
    if (_i & 1) sample.result.count = NULL;
    if (_i & 2) {
        sample.result.clustering = NULL;
        sample.result.mean_clustering = 0;
    }
    ck_assert_int_eq(check(NULL), GWS_OK);
}
END_TEST

START_TEST(wrong_numbers)
{
    static const char *const message[] = {
        "another graph", "3 triangles, the result", "wedges", "transitivity", "the mean", "add up", "the mean"};
    struct gws_diagnostic where = {.message = ""};
    if (_i == 0) sample.result.vertices--;
    if (_i == 1) { /* no arrays, and a transitivity that agrees with the totals */
        sample.result.triangles = 4;
        sample.result.transitivity = 12.0 / 13;
        sample.result.count = NULL;
        sample.result.clustering = NULL;
        sample.result.mean_clustering = 0;
    }
    if (_i == 2) sample.result.wedges++;
    if (_i == 3) sample.result.transitivity = 0.5;
    if (_i == 4) sample.result.mean_clustering = 0.5;
    if (_i == 5) sample.count[7] = 1;
    if (_i == 6) sample.result.clustering = NULL;
    ck_assert_msg(check(&where) == GWS_WRONG_RESULT, "accepted: %s", message[_i]);
    ck_assert_msg(strstr(where.message, message[_i]) != NULL, "%s: %s", message[_i], where.message);
    ck_assert_int_eq(check(NULL), GWS_WRONG_RESULT);
}
END_TEST

/* The exchange does not change the sums. */
START_TEST(exchanged_entries)
{
    struct gws_diagnostic where = {.message = ""};
    gws_graph_set_first_id(sample.graph, 1);
    if (_i == 0) {
        sample.count[3]++;
        sample.count[4]--;
    } else {
        sample.clustering[3] = sample.clustering[4];
        sample.clustering[4] = 1;
    }
    ck_assert_int_eq(check(&where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, "vertex 4 ") != NULL, "%s", where.message);
}
END_TEST

/* ---- a graph that the checker samples ---- */

enum { hubs = 1200, rings = 1000, all = hubs + 3 * rings };

/* Returns a graph with a clique that needs more than 2^28 searches, and with separate triangles. */
static struct gws_graph *large_graph(void)
{
    struct gws_edge *pair = malloc((hubs * hubs + 3 * rings) * sizeof *pair);
    uint64_t count = 0;
    for (uint32_t v = 0; v < hubs; v++)
        for (uint32_t u = 0; u < v; u++) pair[count++] = (struct gws_edge){u, v};
    for (uint32_t v = hubs; v < all; v += 3) {
        pair[count++] = (struct gws_edge){v, v + 1};
        pair[count++] = (struct gws_edge){v, v + 2};
        pair[count++] = (struct gws_edge){v + 1, v + 2};
    }
    struct gws_graph *graph = build(pair, count, all);
    free(pair);
    return graph;
}

static struct gws_graph *large;

/* All samples use one graph. Its runtime has no further thread, because each test runs in a fork of this process. */
static void set_up_large(void)
{
    struct gws_options options = {.threads = 1};
    ck_assert_int_eq(gws_runtime_open(&options, &sample.runtime), GWS_OK);
    large = large_graph();
    gws_runtime_close(sample.runtime);
}

static void tear_down_large(void)
{
    gws_graph_destroy(large);
}

static const char *const spoil[] = {NULL, "vertex ", "vertex ", "random wedges", NULL};

START_TEST(samples)
{
    if (gws_test_races() && _i != 0 && _i != 3) return; /* with and without the numbers of vertices */
    static uint64_t count[all];
    static double clustering[all];
    struct gws_triangles_result result = {.vertices = all, .count = count, .clustering = clustering};
    struct gws_diagnostic where = {.message = ""};
    for (uint32_t v = 0; v < all; v++) {
        count[v] = v < hubs ? (uint64_t)(hubs - 1) * (hubs - 2) / 2 : 1;
        clustering[v] = 1;
        result.wedges += count[v];
    }
    result.triangles = result.wedges / 3;
    result.transitivity = result.mean_clustering = 1;
    for (uint32_t v = hubs; v < all && _i == 1; v++) count[v] = v % 2 ? 2 : 0;
    for (uint32_t v = 0; v < all && _i == 2; v++) result.mean_clustering = clustering[v] = 0.5;
    result.directed = _i == 4; /* in an undirected graph the coefficients by arcs are the same */
    if (_i == 3) {
        result.count = NULL;
        result.triangles -= result.triangles / 1000;
        result.transitivity = 3 * (double)result.triangles / (double)result.wedges;
    }
    gws_status status = gws_triangles_check(sample.runtime, large, &result, &where);
    ck_assert_msg(status == (spoil[_i] ? GWS_WRONG_RESULT : GWS_OK), "%d: %s", _i, where.message);
    ck_assert_msg(!spoil[_i] || strstr(where.message, spoil[_i]) != NULL, "%s", where.message);
}
END_TEST

START_TEST(short_memory)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    for (uint64_t k = 1;; k += gws_test_step()) {
        memory.failed = false;
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_triangles_check(runtime, sample.graph, &sample.result, NULL);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        if (!memory.failed) break;
    }
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

static Suite *triangles_check_suite(void)
{
    Suite *suite = suite_create("triangles_check");
    TCase *verdicts = tcase_create("verdicts");
    tcase_add_checked_fixture(verdicts, set_up, tear_down);
    tcase_add_loop_test(verdicts, right_results, 0, 4);
    tcase_add_loop_test(verdicts, wrong_numbers, 0, 7);
    tcase_add_loop_test(verdicts, exchanged_entries, 0, 2);
    tcase_add_test(verdicts, short_memory);
    suite_add_tcase(suite, verdicts);
    TCase *sampled = tcase_create("sampled");
    tcase_add_unchecked_fixture(sampled, set_up_large, tear_down_large);
    tcase_add_checked_fixture(sampled, set_up, tear_down);
    tcase_add_loop_test(sampled, samples, 0, 5);
    suite_add_tcase(suite, sampled);
    return suite;
}

int main(void)
{
    return gws_test_main(triangles_check_suite);
}
