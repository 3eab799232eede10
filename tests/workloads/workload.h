/* SPDX-License-Identifier: MIT */
/* Functions for the tests of workloads: opening a runtime, counting tasks, and calls that must fail. */
#ifndef GWS_TESTS_WORKLOAD_H
#define GWS_TESTS_WORKLOAD_H

#include "../policies.h"

static inline struct gws_runtime *workload_open(uint32_t threads, const char *policy)
{
    struct gws_options options = {.threads = threads, .policy = policy};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* Returns the number of tasks that ran since the last reset of the statistics. The runtime has at most 8 workers. */
static inline uint64_t workload_tasks(const struct gws_runtime *runtime)
{
    struct gws_worker_stats stats[8];
    uint64_t tasks = 0;
    gws_runtime_stats(runtime, stats);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) tasks += stats[w].tasks;
    return tasks;
}

/* A call with invalid options must return the given status and leave its result, of at most 256 bytes, unchanged. */
typedef gws_status workload_call(struct gws_runtime *runtime, const void *options, void *result);

static inline void workload_refuses(workload_call *call, const void *options, gws_status status)
{
    uint64_t result[32], before[32];
    struct gws_runtime *runtime = workload_open(1, NULL);
    memset(result, 0x5a, sizeof result);
    memcpy(before, result, sizeof result);
    ck_assert_int_eq(call(runtime, options, result), status);
    ck_assert_mem_eq(result, before, sizeof result);
    gws_runtime_close(runtime);
}

#endif
