/* SPDX-License-Identifier: MIT */
/* Tests MADNESS trees: known counts, closed forms, the serial check under every policy and order, bitwise equality
 * across policies, special points, failing allocations. */
#include "madness_problems.h"

static const double pi = 3.141592653589793;

/* ---- known results ---- */

START_TEST(known_tree)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_body body = {.factor = pow(2 / pi, 0.75), .sharpness = 1};
    struct gws_madness_problem problem = coarse();
    problem.context = &body;
    problem.order = 7;
    problem.threshold = 1e-5;
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -11 - 2 * a;
        problem.high[a] = 10 + a;
    }
    struct gws_madness_tree *tree = build(runtime, &problem);
    double error = 0;
    ck_assert_uint_eq(tree->leaves, 2584);
    ck_assert_uint_eq(tree->boxes, 368);
    ck_assert_double_eq_tol(tree->norm, 1, 1e-12);
    ck_assert_int_eq(gws_madness_error(runtime, &problem, tree, &error), GWS_OK);
    ck_assert_double_eq_tol(error, 2.9e-7, 0.05e-7);
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(peak)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_body body = {.factor = 1, .sharpness = 30000};
    struct gws_madness_problem problem = coarse();
    const struct gws_madness_special special = {.level = 8};
    problem.context = &body;
    problem.order = 10;
    problem.threshold = 1e-8;
    problem.max_level = 16;
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -20;
        problem.high[a] = 20;
    }
    struct gws_madness_tree *tree = build(runtime, &problem);
    ck_assert_double_eq(tree->norm, 0);
    ck_assert_uint_eq(tree->leaves, 64);
    gws_madness_destroy(tree);
    problem.special = &special;
    problem.specials = 1;
    tree = build(runtime, &problem);
    double norm = pow(pi / 60000, 0.75), error = 1;
    ck_assert_uint_eq(tree->forced, 8 + 6 * 27);
    ck_assert_double_eq_tol(tree->norm, norm, 1e-11 * norm);
    ck_assert_int_eq(gws_madness_error(runtime, &problem, tree, &error), GWS_OK);
    ck_assert_double_lt(error, 1e-11);
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(exact)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_problem problem = coarse();
    problem.values = polynomial;
    problem.functions = 2;
    problem.order = 3;
    problem.mode = 0;
    problem.threshold = 1e-9;
    struct gws_madness_tree *tree = build(runtime, &problem);
    ck_assert_uint_eq(tree->leaves, 128);
    ck_assert_uint_eq(tree->depth, 2);
    for (int i = 0; i < 50; i++) {
        double at[3] = {-4 + 9 * i / 49.0, -5 + 11 * (i * 7 % 50) / 49.0, -6 + 13 * (i * 11 % 50) / 49.0}, value;
        ck_assert_int_eq(gws_madness_value(tree, i % 2, at, &value), GWS_OK);
        double is = i % 2 + 1 + at[0] * at[0] * at[1] - 3 * at[2] * at[2] * at[0] + 2 * at[1];
        ck_assert_double_eq_tol(value, is, 1e-10);
    }
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- against the serial check ---- */

/* The serial check verifies the tree of the first kernel. The test compares the trees of all other kernels with this
 * tree. */
static void same_numbers(const struct gws_madness_tree *a, const struct gws_madness_tree *b)
{
    const uint64_t entries = UINT64_C(8) * a->order * a->order * a->order;
    ck_assert_uint_eq(a->families, b->families);
    for (uint64_t i = 0; i < a->families; i++)
        for (uint64_t e = 0; e < entries; e++)
            if (!(fabs(a->family[i].coefficient[e] - b->family[i].coefficient[e]) <= 1e-13 * a->norm))
                ck_abort_msg("%s and %s differ, order %u, family %llu, entry %llu", a->kernel, b->kernel, a->order,
                             (unsigned long long)i, (unsigned long long)e);
    for (uint64_t i = 0; i < a->families; i++)
        ck_assert_double_eq_tol(a->family[i].difference, b->family[i].difference, 1e-12 * a->norm);
}

static void all_kernels(struct gws_runtime *runtime, struct gws_madness_problem *problem)
{
    problem->kernel = gws_madness_kernel_at(0, NULL);
    struct gws_madness_tree *first = build(runtime, problem);
    ck_assert_str_eq(first->kernel, problem->kernel);
    check(runtime, problem, first);
    for (uint32_t i = 1; (problem->kernel = gws_madness_kernel_at(i, NULL)); i++) {
        struct gws_madness_tree *tree = build(runtime, problem);
        ck_assert_str_eq(tree->kernel, problem->kernel);
        same_numbers(first, tree);
        gws_madness_destroy(tree);
    }
    gws_madness_destroy(first);
}

START_TEST(orders)
{
    static const double threshold[] = {0.05, 0.02, 1e-2, 1e-2, 1e-2, 1e-3, 1e-3, 1e-3, 1e-3, 1e-4, 1e-4};
    static struct gws_madness_body body[] = {{{0.3, -0.2, 1}, 1, 1}, {{-1, 2, 0}, 0.1, 0.5}};
    const struct gws_madness_special special = {.function = 1, .level = 3, .at = {-1, 2, 0}};
    struct gws_runtime *runtime = open_one();
    uint32_t order = (uint32_t)_i < 11 ? (uint32_t)_i + 1 : _i == 11 ? 13 : 19;
    struct gws_madness_problem problem = coarse();
    for (uint32_t i = 0; i < 6; i++) {
        if (gws_test_quick() && (i + order) % 2) continue; /* one kind of function for each order */
        problem.functions = 2;
        problem.values = i % 2 ? gws_madness_potential : gws_madness_gaussian;
        problem.context = body;
        problem.order = order;
        problem.mode = i / 2;
        problem.threshold = (uint32_t)_i < 11 ? threshold[_i] : 1e-6;
        problem.special = &special;
        problem.specials = order < 9;
        problem.max_level = order == 2 ? 3 : order < 9 ? 6 : order < 13 ? 2 : 1;
        if (order > 8 && i > 1) break;
        all_kernels(runtime, &problem);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- bitwise equality ---- */

static void same_family(const struct gws_madness_family *a, const struct gws_madness_family *b, uint32_t order)
{
    ck_assert_uint_eq(a->function, b->function);
    ck_assert_uint_eq(a->level, b->level);
    ck_assert_mem_eq(a->at, b->at, sizeof a->at);
    ck_assert_mem_eq(&a->square, &b->square, sizeof a->square);
    ck_assert_mem_eq(&a->difference, &b->difference, sizeof a->difference);
    ck_assert_mem_eq(a->coefficient, b->coefficient, sizeof(double) * 8 * order * order * order);
}

START_TEST(policies)
{
    static struct gws_madness_body body[] = {{{0.3, -0.2, 1}, 1, 1}, {{-1, 2, 0}, 0.1, 3}, {{2, 2, 2}, 1, 2}};
    struct gws_runtime *one = open_one(), *runtime = policies_open(_i);
    struct gws_madness_problem problem = coarse();
    problem.functions = 3;
    problem.context = body;
    struct gws_madness_tree *tree = build(runtime, &problem), *other = build(one, &problem);
    check(runtime, &problem, tree);
    ck_assert_uint_eq(tree->families, other->families);
    ck_assert_mem_eq(&tree->norm, &other->norm, sizeof tree->norm);
    for (uint64_t i = 0; i < tree->families; i++) same_family(&tree->family[i], &other->family[i], problem.order);
    for (int f = 0; f < 3; f++) {
        ck_assert_uint_eq(tree->part[f].begin, other->part[f].begin);
        ck_assert_uint_eq(tree->part[f].depth, other->part[f].depth);
        ck_assert_mem_eq(&tree->part[f].norm, &other->part[f].norm, sizeof(double));
    }
    gws_madness_destroy(tree);
    gws_madness_destroy(other);
    gws_runtime_close(runtime);
    gws_runtime_close(one);
}
END_TEST

/* ---- the deepest level ---- */

/* Computes a function that no grid resolves. Division ends at the deepest level, and `rough` counts such families. */
static void step(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    uint32_t k = grid->order;
    (void)context, (void)function;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t e = 0; e < k * k; e++)
            for (uint32_t c = 0; c < 8; c++) *value++ = grid->x[2 * i + (c >> 2)] > 0.3 ? 1 : 0;
}

START_TEST(deepest_level)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_problem problem = coarse();
    const struct gws_madness_special corner = {.level = GWS_MADNESS_LEVEL, .at = {5, 6, 7}};
    problem.values = step;
    problem.max_level = 3;
    struct gws_madness_tree *tree = build(runtime, &problem);
    ck_assert_uint_eq(tree->depth, 4);
    ck_assert_uint_eq(tree->rough, 64);
    check(runtime, &problem, tree);
    gws_madness_destroy(tree);
    problem.values = polynomial;
    problem.max_level = GWS_MADNESS_LEVEL;
    problem.special = &corner;
    problem.specials = 1;
    tree = build(runtime, &problem);
    ck_assert_uint_eq(tree->depth, GWS_MADNESS_LEVEL + 1);
    ck_assert_uint_eq(tree->rough, 0);
    ck_assert_uint_eq(tree->forced, 8 * (GWS_MADNESS_LEVEL - 1));
    check(runtime, &problem, tree);
    double value;
    ck_assert_int_eq(gws_madness_value(tree, 0, corner.at, &value), GWS_OK);
    ck_assert_double_eq_tol(value, 1 + 25 * 6 - 3 * 49 * 5 + 12, 1e-6);
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- memory ---- */

static gws_status small(struct gws_runtime *runtime, void *context)
{
    struct gws_madness_problem problem = coarse();
    struct gws_madness_tree *tree = NULL;
    double error = 77;
    (void)context;
    problem.order = 3;
    problem.threshold = 0.1;
    gws_status status = gws_madness_build(runtime, &problem, &tree, NULL);
    if ((status == GWS_OK) != (tree != NULL)) ck_abort_msg("a tree and no success, or success and no tree");
    if (status == GWS_OK) status = gws_madness_error(runtime, &problem, tree, &error);
    if ((status == GWS_OK) != (error != 77)) ck_abort_msg("an error and no success, or success and no error");
    if (status == GWS_OK) status = gws_madness_check(runtime, &problem, tree, NULL);
    gws_madness_destroy(tree);
    return status;
}

START_TEST(short_memory)
{
    policies_fail(100, small, NULL);
}
END_TEST

START_TEST(nothing)
{
    gws_madness_destroy(NULL);
    ck_assert_ptr_null(gws_madness_kernel_at(100, NULL));
    const char *about = NULL;
    ck_assert_ptr_nonnull(gws_madness_kernel_at(0, &about));
    ck_assert_ptr_nonnull(about);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{known_tree, 1},
                                    {peak, 1},
                                    {exact, 1},
                                    {orders, gws_test_quick() ? 6 : 13},
                                    {policies, policies_count()},
                                    {deepest_level, 1},
                                    {short_memory, 1},
                                    {nothing, 1},
                                    {0}};
    return gws_test_run("madness", test);
}
