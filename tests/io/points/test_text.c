/* SPDX-License-Identifier: MIT */
/* Text formats: rows of numbers, PLY and PCD in ASCII. The tests list the expected points. */
#define _GNU_SOURCE
#include "../../harness.h"

#include "cloud.h"

struct text_sample {
    const char *name, *text, *said, *columns;
};

static const struct text_sample samples[] = {
    {"plain.xyz", "1 2 3\n4 5 6\n", "d; 1 2 3; 4 5 6", NULL},
    {"no_feed.xyz", "1 2 3\n4 5 6", "d; 1 2 3; 4 5 6", NULL},
    {"crlf.xyz", "1 2 3\r\n4 5 6\r\n", "d; 1 2 3; 4 5 6", NULL},
    {"spaced.xyz", "  1\t 2   3  \n\n  \n4 5 6\n\n", "d; 1 2 3; 4 5 6", NULL},
    {"signs.xyz", "-1 +2.5 -.5\n1e3 1E-2 5.\n", "d; -1 2.5 -0.5; 1000 0.01 5", NULL},
    {"long.xyz", "0.12345678901234567 123456789012345678901 -1.7976931348623157e308\n",
     "d; 0.12345678901234566 1.2345678901234568e+20 -1.7976931348623157e+308", NULL},
    {"special.xyz", "nan NaN -inf\n1 Infinity 2\n", "d; nan nan -inf; 1 inf 2", NULL},
    {"four.xyz", "1 2 3 9\n4 5 6 8\n", "d column4:f64; 1 2 3 9; 4 5 6 8", NULL},
    {"commented.xyz", "# made by hand\n1 2 3\n# between\n4 5 6\n", "d; 1 2 3; 4 5 6", NULL},
    {"named_comment.txt", "# x y z intensity\n1 2 3 4\n", "d intensity:f64; 1 2 3 4", NULL},
    {"cloud_compare.asc", "//X Y Z R\n1 2 3 4\n", "d R:f64; 1 2 3 4", NULL},
    {"names.csv", "x,y,z,red\n1,2,3,255\n4,5,6,0\n", "d red:f64; 1 2 3 255; 4 5 6 0", NULL},
    {"mixed.csv", "red,Z,\"Y\",X\n255,3,2,1\n", "d red:f64; 1 2 3 255", NULL},
    {"spaces.csv", "x, y, z\n1 , 2 ,3\n", "d; 1 2 3", NULL},
    {"semicolons.csv", "x;y;z\n1;2;3\n", "d; 1 2 3", NULL},
    {"tabs.tsv", "x\ty\tz\n1\t2\t3\n", "d; 1 2 3", NULL},
    {"empty_fields.csv", "x,y,z,a,b\n1,,3,,5\n1,2,3,4,\n", "d a:f64 b:f64; 1 nan 3 nan 5; 1 2 3 4 nan", NULL},
    {"no_names.csv", "1,2,3\n4,5,6\n", "d; 1 2 3; 4 5 6", NULL},
    {"twice.csv", "x,y,z,a,a,x\n1,2,3,4,5,6\n", "d a_4:f64 a:f64 x:f64; 1 2 3 4 5 6", NULL},
    {"odd_names.csv", "x , y,z,Int'ens\\ity (a. u.),,<b>\n1,2,3,4,5,6\n",
     "d Int_ens_ity_(a._u.):f64 column:f64 _b_:f64; 1 2 3 4 5 6", NULL},
    {"one_odd_letter.csv", "x,y,z,<\n1,2,3,4\n", "d column:f64; 1 2 3 4", NULL},
    {"other_names.csv", "lon,lat,height\n1,2,3\n", "d; 1 2 3", NULL},
    {"counted.pts", "2\n1 2 3\n4 5 6\n", "d; 1 2 3; 4 5 6", NULL},
    {"units.csv", "x,\"y\",z,t (10 s),%\n1,2,3,4,5\n", "d t_(10_s):f64 %:f64; 1 2 3 4 5", NULL},
    {"index.csv", ",x,y,z\n0,1,2,3\n", "d column:f64; 1 2 3 0", NULL},
    {"title.xyz", "2\nAtoms. Timestep: 0\n1 2 3\n4 5 6\n", "d; 1 2 3; 4 5 6", NULL},
    {"zeros.pts", "002\n1 2 3\n4 5 6\n", "d; 1 2 3; 4 5 6", NULL},
    {"names_only.csv", "x,y,z\n", "d", NULL},
    {"nothing.xyz", "", "d", NULL},
    {"blank.xyz", "\n\n", "d", NULL},
    {"chosen.xyz", "1 2 3 4 word\n", "d a:u8; 3 2 1 4", "z,y,x,a:u8,-"},
    {"kinds.xyz", "1 2 3 -128 65535 18446744073709551615 -9223372036854775808 2.5\n",
     "f a:i8 b:u16 c:u64 d:i64 e:f32; 1 2 3 -128 65535 18446744073709551615 -9223372036854775808 2.5",
     "x:f32,y:f32,z:f32,a:i8,b:u16,c:u64,d:i64,e:f32"},
    {"whole.xyz", "1 2 3 7.0 1e2\n", "d a:i32 b:u8; 1 2 3 7 100", "x,y,z,a:i32,b:u8"},
    {"named.csv", "x,y,z\n1,2,3\n", "d; 3 1 2", "y,z,x"},
    {"by_content", "1.5 2 3\n", "d; 1.5 2 3", NULL},
    {"plain.ply",
     "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
     "end_header\n1 2 3\n4 5 6\n",
     "f; 1 2 3; 4 5 6", NULL},
    {"crlf.ply",
     "ply\r\nformat ascii 1.0\r\nelement vertex 1\r\nproperty float x\r\nproperty float y\r\n"
     "property float z\r\nend_header\r\n1 2 3\r\n",
     "f; 1 2 3", NULL},
    {"kinds.ply",
     "ply\ncomment first\nformat ascii 1.0\nobj_info x\nelement vertex 1\nproperty double x\n"
     "property float y\nproperty int z\nproperty uchar red\nproperty int16 q\nproperty uint32 r\n"
     "property char s\nend_header\n0.1 0.5 7 255 -3 4294967295 -128\n",
     "d red:u8 q:i16 r:u32 s:i8; 0.10000000000000001 0.5 7 255 -3 4294967295 -128", NULL},
    {"faces.ply",
     "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
     "element face 2\nproperty list uchar int vertex_indices\nend_header\n1 2 3\n4 5 6\n7 8 9\n"
     "3 0 1 2\n3 2 1 0\n",
     "f; 1 2 3; 4 5 6; 7 8 9", NULL},
    {"faces_no_feed.ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
     "property float z\nelement face 1\nproperty list uchar int i\nend_header\n1 2 3",
     "f; 1 2 3", NULL},
    {"first.ply",
     "ply\nformat ascii 1.0\nelement camera 2\nproperty float a\nproperty list uchar int b\n"
     "element vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3 4\n9\n7 8 9\n",
     "f; 7 8 9", NULL},
    {"none.ply",
     "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\n"
     "end_header\n",
     "f", NULL},
    {"plain.pcd",
     "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\n"
     "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ascii\n1 2 3\nnan nan nan\n",
     "f; 1 2 3; nan nan nan", NULL},
    {"kinds.pcd",
     "# .PCD v0.7\nFIELDS x y z rgb label _ v\nSIZE 8 8 8 4 1 4 2\nTYPE F F F F U F I\nCOUNT 1 1 1 1 1 2 3\n"
     "WIDTH 1\nHEIGHT 1\nDATA ascii\n1 2 3 4.5 255 0 0 -1 -2 -3\n",
     "d rgb:f32 label:u8 v_0:i16 v_1:i16 v_2:i16; 1 2 3 4.5 255 -1 -2 -3", NULL},
    {"long.pcd",
     "# .PCD v0.7\nFIELDS x y z t\nSIZE 4 4 4 8\nTYPE F F F U\nWIDTH 1\nDATA ascii\n"
     "1 2 3 18446744073709551615\n",
     "f t:u64; 1 2 3 18446744073709551615", NULL},
};

START_TEST(reads_what_is_there)
{
    const struct text_sample *sample = &samples[_i];
    struct gws_points_read_options options = {.columns = sample->columns};
    const char *said = sample->said;
    struct cloud_result result = cloud_read(sample->name, sample->text, strlen(sample->text), &options);
    ck_assert_msg(result.status == GWS_OK, "%s: %s, line %llu, column %llu", sample->name, result.where.message,
                  (unsigned long long)result.where.line, (unsigned long long)result.where.column);
    ck_assert_msg(strcmp(result.text, said) == 0, "%s: %s", sample->name, result.text);
    char marked[2048]; /* a byte-order mark does not change the result */
    int size = snprintf(marked, sizeof marked, "\xef\xbb\xbf%s", sample->text);
    result = cloud_read(sample->name, marked, (size_t)size, &options);
    ck_assert_msg(result.status == GWS_OK && strcmp(result.text, said) == 0, "%s: %s%s", sample->name, result.text,
                  result.where.message);
}
END_TEST

/* A file has more rows than a chunk. All ways of reading preserve the order of the rows. */
START_TEST(many_rows_in_order)
{
    enum { rows = 20000 };
    struct gws_options threads = {.threads = 3};
    struct gws_runtime *runtime = NULL;
    struct gws_points_read_options options = {0};
    char *text = malloc(rows * 40), *at = text;
    for (int i = 0; i < rows; i++) at += sprintf(at, "%d.%03d %d %g\n", i, i % 1000, -i, i / 7.0);
    ck_assert_int_eq(gws_runtime_open(&threads, &runtime), GWS_OK);
    for (int mode = 0; mode < 4; mode++) {
        struct gws_points points = {0};
        struct gws__input input;
        size_t size = (size_t)(at - text);
        ck_assert_int_eq(gws_input_of(&input, runtime, text, size, "many.xyz", mode & 1, NULL), GWS_OK);
        input.chunk_size = mode & 2 ? 4096 : 65536;
        ck_assert_int_eq(gws__points_read_input(&input, &options, &points), GWS_OK);
        gws__input_close(&input);
        ck_assert_uint_eq(points.count, rows);
        for (int i = 0; i < rows; i++)
            if (((double *)points.y)[i] != -i || (int)((double *)points.x)[i] != i) ck_abort_msg("row %d", i);
        gws_points_clear(&points);
    }
    gws_runtime_close(runtime);
    free(text);
}
END_TEST

START_TEST(precision_by_option)
{
    const enum gws_precision precisions[] = {GWS_PRECISION_FILE, GWS_PRECISION_FLOAT, GWS_PRECISION_DOUBLE};
    const char *const said[] = {"d; 0.10000000000000001 0 0", "f; 0.100000001 0 0", "d; 0.10000000000000001 0 0"};
    for (int i = 0; i < 3; i++) {
        struct gws_points_read_options options = {.precision = precisions[i]};
        ck_assert_str_eq(cloud_read("a.xyz", "0.1 0 0\n", 8, &options).text, said[i]);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{reads_what_is_there, sizeof samples / sizeof *samples},
                                    {many_rows_in_order, 1},
                                    {precision_by_option, 1},
                                    {0}};
    return gws_test_run("points from text", test);
}
