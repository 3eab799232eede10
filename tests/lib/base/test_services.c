/* SPDX-License-Identifier: MIT */
/* Tests memory and its size arithmetic, hooks, the clock, and random numbers. */
#include "../../harness.h"

#include <stdint.h>

#include "../../../lib/base/memory.h"
#include "../../../lib/parallel.h"
#include "../../../lib/random.h"

START_TEST(sizes_that_overflow)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_allocator allocator = gws_test_allocator(&memory);
    static const uint64_t bad[][2] = {{UINT64_MAX, 2},
                                      {2, UINT64_MAX},
                                      {UINT64_MAX, UINT64_MAX},
                                      {(uint64_t)1 << 32, (uint64_t)1 << 32},
                                      {((uint64_t)1 << 61) + 1, 8},
                                      {(uint64_t)PTRDIFF_MAX + 1, 1},
                                      {(uint64_t)PTRDIFF_MAX / 8 + 1, 8}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_ptr_null(gws__memory_new(&allocator, bad[i][0], bad[i][1]));
        ck_assert_ptr_null(gws__memory_zero(&allocator, bad[i][0], bad[i][1]));
    }
    ck_assert_uint_eq(memory.calls, 0); /* the overflow check refused the request before it called the allocator */
}
END_TEST

START_TEST(nothing_is_one_byte)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_allocator allocator = gws_test_allocator(&memory);
    static const uint64_t sizes[][2] = {{0, 8}, {8, 0}, {0, 0}, {0, UINT64_MAX}, {UINT64_MAX, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *one = gws__memory_zero(&allocator, sizes[i][0], sizes[i][1]);
        ck_assert_ptr_nonnull(one);
        ck_assert_int_eq(*one, 0);
        ck_assert_int_eq(memory.live, 1);
        gws__memory_free(&allocator, one, sizes[i][0], sizes[i][1]);
    }
    gws__memory_free(&allocator, NULL, 3, 4);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(default_memory_is_aligned)
{
    static const uint64_t sizes[] = {1, 63, 64, 65, 4095, 1 << 20, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 9 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *memory = gws__memory_zero(&gws__memory_default, sizes[i], 1);
        ck_assert_ptr_nonnull(memory);
        ck_assert_uint_eq((uintptr_t)memory % 64, 0);
        for (uint64_t b = 0; b < sizes[i]; b++)
            if (memory[b]) ck_abort_msg("byte %llu is not clear", (unsigned long long)b);
        memset(memory, 1, sizes[i]);
        gws__memory_free(&gws__memory_default, memory, sizes[i], 1);
    }
    ck_assert_ptr_null(gws__memory_new(&gws__memory_default, (uint64_t)PTRDIFF_MAX, 1));
}
END_TEST

/* Large arrays begin in the first page of a huge page, and no two of 64 arrays begin at the same line of a page. */
START_TEST(large_memory_begins_at_different_lines)
{
    enum { lines = 64, bytes = 4 << 20 };
    char *memory[lines];
    bool seen[lines] = {false};
    for (int i = 0; i < lines; i++) {
        memory[i] = gws__memory_new(&gws__memory_default, bytes, 1);
        ck_assert_ptr_nonnull(memory[i]);
        uintptr_t in_page = (uintptr_t)memory[i] % (2 << 20);
        ck_assert_uint_lt(in_page, 4096);
        ck_assert_msg(!seen[in_page / 64], "two arrays begin at line %llu", (unsigned long long)in_page / 64);
        seen[in_page / 64] = true;
    }
    for (int i = 0; i < lines; i++) gws__memory_free(&gws__memory_default, memory[i], bytes, 1);
}
END_TEST

/* ---- a runtime's hooks ---- */

struct hook_record {
    uint64_t done, total;
    char work[32], line[32];
};

static void on_progress(void *context, const char *work, uint64_t done, uint64_t total)
{
    struct hook_record *heard = context;
    snprintf(heard->work, sizeof heard->work, "%s", work);
    heard->done = done;
    heard->total = total;
}

static void on_log(void *context, const char *line)
{
    struct hook_record *heard = context;
    snprintf(heard->line, sizeof heard->line, "%s", line);
}

START_TEST(hooks_are_called)
{
    struct hook_record heard = {0};
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options options = {.threads = 1, .progress = on_progress, .log = on_log, .context = &heard};
    options.allocator = gws_test_allocator(&memory);
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    gws_report_progress(runtime, "reading", 3, 8);
    gws_report_log(runtime, "a line");
    ck_assert_str_eq(heard.work, "reading");
    ck_assert_uint_eq(heard.done, 3);
    ck_assert_uint_eq(heard.total, 8);
    ck_assert_str_eq(heard.line, "a line");

    int64_t before = memory.live;
    uint64_t *some = gws_allocate(runtime, 100, sizeof *some);
    ck_assert_ptr_nonnull(some);
    ck_assert_int_eq(memory.live, before + 800);
    gws_release(runtime, some, 100, sizeof *some);
    gws_release(runtime, NULL, 100, 8);
    ck_assert_ptr_null(gws_allocate(runtime, UINT64_MAX, 16));
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(no_hooks)
{
    struct gws_options options = {.threads = 1};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    gws_report_progress(runtime, "reading", 3, 8);
    gws_report_log(runtime, "a line");
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(the_clock_does_not_go_back)
{
    double before = gws_clock_ms();
    for (int i = 0; i < 10000; i++) {
        double now = gws_clock_ms();
        if (now < before) ck_abort_msg("%f after %f", now, before);
        before = now;
    }
}
END_TEST

/* ---- random numbers ---- */

/* The expected values are the first outputs of SplitMix64 from seed 1234567, as published with Vigna's splitmix64.c
 * and its ports. */
START_TEST(random_values_are_those_of_splitmix64)
{
    static const uint64_t expected[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                        UINT64_C(16408922859458223821)};
    uint64_t state = 1234567;
    for (int i = 0; i < 5; i++) ck_assert_uint_eq(gws_random_next(&state), expected[i]);
    state = 0;
    ck_assert_uint_eq(gws_random_next(&state), UINT64_C(0xe220a8397b1dcdaf));
    ck_assert_uint_eq(gws_random_mix(0), 0);
}
END_TEST

START_TEST(draws_by_number_are_a_stream)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t state = gws_random_mix(seed);
        for (uint64_t i = 0; i < 50; i++)
            if (gws_random_at(seed, i) != gws_random_next(&state)) ck_abort_msg("draw %llu", (unsigned long long)i);
    }
}
END_TEST

static int ascending(const void *left, const void *right)
{
    uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
    return (l > r) - (l < r);
}

START_TEST(draws_differ)
{
    enum { seeds = 100, draws = 100 };
    static uint64_t all[seeds * draws];
    for (uint64_t s = 0; s < seeds; s++)
        for (uint64_t i = 0; i < draws; i++) all[s * draws + i] = gws_random_at(s, i);
    qsort(all, seeds * draws, sizeof all[0], ascending);
    for (int i = 1; i < seeds * draws; i++)
        if (all[i] == all[i - 1]) ck_abort_msg("a draw came twice");
}
END_TEST

START_TEST(draws_below_a_bound)
{
    static const uint32_t bounds[] = {1, 2, 3, 7, 1000, UINT32_MAX};
    uint64_t state = 3;
    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++) {
        ck_assert_uint_eq(gws_random_below(0, bounds[b]), 0);
        ck_assert_uint_eq(gws_random_below(UINT64_MAX, bounds[b]), bounds[b] - 1);
        for (int i = 0; i < 1000; i++)
            if (gws_random_below(gws_random_next(&state), bounds[b]) >= bounds[b]) ck_abort_msg("bound %u", bounds[b]);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{sizes_that_overflow, 1},
                                    {nothing_is_one_byte, 1},
                                    {default_memory_is_aligned, 1},
                                    {large_memory_begins_at_different_lines, 1},
                                    {hooks_are_called, 1},
                                    {no_hooks, 1},
                                    {the_clock_does_not_go_back, 1},
                                    {random_values_are_those_of_splitmix64, 1},
                                    {draws_by_number_are_a_stream, 1},
                                    {draws_differ, 1},
                                    {draws_below_a_bound, 1},
                                    {0}};
    return gws_test_run("services", test);
}
