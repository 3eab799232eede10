/* SPDX-License-Identifier: MIT */
/* Tests the pool of tasks between several sides (lib/hetero/task_pool.h) without a device: threads with a stack each
 * stand for devices, beside the runtime's workers. Every task runs once, whoever has the first one, and an error or a
 * cancelled call ends all sides. ThreadSanitizer sees all of this. */
#include "../../harness.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/hetero/task_sides.h"

enum { words = 2, entry = 4, max_sides = 4, stack_size = 4096, numbers = 1 << 16 };

/* A task is a range of numbers, begin and length, with two children, the first number and the rest, or two halves. A
 * child of one number marks the number. So the whole work may lie below one child. */
static struct {
    _Atomic uint32_t mark[numbers];
    _Atomic bool patient; /* the next kernel with two tasks waits until it is asked */
    bool chain;           /* the first number and the rest, for lengths above 1000 */
    uint32_t fail_at;
    _Atomic uint32_t launches;
} tree;

struct fake {
    struct gws__task_side side;
    pthread_t thread;
    _Atomic uint32_t stop;
    uint32_t stack[stack_size][entry], height;
    uint64_t created, parents;
};

/* Creates child i of a task. Returns the number of its children. */
static uint32_t create(const uint32_t *parent, uint32_t i, uint32_t *child)
{
    uint32_t first = tree.chain && parent[1] > 1000 ? 1 : parent[1] / 2;
    child[0] = i == 0 ? parent[0] : parent[0] + first;
    child[1] = i == 0 ? first : parent[1] - first;
    child[2] = child[1] > 1 ? 2 : 0;
    child[3] = 0;
    if (child[1] == 1) atomic_fetch_add_explicit(&tree.mark[child[0]], 1, memory_order_relaxed);
    return child[2];
}

/* ---- a device ---- */

/* Runs tasks until none is left, or the word asks for a pause. */
static void run_kernel(struct fake *fake)
{
    bool waits = fake->height > 1 && fake->side.pool->sides > 1 && atomic_exchange(&tree.patient, false);
    while (waits && atomic_load_explicit(&fake->stop, memory_order_relaxed) == 0) (void)sched_yield();
    while (fake->height > 0 && atomic_load_explicit(&fake->stop, memory_order_relaxed) == 0) {
        uint32_t parent[entry];
        memcpy(parent, fake->stack[--fake->height], sizeof parent);
        for (uint32_t i = 0; i < parent[2]; i++) {
            ck_assert_uint_lt(fake->height, stack_size);
            fake->created++;
            if (create(parent, i, fake->stack[fake->height]) == 0) continue;
            fake->height++;
            fake->parents++;
        }
        if (fake->height > 1 && atomic_load_explicit(&tree.patient, memory_order_relaxed)) break;
    }
}

static void give(struct fake *fake)
{
    uint32_t count = fake->height / 2;
    if (count > 0) {
        ck_assert_int_eq(gws__task_pool_give(fake->side.pool, &fake->side, fake->stack[0], count), GWS_OK);
        fake->height -= count;
        memmove(fake->stack[0], fake->stack[count], fake->height * sizeof fake->stack[0]);
    }
    gws__task_pool_answered(&fake->side, count > 0, 0);
}

static void *drive(void *context)
{
    struct fake *fake = context;
    uint32_t *task = NULL;
    uint64_t count = 0;
    while ((count = gws__task_pool_take(fake->side.pool, &fake->side, &task)) > 0) {
        ck_assert_uint_le(count, stack_size);
        memcpy(fake->stack, task, count * sizeof fake->stack[0]);
        fake->height = (uint32_t)count;
        gws_release(fake->side.pool->runtime, task, count, sizeof fake->stack[0]);
        while (fake->height > 0 && gws__task_pool_launch(&fake->side)) {
            if (tree.fail_at && atomic_fetch_add(&tree.launches, 1) + 1 == tree.fail_at) {
                struct gws_diagnostic where = {.message = "lost"};
                (void)gws__task_pool_landed(&fake->side);
                gws__task_pool_end(fake->side.pool, GWS_DEVICE, &where);
                return NULL;
            }
            run_kernel(fake);
            if (gws__task_pool_landed(&fake->side)) give(fake);
        }
        fake->height = 0;
    }
    return NULL;
}

/* ---- the workers ---- */

static void run_tasks(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const uint32_t *parent = task;
    uint32_t child[entry];
    (void)context;
    (void)worker;
    for (; count > 0; count--, parent += entry)
        for (uint32_t i = 0; i < parent[2]; i++)
            if (create(parent, i, child) > 0) gws_spawn(self, child);
}

static const struct gws_device_task_side cpu_side = {.run = run_tasks, .batch = 4};

/* ---- a run ---- */

struct outcome {
    gws_status status;
    uint64_t created, parents, taken, given, requests, from;
};

static void add(struct outcome *sum, const struct gws__task_side *side, uint64_t created, uint64_t parents)
{
    sum->created += created;
    sum->parents += parents;
    sum->taken += side->taken;
    sum->given += side->given;
    sum->requests += side->requests;
    for (int i = 0; i < GWS_DEVICE_TASK_SIDES; i++) sum->from += side->from[i];
}

static void run_all(struct gws__task_pool *pool, struct fake *fake, uint32_t devices, struct gws__cpu_side *cpu)
{
    for (uint32_t i = 0; i < devices; i++) gws__task_pool_join(pool, &fake[i].side);
    if (cpu) gws__task_pool_join(pool, &cpu->side);
    for (uint32_t i = 0; i < devices; i++) ck_assert_int_eq(pthread_create(&fake[i].thread, NULL, drive, &fake[i]), 0);
    if (cpu)
        gws__cpu_side_run(cpu);
    else
        gws__task_pool_watch(pool);
    for (uint32_t i = 0; i < devices; i++) (void)pthread_join(fake[i].thread, NULL);
}

/* Runs a range of `width` numbers on `devices` fakes, and on the runtime's workers if there is a side for them. */
static struct outcome run_range(struct gws_runtime *runtime, uint32_t width, uint32_t devices, bool workers)
{
    struct gws__task_pool pool;
    struct fake *fake = calloc(max_sides, sizeof *fake);
    struct gws__cpu_side cpu = {.from = &cpu_side, .length = words, .side = {.wants = 4, .polls = true}};
    struct outcome sum = {.status = GWS_OK};
    struct gws_device_task_side_result of_cpu = {.created = 0};
    const uint32_t root[entry] = {0, width, 2, 0};
    memset(tree.mark, 0, sizeof tree.mark);
    atomic_store(&tree.launches, 0);
    atomic_store(&tree.patient, width > 1000 && devices + workers > 1);
    ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
    ck_assert_int_eq(gws__task_pool_open(&pool, runtime, words + 1), GWS_OK);
    sum.status = gws__cpu_side_open(&cpu, runtime);
    if (sum.status == GWS_OK) sum.status = gws__task_pool_give(&pool, NULL, root, width > 0);
    for (uint32_t i = 0; i < devices; i++) {
        fake[i].side.wants = 16;
        fake[i].side.stop = &fake[i].stop;
    }
    if (sum.status == GWS_OK) run_all(&pool, fake, devices, workers ? &cpu : NULL);
    if (sum.status == GWS_OK) sum.status = pool.status;
    if (sum.status == GWS_DEVICE) ck_assert_str_eq(pool.where.message, "lost");
    for (uint32_t i = 0; i < devices; i++) add(&sum, &fake[i].side, fake[i].created, fake[i].parents);
    if (workers && sum.status == GWS_OK) gws__cpu_side_result(&cpu, &of_cpu);
    if (workers) add(&sum, &cpu.side, of_cpu.created, of_cpu.parents);
    gws__cpu_side_close(&cpu, runtime);
    gws__task_pool_close(&pool);
    (void)gws_call_end(runtime, GWS_OK);
    free(fake);
    return sum;
}

static void check_range(struct gws_runtime *runtime, uint32_t width, uint32_t devices, bool workers)
{
    struct outcome sum = run_range(runtime, width, devices, workers);
    ck_assert_int_eq(sum.status, GWS_OK);
    for (uint32_t i = 0; i < width; i++)
        if (atomic_load(&tree.mark[i]) != 1) ck_abort_msg("number %u has %u marks", i, atomic_load(&tree.mark[i]));
    ck_assert_uint_eq(sum.created, width > 0 ? 2 * (uint64_t)width - 2 : 0);
    ck_assert_uint_eq(sum.parents, width > 1 ? (uint64_t)width - 2 : 0);
    ck_assert_uint_eq(sum.taken, sum.given + (width > 0));
    ck_assert_uint_eq(sum.from, sum.given);
    if (devices > 1 && !workers && width > 1000) ck_assert_uint_gt(sum.given, 0);
}

static struct gws_runtime *open_with(const struct gws_options *options)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(options, &runtime), GWS_OK);
    return runtime;
}

START_TEST(each_task_runs_once)
{
    static const char *const policy[] = {"chaselev", "abp", "split", "workpile", "global", "static"};
    const uint32_t width[] = {0, 2, 3, 1000, numbers};
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 2, .policy = policy[_i], .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = open_with(&options);
    for (uint32_t w = 0; w < sizeof width / sizeof *width; w++)
        for (uint32_t devices = 0; devices < 3; devices++) {
            tree.chain = w % 2 == devices % 2;
            if (devices > 0 && _i == 0) check_range(runtime, width[w], devices, false);
            check_range(runtime, width[w], devices, true);
        }
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(an_error_of_a_side_ends_all)
{
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 2, .policy = "chaselev", .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = open_with(&options);
    for (tree.fail_at = 1; tree.fail_at < 4; tree.fail_at++)
        for (uint32_t i = 0; i < 2; i++) {
            struct outcome sum = run_range(runtime, numbers, 2, i > 0);
            if (sum.status == GWS_OK) ck_assert_uint_lt(atomic_load(&tree.launches), tree.fail_at);
            if (tree.fail_at == 1 && i == 0) ck_assert_int_eq(sum.status, GWS_DEVICE);
        }
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

static bool is_short(struct gws_runtime *runtime)
{
    struct outcome sum = run_range(runtime, 20000, 2, true);
    if (sum.status != GWS_OK) ck_assert_int_eq(sum.status, GWS_NO_MEMORY);
    return sum.status != GWS_OK;
}

START_TEST(short_memory_ends_the_run)
{
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 2, .policy = "chaselev", .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = open_with(&options);
    uint64_t failed = 0;
    for (uint64_t k = 1; k < 40; k++) {
        memory.fail_at = memory.calls + k;
        failed += is_short(runtime);
        memory.fail_at = 0;
    }
    ck_assert_uint_gt(failed, 3);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

static _Atomic bool cancelled;

static bool ask(void *context)
{
    (void)context;
    return atomic_load(&cancelled);
}

static void *cancel_later(void *context)
{
    const struct timespec time = {.tv_nsec = 20000000};
    (void)context;
    (void)nanosleep(&time, NULL);
    atomic_store(&cancelled, true);
    return NULL;
}

START_TEST(a_cancelled_call_ends_all_sides)
{
    const struct gws_options options = {.threads = 2, .policy = "chaselev", .cancel = ask};
    struct gws_runtime *runtime = open_with(&options);
    for (uint32_t i = 0; i < 2; i++) {
        pthread_t thread;
        atomic_store(&cancelled, false);
        ck_assert_int_eq(pthread_create(&thread, NULL, cancel_later, NULL), 0);
        struct outcome sum = {.status = GWS_OK};
        double began = gws_clock_ms();
        while (sum.status == GWS_OK && gws_clock_ms() < began + 20000) {
            began = gws_clock_ms();
            sum = run_range(runtime, numbers, 2, i > 0);
        }
        ck_assert_int_eq(sum.status, GWS_CANCELLED);
        (void)pthread_join(thread, NULL);
    }
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_task_runs_once, 6},
                                    {an_error_of_a_side_ends_all, 1},
                                    {short_memory_ends_the_run, 1},
                                    {a_cancelled_call_ends_all_sides, 1},
                                    {0}};
    return gws_test_run("tasks between sides", test);
}
