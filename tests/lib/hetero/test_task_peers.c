/* SPDX-License-Identifier: MIT */
/* Tests immediate tasks on devices that steal from each other (lib/hetero/task_group.c), on the threads of a stub of
 * CUDA's runtime (peers_cuda.h). The test needs CUDA's headers, but no NVIDIA device. */
#define _POSIX_C_SOURCE 200809L
#define TASK_DIVISIBLE 2u
#include "../device/devices.h"

#include "../../../lib/device_tasks.h"

#if __has_include(<cuda_runtime_api.h>)
/* clang-format off */
#include "../../../kernels/portability/host.h"
#undef group_size
#define group_size() WARP
#include "../../../kernels/hetero/trace_words.h"
#include "../../../kernels/hetero/trace.cl"
#include "../../../kernels/task/task_words.h"
#include "../../../kernels/queue/deque_words.h"
#include "../../../kernels/queue/deque_chunked.cl"
#include "../../../kernels/task/task.h"
/* clang-format on */

/* ---- the task ---- */

/* A task is a range with two children: halves, or one number and the rest. A child of one number marks the number. */
#define TASK_LENGTH 2u

enum { numbers = 1 << 15, task_words = 3 };

static uint32_t longest; /* longer ranges lose one number at a time */

static uint32_t make_child(uint32_t *mark, const uint32_t *parent, uint32_t i, uint32_t *child)
{
    const uint32_t length = parent[1] - parent[0], middle = parent[0] + (length > longest ? 1 : length / 2);
    child[0] = i == 0 ? parent[0] : middle;
    child[1] = i == 0 ? middle : parent[1];
    if (child[1] - child[0] > 1) return 2;
    (void)word_add(&mark[child[0]], 1u);
    return 0;
}

device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    if (parent[0] % 16 == 0) (void)sched_yield(); /* all workers run, however few cores there are */
    return make_child(s->data, parent, i, child);
}

/* clang-format off */
#include "../../../kernels/task/wide.h"
#include "../../../kernels/task/blocks.cl"
#include "../../../kernels/task/stack.cl"
#include "../../../kernels/task/publish.cl"
#include "../../../kernels/task/across.cl"
#include "../../../kernels/task/task.cl"
/* clang-format on */

#include "../transport/threads.h"
#include "peers_cuda.h"

/* ---- sides ---- */

/* The part of a fatbin that the library checks. */
static const struct {
    uint32_t magic;
    uint16_t version, head_bytes;
    uint64_t bytes;
} image = {.magic = 0xba55ed50u, .version = 1, .head_bytes = 16};

static struct gws_device *device[devices_max];
static struct gws_device_task_side side[devices_max + 1]; /* the last one is the CPU's */
static struct gws_device_task_side_result result[devices_max + 1];
static uint32_t cpu_mark[numbers];

static void run_tasks(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const uint32_t *parent = task;
    (void)context;
    (void)worker;
    for (; count > 0; count--, parent += task_words + 1)
        for (uint32_t i = parent[3]; i < parent[2]; i++) {
            uint32_t child[task_words + 1] = {0};
            child[2] = make_child(cpu_mark, parent, i, child);
            if (child[2] > 0) gws_spawn(self, child);
        }
}

static void open_sides(uint32_t devices, uint64_t blocks)
{
    const struct gws_device_source source = {.name = "ranges", .image = &image, .image_bytes = sizeof image};
    const struct gws_device_tasks_options options = {.length = TASK_LENGTH, .blocks = blocks};
    atomic_store(&launches, 0);
    for (uint32_t i = 0; i < devices; i++) {
        char address[16];
        struct gws_diagnostic where = {0};
        snprintf(address, sizeof address, "cuda:%u", i / shares);
        device[i] = device_at(address, &(struct gws_device_options){.shares = shares});
        if (gws_device_tasks_open(runtime, device[i], &source, &options, &side[i].tasks, &where) != GWS_OK)
            ck_abort_msg("%s", where.message);
        ck_assert_uint_eq(gws_device_tasks_workers(side[i].tasks), workers_of_group);
        side[i].data = new_buffer(device[i], numbers * sizeof(uint32_t));
        side[i].run = NULL;
    }
    side[devices] = (struct gws_device_task_side){.run = run_tasks, .batch = 8};
}

static void close_sides(uint32_t devices)
{
    for (uint32_t i = 0; i < devices; i++) {
        gws_device_tasks_close(side[i].tasks);
        gws_device_buffer_free(side[i].data);
        gws_device_close(device[i]);
    }
}

static gws_status run_range(uint32_t devices, bool workers, uint32_t width, struct gws_diagnostic *where)
{
    const uint32_t root[task_words] = {0, width, 2};
    const struct gws_device_task_roots roots = {.task = root, .count = 1};
    memset(cpu_mark, 0, sizeof cpu_mark);
    for (uint32_t i = 0; i < devices; i++)
        if (gws_device_fill(side[i].data, 0, 0, numbers, where) != GWS_OK) return GWS_DEVICE;
    return gws_device_tasks_run_sides(runtime, &roots, side, devices + workers, result, where);
}

/* Returns the number of steals between devices. */
static uint64_t check_range(uint32_t devices, bool workers, uint32_t width)
{
    static uint32_t mark[numbers];
    uint64_t created = 0, parents = 0, taken = 0, given = 0, across = 0, takes = 0;
    struct gws_diagnostic where = {0};
    ck_assert_msg(run_range(devices, workers, width, &where) == GWS_OK, "%s", where.message);
    for (uint32_t s = 0; s < devices; s++) {
        ck_assert_int_eq(gws_device_read(side[s].data, 0, mark, sizeof mark, NULL), GWS_OK);
        for (uint32_t i = 0; i < numbers; i++) cpu_mark[i] += mark[i];
    }
    for (uint32_t i = 0; i < width; i++)
        if (cpu_mark[i] != 1) ck_abort_msg("number %u has %u marks", i, cpu_mark[i]);
    for (uint32_t s = 0; s < devices + workers; s++) {
        uint64_t to = 0;
        for (uint32_t i = 0; i < devices + workers; i++) to += result[i].from[s];
        ck_assert_uint_eq(to, result[s].given);
        created += result[s].created;
        parents += result[s].parents;
        taken += result[s].taken;
        takes += result[s].takes;
        given += result[s].given;
        across += result[s].device.across;
    }
    ck_assert_uint_eq(created, 2 * (uint64_t)width - 2);
    ck_assert_uint_eq(parents, (uint64_t)width - 2);
    ck_assert_uint_eq(taken, given + 1);
    ck_assert_uint_ge(takes, across + 1);
    if (has_atomics && !workers && side[0].tasks)
        ck_assert_uint_eq(result[0].device.launches, result[1].device.launches);
    return across;
}

START_TEST(devices_steal_from_each_other)
{
    uint64_t across = 0;
    has_atomics = true;
    open_runtime();
    for (uint32_t devices = 2; devices <= devices_max; devices++) {
        open_sides(devices, 0);
        for (longest = 100; longest <= numbers; longest += numbers - 100)
            for (uint32_t width = 2; width < numbers; width = width * 20 + 1)
                for (uint32_t workers = 0; workers < 2; workers++) across += check_range(devices, workers, width);
        for (uint32_t i = 0; i < 100 && across == 0; i++) across += check_range(devices, false, numbers);
        close_sides(devices);
    }
    ck_assert_uint_gt(across, 0);
    close_runtime();
}
END_TEST

/* Several kernels run on each device at the same time, on a share of its groups each. */
START_TEST(shares_of_devices)
{
    has_atomics = true;
    longest = 100;
    open_runtime();
    for (shares = 2; shares <= 4; shares += 2) {
        opened = 0;
        open_sides(4, 0);
        ck_assert(!gws_device_same(device[0], device[1]) && gws_device_same(device[1], device[1]));
        (void)check_range(4, shares == 4, numbers);
        close_sides(4);
    }
    shares = 1;
    struct gws_device *one = device_at("cuda:0", NULL), *twice = device_at("cuda:0", NULL);
    ck_assert(gws_device_same(one, twice));
    gws_device_close(one);
    gws_device_close(twice);
    close_runtime();
}
END_TEST

START_TEST(devices_without_atomics_use_the_pool)
{
    has_atomics = false;
    longest = 100;
    open_runtime();
    open_sides(2, 0);
    for (uint32_t i = 0; i < 4; i++) ck_assert_uint_eq(check_range(2, i % 2, numbers), 0);
    close_sides(2);
    close_runtime();
}
END_TEST

START_TEST(a_device_short_of_blocks_pauses_all)
{
    has_atomics = true;
    longest = numbers;
    open_runtime();
    for (uint32_t blocks = 1; blocks < 4; blocks += 2) {
        open_sides(2, blocks);
        for (uint32_t workers = 0; workers < 2; workers++) (void)check_range(2, workers, numbers);
        close_sides(2);
    }
    close_runtime();
}
END_TEST

/* The devices do not reach each other, or a launch fails while the kernels before it run. The message tells which. */
START_TEST(a_failing_device_ends_the_run)
{
    enum { devices = 4 };
    struct gws_diagnostic where = {0};
    char wanted[] = "cuda:0: ";
    has_atomics = true;
    longest = 100;
    open_runtime();
    for (uint32_t k = 0; k <= devices; k++) {
        open_sides(devices, 0);
        result[0].created = 7;
        fails_to_reach = k == 0;
        fail_at = k;
        ck_assert_int_eq(run_range(devices, false, numbers, &where), GWS_DEVICE);
        wanted[sizeof "cuda:" - 1] = (char)('0' + (k > 0 ? k - 1 : 0));
        ck_assert_msg(strncmp(where.message, wanted, strlen(wanted)) == 0, "%s", where.message);
        ck_assert_ptr_nonnull(strstr(where.message, "on purpose"));
        ck_assert_uint_eq(result[0].created, 7);
        fails_to_reach = false;
        fail_at = 0;
        for (uint32_t i = 0; i < devices; i++) join(&stream_of_device[i]);
        close_sides(devices);
    }
    close_runtime();
}
END_TEST

static double cancelled_at;

static bool ask(void *context)
{
    (void)context;
    return gws_clock_ms() > cancelled_at;
}

START_TEST(a_cancelled_call_ends_all_devices)
{
    const struct gws_options options = {.threads = 1, .policy = "chaselev", .cancel = ask};
    has_atomics = true;
    longest = 100;
    cancelled_at = 1e300;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    open_sides(2, 0);
    for (uint32_t i = 0; i < 8; i++) {
        cancelled_at = gws_clock_ms() + i;
        gws_status status = GWS_OK;
        while (status == GWS_OK) status = run_range(2, false, numbers, NULL);
        ck_assert_int_eq(status, GWS_CANCELLED);
        cancelled_at = 1e300;
        (void)check_range(2, false, 300); /* the devices are as good as new */
    }
    close_sides(2);
    close_runtime();
}
END_TEST

/* ---- ranks, which are threads, each with a device ---- */

enum { max_roots = 300 };

struct rank_run {
    uint32_t width, roots;          /* of a root; of a rank */
    bool all_roots, pool, messages; /* pool: the devices do not steal from each other */
    uint64_t blocks;
    gws_status want;
    uint32_t runs;    /* with the same devices */
    bool renews;      /* rank 1 then makes other tasks for one more */
    uint32_t cancels; /* the rank whose call is cancelled; 0: none */
    _Atomic uint64_t created, parents, stolen, given;
    _Atomic uint32_t mark[devices_max * numbers];
};

static void add_rank(struct rank_run *run, const struct gws_device_task_side *own,
                     const struct gws_device_task_side_result *has, const struct gws_rank_stats *stats)
{
    static _Thread_local uint32_t mark[numbers];
    if (gws_device_read(own->data, 0, mark, sizeof mark, NULL) != GWS_OK) abort();
    for (uint32_t i = 0; i < numbers; i++) atomic_fetch_add(&run->mark[i], mark[i]);
    atomic_fetch_add(&run->created, has->created);
    atomic_fetch_add(&run->parents, has->parents);
    atomic_fetch_add(&run->stolen, stats->stolen);
    atomic_fetch_add(&run->given, stats->given);
    if (!run->pool && (stats->stolen != has->taken || stats->given != has->given)) abort();
}

static void run_rank_once(struct rank_run *run, struct gws_transport *transport, struct gws_runtime *own_runtime,
                          struct gws_device_task_side *own)
{
    static _Thread_local uint32_t root[max_roots][task_words];
    const struct gws_device_task_roots roots = {.task = *root, .count = run->width > 0 ? run->roots : 0};
    struct gws_rank_stats stats;
    const struct gws_ranks ranks = {.transport = transport, .all_roots = run->all_roots, .stats = &stats};
    struct gws_device_task_side_result has = {.created = UINT64_MAX};
    struct gws_diagnostic where = {0};
    for (uint32_t i = 0; i < run->roots; i++) {
        const uint32_t first = (i + (run->all_roots ? gws_transport_rank(transport) : 0)) * run->width;
        memcpy(root[i], (uint32_t[]){first, first + run->width, 2}, sizeof root[i]);
    }
    if (gws_device_fill(own->data, 0, 0, numbers, NULL) != GWS_OK) abort();
    const gws_status status = gws_device_tasks_run_ranks(own_runtime, &ranks, &roots, own, 1, &has, &where);
    if (status != run->want && !(run->cancels && status == GWS_OK)) {
        fprintf(stderr, "%s: %s\n", gws_status_text(status), where.message);
        abort();
    }
    if (run->want == GWS_DEVICE && !strstr(where.message, "on purpose")) abort();
    if ((status == GWS_OK) == (has.created == UINT64_MAX)) abort();
    if (status == GWS_OK) add_rank(run, own, &has, &stats);
}

static const struct gws_device_source ranges = {.name = "ranges", .image = &image, .image_bytes = sizeof image};

/* Runs once more, on rank 1 with other tasks. */
static void renew_tasks(struct rank_run *run, struct gws_transport *transport, struct gws_runtime *own_runtime,
                        struct gws_device *own_device, struct gws_device_task_side *own)
{
    const struct gws_device_tasks_options usual = {.length = TASK_LENGTH};
    struct gws_device_tasks *old = own->tasks;
    const bool is_other = gws_transport_rank(transport) == 1;
    if (is_other && gws_device_tasks_open(own_runtime, own_device, &ranges, &usual, &own->tasks, NULL) != GWS_OK)
        abort();
    run_rank_once(run, transport, own_runtime, own);
    if (is_other) gws_device_tasks_close(old);
}

static void peer_rank(struct gws_transport *transport, void *context)
{
    struct rank_run *run = context;
    const uint32_t rank = gws_transport_rank(transport);
    const struct gws_device_tasks_options usual = {.length = TASK_LENGTH, .blocks = run->blocks};
    struct gws_options options = {.threads = 1};
    struct gws_runtime *own_runtime = NULL;
    struct gws_device *own_device = NULL;
    struct gws_device_task_side own = {.run = NULL};
    char address[16];
    snprintf(address, sizeof address, "cuda:%u", rank);
    if (run->cancels && rank == run->cancels) options.cancel = ask;
    if (gws__links_open(transport, run->messages ? GWS__LINK_MESSAGES : gws__link_auto, 0) != GWS_OK) abort();
    if (gws_runtime_open(&options, &own_runtime) != GWS_OK) abort();
    if (gws_device_open(own_runtime, address, NULL, &own_device, NULL) != GWS_OK ||
        gws_device_tasks_open(own_runtime, own_device, &ranges, &usual, &own.tasks, NULL) != GWS_OK ||
        gws_device_buffer_new(own_device, numbers * sizeof(uint32_t), &own.data, NULL) != GWS_OK)
        abort();
    for (uint32_t i = 0; i < run->runs; i++) run_rank_once(run, transport, own_runtime, &own);
    if (run->renews) renew_tasks(run, transport, own_runtime, own_device, &own);
    gws_device_tasks_close(own.tasks);
    gws_device_buffer_free(own.data);
    gws_device_close(own_device);
    gws_runtime_close(own_runtime);
}

static struct rank_run *new_rank_run(uint32_t width)
{
    static struct rank_run run;
    memset(&run, 0, sizeof run);
    run.width = width;
    run.roots = run.runs = 1;
    has_atomics = true;
    longest = 100;
    atomic_store(&launches, 0);
    return &run;
}

/* Returns the number of tasks that ranks took from others. */
static uint64_t check_ranks(struct rank_run *run, uint32_t ranks)
{
    const uint64_t trees = run->all_roots ? ranks : run->roots, width = run->width, runs = run->runs + run->renews;
    run_ranks(ranks, 0, peer_rank, run);
    for (uint64_t i = 0; i < trees * width; i++)
        if (run->mark[i] != runs) ck_abort_msg("number %u has %u marks", (unsigned)i, (unsigned)run->mark[i]);
    ck_assert_uint_eq(run->created, width > 0 ? runs * trees * (2 * width - 2) : 0);
    ck_assert_uint_eq(run->parents, width > 0 ? runs * trees * (width - 2) : 0);
    ck_assert_uint_eq(run->stolen, run->given);
    ck_assert_int_eq(mapped_memory, 0);
    return run->stolen;
}

START_TEST(devices_of_ranks_steal_from_each_other)
{
    uint64_t stolen = 0;
    for (uint32_t ranks = 2; ranks <= devices_max; ranks++)
        for (uint32_t i = 0; i < 100 && (i < 2 || stolen == 0); i++) {
            struct rank_run *run = new_rank_run(i == 0 ? 0 : i == 1 ? 200 : numbers / devices_max);
            run->all_roots = i == 1;
            stolen += check_ranks(run, ranks);
            ck_assert_uint_eq(launches, run->width > 0 ? ranks : 0);
        }
    ck_assert_uint_gt(stolen, 0);
}
END_TEST

/* The first tasks fit in no launch. */
START_TEST(devices_of_ranks_launch_together)
{
    struct rank_run *run = new_rank_run(10);
    run->roots = 300;
    run->blocks = 1;
    (void)check_ranks(run, 2);
    ck_assert_uint_gt(launches, 2);
    ck_assert_uint_eq(launches % 2, 0);
}
END_TEST

/* The memory stays mapped, unless a rank has other memory. */
START_TEST(devices_of_ranks_run_again)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct rank_run *run = new_rank_run(1000);
        run->runs = 3;
        run->renews = i;
        atomic_store(&maps, 0);
        (void)check_ranks(run, 3);
        ck_assert_uint_eq(maps, i == 0 ? 18 : 36); /* three buffers of two others on each rank */
    }
}
END_TEST

/* Some memory cannot be mapped, the devices have no atomics, the ranks only exchange messages, or share a device. */
START_TEST(other_devices_of_ranks_use_the_pool)
{
    for (uint32_t i = 0; i < 6; i++) {
        struct rank_run *run = new_rank_run(2000);
        may_map = i < 3 ? (int)i + 1 : 0;
        has_atomics = i != 3;
        run->pool = true;
        run->messages = i == 4;
        one_bus = i == 5;
        (void)check_ranks(run, 2);
        may_map = 0;
    }
    one_bus = false;
}
END_TEST

START_TEST(a_failing_device_of_a_rank_ends_all)
{
    for (fail_at = 1; fail_at <= 2; fail_at++) {
        struct rank_run *run = new_rank_run(numbers);
        run->want = GWS_DEVICE;
        run_ranks(2, 0, peer_rank, run);
        for (uint32_t i = 0; i < 2; i++) join(&stream_of_device[i]);
    }
    fail_at = 0;
    mapped_memory = 0; /* a lost device keeps what it mapped */
}
END_TEST

START_TEST(a_cancelled_rank_ends_all_devices)
{
    for (uint32_t i = 0; i < 6; i++) {
        struct rank_run *run = new_rank_run(numbers);
        run->want = GWS_CANCELLED;
        run->cancels = 1;
        cancelled_at = gws_clock_ms() + i;
        run_ranks(2, 0, peer_rank, run);
        ck_assert_int_eq(mapped_memory, 0);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, devices_of_ranks_steal_from_each_other);
    tcase_add_test(tests, devices_of_ranks_launch_together);
    tcase_add_test(tests, devices_of_ranks_run_again);
    tcase_add_test(tests, other_devices_of_ranks_use_the_pool);
    tcase_add_test(tests, a_failing_device_of_a_rank_ends_all);
    tcase_add_test(tests, a_cancelled_rank_ends_all_devices);
    tcase_add_test(tests, devices_steal_from_each_other);
    tcase_add_test(tests, shares_of_devices);
    tcase_add_test(tests, devices_without_atomics_use_the_pool);
    tcase_add_test(tests, a_device_short_of_blocks_pauses_all);
    tcase_add_test(tests, a_failing_device_ends_the_run);
    tcase_add_test(tests, a_cancelled_call_ends_all_devices);
}

#else

static void add_tests(TCase *tests)
{
    (void)tests; /* without CUDA's headers the library has no such devices */
}

#endif

static Suite *task_peers_suite(void)
{
    Suite *suite = suite_create("devices that steal from each other");
    TCase *tests = tcase_create("peers");
    add_tests(tests);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(task_peers_suite);
}
