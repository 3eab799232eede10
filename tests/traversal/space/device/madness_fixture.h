/* SPDX-License-Identifier: MIT */
/* The device, problems and comparisons for the tests of MADNESS trees on devices. The device is GWS_TEST_DEVICE,
 * otherwise the first OpenCL device. The tests do nothing without a device. */
#ifndef GWS_TESTS_SPACE_DEVICE_MADNESS_FIXTURE_H
#define GWS_TESTS_SPACE_DEVICE_MADNESS_FIXTURE_H

#include "../../../policies.h"

#include <math.h>

#include "../../../../traversal/madness_device.h"
#include "../../../lib/device/drivers.h"

static struct gws_madness_body bodies[] = {
    {{0.3, -0.2, 1}, 1, 1}, {{-1, 2, 0}, 0.1, 0.5}, {{2, 2, 2}, 1, 2}, {{-2, 0, 3}, 3, 4}};

static inline struct gws_madness_problem coarse(uint32_t order)
{
    static const double threshold[] = {0.05, 0.02, 1e-2, 1e-2, 1e-2, 1e-3, 1e-3, 1e-3, 1e-3, 1e-4};
    struct gws_madness_problem problem;
    gws_madness_defaults(&problem);
    problem.functions = 2;
    problem.values = gws_madness_gaussian;
    problem.context = bodies;
    problem.order = order;
    problem.threshold = order <= 10 ? threshold[order - 1] : 1e-6;
    problem.max_level = order == 2 ? 3 : order < 9 ? 6 : order < 13 ? 2 : 1;
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -4 - a;
        problem.high[a] = 5 + a;
    }
    return problem;
}

/* Returns NULL, after a message, if there is no device. */
static inline struct gws_device *open_device(struct gws_runtime *runtime)
{
    const char *address = getenv("GWS_TEST_DEVICE");
    struct gws_device *device = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_device_open(runtime, address ? address : "opencl", gws_test_cached(), &device, &where);
    if (status == GWS_INVALID || status == GWS_UNSUPPORTED)
        printf("skipped: no device: %s\n", where.message);
    else
        ck_assert_msg(status == GWS_OK, "%s", where.message);
    return device;
}

struct device_fixture {
    struct gws_runtime *runtime;
    struct gws_device *device;
};

static inline bool begin(struct device_fixture *fixture)
{
    const struct gws_options options = {.threads = 2, .policy = "chaselev"};
    ck_assert_int_eq(gws_runtime_open(&options, &fixture->runtime), GWS_OK);
    fixture->device = open_device(fixture->runtime);
    if (!fixture->device) gws_runtime_close(fixture->runtime);
    return fixture->device;
}

static inline void end(struct device_fixture *fixture)
{
    gws_device_close(fixture->device);
    gws_runtime_close(fixture->runtime);
}

static inline struct gws_madness_device *open_builder(struct device_fixture *fixture, uint32_t order,
                                                      const struct gws_madness_device_options *options)
{
    struct gws_madness_device *builder = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_madness_device_open(fixture->runtime, fixture->device, order, options, &builder, &where);
    ck_assert_msg(status == GWS_OK, "order %u: %s", order, where.message);
    return builder;
}

/* ---- equal trees ---- */

static inline void same_family(const struct gws_madness_family *a, const struct gws_madness_family *b, uint32_t order,
                               double norm)
{
    if (a->function != b->function || a->level != b->level || memcmp(a->at, b->at, sizeof a->at) != 0)
        ck_abort_msg("order %u: another box of level %u, not %u", order, a->level, b->level);
    for (uint32_t e = 0; e < 8 * order * order * order; e++)
        if (!(fabs(a->coefficient[e] - b->coefficient[e]) <= 1e-13 * norm))
            ck_abort_msg("order %u: coefficient %u is %.17g, not %.17g", order, e, a->coefficient[e],
                         b->coefficient[e]);
    ck_assert_double_eq_tol(a->difference, b->difference, 1e-12 * norm);
}

static inline void compare(const struct gws_madness_tree *a, const struct gws_madness_tree *b)
{
    ck_assert_uint_eq(a->boxes, b->boxes);
    ck_assert_uint_eq(a->divided, b->divided);
    ck_assert_uint_eq(a->forced, b->forced);
    ck_assert_uint_eq(a->families, b->families);
    ck_assert_uint_eq(a->rough, b->rough);
    ck_assert_uint_eq(a->depth, b->depth);
    ck_assert_double_eq_tol(a->norm, b->norm, 1e-12 * b->norm);
    for (uint64_t i = 0; i < a->families; i++) same_family(&a->family[i], &b->family[i], a->order, b->norm);
}

static inline struct gws_madness_tree *build(struct gws_madness_device *builder,
                                             const struct gws_madness_problem *problem)
{
    struct gws_madness_tree *tree = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_madness_device_build(builder, problem, &tree, &where);
    ck_assert_msg(status == GWS_OK, "order %u: %s: %s", problem->order, gws_status_text(status), where.message);
    return tree;
}

/* Builds the device's tree twice with one builder. The two trees must be bitwise equal. */
static inline void judge(struct device_fixture *fixture, struct gws_madness_device *builder,
                         const struct gws_madness_problem *problem)
{
    struct gws_diagnostic where = {0};
    struct gws_madness_device_stats stats;
    struct gws_madness_tree *expected = NULL, *tree = build(builder, problem), *again = build(builder, problem);
    ck_assert_int_eq(gws_madness_build(fixture->runtime, problem, &expected, NULL), GWS_OK);
    gws_status status = gws_madness_check(fixture->runtime, problem, tree, &where);
    ck_assert_msg(status == GWS_OK, "order %u: %s", problem->order, where.message);
    gws_madness_device_stats(builder, &stats);
    ck_assert_uint_eq(stats.near_tolerance, 0);
    compare(tree, expected);
    ck_assert_mem_eq(&tree->norm, &again->norm, sizeof tree->norm);
    for (uint64_t i = 0; i < tree->families; i++)
        ck_assert_mem_eq(tree->family[i].coefficient, again->family[i].coefficient,
                         sizeof(double) * 8 * problem->order * problem->order * problem->order);
    gws_madness_destroy(tree);
    gws_madness_destroy(again);
    gws_madness_destroy(expected);
}

static inline bool is_opencl(const struct device_fixture *fixture)
{
    return gws_device_describe(fixture->device)->api == GWS_DEVICE_OPENCL;
}

/* Returns true if the test covers this order. OpenCL compiles the program for each order, which takes seconds. The
 * compilation is fastest for groups of one item. */
static inline bool takes(const struct device_fixture *fixture, uint32_t order)
{
    return !is_opencl(fixture) || order == 1 || order == 4 || order == 17;
}

#endif
