/* SPDX-License-Identifier: MIT */
/* Tests teams. Every member must run once, no member may pass a barrier early, and a barrier must exchange all
 * words. */
#include "../../harness.h"

#include "../../../lib/parallel.h"

enum { rounds = 300, max = 8 };

struct race {
    uint64_t written[max]; /* plain memory, which the barrier orders */
    uint32_t members;
    _Atomic uint32_t wrong, ran;
};

static void run(void *context, struct gws_team *team, uint32_t member)
{
    struct race *race = context;
    uint32_t members = gws_team_members(team);
    atomic_fetch_add(&race->ran, 1);
    if (member == 0) race->members = members;
    for (uint64_t round = 1; round <= rounds; round++) {
        const uint64_t mine[gws_team_words] = {round, member, round * member};
        uint64_t all[max][gws_team_words];
        if (round % 2) race->written[member] = round;
        gws_team_allgather(team, member, mine, all);
        for (uint32_t m = 0; m < members; m++) {
            bool right = all[m][0] == round && all[m][1] == m && all[m][2] == round * m;
            if (round % 2 && race->written[m] != round) right = false;
            if (!right) atomic_fetch_add(&race->wrong, 1);
        }
    }
}

START_TEST(members_meet)
{
    struct gws_options options = {.threads = 1u << _i};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    for (uint32_t members = 0; members <= max; members++) {
        struct race race = {0};
        gws_parallel_team(runtime, members, run, &race);
        ck_assert_uint_eq(race.wrong, 0);
        ck_assert_uint_eq(race.ran, race.members);
        ck_assert_uint_ge(race.members, 1);
        ck_assert_uint_le(race.members, members ? members : 1);
        ck_assert_uint_le(race.members, options.threads);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* The body of the loops that the test runs between teams. */
static void count(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    atomic_fetch_add((_Atomic uint64_t *)context, end - begin);
}

START_TEST(between_loops)
{
    struct gws_options options = {.threads = 4};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    for (int i = 0; i < 10; i++) {
        _Atomic uint64_t sum = 0;
        struct race race = {0};
        gws_parallel_for(runtime, 1000, 1, count, &sum);
        gws_parallel_team(runtime, 2 + i % 3, run, &race);
        ck_assert_uint_eq(sum, 1000);
        ck_assert_uint_eq(race.wrong, 0);
    }
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{members_meet, 4}, {between_loops, 1}, {0}};
    return gws_test_run("team", test);
}
