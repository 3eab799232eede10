/* SPDX-License-Identifier: MIT */
/* Tests immediate tasks on several sides (gws_device_tasks_run_sides(), lib/device_tasks.h): on two devices of PoCL,
 * which a process has if POCL_DEVICES names two, and on the CPU's workers. Each task runs once, on any side. Errors of
 * a side and cancelled calls end all sides. */
#include "../device/devices.h"

#include <math.h>

#include "../../../lib/device_tasks.h"
#include "endless.h"
#include "ranges.h"

enum { max_sides = 3 };

static const char *part[GWS_DEVICE_TASK_PARTS];

/* The devices of a run, and its sides. The workers are the last side. */
struct sides {
    struct gws_device *device[max_sides];
    struct gws_device_task_side side[max_sides];
    struct gws_device_task_side_result result[max_sides];
    uint32_t devices, count;
};

/* Opens devices for a task's source, and the workers with `run` unless it is NULL. */
static void open_program(struct sides *sides, const char *text, uint32_t devices, gws_task_run *run, uint64_t blocks)
{
    struct gws_device_info info[gws_test_devices];
    const struct gws_device_tasks_options options = {
        .length = task_words - 1, .groups = blocks ? 1 : 0, .blocks = blocks};
    struct gws_device_source program = {.name = "ranges.cl", .part = part};
    struct gws_diagnostic where = {0};
    uint32_t found = 0;
    *sides = (struct sides){.count = 0};
    program.parts = gws_device_tasks_source(text, part);
    gws_device_list(runtime, info, gws_test_devices, &found);
    for (uint32_t i = 0; i < found && i < gws_test_devices && sides->devices < devices; i++) {
        if (info[i].unusable[0] || !info[i].compiles) continue;
        struct gws_device_task_side *side = &sides->side[sides->count];
        struct gws_device *device = device_at(info[i].address, NULL);
        if (gws_device_tasks_open(runtime, device, &program, &options, &side->tasks, &where) != GWS_OK)
            ck_abort_msg("%s", where.message);
        side->data = new_buffer(device, (numbers + 1) * sizeof(uint32_t));
        sides->device[sides->devices++] = device;
        sides->count++;
    }
    if (run) sides->side[sides->count++] = (struct gws_device_task_side){.run = run, .batch = 8};
}

static void open_sides(struct sides *sides, uint32_t devices, bool workers, uint64_t blocks)
{
    open_program(sides, source, devices, workers ? run_tasks : NULL, blocks);
}

static void close_sides(struct sides *sides)
{
    for (uint32_t i = 0; i < sides->devices; i++) {
        gws_device_tasks_close(sides->side[i].tasks);
        gws_device_buffer_free(sides->side[i].data);
        gws_device_close(sides->device[i]);
    }
}

static gws_status run_roots(struct sides *sides, const struct gws_device_task_roots *roots, uint32_t longest,
                            struct gws_diagnostic *where)
{
    tree.longest = longest;
    memset(tree.mark, 0, sizeof tree.mark);
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < sides->devices && status == GWS_OK; i++) {
        status = gws_device_fill(sides->side[i].data, 0, 0, numbers + 1, where);
        if (status == GWS_OK) status = gws_device_fill(sides->side[i].data, 0, longest, 1, where);
    }
    if (status == GWS_OK)
        status = gws_device_tasks_run_sides(runtime, roots, sides->side, sides->count, sides->result, where);
    return status;
}

static gws_status run_range(struct sides *sides, uint32_t width, uint32_t longest, struct gws_diagnostic *where)
{
    const uint32_t root[task_words] = {0, width, 2};
    const struct gws_device_task_roots roots = {.task = root, .count = width > 0};
    return run_roots(sides, &roots, longest, where);
}

/* Each of the numbers 0 .. count - 1 has one mark, of a device or a worker. */
static void check_marks(struct sides *sides, uint32_t count)
{
    static uint32_t mark[numbers + 1];
    struct gws_diagnostic where = {0};
    for (uint32_t s = 0; s < sides->devices; s++) {
        ck_assert_int_eq(gws_device_read(sides->side[s].data, 0, mark, sizeof mark, &where), GWS_OK);
        for (uint32_t i = 0; i < count; i++) atomic_fetch_add(&tree.mark[i], mark[i + 1]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (atomic_load(&tree.mark[i]) != 1) ck_abort_msg("number %u has %u marks", i, atomic_load(&tree.mark[i]));
}

static void check_range(struct sides *sides, uint32_t width, uint32_t longest)
{
    uint64_t created = 0, parents = 0, taken = 0, given = 0;
    struct gws_diagnostic where = {0};
    ck_assert_msg(run_range(sides, width, longest, &where) == GWS_OK, "%s", where.message);
    check_marks(sides, width);
    for (uint32_t s = 0; s < sides->count; s++) {
        const struct gws_device_task_side_result *result = &sides->result[s];
        created += result->created;
        parents += result->parents;
        taken += result->taken;
        given += result->given;
        uint64_t from = 0, to = 0;
        for (uint32_t i = 0; i < sides->count; i++) from += result->from[i], to += sides->result[i].from[s];
        ck_assert_uint_le(from, result->taken);
        ck_assert_uint_eq(to, result->given); /* every task that a side gave was taken */
        ck_assert(s >= sides->devices || result->device.high_water >= (width > 0 && result->device.launches > 0));
        ck_assert_uint_eq(result->device.workers > 0, s < sides->devices);
        ck_assert(result->idle_ms >= 0);
    }
    ck_assert_uint_eq(created, width > 0 ? 2 * (uint64_t)width - 2 : 0);
    ck_assert_uint_eq(parents, width > 0 ? (uint64_t)width - 2 : 0);
    ck_assert_uint_eq(taken, given + (width > 0 && sides->count > 1)); /* a single device uses no pool */
}

static void use_two_devices(const char *devices)
{
    ck_assert_int_eq(setenv("POCL_DEVICES", devices, 1), 0);
}

START_TEST(each_task_runs_once)
{
    use_two_devices(_i % 2 ? "pthread pthread" : "basic basic");
    open_runtime();
    for (uint32_t devices = 1; devices <= 2; devices++)
        for (uint32_t workers = 0; workers < 2; workers++)
            for (uint32_t blocks = 0; blocks <= 4; blocks += 4) { /* the memory of 4 blocks is too small */
                struct sides sides;
                open_sides(&sides, devices, workers, blocks);
                for (uint32_t width = 0; sides.devices > 0 && width <= numbers; width = width * 40 + 30) {
                    check_range(&sides, width, numbers); /* halves */
                    check_range(&sides, width, 100);     /* all work is below one child */
                }
                close_sides(&sides);
            }
    close_runtime();
}
END_TEST

/* All children of the root are leaves. Each marks its number. */
static const char wide[] = "#define TASK_LENGTH 2u\n"
                           "device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)\n"
                           "{\n"
                           "    child[0] = parent[0];\n"
                           "    (void)word_add(&s->data[1 + i], 1u);\n"
                           "    return 0;\n"
                           "}\n";

static void mark_children(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count)
{
    const uint32_t *parent = task;
    (void)context, (void)self, (void)worker;
    for (; count > 0; count--, parent += task_words + 1) {
        ck_assert_uint_le(parent[2] - parent[3], 1024);
        for (uint32_t i = parent[3]; i < parent[2]; i++) atomic_fetch_add(&tree.mark[i], 1);
    }
}

START_TEST(workers_divide_a_task_with_many_children)
{
    const uint32_t root[task_words] = {0, 0, numbers};
    const struct gws_device_task_roots roots = {.task = root, .count = 1};
    struct sides sides;
    struct gws_diagnostic where = {0};
    use_two_devices("basic");
    open_runtime();
    open_program(&sides, wide, 1, mark_children, 0);
    if (sides.devices > 0) {
        ck_assert_msg(run_roots(&sides, &roots, 0, &where) == GWS_OK, "%s", where.message);
        check_marks(&sides, numbers);
        ck_assert_uint_eq(sides.result[0].created + sides.result[1].created, numbers);
        ck_assert_uint_eq(sides.result[0].parents + sides.result[1].parents, 0); /* the root has no parent */
    }
    close_sides(&sides);
    close_runtime();
}
END_TEST

START_TEST(wrong_sides_are_refused)
{
    struct sides sides;
    use_two_devices("pthread pthread");
    open_runtime();
    open_sides(&sides, 1, true, 0);
    if (sides.devices > 0) {
        const struct gws_device_task_roots roots = {.count = 0};
        struct gws_device_task_side *side = sides.side;
        struct gws_device_task_side_result *result = sides.result;
        result[0].created = 7;
        side[2] = side[0]; /* a device twice */
        ck_assert_int_eq(gws_device_tasks_run_sides(runtime, &roots, side, 3, result, NULL), GWS_INVALID);
        side[2] = side[1]; /* the workers twice */
        ck_assert_int_eq(gws_device_tasks_run_sides(runtime, &roots, side, 3, result, NULL), GWS_INVALID);
        ck_assert_int_eq(gws_device_tasks_run_sides(runtime, &roots, side + 1, 1, result, NULL), GWS_INVALID);
        ck_assert_int_eq(gws_device_tasks_run_sides(runtime, &roots, side, 0, result, NULL), GWS_INVALID);
        side[1].batch = 257;
        ck_assert_int_eq(gws_device_tasks_run_sides(runtime, &roots, side, 2, result, NULL), GWS_INVALID);
        side[1].run = NULL;
        ck_assert_int_eq(gws_device_tasks_run_sides(runtime, &roots, side, 2, result, NULL), GWS_INVALID);
        ck_assert_uint_eq(result[0].created, 7);
    }
    close_sides(&sides);
    close_runtime();
}
END_TEST

START_TEST(short_memory_ends_the_run)
{
    struct gws_test_memory memory = {0};
    const struct gws_options options = {.threads = 2, .policy = "chaselev", .allocator = gws_test_allocator(&memory)};
    struct sides sides;
    use_two_devices("pthread pthread");
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    open_sides(&sides, 2, true, 4);
    for (uint64_t k = 1; k < 30 && sides.devices > 0; k++) {
        memory.fail_at = memory.calls + k;
        memory.failed = false;
        sides.result[0].created = UINT64_MAX;
        gws_status status = run_range(&sides, 3000, 100, NULL);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(sides.result[0].created == UINT64_MAX, status != GWS_OK);
        memory.fail_at = 0;
        check_range(&sides, 300, 100); /* the sides are as good as new */
    }
    close_sides(&sides);
    close_runtime();
    gws_test_memory_check(&memory);
}
END_TEST

/* ---- cancelled calls ---- */

START_TEST(a_cancelled_call_ends_all_sides)
{
    const struct gws_options options = {.threads = 1, .policy = "chaselev", .cancel = is_cancelled};
    const struct gws_device_tasks_options one_word = {.length = 1};
    const uint32_t root[] = {0, 2};
    const struct gws_device_task_roots roots = {.task = root, .count = 1};
    struct gws_device_source program = {.name = "endless.cl", .part = part};
    struct sides sides;
    use_two_devices(_i % 2 ? "pthread pthread" : "basic basic");
    cancelled_at = INFINITY;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    open_sides(&sides, 2, true, 0);
    program.parts = gws_device_tasks_source(endless, part);
    for (uint32_t i = 0; i < sides.devices; i++) {
        gws_device_tasks_close(sides.side[i].tasks);
        ck_assert_int_eq(
            gws_device_tasks_open(runtime, sides.device[i], &program, &one_word, &sides.side[i].tasks, NULL), GWS_OK);
    }
    sides.side[sides.devices].run = run_endless;
    for (uint32_t workers = 0; workers < 2 && sides.devices > 0; workers++)
        for (uint32_t repeat = 0; repeat < 2; repeat++) {
            cancelled_at = gws_clock_ms() + 200;
            ck_assert_int_eq(
                gws_device_tasks_run_sides(runtime, &roots, sides.side, sides.devices + workers, sides.result, NULL),
                GWS_CANCELLED);
        }
    cancelled_at = INFINITY;
    close_sides(&sides);
    close_runtime();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {each_task_runs_once, 2},       {workers_divide_a_task_with_many_children, 1}, {wrong_sides_are_refused, 1},
        {short_memory_ends_the_run, 1}, {a_cancelled_call_ends_all_sides, 2},          {0}};
    return gws_test_run("tasks on several sides", test);
}
