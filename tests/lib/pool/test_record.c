/* SPDX-License-Identifier: MIT */
/* Tests the recording of immediate tasks: a recorded tree has the shape of the tree that ran. */
#include "../../harness.h"

#include <inttypes.h>
#include <sys/resource.h>
#include <time.h>

#include "../../../lib/tasks.h"

enum { fan = 3, max_tasks = 2000, pause_every = 64 };

/* ---- the tree: task i has the children i * fan + 1 .. i * fan + fan below count ---- */

static void run_nodes(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const uint64_t *index = task, *tasks = context;
    (void)worker;
    ck_assert_uint_eq(count, 1); /* recorded tasks run one at a time */
    if (*index % pause_every == 0) (void)nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    for (uint64_t child = *index * fan + 1; child <= *index * fan + fan && child < *tasks; child++)
        gws_spawn(self, &child);
}

static gws_status run_tree(struct gws_runtime *runtime, const uint64_t *tasks, uint32_t batch)
{
    static const uint64_t root = 0;
    const struct gws_tasks run = {.bytes = sizeof root,
                                  .batch = batch,
                                  .capacity = 2,
                                  .root = &root,
                                  .roots = 1,
                                  .run = run_nodes,
                                  .context = (void *)(uintptr_t)tasks};
    return gws_tasks_run(runtime, &run);
}

static gws_status record_tree(struct gws_runtime *runtime, const char *path, const uint64_t *tasks)
{
    struct gws_diagnostic where = {0};
    uint64_t recorded = 0;
    gws_status status = gws_tasks_record(runtime, path, &where);
    if (status == GWS_OK) status = run_tree(runtime, tasks, 16);
    if (status == GWS_OK) status = gws_tasks_record_end(runtime, &recorded, &where);
    if (status == GWS_OK) ck_assert_uint_eq(recorded, *tasks);
    return status;
}

/* Checks the lines of a file: every task but the first has a parent before it, and as many tasks have 0, 1, 2 and 3
 * children as in the tree. */
static void check_tree(const char *path, uint64_t tasks)
{
    static uint64_t children[max_tasks + 1];
    uint64_t with[fan + 1] = {0}, lines = 0, parent, ns, slow = 0;
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    memset(children, 0, sizeof children);
    for (char text[64]; fgets(text, sizeof text, file); children[parent]++) {
        ck_assert_int_eq(sscanf(text, "task %" SCNu64 " %" SCNu64, &parent, &ns), 2);
        ck_assert_uint_eq(strlen(text), 32);
        ck_assert(lines++ == 0 ? parent == 0 : parent > 0 && parent < lines);
        slow += ns >= 50000;
    }
    (void)fclose(file);
    ck_assert_uint_eq(lines, tasks);
    ck_assert_uint_ge(slow, (tasks + pause_every - 1) / pause_every);
    for (uint64_t i = 1; i <= lines; i++) with[children[i]]++;
    for (uint64_t i = 0; i < tasks; i++) {
        const uint64_t first = i * fan + 1, has = first >= tasks ? 0 : tasks - first < fan ? tasks - first : fan;
        with[has]--;
    }
    for (uint32_t i = 0; i <= fan; i++) ck_assert_uint_eq(with[i], 0);
}

/* ---- tests ---- */

START_TEST(every_policy)
{
    static const uint64_t counts[] = {1, 127, 128, 129, max_tasks};
    const char *policy;
    for (uint32_t p = 0; (policy = gws_policy_at(p, NULL)); p++)
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            const struct gws_options options = {.threads = threads, .policy = policy};
            struct gws_runtime *runtime = NULL;
            ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                const char *path = gws_test_temp("tree");
                ck_assert_int_eq(record_tree(runtime, path, &counts[i]), GWS_OK);
                check_tree(path, counts[i]);
            }
            gws_runtime_close(runtime);
        }
}
END_TEST

static gws_status record_small(struct gws_runtime *runtime, const void *context)
{
    static const uint64_t tasks = 300;
    return record_tree(runtime, context, &tasks);
}

START_TEST(failing_memory)
{
    gws_test_each_allocation(2, record_small, gws_test_temp("memory"));
}
END_TEST

START_TEST(several_calls)
{
    static const uint64_t tasks = 5;
    const char *path = gws_test_temp("calls");
    struct gws_runtime *runtime = NULL;
    uint64_t recorded = 0;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_int_eq(gws_tasks_record(runtime, path, NULL), GWS_OK);
    for (int i = 0; i < 2; i++) ck_assert_int_eq(run_tree(runtime, &tasks, 0), GWS_OK);
    ck_assert_int_eq(gws_tasks_record_end(runtime, &recorded, NULL), GWS_OK);
    ck_assert_uint_eq(recorded, 2 * tasks);
    ck_assert_int_eq(gws_tasks_record(runtime, gws_test_temp("unfinished"), NULL), GWS_OK);
    ck_assert_int_eq(run_tree(runtime, &tasks, 0), GWS_OK);
    gws_runtime_close(runtime);
    ck_assert_int_eq(access(path, R_OK), 0);
    ck_assert_int_ne(access(gws_test_temp("unfinished"), F_OK), 0);
}
END_TEST

static bool cancel(void *context)
{
    (void)context;
    return true;
}

START_TEST(errors)
{
    static const uint64_t endless = UINT64_C(1) << 60;
    struct gws_runtime *runtime = NULL;
    struct gws_diagnostic where = {0};
    const struct gws_options options = {.threads = 2, .cancel = cancel};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    ck_assert_int_eq(gws_tasks_record_end(runtime, NULL, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_tasks_record(runtime, gws_test_temp("no/such/folder"), &where), GWS_SYSTEM);
    ck_assert_int_eq(gws_tasks_record(runtime, gws_test_temp("file"), &where), GWS_OK);
    ck_assert_int_eq(gws_tasks_record(runtime, gws_test_temp("other"), &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "tasks are recorded already");
    ck_assert_int_eq(gws_tasks_record_end(runtime, NULL, &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "no task has run");
    ck_assert_int_eq(gws_tasks_record(runtime, gws_test_temp("file"), &where), GWS_OK);
    ck_assert_int_eq(run_tree(runtime, &endless, 0), GWS_CANCELLED);
    ck_assert_int_eq(gws_tasks_record_end(runtime, NULL, &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "not all recorded tasks have run");
    ck_assert_int_ne(access(gws_test_temp("file"), F_OK), 0);
    gws_runtime_close(runtime);
}
END_TEST

/* The file grows past a limit while tasks run. */
START_TEST(full_disk)
{
    static const uint64_t tasks = max_tasks;
    const struct rlimit limit = {8192, 8192};
    struct gws_runtime *runtime = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_int_eq(gws_tasks_record(runtime, gws_test_temp("full"), &where), GWS_OK);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(run_tree(runtime, &tasks, 0), GWS_OK);
    ck_assert_int_eq(gws_tasks_record_end(runtime, NULL, &where), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "cannot write"));
    ck_assert_int_ne(access(gws_test_temp("full"), F_OK), 0);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_policy, 1}, {failing_memory, 1}, {several_calls, 1},
                                    {errors, 1},       {full_disk, 1},      {0}};
    return gws_test_run("record", test);
}
