/* SPDX-License-Identifier: MIT */
/* Builds trees on a CUDA device by sorting. Each entry of each array must follow the rules (gws_octree_check()), for
 * points of every shape. */
#include "../shapes.h"

#include "../../../../traversal/octree_device.h"

/* Returns NULL, after a message, if there is no device. */
static struct gws_device *open_device(struct gws_runtime *runtime)
{
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, "cuda", NULL, &device, NULL) != GWS_OK) printf("skipped: no CUDA device\n");
    return device;
}

static struct gws_octree_device *open_builder(struct gws_runtime *runtime, struct gws_device *device,
                                              const struct gws_octree_options *tree)
{
    struct gws_octree_device_options options = {.tree = *tree};
    struct gws_octree_device *builder = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_device_open(runtime, device, &options, &builder, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    return builder;
}

static void judge(struct gws_runtime *runtime, const char *name, const struct gws_points *points,
                  const struct gws_octree_options *options, const struct gws_octree *tree)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_check(runtime, points, tree, &where);
    ck_assert_msg(status == GWS_OK, "%s, %llu %s, K %llu, depth %u: %s", name, (unsigned long long)points->count,
                  points->is_double ? "doubles" : "floats", (unsigned long long)options->leaf, options->max_depth,
                  where.message);
}

/* Builds the tree and verifies it. */
static void build(struct gws_runtime *runtime, struct gws_octree_device *builder, const char *name,
                  const struct gws_points *points, const struct gws_octree_options *options)
{
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_device_build(builder, points, &tree, &where);
    ck_assert_msg(status == GWS_OK, "%s, %llu: %s", name, (unsigned long long)points->count, where.message);
    judge(runtime, name, points, options, tree);
    ck_assert_uint_eq(tree->stats.builder, GWS_OCTREE_SORT);
    ck_assert_uint_eq(tree->stats.finalised, tree->points);
    ck_assert_uint_eq(tree->index64 != NULL, options->wide);
    gws_octree_destroy(tree);
}

static void build_shape(struct gws_runtime *runtime, struct gws_octree_device *builder, int shape, uint64_t n,
                        bool is_double, const struct gws_octree_options *options)
{
    struct gws_points points = shape_make(shape, n, is_double);
    build(runtime, builder, shapes[shape].name, &points, options);
    shape_free(&points);
}

/* One builder builds trees of all counts, so its memory must grow. */
START_TEST(every_shape)
{
    static const uint64_t counts[] = {0, 1, 2, 32, 33, 257, 4864, 4865, 30000, 300000};
    struct gws_runtime *runtime = policies_open(1);
    struct gws_device *device = open_device(runtime);
    struct gws_octree_options options = {.wide = _i % 2};
    struct gws_octree_device *builder = device ? open_builder(runtime, device, &options) : NULL;
    for (int c = 0; builder && c < (gws_test_quick() ? 9 : 10); c++)
        for (int is_double = 0; is_double < 2; is_double++)
            if (c < 9 || is_double == _i % 2) build_shape(runtime, builder, _i, counts[c], is_double, &options);
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(leaf_and_depth)
{
    static const uint64_t leaf[] = {1, 2, 7, 33, 300, 6000, 8192};
    static const uint32_t depth[] = {1, 2, 3, 4, 5, 11, 20, 21};
    static const int shape[] = {0, 3, 4, 7, 1};
    struct gws_runtime *runtime = policies_open(1);
    struct gws_device *device = open_device(runtime);
    for (int d = 0; device && d < 8; d++) {
        struct gws_octree_options options = {.leaf = leaf[_i], .max_depth = depth[d]};
        struct gws_octree_device *builder = open_builder(runtime, device, &options);
        for (int s = 0; s < 5; s++) {
            if (gws_test_quick() && (s + d + _i) % 4) continue;
            build_shape(runtime, builder, shape[s], 20000 + 5000 * (uint64_t)s, d % 2, &options);
        }
        gws_octree_device_close(builder);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- misleading samples ---- */

/* Returns the first sampled point of a stride of 128 points, as in kernels/cuda/octree_scatter.cuh. */
static uint32_t sampled_at(uint32_t run)
{
    uint32_t mixed = run * 0x9e3779b1U;
    mixed = (mixed ^ mixed >> 15) * 0x85ebca77U;
    return (mixed ^ mixed >> 13) % 32 * 4;
}

/* The sampled points are uniform, and all other points lie in a region without sampled points. */
START_TEST(misleading_sample)
{
    enum { n = 60000 };
    struct gws_runtime *runtime = policies_open(1);
    struct gws_device *device = open_device(runtime);
    struct gws_octree_options options = {.leaf = _i ? 32 : 1};
    struct gws_octree_device *builder = device ? open_builder(runtime, device, &options) : NULL;
    struct gws_points points = shape_make(0, n, false);
    float *axis[3] = {points.x, points.y, points.z};
    for (uint32_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
            if (i % 128 - sampled_at(i / 128) >= 4) axis[a][i] = 0.3F + axis[a][i] * (_i == 2 ? 0 : 1e-3F);
    if (builder) build(runtime, builder, "misleading", &points, &options);
    shape_free(&points);
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- points outside the tree ---- */

static void spoil(struct gws_points *points)
{
    static const double non_finite[] = {NAN, INFINITY, -INFINITY};
    void *axis[3] = {points->x, points->y, points->z};
    for (uint64_t i = 17; i < points->count; i += 4099) {
        if (points->is_double)
            ((double *)axis[i % 3])[i] = non_finite[i % 3];
        else
            ((float *)axis[i % 3])[i] = (float)non_finite[i % 3];
    }
}

START_TEST(not_finite)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_device *device = open_device(runtime);
    struct gws_octree *tree = NULL;
    for (int kind = 0; device && kind < 4; kind++) {
        struct gws_points points = shape_make(0, 30000, kind & 1);
        struct gws_octree_options options = {.has_box = kind & 2, .high = {1, 1, 1}};
        struct gws_diagnostic where = {0};
        spoil(&points);
        struct gws_octree_device *builder = open_builder(runtime, device, &options);
        ck_assert_int_eq(gws_octree_device_build(builder, &points, &tree, &where), GWS_OUT_OF_RANGE);
        ck_assert_ptr_null(tree);
        ck_assert_str_eq(where.message, "point 17: z is -inf, which is not finite");
        gws_octree_device_close(builder);
        options.drop = true;
        builder = open_builder(runtime, device, &options);
        build(runtime, builder, "spoiled", &points, &options);
        gws_octree_device_close(builder);
        shape_free(&points);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* The build drops all points, or all but a few. */
START_TEST(all_dropped)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_device *device = open_device(runtime);
    struct gws_octree_options options = {.drop = true, .has_box = true, .low = {-5, -5, -5}, .high = {-4, -4, -4}};
    struct gws_octree_device *builder = device ? open_builder(runtime, device, &options) : NULL;
    struct gws_points points = shape_make(0, 40000, true);
    for (int left = 0; builder && left < 3; left++) {
        if (left) ((double *)points.x)[left] = ((double *)points.y)[left] = ((double *)points.z)[left] = -4.5;
        build(runtime, builder, "dropped", &points, &options);
    }
    shape_free(&points);
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- options and messages ---- */

START_TEST(options)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_device *device = open_device(runtime);
    struct gws_octree_device *builder = NULL;
    struct gws_diagnostic where = {0};
    struct gws_octree_device_options options = {.tree = {.leaf = 8193, .builder = GWS_OCTREE_SORT}};
    if (!device) goto out;
    ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(where.message, "leaves of CUDA sorting hold at most 8192 points"));
    options = (struct gws_octree_device_options){.tree = {.builder = GWS_OCTREE_SORT}, .groups = 3};
    ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_INVALID);
    options = (struct gws_octree_device_options){.group_size = 3};
    ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_INVALID);
    options = (struct gws_octree_device_options){.tree = {.max_depth = 22}};
    ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_INVALID);
    ck_assert_ptr_null(builder);
    ck_assert_int_eq(gws_octree_device_open(runtime, device, NULL, &builder, &where), GWS_OK);
    gws_octree_device_chosen(builder, &options);
    ck_assert_int_eq(options.form, GWS_OCTREE_FORM_DEVICE);
    ck_assert_int_eq(options.tree.builder, GWS_OCTREE_SORT);
    gws_octree_device_close(builder);
    gws_octree_device_close(NULL);
out:
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_shape, shapes_count},
                                    {leaf_and_depth, 7},
                                    {misleading_sample, 3},
                                    {not_finite, 1},
                                    {all_dropped, 1},
                                    {options, 1},
                                    {0}};
    return gws_test_run("octree_sort_cuda", test);
}
