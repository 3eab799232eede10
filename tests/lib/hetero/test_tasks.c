/* SPDX-License-Identifier: MIT */
/* Tests immediate tasks of both sides (lib/hetero/tasks.h). With batches each task must run once, on one side, for all
 * policies, numbers of threads and sizes. A failure of either side must end the run. The test uses only the clock of
 * the device (PoCL's). merge() does the work of a batch on the agent's thread, so ThreadSanitizer sees all of this
 * work. */
#include "../../harness.h"

#include <stdlib.h>
#include <string.h>

#include "../../../lib/hetero/tasks.h"
#include "../../../lib/parallel.h"
#include "../device/drivers.h"

enum { depth = 6, capacity = 1 << 13, max_batch = 256 };

/* Task n of a tree. Each task above the last level has four children. The work of a task is the number of leaves below
 * the task. */
struct tree_task {
    uint64_t number, level;
};

static struct {
    _Atomic uint32_t seen[capacity]; /* indexed by number: the root is 1, children of n are 4 n - 2 .. 4 n + 1 */
    _Atomic uint64_t leaves;
    struct tree_task batch[max_batch];
    uint32_t count, merges, twice, fail_at;
    uint64_t on_device, leaves_on_device;
    bool known;
} tree;

static uint64_t leaves_of(uint64_t level)
{
    return (uint64_t)1 << (2 * (depth - level));
}

static void see(struct tree_task task)
{
    if (task.number >= capacity) ck_abort_msg("there is no task %llu", (unsigned long long)task.number);
    atomic_fetch_add_explicit(&tree.seen[task.number], 1, memory_order_relaxed);
    if (task.level == depth) atomic_fetch_add_explicit(&tree.leaves, 1, memory_order_relaxed);
}

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *memory, uint32_t count)
{
    const struct tree_task *task = memory;
    (void)context;
    (void)worker;
    if (count != 1) ck_abort_msg("a batch of %u tasks", count);
    see(*task);
    for (uint64_t c = 0; c < 4 && task->level < depth; c++)
        gws_spawn(self, &(struct tree_task){4 * task->number - 2 + c, task->level + 1});
}

/* Runs a task and all its descendants on behalf of the device. */
static void run_below(struct tree_task task)
{
    see(task);
    tree.on_device++;
    if (task.level == depth) tree.leaves_on_device++;
    for (uint64_t c = 0; c < 4 && task.level < depth; c++)
        run_below((struct tree_task){4 * task.number - 2 + c, task.level + 1});
}

static uint64_t work(const void *context, const void *task)
{
    (void)context;
    return tree.known ? leaves_of(((const struct tree_task *)task)->level) : 1;
}

static uint64_t left(const void *context)
{
    (void)context;
    return leaves_of(0) - atomic_load_explicit(&tree.leaves, memory_order_relaxed);
}

static gws_status start(void *context, const void *task, uint32_t count, struct gws_diagnostic *where)
{
    (void)context;
    ck_assert_uint_eq(tree.count, 0);
    ck_assert_uint_gt(count, 0);
    memcpy(tree.batch, task, count * sizeof *tree.batch);
    tree.count = count;
    return tree.fail_at == 1 ? gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "start") : GWS_OK;
}

static gws_status merge(void *context, struct gws_task_worker *self, bool *again, struct gws_diagnostic *where)
{
    (void)self;
    (void)context;
    ck_assert_uint_gt(tree.count, 0);
    *again = tree.merges++ % 3 < tree.twice;
    if (tree.fail_at == 2) return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "merge");
    for (uint32_t i = 0; i < tree.count && !*again; i++) run_below(tree.batch[i]);
    if (!*again) tree.count = 0;
    return GWS_OK;
}

static struct gws_runtime *open_runtime(const char *policy, uint32_t threads, struct gws_allocator allocator)
{
    struct gws_options options = {.threads = threads, .policy = policy, .allocator = allocator};
    struct gws_runtime *runtime = NULL;
    return gws_runtime_open(&options, &runtime) == GWS_OK ? runtime : NULL;
}

static gws_status run_tree(struct gws_runtime *runtime, struct gws_device *device, uint32_t tasks,
                           struct gws__batch_stats *stats, struct gws_diagnostic *where)
{
    const struct tree_task root = {1, 0};
    const struct gws__batches batches = {.cpu = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run},
                                         .tasks = tasks,
                                         .min_work = tree.known ? 4 : 1,
                                         .work = work,
                                         .left = tree.known ? left : NULL,
                                         .start = start,
                                         .merge = merge};
    return gws__batches_run(runtime, device, &batches, stats, where);
}

static void keep_first_error(const struct gws__batch_stats *stats)
{
    uint64_t all = (leaves_of(0) * 4 - 1) / 3;
    for (uint64_t n = 1; n <= all; n++)
        if (tree.seen[n] != 1) ck_abort_msg("task %u ran %u times", (unsigned)n, (unsigned)tree.seen[n]);
    ck_assert_uint_eq(stats->cpu.run + tree.on_device, all);
    ck_assert_uint_eq(stats->cpu.made, stats->cpu.run + stats->device.stolen_from_cpu);
    ck_assert_uint_eq(stats->launches, stats->device.steals);
    ck_assert_uint_ge(stats->device.stolen_from_cpu, stats->launches);
}

static struct gws_device *open_device(struct gws_runtime *runtime)
{
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, "opencl", gws_test_cached(), &device, NULL) != GWS_OK) printf("skipped: no device\n");
    return device;
}

static const char *const policies[] = {"chunked", "abp", "chaselev", "split", "workpile", "global"};

START_TEST(each_once)
{
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (uint32_t variant = 0; variant < 8; variant++) {
            struct gws_runtime *runtime = open_runtime(policies[_i], threads, (struct gws_allocator){0});
            struct gws_device *device = open_device(runtime);
            struct gws__batch_stats stats;
            memset(&tree, 0, sizeof tree);
            tree.known = variant % 2 == 0;
            tree.twice = variant / 2 % 2;
            if (device) {
                ck_assert_int_eq(run_tree(runtime, device, variant < 4 ? max_batch : 3, &stats, NULL), GWS_OK);
                keep_first_error(&stats);
                if (threads == 1 && tree.known)
                    ck_assert_uint_gt(tree.on_device, 0); /* at least one task fits the batch */
            }
            gws_device_close(device);
            gws_runtime_close(runtime);
        }
}
END_TEST

START_TEST(failures_end_the_run)
{
    for (uint32_t threads = 1; threads <= 2; threads++)
        for (uint32_t fail_at = 1; fail_at <= 2; fail_at++) {
            struct gws_runtime *runtime = open_runtime(policies[_i], threads, (struct gws_allocator){0});
            struct gws_device *device = open_device(runtime);
            struct gws__batch_stats stats;
            struct gws_diagnostic where = {0};
            memset(&tree, 0, sizeof tree);
            tree.fail_at = fail_at;
            if (device) {
                ck_assert_int_eq(run_tree(runtime, device, 4, &stats, &where), GWS_DEVICE);
                ck_assert_str_eq(where.message, fail_at == 1 ? "start" : "merge");
            }
            gws_device_close(device);
            gws_runtime_close(runtime);
        }
}
END_TEST

START_TEST(memory_runs_out)
{
    bool failed = true;
    for (uint64_t k = 1; failed; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_runtime *runtime = open_runtime("abp", 2, gws_test_allocator(&memory));
        struct gws_device *device = runtime ? open_device(runtime) : NULL;
        struct gws__batch_stats stats;
        memset(&tree, 0, sizeof tree);
        if (device && run_tree(runtime, device, 9, &stats, NULL) == GWS_OK) keep_first_error(&stats);
        failed = atomic_load(&memory.failed);
        gws_device_close(device);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}
END_TEST

/* ---- deques of both sides ---- */

static struct {
    _Atomic uint64_t ran, progress;
    _Atomic bool stopped;
    uint64_t steps; /* steps of progress before the stall */
} team;

static uint64_t progress(const struct gws__shared_deques *deques)
{
    (void)deques;
    return atomic_load(&team.progress);
}

/* Worker 7 makes progress a few times. Then no worker finds a task. */
static void look_in_vain(struct gws__shared_deques *deques, uint32_t self)
{
    atomic_fetch_add(&team.ran, UINT64_C(1) << (self - 7) * 8);
    while (!atomic_load(&team.stopped)) {
        if (self == 7 && atomic_load(&team.progress) < team.steps) atomic_fetch_add(&team.progress, 1);
        if (gws__shared_deques_stalled(deques)) atomic_store(&team.stopped, true);
    }
}

START_TEST(lost_tasks_end_the_run)
{
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct gws_runtime *runtime = open_runtime("chunked", threads, (struct gws_allocator){0});
        struct gws_device_options options = {.limit_ms = 20};
        struct gws_device *device = NULL;
        if (gws_device_open(runtime, "opencl", &options, &device, NULL) == GWS_OK) {
            struct gws__shared_deques deques = {.runtime = runtime,
                                                .device = device,
                                                .work = look_in_vain,
                                                .progress = progress,
                                                .first = 7,
                                                .threads = 3};
            memset(&team, 0, sizeof team);
            team.steps = 1000;
            double began = gws_clock_ms();
            ck_assert_int_eq(gws__shared_deques_run(&deques, NULL), GWS_OK);
            ck_assert_uint_eq(team.ran, 0x010101); /* each worker ran once, with any number of threads */
            ck_assert_uint_eq(team.progress, team.steps);
            ck_assert_double_ge(gws_clock_ms() - began, options.limit_ms);
        }
        gws_device_close(device);
        gws_runtime_close(runtime);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_once, sizeof policies / sizeof *policies},
                                    {failures_end_the_run, sizeof policies / sizeof *policies},
                                    {memory_runs_out, 1},
                                    {lost_tasks_end_the_run, 1},
                                    {0}};
    return gws_test_run("immediate tasks of CPU and device", test);
}
