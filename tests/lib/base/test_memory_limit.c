/* SPDX-License-Identifier: MIT */
/* Tests gws_options.max_memory: refused requests, accounting of releases, and releases after the runtime is closed. */
#include "../../harness.h"

#include <pthread.h>

#include "../../../lib/base/memory.h"
#include "../../../lib/graph.h"
#include "../../../lib/parallel.h"

enum { limit = 1 << 20, threads = 4 };

START_TEST(no_more_than_the_limit_is_in_use)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_allocator under = gws_test_allocator(&memory), limited;
    ck_assert_int_eq(gws__limit_open(&under, limit, &limited), GWS_OK);
    void *all = limited.allocate(limited.context, limit);
    ck_assert_ptr_nonnull(all);
    uint64_t before = memory.calls;
    ck_assert_ptr_null(limited.allocate(limited.context, 1));
    ck_assert_uint_eq(memory.calls, before);
    limited.release(limited.context, all, limit);
    ck_assert_ptr_null(limited.allocate(limited.context, limit + 1));
    ck_assert_ptr_null(limited.allocate(limited.context, SIZE_MAX));
    all = limited.allocate(limited.context, limit - 1);
    void *last = limited.allocate(limited.context, 1);
    ck_assert_ptr_nonnull(last);
    limited.release(limited.context, last, 1);
    limited.release(limited.context, all, limit - 1);
    gws__limit_close(&limited);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(a_refusal_below_counts_nothing)
{
    struct gws_test_memory memory = {.fail_at = 2};
    struct gws_allocator under = gws_test_allocator(&memory), limited;
    ck_assert_int_eq(gws__limit_open(&under, limit, &limited), GWS_OK);
    ck_assert_ptr_null(limited.allocate(limited.context, limit));
    void *all = limited.allocate(limited.context, limit);
    ck_assert_ptr_nonnull(all);
    gws__limit_close(&limited);
    limited.release(limited.context, all, limit); /* the owner has already closed the limit */
    gws_test_memory_check(&memory);
}
END_TEST

static void *churn(void *context)
{
    const struct gws_allocator *limited = context;
    for (int i = 0; i < (gws_test_quick() ? 2000 : 20000); i++) {
        void *half = limited->allocate(limited->context, limit / 2);
        if (half) limited->release(limited->context, half, limit / 2);
    }
    return NULL;
}

START_TEST(threads_share_a_limit)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_allocator under = gws_test_allocator(&memory), limited;
    pthread_t thread[threads];
    ck_assert_int_eq(gws__limit_open(&under, limit, &limited), GWS_OK);
    for (int i = 0; i < threads; i++) ck_assert_int_eq(pthread_create(&thread[i], NULL, churn, &limited), 0);
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    ck_assert_uint_le(memory.peak, limit + 256);
    void *all = limited.allocate(limited.context, limit);
    ck_assert_ptr_nonnull(all);
    gws__limit_close(&limited);
    limited.release(limited.context, all, limit);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(a_runtime_keeps_to_it)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory), .max_memory = 4 << 20};
    struct gws_runtime *runtime = NULL;
    struct gws_graph *graph = NULL, *large = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    ck_assert_ptr_null(gws_allocate(runtime, 4, 1 << 20));
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:400x400", &large, NULL), GWS_NO_MEMORY);
    ck_assert_ptr_null(large);
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:40x40", &graph, NULL), GWS_OK);
    ck_assert_uint_le(memory.peak, (4 << 20) + 256);
    gws_runtime_close(runtime);
    ck_assert_uint_eq(graph->vertices, 1600);
    gws_graph_destroy(graph);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(a_limit_that_a_runtime_does_not_fit_in)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    for (options.max_memory = 1; options.max_memory < 1 << 16; options.max_memory *= 4) {
        gws_status status = gws_runtime_open(&options, &runtime);
        ck_assert(status == GWS_OK || status == GWS_NO_MEMORY);
        if (status == GWS_OK) gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{no_more_than_the_limit_is_in_use, 1},
                                    {a_refusal_below_counts_nothing, 1},
                                    {threads_share_a_limit, 1},
                                    {a_runtime_keeps_to_it, 1},
                                    {a_limit_that_a_runtime_does_not_fit_in, 1},
                                    {0}};
    return gws_test_run("limit", test);
}
