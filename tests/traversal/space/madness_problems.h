/* SPDX-License-Identifier: MIT */
/* Problems and trees for the tests of MADNESS trees. */
#ifndef GWS_TESTS_SPACE_MADNESS_PROBLEMS_H
#define GWS_TESTS_SPACE_MADNESS_PROBLEMS_H

#include "../../policies.h"

#include <math.h>

#include "../../../traversal/madness.h"

static struct gws_madness_body one_body = {.factor = 1, .sharpness = 1};

/* Returns the problem of one Gaussian in a small cell with a coarse threshold. */
static inline struct gws_madness_problem coarse(void)
{
    struct gws_madness_problem problem;
    gws_madness_defaults(&problem);
    problem.functions = 1;
    problem.values = gws_madness_gaussian;
    problem.context = &one_body;
    problem.order = 5;
    problem.threshold = 1e-3;
    problem.max_level = 5; /* a correct build needs fewer levels */
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -4 - a;
        problem.high[a] = 5 + a;
    }
    return problem;
}

static inline struct gws_runtime *open_one(void)
{
    struct gws_options options = {.threads = 2, .policy = "chaselev"};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

static inline struct gws_madness_tree *build(struct gws_runtime *runtime, const struct gws_madness_problem *problem)
{
    struct gws_madness_tree *tree = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_madness_build(runtime, problem, &tree, &where);
    ck_assert_msg(status == GWS_OK, "%s: %s", gws_status_text(status), where.message);
    return tree;
}

static inline void check(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                         const struct gws_madness_tree *tree)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_madness_check(runtime, problem, tree, &where);
    ck_assert_msg(status == GWS_OK, "order %u: %s: %s", problem->order, gws_status_text(status), where.message);
}

/* Computes a polynomial of degree below k along each axis. The tree represents this polynomial exactly without further
 * division. */
static inline void polynomial(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    uint32_t k = grid->order;
    (void)context;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            for (uint32_t l = 0; l < k; l++)
                for (uint32_t c = 0; c < 8; c++) {
                    double x = grid->x[2 * i + (c >> 2)], y = grid->y[2 * j + (c >> 1 & 1)],
                           z = grid->z[2 * l + (c & 1)];
                    *value++ = function + 1 + x * x * y - 3 * z * z * x + 2 * y;
                }
}

#endif
