/* SPDX-License-Identifier: MIT */
/* Tests the referee of the litmus tests with made-up loads of three rounds. test_litmus.py runs the litmus tests. */
#include "../../harness.h"

#include "litmus_judge.h"

enum { rounds = 3 };

static uint64_t judged(uint32_t test, const uint32_t zero[rounds][2], const uint32_t one[rounds][2], uint64_t *news)
{
    const struct litmus_logs logs = {.log = {zero[0], one[0]}, .test = test, .rounds = rounds, .pairs = 1};
    *news = 0;
    return litmus_judge(&logs, news);
}

START_TEST(messages)
{
    static const uint32_t none[rounds][2],
        right[rounds][2] = {{0, 1}, {1, 1}, {3, 3}}, stale[rounds][2] = {{0, 0}, {2, 1}},
        falls[rounds][2] = {{1, 2}, {1, 1}, {2, 2}}, wild[rounds][2] = {{0, 0}, {0, 0}, {0, 4}};
    uint64_t news;
    ck_assert_uint_eq(judged(LITMUS_MESSAGE_PASSING, none, right, &news), 0);
    ck_assert_uint_eq(news, 2);
    ck_assert_uint_eq(judged(LITMUS_MESSAGE_PASSING, none, stale, &news), 2); /* X below Y, then both fall */
    ck_assert_uint_eq(judged(LITMUS_MESSAGE_PASSING, none, falls, &news), 1);
    ck_assert_uint_eq(judged(LITMUS_MESSAGE_PASSING, none, wild, &news), 1);
}
END_TEST

START_TEST(buffers)
{
    static const uint32_t none[rounds][2], late[rounds][2] = {{0}, {1}, {2}}, early[rounds][2] = {{1}, {1}, {2}},
                                           both[rounds][2] = {{1}, {2}, {3}}, falls[rounds][2] = {{1}, {0}, {1}};
    uint64_t news;
    ck_assert_uint_eq(judged(LITMUS_LOAD_BUFFERING, none, both, &news), 0);
    ck_assert_uint_eq(news, 0);
    ck_assert_uint_eq(judged(LITMUS_LOAD_BUFFERING, late, late, &news), 0);
    ck_assert_uint_eq(news, 2);
    ck_assert_uint_eq(judged(LITMUS_LOAD_BUFFERING, early, late, &news), 0);
    ck_assert_uint_eq(judged(LITMUS_LOAD_BUFFERING, early, early, &news),
                      1); /* both load in round 1 what the other stores */
    ck_assert_uint_eq(judged(LITMUS_LOAD_BUFFERING, both, both, &news), 3);
    ck_assert_uint_eq(judged(LITMUS_LOAD_BUFFERING, none, falls, &news), 1);
}
END_TEST

/* Of ten pairs, the ninth loads a stale X in round 2. */
START_TEST(pairs)
{
    enum { pairs = 10 };
    uint32_t none[rounds][pairs][2] = {{{0}}}, log[rounds][pairs][2];
    const struct litmus_logs logs = {
        .log = {none[0][0], log[0][0]}, .test = LITMUS_MESSAGE_PASSING, .rounds = rounds, .pairs = pairs};
    uint64_t news = 0;
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t p = 0; p < pairs; p++) log[round][p][0] = log[round][p][1] = round;
    ck_assert_uint_eq(litmus_judge(&logs, &news), 0);
    ck_assert_uint_eq(news, 2 * pairs);
    log[1][8][1] = 0;
    ck_assert_uint_eq(litmus_judge(&logs, &news), 1);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{messages, 1}, {buffers, 1}, {pairs, 1}, {0}};
    return gws_test_run("litmus", test);
}
