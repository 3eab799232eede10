/* SPDX-License-Identifier: MIT */
/* MADNESS trees of a device, compared with those of the CPU and verified by the serial check: every order, both forms,
 * groups of every size, lists that overflow, special points, invalid arguments, failing allocations. The device is
 * GWS_TEST_DEVICE, otherwise OpenCL's first; without a device the tests are skipped. */
#include "../../../policies.h"

#include <math.h>

#include "../../../../traversal/madness_device.h"

static struct gws_madness_body bodies[] = {
    {{0.3, -0.2, 1}, 1, 1}, {{-1, 2, 0}, 0.1, 0.5}, {{2, 2, 2}, 1, 2}, {{-2, 0, 3}, 3, 4}};

static struct gws_madness_problem coarse(uint32_t order)
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

/* Returns NULL, after a message, where there is no device. */
static struct gws_device *open_device(struct gws_runtime *runtime)
{
    const char *address = getenv("GWS_TEST_DEVICE");
    struct gws_device *device = NULL;
    struct gws_where where = {0};
    gws_status status = gws_device_open(runtime, address ? address : "opencl", NULL, &device, &where);
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

static bool begin(struct device_fixture *fixture)
{
    const struct gws_options options = {.threads = 2, .policy = "chaselev"};
    ck_assert_int_eq(gws_runtime_open(&options, &fixture->runtime), GWS_OK);
    fixture->device = open_device(fixture->runtime);
    if (!fixture->device) gws_runtime_close(fixture->runtime);
    return fixture->device;
}

static void end(struct device_fixture *fixture)
{
    gws_device_close(fixture->device);
    gws_runtime_close(fixture->runtime);
}

static struct gws_madness_device *open_builder(struct device_fixture *fixture, uint32_t order,
                                               const struct gws_madness_device_options *options)
{
    struct gws_madness_device *builder = NULL;
    struct gws_where where = {0};
    gws_status status = gws_madness_device_open(fixture->runtime, fixture->device, order, options, &builder, &where);
    ck_assert_msg(status == GWS_OK, "order %u: %s", order, where.message);
    return builder;
}

/* ---- equal trees ---- */

static void same_family(const struct gws_madness_family *a, const struct gws_madness_family *b, uint32_t order,
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

static void compare(const struct gws_madness_tree *a, const struct gws_madness_tree *b)
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

static struct gws_madness_tree *build(struct gws_madness_device *builder, const struct gws_madness_problem *problem)
{
    struct gws_madness_tree *tree = NULL;
    struct gws_where where = {0};
    gws_status status = gws_madness_device_build(builder, problem, &tree, &where);
    ck_assert_msg(status == GWS_OK, "order %u: %s: %s", problem->order, gws_status_text(status), where.message);
    return tree;
}

/* Builds the device's tree twice: the builder is reusable, and the trees are bitwise equal. */
static void judge(struct device_fixture *fixture, struct gws_madness_device *builder,
                  const struct gws_madness_problem *problem)
{
    struct gws_where where = {0};
    struct gws_madness_device_stats stats;
    struct gws_madness_tree *expected = NULL, *tree = build(builder, problem), *again = build(builder, problem);
    ck_assert_int_eq(gws_madness_build(fixture->runtime, problem, &expected, NULL), GWS_OK);
    gws_status status = gws_madness_check(fixture->runtime, problem, tree, &where);
    ck_assert_msg(status == GWS_OK, "order %u: %s", problem->order, where.message);
    gws_madness_device_stats(builder, &stats);
    ck_assert_uint_eq(stats.near, 0);
    compare(tree, expected);
    ck_assert_mem_eq(&tree->norm, &again->norm, sizeof tree->norm);
    for (uint64_t i = 0; i < tree->families; i++)
        ck_assert_mem_eq(tree->family[i].coefficient, again->family[i].coefficient,
                         sizeof(double) * 8 * problem->order * problem->order * problem->order);
    gws_madness_destroy(tree);
    gws_madness_destroy(again);
    gws_madness_destroy(expected);
}

static bool is_opencl(const struct device_fixture *fixture)
{
    return gws_device_describe(fixture->device)->api == GWS_DEVICE_OPENCL;
}

/* OpenCL compiles the program for each order, which takes seconds, least for groups of one item. */
static bool takes(const struct device_fixture *fixture, uint32_t order)
{
    return !is_opencl(fixture) || order == 1 || order == 4 || order == 17;
}

/* Every mode and function, with and without a special point. */
START_TEST(orders)
{
    const struct gws_madness_special special = {.function = 1, .level = 3, .at = {-1, 2, 0}};
    const uint32_t order = (uint32_t)_i < 12 ? (uint32_t)_i + 1 : _i == 12 ? 15 : 17;
    const uint32_t problems = order < 9 ? 6 : 2;
    struct device_fixture fixture;
    if (!begin(&fixture)) return;
    if (!takes(&fixture, order)) {
        end(&fixture);
        return;
    }
    const struct gws_madness_device_options single = {.group_size = 1};
    struct gws_madness_device *builder =
        open_builder(&fixture, order, is_opencl(&fixture) && order != 4 ? &single : NULL);
    for (uint32_t i = 0; i < (gws_test_quick() ? 2 : problems); i++) {
        struct gws_madness_problem problem = coarse(order);
        problem.values = i % 2 ? gws_madness_potential : gws_madness_gaussian;
        problem.mode = i / 2;
        problem.special = &special;
        problem.specials = order < 9;
        judge(&fixture, builder, &problem);
    }
    gws_madness_device_close(builder);
    end(&fixture);
}
END_TEST

START_TEST(known_tree)
{
    struct device_fixture fixture;
    if (!begin(&fixture)) return;
    struct gws_madness_body body = {.factor = pow(2 / 3.141592653589793, 0.75), .sharpness = 1};
    struct gws_madness_problem problem = coarse(7);
    problem.functions = 1;
    problem.context = &body;
    problem.threshold = 1e-5;
    problem.max_level = GWS_MADNESS_LEVEL;
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -11 - 2 * a;
        problem.high[a] = 10 + a;
    }
    const struct gws_madness_device_options single = {.group_size = 1};
    struct gws_madness_device *builder = open_builder(&fixture, 7, is_opencl(&fixture) ? &single : NULL);
    struct gws_madness_tree *tree = build(builder, &problem);
    double error;
    ck_assert_uint_eq(tree->leaves, 2584);
    ck_assert_uint_eq(tree->boxes, 368);
    ck_assert_double_eq_tol(tree->norm, 1, 1e-12);
    ck_assert_int_eq(gws_madness_error(fixture.runtime, &problem, tree, &error), GWS_OK);
    ck_assert_double_eq_tol(error, 2.9e-7, 0.05e-7);
    gws_madness_device_close(builder); /* before the tree, which remains valid */
    ck_assert_int_eq(gws_madness_check(fixture.runtime, &problem, tree, NULL), GWS_OK);
    gws_madness_destroy(tree);
    end(&fixture);
}
END_TEST

/* ---- configurations ---- */

START_TEST(sizes_and_groups)
{
    static const struct gws_madness_device_options options[] = {{.groups = 1}, {.group_size = 1}, {.group_size = 7}};
    struct device_fixture fixture;
    if (!begin(&fixture)) return;
    struct gws_madness_problem problem = coarse(4);
    problem.functions = 4;
    if (is_opencl(&fixture) && options[_i].group_size > 1) {
        end(&fixture);
        return;
    }
    struct gws_madness_device *builder = open_builder(&fixture, 4, &options[_i]);
    judge(&fixture, builder, &problem);
    struct gws_madness_device_stats stats;
    gws_madness_device_stats(builder, &stats);
    if (options[_i].groups) ck_assert_uint_eq(stats.groups, options[_i].groups);
    if (options[_i].group_size) ck_assert_uint_eq(stats.group_size, options[_i].group_size);
    ck_assert_uint_ge(stats.most, stats.least);
    ck_assert_uint_eq(stats.launches, 1);
    gws_madness_device_close(builder);
    end(&fixture);
}
END_TEST

/* Families and boxes exhaust the device's capacity repeatedly. */
START_TEST(full_lists)
{
    const struct gws_madness_device_options options = {.room = 1, .groups = 1};
    struct device_fixture fixture;
    if (!begin(&fixture)) return;
    struct gws_madness_problem problem = coarse(4);
    struct gws_madness_device *builder = open_builder(&fixture, 4, &options);
    judge(&fixture, builder, &problem);
    struct gws_madness_device_stats stats;
    gws_madness_device_stats(builder, &stats);
    ck_assert_uint_gt(stats.launches, 20);
    gws_madness_device_close(builder);
    end(&fixture);
}
END_TEST

/* CPU workers and the device: each box is computed once, even when the device's lists are full. */
START_TEST(both_sides)
{
    static const struct gws_madness_device_options options[] = {
        {.cpu = true}, {.cpu = true, .groups = 1, .room = 40}, {.cpu = true, .groups = 2, .group_size = 1}};
    struct device_fixture fixture;
    if (!begin(&fixture)) return;
    struct gws_madness_problem problem = coarse(4);
    problem.functions = 4;
    struct gws_madness_device *builder = open_builder(&fixture, 4, &options[_i]);
    struct gws_madness_tree *expected = NULL;
    bool device = false;
    ck_assert_int_eq(gws_madness_build(fixture.runtime, &problem, &expected, NULL), GWS_OK);
    for (int i = 0; i < 100 && !device; i++) {
        struct gws_madness_tree *tree = build(builder, &problem);
        struct gws_madness_device_stats stats;
        gws_madness_device_stats(builder, &stats);
        compare(tree, expected);
        ck_assert_uint_eq(stats.cpu.run + stats.device.run, tree->boxes);
        ck_assert_uint_eq(stats.cpu.made + stats.device.made, tree->boxes);
        ck_assert_uint_eq(stats.device.run > 0, stats.device.stolen_from_cpu > 0);
        ck_assert_uint_ge(stats.launches, stats.device.steals);
        device = stats.device.run > 0;
        gws_madness_destroy(tree);
    }
    ck_assert(device);
    gws_madness_destroy(expected);
    gws_madness_device_close(builder);
    end(&fixture);
}
END_TEST

/* ---- invalid arguments ---- */

static void other_values(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    gws_madness_gaussian(context, function, grid, value);
}

static void refuse(struct gws_madness_device *builder, const struct gws_madness_problem *problem, gws_status why)
{
    struct gws_madness_tree *tree = (struct gws_madness_tree *)bodies;
    struct gws_where where = {0};
    ck_assert_int_eq(gws_madness_device_build(builder, problem, &tree, &where), why);
    ck_assert_ptr_eq(tree, bodies);
    ck_assert_int_ne(where.message[0], 0);
    ck_assert_int_eq(gws_madness_device_build(builder, problem, &tree, NULL), why);
}

START_TEST(bad_problems)
{
    struct device_fixture fixture;
    if (!begin(&fixture)) return;
    struct gws_madness_device *builder = open_builder(&fixture, 4, NULL);
    struct gws_madness_problem problem = coarse(4);
    problem.mode = 3;
    refuse(builder, &problem, GWS_INVALID);
    problem = coarse(3);
    refuse(builder, &problem, GWS_INVALID);
    problem = coarse(4);
    problem.kernel = "plain";
    refuse(builder, &problem, GWS_INVALID);
    problem.kernel = NULL;
    problem.values = other_values;
    refuse(builder, &problem, GWS_UNSUPPORTED);
    struct gws_madness_body wrong[2] = {{.factor = NAN, .sharpness = 1}, {.factor = 1e200, .sharpness = 1}};
    for (int i = 0; i < 2; i++) {
        problem = coarse(4);
        problem.functions = 1;
        problem.context = &wrong[i];
        refuse(builder, &problem, GWS_OUT_OF_RANGE);
    }
    problem.context = bodies; /* the builder still works afterwards */
    judge(&fixture, builder, &problem);
    gws_madness_device_close(builder);
    end(&fixture);
}
END_TEST

START_TEST(bad_options)
{
    static const struct gws_madness_device_options wrong[] = {
        {.groups = 60001}, {.groups = 60000}, {.group_size = 513}, {.room = UINT64_C(1) << 32}};
    struct device_fixture fixture;
    struct gws_madness_device *builder = (struct gws_madness_device *)bodies;
    if (!begin(&fixture)) return;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct gws_where where = {0};
        ck_assert_int_eq(gws_madness_device_open(fixture.runtime, fixture.device, 3, &wrong[i], &builder, &where),
                         GWS_INVALID);
        ck_assert_int_ne(where.message[0], 0);
    }
    const struct gws_madness_device_options many = {.group_size = 9};
    if (gws_device_describe(fixture.device)->type == GWS_DEVICE_CPU)
        ck_assert_int_eq(gws_madness_device_open(fixture.runtime, fixture.device, 3, &many, &builder, NULL),
                         GWS_INVALID);
    const uint32_t order[] = {0, GWS_MADNESS_ORDER + 1};
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(gws_madness_device_open(fixture.runtime, fixture.device, order[i], NULL, &builder, NULL),
                         GWS_INVALID);
    ck_assert_ptr_eq(builder, bodies);
    gws_madness_device_close(NULL);
    end(&fixture);
}
END_TEST

/* ---- memory ---- */

static gws_status small(struct gws_runtime *runtime, struct gws_device *device)
{
    const struct gws_madness_device_options options = {.room = 10};
    struct gws_madness_problem problem = coarse(4);
    struct gws_madness_device *builder = NULL;
    struct gws_madness_tree *tree = NULL;
    problem.threshold = 0.1;
    gws_status status = gws_madness_device_open(runtime, device, 4, &options, &builder, NULL);
    if ((status == GWS_OK) != (builder != NULL)) ck_abort_msg("a builder and no success, or success and no builder");
    if (status == GWS_OK) status = gws_madness_device_build(builder, &problem, &tree, NULL);
    if ((status == GWS_OK) != (tree != NULL)) ck_abort_msg("a tree and no success, or success and no tree");
    gws_madness_destroy(tree);
    gws_madness_device_close(builder);
    return status;
}

/* Opens the device with sufficient memory; then the k-th call fails. */
START_TEST(short_memory)
{
    uint64_t opening = 0;
    for (uint64_t k = 0;; k++) {
        struct gws_test_memory memory = {.fail_at = k ? opening + k : 0};
        const struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        struct gws_device *device = open_device(runtime);
        if (k == 0) opening = memory.calls;
        gws_status status = device ? small(runtime, device) : GWS_OK;
        gws_device_close(device);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (k > 0 && !memory.failed) ck_assert_int_eq(status, GWS_OK);
        if ((k > 0 && !memory.failed) || !device) break;
        if (k > 0 && status != GWS_OK) ck_assert_int_eq(status, GWS_NO_MEMORY);
    }
}
END_TEST

static Suite *madness_device_suite(void)
{
    Suite *suite = suite_create("MADNESS trees on a device");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, orders, 0, gws_test_quick() ? 7 : 14);
    tcase_add_test(all, known_tree);
    tcase_add_loop_test(all, sizes_and_groups, 0, 3);
    tcase_add_loop_test(all, both_sides, 0, 3);
    tcase_add_test(all, full_lists);
    tcase_add_test(all, bad_problems);
    tcase_add_test(all, bad_options);
    tcase_add_test(all, short_memory);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(madness_device_suite);
}
