/* SPDX-License-Identifier: MIT */
/* Tests immediate tasks on every device that compiles programs (lib/device_tasks.h), with a task of the test's own:
 * each task runs once, also when the device's memory for tasks is too small, and errors leave nothing behind. */
#include "../device/devices.h"

#include "../../../lib/device_tasks.h"
#include "endless.h"

/* A task is a range. Its children are two parts: halves, or for long ranges one number and the rest. So tasks of a long
 * range wait in great numbers for the tasks of its rest. A child of one number marks the number. */
static const char source[] =
    "#define TASK_LENGTH 2u\n"
    "device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)\n"
    "{\n"
    "    u32 length = parent[1] - parent[0];\n"
    "    u32 middle = parent[0] + (length > 100 ? 1 : length / 2);\n"
    "    child[0] = i == 0 ? parent[0] : middle;\n"
    "    child[1] = i == 0 ? middle : parent[1];\n"
    "    if (child[1] - child[0] == 1) {\n"
    "        (void)word_add(&s->data[child[0]], 1u);\n"
    "        task_add(s, 3, child[0]);\n"
    "        task_max(s, 1, child[0]);\n"
    "        return 0;\n"
    "    }\n"
    "    return 2;\n"
    "}\n";

enum { task_words = 3 };

static const struct gws_device_tasks_options usual = {.length = 2};
static struct gws_device_source program;
static const char *part[GWS_DEVICE_TASK_PARTS];

static void make_program(void)
{
    program = (struct gws_device_source){.name = "halves.cl", .part = part};
    program.parts = gws_device_tasks_source(source, part);
}

/* Runs `ranges` ranges of `width` numbers each. Each number must have one mark. */
static struct gws_device_tasks_result check_run(struct gws_device *device, struct gws_device_tasks *tasks,
                                                uint32_t ranges, uint32_t width)
{
    const uint32_t numbers = ranges * width;
    struct gws_device_tasks_result result;
    struct gws_device_task_roots roots = {.count = ranges};
    struct gws_diagnostic where = {0};
    uint32_t *root = calloc(ranges + 1, task_words * sizeof *root), *mark = calloc(numbers + 1, sizeof *mark);
    for (uint32_t i = 0; i < ranges; i++) {
        root[task_words * i] = i * width;
        root[task_words * i + 1] = (i + 1) * width;
        root[task_words * i + 2] = 2;
    }
    roots.task = root;
    ck_assert_int_eq(gws_device_buffer_new(device, (numbers + 1) * sizeof *mark, &roots.data, &where), GWS_OK);
    ck_assert_int_eq(gws_device_fill(roots.data, 0, 0, numbers + 1, &where), GWS_OK);
    if (gws_device_tasks_run(tasks, &roots, &result, &where) != GWS_OK) ck_abort_msg("%s", where.message);
    ck_assert_int_eq(gws_device_read(roots.data, 0, mark, (numbers + 1) * sizeof *mark, &where), GWS_OK);
    for (uint32_t i = 0; i < numbers; i++)
        if (mark[i] != 1) ck_abort_msg("number %u of %u has %u marks", i, numbers, mark[i]);
    ck_assert_uint_eq(result.created, (uint64_t)numbers * 2 - 2 * ranges);
    ck_assert_uint_eq(result.parents, (uint64_t)numbers - 2 * ranges);
    ck_assert_uint_eq(result.sum[3], numbers > 0 ? (uint64_t)numbers * (numbers - 1) / 2 : 0);
    ck_assert_uint_eq(result.max[1], numbers > 0 ? numbers - 1 : 0);
    ck_assert_uint_eq(result.sum[0], 0);
    gws_device_buffer_free(roots.data);
    free(root);
    free(mark);
    return result;
}

static bool compiles(const char *address, struct gws_device **device)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_device_open(runtime, address, gws_test_cached(), device, &where), GWS_OK);
    return gws_device_describe(*device)->compiles;
}

/* Without stealing, and with more first tasks than a block for each worker holds. */
static void keep_tasks_on(const char *address)
{
    const struct gws_device_tasks_options keeps = {.length = 2, .is_static = true};
    struct gws_device *device = NULL;
    struct gws_device_tasks *tasks = NULL;
    struct gws_diagnostic where = {0};
    if (compiles(address, &device)) {
        ck_assert_int_eq(gws_device_tasks_open(runtime, device, &program, &keeps, &tasks, &where), GWS_OK);
        for (uint32_t ranges = 0; ranges < 300; ranges = ranges * 6 + 1) {
            struct gws_device_tasks_result result = check_run(device, tasks, ranges, 16);
            ck_assert_uint_eq(result.steals, 0);
        }
        (void)check_run(device, tasks, 1, 8000);
        gws_device_tasks_close(tasks);
    }
    gws_device_close(device);
}

START_TEST(static_tasks_run_once)
{
    open_runtime();
    make_program();
    for_each_device("", keep_tasks_on);
    close_runtime();
}
END_TEST

static void run_tasks_on(const char *address)
{
    struct gws_device *device = NULL;
    struct gws_device_tasks *tasks = NULL;
    struct gws_diagnostic where = {0};
    if (compiles(address, &device)) {
        if (gws_device_tasks_open(runtime, device, &program, &usual, &tasks, &where) != GWS_OK)
            ck_abort_msg("%s", where.message);
        for (uint32_t ranges = 0; ranges < 300; ranges = ranges * 6 + 1) {
            struct gws_device_tasks_result result = check_run(device, tasks, ranges, 16);
            ck_assert_uint_eq(result.spilled, 0);
            ck_assert_uint_eq(result.launches, ranges > 0);
        }
        gws_device_tasks_close(tasks);
    }
    gws_device_close(device);
}

START_TEST(each_task_runs_once)
{
    open_runtime();
    make_program();
    for_each_device("", run_tasks_on);
    close_runtime();
}
END_TEST

/* The first tasks alone need more blocks than the device has. Then the tasks of one range do, if a group is one item.
 * A warp creates the children of all waiting tasks at once, so that few tasks wait. */
static void spill_on(const char *address)
{
    const struct gws_device_tasks_options few = {.length = 2, .groups = 1, .blocks = 4};
    struct gws_device *device = NULL;
    struct gws_device_tasks *tasks = NULL;
    struct gws_diagnostic where = {0};
    if (compiles(address, &device)) {
        ck_assert_int_eq(gws_device_tasks_open(runtime, device, &program, &few, &tasks, &where), GWS_OK);
        ck_assert_uint_gt(check_run(device, tasks, 500, 16).launches, 1);
        struct gws_device_tasks_result result = check_run(device, tasks, 1, 8000);
        ck_assert(result.workers > 1 || result.launches > 1);
        ck_assert(result.workers > 1 || result.spilled > 0);
        gws_device_tasks_close(tasks);
    }
    gws_device_close(device);
}

START_TEST(tasks_wait_in_the_memory_of_the_host)
{
    open_runtime();
    make_program();
    for_each_device("", spill_on);
    close_runtime();
}
END_TEST

static void refuse_on(const char *address)
{
    const struct gws_device_tasks_options none = {.length = 0}, many = {.length = GWS_DEVICE_TASK_WORDS + 1};
    struct gws_device_source wrong = {.name = "wrong.cl", .part = part};
    struct gws_device *device = NULL;
    struct gws_device_tasks *tasks = NULL;
    struct gws_diagnostic where = {0};
    if (compiles(address, &device)) {
        ck_assert_int_eq(gws_device_tasks_open(runtime, device, &program, &none, &tasks, &where), GWS_INVALID);
        ck_assert_int_eq(gws_device_tasks_open(runtime, device, &program, &many, &tasks, &where), GWS_INVALID);
        wrong.parts = gws_device_tasks_source("no source", part);
        ck_assert_int_eq(gws_device_tasks_open(runtime, device, &wrong, &usual, &tasks, &where), GWS_INVALID);
        ck_assert_ptr_null(tasks);
        ck_assert(!gws_device_tasks_program("none", &wrong));
    }
    gws_device_close(device);
}

START_TEST(wrong_options_and_sources_are_refused)
{
    open_runtime();
    make_program();
    for_each_device("", refuse_on);
    close_runtime();
}
END_TEST

/* ---- cancelled calls ---- */

static uint32_t polls;

static bool ask(void *context)
{
    (void)context;
    return ++polls > 20;
}

static void cancel_on(const char *address)
{
    const struct gws_device_tasks_options one_word = {.length = 1};
    const uint32_t root[] = {0, 2};
    const struct gws_device_task_roots roots = {.task = root, .count = 1};
    struct gws_device *device = NULL;
    struct gws_device_tasks *tasks = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_tasks_result result = {.created = 7};
    if (compiles(address, &device)) {
        polls = 0;
        program.parts = gws_device_tasks_source(endless, part);
        ck_assert_int_eq(gws_device_tasks_open(runtime, device, &program, &one_word, &tasks, &where), GWS_OK);
        ck_assert_int_eq(gws_device_tasks_run(tasks, &roots, &result, &where), GWS_CANCELLED);
        ck_assert_uint_eq(result.created, 7);
        ck_assert_uint_gt(polls, 20);
        gws_device_tasks_close(tasks);
    }
    gws_device_close(device);
}

START_TEST(a_cancelled_call_ends_the_kernel)
{
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory), .cancel = ask};
    if (!getenv("GRAPHWS_BUILD")) setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1);
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    make_program();
    for_each_device("", cancel_on);
    close_runtime();
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_task_runs_once, 1},
                                    {static_tasks_run_once, 1},
                                    {tasks_wait_in_the_memory_of_the_host, 1},
                                    {wrong_options_and_sources_are_refused, 1},
                                    {a_cancelled_call_ends_the_kernel, 1},
                                    {0}};
    return gws_test_run("tasks of a device", test);
}
