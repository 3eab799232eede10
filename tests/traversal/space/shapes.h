/* SPDX-License-Identifier: MIT */
/* Degenerate and ordinary point sets for the tests of trees. */
#ifndef GWS_TESTS_SPACE_SHAPES_H
#define GWS_TESTS_SPACE_SHAPES_H

#include "../../policies.h"

#include <math.h>

#include "../../../lib/random.h"
#include "../../../traversal/octree.h"

/* Coordinate `axis` of point i of n. */
typedef double shape_at(uint64_t i, uint64_t n, int axis);

static inline double shape_draw(uint64_t i, int axis)
{
    return (double)(gws_random_at(7, 3 * i + (uint64_t)axis) >> 11) * 0x1p-53;
}

static inline double shape_uniform(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return shape_draw(i, axis);
}

static inline double shape_equal(uint64_t i, uint64_t n, int axis)
{
    (void)i, (void)n;
    return 0.1 * (axis + 1);
}

/* Makes two clusters 2^-40 of the box apart, and the box's corners. */
static inline double shape_clusters(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return i < 2 ? (double)i : i % 2 ? 0.3 : 0.3 + 0x1p-40 * (axis + 1);
}

/* Makes points of increasing density towards a corner, so the tree uses every level. */
static inline double shape_corner(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return ldexp(shape_draw(i, axis), -(int)(i % 26));
}

static inline double shape_line(uint64_t i, uint64_t n, int axis)
{
    return axis == 1 ? (double)i / (double)n : 0.5;
}

static inline double shape_diagonal(uint64_t i, uint64_t n, int axis)
{
    (void)axis;
    return (double)(n - i) / (double)n;
}

/* Makes one distant point, so all other points share 13 levels. */
static inline double shape_outlier(uint64_t i, uint64_t n, int axis)
{
    return i == n / 2 ? 10000.0 * (axis + 1) : shape_draw(i, axis);
}

/* Makes many duplicates on the borders of octants, also with negative coordinates. */
static inline double shape_lattice(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return (double)(gws_random_at(9, 3 * i + (uint64_t)axis) % 9) / 8 - 0.5;
}

/* Makes denormal numbers, whose differences vanish in arithmetic without scaling. */
static inline double shape_denormal(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return (double)(gws_random_at(11, 3 * i + (uint64_t)axis) % 1000) * 0x1p-1074;
}

/* Makes the largest numbers, whose differences overflow. */
static inline double shape_huge(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return (shape_draw(i, axis) * 2 - 1) * 1.75e308;
}

/* Makes a small extent far from the origin. */
static inline double shape_far(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return 1e6 + (axis == 2 ? -2e6 : 0) + shape_draw(i, axis);
}

static inline double shape_zeros(uint64_t i, uint64_t n, int axis)
{
    (void)n;
    return (i + (uint64_t)axis) % 2 ? 0.0 : -0.0;
}

static const struct {
    const char *name;
    shape_at *at;
} shapes[] = {
    {"uniform", shape_uniform}, {"equal", shape_equal},     {"clusters", shape_clusters},
    {"corner", shape_corner},   {"line", shape_line},       {"diagonal", shape_diagonal},
    {"outlier", shape_outlier}, {"lattice", shape_lattice}, {"denormal", shape_denormal},
    {"huge", shape_huge},       {"far", shape_far},         {"zeros", shape_zeros},
};
enum { shapes_count = sizeof shapes / sizeof *shapes };

/* Makes n points, which shape_free() frees. Floats are the rounded doubles. The function scales huge values into the
 * range of floats. */
static inline struct gws_points shape_make(int shape, uint64_t n, bool is_double)
{
    struct gws_points points = {.count = n, .is_double = is_double};
    void **axis[3] = {&points.x, &points.y, &points.z};
    for (int a = 0; a < 3; a++) {
        *axis[a] = malloc((n + 1) * sizeof(double));
        for (uint64_t i = 0; i < n; i++) {
            double x = shapes[shape].at(i, n, a);
            if (is_double)
                ((double *)*axis[a])[i] = x;
            else
                ((float *)*axis[a])[i] = (float)(fabs(x) > 1e300 ? x * 0x1p-896 : x);
        }
    }
    return points;
}

/* Sets one coordinate of point i. */
static inline void shape_set(struct gws_points *points, uint64_t i, int axis, double x)
{
    void *where[3] = {points->x, points->y, points->z};
    if (points->is_double)
        ((double *)where[axis])[i] = x;
    else
        ((float *)where[axis])[i] = (float)x;
}

static inline void shape_free(struct gws_points *points)
{
    free(points->x);
    free(points->y);
    free(points->z);
    *points = (struct gws_points){0};
}

/* Builds a tree, or fails the test. */
static inline struct gws_octree *shape_tree(struct gws_runtime *runtime, const struct gws_points *points,
                                            const struct gws_octree_options *options)
{
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_build(runtime, points, options, &tree, &where);
    if (status != GWS_OK) ck_abort_msg("%s: %s", gws_status_text(status), where.message);
    return tree;
}

#endif
