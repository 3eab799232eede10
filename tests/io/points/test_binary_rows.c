/* SPDX-License-Identifier: MIT */
/* Binary formats: PLY and PCD in binary, LAS, .npy and raw numbers. The tests make the files number by number. */
#define _GNU_SOURCE
#include "../../harness.h"

#include "bytes.h"
#include "cloud.h"

static void check(const char *name, const struct bytes *bytes, const char *columns, const char *said)
{
    struct gws_points_read_options options = {.columns = columns};
    struct cloud_result result = cloud_read(name, bytes->at, bytes->size, &options);
    ck_assert_msg(result.status == GWS_OK, "%s: %s", name, result.where.message);
    ck_assert_str_eq(result.text, said);
}

START_TEST(ply_of_both_ends)
{
    for (int big = 0; big < 2; big++) {
        struct bytes bytes = {.size = 0};
        bytes_text(&bytes, "ply\nformat ");
        bytes_text(&bytes, big ? "binary_big_endian 1.0\n" : "binary_little_endian 1.0\n");
        bytes_text(&bytes, "element camera 2\nproperty uchar a\nproperty double b\nelement vertex 2\n"
                           "property uchar red\nproperty float x\nproperty double y\nproperty short z\n"
                           "property int n\nelement face 1\nproperty list uchar int i\nend_header\n");
        for (int i = 0; i < 18; i++) bytes_whole(&bytes, 77, 1, 0);
        for (int i = 0; i < 2; i++) {
            bytes_whole(&bytes, (uint64_t)(200 + i), 1, big);
            bytes_float(&bytes, 1.5F + (float)i, big);
            bytes_double(&bytes, -2.25, big);
            bytes_whole(&bytes, (uint64_t)-3, 2, big);
            bytes_whole(&bytes, (uint64_t)-70000, 4, big);
        }
        bytes_text(&bytes, "faces");
        check("a.ply", &bytes, NULL, "d red:u8 n:i32; 1.5 -2.25 -3 200 -70000; 2.5 -2.25 -3 201 -70000");
    }
}
END_TEST

START_TEST(pcd_with_padding)
{
    struct bytes bytes = {.size = 0};
    bytes_text(&bytes, "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z _ rgb _ t\nSIZE 4 4 4 1 4 1 8\nTYPE F F F U F U I\n"
                       "COUNT 1 1 1 4 1 3 1\nWIDTH 1\nHEIGHT 2\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA binary\n");
    for (int i = 0; i < 2; i++) {
        bytes_float(&bytes, 1, 0), bytes_float(&bytes, 2, 0), bytes_float(&bytes, (float)i, 0);
        bytes_whole(&bytes, 0, 4, 0);
        bytes_whole(&bytes, 0x07ff8040, 4, 0);
        bytes_whole(&bytes, 0, 3, 0);
        bytes_whole(&bytes, (uint64_t)(-5 - i), 8, 0);
    }
    check("a.pcd", &bytes, NULL, "f blue:u8 green:u8 red:u8 t:i64; 1 2 0 64 128 255 -5; 1 2 1 64 128 255 -6");
}
END_TEST

/* Records of all formats, each with four additional bytes. */
START_TEST(las_of_every_format)
{
    static const struct {
        unsigned minor, bytes;
        const char *said;
    } formats[] = {
        {0, 20, ""},
        {1, 28, " gps_time:f64"},
        {2, 26, " red:u16 green:u16 blue:u16"},
        {2, 34, " gps_time:f64 red:u16 green:u16 blue:u16"},
        {3, 57, " gps_time:f64"},
        {3, 63, " gps_time:f64 red:u16 green:u16 blue:u16"},
        {4, 30, " gps_time:f64"},
        {4, 36, " gps_time:f64 red:u16 green:u16 blue:u16"},
        {4, 38, " gps_time:f64 red:u16 green:u16 blue:u16 near_infrared:u16"},
        {4, 59, " gps_time:f64"},
        {4, 67, " gps_time:f64 red:u16 green:u16 blue:u16 near_infrared:u16"},
    };
    unsigned format = (unsigned)_i;
    struct bytes bytes = {.size = 0};
    char said[1024];
    bytes_las(&bytes, formats[_i].minor, format, formats[_i].bytes + 4, 1);
    size_t begin = bytes.size;
    memset(bytes.at + begin, 0, formats[_i].bytes + 4);
    bytes_whole(&bytes, 2, 4, 0), bytes_whole(&bytes, (uint64_t)-3, 4, 0), bytes_whole(&bytes, 5, 4, 0);
    bytes_whole(&bytes, 65535, 2, 0);
    bytes_whole(&bytes, 9, 1, 0);
    if (format < 6) {
        bytes_whole(&bytes, 2, 1, 0), bytes_whole(&bytes, (uint64_t)-7, 1, 0), bytes_whole(&bytes, 3, 1, 0);
        bytes_whole(&bytes, 4, 2, 0);
    } else {
        bytes_whole(&bytes, 1, 1, 0), bytes_whole(&bytes, 2, 1, 0), bytes_whole(&bytes, 3, 1, 0);
        bytes_whole(&bytes, (uint64_t)-700, 2, 0), bytes_whole(&bytes, 4, 2, 0);
    }
    bool time = strstr(formats[_i].said, "gps"), colour = strstr(formats[_i].said, "red:"),
         infrared = strstr(formats[_i].said, "infra");
    if (time) bytes_double(&bytes, 1.25, 0);
    for (int i = 0; i < 3 && colour; i++) bytes_whole(&bytes, (uint64_t)(100 + i), 2, 0);
    if (infrared) bytes_whole(&bytes, 500, 2, 0);
    ck_assert_uint_le(bytes.size, begin + formats[_i].bytes);
    bytes.size = begin + formats[_i].bytes + 4;
    snprintf(said, sizeof said, "d intensity:u16 return_flags:u8 %s%s; 11 18.5 32.5 65535 9 %s%s%s%s",
             format < 6 ? "classification:u8 scan_angle:i8 user_data:u8 point_source:u16"
                        : "class_flags:u8 classification:u8 user_data:u8 scan_angle:i16 point_source:u16",
             formats[_i].said, format < 6 ? "2 -7 3 4" : "1 2 3 -700 4", time ? " 1.25" : "",
             colour ? " 100 101 102" : "", infrared ? " 500" : "");
    check("a.las", &bytes, NULL, said);
}
END_TEST

/* Appends a descriptor of extra bytes. */
static void extra(struct bytes *bytes, unsigned type, unsigned options, const char *name)
{
    memset(bytes->at + bytes->size, 0, 192);
    bytes->at[bytes->size + 2] = (unsigned char)type;
    bytes->at[bytes->size + 3] = (unsigned char)options;
    memcpy(bytes->at + bytes->size + 4, name, strlen(name));
    bytes->size += 192;
}

/* A LAS file of one point with 14 extra bytes, of which a record describes `type` and its neighbours. */
static void las_with_extra(struct bytes *bytes, unsigned type, unsigned unknown)
{
    enum { extras = 4 };
    *bytes = (struct bytes){.size = 0};
    bytes_las(bytes, 2, 0, 20 + 14, 1);
    size_t head = bytes->size;
    for (int record = 0; record < 2; record++) { /* the first record is of another kind */
        memset(bytes->at + bytes->size, 0, 54);
        memcpy(bytes->at + bytes->size + 2, record ? "LASF_Spec" : "other", record ? 9 : 5);
        bytes->size += 18;
        bytes_whole(bytes, 4, 2, 0), bytes_whole(bytes, record ? extras * 192 : 3, 2, 0);
        bytes->size += 32;
        if (!record) bytes_text(bytes, "abc");
    }
    extra(bytes, 4, 0, "height of a point above the grou"); /* no 0 at the end */
    extra(bytes, 0, unknown, "");
    extra(bytes, type, 0, "pair");
    extra(bytes, 1, 0, "x");
    size_t begin = bytes->size;
    bytes->size = 96;
    bytes_whole(bytes, begin, 4, 0), bytes_whole(bytes, 2, 4, 0);
    bytes->size = begin;
    ck_assert_uint_eq(begin, head + 2 * 54 + 3 + extras * 192);
    memset(bytes->at + begin, 0, 34);
    bytes->size += 20;
    bytes_whole(bytes, (uint64_t)-2, 2, 0);
    bytes->size += 3;
    bytes_float(bytes, 0.5, 0), bytes_float(bytes, -1.5, 0);
    bytes_whole(bytes, 9, 1, 0);
    bytes->size = begin + 34;
}

START_TEST(las_with_extra_bytes)
{
    struct bytes bytes;
    las_with_extra(&bytes, 19, 3);
    check("a.las", &bytes, NULL,
          "d intensity:u16 return_flags:u8 classification:u8 scan_angle:i8 user_data:u8 point_source:u16 "
          "height_of_a_point_above_the_grou:i16 pair_0:f32 pair_1:f32 x:u8; 10 20 30 0 0 0 0 0 0 -2 0.5 -1.5 9");
    static const struct {
        unsigned type, unknown;
        gws_status status;
        const char *message;
    } wrong[] = {{31, 3, GWS_UNSUPPORTED, "unknown type 31"},
                 {19, 13, GWS_CORRUPT, "than in a point record: 13"},
                 {20, 3, GWS_CORRUPT, "than in a point record: 8"}};
    for (int i = 0; i < 3; i++) {
        struct gws_points_read_options options = {0};
        las_with_extra(&bytes, wrong[i].type, wrong[i].unknown);
        struct cloud_result result = cloud_read("a.las", bytes.at, bytes.size, &options);
        ck_assert_msg(result.status == wrong[i].status && strstr(result.where.message, wrong[i].message), "%d: %s", i,
                      result.where.message);
    }
}
END_TEST

START_TEST(npy_of_rows)
{
    for (int big = 0; big < 2; big++) {
        struct bytes bytes = {.size = 0};
        bytes_npy(&bytes, big ? "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 4), }"
                              : "{\"shape\":(2,4),'fortran_order':False,'descr':'<f8'}");
        for (int i = 0; i < 8; i++) bytes_double(&bytes, i + 0.5, big);
        check("a.npy", &bytes, NULL, "d column4:f64; 0.5 1.5 2.5 3.5; 4.5 5.5 6.5 7.5");
        check("a.npy", &bytes, "t:f64,x:f64,y:f64,z:f64", "d t:f64; 1.5 2.5 3.5 0.5; 5.5 6.5 7.5 4.5");
    }
}
END_TEST

START_TEST(npy_of_columns)
{
    struct bytes bytes = {.size = 0};
    bytes_npy(&bytes, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }");
    for (int i = 0; i < 6; i++) bytes_float(&bytes, (float)i, 0);
    check("a.npy", &bytes, NULL, "f; 0 2 4; 1 3 5");
}
END_TEST

START_TEST(npy_with_fields)
{
    struct bytes bytes = {.size = 0};
    bytes_npy(&bytes, "{'descr': [('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('', '|V3'), ('rgb', '|u1', (3,)), "
                      "('on', '|b1'), ('n', '<i8', (2, 1))], 'fortran_order': False, 'shape': (1,), }");
    bytes_float(&bytes, 1, 0), bytes_float(&bytes, 2, 0), bytes_float(&bytes, 3, 0);
    bytes_whole(&bytes, 0, 3, 0);
    bytes_whole(&bytes, 0x030201, 3, 0);
    bytes_whole(&bytes, 1, 1, 0);
    bytes_whole(&bytes, (uint64_t)-9, 8, 0), bytes_whole(&bytes, 9, 8, 0);
    check("a.npy", &bytes, NULL, "f rgb_0:u8 rgb_1:u8 rgb_2:u8 on:u8 n_0:i64 n_1:i64; 1 2 3 1 2 3 1 -9 9");
}
END_TEST

START_TEST(raw_numbers)
{
    struct bytes bytes = {.size = 0};
    for (int i = 0; i < 8; i++) bytes_float(&bytes, (float)i, 0);
    check("a.bin", &bytes, NULL, "f intensity:f32; 0 1 2 3; 4 5 6 7");
    bytes.size = 0;
    for (int i = 0; i < 2; i++) {
        bytes_whole(&bytes, (uint64_t)-i, 2, 0), bytes_whole(&bytes, 9, 2, 0), bytes_whole(&bytes, 8, 2, 0);
        bytes_whole(&bytes, 1, 1, 0);
    }
    check("a.bin", &bytes, "x:i16,y:u16,z:i16,-:u8", "f; 0 9 8; -1 9 8");
    bytes.size = 0;
    check("empty.bin", &bytes, NULL, "f intensity:f32");
}
END_TEST

/* More rows than one batch of a stream. */
START_TEST(many_rows_of_a_stream)
{
    enum { rows = 600000 };
    struct gws_options threads = {.threads = 3};
    struct gws_runtime *runtime = NULL;
    struct gws_points_read_options options = {.format = GWS_POINTS_RAW};
    float *data = malloc(rows * 16);
    for (int i = 0; i < 4 * rows; i++) data[i] = (float)i;
    ck_assert_int_eq(gws_runtime_open(&threads, &runtime), GWS_OK);
    for (int stream = 0; stream < 2; stream++) {
        struct gws_points points = {0};
        struct gws__input input;
        ck_assert_int_eq(gws_input_of(&input, runtime, data, rows * 16, "a", stream, NULL), GWS_OK);
        ck_assert_int_eq(gws__points_read_input(&input, &options, &points), GWS_OK);
        gws__input_close(&input);
        ck_assert_uint_eq(points.count, rows);
        for (int i = 0; i < rows; i++)
            if (((float *)points.z)[i] != (float)(4 * i + 2)) ck_abort_msg("row %d", i);
        gws_points_clear(&points);
    }
    gws_runtime_close(runtime);
    free(data);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{ply_of_both_ends, 1},      {pcd_with_padding, 1},
                                    {las_of_every_format, 11},  {las_with_extra_bytes, 1},
                                    {npy_of_rows, 1},           {npy_of_columns, 1},
                                    {npy_with_fields, 1},       {raw_numbers, 1},
                                    {many_rows_of_a_stream, 1}, {0}};
    return gws_test_run("points from bytes", test);
}
