/* SPDX-License-Identifier: MIT */
/* Fuzzes octrees of hostile points and goctree's pictures of the octrees. The input is four bytes of settings and raw
 * doubles. The library's second builder checks the tree. */
#include "draw.h"

#include "../../tools/goctree/goctree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { max_points = 64 };

static uint64_t take_points(struct fuzz_bytes *bytes, double coordinate[3][max_points])
{
    uint64_t count = 0;
    for (; count < max_points && bytes->left > 0; count++)
        for (int axis = 0; axis < 3; axis++) fuzz_take(bytes, &coordinate[axis][count], sizeof(double));
    return count;
}

static struct gws_octree_options take_options(struct fuzz_bytes *bytes)
{
    uint8_t kind = fuzz_take_byte(bytes);
    struct gws_octree_options options = {.leaf = 1 + fuzz_take_byte(bytes) % 4,
                                         .max_depth = fuzz_take_byte(bytes) % (GWS_OCTREE_DEPTH + 1)};
    options.builder = kind % 2 ? GWS_OCTREE_BY_TASK : GWS_OCTREE_SORT;
    options.drop = kind / 2 % 2;
    options.wide = kind / 4 % 2;
    options.has_box = kind / 8 % 4 == 0;
    for (int axis = 0; options.has_box && axis < 3; axis++) {
        fuzz_take(bytes, &options.low[axis], sizeof(double));
        fuzz_take(bytes, &options.high[axis], sizeof(double));
    }
    return options;
}

static void draw(const struct gws_octree *tree)
{
    char path[fuzz_path];
    fuzz_begin_files();
    fuzz_file("out.svg", path);
    for (int axis = 0; axis < 3; axis++)
        fuzz_demand(files_picture(fuzz_roomy_runtime(), tree, axis, path) == -1, "a picture is not drawn");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct gws_runtime *runtime = fuzz_roomy_runtime();
    struct gws_octree_options options = take_options(&bytes);
    bool is_double = fuzz_take_byte(&bytes) % 2;
    static double coordinate[3][max_points];
    struct gws_points given = {.count = take_points(&bytes, coordinate), .is_double = true};
    given.x = coordinate[0], given.y = coordinate[1], given.z = coordinate[2];
    struct gws_points points = {0};
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {0};
    fuzz_demand(gws_points_wrap(runtime, &given, NULL, NULL, &points) == GWS_OK, "no points");
    fuzz_demand(gws_points_convert(runtime, &points, is_double) == GWS_OK, "points are not converted");
    if (gws_octree_build(runtime, &points, &options, &tree, &where) == GWS_OK) {
        fuzz_demand(gws_octree_check(runtime, &points, tree, &where) == GWS_OK, where.message);
        draw(tree);
    }
    gws_octree_destroy(tree);
    gws_points_clear(&points);
    return 0;
}
