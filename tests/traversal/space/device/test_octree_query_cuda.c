/* SPDX-License-Identifier: MIT */
/* Queries on a CUDA device. The answers must be bitwise equal to the CPU's answers, which test_octree_query.c compares
 * with exhaustive search. */
#include "../shapes.h"

#include "../../../../traversal/octree_on_device.h"

enum { queries = 300 };

struct device_query_fixture {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_points points;
    struct gws_octree *tree;
    struct gws_octree_on_device *on_device;
};

/* on_device is NULL, after a message, if there is no device. */
static struct device_query_fixture make_fixture(int shape, uint64_t n, bool is_double)
{
    struct device_query_fixture fixture = {.runtime = policies_open(1), .points = shape_make(shape, n, is_double)};
    struct gws_octree_options options = {
        .leaf = 1 + (uint64_t)shape * 7, .max_depth = shape % 2 ? 21 : 8, .wide = shape % 3 == 0};
    struct gws_diagnostic where = {0};
    fixture.tree = shape_tree(fixture.runtime, &fixture.points, &options);
    ck_assert_int_eq(gws_octree_copy_points(fixture.runtime, fixture.tree, &fixture.points), GWS_OK);
    if (gws_device_open(fixture.runtime, "cuda", NULL, &fixture.device, NULL) != GWS_OK) {
        printf("skipped: no CUDA device\n");
        return fixture;
    }
    gws_status status =
        gws_octree_on_device_open(fixture.runtime, fixture.device, fixture.tree, &fixture.on_device, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    return fixture;
}

static void done(struct device_query_fixture *fixture)
{
    gws_octree_on_device_close(fixture->on_device);
    gws_device_close(fixture->device);
    gws_octree_destroy(fixture->tree);
    shape_free(&fixture->points);
    gws_runtime_close(fixture->runtime);
}

/* Draws a position on a point, beside a point, or far away. */
static void draw_position(const struct device_query_fixture *fixture, uint64_t q, double position[3])
{
    const struct gws_points *points = &fixture->points;
    const void *const axis[3] = {points->x, points->y, points->z};
    for (int a = 0; a < 3; a++) {
        double wide = fixture->tree->high[a] / 2 - fixture->tree->low[a] / 2;
        double near =
            points->count ? gws_points_at(points, axis[a], gws_random_at(3, q) % points->count) : shape_draw(q, a);
        double off = q % 3 == 0 ? 0 : shape_draw(q, a) * wide * (q % 3 == 1 ? 0.01 : 1);
        position[a] = isfinite(near + off) ? near + off : near;
    }
}

static double draw_radius(const struct device_query_fixture *fixture, uint64_t q)
{
    double wide = fixture->tree->high[0] / 2 - fixture->tree->low[0] / 2;
    return q % 7 == 0 ? 0 : wide * shape_draw(q, 5) * (q % 2 ? 0.02 : 0.4);
}

static void same(const char *what, int shape, gws_status status, const struct gws_diagnostic *where,
                 struct gws_octree_hits *found, struct gws_octree_hits *right)
{
    ck_assert_msg(status == GWS_OK, "%s, %s: %s", what, shapes[shape].name, where->message);
    ck_assert_uint_eq(found->queries, right->queries);
    for (uint64_t q = 0; q <= right->queries; q++)
        if (found->offset[q] != right->offset[q])
            ck_abort_msg("%s, %s, query %llu begins at %llu, not %llu", what, shapes[shape].name, (unsigned long long)q,
                         (unsigned long long)found->offset[q], (unsigned long long)right->offset[q]);
    for (uint64_t h = 0; h < right->offset[right->queries]; h++)
        if (found->point[h] != right->point[h] || (right->distance && found->distance[h] != right->distance[h]))
            ck_abort_msg("%s, %s, hit %llu: %llu, not %llu", what, shapes[shape].name, (unsigned long long)h,
                         (unsigned long long)found->point[h], (unsigned long long)right->point[h]);
    gws_octree_hits_clear(found);
    gws_octree_hits_clear(right);
}

static void check_boxes(const struct device_query_fixture *fixture, int shape)
{
    struct gws_octree_box box[queries];
    struct gws_octree_hits found = {0}, right = {0};
    struct gws_diagnostic where = {0};
    for (uint64_t q = 0; q < queries; q++) {
        double a[3], b[3];
        draw_position(fixture, 2 * q, a);
        draw_position(fixture, 2 * q + 1, b);
        for (int i = 0; i < 3; i++) box[q].low[i] = fmin(a[i], b[i]), box[q].high[i] = fmax(a[i], b[i]);
        if (q % 50 == 0) box[q].low[q % 3] = -INFINITY;
        if (q % 60 == 0) box[q].high[q % 3] = INFINITY;
    }
    ck_assert_int_eq(gws_octree_in_boxes(fixture->runtime, fixture->tree, box, queries, &right, NULL), GWS_OK);
    gws_status status = gws_octree_on_device_in_boxes(fixture->on_device, box, queries, &found, &where);
    same("boxes", shape, status, &where, &found, &right);
}

static void check_balls(const struct device_query_fixture *fixture, int shape)
{
    struct gws_octree_ball ball[queries];
    struct gws_octree_hits found = {0}, right = {0};
    struct gws_diagnostic where = {0};
    for (uint64_t q = 0; q < queries; q++) {
        draw_position(fixture, q, ball[q].centre);
        ball[q].radius = q == 7 ? INFINITY : draw_radius(fixture, q);
    }
    ck_assert_int_eq(gws_octree_in_balls(fixture->runtime, fixture->tree, ball, queries, &right, NULL), GWS_OK);
    gws_status status = gws_octree_on_device_in_balls(fixture->on_device, ball, queries, &found, &where);
    same("balls", shape, status, &where, &found, &right);
}

static void check_nearest(const struct device_query_fixture *fixture, int shape)
{
    static const uint64_t ks[] = {0, 1, 8, 33, 5000};
    double position[3 * queries];
    struct gws_octree_hits found = {0}, right = {0};
    struct gws_diagnostic where = {0};
    for (uint64_t q = 0; q < queries; q++) draw_position(fixture, q, position + 3 * q);
    for (int k = 0; k < 5; k++) {
        uint64_t count = ks[k] > 100 ? 4 : queries;
        ck_assert_int_eq(gws_octree_nearest(fixture->runtime, fixture->tree, position, count, ks[k], &right, NULL),
                         GWS_OK);
        gws_status status = gws_octree_on_device_nearest(fixture->on_device, position, count, ks[k], &found, &where);
        same("nearest", shape, status, &where, &found, &right);
    }
}

static void check_rays(const struct device_query_fixture *fixture, int shape)
{
    struct gws_octree_ray ray[queries];
    struct gws_octree_hits found = {0}, right = {0};
    struct gws_diagnostic where = {0};
    for (uint64_t q = 0; q < queries; q++) {
        draw_position(fixture, q, ray[q].origin);
        for (int a = 0; a < 3; a++)
            ray[q].direction[a] =
                q % 5 == 0 && a == 1 ? 0 : (shape_draw(q, 7 + a) - 0.5) * ldexp(1, (int)(q % 40) - 20);
        if (q == 11) ray[q].direction[0] = ray[q].direction[1] = ray[q].direction[2] = 0;
        ray[q].radius = draw_radius(fixture, q) / 10;
    }
    ck_assert_int_eq(gws_octree_first_on_rays(fixture->runtime, fixture->tree, ray, queries, &right, NULL), GWS_OK);
    gws_status status = gws_octree_on_device_first_on_rays(fixture->on_device, ray, queries, &found, &where);
    same("rays", shape, status, &where, &found, &right);
}

START_TEST(every_shape)
{
    static const uint64_t counts[] = {0, 1, 40, 3000, 20000};
    for (int c = 0; c < (gws_test_quick() ? 4 : 5); c++) {
        struct device_query_fixture fixture = make_fixture(_i, counts[c], c % 2);
        if (fixture.on_device) {
            check_boxes(&fixture, _i);
            check_balls(&fixture, _i);
            check_nearest(&fixture, _i);
            check_rays(&fixture, _i);
        }
        done(&fixture);
    }
}
END_TEST

/* The calls reject invalid queries as the CPU's calls do, and leave the previous answers unchanged. An empty batch is
 * valid. */
START_TEST(invalid_queries)
{
    struct device_query_fixture fixture = make_fixture(0, 100, false);
    struct gws_octree_box box = {{0, 0, 1}, {1, 1, 0}};
    struct gws_octree_ball ball = {{0, 0, 0}, -1};
    struct gws_octree_ray ray = {{0, 0, NAN}, {1, 0, 0}, 1};
    double position[3] = {0, INFINITY, 0};
    struct gws_octree_hits hits = {0};
    struct gws_diagnostic where = {0};
    if (fixture.on_device) {
        ck_assert_int_eq(gws_octree_on_device_in_boxes(fixture.on_device, &box, 1, &hits, &where), GWS_INVALID);
        ck_assert_str_eq(where.message, "box 0 is invalid: low must be <= high");
        ck_assert_int_eq(gws_octree_on_device_in_balls(fixture.on_device, &ball, 1, &hits, &where), GWS_INVALID);
        ck_assert_int_eq(gws_octree_on_device_nearest(fixture.on_device, position, 1, 3, &hits, &where), GWS_INVALID);
        ck_assert_int_eq(gws_octree_on_device_first_on_rays(fixture.on_device, &ray, 1, &hits, &where), GWS_INVALID);
        ck_assert_ptr_null(hits.offset);
        ck_assert_int_eq(gws_octree_on_device_in_boxes(fixture.on_device, &box, 0, &hits, &where), GWS_OK);
        ck_assert_uint_eq(hits.offset[0], 0);
        ck_assert_int_eq(gws_octree_on_device_first_on_rays(fixture.on_device, &ray, 0, &hits, &where), GWS_OK);
        ck_assert_int_eq(gws_octree_on_device_nearest(fixture.on_device, position, 0, 3, &hits, &where), GWS_OK);
        gws_octree_hits_clear(&hits);
    }
    done(&fixture);
}
END_TEST

static Suite *query_suite(void)
{
    Suite *suite = suite_create("octree_query_cuda");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, every_shape, 0, shapes_count);
    tcase_add_test(all, invalid_queries);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(query_suite);
}
