/* SPDX-License-Identifier: MIT */
/* The workloads in virtual time find what the workloads on threads find, and their counters have the same shape. */
#include "workload.h"

#include "../../workloads/simulate.h"

static const char *const policies[] = {"abp", "chaselev", "split", "workpile", "global"};
enum { policy_count = sizeof policies / sizeof *policies };
static const uint32_t workers[] = {1, 2, 16, 700};
enum { worker_counts = sizeof workers / sizeof *workers };

static struct gws_sim_options options_for(int i)
{
    return (struct gws_sim_options){.workers = workers[i % worker_counts],
                                    .policy = policies[i / worker_counts],
                                    .machine = gws_sim_preset_at(0)->machine};
}

START_TEST(trees)
{
    static const struct gws_uts_tree tree[] = {{GWS_UTS_GEOMETRIC, GWS_UTS_FIXED, 5, 4, 19, 0, 0, 0, 1},
                                               {GWS_UTS_BINOMIAL, GWS_UTS_LINEAR, 0, 50, 42, 0.124875, 8, 0, 1},
                                               {GWS_UTS_BINOMIAL, GWS_UTS_LINEAR, 0, 1100, 3, 0.2, 3, 0, 1},
                                               {GWS_UTS_GEOMETRIC, GWS_UTS_LINEAR, 1, 0, 0, 0, 0, 0, 1},
                                               {GWS_UTS_BALANCED, GWS_UTS_LINEAR, 2, 100, 0, 0, 0, 0, 1}};
    struct gws_runtime *runtime = workload_open(1, "split");
    const struct gws_sim_options options = options_for(_i);
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++) {
        struct gws_uts_result expected, result;
        struct gws_sim_result found;
        ck_assert_int_eq(gws_uts_search(runtime, &tree[i], NULL, &expected), GWS_OK);
        for (uint32_t batch = 1; batch <= 64; batch *= 64) {
            ck_assert_int_eq(gws_uts_simulate(runtime, &options, &tree[i], batch, &result, &found, NULL), GWS_OK);
            ck_assert_mem_eq(&result, &expected, sizeof result);
            ck_assert_uint_eq(found.tasks, expected.nodes - expected.leaves);
            const double node_ms = options.machine.cost[GWS_SIM_node] / 1e6, nodes = (double)expected.nodes - 1;
            if (batch == 1) ck_assert_double_eq_tol(found.work_ms, nodes * node_ms, 1e-9);
            ck_assert_double_ge(found.work_ms, nodes * node_ms - 1e-9); /* vectors of a batch are not full */
        }
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(producers_masters_and_keys)
{
    struct gws_runtime *runtime = workload_open(1, "split");
    const struct gws_sim_options options = options_for(_i);
    struct gws_sim_result found;
    const struct gws_bpc_options bpc = {.consumers = 50, .depth = 20, .work_us = 3};
    struct gws_bpc_result of_bpc;
    ck_assert_int_eq(gws_bpc_simulate(runtime, &options, &bpc, &of_bpc, &found, NULL), GWS_OK);
    ck_assert_uint_eq(of_bpc.consumers, 1000);
    ck_assert_double_eq_tol(found.work_ms, 3, 1e-9);
    ck_assert_uint_le(of_bpc.bounces, options.workers == 1 ? 0 : 20);
    for (int await = 0; await < 2; await++) {
        const struct gws_master_slave_options load = {3, 16, 5, 10, 2, await};
        struct gws_master_slave_result of_masters;
        ck_assert_int_eq(gws_master_slave_simulate(runtime, &options, &load, &of_masters, &found, NULL), GWS_OK);
        ck_assert_uint_eq(of_masters.slaves, 240);
        ck_assert_double_eq_tol(found.work_ms, 15 * 0.01 + 240 * 0.002, 1e-9);
    }
    uint64_t keys[3000];
    const struct gws_quicksort_options how = {.cutoff = 30, .seed = 3};
    struct gws_quicksort_result expected, sorted;
    gws_quicksort_fill(runtime, GWS_QUICKSORT_RANDOM, 3, keys, 3000);
    const uint64_t sum = gws_quicksort_sum(runtime, keys, 3000);
    ck_assert_int_eq(gws_quicksort_simulate(runtime, &options, keys, 3000, &how, &sorted, &found, NULL), GWS_OK);
    ck_assert_int_eq(gws_quicksort_check(runtime, keys, 3000, sum, NULL), GWS_OK);
    gws_quicksort_fill(runtime, GWS_QUICKSORT_RANDOM, 3, keys, 3000);
    ck_assert_int_eq(gws_quicksort(runtime, keys, 3000, &how, &expected), GWS_OK);
    ck_assert_mem_eq(&sorted, &expected, sizeof sorted);
    gws_runtime_close(runtime);
}
END_TEST

/* One worker has no choice: the simulation and a thread have the same longest queue. */
START_TEST(one_thread_and_one_worker_agree)
{
    const struct gws_uts_tree tree = {GWS_UTS_GEOMETRIC, GWS_UTS_FIXED, 7, 4, 19, 0, 0, 0, 1};
    struct gws_runtime *runtime = workload_open(1, policies[_i]);
    for (uint32_t batch = 1; batch <= 64; batch *= 8) {
        const struct gws_uts_options on_threads = {.batch = batch};
        const struct gws_sim_options options = {
            .workers = 1, .policy = policies[_i], .machine = gws_sim_preset_at(0)->machine};
        struct gws_uts_result result;
        struct gws_sim_result found;
        struct gws_worker_stats stats;
        gws_runtime_stats_reset(runtime);
        ck_assert_int_eq(gws_uts_search(runtime, &tree, &on_threads, &result), GWS_OK);
        gws_runtime_stats(runtime, &stats);
        ck_assert_int_eq(gws_uts_simulate(runtime, &options, &tree, batch, &result, &found, NULL), GWS_OK);
        ck_assert_uint_eq(found.tasks, stats.tasks);
        ck_assert_uint_eq(found.queue_high_water, stats.high_water);
        ck_assert_uint_eq(found.steals + stats.steals, 0);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refused)
{
    struct gws_runtime *runtime = workload_open(1, NULL);
    const struct gws_sim_options options = options_for(0);
    struct gws_sim_result found = {.tasks = 77};
    struct gws_bpc_result of_bpc;
    struct gws_master_slave_result of_masters;
    struct gws_uts_result of_tree;
    const struct gws_bpc_options endless = {.consumers = 1, .depth = UINT64_C(1) << 40}, negative = {1, 1, -1, NULL};
    ck_assert_int_eq(gws_bpc_simulate(runtime, &options, &endless, &of_bpc, &found, NULL), GWS_TOO_LARGE);
    ck_assert_int_eq(gws_bpc_simulate(runtime, &options, &negative, &of_bpc, &found, NULL), GWS_INVALID);
    const struct gws_master_slave_options none = {.masters = 0, .rounds = 1};
    ck_assert_int_eq(gws_master_slave_simulate(runtime, &options, &none, &of_masters, &found, NULL), GWS_INVALID);
    const struct gws_uts_tree infinite = {GWS_UTS_BINOMIAL, GWS_UTS_LINEAR, 0, 50, 42, 0.5, 8, 0, 1};
    ck_assert_int_eq(gws_uts_simulate(runtime, &options, &infinite, 1, &of_tree, &found, NULL), GWS_TOO_LARGE);
    ck_assert_uint_eq(found.tasks, 77);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{trees, policy_count * worker_counts},
                                    {producers_masters_and_keys, policy_count * worker_counts},
                                    {one_thread_and_one_worker_agree, policy_count},
                                    {refused, 1},
                                    {0}};
    return gws_test_run("simulate", test);
}
