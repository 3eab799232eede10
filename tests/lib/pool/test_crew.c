/* SPDX-License-Identifier: MIT */
/* The bench: a mate who costs too much sits out, for longer each time, and comes back. What stalls cost is put into the
 * accounts by hand: no test measures time. */
#include "../../harness.h"

#include "../../../lib/pool/crew.h"

enum { workers = 5, line = 128 };

struct team {
    struct gws__crew crew;
    void *memory;
    struct gws__mate *called[workers];
    atomic_uint_fast32_t came[workers];
};

static void come(void *context, uint32_t worker)
{
    struct team *team = context;
    atomic_fetch_add(&team->came[worker], 1);
}

static struct team *team_new(void)
{
    struct team *team = calloc(1, sizeof *team);
    team->memory = calloc(1, workers * sizeof(struct gws__mate) + line);
    struct gws__mate *mate = (void *)((char *)team->memory + (line - (uintptr_t)team->memory % line));
    ck_assert_int_eq(gws__crew_start(&team->crew, workers, false, mate, team->called, come, team), GWS_OK);
    team->crew.pinned = true; /* its own processor time does not fit the times that are made up here */
    return team;
}

static void team_end(struct team *team)
{
    team->crew.pinned = false;
    gws__crew_stop(&team->crew);
    free(team->memory);
    free(team);
}

START_TEST(who_costs_sits_down_and_comes_back)
{
    struct team *team = team_new();
    struct gws__crew *crew = &team->crew;
    ck_assert_uint_eq(gws__crew_present(crew, 100), workers);
    crew->mate[2].stalled_ms = 3;
    gws__crew_judge(crew, 100, 6); /* half of the time */
    ck_assert_uint_eq(gws__crew_present(crew, 100), workers - 1);
    for (uint32_t w = 0; w + 1 < workers; w++) ck_assert_ptr_ne(crew->called[w], &crew->mate[2]);
    ck_assert_uint_eq(gws__crew_present(crew, 119), workers - 1);
    ck_assert_uint_eq(gws__crew_present(crew, 121), workers);
    /* Again soon: twice as long. */
    crew->mate[2].stalled_ms = 3;
    gws__crew_judge(crew, 125, 6);
    ck_assert_uint_eq(gws__crew_present(crew, 164), workers - 1);
    ck_assert_uint_eq(gws__crew_present(crew, 166), workers);
    /* Again long after: as the first time. */
    crew->mate[2].stalled_ms = 3;
    gws__crew_judge(crew, 1000, 6);
    ck_assert_uint_eq(gws__crew_present(crew, 1019), workers - 1);
    ck_assert_uint_eq(gws__crew_present(crew, 1021), workers);
    team_end(team);
}
END_TEST

START_TEST(cheap_stalls_are_borne)
{
    struct team *team = team_new();
    struct gws__crew *crew = &team->crew;
    crew->mate[1].stalled_ms = 1.9; /* too short to tell */
    gws__crew_judge(crew, 100, 2);
    ck_assert_uint_eq(gws__crew_present(crew, 100), workers);
    crew->mate[1].stalled_ms = 4; /* little of the time */
    gws__crew_judge(crew, 120, 18);
    ck_assert_uint_eq(gws__crew_present(crew, 120), workers);
    for (int i = 0; i < 20; i++) gws__crew_judge(crew, 140 + i * 20, 18); /* and forgotten */
    ck_assert(crew->mate[1].stalled_ms < 0.1);
    ck_assert(crew->loops_ms < 50);
    team_end(team);
}
END_TEST

START_TEST(all_can_sit_and_the_rest_work)
{
    struct team *team = team_new();
    struct gws__crew *crew = &team->crew;
    for (uint32_t left = workers; left > 1; left--) {
        ck_assert_uint_eq(gws__crew_present(crew, 100), left);
        for (uint32_t w = 0; w < workers; w++) atomic_store(&team->came[w], 0);
        gws__crew_call(crew, left);
        gws__crew_wait(crew, left, false);
        for (uint32_t w = 0; w < workers; w++) ck_assert_uint_eq(team->came[w], w > 0 && w < left);
        crew->called[1]->stalled_ms = 10;
        gws__crew_judge(crew, 100, 10);
    }
    ck_assert_uint_eq(gws__crew_present(crew, 100), 1);
    gws__crew_judge(crew, 100, 10);
    ck_assert_uint_eq(gws__crew_present(crew, 1e9), workers);
    bool seen[workers] = {false};
    for (uint32_t w = 0; w < workers; w++) {
        uint32_t number = (uint32_t)(crew->called[w] - crew->mate);
        ck_assert(number < workers && !seen[number]);
        seen[number] = true;
    }
    ck_assert(crew->called[0] == &crew->mate[0]); /* the caller */
    team_end(team);
}
END_TEST

static Suite *crew_suite(void)
{
    Suite *suite = suite_create("crew");
    TCase *bench = tcase_create("bench");
    tcase_add_test(bench, who_costs_sits_down_and_comes_back);
    tcase_add_test(bench, cheap_stalls_are_borne);
    tcase_add_test(bench, all_can_sit_and_the_rest_work);
    suite_add_tcase(suite, bench);
    return suite;
}

int main(void)
{
    return gws_test_main(crew_suite);
}
