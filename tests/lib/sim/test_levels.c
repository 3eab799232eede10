/* SPDX-License-Identifier: MIT */
/* Loops over levels in virtual time: equal parts against their closed form, every policy for levels, refused options,
 * failing memory, cancelling. */
#include "runtimes.h"

#include "../../../lib/sim.h"

static const char *const policies[] = {"chunked", "cursor", "static", "coarse", "central"};
enum { policy_count = sizeof policies / sizeof *policies, levels_count = 6 };
static const uint64_t size[levels_count] = {1, 17, 100000, 0, 3000, 5};

static struct gws_sim_options options_for(const char *policy, uint32_t workers)
{
    struct gws_sim_options options = {.workers = workers, .policy = policy};
    options.machine = gws_sim_preset_at(0)->machine;
    return options;
}

static uint64_t floor_log2(uint64_t n)
{
    uint64_t log = 0;
    for (; n > 1; n /= 2) log++;
    return log;
}

/* Each level takes its longest part, a pop, and the way of a message down and up the tree of its workers. */
START_TEST(equal_parts_take_the_longest_one)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    for (uint32_t workers = 1; workers <= 5000; workers = 3 * workers + 1) {
        const struct gws_sim_options options = options_for("static", workers);
        const struct gws_sim_levels levels = {.size = size, .count = levels_count, .ns = 20, .grain = 3};
        const double pop = options.machine.cost[GWS_SIM_pop], message = options.machine.cost[GWS_SIM_message];
        struct gws_sim_result result;
        ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_OK);
        double ns = 0, total = 0;
        for (uint32_t i = 0; i < levels_count; i++) {
            if (size[i] == 0) continue;
            uint64_t active = size[i] / 3 < 1 ? 1 : size[i] / 3;
            if (active > workers) active = workers;
            ns += pop + 20.0 * (double)((size[i] + active - 1) / active) + 2 * (double)floor_log2(active) * message;
            total += (double)size[i];
        }
        ck_assert_double_eq_tol(result.virtual_ms, ns / 1e6, 1e-9);
        ck_assert_double_eq_tol(result.work_ms, 20 * total / 1e6, 1e-9);
        ck_assert_uint_eq(result.steals + result.failed_steals + result.probes, 0);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(all_indexes_run_and_the_seed_decides)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    const struct gws_sim_preset *machine;
    for (uint32_t i = 0; (machine = gws_sim_preset_at(i)); i++)
        for (uint32_t workers = 1; workers <= 2000; workers = 12 * workers + 1) {
            struct gws_sim_options options = options_for(policies[_i], workers);
            options.machine = machine->machine;
            const struct gws_sim_levels levels = {
                .size = size, .count = levels_count, .ns = 20, .spread = 0.5, .grain = i * 10};
            struct gws_sim_result one, two;
            memset(&one, 0, sizeof one);
            memset(&two, 0, sizeof two);
            ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &one, NULL), GWS_OK);
            ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &two, NULL), GWS_OK);
            ck_assert_mem_eq(&one, &two, sizeof one);
            ck_assert_uint_eq(one.tasks, 1 + 17 + 100000 + 3000 + 5);
            ck_assert_double_le(one.busy_ms, one.virtual_ms * workers + 1e-9);
            ck_assert_double_ge(one.virtual_ms * workers, one.work_ms);
            ck_assert_uint_eq(one.stolen > 0, one.steals > 0);
            if (_i > 0) ck_assert_uint_eq(one.steals, 0);
        }
    gws_runtime_close(runtime);
}
END_TEST

/* If the times of indexes differ, thieves take chunks from the slower workers, so the level takes less time. */
START_TEST(thieves_take_chunks)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    struct gws_sim_options options = options_for("chunked", 16);
    options.chunk = 100;
    const uint64_t count = 16 * 50000;
    struct gws_sim_levels levels = {.size = &count, .count = 1, .ns = 1000, .spread = 3};
    struct gws_sim_result result;
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.tasks, count);
    ck_assert_uint_gt(result.steals, 0);
    ck_assert_uint_eq(result.stolen, 100 * result.steals);
    const double stealing_ms = result.virtual_ms;
    options.policy = "static";
    options.chunk = 0;
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_OK);
    ck_assert_double_gt(result.virtual_ms, stealing_ms);
    ck_assert_double_eq_tol(result.work_ms, 800, 8);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(wrong_options_are_refused)
{
    struct gws_runtime *runtime = open_with((struct gws_options){0});
    struct gws_sim_options options = options_for("split", 4);
    struct gws_sim_levels levels = {.size = size, .count = levels_count, .ns = 20};
    struct gws_sim_result result = {.tasks = 77};
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_UNSUPPORTED);
    options.policy = NULL;
    options.amount = "half";
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_INVALID);
    options.amount = NULL;
    levels.ns = -1;
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_INVALID);
    levels.ns = 1;
    levels.spread = 1001;
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_INVALID);
    levels.spread = 0;
    levels.size = NULL;
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_INVALID);
    ck_assert_uint_eq(result.tasks, 77);
    levels.count = 0;
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.tasks, 0);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status run_levels(struct gws_runtime *runtime, const void *context)
{
    const struct gws_sim_options options = options_for("chunked", 20);
    const struct gws_sim_levels levels = {.size = size, .count = levels_count, .ns = 20};
    struct gws_sim_result result = {.tasks = 77};
    (void)context;
    gws_status status = gws_sim_levels(runtime, &options, &levels, &result, NULL);
    ck_assert_uint_eq(result.tasks == 77, status != GWS_OK);
    return status;
}

START_TEST(short_memory)
{
    gws_test_each_allocation(1, run_levels, NULL);
}
END_TEST

START_TEST(cancelling_ends_it)
{
    int polls = 0;
    struct gws_runtime *runtime = open_with((struct gws_options){.cancel = cancel, .context = &polls});
    const struct gws_sim_options options = options_for("cursor", 4);
    const uint64_t large = UINT64_C(1) << 40;
    const struct gws_sim_levels levels = {.size = &large, .count = 1, .ns = 20};
    struct gws_sim_result result = {.tasks = 77};
    ck_assert_int_eq(gws_sim_levels(runtime, &options, &levels, &result, NULL), GWS_CANCELLED);
    ck_assert_uint_eq(result.tasks, 77);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{equal_parts_take_the_longest_one, 1},
                                    {all_indexes_run_and_the_seed_decides, policy_count},
                                    {thieves_take_chunks, 1},
                                    {wrong_options_are_refused, 1},
                                    {short_memory, 1},
                                    {cancelling_ends_it, 1},
                                    {0}};
    return gws_test_run("levels", test);
}
