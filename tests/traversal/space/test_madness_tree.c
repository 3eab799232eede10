/* SPDX-License-Identifier: MIT */
/* Values of a MADNESS tree, against the function. */
#include "madness_problems.h"

START_TEST(values)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_problem problem = coarse();
    problem.order = 8;
    problem.threshold = 1e-7;
    struct gws_madness_tree *tree = build(runtime, &problem);
    double value = 77;
    for (int i = 0; i < 200; i++) {
        double at[3] = {-4 + 9 * i / 199.0, -5 + 11 * (i * 7 % 200) / 199.0, -6 + 13 * (i * 11 % 200) / 199.0};
        ck_assert_int_eq(gws_madness_value(tree, 0, at, &value), GWS_OK);
        double is = exp(-at[0] * at[0] - at[1] * at[1] - at[2] * at[2]);
        if (!(fabs(value - is) < 1e-6)) ck_abort_msg("point %d: %g, not %g", i, value, is);
    }
    const double outside[3] = {0, 0, 7.5}, nowhere[3] = {NAN, 0, 0}, inside[3] = {0};
    value = 77;
    ck_assert_int_eq(gws_madness_value(tree, 0, outside, &value), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_madness_value(tree, 0, nowhere, &value), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_madness_value(tree, 1, inside, &value), GWS_OUT_OF_RANGE);
    ck_assert_double_eq(value, 77);
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{values, 1}, {0}};
    return gws_test_run("madness tree", test);
}
