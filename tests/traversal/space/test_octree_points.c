/* SPDX-License-Identifier: MIT */
/* Points in leaf order, sorted in place with their columns. */
#include "shapes.h"

/* Rows move together with columns of every width, and dropped rows disappear. */
START_TEST(sorted_in_place)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_points points = shape_make(0, 5000, _i & 1), before = shape_make(0, 5000, _i & 1);
    uint8_t *small = malloc(5000);
    uint16_t *middle = malloc(5000 * sizeof *middle);
    uint64_t *large = malloc(5000 * sizeof *large);
    struct gws_points_column column[] = {
        {"a", GWS_NUMBER_U8, small}, {"b", GWS_NUMBER_I16, middle}, {"c", GWS_NUMBER_U64, large}};
    for (uint64_t i = 0; i < 5000; i++) small[i] = (uint8_t)i, middle[i] = (uint16_t)i, large[i] = i;
    points.columns = 3;
    points.column = column;
    shape_set(&points, 99, 1, NAN);
    shape_set(&before, 99, 1, NAN);
    struct gws_octree_options options = {.drop = true, .wide = _i & 2};
    struct gws_octree *tree = shape_tree(runtime, &points, &options);
    ck_assert_int_eq(gws_octree_sort_points(runtime, tree, &points), GWS_OK);
    ck_assert_uint_eq(points.count, 4999);
    ck_assert_ptr_eq(tree->y, points.y);
    for (uint64_t i = 0; i < points.count; i++)
        if (large[i] != gws_octree_point(tree, i) || small[i] != (uint8_t)large[i] || middle[i] != (uint16_t)large[i])
            ck_abort_msg("row %llu", (unsigned long long)i);
    ck_assert_int_eq(gws_octree_check(runtime, &before, tree, NULL), GWS_OK);
    ck_assert_int_eq(gws_octree_sort_points(runtime, tree, &points), GWS_INVALID);
    ck_assert_int_eq(gws_octree_copy_points(runtime, tree, &points), GWS_INVALID);
    ck_assert_int_eq(gws_octree_use_points(tree, &before), GWS_INVALID);
    ck_assert_int_eq(gws_octree_use_points(tree, &points), GWS_OK);
    gws_octree_destroy(tree);
    shape_free(&points);
    shape_free(&before);
    free(small);
    free(middle);
    free(large);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{sorted_in_place, 4}, {0}};
    return gws_test_run("octree points", test);
}
