/* SPDX-License-Identifier: MIT */
/* Tests quicksort on several sides: two devices of PoCL, which a process has if POCL_DEVICES names two, or two GPUs if
 * $GWS_TEST_DEVICE is a kind of theirs, with and without the workers. Keys in every order against qsort(), failing
 * memory, cancelled calls, no side. The same on ranks, which are threads here (tests/lib/transport/threads.h), of one
 * host and of two, each with a device or none. */
#include "workload.h"

#include "../../workloads/quicksort.h"
#include "../lib/device/drivers.h"
#include "../lib/transport/threads.h"

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
        if (gws_device_open(sides->of[d], address, gws_test_cached(), &sides->device[d], &where) != GWS_OK) {
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
    const struct gws_quicksort_sides on = {sides->sort, count, workers, found};
    const struct gws_quicksort_options options = {.seed = size};
    struct gws_quicksort_result result = {.tasks = 77};
    memcpy(sorted, keys, size * sizeof *keys);
    qsort(sorted, size, sizeof *sorted, by_value);
    gws_status status = gws_quicksort_on_sides(sides->runtime, &on, keys, size, &options, &result, NULL);
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
    const struct gws_quicksort_sides on = {.devices = 0};
    const struct gws_quicksort_options options = {.seed = 1};
    struct gws_quicksort_result result = {.tasks = 77};
    uint64_t keys[] = {3, 1};
    ck_assert_int_eq(gws_quicksort_on_sides(runtime, &on, keys, 2, &options, &result, NULL), GWS_INVALID);
    const struct gws_quicksort_sides workers = {.workers = true};
    const uint64_t many = UINT64_C(1) << 37;
    ck_assert_int_eq(gws_quicksort_on_sides(runtime, &workers, NULL, many, &options, &result, NULL), GWS_TOO_LARGE);
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

/* ---- on ranks ---- */

enum { ranks = 3, keys_of_rank = 7000 }; /* the last rank has no device */

struct rank_sort {
    struct sides sides;
    struct gws_runtime *runtime[ranks];
    uint64_t keys[ranks * keys_of_rank],
        sorted[ranks * keys_of_rank]; /* sorted: what the ranks found, in their order */
    uint64_t count[ranks];
    uint32_t per_host;
    bool workers; /* beside the devices */
    gws_status status;
};

/* What the sides of all ranks did adds up to the keys. */
static void check_counts(struct gws_transport *transport, const struct gws_quicksort_side_result *found, uint32_t sides,
                         const struct gws_quicksort_result *result, uint64_t all)
{
    uint64_t sum[] = {0, 0};
    for (uint32_t i = 0; i < sides; i++) sum[0] += found[i].keys, sum[1] += found[i].tree.tasks;
    gws_transport_sum(transport, sum, 2);
    if (sum[0] > all || sum[1] != result->tasks) abort(); /* keys that equal a splitter need no sorting */
}

static void rank_body(struct gws_transport *transport, void *context)
{
    struct rank_sort *sort = context;
    const uint32_t self = gws_transport_rank(transport);
    if (gws__links_open(transport, gws__link_auto, sort->per_host) != GWS_OK) abort();
    struct gws_quicksort_side_result found[2];
    struct gws_rank_stats stats = {0};
    const bool has = self < devices;
    const struct gws_quicksort_sides sides = {&sort->sides.sort[has ? self : 0], has, !has || sort->workers, found};
    const struct gws_ranks with = {.transport = transport, .stats = &stats};
    const struct gws_quicksort_options how = {.seed = 5, .sides = &sides};
    struct gws_quicksort_parted sorted = {.count = 0};
    struct gws_quicksort_result result = {.tasks = 0};
    const gws_status status = gws_quicksort_on_ranks(sort->runtime[self], &with, sort->keys + self * keys_of_rank,
                                                     keys_of_rank, &how, &result, &sorted, NULL);
    if (status == GWS_OK)
        check_counts(transport, found, sides.devices + sides.workers, &result, ranks * keys_of_rank);
    else if (sorted.keys || result.tasks > 0)
        abort();
    uint64_t counts[ranks] = {0}, at = 0;
    counts[self] = sorted.count;
    gws_transport_sum(transport, counts, ranks);
    for (uint32_t r = 0; r < self; r++) at += counts[r];
    if (sorted.count > 0) memcpy(sort->sorted + at, sorted.keys, sorted.count * sizeof *sorted.keys);
    if (gws_transport_agree(transport, status) != status) abort(); /* all return the same */
    if (self == 0) sort->status = status;
    gws_quicksort_parted_free(transport, &sorted);
}

/* The ranks' runtimes have the devices' allocator. Returns false if there are no devices. */
static bool open_ranks(struct rank_sort *sort)
{
    memset(sort, 0, sizeof *sort);
    const bool has = open_sides(&sort->sides);
    const struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&sort->sides.memory)};
    for (uint32_t r = 0; r < ranks; r++) ck_assert_int_eq(gws_runtime_open(&options, &sort->runtime[r]), GWS_OK);
    return has;
}

static void close_ranks(struct rank_sort *sort)
{
    for (uint32_t r = 0; r < ranks; r++) gws_runtime_close(sort->runtime[r]);
    close_sides(&sort->sides);
}

/* Sorts keys of an order on the ranks, and checks them. Returns the ranks' status. */
static gws_status sort_on_ranks(struct rank_sort *sort, uint32_t order)
{
    gws_quicksort_fill(sort->sides.runtime, (enum gws_quicksort_order)order, 3, sort->keys, ranks * keys_of_rank);
    run_ranks(ranks, 0, rank_body, sort);
    qsort(sort->keys, ranks * keys_of_rank, sizeof *sort->keys, by_value);
    if (sort->status == GWS_OK) ck_assert_mem_eq(sort->keys, sort->sorted, sizeof sort->keys);
    return sort->status;
}

START_TEST(sorts_on_ranks)
{
    static struct rank_sort sort;
    const bool has = open_ranks(&sort);
    for (uint32_t order = 0; has && gws_quicksort_order_at(order); order++) {
        sort.per_host = order % 3; /* on one host, each on its own, two on one */
        sort.workers = order % 2;
        ck_assert_int_eq(sort_on_ranks(&sort, order), GWS_OK);
    }
    close_ranks(&sort);
}
END_TEST

/* Allocations of any rank and device fail one after the other, which ends the run on all ranks. */
START_TEST(short_memory_on_ranks)
{
    static struct rank_sort sort;
    struct gws_test_memory *memory = &sort.sides.memory;
    bool failed = open_ranks(&sort);
    for (uint64_t k = 1; failed; k += gws_test_quick() ? 29 : 9) {
        memory->fail_at = atomic_load(&memory->calls) + k;
        gws_status status = sort_on_ranks(&sort, GWS_QUICKSORT_RANDOM);
        memory->fail_at = 0;
        failed = atomic_exchange(&memory->failed, false);
        ck_assert(status == GWS_OK || (status == GWS_NO_MEMORY && failed));
    }
    close_ranks(&sort);
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
    tcase_add_test(all, sorts_on_ranks);
    tcase_add_test(all, short_memory_on_ranks);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(quicksort_sides_suite);
}
