/* SPDX-License-Identifier: MIT */
/* MADNESS trees reject invalid problems and values without changing *tree. */
#include "madness_problems.h"

static void refuse(struct gws_runtime *runtime, const struct gws_madness_problem *problem, gws_status why)
{
    struct gws_madness_tree *tree = (struct gws_madness_tree *)&one_body;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_madness_build(runtime, problem, &tree, &where), why);
    ck_assert_ptr_eq(tree, &one_body);
    ck_assert_int_ne(where.message[0], 0);
    ck_assert_int_eq(gws_madness_build(runtime, problem, &tree, NULL), why);
}

static void spoil_problem(struct gws_madness_problem *problem, int what)
{
    if (what == 0) problem->functions = 0;
    if (what == 1) problem->values = NULL;
    if (what == 2) problem->low[1] = problem->high[1];
    if (what == 3) problem->high[2] = INFINITY;
    if (what == 4) problem->low[0] = NAN;
    if (what == 5) problem->low[0] = -1.7e308, problem->high[0] = 1.7e308;
    if (what == 6) problem->order = 0;
    if (what == 7) problem->order = GWS_MADNESS_ORDER + 1;
    if (what == 8) problem->mode = 3;
    if (what == 9) problem->threshold = 0;
    if (what == 10) problem->threshold = NAN;
    if (what == 11) problem->threshold = INFINITY;
    if (what == 12) problem->max_level = 0;
    if (what == 13) problem->max_level = GWS_MADNESS_LEVEL + 1;
    if (what == 14) problem->kernel = "abacus";
    for (int a = 0; a < 3 && what >= 15; a++) problem->low[a] = 0, problem->high[a] = what == 15 ? 1e103 : 1e-97;
}

START_TEST(bad_problems)
{
    struct gws_runtime *runtime = open_one();
    for (int what = 0; what < 17; what++) {
        struct gws_madness_problem problem = coarse();
        spoil_problem(&problem, what);
        refuse(runtime, &problem, GWS_INVALID);
    }
    static const struct gws_madness_special wrong[] = {
        {.function = 1}, {.level = GWS_MADNESS_LEVEL + 1}, {.at = {6, 0, 0}}, {.at = {0, 0, NAN}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct gws_madness_problem problem = coarse();
        problem.special = &wrong[i];
        problem.specials = 1;
        refuse(runtime, &problem, GWS_INVALID);
    }
    gws_runtime_close(runtime);
}
END_TEST

static void not_finite(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    gws_madness_gaussian(&one_body, function, grid, value);
    if (grid->x[0] > 0) value[3] = *(const double *)context;
}

START_TEST(bad_values)
{
    struct gws_runtime *runtime = open_one();
    double number[] = {NAN, INFINITY, -INFINITY, 1e200};
    for (int i = 0; i < 4; i++) {
        struct gws_madness_problem problem = coarse();
        problem.values = not_finite;
        problem.context = &number[i];
        refuse(runtime, &problem, GWS_OUT_OF_RANGE);
    }
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{bad_problems, 1}, {bad_values, 1}, {0}};
    return gws_test_run("madness problem", test);
}
