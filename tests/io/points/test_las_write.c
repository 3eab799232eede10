/* SPDX-License-Identifier: MIT */
/* LAS files, and packed colours of PCD files, that were written and are read back. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <math.h>

#include "cloud.h"

static struct gws_runtime *runtime;

static void setup(void)
{
    struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void teardown(void)
{
    gws_runtime_close(runtime);
}

/* Reads points from text, writes them to a file, and reads this file. The columns have kinds, as in "x,y,z,a:u16". */
static void check(const char *text, const char *columns, const char *name, const char *said)
{
    struct gws_points points = {0}, again = {0};
    struct gws_points_read_options options = {.columns = columns};
    struct gws_diagnostic where = {0};
    char found[CLOUD_TEXT];
    const char *path = gws_test_file("points.xyz", text, strlen(text));
    ck_assert_int_eq(gws_points_read(runtime, path, &options, &points, &where), GWS_OK);
    path = gws_test_temp(name);
    gws_status status = gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    status = gws_points_read(runtime, path, NULL, &again, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    cloud_describe(&again, found);
    ck_assert_str_eq(found, said);
    gws_points_clear(&points);
    gws_points_clear(&again);
}

#define LONGER "return_flags:u8 class_flags:u8 classification:u8 user_data:u8 scan_angle:i16 point_source:u16"
#define LONG "intensity:u16 " LONGER
#define SHORT "intensity:u16 return_flags:u8 classification:u8 scan_angle:i8 user_data:u8 point_source:u16"

START_TEST(columns_become_fields_or_extra_bytes)
{
    check("0.25 -1 3\n", "x,y,z", "a.las", "d " LONG " gps_time:f64; 0.25 -1 3 0 17 0 0 0 0 0 0");
    check("1 2 3 7 -2.5 65535\n", "x,y,z,other:i64,more:f32,intensity:u16", "a.las.gz",
          "d " LONG " gps_time:f64 other:i64 more:f32; 1 2 3 65535 17 0 0 0 0 0 0 7 -2.5");
    check("1 2 3 7\n", "x,y,z,intensity:f32", "a.las", /* another kind than LAS has */
          "d intensity_4:u16 " LONGER " gps_time:f64 intensity:f32; 1 2 3 0 17 0 0 0 0 0 0 7");
    check("1 2 3 -9 2 1.5 2\n", "x,y,z,scan_angle:i8,classification:u8,gps_time:f64,return_flags:u8", "a.las",
          "d " SHORT " gps_time:f64; 1 2 3 0 2 2 -9 0 0 1.5");
    check("1 2 3 -9 300 0 65535\n", "x,y,z,scan_angle:i8,red:u16,green:u16,blue:u16", "a.las",
          "d " SHORT " red:u16 green:u16 blue:u16; 1 2 3 0 9 0 -9 0 0 300 0 65535");
    check("1 2 3 255 0 1\n", "x,y,z,red:u8,green:u8,blue:u8", "a.las",
          "d " LONG " gps_time:f64 red:u16 green:u16 blue:u16; 1 2 3 0 17 0 0 0 0 0 0 65535 0 257");
    check("1 2 3 255 5\n", "x,y,z,red:u8,near_infrared:u16", "a.las",
          "d " LONG
          " gps_time:f64 red_12:u16 green:u16 blue:u16 near_infrared:u16 red:u8; 1 2 3 0 17 0 0 0 0 0 0 0 0 0 5 "
          "255");
}
END_TEST

/* Coordinates that are decimal numbers come back exactly, and others to the finest scale. */
START_TEST(coordinates_lose_little)
{
    check("477750.12 6312000.01 -3.5\n-477750.119 0 1e5\n", "x,y,z", "b.las",
          "d " LONG " gps_time:f64; 477750.12 6312000.0099999998 -3.5 0 17 0 0 0 0 0 0"
          "; -477750.11900000001 0 100000 0 17 0 0 0 0 0 0");
    check("1e12 -5e17 7\n", "x,y,z", "b.las", "d " LONG " gps_time:f64; 1000000000000 -5e+17 7 0 17 0 0 0 0 0 0");
    struct gws_points points = {0}, again = {0};
    ck_assert_int_eq(gws_points_generate(runtime, "gauss:5000", true, &points, NULL), GWS_OK);
    const char *path = gws_test_temp("c.las");
    ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
    ck_assert_int_eq(gws_points_read(runtime, path, NULL, &again, NULL), GWS_OK);
    ck_assert_uint_eq(again.count, 5000);
    for (uint64_t i = 0; i < 5000; i++)
        ck_assert_double_le(fabs(gws_points_at(&again, again.z, i) - gws_points_at(&points, points.z, i)), 1e-8);
    gws_points_clear(&points);
    gws_points_clear(&again);
}
END_TEST

START_TEST(the_head_has_bounds_and_returns)
{
    unsigned char head[375];
    check("0.5 2 3 1 -1\n1.5 -2 3 2 -1\n0 0 0 2 -1\n", "x,y,z,return_flags:u8,scan_angle:i8", "d.las",
          "d " SHORT "; 0.5 2 3 0 1 0 -1 0 0; 1.5 -2 3 0 2 0 -1 0 0; 0 0 0 0 2 0 -1 0 0");
    FILE *file = fopen(gws_test_temp("d.las"), "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    double bounds[6];
    memcpy(bounds, head + 179, sizeof bounds);
    static const double wanted[] = {1.5, 0, 2, -2, 3, 0};
    for (int i = 0; i < 6; i++) ck_assert_double_eq(bounds[i], wanted[i]);
    ck_assert_int_eq(head[107], 3); /* points, then by return: of 32 bits, and of 64 */
    ck_assert_int_eq(head[111], 1);
    ck_assert_int_eq(head[115], 2);
    ck_assert_int_eq(head[255], 1);
    ck_assert_int_eq(head[263], 2);
}
END_TEST

START_TEST(what_las_cannot_hold)
{
    static const struct {
        const char *text, *columns, *message;
    } wrong[] = {{"1 2 3\n1 nan 3\n", "x,y,z", "not finite, such as those of point 1"},
                 {"1 2 -inf\n", "x,y,z", "not finite, such as those of point 0"},
                 {"1 2 3 4\n", "x,y,z,a_name_that_has_more_than_32_bytes", "no names of more than 32 bytes"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct gws_points points = {0};
        struct gws_points_read_options options = {.columns = wrong[i].columns};
        struct gws_diagnostic where = {0};
        const char *path = gws_test_file("points.xyz", wrong[i].text, strlen(wrong[i].text));
        ck_assert_int_eq(gws_points_read(runtime, path, &options, &points, NULL), GWS_OK);
        path = gws_test_temp("e.las");
        ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, &where), GWS_UNSUPPORTED);
        ck_assert_msg(strstr(where.message, wrong[i].message) != NULL, "%s", where.message);
        ck_assert_int_ne(access(path, F_OK), 0);
        gws_points_clear(&points);
    }
    check("", "x,y,z", "e.las", "d " LONG " gps_time:f64");
}
END_TEST

START_TEST(too_many_columns_for_las)
{
    enum { columns = 342 };
    static struct gws_points_column column[columns];
    struct gws_points points = {0};
    struct gws_diagnostic where = {0};
    for (int i = 0; i < columns; i++) snprintf(column[i].name, sizeof column[i].name, "c%d", i);
    for (uint32_t count = columns - 1; count <= columns; count++) {
        ck_assert_int_eq(gws_points_make(runtime, 1, false, count, column, &points), GWS_OK);
        *(float *)points.x = *(float *)points.y = *(float *)points.z = 0;
        for (uint32_t i = 0; i < count; i++) *(int8_t *)points.column[i].data = (int8_t)i;
        gws_status status = gws_points_write(runtime, &points, gws_test_temp("f.las"), GWS_POINTS_AUTO, &where);
        ck_assert_int_eq(status, count < columns ? GWS_OK : GWS_UNSUPPORTED);
        gws_points_clear(&points);
    }
    ck_assert_ptr_nonnull(strstr(where.message, "at most 341 further columns"));
    ck_assert_int_eq(gws_points_read(runtime, gws_test_temp("f.las"), NULL, &points, NULL), GWS_OK);
    ck_assert_int_eq(*(int8_t *)gws_points_find(&points, "c340")->data, (int8_t)340);
    gws_points_clear(&points);
}
END_TEST

START_TEST(pcd_packs_colours)
{
    check("1 2 3 9 8 7 6\n", "x,y,z,red:u8,green:u8,blue:u8,a:i16", "a.pcd",
          "d a:i16 blue:u8 green:u8 red:u8; 1 2 3 6 7 8 9");
    check("1 2 3 9 8 7 6\n", "x,y,z,red:u8,alpha:u8,green:u8,blue:u8", "a.pcd",
          "d blue:u8 green:u8 red:u8 alpha:u8; 1 2 3 6 7 9 8");
    check("1 2 3 9 8 7\n", "x,y,z,red:u8,green:u8,blue:u16", "a.pcd", "d red:u8 green:u8 blue:u16; 1 2 3 9 8 7");
}
END_TEST

START_TEST(any_allocation_may_fail)
{
    static const char *const names[] = {"g.las", "g.pcd"};
    static const char text[] = "1 2 3 4 5 6\n";
    struct gws_points points = {0};
    struct gws_points_read_options kinds = {.columns = "x,y,z,red:u8,green:u8,blue:u8"};
    const char *path = gws_test_file("points.xyz", text, strlen(text));
    bool failed = true;
    ck_assert_int_eq(gws_points_read(runtime, path, &kinds, &points, NULL), GWS_OK);
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_diagnostic where = {0};
        struct gws_runtime *own;
        path = gws_test_temp(names[_i]);
        ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
        memory.fail_at = memory.calls + k;
        gws_status status = gws_points_write(own, &points, path, GWS_POINTS_AUTO, &where);
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert(!failed || (access(path, F_OK) != 0 && strstr(where.message, "out of memory")));
        gws_runtime_close(own);
        gws_test_memory_check(&memory);
    }
    gws_points_clear(&points);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{columns_become_fields_or_extra_bytes, 1},
                                    {coordinates_lose_little, 1},
                                    {the_head_has_bounds_and_returns, 1},
                                    {what_las_cannot_hold, 1},
                                    {too_many_columns_for_las, 1},
                                    {pcd_packs_colours, 1},
                                    {any_allocation_may_fail, 2},
                                    {0}};
    return gws_test_run_between("points to LAS and PCD", test, setup, teardown);
}
