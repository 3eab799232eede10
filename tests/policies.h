/* SPDX-License-Identifier: MIT */
/* Runtimes for tests under every policy with several numbers of threads. */
#ifndef GWS_TESTS_POLICIES_H
#define GWS_TESTS_POLICIES_H

#include "harness.h"

#include "../lib/parallel.h"

static const uint32_t policies_threads[] = {1, 2, 3, 8};

/* Returns the number of combinations of policies and numbers of threads, for tcase_add_loop_test(). Sanitizer runs
 * have one combination for each policy, with several threads. */
static inline int policies_count(void)
{
    int count = 0;
    while (gws_policy_at((uint32_t)count, NULL)) count++;
    return gws_test_quick() ? count : count * 4;
}

/* Opens a runtime for the i-th combination, from 0. */
static inline struct gws_runtime *policies_open(int i)
{
    const uint32_t policy = (uint32_t)(gws_test_quick() ? i : i / 4),
                   threads = (uint32_t)(gws_test_quick() ? 1 + i % 3 : i % 4);
    struct gws_options options = {.threads = policies_threads[threads], .policy = gws_policy_at(policy, NULL)};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

/* Runs every policy with two workers and a failing k-th allocation. call(runtime, context) must succeed or return
 * GWS_NO_MEMORY, and nothing may leak. Opening the runtime may fail too. Allocations after the first `max` all succeed,
 * so that calls with thousands of allocations stay short. */
typedef gws_status policies_call(struct gws_runtime *runtime, void *context);

static inline bool policies_fail_once(uint32_t policy, uint64_t k, policies_call *call, void *context)
{
    struct gws_test_memory memory = {.fail_at = k};
    struct gws_options options = {
        .threads = 2, .policy = gws_policy_at(policy, NULL), .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status == GWS_OK) status = call(runtime, context);
    if (status != GWS_OK && status != GWS_NO_MEMORY)
        ck_abort_msg("%s: %s when call %llu failed", options.policy, gws_status_text(status), (unsigned long long)k);
    if (status == GWS_NO_MEMORY && !memory.failed) ck_abort_msg("%s: no memory, for no reason", options.policy);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    return memory.failed;
}

static inline void policies_fail(uint64_t max, policies_call *call, void *context)
{
    for (uint32_t policy = 0; gws_policy_at(policy, NULL); policy++)
        for (uint64_t k = 1; k <= max && policies_fail_once(policy, k, call, context); k += gws_test_step()) continue;
}

#endif
