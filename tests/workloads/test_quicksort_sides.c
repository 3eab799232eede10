/* SPDX-License-Identifier: MIT */
/* Tests quicksort on several sides: two devices of PoCL, which a process has if POCL_DEVICES names two, or two GPUs if
 * $GWS_TEST_DEVICE is a kind of theirs, with and without the workers. Keys in every order against qsort(), failing
 * memory, cancelled calls, no side. */
#include "workload.h"

#include "../../workloads/quicksort.h"

enum { devices = 2, max_keys = 30000 };

/* The devices, each with its runtime. All runtimes have the allocator and the cancel hook. */
struct sides {
    struct gws_test_memory memory;
    atomic_bool cancels;
    struct gws_runtime *runtime, *of[devices];
    struct gws_device *device[devices];
    struct gws_quicksort_device *sort[devices];
};

static bool ask(void *context)
{
    return atomic_load(&((struct sides *)context)->cancels);
}

/* Returns false if there are no such devices. */
static bool open_sides(struct sides *sides)
{
    const struct gws_options options = {
        .threads = 2, .allocator = gws_test_allocator(&sides->memory), .cancel = ask, .context = sides};
    const struct gws_device_tasks_options usual = {.groups = 0};
    const char *given = getenv("GWS_TEST_DEVICE");
    char kind[16] = "opencl", address[32];
    if (given) snprintf(kind, sizeof kind, "%.*s", (int)strcspn(given, ":"), given);
    ck_assert_int_eq(gws_runtime_open(&options, &sides->runtime), GWS_OK);
    for (int d = 0; d < devices; d++) {
        struct gws_diagnostic where = {0};
        snprintf(address, sizeof address, "%s:%d", kind, d);
        ck_assert_int_eq(gws_runtime_open(&options, &sides->of[d]), GWS_OK);
        if (gws_device_open(sides->of[d], address, NULL, &sides->device[d], &where) != GWS_OK) {
            printf("skipped: there is no device %s\n", address);
            return false;
        }
        if (gws_quicksort_device_open(sides->of[d], sides->device[d], &usual, &sides->sort[d], &where) != GWS_OK)
            ck_abort_msg("%s", where.message);
    }
    return true;
}

static void close_sides(struct sides *sides)
{
    for (int d = 0; d < devices; d++) {
        gws_quicksort_device_close(sides->sort[d]);
        gws_device_close(sides->device[d]);
        gws_runtime_close(sides->of[d]);
    }
    gws_runtime_close(sides->runtime);
    gws_test_memory_check(&sides->memory);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts, and checks that the keys are sorted, or after an error that they are the same keys. */
static gws_status sort(struct sides *sides, uint32_t count, bool workers, uint64_t *keys, uint64_t size,
                       struct gws_quicksort_side_result *found)
{
    static uint64_t sorted[max_keys];
    const struct gws_quicksort_sides on = {sides->sort, count, workers};
    const struct gws_quicksort_options options = {.seed = size};
    struct gws_quicksort_result result = {.tasks = 77};
    memcpy(sorted, keys, size * sizeof *keys);
    qsort(sorted, size, sizeof *sorted, by_value);
    gws_status status = gws_quicksort_on_sides(sides->runtime, &on, keys, size, &options, &result, found, NULL);
    if (status != GWS_OK) qsort(keys, size, sizeof *keys, by_value);
    if (status != GWS_OK) ck_assert_uint_eq(result.tasks, 77);
    if (size > 0) ck_assert_mem_eq(keys, sorted, size * sizeof *keys);
    return status;
}

static void sort_order(struct sides *sides, uint32_t order, uint64_t size)
{
    static uint64_t keys[max_keys];
    struct gws_quicksort_side_result found[devices + 1] = {{0}};
    for (uint32_t count = 0; count <= devices; count++) {
        const bool workers = count != 1 + order % 2; /* each number of devices, with workers and without */
        uint64_t sum = 0;
        gws_quicksort_fill(sides->runtime, (enum gws_quicksort_order)order, 3, keys, size);
        ck_assert_int_eq(sort(sides, count, workers, keys, size, found), GWS_OK);
        for (uint32_t i = 0; i < count + workers; i++) {
            sum += found[i].keys;
            ck_assert_int_eq(found[i].parts > 0, found[i].keys > 0);
            ck_assert_uint_le(found[i].tree.tasks, 2 * found[i].tree.splits + found[i].parts);
        }
        ck_assert_uint_le(sum, size);
        if (order <= GWS_QUICKSORT_DOWN) ck_assert_uint_ge(sum + 4 * (count + workers), size);
        if (order == GWS_QUICKSORT_EQUAL && size > 1024) ck_assert_uint_eq(sum, 0);
    }
}

/* The keys are at both ends of their range, and most of them equal splitters. */
static void sort_extremes(struct sides *sides)
{
    static uint64_t keys[max_keys];
    for (uint64_t i = 0; i < max_keys; i++) keys[i] = i % 3 == 0 ? UINT64_MAX : i % 3 == 1 ? 0 : UINT64_MAX - i % 7;
    ck_assert_int_eq(sort(sides, devices, true, keys, max_keys, NULL), GWS_OK);
}

START_TEST(sorts)
{
    static const uint64_t sizes[] = {0, 1, 1500, max_keys};
    struct sides sides = {.cancels = false};
    const bool has = open_sides(&sides);
    for (uint32_t order = 0; has && gws_quicksort_order_at(order); order++)
        for (int i = gws_test_quick() ? 3 : 0; i < 4; i++) sort_order(&sides, order, sizes[i]);
    if (has) sort_extremes(&sides);
    close_sides(&sides);
}
END_TEST

/* Refused calls leave the keys alone. */
START_TEST(no_side)
{
    struct gws_runtime *runtime = workload_open(1, NULL);
    const struct gws_quicksort_sides on = {NULL, 0, false};
    const struct gws_quicksort_options options = {.seed = 1};
    struct gws_quicksort_result result = {.tasks = 77};
    uint64_t keys[] = {3, 1};
    ck_assert_int_eq(gws_quicksort_on_sides(runtime, &on, keys, 2, &options, &result, NULL, NULL), GWS_INVALID);
    const struct gws_quicksort_sides workers = {NULL, 0, true};
    const uint64_t many = UINT64_C(1) << 37;
    ck_assert_int_eq(gws_quicksort_on_sides(runtime, &workers, NULL, many, &options, &result, NULL, NULL),
                     GWS_TOO_LARGE);
    ck_assert_uint_eq(result.tasks, 77);
    ck_assert_uint_eq(keys[0], 3);
    gws_runtime_close(runtime);
}
END_TEST

/* Allocations of any side fail one after the other. */
static void sort_with_short_memory(struct sides *sides)
{
    enum { size = 14000 };
    static uint64_t keys[size];
    for (uint64_t k = 1;; k += gws_test_quick() ? 29 : 9) {
        gws_quicksort_fill(sides->runtime, GWS_QUICKSORT_RANDOM, k, keys, size);
        sides->memory.fail_at = atomic_load(&sides->memory.calls) + k;
        gws_status status = sort(sides, devices, true, keys, size, NULL);
        sides->memory.fail_at = 0;
        ck_assert(status == GWS_OK || (status == GWS_NO_MEMORY && atomic_load(&sides->memory.failed)));
        if (!atomic_exchange(&sides->memory.failed, false)) break;
    }
}

static void sort_cancelled(struct sides *sides, bool workers)
{
    static uint64_t keys[max_keys];
    gws_quicksort_fill(sides->runtime, GWS_QUICKSORT_RANDOM, 1, keys, max_keys);
    atomic_store(&sides->cancels, true);
    ck_assert_int_eq(sort(sides, devices, workers, keys, max_keys, NULL), GWS_CANCELLED);
    atomic_store(&sides->cancels, false);
    ck_assert_int_eq(sort(sides, devices, workers, keys, max_keys, NULL), GWS_OK);
}

START_TEST(fails)
{
    struct sides sides = {.cancels = false};
    if (open_sides(&sides)) {
        sort_with_short_memory(&sides);
        sort_cancelled(&sides, false);
        sort_cancelled(&sides, true);
    }
    close_sides(&sides);
}
END_TEST

static void choose_devices(void)
{
    ck_assert_int_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    if (!getenv("GRAPHWS_BUILD")) ck_assert_int_eq(setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1), 0);
}

static Suite *quicksort_sides_suite(void)
{
    Suite *suite = suite_create("quicksort on several sides");
    TCase *all = tcase_create("all");
    tcase_add_unchecked_fixture(all, choose_devices, NULL);
    tcase_add_test(all, sorts);
    tcase_add_test(all, no_side);
    tcase_add_test(all, fails);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(quicksort_sides_suite);
}
