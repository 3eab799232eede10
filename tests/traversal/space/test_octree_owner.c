/* SPDX-License-Identifier: MIT */
/* Tests the memory of octrees: failing allocations, the limits of octree.h, and trees that outlive their runtime. */
#include "shapes.h"

static gws_status build_both(struct gws_runtime *runtime, void *context)
{
    const struct gws_points *points = context;
    gws_status status = GWS_OK;
    for (unsigned builder = GWS_OCTREE_SORT; status == GWS_OK && builder <= GWS_OCTREE_BY_TASK; builder++) {
        struct gws_octree_options options = {.builder = (enum gws_octree_builder)builder, .leaf = 4};
        struct gws_octree *tree = NULL;
        status = gws_octree_build(runtime, points, &options, &tree, NULL);
        ck_assert_int_eq(status == GWS_OK, tree != NULL);
        if (status != GWS_OK) break;
        status = gws_octree_copy_points(runtime, tree, points);
        if (status == GWS_OK) status = gws_octree_check(runtime, points, tree, NULL);
        if (status != GWS_OK) ck_assert_int_eq(status, GWS_NO_MEMORY);
        gws_octree_destroy(tree);
    }
    return status;
}

START_TEST(short_memory)
{
    struct gws_points points = shape_make(3, 9000, false);
    policies_fail(gws_test_quick() ? 40 : 200, build_both, &points);
    shape_free(&points);
}
END_TEST

/* The memory of a build of many points stays within the limits of octree.h. */
START_TEST(little_memory)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options settings = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&settings, &runtime), GWS_OK);
    struct gws_points points = shape_make(0, 700000, false);
    for (unsigned builder = GWS_OCTREE_SORT; builder <= GWS_OCTREE_BY_TASK; builder++) {
        struct gws_octree_options options = {.builder = (enum gws_octree_builder)builder};
        int64_t before = atomic_load(&memory.live);
        atomic_store(&memory.peak, 0);
        struct gws_octree *tree = shape_tree(runtime, &points, &options);
        uint64_t sorting = 12 * points.count + 18 * tree->nodes, after = 4 * points.count + 66 * tree->nodes;
        ck_assert_uint_le(atomic_load(&memory.peak) - (uint64_t)before, (sorting > after ? sorting : after) + 2000000);
        gws_octree_destroy(tree);
    }
    shape_free(&points);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(outlives_runtime)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options settings = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&settings, &runtime), GWS_OK);
    struct gws_points points = shape_make(0, 1000, false);
    struct gws_octree *tree = shape_tree(runtime, &points, NULL);
    ck_assert_int_eq(gws_octree_copy_points(runtime, tree, &points), GWS_OK);
    gws_runtime_close(runtime);
    ck_assert_uint_eq(tree->node[0].end, 1000);
    gws_octree_destroy(tree);
    shape_free(&points);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{short_memory, 1}, {little_memory, 1}, {outlives_runtime, 1}, {0}};
    return gws_test_run("octree memory", test);
}
