/* SPDX-License-Identifier: MIT */
/* An observer sees all busy time, all steals and the lengths of the queues, and changes nothing. */
#include "runtimes.h"

#include <math.h>

#include "../../../lib/sim.h"

static const char *const policies[] = {"abp", "chaselev", "split", "workpile", "global"};
static const char *const level_policies[] = {"chunked", "cursor", "static", "coarse", "central"};
enum { policy_count = 5, max_workers = 300, fan_out = 6 };

/* The sums of what the observer was told. */
struct seen {
    uint64_t end_ns[max_workers], busy_ns, tasks, calls, stolen, steals;
    uint64_t queued_until_ns;
    double queued; /* tasks times nanoseconds */
};

static void see_busy(void *context, uint32_t worker, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns)
{
    struct seen *seen = context;
    ck_assert_uint_lt(worker, max_workers);
    ck_assert_uint_le(seen->end_ns[worker], begin_ns);
    ck_assert_uint_le(begin_ns, end_ns);
    seen->end_ns[worker] = end_ns;
    seen->busy_ns += end_ns - begin_ns;
    seen->tasks += tasks;
    seen->calls++;
}

static void see_stole(void *context, uint32_t worker, uint32_t victim, uint64_t tasks)
{
    struct seen *seen = context;
    ck_assert(worker < max_workers && victim < max_workers && worker != victim && tasks > 0);
    seen->steals++;
    seen->stolen += tasks;
}

static void see_queued(void *context, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns)
{
    struct seen *seen = context;
    ck_assert_uint_eq(seen->queued_until_ns, begin_ns);
    seen->queued_until_ns = end_ns;
    seen->queued += (double)tasks * (double)(end_ns - begin_ns);
}

static double cost(void *context, const void *task)
{
    (void)context;
    return 100 + (double)*(const uint64_t *)task;
}

static void run(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    const uint64_t depth = *(const uint64_t *)task, next = depth - 1;
    (void)context;
    (void)worker;
    for (uint32_t i = 0; depth > 0 && i < fan_out; i++) gws_sim_spawn(sim, &next);
}

static void check(const struct seen *seen, const struct gws_sim_result *result)
{
    const double end_ns = (result->virtual_ms - result->termination_ms) * 1e6;
    ck_assert_uint_eq(seen->tasks, result->tasks);
    ck_assert_double_eq_tol((double)seen->busy_ns, result->busy_ms * 1e6, (double)seen->calls); /* rounding */
    for (uint32_t w = 0; w < max_workers; w++) ck_assert_double_le((double)seen->end_ns[w], end_ns + 1);
}

START_TEST(tasks)
{
    const uint64_t root = 4;
    const struct gws_sim_tasks tree = {
        .bytes = sizeof root, .root = &root, .roots = 1, .cost = cost, .run = run, .context = NULL};
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    for (uint32_t preset = 0; gws_sim_preset_at(preset); preset++)
        for (uint32_t workers = 1; workers <= max_workers; workers += 149 + (workers == 1)) {
            struct seen seen = {.tasks = 0};
            const struct gws_sim_observer observer = {see_busy, see_stole, see_queued, &seen};
            struct gws_sim_options options = {
                .workers = workers, .policy = policies[_i], .machine = gws_sim_preset_at(preset)->machine};
            struct gws_sim_result alone, result;
            ck_assert_int_eq(gws_sim_run(runtime, &options, &tree, &alone, NULL), GWS_OK);
            options.observer = &observer;
            ck_assert_int_eq(gws_sim_run(runtime, &options, &tree, &result, NULL), GWS_OK);
            ck_assert_mem_eq(&alone, &result, sizeof result);
            check(&seen, &result);
            if (strcmp(policies[_i], "workpile") != 0) ck_assert_uint_eq(seen.steals, result.steals);
            if (strcmp(policies[_i], "workpile") != 0) ck_assert_uint_eq(seen.stolen, result.stolen);
            const double mean = seen.queued / (double)(seen.queued_until_ns * workers);
            ck_assert_double_eq_tol(mean, result.queue_mean, 1e-2 * result.queue_mean);
        }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(levels)
{
    static const uint64_t size[] = {1, 0, 500, 20000, 3};
    const struct gws_sim_levels of = {.size = size, .count = sizeof size / sizeof *size, .ns = 30, .spread = 1};
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    for (uint32_t workers = 1; workers <= max_workers; workers += 149 + (workers == 1)) {
        struct seen seen = {.tasks = 0};
        const struct gws_sim_observer observer = {see_busy, see_stole, see_queued, &seen};
        struct gws_sim_options options = {
            .workers = workers, .policy = level_policies[_i], .machine = gws_sim_preset_at(0)->machine};
        struct gws_sim_result alone, result;
        ck_assert_int_eq(gws_sim_levels(runtime, &options, &of, &alone, NULL), GWS_OK);
        options.observer = &observer;
        ck_assert_int_eq(gws_sim_levels(runtime, &options, &of, &result, NULL), GWS_OK);
        ck_assert_mem_eq(&alone, &result, sizeof result);
        check(&seen, &result);
        ck_assert_uint_eq(seen.steals, result.steals);
        ck_assert_uint_eq(seen.stolen, result.stolen);
    }
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{tasks, policy_count}, {levels, policy_count}, {0}};
    return gws_test_run("observer", test);
}
