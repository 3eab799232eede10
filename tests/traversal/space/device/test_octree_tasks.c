/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on a device. The tree must follow the rules (gws_octree_check()) with every kind of queue, for any
 * number and size of groups. One group or many may divide an octant. */
#include "builders.h"

static const char *const policies[] = {"abp", "chunked", "static"};

static struct gws_runtime *open_runtime(const char *policy, struct gws_allocator allocator)
{
    return open_threads(policy, 2, allocator);
}

static bool is_cuda(void)
{
    return strcmp(device_name(), "cuda") == 0;
}

START_TEST(every_shape)
{
    static const struct {
        uint32_t groups, piece, chunk;
        uint64_t leaf;
        uint32_t depth;
        bool wide;
    } variants[] = {{0, 0, 0, 0, 0, false}, {1, UINT32_MAX, 0, 1, 0, true}, {7, 50, 2, 5, 4, false}};
    struct gws_runtime *runtime = open_runtime(policies[_i], (struct gws_allocator){0});
    struct gws_device *device = open_device(runtime);
    for (size_t w = 0; device && w < sizeof variants / sizeof *variants; w++) {
        struct gws_octree_device_options options = {
            .tree = {.builder = GWS_OCTREE_BY_TASK, .leaf = variants[w].leaf, .max_depth = variants[w].depth},
            .groups = variants[w].groups,
            .piece = variants[w].piece,
            .chunk = _i == 1 ? variants[w].chunk : 0};
        options.tree.wide = variants[w].wide;
        build_shapes(runtime, device, &options);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* Larger groups use barriers and sums over the group. */
START_TEST(larger_groups)
{
    struct gws_runtime *runtime = open_runtime(policies[_i], (struct gws_allocator){0});
    struct gws_device *device = open_device(runtime);
    for (uint32_t size = is_cuda() ? 32 : 4; device && size <= (is_cuda() ? 128 : 4); size *= 2) {
        struct gws_octree_device_options options = {
            .tree = {.builder = GWS_OCTREE_BY_TASK, .leaf = 3}, .group_size = size, .piece = 100};
        build_shapes(runtime, device, &options);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* The build drops points without a key or, without the option, rejects them. */
START_TEST(dropped_points)
{
    struct gws_runtime *runtime = open_runtime(policies[_i], (struct gws_allocator){0});
    struct gws_device *device = open_device(runtime);
    struct gws_points points = shape_make(0, 1000, false);
    ((float *)points.y)[17] = NAN;
    ((float *)points.x)[999] = INFINITY;
    for (int drop = 0; device && drop < 3; drop++) {
        struct gws_octree_device_options options = {
            .tree = {.builder = GWS_OCTREE_BY_TASK, .leaf = 3, .drop = drop > 0, .wide = drop > 1}};
        struct gws_octree_device *builder = NULL;
        struct gws_octree *tree = NULL;
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, NULL), GWS_OK);
        if (drop) {
            build(builder, runtime, &points, "dropped");
        } else {
            ck_assert_int_eq(gws_octree_device_build(builder, &points, &tree, NULL), GWS_OUT_OF_RANGE);
            ck_assert_ptr_null(tree);
        }
        gws_octree_device_close(builder);
    }
    shape_free(&points);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* The tree has a known number of tasks, which the statistics must show. */
START_TEST(counts)
{
    struct gws_runtime *runtime = open_runtime(policies[_i], (struct gws_allocator){0});
    struct gws_device *device = open_device(runtime);
    struct gws_points points = {0};
    struct gws_octree_device *builder = NULL;
    struct gws_octree_device_stats stats;
    struct gws_octree_device_options options = {
        .tree = {.builder = GWS_OCTREE_BY_TASK, .leaf = 8}, .groups = 3, .piece = UINT32_MAX};
    struct gws_octree *tree = NULL;
    ck_assert_int_eq(gws_points_generate(runtime, "uniform:20k", false, &points, NULL), GWS_OK);
    if (device) {
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, NULL), GWS_OK);
        ck_assert_int_eq(gws_octree_device_build(builder, &points, &tree, NULL), GWS_OK);
        gws_octree_device_stats(builder, &stats);
        ck_assert_uint_eq(stats.device.run, tree->nodes - tree->leaves);
        ck_assert_uint_eq(tree->stats.tasks, stats.device.run);
        ck_assert_uint_eq(stats.device.made, stats.device.run);
        ck_assert_uint_ge(stats.device.stolen_from_device, stats.device.steals);
        ck_assert_uint_eq(stats.cpu.run + stats.device.stolen_from_cpu, 0);
        ck_assert_uint_gt(stats.high_water, 0);
        ck_assert_uint_gt(stats.memory, 0);
        bool rounds = strcmp(policies[_i], "static") == 0;
        ck_assert_uint_eq(stats.rounds, rounds ? tree->depth : 0);
        ck_assert_uint_le(stats.high_water, rounds ? stats.device.run : 3 * 256);
        gws_octree_destroy(tree);
        gws_octree_device_close(builder);
    }
    gws_points_clear(&points);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refused)
{
    static const struct gws_octree_device_options wrong[] = {
        {.tree = {.builder = GWS_OCTREE_BY_TASK}, .group_size = 256},
        {.tree = {.builder = GWS_OCTREE_BY_TASK}, .chunk = 3}, /* the policy abp has no chunks */
        {.tree = {.builder = GWS_OCTREE_SORT}, .piece = 5},
    };
    struct gws_octree_device_options none = {.tree = {.builder = GWS_OCTREE_BY_TASK}};
    struct gws_runtime *runtime = open_runtime("abp", (struct gws_allocator){0});
    struct gws_device *device = open_device(runtime);
    struct gws_octree_device *builder = NULL;
    for (size_t i = 0; device && i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_int_ne(gws_octree_device_open(runtime, device, &wrong[i], &builder, NULL), GWS_OK);
    gws_device_close(device);
    gws_runtime_close(runtime);
    runtime = open_runtime("central", (struct gws_allocator){0});
    device = open_device(runtime);
    if (device) ck_assert_int_eq(gws_octree_device_open(runtime, device, &none, &builder, NULL), GWS_UNSUPPORTED);
    ck_assert_ptr_null(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* A build whose k-th allocation fails makes no tree and no leak. */
START_TEST(memory_runs_out)
{
    struct gws_octree_device_options options = {.tree = {.builder = GWS_OCTREE_BY_TASK, .leaf = 3, .drop = true}};
    struct gws_points points = shape_make(0, 500, false);
    uint64_t k = 1;
    ((float *)points.y)[17] = NAN;
    while (build_short_of_memory(policies[_i], 2, &options, &points, k)) k += gws_test_step();
    shape_free(&points);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_shape, 3},
                                    {larger_groups, 3},
                                    {dropped_points, 3},
                                    {counts, 3},
                                    {refused, 1},
                                    {memory_runs_out, 3},
                                    {0}};
    return gws_test_run("octrees by tasks on a device", test);
}
