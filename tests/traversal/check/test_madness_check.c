/* SPDX-License-Identifier: MIT */
/* The check of MADNESS trees must reject a tree with one wrong entry, and trees of other problems. */
#include "../space/madness_problems.h"

static void spoil(struct gws_madness_tree *tree, int what)
{
    struct gws_madness_family *family = (struct gws_madness_family *)&tree->family[tree->families / 2];
    if (what == 0) ((double *)family->coefficient)[100] += 1e-6;
    if (what == 1) family->square *= 1 + 1e-6;
    if (what == 2) family->at[1]++;
    if (what == 3) family->difference *= 2;
    if (what == 4) tree->boxes++;
    if (what == 5) tree->forced++;
    if (what == 6) tree->norm *= 1 + 1e-9;
    if (what == 7) tree->families--;
    if (what == 8) ((struct gws_madness_part *)tree->part)->depth++;
    if (what == 9) ((struct gws_madness_part *)tree->part)->norm *= 1 + 1e-9;
    if (what == 10) tree->rough++;
    if (what == 11) family->level++;
}

START_TEST(wrong_results)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_problem problem = coarse();
    struct gws_madness_tree *tree = build(runtime, &problem);
    const uint64_t families = tree->families;
    struct gws_diagnostic where = {0};
    spoil(tree, _i);
    ck_assert_int_eq(gws_madness_check(runtime, &problem, tree, &where), GWS_WRONG_RESULT);
    ck_assert_int_ne(where.message[0], 0);
    tree->families = families;
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

/* The check must reject a tree of a finer or coarser threshold. */
START_TEST(wrong_trees)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_problem problem = coarse(), other = coarse();
    other.threshold = _i == 0 ? 1e-4 : 1e-1;
    struct gws_madness_tree *tree = build(runtime, &other);
    ck_assert_int_eq(gws_madness_check(runtime, &problem, tree, NULL), GWS_WRONG_RESULT);
    problem.order++;
    double error;
    ck_assert_int_eq(gws_madness_check(runtime, &problem, tree, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_madness_error(runtime, &problem, tree, &error), GWS_INVALID);
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{wrong_results, 12}, {wrong_trees, 2}, {0}};
    return gws_test_run("madness check", test);
}
