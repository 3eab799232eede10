/* SPDX-License-Identifier: MIT */
/* Builds trees of all point sets, by both builders, under every policy. Each entry of each array must follow the rules
 * (gws_octree_check()), so all builders make the same tree. */
#include "shapes.h"

static const char *const builders[] = {"auto", "sort", "task"};

/* Builds one tree, with its points in leaf order, and verifies it. */
static void build(struct gws_runtime *runtime, int shape, uint64_t n, bool is_double,
                  const struct gws_octree_options *options)
{
    struct gws_points points = shape_make(shape, n, is_double);
    struct gws_octree *tree = shape_tree(runtime, &points, options);
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_copy_points(runtime, tree, &points);
    if (status == GWS_OK) status = gws_octree_check(runtime, &points, tree, &where);
    if (status != GWS_OK)
        ck_abort_msg("%s, %llu %s, K %llu, depth %u, %s, %s: %s, %s", shapes[shape].name, (unsigned long long)n,
                     is_double ? "doubles" : "floats", (unsigned long long)options->leaf, options->max_depth,
                     builders[options->builder], gws_runtime_policy(runtime), gws_status_text(status), where.message);
    ck_assert_uint_eq(tree->stats.finalised, n);
    ck_assert_uint_eq(tree->index64 != NULL, options->wide);
    gws_octree_destroy(tree);
    shape_free(&points);
}

START_TEST(every_policy)
{
    struct gws_runtime *runtime = policies_open(_i);
    struct gws_octree_options options = {.builder = GWS_OCTREE_BY_TASK};
    for (int shape = 0; shape < shapes_count; shape += gws_test_quick() ? 3 : 1) {
        options.wide = shape % 2;
        build(runtime, shape, 3000, shape % 3 != 0, &options);
    }
    options.builder = GWS_OCTREE_AUTO;
    build(runtime, 3, 20000, false, &options);
    gws_runtime_close(runtime);
}
END_TEST

/* Builds all shapes, small and large, with enough points for several buckets and for buckets within buckets. */
START_TEST(every_shape)
{
    static const uint64_t counts[] = {0, 1, 2, 32, 33, 400, 70000};
    struct gws_runtime *runtime = policies_open(1);
    for (int c = 0; c < (gws_test_quick() ? 6 : 7); c++)
        for (int kind = 0; kind < 8; kind++) {
            struct gws_octree_options options = {.builder = kind & 1 ? GWS_OCTREE_SORT : GWS_OCTREE_BY_TASK,
                                                 .wide = kind & 2};
            if (counts[c] > 1000 && kind != 0 && kind != 3 && kind != 5) continue;
            build(runtime, _i, counts[c], kind & 4, &options);
        }
    gws_runtime_close(runtime);
}
END_TEST

/* Builds trees with leaf sizes and depths up to their maxima. If K exceeds the bucket size, a leaf consists of several
 * buckets. */
START_TEST(leaf_and_depth)
{
    static const uint64_t leaf[] = {1, 2, 7, 100, 3000, 9000, 40000, UINT64_MAX};
    static const uint32_t depth[] = {1, 2, 3, 7, 11, 20, 21};
    struct gws_runtime *runtime = policies_open(2);
    for (int k = 0; k < 8; k++)
        for (int d = 0; d < 7; d++) {
            struct gws_octree_options options = {.leaf = leaf[k], .max_depth = depth[d], .builder = GWS_OCTREE_SORT};
            options.wide = (k + d) % 4 == 0;
            if ((k + d) % 3 && (gws_test_quick() || d < 5)) continue;
            build(runtime, (k + d) % 2 ? 3 : 0, 20000, true, &options);
            options.builder = GWS_OCTREE_BY_TASK;
            build(runtime, (k + d) % 2 ? 3 : 4, 5000, true, &options);
        }
    gws_runtime_close(runtime);
}
END_TEST

/* The expected tree has few points and is computed by hand. Only the root and its octant 7 have children. */
START_TEST(by_hand)
{
    struct gws_runtime *runtime = policies_open(0);
    float x[] = {0, 1, 0.5F, 0.75F, 0.25F}, y[] = {0, 1, 0.5F, 0.5F, 0}, z[] = {0, 1, 0.5F, 0.5F, 0};
    struct gws_points points = {.count = 5, .x = x, .y = y, .z = z};
    struct gws_octree_options options = {.leaf = 2};
    struct gws_octree *tree = shape_tree(runtime, &points, &options);
    ck_assert_uint_eq(tree->nodes, 6);
    ck_assert_uint_eq(tree->leaves, 4);
    ck_assert_uint_eq(tree->empty, 11);
    ck_assert_uint_eq(tree->depth, 2);
    ck_assert_uint_eq(tree->max_leaf, 2);
    ck_assert_uint_eq(tree->node[0].child_mask, 1 << 0 | 1 << 7);
    ck_assert_uint_eq(tree->node[2].key, 7);
    ck_assert_uint_eq(tree->node[2].child_mask, 1 << 0 | 1 << 4 | 1 << 7);
    static const uint32_t order[] = {0, 4, 2, 3, 1};
    ck_assert_mem_eq(tree->index32, order, sizeof order);
    double low[3], high[3];
    gws_octree_bounds(tree, 4, low, high);
    ck_assert(low[0] == 0.75 && high[0] == 1 && low[1] == 0.5 && high[1] == 0.75 && low[2] == 0.5 && high[2] == 0.75);
    gws_octree_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

/* Equal points end in a marked leaf at the depth limit. */
START_TEST(large_leaves)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_points points = shape_make(1, 100, false);
    for (unsigned builder = GWS_OCTREE_SORT; builder <= GWS_OCTREE_BY_TASK; builder++) {
        struct gws_octree_options options = {.builder = (enum gws_octree_builder)builder, .max_depth = 5};
        struct gws_octree *tree = shape_tree(runtime, &points, &options);
        ck_assert_uint_eq(tree->nodes, 6);
        ck_assert_uint_eq(tree->large, 1);
        ck_assert_uint_eq(tree->max_leaf, 100);
        ck_assert(tree->node[5].large && !tree->node[4].large);
        gws_octree_destroy(tree);
    }
    shape_free(&points);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- points outside the tree ---- */

START_TEST(not_finite)
{
    struct gws_runtime *runtime = policies_open(2);
    static const double non_finite[] = {NAN, INFINITY, -INFINITY};
    for (int kind = 0; kind < 4; kind++) {
        struct gws_points points = shape_make(0, 30000, kind & 1);
        struct gws_octree_options options = {.builder = kind & 2 ? GWS_OCTREE_SORT : GWS_OCTREE_BY_TASK};
        struct gws_octree *tree = NULL;
        struct gws_diagnostic where = {0};
        for (uint64_t i = 17; i < points.count; i += 4099) shape_set(&points, i, (int)(i % 3), non_finite[i % 3]);
        ck_assert_int_eq(gws_octree_build(runtime, &points, &options, &tree, &where), GWS_OUT_OF_RANGE);
        ck_assert_ptr_null(tree);
        ck_assert_str_eq(where.message, "point 17: z is -inf, which is not finite");
        options.drop = true;
        tree = shape_tree(runtime, &points, &options);
        ck_assert_uint_eq(tree->dropped, 8);
        ck_assert_uint_eq(tree->points, 30000 - 8);
        ck_assert_int_eq(gws_octree_check(runtime, &points, tree, NULL), GWS_OK);
        gws_octree_destroy(tree);
        shape_free(&points);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(nothing_finite)
{
    struct gws_runtime *runtime = policies_open(0);
    struct gws_points points = shape_make(0, 100, true);
    for (uint64_t i = 0; i < 100; i++) shape_set(&points, i, (int)(i % 3), NAN);
    for (unsigned builder = GWS_OCTREE_SORT; builder <= GWS_OCTREE_BY_TASK; builder++) {
        struct gws_octree_options options = {.builder = (enum gws_octree_builder)builder, .drop = true};
        struct gws_octree *tree = shape_tree(runtime, &points, &options);
        ck_assert_uint_eq(tree->points, 0);
        ck_assert_uint_eq(tree->dropped, 100);
        ck_assert_uint_eq(tree->nodes, 1);
        ck_assert_uint_eq(tree->leaves, 1);
        ck_assert_int_eq(gws_octree_check(runtime, &points, tree, NULL), GWS_OK);
        gws_octree_destroy(tree);
    }
    shape_free(&points);
    gws_runtime_close(runtime);
}
END_TEST

/* One box is not a cube, one has points outside, and one is also flat. */
START_TEST(given_box)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_points points = shape_make(7, 5000, _i & 1);
    struct gws_octree_options options = {.builder = _i & 2 ? GWS_OCTREE_SORT : GWS_OCTREE_BY_TASK, .has_box = true};
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {0};
    for (int a = 0; a < 3; a++) options.low[a] = -0.5, options.high[a] = a == 2 ? 7 : 0.5;
    tree = shape_tree(runtime, &points, &options);
    ck_assert_int_eq(gws_octree_check(runtime, &points, tree, NULL), GWS_OK);
    ck_assert(tree->high[2] == 7);
    gws_octree_destroy(tree);
    tree = NULL;
    options.low[0] = 0;
    ck_assert_int_eq(gws_octree_build(runtime, &points, &options, &tree, &where), GWS_OUT_OF_RANGE);
    ck_assert_ptr_nonnull(strstr(where.message, "outside the box"));
    options.drop = true;
    tree = shape_tree(runtime, &points, &options);
    ck_assert_uint_gt(tree->dropped, 1000);
    ck_assert_int_eq(gws_octree_check(runtime, &points, tree, NULL), GWS_OK);
    gws_octree_destroy(tree);
    options.high[0] = 0;
    tree = shape_tree(runtime, &points, &options);
    ck_assert_int_eq(gws_octree_check(runtime, &points, tree, NULL), GWS_OK);
    gws_octree_destroy(tree);
    shape_free(&points);
    gws_runtime_close(runtime);
}
END_TEST

/* A given box equal to the tree's own box makes the same tree. */
START_TEST(box_again)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_points points = shape_make(_i, 3000, true);
    struct gws_octree *tree = shape_tree(runtime, &points, NULL);
    struct gws_octree_options options = {.has_box = true};
    memcpy(options.low, tree->low, sizeof options.low);
    memcpy(options.high, tree->high, sizeof options.high);
    struct gws_octree *again = shape_tree(runtime, &points, &options);
    ck_assert_uint_eq(again->nodes, tree->nodes);
    for (uint64_t n = 0; n < tree->nodes; n++)
        if (again->node[n].key != tree->node[n].key || again->node[n].begin != tree->node[n].begin)
            ck_abort_msg("%s: node %llu differs", shapes[_i].name, (unsigned long long)n);
    ck_assert_mem_eq(again->index32, tree->index32, 3000 * sizeof *tree->index32);
    gws_octree_destroy(tree);
    gws_octree_destroy(again);
    shape_free(&points);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(wrong_arguments)
{
    struct gws_runtime *runtime = policies_open(0);
    struct gws_points points = shape_make(0, 10, false);
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {0};
    struct gws_octree_options options = {.max_depth = 22};
    ck_assert_int_eq(gws_octree_build(runtime, &points, &options, &tree, &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "the depth 22 exceeds 21");
    options = (struct gws_octree_options){.builder = (enum gws_octree_builder)3};
    ck_assert_int_eq(gws_octree_build(runtime, &points, &options, &tree, NULL), GWS_INVALID);
    options = (struct gws_octree_options){.has_box = true, .low = {0, 0, 1}, .high = {1, 1, 0}};
    ck_assert_int_eq(gws_octree_build(runtime, &points, &options, &tree, &where), GWS_INVALID);
    options.high[2] = INFINITY;
    ck_assert_int_eq(gws_octree_build(runtime, &points, &options, &tree, NULL), GWS_INVALID);
    options.low[0] = NAN;
    ck_assert_int_eq(gws_octree_build(runtime, &points, &options, &tree, NULL), GWS_INVALID);
    struct gws_points many = {.count = (UINT64_C(1) << 48) + 1};
    ck_assert_int_eq(gws_octree_build(runtime, &many, NULL, &tree, NULL), GWS_TOO_LARGE);
    ck_assert_ptr_null(tree);
    ck_assert_str_eq(gws_octree_builder_at(2, NULL), "task");
    ck_assert_ptr_null(gws_octree_builder_at(3, NULL));
    gws_octree_destroy(NULL);
    shape_free(&points);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_policy, policies_count()},
                                    {every_shape, shapes_count},
                                    {leaf_and_depth, 1},
                                    {by_hand, 1},
                                    {large_leaves, 1},
                                    {not_finite, 1},
                                    {nothing_finite, 1},
                                    {given_box, 4},
                                    {box_again, shapes_count},
                                    {wrong_arguments, 1},
                                    {0}};
    return gws_test_run("octree", test);
}
