/* SPDX-License-Identifier: MIT */
/* The calls of tests/calls.h for points, octrees, MADNESS trees and atoms. */
#include "harness.h"

#include "calls.h"
#include "gaussian.h"

static gws_status build(struct gws_runtime *runtime, const struct gws_test_world *world, enum gws_octree_builder how,
                        uint64_t *answer)
{
    const struct gws_octree_options options = {.builder = how};
    struct gws_octree *tree = NULL;
    gws_status status = gws_octree_build(runtime, &world->points, &options, &tree, NULL);
    if (status != GWS_OK) return status;
    *answer = tree->nodes + tree->leaves * 1000000;
    gws_octree_destroy(tree);
    return GWS_OK;
}

GWS_TEST_CALL(octree_by_task)
{
    return build(runtime, world, GWS_OCTREE_BY_TASK, answer);
}

GWS_TEST_CALL(octree_by_sort)
{
    return build(runtime, world, GWS_OCTREE_SORT, answer);
}

GWS_TEST_CALL(nearest)
{
    double position[3 * 500];
    struct gws_octree_hits hits = {0};
    for (int i = 0; i < 3 * 500; i++) position[i] = i * 37 % 101 / 101.0;
    gws_status status = gws_octree_nearest(runtime, world->tree, position, 500, 3, &hits, NULL);
    if (status == GWS_OK) *answer = hits.offset[hits.queries] + hits.point[7] * 1000000;
    gws_octree_hits_clear(&hits);
    return status;
}

/* Defines a call for a query, of which the tree answers many copies. */
#define QUERY(name, type, function, ...)                                                                               \
    GWS_TEST_CALL(name)                                                                                                \
    {                                                                                                                  \
        enum { copies = 500 };                                                                                         \
        static const struct type one = __VA_ARGS__;                                                                    \
        struct type query[copies];                                                                                     \
        struct gws_octree_hits hits = {0};                                                                             \
        for (int i = 0; i < copies; i++) query[i] = one;                                                               \
        gws_status status = function(runtime, world->tree, query, copies, &hits, NULL);                                \
        if (status == GWS_OK) *answer = hits.offset[hits.queries];                                                     \
        gws_octree_hits_clear(&hits);                                                                                  \
        return status;                                                                                                 \
    }

QUERY(in_boxes, gws_octree_box, gws_octree_in_boxes, {{0, 0, 0}, {0.5, 0.5, 0.5}})
QUERY(in_balls, gws_octree_ball, gws_octree_in_balls, {{0.5, 0.5, 0.5}, 0.25})
/* Defines a call for totals of a query, of which the tree answers many copies. */
#define TOTAL(name, type, function, ...)                                                                               \
    GWS_TEST_CALL(name)                                                                                                \
    {                                                                                                                  \
        enum { copies = 500 };                                                                                         \
        static const struct type one = __VA_ARGS__;                                                                    \
        struct type query[copies];                                                                                     \
        uint64_t count[copies];                                                                                        \
        for (int i = 0; i < copies; i++) query[i] = one;                                                               \
        const struct gws_octree_totals totals = {count, NULL, NULL};                                                   \
        gws_status status = function(runtime, world->tree, query, copies, &totals, NULL);                              \
        if (status == GWS_OK) *answer = count[0] + count[copies - 1] * 1000000;                                        \
        return status;                                                                                                 \
    }

TOTAL(count_in_boxes, gws_octree_box, gws_octree_count_in_boxes, {{0, 0, 0}, {0.5, 0.5, 0.5}})
TOTAL(count_in_balls, gws_octree_ball, gws_octree_count_in_balls, {{0.5, 0.5, 0.5}, 0.25})
QUERY(on_rays, gws_octree_ray, gws_octree_first_on_rays, {{0, 0, 0}, {1, 1, 1}, 0.1})

/* Makes points and their tree, and gives the tree copies of the points, or sorts the points. */
static gws_status lay_out(struct gws_runtime *runtime, bool sorts, uint64_t *answer)
{
    struct gws_points points = {0};
    struct gws_octree *tree = NULL;
    gws_status status = gws_points_generate(runtime, "shell:3000", true, &points, NULL);
    if (status == GWS_OK) status = gws_octree_build(runtime, &points, NULL, &tree, NULL);
    if (status == GWS_OK)
        status =
            sorts ? gws_octree_sort_points(runtime, tree, &points) : gws_octree_copy_points(runtime, tree, &points);
    if (status == GWS_OK) *answer = tree->points;
    gws_octree_destroy(tree);
    gws_points_clear(&points);
    return status;
}

GWS_TEST_CALL(copy_points)
{
    return lay_out(runtime, false, answer);
}

GWS_TEST_CALL(sort_points)
{
    return lay_out(runtime, true, answer);
}

GWS_TEST_CALL(convert)
{
    struct gws_points points = {0};
    gws_status status = gws_points_generate(runtime, "uniform:3000", true, &points, NULL);
    if (status == GWS_OK) status = gws_points_convert(runtime, &points, false);
    if (status == GWS_OK) *answer = points.count;
    gws_points_clear(&points);
    return status;
}

GWS_TEST_CALL(points)
{
    struct gws_points points = {0};
    gws_status status = gws_points_generate(runtime, "gauss:5000", true, &points, NULL);
    if (status == GWS_OK) *answer = points.count;
    gws_points_clear(&points);
    return status;
}

GWS_TEST_CALL(octree_check)
{
    struct gws_octree *tree = NULL;
    gws_status status = gws_octree_build(runtime, &world->points, NULL, &tree, NULL);
    if (status == GWS_OK) status = gws_octree_check(runtime, &world->points, tree, NULL);
    if (status == GWS_OK) *answer = tree->nodes;
    gws_octree_destroy(tree);
    return status;
}

/* Builds the trees of a function, and checks them or computes their errors. */
static gws_status run_madness(struct gws_runtime *runtime, bool checks, uint64_t *answer)
{
    const struct gws_madness_problem problem = gws_test_gaussian();
    struct gws_madness_tree *tree = NULL;
    double error;
    gws_status status = checks ? gws_madness_build(runtime, &problem, &tree, NULL)
                               : gws_madness_build_on_ranks(runtime, NULL, &problem, &tree, NULL);
    if (status == GWS_OK && !checks) status = gws_madness_gather_on_ranks(runtime, NULL, &tree, NULL);
    if (status == GWS_OK)
        status = checks ? gws_madness_check(runtime, &problem, tree, NULL)
                        : gws_madness_error(runtime, &problem, tree, &error);
    if (status == GWS_OK) *answer = tree->boxes;
    gws_madness_destroy(tree);
    return status;
}

GWS_TEST_CALL(madness_check)
{
    return run_madness(runtime, true, answer);
}

GWS_TEST_CALL(madness_error)
{
    return run_madness(runtime, false, answer);
}

GWS_TEST_CALL(md)
{
    const struct gws_md_options options = {.cutoff = 1};
    struct gws_md *md = NULL;
    struct gws_md_result result = {0};
    struct gws_points later = {0};
    gws_status status = gws_md_open(runtime, &world->atoms, &options, &md, NULL);
    if (status == GWS_OK) status = gws_md_run(md, 2, &result, NULL);
    if (status == GWS_OK) status = gws_md_fetch(md, &later);
    if (status == GWS_OK) status = gws_md_check(runtime, &later, &options, &result, result.momentum, NULL);
    if (status == GWS_OK) *answer = result.neighbours;
    gws_points_clear(&later);
    gws_md_close(md);
    return status;
}

GWS_TEST_CALL(md_begin)
{
    const struct gws_md_start start = {.atoms = 2000, .gauss = true};
    struct gws_points atoms = {0};
    double low[3], high[3];
    gws_status status = gws_md_begin(runtime, &start, &atoms, low, high);
    if (status == GWS_OK) *answer = atoms.count;
    gws_points_clear(&atoms);
    return status;
}

const struct gws_test_call gws_test_space_calls[] = {GWS_TEST_ROW(octree_by_task), GWS_TEST_ROW(octree_by_sort),
                                                     GWS_TEST_ROW(nearest),        GWS_TEST_ROW(in_boxes),
                                                     GWS_TEST_ROW(in_balls),       GWS_TEST_ROW(count_in_boxes),
                                                     GWS_TEST_ROW(count_in_balls), GWS_TEST_ROW(on_rays),
                                                     GWS_TEST_ROW(copy_points),    GWS_TEST_ROW(sort_points),
                                                     GWS_TEST_ROW(convert),        GWS_TEST_ROW(points),
                                                     GWS_TEST_ROW(octree_check),   GWS_TEST_ROW(madness_check),
                                                     GWS_TEST_ROW(madness_error),  GWS_TEST_ROW(md),
                                                     GWS_TEST_ROW(md_begin),       {0}};
