/* SPDX-License-Identifier: MIT */
/* Tests suspension. The runtime suspends a thread with long stalls, for longer each time, and then resumes the thread.
 * The test sets the stalls by hand and measures no time. */
#include "../../harness.h"

#include "../../../lib/pool/threads.h"

enum { workers = 5, line = 128 };

struct thread_team {
    struct gws__threads threads;
    void *memory;
    struct gws__thread *active[workers];
    atomic_uint_fast32_t came[workers];
};

static void come(void *context, uint32_t worker)
{
    struct thread_team *team = context;
    atomic_fetch_add(&team->came[worker], 1);
}

static struct thread_team *team_new(void)
{
    struct thread_team *team = calloc(1, sizeof *team);
    team->memory = calloc(1, workers * sizeof(struct gws__thread) + line);
    struct gws__thread *thread = (void *)((char *)team->memory + (line - (uintptr_t)team->memory % line));
    ck_assert_int_eq(gws__threads_start(&team->threads, workers, false, thread, team->active, come, team), GWS_OK);
    team->threads.pinned = true; /* the caller's real processor time does not count */
    return team;
}

static void team_end(struct thread_team *team)
{
    team->threads.pinned = false;
    gws__threads_stop(&team->threads);
    free(team->memory);
    free(team);
}

START_TEST(long_stalls_suspend_for_a_while)
{
    struct thread_team *team = team_new();
    struct gws__threads *threads = &team->threads;
    ck_assert_uint_eq(gws__threads_active(threads, 100), workers);
    threads->thread[2].stalled_ms = 3;
    gws__threads_check_stalls(threads, 100, 6); /* stalls for half of the time */
    ck_assert_uint_eq(gws__threads_active(threads, 100), workers - 1);
    for (uint32_t w = 0; w + 1 < workers; w++) ck_assert_ptr_ne(threads->active[w], &threads->thread[2]);
    ck_assert_uint_eq(gws__threads_active(threads, 119), workers - 1);
    ck_assert_uint_eq(gws__threads_active(threads, 121), workers);
    /* The stall comes soon after the suspension, so the next suspension is twice as long. */
    threads->thread[2].stalled_ms = 3;
    gws__threads_check_stalls(threads, 125, 6);
    ck_assert_uint_eq(gws__threads_active(threads, 164), workers - 1);
    ck_assert_uint_eq(gws__threads_active(threads, 166), workers);
    /* The stall comes long after the suspension, so the next suspension is as long as the first. */
    threads->thread[2].stalled_ms = 3;
    gws__threads_check_stalls(threads, 1000, 6);
    ck_assert_uint_eq(gws__threads_active(threads, 1019), workers - 1);
    ck_assert_uint_eq(gws__threads_active(threads, 1021), workers);
    team_end(team);
}
END_TEST

START_TEST(short_stalls_do_not)
{
    struct thread_team *team = team_new();
    struct gws__threads *threads = &team->threads;
    threads->thread[1].stalled_ms = 1.9; /* too short a stall to suspend the thread */
    gws__threads_check_stalls(threads, 100, 2);
    ck_assert_uint_eq(gws__threads_active(threads, 100), workers);
    threads->thread[1].stalled_ms = 4; /* stalls for a small part of the time */
    gws__threads_check_stalls(threads, 120, 18);
    ck_assert_uint_eq(gws__threads_active(threads, 120), workers);
    for (int i = 0; i < 20; i++) gws__threads_check_stalls(threads, 140 + i * 20, 18); /* old stalls fade */
    ck_assert(threads->thread[1].stalled_ms < 0.1);
    ck_assert(threads->loops_ms < 50);
    team_end(team);
}
END_TEST

START_TEST(all_others_can_be_suspended)
{
    struct thread_team *team = team_new();
    struct gws__threads *threads = &team->threads;
    for (uint32_t left = workers; left > 1; left--) {
        ck_assert_uint_eq(gws__threads_active(threads, 100), left);
        for (uint32_t w = 0; w < workers; w++) atomic_store(&team->came[w], 0);
        gws__threads_call(threads, left);
        gws__threads_wait(threads, left, false);
        for (uint32_t w = 0; w < workers; w++) ck_assert_uint_eq(team->came[w], w > 0 && w < left);
        threads->active[1]->stalled_ms = 10;
        gws__threads_check_stalls(threads, 100, 10);
    }
    ck_assert_uint_eq(gws__threads_active(threads, 100), 1);
    gws__threads_check_stalls(threads, 100, 10);
    ck_assert_uint_eq(gws__threads_active(threads, 1e9), workers);
    bool seen[workers] = {false};
    for (uint32_t w = 0; w < workers; w++) {
        uint32_t number = (uint32_t)(threads->active[w] - threads->thread);
        ck_assert(number < workers && !seen[number]);
        seen[number] = true;
    }
    ck_assert(threads->active[0] == &threads->thread[0]); /* the first is the caller */
    team_end(team);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {long_stalls_suspend_for_a_while, 1}, {short_stalls_do_not, 1}, {all_others_can_be_suspended, 1}, {0}};
    return gws_test_run("threads", test);
}
