/* SPDX-License-Identifier: MIT */
/* Tests quicksort on every device that compiles programs: keys in every order against qsort(), sizes around the cut-off
 * and the tile, few and many groups, a device whose memory for tasks is too small, and failing memory. */
#include "../lib/device/devices.h"

#include "../../kernels/task/quicksort_words.h"
#include "../../workloads/quicksort.h"

static const struct gws_device_tasks_options usual;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static struct gws_quicksort_device *open_sort(struct gws_device *device, const struct gws_device_tasks_options *options)
{
    struct gws_quicksort_device *sort = NULL;
    struct gws_diagnostic where = {0};
    if (gws_quicksort_device_open(runtime, device, options, &sort, &where) != GWS_OK) ck_abort_msg("%s", where.message);
    return sort;
}

/* Sorts the keys and compares them with the result of qsort(). */
static struct gws_quicksort_result sort_keys(struct gws_quicksort_device *sort, uint64_t *keys, uint64_t count,
                                             uint64_t cutoff, struct gws_device_tasks_result *stats)
{
    const struct gws_quicksort_options options = {.cutoff = cutoff, .seed = cutoff};
    struct gws_quicksort_result result;
    struct gws_diagnostic where = {0};
    uint64_t *sorted = malloc((count + 1) * sizeof *sorted);
    memcpy(sorted, keys, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    if (gws_quicksort_on_device(sort, keys, count, &options, &result, stats, &where) != GWS_OK)
        ck_abort_msg("%s", where.message);
    for (uint64_t i = 0; i < count; i++)
        if (keys[i] != sorted[i])
            ck_abort_msg("key %llu of %llu is wrong", (unsigned long long)i, (unsigned long long)count);
    ck_assert_uint_le(result.tasks, 2 * result.splits + 1);
    ck_assert_uint_ge(result.tasks, 1);
    free(sorted);
    return result;
}

static struct gws_quicksort_result sort_order(struct gws_quicksort_device *sort, uint32_t order, uint64_t count,
                                              uint64_t cutoff, struct gws_device_tasks_result *stats)
{
    uint64_t *keys = calloc(count + 1, sizeof *keys);
    gws_quicksort_fill(runtime, (enum gws_quicksort_order)order, 3, keys, count);
    struct gws_quicksort_result result = sort_keys(sort, keys, count, cutoff, stats);
    free(keys);
    return result;
}

/* ---- orders and sizes ---- */

static void sort_sizes(struct gws_quicksort_device *sort)
{
    static const uint64_t counts[] = {0,     1,     2, 63, 64, 65, QUICK_TILE, QUICK_TILE + 1, 3 * QUICK_TILE - 1,
                                      20000, 100000};
    static const uint64_t cutoffs[] = {0, 1, 2, 1000};
    for (uint32_t order = 0; gws_quicksort_order_at(order); order++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t k = 0; k < sizeof cutoffs / sizeof *cutoffs; k++) {
                uint64_t cutoff = cutoffs[k] ? cutoffs[k] : 64;
                struct gws_quicksort_result result = sort_order(sort, order, counts[c], cutoffs[k], NULL);
                ck_assert_int_eq(result.splits == 0, counts[c] <= cutoff || counts[c] < 2);
                ck_assert_int_eq(result.depth == 0, result.tasks == 1);
                ck_assert_uint_lt(result.depth, 100);
            }
}

/* A range of equal keys is divided once, and all its keys stay. */
static void sort_equal(struct gws_quicksort_device *sort)
{
    struct gws_device_tasks_result stats;
    struct gws_quicksort_result result = sort_order(sort, GWS_QUICKSORT_EQUAL, 50000, 64, &stats);
    ck_assert_uint_eq(result.tasks, 1);
    ck_assert_uint_eq(result.splits, 1);
    ck_assert_uint_eq(stats.sum[QUICK_MOVES], 50000);
}

static void sort_extremes(struct gws_quicksort_device *sort)
{
    enum { count = 4000 };
    static uint64_t keys[count];
    for (uint64_t i = 0; i < count; i++) keys[i] = i % 3 == 0 ? UINT64_MAX : i % 3 == 1 ? 0 : UINT64_MAX - i % 7;
    sort_keys(sort, keys, count, 8, NULL);
}

static void sorts_on(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    for (uint32_t groups = 0; gws_device_describe(device)->compiles && groups < 2; groups++) {
        const struct gws_device_tasks_options options = {.groups = groups};
        struct gws_quicksort_device *sort = open_sort(device, &options);
        sort_sizes(sort);
        sort_equal(sort);
        sort_extremes(sort);
        gws_quicksort_device_close(sort);
    }
    gws_device_close(device);
}

START_TEST(sorts)
{
    open_runtime();
    for_each_device("", sorts_on);
    close_runtime();
}
END_TEST

/* ---- memory ---- */

static void spill_on(const char *address)
{
    const struct gws_device_tasks_options few = {.groups = 1, .blocks = 1};
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_tasks_result stats = {.launches = 0};
    if (gws_device_describe(device)->compiles) {
        struct gws_quicksort_device *sort = open_sort(device, &few);
        for (uint32_t order = 0; gws_quicksort_order_at(order); order++) sort_order(sort, order, 300000, 1, &stats);
        gws_quicksort_device_close(sort);
    }
    gws_device_close(device);
}

START_TEST(few_blocks_suffice)
{
    open_runtime();
    for_each_device("", spill_on);
    close_runtime();
}
END_TEST

static gws_status sort_once(struct gws_device *device, uint64_t *keys, uint64_t count)
{
    const struct gws_quicksort_options options = {.cutoff = 10};
    struct gws_quicksort_device *sort = NULL;
    struct gws_quicksort_result result = {.tasks = 77};
    gws_status status = gws_quicksort_device_open(runtime, device, &usual, &sort, NULL);
    if (status == GWS_OK) status = gws_quicksort_on_device(sort, keys, count, &options, &result, NULL, NULL);
    ck_assert_int_eq(status == GWS_OK, result.tasks != 77);
    gws_quicksort_device_close(sort);
    return status;
}

/* A failed sort leaves the keys in their order. */
static bool fail_once(const char *address, uint64_t k)
{
    enum { count = 2000 };
    static uint64_t keys[count];
    struct gws_test_memory memory = {.fail_at = k};
    struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
    struct gws_device *device = NULL;
    runtime = NULL;
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status == GWS_OK) status = gws_device_open(runtime, address, gws_test_cached(), &device, NULL);
    for (uint64_t i = 0; i < count; i++) keys[i] = count - i;
    if (status == GWS_OK) status = sort_once(device, keys, count);
    ck_assert(status == GWS_OK || (status == GWS_NO_MEMORY && memory.failed));
    for (uint64_t i = 0; i < count; i++) ck_assert_uint_eq(keys[i], status == GWS_OK ? i + 1 : count - i);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    return memory.failed;
}

static void fail_on(const char *address)
{
    fail_each_allocation(address, fail_once);
}

START_TEST(short_memory)
{
    open_runtime();
    for_each_device("", fail_on);
    close_runtime();
}
END_TEST

static void refuse_on(const char *address)
{
    const struct gws_quicksort_options options = {.seed = 1};
    struct gws_quicksort_result result = {.tasks = 77};
    struct gws_device *device = device_at(address, NULL);
    if (gws_device_describe(device)->compiles) {
        struct gws_quicksort_device *sort = open_sort(device, &usual);
        uint64_t many = (UINT64_C(1) << 31) + 1;
        ck_assert_int_eq(gws_quicksort_on_device(sort, NULL, many, &options, &result, NULL, NULL), GWS_TOO_LARGE);
        ck_assert_uint_eq(result.tasks, 77);
        ck_assert_int_eq(gws_quicksort_on_device(sort, NULL, 0, &options, &result, NULL, NULL), GWS_OK);
        ck_assert_uint_eq(result.tasks, 1);
        gws_quicksort_device_close(sort);
    }
    gws_device_close(device);
}

START_TEST(too_many_keys)
{
    open_runtime();
    for_each_device("", refuse_on);
    close_runtime();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{sorts, 1}, {few_blocks_suffice, 1}, {short_memory, 1}, {too_many_keys, 1}, {0}};
    return gws_test_run("quicksort on a device", test);
}
