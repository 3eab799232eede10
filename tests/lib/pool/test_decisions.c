/* SPDX-License-Identifier: MIT */
/* Tests user decisions. Under every policy that accepts them, each index and each task must run once, whatever the
 * decisions return. The pool calls the functions with the arguments that the header promises. Policies without such
 * decisions refuse the functions. */
#include "../../harness.h"

#include <stdint.h>

#include "../../../lib/parallel.h"
#include "../../../lib/tasks.h"

enum { policies = 10, workers = 4, depth = 12 };

static _Atomic uint32_t calls, broken;

static void look(const struct gws_view *view)
{
    bool whole = view->workers >= 2 && view->workers <= workers && view->self < view->workers && view->tried == 0;
    atomic_fetch_add(&calls, 1);
    if (!whole || !view->topology_order) atomic_fetch_add(&broken, 1);
}

static uint32_t victim_self(const struct gws_view *view)
{
    look(view);
    return view->self;
}

static uint32_t victim_far(const struct gws_view *view)
{
    look(view);
    return UINT32_MAX;
}

static uint32_t victim_near(const struct gws_view *view)
{
    look(view);
    for (uint32_t i = 0;; i++)
        if (view->topology_order[i] < view->workers) return view->topology_order[i];
}

static uint64_t amount_none(uint64_t length, uint64_t chunk)
{
    if (length == 0 || chunk == 0) atomic_fetch_add(&broken, 1);
    return 0;
}

static uint64_t amount_all(uint64_t length, uint64_t chunk)
{
    (void)length;
    (void)chunk;
    return UINT64_MAX;
}

static gws_victim *const victims[] = {victim_self, victim_far, victim_near};
static gws_amount *const amounts[] = {amount_none, amount_all, NULL};
enum { kinds = 3 };

/* ---- work ---- */

/* Spawns a binary tree. A task is its remaining depth. */
static void grow(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    uint64_t left = *(const uint64_t *)task;
    (void)worker;
    atomic_fetch_add((_Atomic uint64_t *)context, count);
    if (left-- == 0) return;
    gws_spawn(self, &left);
    gws_spawn(self, &left);
}

static void add(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    atomic_fetch_add((_Atomic uint64_t *)context, end - begin);
}

static struct gws_runtime *open_with(const char *policy, const struct gws_decisions *decisions)
{
    struct gws_options options = {.threads = workers, .policy = policy, .decisions = decisions, .chunk = 2};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

START_TEST(nothing_is_lost_or_repeated)
{
    const char *policy = gws_policy_at((uint32_t)_i, NULL);
    for (int kind = 0; kind < kinds; kind++) {
        struct gws_decisions own = {.victim = gws_policy_takes_victim(policy) ? victims[kind] : NULL,
                                    .amount = gws_policy_takes_amount(policy) ? amounts[kind] : NULL};
        struct gws_runtime *runtime = open_with(policy, &own);
        own = (struct gws_decisions){0}; /* the runtime has a copy */
        for (int round = 0; round < (gws_test_quick() ? 3 : 20); round++) {
            _Atomic uint64_t ran = 0, indexes = 0;
            uint64_t root = depth;
            struct gws_tasks tasks = {.bytes = 8, .root = &root, .roots = 1, .run = grow, .context = &ran};
            ck_assert_int_eq(gws_tasks_run(runtime, &tasks), GWS_OK);
            ck_assert_uint_eq(ran, (1 << (depth + 1)) - 1);
            gws_parallel_for(runtime, 5000, 1, add, &indexes);
            ck_assert_uint_eq(indexes, 5000);
        }
        gws_runtime_close(runtime);
    }
    ck_assert_uint_eq(broken, 0);
}
END_TEST

START_TEST(they_are_called)
{
    struct gws_decisions own = {.victim = victim_near};
    struct gws_runtime *runtime = open_with("chaselev", &own);
    for (calls = 0; calls == 0;) { /* repeats until a steal happens */
        _Atomic uint64_t ran = 0;
        uint64_t root = depth;
        struct gws_tasks tasks = {.bytes = 8, .root = &root, .roots = 1, .run = grow, .context = &ran};
        ck_assert_int_eq(gws_tasks_run(runtime, &tasks), GWS_OK);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refused_where_they_have_no_effect)
{
    static const struct gws_decisions victim = {.victim = victim_near}, amount = {.amount = amount_all};
    struct gws_runtime *runtime = NULL;
    const char *policy;
    for (uint32_t i = 0; (policy = gws_policy_at(i, NULL)); i++) {
        struct gws_options options = {.threads = 1, .policy = policy, .decisions = &victim};
        gws_status expected = gws_policy_takes_victim(policy) ? GWS_OK : GWS_INVALID;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), expected);
        if (expected == GWS_OK) gws_runtime_close(runtime);
        options.decisions = &amount;
        expected = gws_policy_takes_amount(policy) ? GWS_OK : GWS_INVALID;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), expected);
        if (expected == GWS_OK) gws_runtime_close(runtime);
    }
    struct gws_options twice = {.policy = "split", .victim = "random", .decisions = &victim};
    ck_assert_int_eq(gws_runtime_open(&twice, &runtime), GWS_INVALID);
    twice = (struct gws_options){.policy = "split", .amount = "one", .decisions = &amount};
    ck_assert_int_eq(gws_runtime_open(&twice, &runtime), GWS_INVALID);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {nothing_is_lost_or_repeated, policies}, {they_are_called, 1}, {refused_where_they_have_no_effect, 1}, {0}};
    return gws_test_run("decisions", test);
}
