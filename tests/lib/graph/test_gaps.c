/* SPDX-License-Identifier: MIT */
#include "naive.h"

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static struct gws_graph_gaps slow_gaps(const struct gws_graph *graph)
{
    struct gws_graph_gaps gaps = {0};
    struct naive naive = naive_of(graph);
    uint64_t *gap = malloc((naive.arcs + 1) * sizeof *gap);
    for (uint64_t i = 0; i < naive.arcs; i++) {
        int64_t difference = (int64_t)naive.arc[i].from - (int64_t)naive.arc[i].to;
        gap[i] = (uint64_t)(difference < 0 ? -difference : difference);
        gaps.mean += (double)gap[i];
        for (uint64_t rest = gap[i]; rest > 0; rest /= 2) gaps.mean_bits += 1;
    }
    qsort(gap, naive.arcs, sizeof *gap, compare);
    if (naive.arcs > 0) {
        gaps.max = gap[naive.arcs - 1];
        gaps.median = gap[(naive.arcs - 1) / 2];
        gaps.mean /= (double)naive.arcs;
        gaps.mean_bits /= (double)naive.arcs;
    }
    free(gap);
    naive_clear(&naive);
    return gaps;
}

static void check(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_graph_gaps gaps, right = slow_gaps(graph);
    ck_assert_int_eq(gws_graph_gaps(runtime, graph, &gaps), GWS_OK);
    ck_assert_uint_eq(gaps.max, right.max);
    ck_assert_uint_eq(gaps.median, right.median);
    ck_assert_double_eq(gaps.mean, right.mean);
    ck_assert_double_eq(gaps.mean_bits, right.mean_bits);
}

START_TEST(random_graphs)
{
    struct gws_runtime *runtime = naive_runtime((uint32_t)_i);
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct gws_graph *graph = naive_random_graph(runtime, 1 + seed * seed * 90, seed * 150, false,
                                                     seed & 1 ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED, seed);
        check(runtime, graph);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The medians have digits of all three counts. */
START_TEST(large_gaps)
{
    enum { vertices = 1 << 23 };
    static const uint32_t far[] = {0, 2047, 2048, (1 << 22) - 1, (1 << 22) + 5000, vertices - 1};
    struct gws_runtime *runtime = naive_runtime(2);
    uint64_t *offset = malloc((vertices + 1) * sizeof *offset);
    offset[0] = 0;
    for (uint64_t v = 0; v < vertices; v++) offset[v + 1] = 1; /* only vertex 0 has an arc */
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        struct gws_graph *graph = NULL;
        struct gws_graph_gaps gaps;
        ck_assert_int_eq(gws_graph_wrap(runtime, vertices, offset, &far[i], NULL, true, true, &graph), GWS_OK);
        ck_assert_int_eq(gws_graph_gaps(runtime, graph, &gaps), GWS_OK);
        ck_assert_uint_eq(gaps.median, far[i]);
        ck_assert_uint_eq(gaps.max, far[i]);
        ck_assert_double_eq(gaps.mean, far[i]);
        gws_graph_destroy(graph);
    }
    free(offset);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(no_arcs)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *graph = naive_random_graph(runtime, 5, 0, false, GWS_BUILD_DIRECTED, 1);
    struct gws_graph_gaps gaps = {.max = 1, .median = 1, .mean = 1, .mean_bits = 1};
    ck_assert_int_eq(gws_graph_gaps(runtime, graph, &gaps), GWS_OK);
    ck_assert(gaps.max == 0 && gaps.median == 0 && gaps.mean == 0 && gaps.mean_bits == 0);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(allocation_may_fail)
{
    bool failed = true;
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws_graph_gaps gaps = {.max = 77};
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        struct gws_graph *graph = naive_random_graph(runtime, 200, 900, false, GWS_BUILD_DIRECTED, 2);
        memory.fail_at = memory.calls + k;
        gws_status status = gws_graph_gaps(runtime, graph, &gaps);
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        if (failed) ck_assert_uint_eq(gaps.max, 77);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}
END_TEST

static Suite *gaps_suite(void)
{
    Suite *suite = suite_create("gaps");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, random_graphs, 1, 4);
    tcase_add_test(all, large_gaps);
    tcase_add_test(all, no_arcs);
    tcase_add_test(all, allocation_may_fail);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(gaps_suite);
}
