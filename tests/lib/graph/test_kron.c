/* SPDX-License-Identifier: MIT */
#include "naive.h"

/* The graph is skewed: most degrees are below the mean, hubs are far above the mean, and many vertices are isolated. */
START_TEST(kron_is_skewed)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *kron = naive_generate("kron:14", 2), *uniform = naive_generate("uniform:14", 2);
    struct gws_graph_summary a, b;
    ck_assert_int_eq(gws_graph_summarise(runtime, kron, &a), GWS_OK);
    ck_assert_int_eq(gws_graph_summarise(runtime, uniform, &b), GWS_OK);
    ck_assert_uint_gt(a.max_degree, 1000);
    ck_assert_uint_gt(a.isolated, 2000);
    ck_assert_uint_lt(a.median_degree, 12);
    ck_assert_uint_lt(b.max_degree, 70);
    ck_assert_uint_gt(b.min_degree, 5);
    ck_assert(b.mean_degree > 31.8 && b.mean_degree < 32.0);
    gws_graph_destroy(kron);
    gws_graph_destroy(uniform);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{kron_is_skewed, 1}, {0}};
    return gws_test_run("kron", test);
}
