/* SPDX-License-Identifier: MIT */
/* Octree queries against exhaustive search, on all point sets. */
#include "queries.h"

/* ---- exhaustive search ---- */

static uint64_t in_box(const struct query_fixture *fixture, const struct gws_octree_box *box, uint64_t *point)
{
    uint64_t count = 0;
    for (uint64_t position = 0; position < fixture->tree->points; position++) {
        uint64_t i = gws_octree_point(fixture->tree, position);
        bool in = true;
        for (int a = 0; a < 3; a++) {
            double x = coordinate(&fixture->points, i, a);
            in &= x >= box->low[a] && x <= box->high[a];
        }
        if (in) point[count++] = i;
    }
    return count;
}

static double squared_to(const struct query_fixture *fixture, const double position[3], uint64_t i)
{
    double unit = unit_of(fixture->tree), d[3];
    for (int a = 0; a < 3; a++) d[a] = coordinate(&fixture->points, i, a) * unit - position[a] * unit;
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static uint64_t in_ball(const struct query_fixture *fixture, const struct gws_octree_ball *ball, uint64_t *point,
                        double *distance)
{
    uint64_t count = 0;
    double unit = unit_of(fixture->tree), radius = ball->radius * unit;
    for (uint64_t position = 0; position < fixture->tree->points; position++) {
        uint64_t i = gws_octree_point(fixture->tree, position);
        double squared = squared_to(fixture, ball->centre, i);
        if (squared > radius * radius) continue;
        distance[count] = sqrt(squared) / unit;
        point[count++] = i;
    }
    return count;
}

struct neighbour {
    double squared;
    uint64_t point;
};

static int by_distance(const void *a, const void *b)
{
    const struct neighbour *x = a, *y = b;
    if (x->squared != y->squared) return x->squared < y->squared ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static uint64_t nearest(const struct query_fixture *fixture, const double position[3], uint64_t k, uint64_t *point,
                        double *distance)
{
    uint64_t n = fixture->points.count;
    struct neighbour *near = malloc((n + 1) * sizeof *near);
    for (uint64_t i = 0; i < n; i++) near[i] = (struct neighbour){squared_to(fixture, position, i), i};
    if (n) qsort(near, n, sizeof *near, by_distance);
    for (uint64_t i = 0; i < k && i < n; i++) {
        point[i] = near[i].point;
        distance[i] = sqrt(near[i].squared) / unit_of(fixture->tree);
    }
    free(near);
    return k < n ? k : n;
}

/* Calls count_in_boxes() or count_in_balls() with and without values, and compares the totals with the points of hits.
 */
#define CHECK_TOTALS(function, query)                                                                                  \
    do {                                                                                                               \
        struct gws_octree_totals totals = totals_make(&fixture);                                                       \
        for (int with = 0; with < 2; with++) {                                                                         \
            const double *value = totals.value;                                                                        \
            if (!with) totals.value = NULL;                                                                            \
            ck_assert_int_eq(function(fixture.runtime, fixture.tree, query, queries, &totals, NULL), GWS_OK);          \
            totals.value = value;                                                                                      \
            totals_check(&totals, &hits, with);                                                                        \
        }                                                                                                              \
        totals_free(&totals);                                                                                          \
    } while (0)

static struct gws_octree_totals totals_make(const struct query_fixture *fixture)
{
    double *value = calloc(fixture->points.count + 1, sizeof *value);
    for (uint64_t i = 0; i < fixture->points.count; i++) value[i] = shape_draw(i, 2) - 0.25;
    return (struct gws_octree_totals){calloc(queries, sizeof(uint64_t)), value, calloc(queries, sizeof(double))};
}

static void totals_check(const struct gws_octree_totals *totals, const struct gws_octree_hits *hits, bool with_sums)
{
    for (uint64_t q = 0; q < queries; q++) {
        double sum = 0;
        ck_assert_uint_eq(totals->count[q], hits->offset[q + 1] - hits->offset[q]);
        for (uint64_t i = hits->offset[q]; i < hits->offset[q + 1]; i++) sum += totals->value[hits->point[i]];
        if (with_sums) ck_assert_double_eq(totals->sum[q], sum);
    }
}

static void totals_free(struct gws_octree_totals *totals)
{
    free(totals->count);
    free((void *)totals->value);
    free(totals->sum);
}

START_TEST(boxes)
{
    struct query_fixture fixture = fixture_for(_i);
    struct gws_octree_box box[queries];
    uint64_t *point = malloc(3000 * sizeof *point);
    struct gws_octree_hits hits = {0};
    for (uint64_t q = 0; q < queries; q++) {
        double first[3], other[3];
        draw_position(&fixture.points, q, first);
        draw_position(&fixture.points, q / 2 + 1000, other);
        for (int a = 0; a < 3; a++) {
            box[q].low[a] = q % 7 == 6 ? -INFINITY : fmin(first[a], other[a]);
            box[q].high[a] = q % 11 == 10 ? INFINITY : q % 7 == 5 ? box[q].low[a] : fmax(first[a], other[a]);
        }
    }
    ck_assert_int_eq(gws_octree_in_boxes(fixture.runtime, fixture.tree, box, queries, &hits, NULL), GWS_OK);
    ck_assert_ptr_null(hits.distance);
    for (uint64_t q = 0; q < queries; q++)
        same(_i % shapes_count, &hits, q, point, NULL, in_box(&fixture, &box[q], point));
    CHECK_TOTALS(gws_octree_count_in_boxes, box);
    gws_octree_hits_clear(&hits);
    free(point);
    done(&fixture);
}
END_TEST

START_TEST(balls)
{
    struct query_fixture fixture = fixture_for(_i);
    struct gws_octree_ball ball[queries];
    uint64_t *point = malloc(3000 * sizeof *point);
    double *distance = malloc(3000 * sizeof *distance);
    struct gws_octree_hits hits = {0};
    for (uint64_t q = 0; q < queries; q++) {
        draw_position(&fixture.points, q, ball[q].centre);
        ball[q].radius = q % 5 == 0 ? 0 : q % 13 == 12 ? INFINITY : shape_draw(q, 1) * extent(&fixture.points) * 0.4;
    }
    ck_assert_int_eq(gws_octree_in_balls(fixture.runtime, fixture.tree, ball, queries, &hits, NULL), GWS_OK);
    for (uint64_t q = 0; q < queries; q++)
        same(_i % shapes_count, &hits, q, point, distance, in_ball(&fixture, &ball[q], point, distance));
    CHECK_TOTALS(gws_octree_count_in_balls, ball);
    gws_octree_hits_clear(&hits);
    free(point);
    free(distance);
    done(&fixture);
}
END_TEST

START_TEST(neighbours)
{
    static const uint64_t k[] = {1, 8, 32, 33, 200, 5000};
    struct query_fixture fixture = fixture_for(_i);
    double position[3 * queries];
    uint64_t *point = malloc(3000 * sizeof *point);
    double *distance = malloc(3000 * sizeof *distance);
    struct gws_octree_hits hits = {0};
    for (uint64_t q = 0; q < queries; q++) draw_position(&fixture.points, q, position + 3 * q);
    for (int i = 0; i < 6; i++) {
        uint64_t count = k[i] > 1000 ? 6 : queries / 2;
        ck_assert_int_eq(gws_octree_nearest(fixture.runtime, fixture.tree, position, count, k[i], &hits, NULL), GWS_OK);
        for (uint64_t q = 0; q < count; q++)
            same(_i % shapes_count, &hits, q, point, distance,
                 nearest(&fixture, position + 3 * q, k[i], point, distance));
    }
    gws_octree_hits_clear(&hits);
    free(point);
    free(distance);
    done(&fixture);
}
END_TEST

/* The library reorders large batches, but the answers are equal. */
START_TEST(many_queries)
{
    enum { many = 3000, part = 1000 };
    struct query_fixture fixture = {policies_open(_i), shape_make(_i % 2 ? 0 : 3, 6000, _i % 2), NULL};
    struct gws_octree_options options = {.leaf = 1};
    fixture.tree = shape_tree(fixture.runtime, &fixture.points, &options);
    ck_assert_int_eq(gws_octree_copy_points(fixture.runtime, fixture.tree, &fixture.points), GWS_OK);
    struct gws_octree_box *box = malloc(many * sizeof *box);
    double *position = malloc(many * 3 * sizeof *position);
    for (uint64_t q = 0; q < many; q++) {
        draw_position(&fixture.points, q, position + 3 * q);
        for (int a = 0; a < 3; a++) {
            box[q].low[a] = q % 97 == 96 ? -INFINITY : position[3 * q + (uint64_t)a] - 0.02;
            box[q].high[a] = position[3 * q + (uint64_t)a] + 0.02;
        }
    }
    struct gws_octree_hits all = {0}, some = {0};
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t from = 0; from < many; from += part) {
            if (from == 0 && kind == 0)
                ck_assert_int_eq(gws_octree_in_boxes(fixture.runtime, fixture.tree, box, many, &all, NULL), GWS_OK);
            if (from == 0 && kind == 1)
                ck_assert_int_eq(gws_octree_nearest(fixture.runtime, fixture.tree, position, many, 5, &all, NULL),
                                 GWS_OK);
            if (kind == 0)
                ck_assert_int_eq(gws_octree_in_boxes(fixture.runtime, fixture.tree, box + from, part, &some, NULL),
                                 GWS_OK);
            else
                ck_assert_int_eq(
                    gws_octree_nearest(fixture.runtime, fixture.tree, position + 3 * from, part, 5, &some, NULL),
                    GWS_OK);
            for (uint64_t q = 0; q < part; q++)
                same(0, &all, from + q, some.point + some.offset[q],
                     some.distance ? some.distance + some.offset[q] : NULL, some.offset[q + 1] - some.offset[q]);
        }
    gws_octree_hits_clear(&all);
    gws_octree_hits_clear(&some);
    free(box);
    free(position);
    done(&fixture);
}
END_TEST

/* ---- empty batches, empty trees, invalid queries ---- */

START_TEST(empty)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_points none = {0};
    struct gws_octree *tree = shape_tree(runtime, &none, NULL);
    struct gws_octree_hits hits = {0};
    struct gws_octree_ball ball = {{0, 0, 0}, 1};
    double position[3] = {0, 0, 0};
    ck_assert_int_eq(gws_octree_in_balls(runtime, tree, &ball, 1, &hits, NULL), GWS_OK);
    ck_assert_uint_eq(hits.offset[1], 0);
    ck_assert_int_eq(gws_octree_nearest(runtime, tree, position, 1, 8, &hits, NULL), GWS_OK);
    ck_assert_uint_eq(hits.offset[1], 0);
    ck_assert_int_eq(gws_octree_nearest(runtime, tree, NULL, 0, 8, &hits, NULL), GWS_OK);
    ck_assert_uint_eq(hits.queries, 0);
    ck_assert_uint_eq(hits.offset[0], 0);
    gws_octree_hits_clear(&hits);
    gws_octree_hits_clear(&hits);
    gws_octree_hits_clear(NULL);
    gws_octree_destroy(tree);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refused)
{
    struct query_fixture fixture = make_fixture(0, 0, 100, false);
    struct gws_octree_hits hits = {.queries = 77};
    struct gws_diagnostic where = {0};
    struct gws_octree_box box = {{0, 0, 1}, {1, 1, 0}};
    ck_assert_int_eq(gws_octree_in_boxes(fixture.runtime, fixture.tree, &box, 1, &hits, &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "box 0 is invalid: low must be <= high");
    box.low[2] = NAN;
    ck_assert_int_eq(gws_octree_in_boxes(fixture.runtime, fixture.tree, &box, 1, &hits, NULL), GWS_INVALID);
    struct gws_octree_ball ball[2] = {{{0, 0, 0}, 1}, {{0, 0, 0}, -1}};
    ck_assert_int_eq(gws_octree_in_balls(fixture.runtime, fixture.tree, ball, 2, &hits, &where), GWS_INVALID);
    ck_assert_ptr_nonnull(strstr(where.message, "ball 1"));
    uint64_t counts[2];
    const struct gws_octree_totals totals = {counts, NULL, NULL};
    ck_assert_int_eq(gws_octree_count_in_balls(fixture.runtime, fixture.tree, ball, 2, &totals, &where), GWS_INVALID);
    ck_assert_ptr_nonnull(strstr(where.message, "ball 1"));
    ck_assert_int_eq(gws_octree_count_in_boxes(fixture.runtime, fixture.tree, &box, 1, &totals, NULL), GWS_INVALID);
    double position[6] = {0, 0, 0, 0, INFINITY, 0};
    ck_assert_int_eq(gws_octree_nearest(fixture.runtime, fixture.tree, position, 2, 1, &hits, &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "position 1 is not finite");
    ck_assert_int_eq(gws_octree_nearest(fixture.runtime, fixture.tree, position, UINT64_C(1) << 47, 50, &hits, NULL),
                     GWS_TOO_LARGE);
    struct gws_octree_ray ray = {{0, 0, 0}, {NAN, 0, 0}, 1};
    ck_assert_int_eq(gws_octree_first_on_rays(fixture.runtime, fixture.tree, &ray, 1, &hits, NULL), GWS_INVALID);
    struct gws_octree *bare = shape_tree(fixture.runtime, &fixture.points, NULL);
    ck_assert_int_eq(gws_octree_nearest(fixture.runtime, bare, position, 1, 1, &hits, &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "the tree has no points in leaf order");
    ck_assert_uint_eq(hits.queries, 77);
    gws_octree_destroy(bare);
    done(&fixture);
}
END_TEST

/* ---- memory ---- */

static gws_status run_all(struct gws_runtime *runtime, void *context)
{
    const struct gws_points *points = context;
    static double position[300];
    struct gws_octree_ball ball = {{0.5, 0.5, 0.5}, 1};
    struct gws_octree *tree = NULL;
    struct gws_octree_hits hits = {0};
    gws_status status = gws_octree_build(runtime, points, NULL, &tree, NULL);
    if (status == GWS_OK) status = gws_octree_copy_points(runtime, tree, points);
    if (status == GWS_OK) status = gws_octree_nearest(runtime, tree, position, 100, 40, &hits, NULL);
    if (status == GWS_OK) {
        ck_assert_uint_eq(hits.offset[100], 4000);
        status = gws_octree_in_balls(runtime, tree, &ball, 1, &hits, NULL);
        ck_assert_uint_eq(hits.queries, status == GWS_OK ? 1 : 100);
        ck_assert_uint_eq(hits.offset[hits.queries], status == GWS_OK ? 1000 : 4000);
    }
    uint64_t count = 0;
    double value[1000] = {0}, sum = 0;
    const struct gws_octree_totals totals = {&count, value, &sum};
    if (status == GWS_OK) status = gws_octree_count_in_balls(runtime, tree, &ball, 1, &totals, NULL);
    if (status == GWS_OK) ck_assert_uint_eq(count, 1000);
    gws_octree_hits_clear(&hits);
    gws_octree_destroy(tree);
    return status;
}

START_TEST(short_memory)
{
    struct gws_points points = shape_make(0, 1000, false);
    policies_fail(gws_test_quick() ? 30 : 200, run_all, &points);
    shape_free(&points);
}
END_TEST

static Suite *octree_query_suite(void)
{
    Suite *suite = suite_create("octree queries");
    TCase *all = tcase_create("all");
    int many = gws_test_quick() ? shapes_count : 2 * shapes_count;
    tcase_add_loop_test(all, boxes, 0, many);
    tcase_add_loop_test(all, balls, 0, many);
    tcase_add_loop_test(all, neighbours, 0, many);
    tcase_add_loop_test(all, many_queries, 0, gws_test_quick() ? 2 : 6);
    tcase_add_test(all, empty);
    tcase_add_test(all, refused);
    tcase_add_test(all, short_memory);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(octree_query_suite);
}
