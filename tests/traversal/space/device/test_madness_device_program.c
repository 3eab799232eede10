/* SPDX-License-Identifier: MIT */
/* Tests launches of MADNESS trees on a device: numbers and sizes of groups, lists that overflow, handoff from CPU
 * workers. */
#include "madness_fixture.h"

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
    ck_assert_uint_ge(stats.max_boxes, stats.min_boxes);
    ck_assert_uint_eq(stats.launches, 1);
    gws_madness_device_close(builder);
    end(&fixture);
}
END_TEST

/* Families and boxes exhaust the device's capacity repeatedly. */
START_TEST(full_lists)
{
    const struct gws_madness_device_options options = {.capacity = 1, .groups = 1};
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

/* CPU workers and the device together compute each box once, even when the device's lists are full. */
START_TEST(both_sides)
{
    static const struct gws_madness_device_options options[] = {
        {.cpu = true}, {.cpu = true, .groups = 1, .capacity = 40}, {.cpu = true, .groups = 2, .group_size = 1}};
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

int main(void)
{
    const struct gws_test test[] = {{sizes_and_groups, 3}, {both_sides, 3}, {full_lists, 1}, {0}};
    return gws_test_run("launches of MADNESS trees on a device", test);
}
