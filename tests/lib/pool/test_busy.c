/* SPDX-License-Identifier: MIT */
/* Two threads use one runtime. Every call must give the right answer or GWS_BUSY. ThreadSanitizer runs this test,
 * too. */
#include "../../harness.h"

#include <pthread.h>

#include "../../../lib/parallel.h"
#include "../../calls.h"

static struct gws_runtime *runtime;
static struct gws_test_world world;

static void open(void)
{
    const struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    gws_test_world_open(runtime, "kron:8", "uniform:3000", &world);
}

static void close_all(void)
{
    gws_test_world_close(&world);
    gws_runtime_close(runtime);
}

/* ---- while another thread is inside a call ---- */

static void *try_all(void *context)
{
    (void)context;
    for (int i = 0; i < gws_test_calls(); i++) {
        uint64_t answer = 0;
        gws_status status = gws_test_call_at(i)->run(runtime, &world, "other", &answer);
        ck_assert_msg(status == GWS_BUSY, "%s: %s", gws_test_call_at(i)->name, gws_status_text(status));
    }
    return NULL;
}

START_TEST(another_thread_is_refused)
{
    pthread_t thread;
    ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
    ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
    ck_assert_int_eq(gws_call_end(runtime, GWS_OUT_OF_RANGE), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(pthread_create(&thread, NULL, try_all, NULL), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(gws_call_end(runtime, GWS_OK), GWS_OK);
    for (int i = 0; i < gws_test_calls(); i++) {
        uint64_t answer = 0;
        ck_assert_int_eq(gws_test_call_at(i)->run(runtime, &world, "own", &answer), GWS_OK);
    }
}
END_TEST

static void search(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_bfs_result result = {0};
    atomic_int *refused = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        if (gws_bfs(runtime, world.graph, 0, NULL, &result) == GWS_BUSY) atomic_fetch_add(refused, 1);
}

START_TEST(a_loop_body_is_refused)
{
    atomic_int refused = 0;
    gws_parallel_for(runtime, 1000, 1, search, &refused);
    ck_assert_int_eq(refused, 1000);
}
END_TEST

/* ---- loops, which have no status and run on the caller alone ---- */

enum { numbers = 5000 };

static void add(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        atomic_fetch_add_explicit((_Atomic uint64_t *)context, i, memory_order_relaxed);
}

static void nest(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t i = begin; i < end; i++) gws_parallel_for(runtime, numbers, 1, add, context);
}

START_TEST(loops_inside_loops)
{
    _Atomic uint64_t sum = 0;
    gws_parallel_for(runtime, 50, 1, nest, &sum);
    ck_assert_uint_eq(sum, (uint64_t)50 * numbers * (numbers - 1) / 2);
}
END_TEST

static void gather(void *context, struct gws_team *team, uint32_t member)
{
    uint64_t mine[gws_team_words] = {member + 1}, all[8][gws_team_words];
    gws_team_allgather(team, member, mine, all);
    gws_team_allgather(team, member, mine, all);
    for (uint32_t m = 0; m < gws_team_members(team); m++)
        if (all[m][0] != m + 1) ck_abort_msg("member %u", m);
    atomic_fetch_add((atomic_int *)context, 1);
}

static void nest_teams(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t i = begin; i < end; i++) gws_parallel_team(runtime, 2, gather, context);
}

START_TEST(teams_inside_loops)
{
    atomic_int members = 0;
    gws_parallel_for(runtime, 50, 1, nest_teams, &members);
    ck_assert_int_eq(members, 50);
}
END_TEST

/* ---- both threads at once ---- */

struct caller {
    pthread_t thread;
    const char *label;
    const uint64_t *expected;
    int right, busy;
};

static void *call_all(void *context)
{
    struct caller *caller = context;
    const int rounds = gws_test_quick() ? 2 : 10;
    for (int i = 0; i < rounds * gws_test_calls(); i++) {
        const int row = i % gws_test_calls();
        uint64_t answer = 0;
        gws_status status = gws_test_call_at(row)->run(runtime, &world, caller->label, &answer);
        caller->right += status == GWS_OK && answer == caller->expected[row];
        caller->busy += status == GWS_BUSY;
        _Atomic uint64_t sum = 0;
        gws_parallel_for(runtime, numbers, 1, add, &sum);
        caller->right += sum == (uint64_t)numbers * (numbers - 1) / 2;
    }
    return NULL;
}

START_TEST(two_threads_get_right_answers_or_busy)
{
    uint64_t expected[128];
    struct caller caller[2] = {{.label = "a", .expected = expected}, {.label = "b", .expected = expected}};
    ck_assert_int_le(gws_test_calls(), 128);
    for (int i = 0; i < gws_test_calls(); i++)
        ck_assert_int_eq(gws_test_call_at(i)->run(runtime, &world, "main", &expected[i]), GWS_OK);
    for (int t = 0; t < 2; t++) ck_assert_int_eq(pthread_create(&caller[t].thread, NULL, call_all, &caller[t]), 0);
    for (int t = 0; t < 2; t++) pthread_join(caller[t].thread, NULL);
    const int calls = 2 * (gws_test_quick() ? 2 : 10) * gws_test_calls();
    for (int t = 0; t < 2; t++) ck_assert_int_eq(caller[t].right + caller[t].busy, calls);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{another_thread_is_refused, 1},
                                    {a_loop_body_is_refused, 1},
                                    {loops_inside_loops, 1},
                                    {teams_inside_loops, 1},
                                    {two_threads_get_right_answers_or_busy, 1},
                                    {0}};
    return gws_test_run_between("one runtime, two threads", test, open, close_all);
}
