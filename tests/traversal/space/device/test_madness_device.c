/* SPDX-License-Identifier: MIT */
/* Compares MADNESS trees of a device with the CPU's trees, and verifies them by the serial check. The tests cover
 * every order, special points, invalid arguments and failing allocations. */
#include "madness_fixture.h"

/* The test runs every mode and function, with and without a special point. */
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
    gws_madness_device_close(builder); /* the tree remains valid after its builder is closed */
    ck_assert_int_eq(gws_madness_check(fixture.runtime, &problem, tree, NULL), GWS_OK);
    gws_madness_destroy(tree);
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
    struct gws_diagnostic where = {0};
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
        {.groups = 60001}, {.groups = 60000}, {.group_size = 513}, {.capacity = UINT64_C(1) << 32}};
    struct device_fixture fixture;
    struct gws_madness_device *builder = (struct gws_madness_device *)bodies;
    if (!begin(&fixture)) return;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct gws_diagnostic where = {0};
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
    const struct gws_madness_device_options options = {.capacity = 10};
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

/* The test opens the device with sufficient memory. Then the k-th allocation fails. */
START_TEST(short_memory)
{
    uint64_t opening = 0;
    for (uint64_t k = 0;; k += gws_test_step()) {
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

int main(void)
{
    const struct gws_test test[] = {{orders, gws_test_quick() ? 7 : 14},
                                    {known_tree, 1},
                                    {bad_problems, 1},
                                    {bad_options, 1},
                                    {short_memory, 1},
                                    {0}};
    return gws_test_run("MADNESS trees on a device", test);
}
