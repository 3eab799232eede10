/* SPDX-License-Identifier: MIT */
#include "../../harness.h"

#include <math.h>

#include "../../../lib/points.h"

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

START_TEST(bytes_of_kinds)
{
    const uint32_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    for (int kind = GWS_NUMBER_I8; kind <= GWS_NUMBER_F64; kind++)
        ck_assert_uint_eq(gws_number_bytes((enum gws_number_kind)kind), bytes[kind]);
    ck_assert_uint_eq(gws_number_bytes((enum gws_number_kind)10), 0);
}
END_TEST

START_TEST(clear_twice)
{
    struct gws_points points = {0};
    gws_points_clear(NULL);
    gws_points_clear(&points);
    ck_assert_int_eq(gws_points_make(runtime, 0, true, 0, NULL, &points), GWS_OK);
    gws_points_clear(&points);
    ck_assert_ptr_null(points.owner);
    gws_points_clear(&points);
}
END_TEST

START_TEST(make_with_columns)
{
    struct gws_points_column column[] = {{"red", GWS_NUMBER_U8, NULL}, {"time", GWS_NUMBER_F64, NULL}};
    struct gws_points points = {0};
    ck_assert_int_eq(gws_points_make(runtime, 1000, false, 2, column, &points), GWS_OK);
    ck_assert_uint_eq(points.count, 1000);
    ck_assert_uint_eq(points.columns, 2);
    memset(points.x, 0, 4000), memset(points.y, 0, 4000), memset(points.z, 0, 4000);
    memset(points.column[0].data, 1, 1000), memset(points.column[1].data, 0, 8000);
    ck_assert_ptr_eq(gws_points_find(&points, "time"), &points.column[1]);
    ck_assert_ptr_null(gws_points_find(&points, "tim"));
    gws_points_clear(&points);
}
END_TEST

START_TEST(numbers_of_columns)
{
    static const int8_t i8[] = {-128};
    static const uint8_t u8[] = {255};
    static const int16_t i16[] = {-32768};
    static const uint16_t u16[] = {65535};
    static const int32_t i32[] = {INT32_MIN};
    static const uint32_t u32[] = {UINT32_MAX};
    static const int64_t i64[] = {INT64_MIN};
    static const uint64_t u64[] = {UINT64_MAX};
    static const float f32[] = {0.1F};
    static const double f64[] = {0.1};
    static const void *const data[] = {i8, u8, i16, u16, i32, u32, i64, u64, f32, f64};
    static const double number[] = {-128,       255,     -32768, 65535,        -2147483648.0,
                                    4294967295, -0x1p63, 0x1p64, (double)0.1F, 0.1};
    for (int kind = GWS_NUMBER_I8; kind <= GWS_NUMBER_F64; kind++) {
        struct gws_points_column column = {.kind = (enum gws_number_kind)kind, .data = (void *)data[kind]};
        ck_assert_double_eq(gws_points_number(&column, 0), number[kind]);
    }
}
END_TEST

START_TEST(bad_columns)
{
    static const char *const bad[] = {"",    "a b",  "a,b",      "a;b",  "a\"", "a'",
                                      "a\\", "\x7f", "\xc3\xa4", "t\tt", "-",   "_"};
    struct gws_points points = {.count = 5};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gws_points_column column = {"", GWS_NUMBER_U8, NULL};
        snprintf(column.name, sizeof column.name, "%s", bad[i]);
        ck_assert_int_eq(gws_points_make(runtime, 1, false, 1, &column, &points), GWS_INVALID);
    }
    struct gws_points_column endless = {.kind = GWS_NUMBER_U8}, odd = {"a", (enum gws_number_kind)10, NULL},
                             twice[] = {
                                 {"a", GWS_NUMBER_U8, NULL}, {"b", GWS_NUMBER_U8, NULL}, {"a", GWS_NUMBER_I8, NULL}};
    memset(endless.name, 'x', sizeof endless.name);
    ck_assert_int_eq(gws_points_make(runtime, 1, false, 1, &endless, &points), GWS_INVALID);
    ck_assert_int_eq(gws_points_make(runtime, 1, false, 1, &odd, &points), GWS_INVALID);
    ck_assert_int_eq(gws_points_make(runtime, 1, false, 3, twice, &points), GWS_INVALID);
    ck_assert_int_eq(gws_points_make(runtime, 1, false, GWS_POINTS_COLUMNS + 1, twice, &points), GWS_INVALID);
    ck_assert_uint_eq(points.count, 5);
}
END_TEST

START_TEST(too_many_points)
{
    struct gws_points points = {0};
    ck_assert_int_eq(gws_points_make(runtime, UINT64_MAX, false, 0, NULL, &points), GWS_TOO_LARGE);
    ck_assert_int_eq(gws_points_make(runtime, UINT64_MAX / 8, false, 0, NULL, &points), GWS_TOO_LARGE);
    ck_assert_ptr_null(points.owner);
}
END_TEST

static void count_call(void *context)
{
    ++*(int *)context;
}

START_TEST(wrap_calls_release_once)
{
    double x[] = {1, 2}, y[] = {3, 4}, z[] = {5, 6};
    uint16_t data[] = {7, 8};
    struct gws_points_column column = {"class", GWS_NUMBER_U16, data};
    struct gws_points view = {.count = 2, .is_double = true, .x = x, .y = y, .z = z, .columns = 1, .column = &column};
    struct gws_points points = {0};
    int calls = 0;
    ck_assert_int_eq(gws_points_wrap(runtime, &view, count_call, &calls, &points), GWS_OK);
    ck_assert(points.x == x && points.z == z && points.column != &column && points.column[0].data == data);
    gws_points_clear(&points);
    gws_points_clear(&points);
    ck_assert_int_eq(calls, 1);
    column.name[0] = 0;
    ck_assert_int_eq(gws_points_wrap(runtime, &view, count_call, &calls, &points), GWS_INVALID);
    ck_assert_int_eq(calls, 1);
}
END_TEST

START_TEST(convert_and_back)
{
    double x[] = {0.1, 1e300, NAN}, y[] = {-1e-300, 16777217, INFINITY}, z[] = {1, 2, 3};
    int8_t data[] = {-1, 0, 1};
    struct gws_points_column column = {"sign", GWS_NUMBER_I8, data};
    struct gws_points view = {.count = 3, .is_double = true, .x = x, .y = y, .z = z, .columns = 1, .column = &column};
    struct gws_points points = {0};
    int calls = 0;
    ck_assert_int_eq(gws_points_wrap(runtime, &view, count_call, &calls, &points), GWS_OK);
    ck_assert_int_eq(gws_points_convert(runtime, &points, true), GWS_OK);
    ck_assert_int_eq(calls, 0);
    ck_assert_int_eq(gws_points_convert(runtime, &points, false), GWS_OK);
    ck_assert_int_eq(calls, 1);
    const float *fx = points.x, *fy = points.y;
    ck_assert(fx[0] == 0.1F && isinf(fx[1]) && isnan(fx[2]) && fy[0] == 0 && fy[1] == 16777216 && isinf(fy[2]));
    ck_assert_int_eq(gws_points_convert(runtime, &points, true), GWS_OK);
    ck_assert(((double *)points.x)[0] == (double)0.1F && ((double *)points.z)[2] == 3);
    ck_assert_int_eq(memcmp(points.column[0].data, data, 3), 0);
    gws_points_clear(&points);
}
END_TEST

START_TEST(any_allocation_may_fail)
{
    struct gws_points_column column[] = {{"red", GWS_NUMBER_U8, NULL}, {"time", GWS_NUMBER_F64, NULL}};
    bool failed = true;
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *own;
        struct gws_points points = {0};
        ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
        memory.fail_at = memory.calls + k;
        gws_status status = gws_points_make(own, 100, false, 2, column, &points);
        if (status == GWS_OK) {
            memset(points.x, 0, 400), memset(points.y, 0, 400), memset(points.z, 0, 400);
            memset(points.column[0].data, 0, 100), memset(points.column[1].data, 0, 800);
            status = gws_points_convert(own, &points, true);
            ck_assert(points.is_double == (status == GWS_OK));
        }
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        gws_runtime_close(own);
        gws_points_clear(&points);
        gws_test_memory_check(&memory);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{bytes_of_kinds, 1},
                                    {clear_twice, 1},
                                    {make_with_columns, 1},
                                    {numbers_of_columns, 1},
                                    {bad_columns, 1},
                                    {too_many_points, 1},
                                    {wrap_calls_release_once, 1},
                                    {convert_and_back, 1},
                                    {any_allocation_may_fail, 1},
                                    {0}};
    return gws_test_run_between("points", test, setup, teardown);
}
