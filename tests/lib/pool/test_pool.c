/* SPDX-License-Identifier: MIT */
/* Tests the runtime: opening and closing, loops of every size under every policy, statistics, sleeping and waking. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "../../harness.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "../../../lib/parallel.h"
#include "../../../lib/random.h"

enum { max_workers = 9, policies = 10, watchdog_s = 120 };

static struct gws_runtime *open_runtime(const char *policy, uint32_t threads, uint32_t chunk)
{
    struct gws_options options = {.threads = threads, .chunk = chunk, .policy = policy, .seed = 1};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

static void sleep_us(long us)
{
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

/* ---- opening ---- */

START_TEST(open_and_close)
{
    const char *about = NULL, *policy = gws_policy_at((uint32_t)_i, &about);
    ck_assert_ptr_nonnull(policy);
    ck_assert_ptr_nonnull(about);
    ck_assert_int_ne(about[strlen(about) - 1], '.');
    for (uint32_t threads = 1; threads <= max_workers; threads++) {
        struct gws_runtime *runtime = open_runtime(policy, threads, 5 * threads);
        ck_assert_uint_eq(gws_runtime_workers(runtime), threads);
        ck_assert_uint_eq(gws_runtime_chunk(runtime), 5 * threads);
        ck_assert_str_eq(gws_runtime_policy(runtime), policy);
        gws_runtime_close(runtime);
    }
}
END_TEST

START_TEST(defaults)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_str_eq(gws_runtime_policy(runtime), "chunked");
    ck_assert_uint_eq(gws_runtime_chunk(runtime), 0);
    cpu_set_t cpus;
    ck_assert_int_eq(sched_getaffinity(0, sizeof cpus, &cpus), 0);
    ck_assert_int_eq((int)gws_runtime_workers(runtime), CPU_COUNT(&cpus));
    gws_runtime_close(runtime);
    gws_runtime_close(NULL);
    ck_assert_ptr_null(gws_policy_at(policies, NULL));
    ck_assert_ptr_null(gws_policy_at(UINT32_MAX, NULL));
}
END_TEST

static void *half_an_allocator(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

START_TEST(bad_options)
{
    struct gws_runtime *runtime = NULL;
    const struct gws_options bad[] = {{.policy = "no such"},   {.policy = ""},
                                      {.policy = "chunked "},  {.threads = 4097},
                                      {.threads = UINT32_MAX}, {.allocator = {.allocate = half_an_allocator}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(gws_runtime_open(&bad[i], &runtime), GWS_INVALID);
        ck_assert_ptr_null(runtime);
    }
}
END_TEST

START_TEST(open_with_short_memory)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_options options = {.threads = 3, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        gws_status status = gws_runtime_open(&options, &runtime);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(runtime != NULL, status == GWS_OK);
        if (runtime) ck_assert_ptr_eq(gws_runtime_allocator(runtime)->context, &memory);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
        ck_assert_uint_lt(k, 50);
    }
}
END_TEST

START_TEST(pinning_is_undone)
{
    cpu_set_t before, inside, after;
    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    for (uint32_t threads = 1; threads <= 5; threads++) {
        struct gws_options options = {.threads = threads, .pin = true};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        ck_assert_int_eq(sched_getaffinity(0, sizeof inside, &inside), 0);
        ck_assert_int_eq(CPU_COUNT(&inside), 1);
        gws_runtime_close(runtime);
        ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
        ck_assert(CPU_EQUAL(&before, &after));
    }
}
END_TEST

/* ---- loops ---- */

struct loop_record {
    _Atomic uint64_t sum, calls;
    _Atomic uint32_t inside[max_workers]; /* 1: the worker is in a body */
    _Atomic uint32_t ran[max_workers], finished[max_workers], after_finish;
    uint64_t plain[max_workers]; /* private to one worker; ThreadSanitizer reports any other access */
    uint64_t slow_below;         /* bodies of indexes below this value sleep */
    uint8_t *seen;
    _Atomic uint64_t wrong;
};

static void count_body(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct loop_record *work = context;
    if (worker >= max_workers || begin >= end || atomic_exchange(&work->inside[worker], 1)) {
        atomic_fetch_add(&work->wrong, 1);
        return;
    }
    if (work->finished[worker]) atomic_fetch_add(&work->after_finish, 1);
    atomic_fetch_add(&work->calls, 1);
    work->ran[worker] = 1;
    uint64_t sum = 0;
    for (uint64_t i = begin; i < end; i++) {
        sum += i + 1;
        if (work->seen) work->seen[i]++;
        if (i < work->slow_below) sleep_us(200);
    }
    work->plain[worker] += sum;
    atomic_fetch_add(&work->sum, sum);
    atomic_store(&work->inside[worker], 0);
}

static void finish_body(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct loop_record *work = context;
    if (worker >= max_workers || begin != 0 || end != 0 || work->inside[worker]) atomic_fetch_add(&work->wrong, 1);
    work->plain[worker] += 0;
    atomic_fetch_add(&work->finished[worker], 1);
}

static void judge(const struct gws_runtime *runtime, const struct loop_record *work, uint64_t count)
{
    uint64_t plain = 0, wrong = work->wrong + work->after_finish;
    uint32_t workers = gws_runtime_workers(runtime);
    for (uint32_t w = 0; w < max_workers; w++) {
        plain += work->plain[w];
        wrong += work->finished[w] > 1 || (work->ran[w] && !work->finished[w]) || (w >= workers && work->finished[w]);
    }
    wrong += work->finished[0] != 1;
    if (wrong || work->sum != count * (count + 1) / 2 || plain != work->sum)
        ck_abort_msg("%llu tasks, %u workers: sum %llu, plain %llu, wrong %llu", (unsigned long long)count, workers,
                     (unsigned long long)work->sum, (unsigned long long)plain, (unsigned long long)wrong);
}

static void run_loop(struct gws_runtime *runtime, struct gws_loop loop)
{
    struct loop_record work = {0};
    loop.body = count_body;
    loop.finish = finish_body;
    loop.context = &work;
    gws_parallel_run(runtime, &loop);
    judge(runtime, &work, loop.count);
}

START_TEST(loops_of_all_sizes)
{
    const uint64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 10, 63, 64, 65, 1000, gws_test_quick() ? 20000 : 100000};
    static const uint32_t grains[] = {0, 1, 2, 64, UINT32_MAX};
    for (uint32_t threads = 1; threads <= max_workers; threads += gws_test_quick() ? 3 : 1) {
        struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), threads, 0);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++)
                for (uint32_t chunk = 0; chunk < 40; chunk += 13)
                    run_loop(runtime, (struct gws_loop){.count = counts[c], .grain = grains[g], .chunk = chunk});
        gws_runtime_close(runtime);
    }
}
END_TEST

START_TEST(loops_with_parts)
{
    uint64_t random = 9;
    const uint32_t rounds = gws_test_quick() ? 40 : 100;
    for (uint32_t threads = 1; threads <= max_workers; threads += gws_test_quick() ? 3 : 1) {
        struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), threads, 0);
        for (uint32_t round = 0; round < rounds; round++) {
            struct gws_range part[max_workers];
            uint64_t count = gws_random_next(&random) % 3000, begin = 0;
            for (uint32_t w = 0; w < threads; w++) { /* the last workers get the first parts */
                uint64_t end = w + 1 == threads ? count : begin + gws_random_next(&random) % (count - begin + 1);
                part[threads - 1 - w] = (struct gws_range){begin, end};
                begin = end;
            }
            run_loop(runtime, (struct gws_loop){.count = count, .part = part, .grain = round % 3 * 100, .chunk = 3});
        }
        gws_runtime_close(runtime);
    }
}
END_TEST

START_TEST(each_index_once)
{
    struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), 4, 3);
    struct loop_record work = {.seen = calloc(50000, 1)};
    gws_parallel_for(runtime, 50000, 1, count_body, &work);
    for (uint64_t i = 0; i < 50000; i++)
        if (work.seen[i] != 1) ck_abort_msg("index %llu ran %u times", (unsigned long long)i, work.seen[i]);
    ck_assert_uint_eq(work.wrong, 0);
    free(work.seen);
    gws_runtime_close(runtime);
}
END_TEST

/* At most count / grain workers take part, and a loop of at most one grain is one call on the caller. */
START_TEST(grain_decides_the_workers)
{
    struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), 8, 1);
    for (uint64_t count = 1; count <= 100; count++) {
        struct loop_record work = {0};
        struct gws_loop loop = {.count = count, .grain = 10, .body = count_body, .context = &work};
        loop.finish = finish_body;
        gws_parallel_run(runtime, &loop);
        judge(runtime, &work, count);
        uint64_t max = count / 10 < 1 ? 1 : count / 10;
        for (uint64_t w = max; w < 8; w++) ck_assert_uint_eq(work.finished[w], 0);
        if (count <= 10) ck_assert_uint_eq(work.calls, 1);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(serial_with_one_worker)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 1);
    struct loop_record work = {0};
    gws_parallel_for(runtime, 1000, 0, count_body, &work);
    ck_assert_uint_eq(work.calls, 1); /* one call has the whole range */
    ck_assert_uint_eq(work.sum, 500500);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- statistics ---- */

/* Adds up the statistics of all workers. If loops run as tasks, a worker may steal its own chunk. Such a steal counts
 * no stolen tasks. */
static struct gws_worker_stats total(const struct gws_runtime *runtime)
{
    static const char *const as_tasks[] = {"abp", "chaselev", "split", "workpile", "global"};
    bool may_come_home = false;
    for (int i = 0; i < 5; i++) may_come_home |= strcmp(gws_runtime_policy(runtime), as_tasks[i]) == 0;
    struct gws_worker_stats stats[max_workers], sum = {0};
    gws_runtime_stats(runtime, stats);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) {
        ck_assert_uint_le(stats[w].stolen, stats[w].tasks);
        if (!may_come_home) ck_assert_uint_le(stats[w].steals, stats[w].stolen);
        ck_assert(stats[w].busy_ms >= 0 && stats[w].idle_ms >= 0);
        sum.tasks += stats[w].tasks;
        sum.stolen += stats[w].stolen;
        sum.steals += stats[w].steals;
        sum.failed_steals += stats[w].failed_steals;
        sum.made += stats[w].made;
    }
    return sum;
}

START_TEST(statistics_add_up)
{
    struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), 4, 0);
    uint64_t tasks = 0;
    for (uint64_t count = 0; count < 500; count += 7) {
        run_loop(runtime, (struct gws_loop){.count = count, .chunk = 2});
        tasks += count;
        ck_assert_uint_eq(total(runtime).tasks, tasks);
    }
    gws_parallel_add_stats(runtime, 2, 5, 11, 0.5);
    ck_assert_uint_eq(total(runtime).tasks, tasks + 5);
    ck_assert_uint_eq(total(runtime).made, 11);
    gws_runtime_stats_reset(runtime);
    struct gws_worker_stats stats[4], zero = {0};
    gws_runtime_stats(runtime, stats);
    for (uint32_t w = 0; w < 4; w++) ck_assert_mem_eq(&stats[w], &zero, sizeof zero);
    gws_runtime_close(runtime);
}
END_TEST

/* Only the bodies of worker 0's part are expensive. Those bodies sleep, so the other workers steal. On a busy machine
 * all of them may come late, so the loop runs until one has stolen. */
START_TEST(unequal_bodies_are_stolen)
{
    const char *policy = gws_policy_at((uint32_t)_i, NULL);
    struct gws_runtime *runtime = open_runtime(policy, 4, 1);
    struct gws_worker_stats stats[4], sum;
    bool steals = gws_policy_takes_victim(policy);
    do {
        struct loop_record work = {.slow_below = 100};
        struct gws_loop loop = {.count = 400, .chunk = 1, .body = count_body, .finish = finish_body, .context = &work};
        gws_parallel_run(runtime, &loop);
        judge(runtime, &work, 400);
        sum = total(runtime);
    } while (steals && sum.stolen == 0);
    gws_runtime_stats(runtime, stats);
    ck_assert(steals || sum.stolen == 0);
    if (strcmp(policy, "chunked") == 0) ck_assert_uint_eq(sum.stolen, sum.steals); /* a chunk has one index */
    if (strcmp(policy, "static") == 0)
        for (uint32_t w = 0; w < 4; w++) ck_assert_uint_eq(stats[w].tasks, 100);
    if (!steals) ck_assert_uint_eq(sum.failed_steals, 0);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- sleeping and waking, where the watchdog ends tests that hang after a lost wake-up ---- */

START_TEST(tiny_loops_back_to_back)
{
    alarm(watchdog_s);
    uint32_t rounds = gws_test_quick() ? 500 : 2000;
    for (uint32_t threads = 2; threads <= max_workers;
         threads += 7) { /* more threads than most test machines have CPUs */
        struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), threads, 1);
        for (uint32_t round = 0; round < rounds; round++)
            run_loop(runtime, (struct gws_loop){.count = threads + round % 5});
        gws_runtime_close(runtime);
    }
    alarm(0);
}
END_TEST

START_TEST(tiny_loops_after_sleep)
{
    alarm(watchdog_s);
    uint64_t random = 4;
    uint32_t rounds = gws_test_quick() ? 200 : 500;
    for (uint32_t threads = 2; threads <= max_workers; threads += 7) {
        struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), threads, 1);
        for (uint32_t round = 0; round < rounds; round++) {
            run_loop(runtime, (struct gws_loop){.count = threads});
            sleep_us((long)(gws_random_next(&random) % 200)); /* about as long as workers wait before they sleep */
        }
        sleep_us(50000);
        run_loop(runtime, (struct gws_loop){.count = 1000});
        gws_runtime_close(runtime);
    }
    alarm(0);
}
END_TEST

/* The caller finishes long before a worker, so the caller must sleep until the worker wakes it. */
START_TEST(the_caller_waits_for_slow_workers)
{
    alarm(watchdog_s);
    struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), 3, 1);
    for (uint32_t round = 0; round < 200; round++) {
        struct loop_record work = {.slow_below = 3};
        struct gws_loop loop = {.count = 3, .body = count_body, .finish = finish_body, .context = &work};
        gws_parallel_run(runtime, &loop);
        judge(runtime, &work, 3);
    }
    gws_runtime_close(runtime);
    alarm(0);
}
END_TEST

START_TEST(open_and_close_at_once)
{
    alarm(watchdog_s);
    const uint32_t rounds =
        gws_test_quick() ? 4 * max_workers : 200; /* each number of workers, with and without a loop */
    for (uint32_t round = 0; round < rounds; round++) {
        struct gws_runtime *runtime = open_runtime(gws_policy_at((uint32_t)_i, NULL), 1 + round % max_workers, 0);
        if (round % 2) run_loop(runtime, (struct gws_loop){.count = round});
        gws_runtime_close(runtime);
    }
    alarm(0);
}
END_TEST

static void *own_runtime(void *argument)
{
    struct loop_record *work = argument;
    struct gws_options options = {.threads = 3, .chunk = 2};
    struct gws_runtime *runtime = NULL;
    if (gws_runtime_open(&options, &runtime) != GWS_OK) {
        atomic_fetch_add(&work->wrong, 1);
        return NULL;
    }
    for (uint32_t round = 0; round < 300; round++) gws_parallel_for(runtime, 100, 1, count_body, work);
    gws_runtime_close(runtime);
    return NULL;
}

START_TEST(two_runtimes_at_once)
{
    alarm(watchdog_s);
    struct loop_record work[2] = {{.wrong = 0}, {.wrong = 0}};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_create(&thread[i], NULL, own_runtime, &work[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(work[i].wrong, 0);
        ck_assert_uint_eq(work[i].sum, 300 * 5050);
    }
    alarm(0);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{open_and_close, policies},
                                    {defaults, 1},
                                    {bad_options, 1},
                                    {open_with_short_memory, 1},
                                    {pinning_is_undone, 1},
                                    {loops_of_all_sizes, policies},
                                    {loops_with_parts, policies},
                                    {each_index_once, policies},
                                    {grain_decides_the_workers, policies},
                                    {serial_with_one_worker, 1},
                                    {statistics_add_up, policies},
                                    {unequal_bodies_are_stolen, policies},
                                    {tiny_loops_back_to_back, policies},
                                    {tiny_loops_after_sleep, policies},
                                    {the_caller_waits_for_slow_workers, policies},
                                    {open_and_close_at_once, policies},
                                    {two_runtimes_at_once, 1},
                                    {0}};
    return gws_test_run("pool", test);
}
