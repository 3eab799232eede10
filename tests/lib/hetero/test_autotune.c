/* SPDX-License-Identifier: MIT */
/* Tests the cost model, autotuner, share and line of lib/hetero/autotune.h. */
#include "../../harness.h"

#include "../../../lib/hetero/autotune.h"

static const struct gws__autotune_rule plain = {.alternatives = 3, .retry = 8, .weight = 0.5};

START_TEST(cost_is_a_moving_average_by_class)
{
    struct gws__cost cost = {0};
    gws__cost_add(&cost, 100, 1000, 0.5);
    ck_assert_double_eq_tol(cost.ns[gws__cost_class(100)], 10, 1e-9); /* the first measurement has weight 1 */
    gws__cost_add(&cost, 100, 2000, 0.5);
    ck_assert_double_eq_tol(cost.ns[gws__cost_class(65)], 15, 1e-9); /* sizes 64 .. 127 are one class */
    ck_assert_double_eq_tol(cost.ns[gws__cost_class(128)], 0, 1e-9);
    ck_assert_uint_eq(gws__cost_class(0), gws__cost_class(1));
    gws__cost_add(&cost, 0, 7, 1);
    ck_assert_double_eq_tol(cost.ns[gws__cost_class(0)], 7, 1e-9);
    ck_assert_uint_lt(gws__cost_class(UINT64_MAX), gws__cost_classes);
}
END_TEST

/* Makes `count` decisions at these prices. chosen[] counts the choices of each alternative. */
static void decide(struct gws__autotune *tune, const struct gws__autotune_rule *rule, const double *price,
                   uint32_t count, uint32_t *chosen)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = gws__autotune_choose(tune, rule, 1000, 1);
        ck_assert_uint_lt(a, rule->alternatives);
        chosen[a]++;
        gws__autotune_add(tune, rule, a, 1000, price[a]);
    }
}

START_TEST(each_is_explored_then_the_cheapest_is_taken)
{
    struct gws__autotune tune = {0};
    const double price[] = {3000, 2000, 1000};
    uint32_t chosen[3] = {0};
    decide(&tune, &plain, price, 3, chosen);
    for (int a = 0; a < 3; a++) ck_assert_uint_eq(chosen[a], 1);
    decide(&tune, &plain, price, 800, chosen);
    ck_assert_uint_gt(chosen[2], 690);
    ck_assert_uint_gt(chosen[0], 30); /* the autotuner retries both other alternatives */
    ck_assert_uint_gt(chosen[1], 30);
}
END_TEST

START_TEST(a_change_of_prices_is_noticed)
{
    struct gws__autotune tune = {0};
    const double price[] = {3000, 2000, 1000}, later[] = {500, 2000, 1000};
    uint32_t chosen[3] = {0}, then[3] = {0};
    decide(&tune, &plain, price, 100, chosen);
    decide(&tune, &plain, later, 800, then);
    ck_assert_uint_gt(then[0], 600);
}
END_TEST

START_TEST(the_first_is_the_callers_while_nothing_is_known)
{
    struct gws__autotune tune = {0};
    for (uint32_t i = 0; i < 10; i++) ck_assert_uint_eq(gws__autotune_choose(&tune, &plain, 1000, 2), 2);
    gws__autotune_add(&tune, &plain, 2, 1000, 1); /* both sizes are of one class */
    ck_assert_uint_ne(gws__autotune_choose(&tune, &plain, 1000, 2), 2);
    ck_assert_uint_eq(gws__autotune_choose(&tune, &plain, 100000, 2), 2);
}
END_TEST

START_TEST(a_choice_is_held_and_warms_up)
{
    const struct gws__autotune_rule rule = {.alternatives = 2, .hold = 5, .warm_up = 2, .weight = 1};
    struct gws__autotune tune = {0};
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(gws__autotune_choose(&tune, &rule, 10, 0), 0);
        gws__autotune_add(&tune, &rule, 0, 10, i < 2 ? 1e9 : 100); /* measurements of a warm-up do not count */
        gws__autotune_add(&tune, &rule, 1, 10, 1);                 /* only the current choice's measurements count */
    }
    ck_assert_double_eq_tol(tune.cost[0].ns[gws__cost_class(10)], 10, 1e-9);
    ck_assert_double_eq_tol(tune.cost[1].ns[gws__cost_class(10)], 0, 1e-9);
    ck_assert_uint_eq(gws__autotune_choose(&tune, &rule, 10, 0), 1);
}
END_TEST

START_TEST(shares_follow_speeds)
{
    struct gws__share share = {0};
    ck_assert_uint_eq(gws__share_first(&share, 100), 50);
    gws__share_add(&share, 0, 300, 10);
    ck_assert_uint_eq(gws__share_first(&share, 100), 50);
    gws__share_add(&share, 1, 100, 10);
    ck_assert_uint_eq(gws__share_first(&share, 1000), 750);
    gws__share_add(&share, 1, 5, 0); /* a time of 0 is ignored */
    ck_assert_uint_eq(gws__share_first(&share, 1000), 750);
    gws__share_add(&share, 0, 0, 10);
    ck_assert_uint_lt(gws__share_first(&share, 1000), 10);
}
END_TEST

START_TEST(a_line_goes_through_medians)
{
    struct gws__measurement many[18];
    for (uint32_t i = 0; i < 18; i++)
        many[i] = (struct gws__measurement){i % 2 == 0 ? 10 : 1000, i % 2 == 0 ? 250 : 2230};
    many[4].ns = many[5].ns = 1e9; /* outliers */
    struct gws__cost_line line = gws__cost_line_fit(many, 18);
    ck_assert_double_eq_tol(line.step_ns, 2, 1e-9);
    ck_assert_double_eq_tol(line.level_ns, 230, 1e-9);
}
END_TEST

START_TEST(a_line_never_falls)
{
    struct gws__measurement falls[] = {{1000, 10}, {10, 500}}, one[] = {{10, 70}}, steep[] = {{10, 1}, {20, 100}};
    struct gws__cost_line line = gws__cost_line_fit(falls, 2);
    ck_assert_double_eq_tol(line.step_ns, 0, 1e-9);
    ck_assert_double_eq_tol(line.level_ns, 500, 1e-9);
    line = gws__cost_line_fit(one, 1);
    ck_assert_double_eq_tol(line.level_ns + 1e6 * line.step_ns, 70, 1e-9);
    line = gws__cost_line_fit(steep, 2);
    ck_assert_double_eq_tol(line.level_ns, 0, 1e-9);
    line = gws__cost_line_fit(NULL, 0);
    ck_assert_double_eq_tol(line.level_ns + 1e6 * line.step_ns, 0, 1e-9);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{cost_is_a_moving_average_by_class, 1},
                                    {each_is_explored_then_the_cheapest_is_taken, 1},
                                    {a_change_of_prices_is_noticed, 1},
                                    {the_first_is_the_callers_while_nothing_is_known, 1},
                                    {a_choice_is_held_and_warms_up, 1},
                                    {shares_follow_speeds, 1},
                                    {a_line_goes_through_medians, 1},
                                    {a_line_never_falls, 1},
                                    {0}};
    return gws_test_run("autotune", test);
}
