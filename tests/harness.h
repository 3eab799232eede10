/* SPDX-License-Identifier: MIT */
/* Every C test uses this header: a main function, an allocator that fails on purpose, a temporary folder, the real
 * data sets.
 *
 * A test program ends with
 *     int main(void)
 *     {
 *         const struct gws_test test[] = {{grows, 1}, {every_shape, shapes}, {0}};
 *         return gws_test_run("my suite", test);
 *     }
 * Everything is inline, so a program compiles only what it uses. Include this header before others, or define
 * _GNU_SOURCE or _POSIX_C_SOURCE yourself. */
#ifndef GWS_TESTS_HARNESS_H
#define GWS_TESTS_HARNESS_H

#if !defined _GNU_SOURCE && !defined _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <check.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/runtime.h"

/* Check writes a record of every successful assertion, from which it tells the place of a later crash. This writes only
 * a line's records number 1, 2, 4, 8 and so on: a loop of assertions would take most of its time for them, and the lock
 * of their file would order the threads, which hides races from ThreadSanitizer. So after a crash the reported line may
 * be an earlier one. */
static inline void gws_test_passed(const char *file, int line)
{
    static atomic_uint passed[1024];
    unsigned before = atomic_fetch_add_explicit(&passed[line % 1024], 1, memory_order_relaxed);
    if ((before & (before + 1)) == 0) _mark_point(file, line);
}

/* The macros of Check's assertions use this name. */
#define _mark_point gws_test_passed

/* Runs a suite and returns main's exit status. Check's variables such as CK_FORK and CK_RUN_CASE apply. */
static inline int gws_test_run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Sets Check's time limit, which tcase_create() reads: its 4 s are too little under a sanitizer. */
static inline void gws_test_limit(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "240", 0);
}

/* Runs the suite that make() makes, for example with several cases. */
static inline int gws_test_main(Suite *(*make)(void))
{
    gws_test_limit();
    return gws_test_run_suite(make());
}

/* A test, and how often it runs. Check's _i is the number of the run, from 0 on. */
struct gws_test {
    const TTest *test;
    int runs;
};

/* Runs a table of tests with an empty row at its end. before() and after() run around each of them; both may be NULL.
 */
static inline int gws_test_run_between(const char *name, const struct gws_test *test, SFun before, SFun after)
{
    gws_test_limit();
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, before, after);
    for (; test->test; test++) tcase_add_loop_test(tests, test->test, 0, test->runs);
    suite_add_tcase(suite, tests);
    return gws_test_run_suite(suite);
}

static inline int gws_test_run(const char *name, const struct gws_test *test)
{
    return gws_test_run_between(name, test, NULL, NULL);
}

/* Returns true in the sanitizer runs of `./bootstrap test`, where tests repeat less. */
static inline bool gws_test_quick(void)
{
    return getenv("GWS_TEST_QUICK") != NULL;
}

/* Returns whether this program has ThreadSanitizer, which finds nothing in the work of a single thread. */
static inline bool gws_test_races(void)
{
#ifdef __SANITIZE_THREAD__
    return true;
#else
    return false;
#endif
}

/* Returns whether this program has a sanitizer. A sanitizer does not see the code that a driver compiles for a device,
 * so with one, tests on devices need fewer cases: those for the host's part of the work. */
static inline bool gws_test_sanitized(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return gws_test_races();
#endif
}

/* Returns the step from one failing allocation to the next: 3 with ThreadSanitizer, otherwise 1. */
static inline uint64_t gws_test_step(void)
{
    return gws_test_races() ? 3 : 1;
}

/* ---- an allocator that fails the k-th call ----
 *
 * gws_test_each_allocation() has the usual loop. One with more to check is
 *
 *     for (uint64_t k = 1;; k += gws_test_step()) {
 *         struct gws_test_memory memory = {.fail_at = k};
 *         struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
 *         ... call; on GWS_NO_MEMORY check that outputs are unchanged ...
 *         gws_test_memory_check(&memory);         after the test has released everything
 *         if (!memory.failed) break;              there was no call k
 *     }
 * Blocks have only the alignment of max_align_t, and their first 64 KiB hold garbage. So tests find code that relies
 * on more. */
struct gws_test_memory {
    uint64_t fail_at;           /* in: the call, from 1, that returns NULL; 0: none */
    bool fail_after;            /* in: every later call fails as well */
    atomic_uint_fast64_t calls; /* out: allocation requests */
    atomic_int_fast64_t live;   /* out: bytes in use */
    atomic_uint_fast64_t peak;  /* out: peak of bytes in use */
    atomic_uint_fast64_t wrong; /* out: releases of another size than allocated, and requests for 0 bytes */
    atomic_bool failed;         /* out: a call failed */
};

union gws_test_block {
    size_t bytes;
    max_align_t align;
};

static inline void gws_test_memory_count(struct gws_test_memory *memory, size_t bytes)
{
    uint_fast64_t live = (uint_fast64_t)atomic_fetch_add(&memory->live, (int_fast64_t)bytes) + bytes;
    uint_fast64_t peak = atomic_load(&memory->peak);
    while (peak < live && !atomic_compare_exchange_weak(&memory->peak, &peak, live)) continue;
}

static inline void *gws_test_allocate(void *context, size_t bytes)
{
    struct gws_test_memory *memory = context;
    uint64_t call = atomic_fetch_add(&memory->calls, 1) + 1;
    if (bytes == 0) atomic_fetch_add(&memory->wrong, 1);
    bool fail = memory->fail_at != 0 && (call == memory->fail_at || (memory->fail_after && call > memory->fail_at));
    union gws_test_block *block =
        fail || bytes > SIZE_MAX - sizeof *block ? NULL : (union gws_test_block *)malloc(sizeof *block + bytes);
    if (fail) atomic_store(&memory->failed, true);
    if (block == NULL) return NULL;
    block->bytes = bytes;
    gws_test_memory_count(memory, bytes);
    return memset(block + 1, 0xa5, bytes < 65536 ? bytes : 65536);
}

static inline void gws_test_release(void *context, void *pointer, size_t bytes)
{
    struct gws_test_memory *memory = context;
    union gws_test_block *block = (union gws_test_block *)pointer - 1;
    if (block->bytes != bytes) atomic_fetch_add(&memory->wrong, 1);
    atomic_fetch_sub(&memory->live, (int_fast64_t)block->bytes);
    free(block);
}

static inline struct gws_allocator gws_test_allocator(struct gws_test_memory *memory)
{
    return (struct gws_allocator){gws_test_allocate, gws_test_release, memory};
}

/* Checks that nothing leaked and that no release had a wrong size. */
static inline void gws_test_memory_check(struct gws_test_memory *memory)
{
    ck_assert_msg(atomic_load(&memory->live) == 0, "%lld bytes leaked when call %llu failed",
                  (long long)atomic_load(&memory->live), (unsigned long long)memory->fail_at);
    ck_assert_msg(atomic_load(&memory->wrong) == 0, "%llu blocks given back with another size (call %llu failed)",
                  (unsigned long long)atomic_load(&memory->wrong), (unsigned long long)memory->fail_at);
}

/* Calls call() in a runtime of its own again and again, each time with another failing allocation. The call frees what
 * it makes, and returns GWS_NO_MEMORY if an allocation has failed. */
static inline void gws_test_each_allocation(uint32_t threads,
                                            gws_status (*call)(struct gws_runtime *runtime, const void *context),
                                            const void *context)
{
    bool failed = true;
    for (uint64_t k = 1; failed; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k};
        const struct gws_options options = {.threads = threads, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        gws_status status = gws_runtime_open(&options, &runtime);
        if (status == GWS_OK) status = call(runtime, context);
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}

/* ---- files ---- */

enum { GWS_TEST_PATH = 4096 };

/* Returns a path in this program's temporary folder, which the first call makes. The test runner removes the folder
 * afterwards (a run by hand leaves the folder in $TMPDIR). The path is valid until the 8th later call. */
static inline const char *gws_test_temp(const char *name)
{
    static char folder[GWS_TEST_PATH], path[8][GWS_TEST_PATH + 256];
    static unsigned turn;
    if (folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/graphws-test-XXXXXX", base != NULL ? base : "/tmp");
        ck_assert_msg(mkdtemp(folder) != NULL, "cannot make %s", folder);
    }
    char *result = path[turn++ % 8];
    snprintf(result, sizeof path[0], "%s/%s", folder, name);
    return result;
}

/* Writes bytes (a string: strlen) to the temporary file of that name and returns its path. */
static inline const char *gws_test_file(const char *name, const void *bytes, size_t size)
{
    const char *path = gws_test_temp(name);
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "cannot write %s", path);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

/* Returns the path of a real data set ("snap/..."), or NULL after a message about the skipped test. The function
 * searches $GRAPHWS_DATASETS, else ../shared/datasets beside the repository ($GRAPHWS_SOURCE, set by tests/run, or the
 * current folder). The path is valid until the next call. */
static inline const char *gws_test_dataset(const char *name)
{
    static char path[GWS_TEST_PATH];
    const char *sets = getenv("GRAPHWS_DATASETS"), *source = getenv("GRAPHWS_SOURCE");
    if (sets != NULL)
        snprintf(path, sizeof path, "%s/%s", sets, name);
    else
        snprintf(path, sizeof path, "%s/../shared/datasets/%s", source != NULL ? source : ".", name);
    if (access(path, R_OK) == 0) return path;
    printf("skipped: no data set %s (GRAPHWS_DATASETS names their folder)\n", name);
    return NULL;
}

#endif
