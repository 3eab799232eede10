/* SPDX-License-Identifier: MIT */
/* The caching allocator: reuse of blocks, releases to the allocator below, and use by several threads. */
#include "../../harness.h"

#include <pthread.h>
#include <stdint.h>

#include "../../../lib/caching_allocator.h"

enum { small = 1000, large = 1 << 20 };

static struct gws_caching_allocator *open_over(struct gws_test_memory *memory)
{
    struct gws_caching_allocator *cache = NULL;
    struct gws_allocator under = gws_test_allocator(memory);
    ck_assert_int_eq(gws_caching_allocator_open(&under, &cache), GWS_OK);
    return cache;
}

static void *get(struct gws_caching_allocator *cache, size_t bytes)
{
    struct gws_allocator allocator = gws_caching_allocator_calls(cache);
    return allocator.allocate(allocator.context, bytes);
}

static void put(struct gws_caching_allocator *cache, void *memory, size_t bytes)
{
    struct gws_allocator allocator = gws_caching_allocator_calls(cache);
    allocator.release(allocator.context, memory, bytes);
}

START_TEST(a_large_block_is_reused)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_caching_allocator *cache = open_over(&memory);
    uint64_t before = memory.calls;
    char *first = get(cache, large);
    first[0] = first[large - 1] = 1;
    put(cache, first, large);
    ck_assert_ptr_eq(get(cache, large), first);
    put(cache, first, large);
    ck_assert_ptr_eq(get(cache, large - large / 5), first);
    put(cache, first, large - large / 5);
    ck_assert_uint_eq(memory.calls, before + 1);
    gws_caching_allocator_close(cache);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(others_are_not_served_by_it)
{
    static const size_t sizes[] = {large + 1, large / 2, large - large / 4, 256 << 10};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_caching_allocator *cache = open_over(&memory);
        put(cache, get(cache, large), large);
        uint64_t before = memory.calls;
        put(cache, get(cache, sizes[i]), sizes[i]);
        ck_assert_uint_eq(memory.calls, before + 1);
        gws_caching_allocator_close(cache);
        gws_test_memory_check(&memory);
    }
}
END_TEST

START_TEST(small_blocks_are_passed_on)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_caching_allocator *cache = open_over(&memory);
    int64_t before = memory.live;
    put(cache, get(cache, small), small);
    put(cache, get(cache, (256 << 10) - 1), (256 << 10) - 1);
    ck_assert_int_eq(memory.live, before);
    gws_caching_allocator_close(cache);
    gws_test_memory_check(&memory);
}
END_TEST

/* All blocks have different sizes, so the cache can reuse none and must release blocks. */
START_TEST(the_cache_is_bounded)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_caching_allocator *cache = open_over(&memory);
    size_t max = 0, bytes[2];
    for (uint64_t i = 0; i < 200; i++) {
        void *block[2];
        for (uint64_t b = 0; b < 2; b++) {
            bytes[b] = large + (i * 7919 + b * 104729) % 64 * (size_t)large;
            block[b] = get(cache, bytes[b]);
            ck_assert_ptr_nonnull(block[b]);
        }
        if (bytes[0] + bytes[1] > max) max = bytes[0] + bytes[1];
        if (memory.live > (int64_t)(max + max / 2 + large)) ck_abort_msg("round %llu", (unsigned long long)i);
        for (uint64_t b = 0; b < 2; b++) put(cache, block[b], bytes[b]);
    }
    gws_caching_allocator_close(cache);
    gws_test_memory_check(&memory);
}
END_TEST

/* The test allocates more blocks than the list can hold. */
START_TEST(many_blocks)
{
    enum { many = 600, bytes = 256 << 10 };
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_caching_allocator *cache = open_over(&memory);
    static void *block[many];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < many; i++) block[i] = get(cache, bytes);
        for (int i = 0; i < many; i++)
            for (int j = 0; j < i; j++)
                if (!block[i] || block[i] == block[j]) ck_abort_msg("block %d, round %d", i, round);
        for (int i = many; i-- > 0;) put(cache, block[i], bytes);
    }
    gws_caching_allocator_close(cache);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(short_of_memory)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k, .fail_after = true};
        struct gws_allocator under = gws_test_allocator(&memory);
        struct gws_caching_allocator *cache = NULL;
        gws_status status = gws_caching_allocator_open(&under, &cache);
        if (status == GWS_OK) {
            void *one = get(cache, large), *two = get(cache, 3 * large);
            if (one) put(cache, one, large);
            if (two) put(cache, two, 3 * large);
            one = get(cache, large / 2);
            if (one) put(cache, one, large / 2);
        } else {
            ck_assert_int_eq(status, GWS_NO_MEMORY);
            ck_assert_ptr_null(cache);
        }
        gws_caching_allocator_close(cache);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

/* The cache releases its blocks before it lets a request fail. */
START_TEST(cached_blocks_are_a_reserve)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_caching_allocator *cache = open_over(&memory);
    int64_t before = memory.live;
    put(cache, get(cache, 16 * large), 16 * large);
    memory.fail_at = memory.calls + 1;
    void *one = get(cache, large);
    ck_assert_ptr_nonnull(one);
    ck_assert_int_eq(memory.live, before + large);
    put(cache, one, large);
    gws_caching_allocator_close(cache);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(allocators_that_are_none)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_allocator half = gws_test_allocator(&memory);
    half.release = NULL;
    struct gws_caching_allocator *cache = NULL;
    ck_assert_int_eq(gws_caching_allocator_open(&half, &cache), GWS_INVALID);
    ck_assert_ptr_null(cache);
    const struct gws_allocator none = {0};
    const struct gws_allocator *own[] = {NULL, &none};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gws_caching_allocator_open(own[i], &cache), GWS_OK);
        put(cache, get(cache, large), large);
        gws_caching_allocator_close(cache);
    }
    gws_caching_allocator_close(NULL);
}
END_TEST

/* Writes the thread's number to each of its blocks, and checks later that the number is still there. */
static void *use_blocks(void *argument)
{
    struct gws_caching_allocator *cache = argument;
    static _Atomic unsigned char threads;
    int number = atomic_fetch_add(&threads, 1) + 1;
    for (int i = 0; i < (gws_test_quick() ? 20 : 200); i++) {
        size_t bytes = (size_t)(1 + i % 3) * (256 << 10);
        unsigned char *block = get(cache, bytes);
        if (!block) return NULL;
        memset(block, number, bytes);
        if (block[0] != number || block[bytes / 2] != number || block[bytes - 1] != number) return NULL;
        put(cache, block, bytes);
    }
    return cache;
}

START_TEST(threads_share_it)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_caching_allocator *cache = open_over(&memory);
    pthread_t thread[4];
    for (int t = 0; t < 4; t++) ck_assert_int_eq(pthread_create(&thread[t], NULL, use_blocks, cache), 0);
    for (int t = 0; t < 4; t++) {
        void *result;
        ck_assert_int_eq(pthread_join(thread[t], &result), 0);
        ck_assert_ptr_eq(result, cache);
    }
    gws_caching_allocator_close(cache);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{a_large_block_is_reused, 1},
                                    {others_are_not_served_by_it, 1},
                                    {small_blocks_are_passed_on, 1},
                                    {the_cache_is_bounded, 1},
                                    {many_blocks, 1},
                                    {short_of_memory, 1},
                                    {cached_blocks_are_a_reserve, 1},
                                    {allocators_that_are_none, 1},
                                    {threads_share_it, 1},
                                    {0}};
    return gws_test_run("cache", test);
}
