/* SPDX-License-Identifier: MIT */
/* Tests quicksort: sorted keys and the same tree of ranges under every policy, keys in every order, errors that the
 * check must find, and failing memory. */
#include "workload.h"

#include "../../workloads/quicksort.h"

static uint64_t *copy_of(const uint64_t *keys, uint64_t count)
{
    uint64_t *copy = malloc((count + 1) * sizeof *copy);
    if (count) memcpy(copy, keys, count * sizeof *copy);
    return copy;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts keys in an order and compares them with the result of qsort(). */
static struct gws_quicksort_result sort(struct gws_runtime *runtime, uint32_t order, uint64_t count,
                                        const struct gws_quicksort_options *options)
{
    uint64_t *keys = copy_of(NULL, 0), *sorted;
    keys = realloc(keys, (count + 1) * sizeof *keys);
    gws_quicksort_fill(runtime, (enum gws_quicksort_order)order, 3, keys, count);
    sorted = copy_of(keys, count);
    qsort(sorted, count, sizeof *sorted, by_value);
    uint64_t sum = gws_quicksort_sum(runtime, keys, count);
    struct gws_quicksort_result result;
    ck_assert_int_eq(gws_quicksort(runtime, keys, count, options, &result), GWS_OK);
    if (memcmp(keys, sorted, count * sizeof *keys) != 0)
        ck_abort_msg("%s: %llu keys, %s, are not sorted", gws_runtime_policy(runtime), (unsigned long long)count,
                     gws_quicksort_order_at(order));
    ck_assert_int_eq(gws_quicksort_check(runtime, keys, count, sum, NULL), GWS_OK);
    free(keys);
    free(sorted);
    return result;
}

START_TEST(sorts)
{
    static const uint64_t counts[] = {0, 1, 2, 3, 17, 1000, 12000};
    struct gws_runtime *runtime = policies_open(_i), *serial = workload_open(1, NULL);
    for (uint32_t order = 0; gws_quicksort_order_at(order); order++)
        for (int c = gws_test_quick() ? 4 : 0; c < 7; c++)
            for (uint64_t cutoff = 0; cutoff < 40; cutoff += 39) {
                struct gws_quicksort_options options = {.cutoff = cutoff, .seed = cutoff};
                struct gws_quicksort_result result = sort(runtime, order, counts[c], &options);
                struct gws_quicksort_result expected = sort(serial, order, counts[c], &options);
                ck_assert_uint_eq(result.tasks, expected.tasks);
                ck_assert_uint_eq(result.splits, expected.splits);
                ck_assert_uint_eq(result.depth, expected.depth);
                ck_assert_uint_le(result.tasks, 2 * result.splits + 1);
                ck_assert_uint_ge(result.tasks, 1);
            }
    gws_runtime_close(runtime);
    gws_runtime_close(serial);
}
END_TEST

START_TEST(down_to_single_keys)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_quicksort_options options = {.cutoff = 1};
    for (uint32_t order = 0; gws_quicksort_order_at(order); order++) sort(runtime, order, 5000, &options);
    struct gws_quicksort_result result = sort(runtime, GWS_QUICKSORT_EQUAL, 5000, &options);
    ck_assert_uint_eq(result.tasks, 1);
    ck_assert_uint_eq(result.splits, 1);
    ck_assert_uint_eq(result.depth, 0);
    gws_runtime_close(runtime);
}
END_TEST

/* The keys are at both ends of their range, so the largest key plus 1 overflows. */
START_TEST(extreme_keys)
{
    struct gws_runtime *runtime = policies_open(1);
    enum { count = 4000 };
    static uint64_t keys[count];
    for (uint64_t i = 0; i < count; i++) keys[i] = i % 3 == 0 ? UINT64_MAX : i % 3 == 1 ? 0 : UINT64_MAX - 1;
    struct gws_quicksort_options options = {.cutoff = 8};
    struct gws_quicksort_result result;
    uint64_t sum = gws_quicksort_sum(runtime, keys, count);
    ck_assert_int_eq(gws_quicksort(runtime, keys, count, &options, &result), GWS_OK);
    ck_assert_int_eq(gws_quicksort_check(runtime, keys, count, sum, NULL), GWS_OK);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(check_finds)
{
    struct gws_runtime *runtime = policies_open(2);
    enum { count = 200000 };
    static uint64_t keys[count];
    struct gws_diagnostic where = {0};
    gws_quicksort_fill(runtime, GWS_QUICKSORT_UP, 0, keys, count);
    uint64_t sum = gws_quicksort_sum(runtime, keys, count);
    keys[100] = 98;
    keys[150000] = 5;
    ck_assert_int_eq(gws_quicksort_check(runtime, keys, count, sum, &where), GWS_WRONG_RESULT);
    ck_assert_str_eq(where.message, "key 100 is smaller than the one before it");
    keys[100] = 99;
    keys[150000] = 150000;
    ck_assert_int_eq(gws_quicksort_check(runtime, keys, count, sum, &where), GWS_WRONG_RESULT);
    ck_assert_str_eq(where.message, "the sorted keys differ from the input");
    keys[100] = 100;
    ck_assert_int_eq(gws_quicksort_check(runtime, keys, count, sum, &where), GWS_OK);
    uint64_t first = keys[0];
    keys[0] = keys[1];
    keys[1] = first;
    ck_assert_uint_eq(gws_quicksort_sum(runtime, keys, count), sum);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(too_many_keys)
{
    struct gws_runtime *runtime = policies_open(0);
    const struct gws_quicksort_options options = {.seed = 1};
    struct gws_quicksort_result result = {.tasks = 77};
    ck_assert_int_eq(gws_quicksort(runtime, NULL, UINT64_C(1) << 48, &options, &result), GWS_TOO_LARGE);
    ck_assert_uint_eq(result.tasks, 77);
    ck_assert_int_eq(gws_quicksort(runtime, NULL, 0, &options, &result), GWS_OK);
    ck_assert_uint_eq(result.tasks, 1);
    gws_runtime_close(runtime);
}
END_TEST

/* Sorts in many parts. A failed sort must leave the same keys in the array. */
static gws_status many_parts(struct gws_runtime *runtime, void *context)
{
    enum { count = 8000 };
    static uint64_t keys[count];
    (void)context;
    gws_quicksort_fill(runtime, GWS_QUICKSORT_RANDOM, 1, keys, count);
    uint64_t sum = gws_quicksort_sum(runtime, keys, count);
    struct gws_quicksort_options options = {.cutoff = 1};
    struct gws_quicksort_result result = {.tasks = 77};
    gws_status status = gws_quicksort(runtime, keys, count, &options, &result);
    if (status == GWS_OK) ck_assert_int_eq(gws_quicksort_check(runtime, keys, count, sum, NULL), GWS_OK);
    if (status != GWS_OK) ck_assert_uint_eq(result.tasks, 77);
    ck_assert_uint_eq(gws_quicksort_sum(runtime, keys, count), sum);
    return status;
}

START_TEST(short_memory)
{
    policies_fail(200, many_parts, NULL);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{sorts, policies_count()},
                                    {down_to_single_keys, 1},
                                    {extreme_keys, 1},
                                    {check_finds, 1},
                                    {too_many_keys, 1},
                                    {short_memory, 1},
                                    {0}};
    return gws_test_run("quicksort", test);
}
