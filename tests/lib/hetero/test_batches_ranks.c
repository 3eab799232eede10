/* SPDX-License-Identifier: MIT */
/* Tests batches of tasks on several ranks (lib/hetero/tasks.h), which are threads here: each task runs once, with
 * workers beside the device and without, on one host and on several. A failure of one rank ends the run on all ranks.
 * merge() does the work of a batch, down to a level, and leaves the tasks below it. Of the device (PoCL's) the test
 * uses only the clock. */
#include "../../harness.h"

#include <stdlib.h>
#include <string.h>

#include "../../../lib/hetero/tasks.h"
#include "../../../lib/parallel.h"
#include "../device/drivers.h"
#include "../transport/threads.h"

enum { depth = 6, max_tasks = 1 << 13, max_batch = 64, ranks = 3 };

/* Task n of a tree: the root is 1, and children of n are 4 n - 2 .. 4 n + 1. */
struct tree_task {
    uint64_t number, level;
};

struct shared {
    struct gws_runtime *runtime[ranks];
    struct gws_device *device[ranks];
    bool device_only;
    uint32_t per_host; /* of gws__links_open() */
    _Atomic uint32_t seen[max_tasks];
    _Atomic uint64_t left, given, stolen; /* tasks that devices left, and that went between ranks */
    uint32_t fails, fail_at;              /* rank `fails` fails in start() (1) or merge() (2) of its first batch */
    gws_status status[ranks];
};

/* A rank's device. */
struct rank_device {
    struct shared *shared;
    uint32_t rank, count;
    struct tree_task batch[max_batch];
};

static void see(struct shared *shared, uint64_t number)
{
    if (number >= max_tasks) abort();
    atomic_fetch_add_explicit(&shared->seen[number], 1, memory_order_relaxed);
}

static struct tree_task child_of(struct tree_task task, uint64_t c)
{
    return (struct tree_task){4 * task.number - 2 + c, task.level + 1};
}

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *memory, uint32_t count)
{
    struct rank_device *device = context;
    const struct tree_task *task = memory;
    (void)worker;
    if (count != 1 || device->shared->device_only) abort();
    see(device->shared, task->number);
    for (uint64_t c = 0; c < 4 && task->level < depth; c++)
        gws_spawn(self, &(struct tree_task){4 * task->number - 2 + c, task->level + 1});
}

static uint64_t work(const void *context, const void *task)
{
    (void)context;
    (void)task;
    return 1;
}

static gws_status outcome(struct rank_device *device, uint32_t at, struct gws_diagnostic *where)
{
    if (device->rank != device->shared->fails || device->shared->fail_at != at) return GWS_OK;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "it failed");
}

static gws_status start(void *context, const void *task, uint32_t count, struct gws_diagnostic *where)
{
    struct rank_device *device = context;
    if (device->count > 0 || count == 0 || count > max_batch) abort();
    memcpy(device->batch, task, count * sizeof *device->batch);
    device->count = count;
    return outcome(device, 1, where);
}

/* Runs a task and those of the next level. */
static void run_two_levels(struct shared *shared, struct gws_task_worker *self, struct tree_task task)
{
    see(shared, task.number);
    for (uint64_t c = 0; c < 4 && task.level < depth; c++) {
        const struct tree_task child = child_of(task, c);
        see(shared, child.number);
        for (uint64_t below = 0; below < 4 && child.level < depth; below++) {
            const struct tree_task left = child_of(child, below);
            gws_spawn(self, &left);
            atomic_fetch_add_explicit(&shared->left, 1, memory_order_relaxed);
        }
    }
}

static gws_status merge(void *context, struct gws_task_worker *self, bool *again, struct gws_diagnostic *where)
{
    struct rank_device *device = context;
    if (device->count == 0 || !self) abort();
    for (uint32_t i = 0; i < device->count; i++) run_two_levels(device->shared, self, device->batch[i]);
    device->count = 0;
    *again = false;
    return outcome(device, 2, where);
}

static void body(struct gws_transport *transport, void *context)
{
    static const struct tree_task root = {1, 0};
    struct shared *shared = context;
    const uint32_t self = gws_transport_rank(transport);
    struct rank_device device = {.shared = shared, .rank = self};
    struct gws_rank_stats across = {0};
    struct gws__batch_stats stats;
    struct gws_diagnostic where = {0};
    if (gws__links_open(transport, gws__link_auto, shared->per_host) != GWS_OK) abort();
    const struct gws_ranks all = {.transport = transport, .stats = &across};
    const struct gws__batches batches = {
        .cpu = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run, .context = &device},
        .tasks = max_batch,
        .min_work = 1,
        .context = &device,
        .work = work,
        .start = start,
        .merge = merge,
        .ranks = &all,
        .device_only = shared->device_only,
        .at_once = 2};
    shared->status[self] = gws__batches_run(shared->runtime[self], shared->device[self], &batches, &stats, &where);
    const bool failed = shared->fail_at > 0 && shared->status[self] == GWS_DEVICE && self == shared->fails;
    if (failed && strcmp(where.message, "it failed") != 0) abort();
    atomic_fetch_add(&shared->given, across.given);
    atomic_fetch_add(&shared->stolen, across.stolen);
}

/* Opens runtimes of one and two workers, and their devices. Returns false if there are none. */
static bool open_ranks(struct shared *shared, struct gws_test_memory *memory)
{
    bool has = true;
    memset(shared, 0, sizeof *shared);
    for (uint32_t r = 0; r < ranks; r++) {
        const struct gws_options options = {
            .threads = 1 + r % 2, .policy = "chaselev", .allocator = gws_test_allocator(memory)};
        ck_assert_int_eq(gws_runtime_open(&options, &shared->runtime[r]), GWS_OK);
        if (gws_device_open(shared->runtime[r], "opencl", gws_test_cached(), &shared->device[r], NULL) != GWS_OK)
            has = false;
    }
    if (!has) printf("skipped: no device\n");
    return has;
}

static void close_ranks(struct shared *shared, struct gws_test_memory *memory)
{
    for (uint32_t r = 0; r < ranks; r++) {
        gws_device_close(shared->device[r]);
        gws_runtime_close(shared->runtime[r]);
    }
    gws_test_memory_check(memory);
}

static void run_tree(struct shared *shared)
{
    for (uint32_t i = 0; i < max_tasks; i++) atomic_store(&shared->seen[i], 0);
    run_ranks(ranks, 1, body, shared);
    for (uint32_t r = 1; r < ranks; r++) ck_assert_int_eq(shared->status[r], shared->status[0]);
}

static void check_once(const struct shared *shared)
{
    const uint64_t all = ((UINT64_C(1) << (2 * depth + 2)) - 1) / 3;
    for (uint64_t n = 1; n <= all; n++)
        if (shared->seen[n] != 1) ck_abort_msg("task %u ran %u times", (unsigned)n, (unsigned)shared->seen[n]);
}

START_TEST(each_once)
{
    static struct shared shared;
    struct gws_test_memory memory = {0};
    const bool has = open_ranks(&shared, &memory);
    for (uint32_t variant = 0; has && variant < 6; variant++) {
        shared.device_only = variant % 2;
        shared.per_host = variant / 2; /* on one host, each on its own, two on one */
        run_tree(&shared);
        ck_assert_int_eq(shared.status[0], GWS_OK);
        check_once(&shared);
        ck_assert_uint_eq(shared.given, shared.stolen);
        if (shared.device_only) ck_assert_uint_gt(shared.left, 0);
    }
    close_ranks(&shared, &memory);
}
END_TEST

/* Rank 0 has the first task, so without workers its device gets one. */
START_TEST(failures_end_the_run)
{
    static struct shared shared;
    struct gws_test_memory memory = {0};
    const bool has = open_ranks(&shared, &memory);
    for (shared.fail_at = 1; has && shared.fail_at <= 2; shared.fail_at++) {
        shared.device_only = true;
        run_tree(&shared);
        ck_assert_int_eq(shared.status[0], GWS_DEVICE);
        shared.device_only = false; /* a device may get no task */
        run_tree(&shared);
        if (shared.status[0] == GWS_OK) check_once(&shared);
    }
    close_ranks(&shared, &memory);
}
END_TEST

START_TEST(memory_runs_out)
{
    static struct shared shared;
    struct gws_test_memory memory = {0};
    bool failed = open_ranks(&shared, &memory);
    for (uint64_t k = 1; failed; k += gws_test_step()) {
        shared.device_only = k % 2;
        memory.fail_at = atomic_load(&memory.calls) + k;
        run_tree(&shared);
        memory.fail_at = 0;
        failed = atomic_exchange(&memory.failed, false);
        ck_assert(shared.status[0] == GWS_OK || (shared.status[0] == GWS_NO_MEMORY && failed));
        if (shared.status[0] == GWS_OK) check_once(&shared);
    }
    close_ranks(&shared, &memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_once, 1}, {failures_end_the_run, 1}, {memory_runs_out, 1}, {0}};
    return gws_test_run("batches of tasks on ranks", test);
}
