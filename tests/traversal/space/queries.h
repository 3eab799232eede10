/* SPDX-License-Identifier: MIT */
/* Trees and positions for the tests of octree queries. */
#ifndef GWS_TESTS_SPACE_QUERIES_H
#define GWS_TESTS_SPACE_QUERIES_H

#include "shapes.h"

#include "../../../traversal/octree_query.h"

/* ThreadSanitizer takes most of its time for the exhaustive search, where one thread runs. */
#ifdef __SANITIZE_THREAD__
enum { queries = 20 };
#else
enum { queries = 60 };
#endif

static inline double coordinate(const struct gws_points *points, uint64_t i, int axis)
{
    return gws_points_at(points, axis == 0 ? points->x : axis == 1 ? points->y : points->z, i);
}

/* Returns the extent of a set. Queries of this size have hits. */
static inline double extent(const struct gws_points *points)
{
    double largest = 0;
    for (uint64_t i = 0; i < points->count; i++)
        for (int a = 0; a < 3; a++) largest = fmax(largest, fabs(coordinate(points, i, a) - coordinate(points, 0, a)));
    return isfinite(largest) ? largest : 1e308;
}

/* Draws a position on a point, beside a point, or far away. */
static inline void draw_position(const struct gws_points *points, uint64_t q, double position[3])
{
    double wide = extent(points);
    for (int a = 0; a < 3; a++) {
        double near = points->count ? coordinate(points, gws_random_at(3, q) % points->count, a) : 0;
        double off = q % 3 == 0 ? 0 : shape_draw(q, a) * wide * (q % 3 == 1 ? 0.01 : 1);
        position[a] = isfinite(near + off) ? near + off : near;
    }
}

struct query_fixture {
    struct gws_runtime *runtime;
    struct gws_points points;
    struct gws_octree *tree;
};

static inline struct query_fixture make_fixture(int policy, int shape, uint64_t n, bool is_double)
{
    struct query_fixture fixture = {policies_open(policy), shape_make(shape, n, is_double), NULL};
    struct gws_octree_options options = {.leaf = 1 + (uint64_t)shape * 7, .max_depth = shape % 2 ? 21 : 8};
    fixture.tree = shape_tree(fixture.runtime, &fixture.points, &options);
    ck_assert_int_eq(gws_octree_copy_points(fixture.runtime, fixture.tree, &fixture.points), GWS_OK);
    return fixture;
}

static inline void done(struct query_fixture *fixture)
{
    gws_octree_destroy(fixture->tree);
    shape_free(&fixture->points);
    gws_runtime_close(fixture->runtime);
}

static inline void same(int shape, const struct gws_octree_hits *hits, uint64_t q, const uint64_t *point,
                        const double *distance, uint64_t count)
{
    uint64_t at = hits->offset[q];
    if (hits->offset[q + 1] - at != count)
        ck_abort_msg("%s, query %llu: %llu answers, not %llu", shapes[shape].name, (unsigned long long)q,
                     (unsigned long long)(hits->offset[q + 1] - at), (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++)
        if (hits->point[at + i] != point[i] || (distance && hits->distance[at + i] != distance[i]))
            ck_abort_msg("%s, query %llu: answer %llu is %llu (%a), not %llu (%a)", shapes[shape].name,
                         (unsigned long long)q, (unsigned long long)i, (unsigned long long)hits->point[at + i],
                         distance ? hits->distance[at + i] : 0, (unsigned long long)point[i],
                         distance ? distance[i] : 0);
}

/* Returns the factor that octree_query.h specifies for very large and very small coordinates. */
static inline double unit_of(const struct gws_octree *tree)
{
    double largest = 0;
    for (int a = 0; a < 3; a++) largest = fmax(largest, fmax(fabs(tree->low[a]), fabs(tree->high[a])));
    return largest > 1e200 ? 0x1p-1000 : largest < 1e-200 ? 0x1p1000 : 1;
}

static inline struct query_fixture fixture_for(int i)
{
    int policies = policies_count();
    ck_assert_int_gt(policies, 0);
    return make_fixture(i * 7 % policies, i % shapes_count, i < shapes_count ? 900 : 3000, i & 1);
}

#endif
