/* SPDX-License-Identifier: MIT */
/* Tests the bouncing producer-consumer: counts under every policy, bounds of the options, failing memory. */
#include "workload.h"

#include <math.h>

#include "../../workloads/bpc.h"

START_TEST(counts)
{
    static const struct gws_bpc_options options[] = {{0, 0, 0, NULL}, {0, 50, 0, NULL},   {7, 0, 5, NULL},
                                                     {1, 1, 1, NULL}, {100, 40, 0, NULL}, {9, 30, 2, NULL}};
    struct gws_runtime *runtime = policies_open(_i);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct gws_bpc_result result;
        gws_runtime_stats_reset(runtime);
        ck_assert_int_eq(gws_bpc(runtime, &options[i], &result), GWS_OK);
        uint64_t n = options[i].consumers, d = options[i].depth;
        ck_assert_uint_eq(result.tasks, d * (n + 1) + 1);
        ck_assert_uint_eq(result.producers, d + 1);
        ck_assert_uint_eq(result.consumers, d * n);
        ck_assert_uint_le(result.bounces, d);
        ck_assert_double_eq_tol(result.work_ms, (double)(d * n) * options[i].work_us / 1e3, 1e-9);
        ck_assert_uint_eq(workload_tasks(runtime), result.tasks);
        if (gws_runtime_workers(runtime) == 1) ck_assert_uint_eq(result.bounces, 0);
    }
    gws_runtime_close(runtime);
}
END_TEST

static gws_status call(struct gws_runtime *runtime, const void *options, void *result)
{
    return gws_bpc(runtime, options, result);
}

START_TEST(bounds)
{
    static const struct {
        struct gws_bpc_options options;
        gws_status status;
    } wrong[] = {{{1, 1, -1, NULL}, GWS_INVALID},
                 {{1, 1, NAN, NULL}, GWS_INVALID},
                 {{1, 1, 2e9, NULL}, GWS_INVALID},
                 {{1, 1, INFINITY, NULL}, GWS_INVALID},
                 {{UINT64_MAX, 1, 0, NULL}, GWS_TOO_LARGE},
                 {{0, UINT64_MAX, 0, NULL}, GWS_TOO_LARGE},
                 {{UINT64_C(1) << 32, UINT64_C(1) << 32, 0, NULL}, GWS_TOO_LARGE}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        workload_refuses(call, &wrong[i].options, wrong[i].status);
}
END_TEST

static gws_status wide(struct gws_runtime *runtime, void *context)
{
    (void)context;
    struct gws_bpc_options options = {.consumers = 3000, .depth = 2};
    struct gws_bpc_result result = {.tasks = 77};
    gws_status status = gws_bpc(runtime, &options, &result);
    ck_assert_uint_eq(result.tasks, status == GWS_OK ? 6003 : 77);
    return status;
}

START_TEST(short_memory)
{
    policies_fail(200, wide, NULL);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{counts, policies_count()}, {bounds, 1}, {short_memory, 1}, {0}};
    return gws_test_run("bpc", test);
}
