/* SPDX-License-Identifier: MIT */
/* The common parts of the tests of octrees by tasks on a device: the device, and builds of all shapes with one
 * builder. */
#ifndef GWS_TESTS_SPACE_DEVICE_BUILDERS_H
#define GWS_TESTS_SPACE_DEVICE_BUILDERS_H

#include "../shapes.h"

#include "../../../../lib/device.h"
#include "../../../../traversal/octree_device.h"
#include "../../../lib/device/drivers.h"

static struct gws_runtime *open_threads(const char *policy, uint32_t threads, struct gws_allocator allocator)
{
    struct gws_options options = {.threads = threads, .policy = policy, .allocator = allocator};
    struct gws_runtime *runtime = NULL;
    if (!getenv("GRAPHWS_BUILD"))
        setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1); /* keeps the test from using the user's cache */
    return gws_runtime_open(&options, &runtime) == GWS_OK ? runtime : NULL;
}

static const char *device_name(void)
{
    return getenv("GWS_TEST_DEVICE") ? getenv("GWS_TEST_DEVICE") : "opencl";
}

static struct gws_device *open_device_with(struct gws_runtime *runtime, const struct gws_device_options *options)
{
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, device_name(), options, &device, NULL) != GWS_OK) printf("skipped: no device\n");
    return device;
}

static struct gws_device *open_device(struct gws_runtime *runtime)
{
    return open_device_with(runtime, NULL);
}

static void judge(struct gws_runtime *runtime, const struct gws_points *points, const struct gws_octree *tree,
                  const char *what)
{
    struct gws_diagnostic where = {0};
    if (gws_octree_check(runtime, points, tree, &where) != GWS_OK) ck_abort_msg("%s: %s", what, where.message);
    ck_assert_uint_eq(tree->stats.finalised, tree->points);
    ck_assert_int_eq(tree->stats.builder, GWS_OCTREE_BY_TASK);
}

static void build(struct gws_octree_device *builder, struct gws_runtime *runtime, const struct gws_points *points,
                  const char *what)
{
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_device_build(builder, points, &tree, &where);
    if (status != GWS_OK) ck_abort_msg("%s: %s", what, where.message);
    judge(runtime, points, tree, what);
    gws_octree_destroy(tree);
}

/* Builds all shapes, small and larger, with one builder, which reuses its memory. */
static void build_shapes(struct gws_runtime *runtime, struct gws_device *device,
                         const struct gws_octree_device_options *options)
{
    static const uint64_t counts[] = {0, 1, 32, 33, 3000};
    struct gws_octree_device *builder = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_device_open(runtime, device, options, &builder, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    for (int shape = 0; shape < shapes_count; shape += gws_test_quick() ? 4 : 1)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            struct gws_points points = shape_make(shape, counts[c], shape % 2);
            build(builder, runtime, &points, shapes[shape].name);
            shape_free(&points);
        }
    gws_octree_device_close(builder);
}

/* Builds a tree with a failing allocation, and checks for leaks. Returns true if the failure occurred. */
static bool build_short_of_memory(const char *policy, uint32_t threads, const struct gws_octree_device_options *options,
                                  const struct gws_points *points, uint64_t fail_at)
{
    struct gws_test_memory memory = {.fail_at = fail_at};
    struct gws_runtime *runtime = open_threads(policy, threads, gws_test_allocator(&memory));
    struct gws_device *device = runtime ? open_device_with(runtime, gws_test_cached()) : NULL;
    struct gws_octree_device *builder = NULL;
    struct gws_octree *tree = NULL;
    if (device && gws_octree_device_open(runtime, device, options, &builder, NULL) == GWS_OK &&
        gws_octree_device_build(builder, points, &tree, NULL) == GWS_OK)
        ck_assert_int_ne(gws_octree_check(runtime, points, tree, NULL), GWS_WRONG_RESULT);
    bool failed = atomic_load(&memory.failed);
    gws_octree_destroy(tree);
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    return failed;
}

#endif
