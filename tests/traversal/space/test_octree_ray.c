/* SPDX-License-Identifier: MIT */
/* First hits on rays against exhaustive search, on all point sets. */
#include "queries.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Returns the position along a ray at which the ray enters a ball, by the definition of octree_query.h. */
static double enter(const struct gws_octree_ray *ray, const double centre[3])
{
    double from[3], near[3], reach = ray->radius * ray->radius, length = dot(ray->direction, ray->direction);
    for (int a = 0; a < 3; a++) from[a] = ray->origin[a] - centre[a];
    if (dot(from, from) <= reach) return 0;
    double t = length > 0 ? -dot(from, ray->direction) / length : -1;
    for (int a = 0; a < 3; a++) near[a] = from[a] + t * ray->direction[a];
    if (t < 0 || dot(near, near) > reach) return INFINITY;
    return fmax(0, t - sqrt((reach - dot(near, near)) / length));
}

START_TEST(rays)
{
    struct query_fixture fixture = fixture_for(_i);
    double wide = extent(&fixture.points);
    struct gws_octree_ray ray[queries];
    struct gws_octree_hits hits = {0};
    uint64_t found = 0;
    for (uint64_t q = 0; q < queries; q++) {
        double aim[3];
        draw_position(&fixture.points, q + 5, ray[q].origin);
        draw_position(&fixture.points, q * 3, aim);
        for (int a = 0; a < 3; a++)
            ray[q].direction[a] = q % 9 == 8 ? 0 : q % 4 == (uint64_t)a ? 0 : aim[a] / 4 - ray[q].origin[a] / 4;
        ray[q].radius = q % 6 == 5 ? 0 : wide * 0.02 * shape_draw(q, 2);
    }
    ck_assert_int_eq(gws_octree_first_on_rays(fixture.runtime, fixture.tree, ray, queries, &hits, NULL), GWS_OK);
    for (uint64_t q = 0; q < queries && unit_of(fixture.tree) == 1; q++) {
        double first = INFINITY;
        uint64_t point = 0;
        for (uint64_t i = 0; i < fixture.points.count; i++) {
            double centre[3] = {coordinate(&fixture.points, i, 0), coordinate(&fixture.points, i, 1),
                                coordinate(&fixture.points, i, 2)};
            double t = enter(&ray[q], centre);
            if (t < first) first = t, point = i;
        }
        found += !isinf(first);
        same(_i % shapes_count, &hits, q, &point, &first, !isinf(first));
    }
    ck_assert(found > 0 || unit_of(fixture.tree) != 1);
    gws_octree_hits_clear(&hits);
    done(&fixture);
}
END_TEST

/* The squares of the coordinates overflow or vanish. A ray along x must hit the ball around the point ahead. */
START_TEST(rays_out_of_range)
{
    static const double scale[] = {1e300, 1e-310, 1};
    struct gws_runtime *runtime = policies_open(0);
    double x[] = {-1 * scale[_i], 1 * scale[_i]}, y[] = {0, 0}, z[] = {0, 0};
    struct gws_points points = {.count = 2, .is_double = true, .x = x, .y = y, .z = z};
    struct gws_octree *tree = shape_tree(runtime, &points, NULL);
    struct gws_octree_hits hits = {0};
    struct gws_octree_ray ray = {{-0.25 * scale[_i], 0, 0}, {0x1p-600, 0, 0}, 0.25 * scale[_i]};
    ck_assert_int_eq(gws_octree_copy_points(runtime, tree, &points), GWS_OK);
    if (_i == 0) ray.direction[0] = 0x1p900;
    ck_assert_int_eq(gws_octree_first_on_rays(runtime, tree, &ray, 1, &hits, NULL), GWS_OK);
    ck_assert_uint_eq(hits.offset[1], 1);
    ck_assert_uint_eq(hits.point[0], 1);
    ck_assert_double_eq_tol(hits.distance[0] * ray.direction[0] / scale[_i], 1, 1e-9);
    gws_octree_hits_clear(&hits);
    gws_octree_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {rays, gws_test_quick() ? shapes_count : 2 * shapes_count}, {rays_out_of_range, 3}, {0}};
    return gws_test_run("octree rays", test);
}
