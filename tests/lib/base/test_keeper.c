/* SPDX-License-Identifier: MIT */
/* The allocator that keeps large blocks: what it hands out again, what it gives back and when, and threads. */
#include "../../harness.h"

#include <pthread.h>
#include <stdint.h>

#include "../../../lib/keeper.h"

enum { small = 1000, large = 1 << 20 };

static struct gws_keeper *open_over(struct gws_test_memory *memory)
{
    struct gws_keeper *keeper = NULL;
    struct gws_allocator under = gws_test_allocator(memory);
    ck_assert_int_eq(gws_keeper_open(&under, &keeper), GWS_OK);
    return keeper;
}

static void *get(struct gws_keeper *keeper, size_t bytes)
{
    struct gws_allocator allocator = gws_keeper_allocator(keeper);
    return allocator.allocate(allocator.context, bytes);
}

static void put(struct gws_keeper *keeper, void *memory, size_t bytes)
{
    struct gws_allocator allocator = gws_keeper_allocator(keeper);
    allocator.release(allocator.context, memory, bytes);
}

START_TEST(a_large_block_is_kept)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_keeper *keeper = open_over(&memory);
    uint64_t before = memory.calls;
    char *first = get(keeper, large);
    first[0] = first[large - 1] = 1;
    put(keeper, first, large);
    ck_assert_ptr_eq(get(keeper, large), first);
    put(keeper, first, large);
    ck_assert_ptr_eq(get(keeper, large - large / 5), first);
    put(keeper, first, large - large / 5);
    ck_assert_uint_eq(memory.calls, before + 1);
    gws_keeper_close(keeper);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(others_are_not_served_by_it)
{
    static const size_t sizes[] = {large + 1, large / 2, large - large / 4, 256 << 10};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_keeper *keeper = open_over(&memory);
        put(keeper, get(keeper, large), large);
        uint64_t before = memory.calls;
        put(keeper, get(keeper, sizes[i]), sizes[i]);
        ck_assert_uint_eq(memory.calls, before + 1);
        gws_keeper_close(keeper);
        gws_test_memory_check(&memory);
    }
}
END_TEST

START_TEST(small_blocks_are_passed_on)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_keeper *keeper = open_over(&memory);
    int64_t before = memory.live;
    put(keeper, get(keeper, small), small);
    put(keeper, get(keeper, (256 << 10) - 1), (256 << 10) - 1);
    ck_assert_int_eq(memory.live, before);
    gws_keeper_close(keeper);
    gws_test_memory_check(&memory);
}
END_TEST

/* Blocks of ever other sizes, so that none serves again: what is kept makes room. */
START_TEST(what_is_kept_is_bounded)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_keeper *keeper = open_over(&memory);
    size_t most = 0, bytes[2];
    for (uint64_t i = 0; i < 200; i++) {
        void *block[2];
        for (uint64_t b = 0; b < 2; b++) {
            bytes[b] = large + (i * 7919 + b * 104729) % 64 * (size_t)large;
            block[b] = get(keeper, bytes[b]);
            ck_assert_ptr_nonnull(block[b]);
        }
        if (bytes[0] + bytes[1] > most) most = bytes[0] + bytes[1];
        if (memory.live > (int64_t)(most + most / 2 + large)) ck_abort_msg("round %llu", (unsigned long long)i);
        for (uint64_t b = 0; b < 2; b++) put(keeper, block[b], bytes[b]);
    }
    gws_keeper_close(keeper);
    gws_test_memory_check(&memory);
}
END_TEST

/* More than the list holds. */
START_TEST(many_blocks)
{
    enum { many = 600, bytes = 256 << 10 };
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_keeper *keeper = open_over(&memory);
    static void *block[many];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < many; i++) block[i] = get(keeper, bytes);
        for (int i = 0; i < many; i++)
            for (int j = 0; j < i; j++)
                if (!block[i] || block[i] == block[j]) ck_abort_msg("block %d, round %d", i, round);
        for (int i = many; i-- > 0;) put(keeper, block[i], bytes);
    }
    gws_keeper_close(keeper);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(short_of_memory)
{
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {.fail_at = k, .fail_after = true};
        struct gws_allocator under = gws_test_allocator(&memory);
        struct gws_keeper *keeper = NULL;
        gws_status status = gws_keeper_open(&under, &keeper);
        if (status == GWS_OK) {
            void *one = get(keeper, large), *two = get(keeper, 3 * large);
            if (one) put(keeper, one, large);
            if (two) put(keeper, two, 3 * large);
            one = get(keeper, large / 2);
            if (one) put(keeper, one, large / 2);
        } else {
            ck_assert_int_eq(status, GWS_NO_MEMORY);
            ck_assert_ptr_null(keeper);
        }
        gws_keeper_close(keeper);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

/* What is kept is given back before a request is refused. */
START_TEST(kept_blocks_are_a_reserve)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_keeper *keeper = open_over(&memory);
    int64_t before = memory.live;
    put(keeper, get(keeper, 16 * large), 16 * large);
    memory.fail_at = memory.calls + 1;
    void *one = get(keeper, large);
    ck_assert_ptr_nonnull(one);
    ck_assert_int_eq(memory.live, before + large);
    put(keeper, one, large);
    gws_keeper_close(keeper);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(allocators_that_are_none)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_allocator half = gws_test_allocator(&memory);
    half.release = NULL;
    struct gws_keeper *keeper = NULL;
    ck_assert_int_eq(gws_keeper_open(&half, &keeper), GWS_INVALID);
    ck_assert_ptr_null(keeper);
    const struct gws_allocator none = {0};
    const struct gws_allocator *own[] = {NULL, &none};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gws_keeper_open(own[i], &keeper), GWS_OK);
        put(keeper, get(keeper, large), large);
        gws_keeper_close(keeper);
    }
    gws_keeper_close(NULL);
}
END_TEST

/* Each thread writes its number all over its blocks, and finds it there. */
static void *use_blocks(void *argument)
{
    struct gws_keeper *keeper = argument;
    static _Atomic unsigned char threads;
    int number = atomic_fetch_add(&threads, 1) + 1;
    for (int i = 0; i < (gws_test_quick() ? 20 : 200); i++) {
        size_t bytes = (size_t)(1 + i % 3) * (256 << 10);
        unsigned char *block = get(keeper, bytes);
        if (!block) return NULL;
        memset(block, number, bytes);
        if (block[0] != number || block[bytes / 2] != number || block[bytes - 1] != number) return NULL;
        put(keeper, block, bytes);
    }
    return keeper;
}

START_TEST(threads_share_it)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_keeper *keeper = open_over(&memory);
    pthread_t thread[4];
    for (int t = 0; t < 4; t++) ck_assert_int_eq(pthread_create(&thread[t], NULL, use_blocks, keeper), 0);
    for (int t = 0; t < 4; t++) {
        void *result;
        ck_assert_int_eq(pthread_join(thread[t], &result), 0);
        ck_assert_ptr_eq(result, keeper);
    }
    gws_keeper_close(keeper);
    gws_test_memory_check(&memory);
}
END_TEST

static Suite *keeper_suite(void)
{
    Suite *suite = suite_create("keeper");
    TCase *tcase = tcase_create("keeper");
    tcase_add_test(tcase, a_large_block_is_kept);
    tcase_add_test(tcase, others_are_not_served_by_it);
    tcase_add_test(tcase, small_blocks_are_passed_on);
    tcase_add_test(tcase, what_is_kept_is_bounded);
    tcase_add_test(tcase, many_blocks);
    tcase_add_test(tcase, short_of_memory);
    tcase_add_test(tcase, kept_blocks_are_a_reserve);
    tcase_add_test(tcase, allocators_that_are_none);
    tcase_add_test(tcase, threads_share_it);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(keeper_suite);
}
