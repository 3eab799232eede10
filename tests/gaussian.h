/* SPDX-License-Identifier: MIT */
/* A cheap problem of MADNESS for tests of every call: one Gaussian in a cube. */
#ifndef GWS_TESTS_GAUSSIAN_H
#define GWS_TESTS_GAUSSIAN_H

#include "../traversal/madness.h"

static inline struct gws_madness_problem gws_test_gaussian(void)
{
    static struct gws_madness_body body = {.factor = 0.7, .sharpness = 1};
    struct gws_madness_problem problem;
    gws_madness_defaults(&problem);
    problem.functions = 1;
    problem.values = gws_madness_gaussian;
    problem.context = &body;
    problem.order = 3;
    problem.threshold = 1e-2;
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -5;
        problem.high[a] = 5;
    }
    return problem;
}

#endif
