/* SPDX-License-Identifier: MIT */
/* Tests masters and slaves: counts under every policy with and without `await`, bounds, failing memory. */
#include "workload.h"

#include <math.h>

#include "../../workloads/master_slave.h"

START_TEST(counts)
{
    static const struct gws_master_slave_options options[] = {
        {1, 16, 16, 0, 0, false}, {10, 16, 16, 0, 0, true}, {10, 64, 16, 0, 1, false}, {3, 64, 5, 5, 1, true},
        {5, 0, 40, 0, 0, true},   {5, 0, 40, 0, 0, false},  {200, 1, 1, 0, 0, true},   {1, 5000, 2, 0, 0, true}};
    struct gws_runtime *runtime = policies_open(_i);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct gws_master_slave_options *row = &options[i];
        struct gws_master_slave_result result;
        gws_runtime_stats_reset(runtime);
        ck_assert_int_eq(gws_master_slave(runtime, row, &result), GWS_OK);
        uint64_t rounds = row->masters * row->rounds, slaves = rounds * row->slaves;
        ck_assert_uint_eq(result.rounds, rounds);
        ck_assert_uint_eq(result.slaves, slaves);
        ck_assert_uint_eq(result.tasks, rounds + slaves);
        ck_assert_uint_le(result.strays, slaves);
        double ms = ((double)rounds * row->master_us + (double)slaves * row->slave_us) / 1e3;
        ck_assert_double_eq_tol(result.work_ms, ms, 1e-9);
        ck_assert_uint_eq(workload_tasks(runtime), result.tasks);
        if (gws_runtime_workers(runtime) == 1) ck_assert_uint_eq(result.strays, 0);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* One worker with a last in, first out queue shows the difference in the length of its queue. Without `await`, the
 * next round runs before the slaves of the last round. */
START_TEST(awaiting_keeps_the_queue_short)
{
    struct gws_runtime *runtime = workload_open(1, "chaselev");
    uint64_t high[2];
    for (int await = 0; await < 2; await++) {
        struct gws_master_slave_options options = {.masters = 1, .slaves = 16, .rounds = 16, .await = await};
        struct gws_master_slave_result result;
        struct gws_worker_stats stats;
        gws_runtime_stats_reset(runtime);
        ck_assert_int_eq(gws_master_slave(runtime, &options, &result), GWS_OK);
        gws_runtime_stats(runtime, &stats);
        high[await] = stats.high_water;
    }
    ck_assert_uint_ge(high[0], 16 * 15);
    ck_assert_uint_le(high[1], 17);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status call(struct gws_runtime *runtime, const void *options, void *result)
{
    return gws_master_slave(runtime, options, result);
}

START_TEST(bounds)
{
    static const struct {
        struct gws_master_slave_options options;
        gws_status status;
    } wrong[] = {{{0, 1, 1, 0, 0, false}, GWS_INVALID},
                 {{1, 1, 0, 0, 0, false}, GWS_INVALID},
                 {{(1 << 24) + 1, 1, 1, 0, 0, false}, GWS_INVALID},
                 {{1, (UINT64_C(1) << 31) + 1, 1, 0, 0, true}, GWS_INVALID},
                 {{1, 1, 1, -1, 0, false}, GWS_INVALID},
                 {{1, 1, 1, 0, NAN, false}, GWS_INVALID},
                 {{1, 1, 1, 1.1e9, 0, false}, GWS_INVALID},
                 {{1, 1, UINT64_MAX, 0, 0, false}, GWS_TOO_LARGE},
                 {{1 << 24, UINT64_C(1) << 31, 256, 0, 0, false}, GWS_TOO_LARGE}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        workload_refuses(call, &wrong[i].options, wrong[i].status);
}
END_TEST

static gws_status wide(struct gws_runtime *runtime, void *context)
{
    struct gws_master_slave_options options = {.masters = 3, .slaves = 2000, .rounds = 2, .await = *(bool *)context};
    struct gws_master_slave_result result = {.tasks = 77};
    gws_status status = gws_master_slave(runtime, &options, &result);
    ck_assert_uint_eq(result.tasks, status == GWS_OK ? 12006 : 77);
    return status;
}

START_TEST(short_memory)
{
    bool await = _i != 0;
    policies_fail(200, wide, &await);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {counts, policies_count()}, {awaiting_keeps_the_queue_short, 1}, {bounds, 1}, {short_memory, 2}, {0}};
    return gws_test_run("master and slaves", test);
}
