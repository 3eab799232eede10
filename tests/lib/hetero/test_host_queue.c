/* SPDX-License-Identifier: MIT */
/* Host queues on every device of this machine that shares memory with the host: each task runs once and finds what the
 * host wrote before; a cancelled call and a kernel that ends early leave no kernel behind; failing memory; refused
 * arguments. On a GPU, 20 million tasks. */
#include "../device/devices.h"

#include "../../../lib/host_queue.h"

enum { cpu_tasks = 2000, gpu_tasks = 20000000, capacity = 64 };
static const uint64_t key = 0x9e3779b97f4a7c15;

static struct {
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws_device_buffer *seen, *sent, *result;
    uint64_t *words;
    uint64_t groups, group_size, tasks;
} run;

/* Opens a device and its buffers. Returns false if the device has no queue. */
static bool begin(const char *address)
{
    void *words = NULL;
    run.device = device_at(address, NULL);
    const struct gws_device_info *info = gws_device_describe(run.device);
    bool gpu = info->type == GWS_DEVICE_GPU;
    if (info->max_shared == 0) {
        struct gws_host_queue *queue = NULL;
        ck_assert_int_eq(gws_host_queue_open(runtime, run.device, capacity, &queue, NULL), GWS_UNSUPPORTED);
        printf("skipped: %s shares no memory with the host\n", address);
        gws_device_close(run.device);
        return false;
    }
    run.program = named_test_program(run.device, "test_host_queue");
    run.group_size = gpu ? 128 : 1;
    run.groups = gpu ? 4 * info->groups : 1; /* a CPU device's groups compete with the thread that queues them */
    run.tasks = gpu ? gpu_tasks : gws_test_quick() ? cpu_tasks / 10 : cpu_tasks;
    run.seen = new_buffer(run.device, 4 * run.tasks);
    run.result = new_buffer(run.device, 8);
    ck_assert_int_eq(gws_device_shared_new(run.device, 8 * run.tasks, &run.sent, &words, NULL), GWS_OK);
    run.words = words;
    return true;
}

static void end(void)
{
    gws_device_buffer_free(run.seen);
    gws_device_buffer_free(run.sent);
    gws_device_buffer_free(run.result);
    gws_device_program_free(run.program);
    gws_device_close(run.device);
    memset(&run, 0, sizeof run);
}

static void launch(const struct gws_host_queue *queue)
{
    struct gws_device_argument argument[GWS_HOST_QUEUE_ARGUMENTS + 3] = {
        [GWS_HOST_QUEUE_ARGUMENTS] = {.buffer = run.seen}, {.buffer = run.sent}, {.buffer = run.result}};
    struct gws_device_launch launch = {.program = run.program,
                                       .kernel = "host_queue_mark",
                                       .groups = run.groups,
                                       .group_size = run.group_size,
                                       .resident = true,
                                       .argument = argument,
                                       .arguments = GWS_HOST_QUEUE_ARGUMENTS + 3};
    gws_host_queue_arguments(queue, argument);
    ck_assert_int_eq(gws_device_fill(run.seen, 0, 0, run.tasks, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_fill(run.result, 0, 0, 2, NULL), GWS_OK);
    memset(run.words, 0, 8 * run.tasks);
    runs(run.device, &launch);
}

struct source {
    uint64_t next, end, cancel_at; /* cancel_at: the number of words after which the call is cancelled */
};

static _Atomic bool cancelled;

static bool is_cancelled(void *context)
{
    (void)context;
    return atomic_load_explicit(&cancelled, memory_order_relaxed);
}

static uint64_t next(void *context, uint32_t queue, uint64_t *task, uint64_t max)
{
    struct source *source = context;
    uint64_t count = 0;
    ck_assert_uint_eq(queue, 0);
    ck_assert_uint_gt(max, 0);
    for (; count < max && source->next < source->end; count++, source->next++) {
        task[count] = source->next < run.tasks ? source->next : GWS_HOST_QUEUE_HALT;
        if (source->next < run.tasks) run.words[source->next] = source->next * key;
    }
    if (source->next >= source->cancel_at) atomic_store_explicit(&cancelled, true, memory_order_relaxed);
    return count;
}

/* Checks the counts of the tasks before `all`, each of which ran, and that no other task ran twice. */
static void judge(uint64_t all)
{
    uint32_t result[2], *seen = malloc(4 * run.tasks);
    ck_assert_int_eq(gws_device_read(run.result, 0, result, sizeof result, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(run.seen, 0, seen, 4 * run.tasks, NULL), GWS_OK);
    ck_assert_uint_eq(result[0], 0);
    ck_assert_uint_eq(result[1], run.groups);
    for (uint64_t i = 0; i < run.tasks; i++)
        if (seen[i] > 1 || (i < all && seen[i] != 1))
            ck_abort_msg("task %llu ran %u times", (unsigned long long)i, seen[i]);
    free(seen);
}

static void host_queue_device(const char *address)
{
    if (!begin(address)) return;
    struct gws_host_queue *queue = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_host_queue_open(runtime, run.device, capacity, &queue, &where), GWS_OK);
    for (int again = 0; again < 2; again++) { /* a queue whose tasks are all taken needs no reset */
        struct source source = {0, run.tasks + run.groups, UINT64_MAX};
        launch(queue);
        ck_assert_msg(gws_host_queue_serve(&queue, 1, next, &source, true, &where) == GWS_OK, "%s", where.message);
        judge(run.tasks);
        ck_assert_uint_eq(gws_host_queue_space(queue), capacity);
    }
    gws_host_queue_close(queue);
    end();
}

START_TEST(each_task_once)
{
    open_runtime();
    for_each_device("", host_queue_device);
    close_runtime();
}
END_TEST

static void cancel_on_device(const char *address)
{
    if (!begin(address)) return;
    struct gws_host_queue *queue = NULL;
    struct source source = {0, run.tasks, run.tasks / 2}; /* no task ends the groups */
    ck_assert_int_eq(gws_host_queue_open(runtime, run.device, capacity, &queue, NULL), GWS_OK);
    atomic_store(&cancelled, false);
    launch(queue);
    ck_assert_int_eq(gws_host_queue_serve(&queue, 1, next, &source, true, NULL), GWS_CANCELLED);
    atomic_store(&cancelled, false);
    judge(0);
    ck_assert_int_eq(gws_host_queue_reset(queue, NULL), GWS_OK);
    source = (struct source){0, run.tasks + run.groups, UINT64_MAX};
    launch(queue);
    ck_assert_int_eq(gws_host_queue_serve(&queue, 1, next, &source, true, NULL), GWS_OK);
    judge(run.tasks);
    gws_host_queue_close(queue);
    end();
}

START_TEST(a_cancelled_call_ends_the_kernel)
{
    struct gws_options options = {.threads = 1, .cancel = is_cancelled};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    for_each_device("", cancel_on_device);
    close_runtime();
}
END_TEST

/* A kernel without tasks takes none within the limit. */
static void starve_device(const char *address)
{
    const struct gws_device_options limit = {.limit_ms = 300};
    if (!begin(address)) return;
    struct gws_device *patient = run.device;
    struct gws_host_queue *queue = NULL;
    struct gws_diagnostic where = {0};
    struct source source = {0, 0, UINT64_MAX};
    gws_device_buffer_free(run.seen);
    gws_device_buffer_free(run.sent);
    gws_device_buffer_free(run.result);
    gws_device_program_free(run.program);
    gws_device_close(patient);
    run.device = device_at(address, &limit);
    run.program = named_test_program(run.device, "test_host_queue");
    run.tasks = 1;
    void *words = NULL;
    run.seen = new_buffer(run.device, 4);
    run.result = new_buffer(run.device, 8);
    ck_assert_int_eq(gws_device_shared_new(run.device, 8, &run.sent, &words, NULL), GWS_OK);
    run.words = words;
    ck_assert_int_eq(gws_host_queue_open(runtime, run.device, capacity, &queue, NULL), GWS_OK);
    launch(queue);
    ck_assert_int_eq(gws_host_queue_serve(&queue, 1, next, &source, true, &where), GWS_DEVICE);
    ck_assert_ptr_nonnull(strstr(where.message, "took no task"));
    judge(0);
    gws_host_queue_close(queue);
    end();
}

START_TEST(a_kernel_without_tasks)
{
    open_runtime();
    for_each_device("", starve_device);
    close_runtime();
}
END_TEST

static void fail_on_device(const char *address)
{
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *own = NULL;
        struct gws_device *device = NULL;
        struct gws_host_queue *queue = NULL;
        gws_status status = gws_runtime_open(&options, &own);
        if (status == GWS_OK) status = gws_device_open(own, address, gws_test_cached(), &device, NULL);
        if (status == GWS_OK) status = gws_host_queue_open(own, device, capacity, &queue, NULL);
        ck_assert(status == GWS_OK || status == GWS_NO_MEMORY || status == GWS_UNSUPPORTED);
        gws_host_queue_close(queue);
        gws_device_close(device);
        gws_runtime_close(own);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}

static void refuse(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_host_queue *queue = NULL;
    ck_assert_int_eq(gws_host_queue_open(runtime, device, 0, &queue, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_host_queue_open(runtime, device, UINT64_C(1) << 40, &queue, NULL), GWS_INVALID);
    ck_assert_ptr_null(queue);
    gws_host_queue_close(NULL);
    gws_device_close(device);
}

START_TEST(failing_memory_and_refused_arguments)
{
    open_runtime();
    for_each_device("", fail_on_device);
    for_each_device("", refuse);
    close_runtime();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_task_once, 1},
                                    {a_cancelled_call_ends_the_kernel, 1},
                                    {a_kernel_without_tasks, 1},
                                    {failing_memory_and_refused_arguments, 1},
                                    {0}};
    return gws_test_run("queues on devices", test);
}
