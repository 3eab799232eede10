/* SPDX-License-Identifier: MIT */
/* Tests of kernels/engine/direction.h at the values where the decision of each rule changes. */
#include "../harness.h"

#define GWS_HOST_WORKER

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/direction.h"
/* clang-format on */

static const struct direction_rule threads = {DIRECTION_THREADS}, persistent = {DIRECTION_PERSISTENT};

START_TEST(threads_go_over_by_arcs)
{
    struct direction_view at = {.size = 100, .arcs = 1001, .unexplored = 15015, .candidates = 16000};
    ck_assert(!direction_pulls(&threads, &at));
    at.unexplored--;
    ck_assert(direction_pulls(&threads, &at));
    at.candidates = 1001 * 16; /* the limit `walk` decides here */
    ck_assert(!direction_pulls(&threads, &at));
    at.candidates--;
    at.pulled = true; /* the rule has switched before */
    ck_assert(direction_pulls(&threads, &at));
    at.size = 16000; /* this rule never switches by size */
    at.arcs = 0;
    ck_assert(!direction_pulls(&threads, &at));
}
END_TEST

START_TEST(threads_continue_by_size)
{
    struct direction_view at = {.size = 1001, .unexplored = 1000000, .candidates = 18018, .pulling = true};
    ck_assert(!direction_pulls(&threads, &at));
    at.size++;
    ck_assert(direction_pulls(&threads, &at));
    at.arcs = 999999; /* regardless of the arcs */
    at.size--;
    ck_assert(!direction_pulls(&threads, &at));
}
END_TEST

START_TEST(a_persistent_kernel_goes_over_by_arcs_once)
{
    struct direction_view at = {.size = 1, .arcs = 100, .unexplored = 1600, .candidates = 1000000};
    ck_assert(!direction_pulls(&persistent, &at));
    at.arcs++;
    ck_assert(direction_pulls(&persistent, &at));
    at.pulled = true;
    ck_assert(!direction_pulls(&persistent, &at));
    at.size = 1000000 / 32;
    ck_assert(!direction_pulls(&persistent, &at));
    at.size++;
    ck_assert(direction_pulls(&persistent, &at));
    at.candidates = 0;
    ck_assert(!direction_pulls(&persistent, &at));
}
END_TEST

START_TEST(no_rule_never_pulls)
{
    struct direction_rule none = {0};
    struct direction_view at = {.size = 1u << 31, .arcs = (u64)1 << 40, .candidates = 1};
    ck_assert(!direction_pulls(&none, &at));
    at.pulling = at.pulled = true;
    ck_assert(!direction_pulls(&none, &at));
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{threads_go_over_by_arcs, 1},
                                    {threads_continue_by_size, 1},
                                    {a_persistent_kernel_goes_over_by_arcs_once, 1},
                                    {no_rule_never_pulls, 1},
                                    {0}};
    return gws_test_run("direction", test);
}
