/* SPDX-License-Identifier: MIT */
/* Large copies through slots (lib/device/staging.c), over an emulated bus. */
#define _DEFAULT_SOURCE /* madvise */
#include "emulated_bus.h"

#include <sys/mman.h>

#include "../../../lib/parallel.h"
#include "../../../lib/tasks.h"

enum { guard = 64, page = 2 << 20, max_bytes = 21 * page + 5 };

/* ---- memory of both sides ---- */

struct staging_test {
    struct bus bus;
    double limit_ms;
    char *all, *host; /* host points into all, at an offset from a page boundary */
};

/* The data to copy, different in every block. */
static char *pattern;

static void make_pattern(void)
{
    const uint64_t words = (max_bytes + 3) / 4;
    uint32_t *word = malloc(words * sizeof *word);
    for (uint64_t i = 0; i < words; i++) word[i] = (uint32_t)i * 2654435761u;
    pattern = (char *)word;
}

static void free_pattern(void)
{
    free(pattern);
}

/* Fills the source with the right bytes, and all other memory with 0x55. */
static void set_up(struct staging_test *test, bool to_host, uint64_t bytes, uint64_t skew)
{
    *test = (struct staging_test){.bus = {.to_host = to_host, .bytes = bytes}, .limit_ms = 60000};
    ck_assert_int_eq(posix_memalign((void **)&test->all, page, guard + skew + bytes + guard + page), 0);
    test->host = test->all + (skew < guard ? page : 0) + skew;
    test->bus.device = malloc(bytes + guard);
    test->bus.memory = malloc((uint64_t)gws__staging_slots * slot);
    memset(test->host - guard, 0x55, bytes + 2 * guard);
    memset(test->bus.device, 0x55, bytes + guard);
    memcpy(to_host ? test->bus.device : test->host, pattern, bytes);
}

static void tear_down(struct staging_test *test)
{
    free(test->all);
    free(test->bus.device);
    free(test->bus.memory);
}

static gws_status copy(struct gws_runtime *runtime, struct staging_test *test, struct gws_diagnostic *where)
{
    struct bus *bus = &test->bus;
    bus->base = (struct gws_device){.call = &calls,
                                    .runtime = runtime,
                                    .info = {.address = "bus"},
                                    .limit_ms = test->limit_ms,
                                    .own = &bus->own,
                                    .staging = &bus->staging};
    bus->own.device = bus->buffer.device = &bus->base;
    bus->pinned.host = bus->memory;
    bus->staging = (struct gws__staging){.pinned = &bus->pinned, .slots = gws__staging_slots_of(runtime)};
    return gws__staging_copy(&bus->buffer, 0, bus->to_host ? NULL : test->host, bus->to_host ? test->host : NULL,
                             bus->bytes, where);
}

static void check(const struct staging_test *test)
{
    const char *to = test->bus.to_host ? test->host : test->bus.device;
    ck_assert_uint_eq(atomic_load(&test->bus.transferred), test->bus.bytes);
    ck_assert(memcmp(to, pattern, test->bus.bytes) == 0);
    for (uint64_t i = 0; i < guard; i++)
        if (to[test->bus.bytes + i] != 0x55) ck_abort_msg("the byte behind is overwritten");
    for (uint64_t i = 1; i <= guard && test->bus.to_host; i++)
        if (test->host[-(int64_t)i] != 0x55) ck_abort_msg("the byte before is overwritten");
}

static struct gws_runtime *open_with(uint32_t threads)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&(struct gws_options){.threads = threads}, &runtime), GWS_OK);
    return runtime;
}

/* ---- all sizes ---- */

static const uint64_t sizes[] = {
    0,        1,    slot - 1, slot,         slot + 1,     2 * slot - 1,    2 * slot,
    page - 1, page, page + 1, 3 * slot + 7, 2 * page + 9, 5 * page - slot, 9 * page + 3 * slot + 1,
};
static const uint64_t skews[] = {0, 1, guard, page - 1, page / 2 + 24};

static void copy_all_sizes(bool to_host)
{
    enum { size_count = sizeof sizes / sizeof *sizes, skew_count = sizeof skews / sizeof *skews };
    const uint64_t step = gws_test_quick() ? 9 : 1; /* no divisor of the number of sizes */
    for (uint32_t threads = gws_test_races() ? 3 : 1; threads <= 4; threads += gws_test_quick() ? 2 : 1) {
        struct gws_runtime *runtime = open_with(threads);
        for (uint64_t i = 0; i < (uint64_t)size_count * skew_count; i += step) {
            struct staging_test test;
            set_up(&test, to_host, sizes[i % size_count], skews[i / size_count]);
            ck_assert_int_eq(copy(runtime, &test, NULL), GWS_OK);
            check(&test);
            tear_down(&test);
        }
        gws_runtime_close(runtime);
    }
}

START_TEST(all_sizes_arrive_there)
{
    copy_all_sizes(false);
}
END_TEST

START_TEST(all_sizes_arrive_here)
{
    copy_all_sizes(true);
}
END_TEST

/* The copy has more workers than slots. */
START_TEST(a_crowd_copies)
{
    struct gws_runtime *runtime = open_with(gws__staging_slots + 3);
    for (int to_host = 0; to_host < 2; to_host++) {
        struct staging_test test;
        set_up(&test, to_host, max_bytes, 4096);
        ck_assert_int_eq(copy(runtime, &test, NULL), GWS_OK);
        check(&test);
        tear_down(&test);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The test reads into memory of which only the ends were touched before. */
START_TEST(fresh_memory_is_filled)
{
    struct gws_runtime *runtime = open_with(3);
    for (uint64_t i = 0; i < sizeof skews / sizeof *skews; i += gws_test_quick() ? 2 : 1) {
        struct staging_test test;
        set_up(&test, true, max_bytes, skews[i]);
        char *first = test.host + page - (uintptr_t)test.host % page;
        ck_assert_int_eq(madvise(first, 19 * page, MADV_DONTNEED), 0);
        ck_assert_int_eq(copy(runtime, &test, NULL), GWS_OK);
        check(&test);
        tear_down(&test);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- in a loop ---- */

struct within {
    struct gws_runtime *runtime;
    struct staging_test *test;
    atomic_int wrong;
};

static void copy_within(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct within *within = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        within->test[i].bus.caller = pthread_self();
        within->test[i].bus.one_caller = true;
        if (copy(within->runtime, &within->test[i], NULL) != GWS_OK) within->wrong++;
    }
}

static void copy_in_task(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    uint64_t i = *(const uint64_t *)task;
    (void)self;
    copy_within(context, worker, i, i + count);
}

static void copy_in_tasks(struct within *within)
{
    static const uint64_t root[] = {0, 1, 2, 3};
    const struct gws_tasks tasks = {
        .bytes = sizeof *root, .root = root, .roots = 4, .run = copy_in_task, .context = within};
    ck_assert_int_eq(gws_tasks_run(within->runtime, &tasks), GWS_OK);
}

/* The thread that requests a copy in a body performs the copy without other workers. So two bodies of a loop, or two
 * tasks, may copy concurrently over different buses. */
START_TEST(a_body_copies_alone)
{
    static const char *const policy[] = {"chunked", "chaselev", "static"}; /* static: tasks in rounds */
    const struct gws_options options = {.threads = 3, .policy = policy[_i / 2]};
    struct gws_runtime *runtime = NULL;
    struct staging_test test[4];
    struct within within = {.test = test};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    within.runtime = runtime;
    for (int i = 0; i < 4; i++) set_up(&test[i], i % 2, 3 * page + 1, 100);
    if (_i % 2)
        copy_in_tasks(&within);
    else
        gws_parallel_for(runtime, 4, 1, copy_within, &within);
    ck_assert_int_eq(within.wrong, 0);
    for (int i = 0; i < 4; i++) {
        ck_assert(test[i].bus.one_caller);
        ck_assert_uint_eq(test[i].bus.other_callers, 0);
        check(&test[i]);
        tear_down(&test[i]);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- a bus that breaks ---- */

START_TEST(a_broken_bus_is_reported)
{
    struct gws_runtime *runtime = open_with(3);
    for (int to_host = 0; to_host < 2; to_host++)
        for (uint64_t k = 1;; k += gws_test_quick() ? 11 : 1) {
            struct staging_test test;
            struct gws_diagnostic where = {0};
            set_up(&test, to_host, 3 * page + 5, 64);
            test.bus.fail_at = k;
            gws_status status = copy(runtime, &test, &where);
            bool broke = atomic_load(&test.bus.calls) >= k;
            ck_assert_int_eq(status, broke ? GWS_DEVICE : GWS_OK);
            ck_assert_str_eq(where.message, broke ? "the bus broke" : "");
            tear_down(&test);
            if (!broke) break;
        }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(a_bus_that_stalls_is_given_up)
{
    struct gws_runtime *runtime = open_with(3);
    for (int to_host = 0; to_host < 2; to_host++) {
        struct staging_test test;
        struct gws_diagnostic where = {0};
        set_up(&test, to_host, 3 * page + 5, 64);
        test.limit_ms = 20;
        test.bus.stalls = true;
        ck_assert_int_eq(copy(runtime, &test, &where), GWS_DEVICE);
        ck_assert_str_eq(where.message, "bus: no answer after 20 ms");
        tear_down(&test);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- fresh memory ---- */

START_TEST(each_page_is_touched)
{
    enum { small_page = 4096 };
    static const uint64_t bytes[] = {0, 1, small_page, small_page + 1, page, page + 1, 3 * page - 1};
    struct gws_runtime *runtime = open_with(3);
    char *memory = malloc(4 * page);
    for (size_t s = 0; s < sizeof bytes / sizeof *bytes; s++) {
        memset(memory, 0x55, 4 * page);
        gws__staging_touch(runtime, memory, bytes[s]);
        for (uint64_t i = 0; i < 4 * page; i++)
            if ((memory[i] == 0) != (i < bytes[s] && i % small_page == 0)) ck_abort_msg("byte %u", (unsigned)i);
    }
    free(memory);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {all_sizes_arrive_there, 1},        {all_sizes_arrive_here, 1}, {a_crowd_copies, 1},
        {fresh_memory_is_filled, 1},        {a_body_copies_alone, 6},   {a_broken_bus_is_reported, 1},
        {a_bus_that_stalls_is_given_up, 1}, {each_page_is_touched, 1},  {0}};
    return gws_test_run_between("staging", test, make_pattern, free_pattern);
}
