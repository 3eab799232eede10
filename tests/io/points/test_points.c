/* SPDX-License-Identifier: MIT */
/* Malformed files, and the messages about them. */
#define _GNU_SOURCE
#include "../../harness.h"

#include "bytes.h"
#include "cloud.h"

struct mistake {
    const char *name, *text;
    gws_status status;
    uint64_t line, column;
    const char *message; /* a part of the message */
    const char *columns;
};

#define PLY                                                                                                            \
    "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
#define PCD "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\n"

static const struct mistake mistakes[] = {
    {"a.xyz", "1 2 3\n4 x 6\n", GWS_SYNTAX, 2, 3, "expected a number, found 'x'", NULL},
    {"a.xyz", "1 2 3\n4 5\n", GWS_SYNTAX, 2, 4, "expected column 3 of 3, found the end of the line", NULL},
    {"a.xyz", "1 2 3\n4 5 6 7\n", GWS_SYNTAX, 2, 7, "expected the end of the line, found '7'", NULL},
    {"a.xyz", "1 2 3\n4 5 6e\n", GWS_SYNTAX, 2, 5, "expected a number, found '6e'", NULL},
    {"a.xyz", "1 2 3\n4 5 1.2.3\n", GWS_SYNTAX, 2, 5, "expected a number, found '1.2.3'", NULL},
    {"a.xyz", "1 2 3\n4 5 0x10\n", GWS_SYNTAX, 2, 5, "expected a number", NULL},
    {"a.xyz", "1 2 3\n4,,6\n4 5\n", GWS_SYNTAX, 3, 4, "expected column 3 of 3", NULL},
    {"a.xyz", "1 2\n", GWS_SYNTAX, 1, 1, "at least three columns, found 2", NULL},
    {"a.xyz", "hello\nworld\n", GWS_SYNTAX, 1, 1, "a row of numbers or the names of columns", NULL},
    {"a.xyz", "hello\n", GWS_SYNTAX, 0, 0, "no columns called x, y and z", NULL},
    {"a.xyz", "1.5.2 0 0\n1 1 1\n", GWS_SYNTAX, 1, 1, "the names of columns, found '1.5.2'", NULL},
    {"a.xyz", "1e9x 0 0\n1 1 1\n", GWS_SYNTAX, 1, 1, "found '1e9x'", NULL},
    {"a.xyz", "  0 0 0x\n1 1 1\n", GWS_SYNTAX, 1, 7, "found '0x'", NULL},
    {"a.xyz", "  0 0 0x\n1 1 1\n", GWS_SYNTAX, 1, 7, "found '0x'", "x,y,z"},
    {"a.xyz", "-.5.1 0 0\n1 1 1\n", GWS_SYNTAX, 1, 1, "found '-.5.1'", NULL},
    {"a.xyz", "x 0 0\n1 1 1\n", GWS_SYNTAX, 1, 3, "found '0'", NULL},
    {"a.xyz", "2\n0 0 0x\n1 1 1\n2 2 2\n", GWS_SYNTAX, 2, 5, "found '0x'", NULL},
    {"a.xyz", "a b c d\n1 1 1\n", GWS_SYNTAX, 1, 1, "4 names of columns, but the first row has 3", NULL},
    {"a.xyz", "0 0 0\r1 1 1\r2 2 2\r", GWS_SYNTAX, 1, 6, "a carriage return within a line", NULL},
    {"a.xyz", "# a\r1 1 1\r2 2 2\r", GWS_SYNTAX, 1, 4, "a carriage return within a line", NULL},
    {"a.xyz", "0 0 0\n1 1 1\r2 2 2\r", GWS_SYNTAX, 2, 6, "a carriage return within a line", NULL},
    {"a.xyz",
     "\xff\xfe"
     "0",
     GWS_UNSUPPORTED, 1, 1, "UTF-16", NULL},
    {"a.pts", "18446744073709551615\n1 2 3\n", GWS_TRUNCATED, 0, 0, "18446744073709551615 points declared", NULL},
    {"a.pts", "18446744073709551616\n1 2 3\n", GWS_TOO_LARGE, 1, 1, "64 bits", NULL},
    {"a.pts", "3\n1 2 3\n4 5 6\n", GWS_TRUNCATED, 0, 0, "3 points declared, 2 found", NULL},
    {"a.pts", "1\n1 2 3\n4 5 6\n", GWS_SYNTAX, 0, 0, "1 points declared, 2 found", NULL},
    {"a.csv", "x,y,z,n\n1,2,3\n", GWS_SYNTAX, 2, 6, "expected column 4 of 4", NULL},
    {"a.csv", "1,2,3,256\n", GWS_OUT_OF_RANGE, 1, 7, "'256' does not fit in u8", "x,y,z,a:u8"},
    {"a.csv", "1,2,3,-1\n", GWS_OUT_OF_RANGE, 1, 7, "'-1' does not fit in u16", "x,y,z,a:u16"},
    {"a.csv", "1,2,3,1.5\n", GWS_OUT_OF_RANGE, 1, 7, "'1.5' does not fit in i32", "x,y,z,a:i32"},
    {"a.csv", "1,2,3,nan\n", GWS_OUT_OF_RANGE, 1, 7, "'nan' does not fit in i32", "x,y,z,a:i32"},
    {"a.csv", "1,2,3,\n", GWS_SYNTAX, 1, 7, "expected a number, found the end of the line", "x,y,z,a:i32"},
    {"a.csv", "1,2,3,18446744073709551616\n", GWS_OUT_OF_RANGE, 1, 7, "does not fit in u64", "x,y,z,a:u64"},
    {"a.csv", "1,2,3,9223372036854775808\n", GWS_OUT_OF_RANGE, 1, 7, "does not fit in i64", "x,y,z,a:i64"},
    {"a.csv", "1,2,3,-9223372036854775809\n", GWS_OUT_OF_RANGE, 1, 7, "does not fit in i64", "x,y,z,a:i64"},
    {"a.csv", "1,2,3,1.5\n", GWS_SYNTAX, 1, 7, "expected a whole number", "x,y,z,a:i64"},
    {"a.csv", "1,2,3\n", GWS_INVALID, 0, 0, "column 2 of", "x,,z"},
    {"a.csv", "1,2,3\n", GWS_INVALID, 0, 0, "column 3 of", "x,y,z:f16"},
    {"a.csv", "1,2,3\n", GWS_SYNTAX, 0, 0, "no columns called x, y and z among 3", "x,y,height"},
    {"a.ply", PLY "1 2 3\n", GWS_TRUNCATED, 0, 0, "2 points declared, 1 found", NULL},
    {"a.ply", PLY "1 2 3\n4 5 6\n7 8 9\n", GWS_SYNTAX, 0, 0, "2 points declared, 3 found", NULL},
    {"a.ply", PLY "1 2 3\n4 , 6\n", GWS_SYNTAX, 9, 3, "expected a number, found ','", NULL},
    {"a.ply", PLY "1 2 3\n4 5 z\n", GWS_SYNTAX, 9, 5, "expected a number, found 'z'", NULL},
    {"a.ply", PLY, GWS_TRUNCATED, 0, 0, "2 points declared, 0 found", NULL},
    {"a.ply", PLY, GWS_INVALID, 0, 0, "files of the format ply name their own columns", "x,y,z"},
    {"a.ply", "ply\n", GWS_TRUNCATED, 2, 1, "\"format", NULL},
    {"a.ply", "plx\n", GWS_SYNTAX, 1, 1, "expected \"ply\", found 'plx'", NULL},
    {"a.ply", "ply\nformat ascii 2.0\n", GWS_SYNTAX, 2, 14, "expected 1.0, found '2.0'", NULL},
    {"a.ply", "ply\nformat text 1.0\n", GWS_SYNTAX, 2, 8, "found 'text'", NULL},
    {"a.ply", "ply\nelement vertex 1\n", GWS_SYNTAX, 2, 1, "found 'element'", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nproperty float x\n", GWS_SYNTAX, 3, 1, "found 'property'", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex\n", GWS_SYNTAX, 3, 15, "expected the number of elements", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex -1\n", GWS_SYNTAX, 3, 16, "found '-1'", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 18446744073709551616\n", GWS_TOO_LARGE, 3, 16, "64 bits", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n", GWS_SYNTAX, 4, 15, "expected one name",
     NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", GWS_SYNTAX, 4, 10, "expected a type", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int x\n", GWS_UNSUPPORTED, 4, 1, "a list",
     NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n", GWS_SYNTAX, 4, 9, "one element", NULL},
    {"a.ply",
     "ply\nformat ascii 1.0\nelement face 9\nproperty int a\nelement vertex 0\nproperty float x\n"
     "property float y\nproperty float z\nend_header\n1\n",
     GWS_TRUNCATED, 0, 0, "8 more lines declared before the points", NULL},
    {"a.ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
     "element face 18446744073709551615\nproperty char a\nend_header\n1 2 3\n",
     GWS_TOO_LARGE, 9, 1, "2^63 bytes", NULL},
    {"a.ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
     "element face 1000\nproperty list uchar int a\nend_header\n1 2 3\n",
     GWS_TRUNCATED, 0, 0, "1000 lines declared after the points in only", NULL},
    {"a.ply",
     "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
     "property float z\nelement face 5\nproperty list uchar int a\nend_header\n0123456789ab0000",
     GWS_TRUNCATED, 0, 0, "5 bytes declared after the points, found 4", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty int a\nend_header\n", GWS_SYNTAX, 5, 1,
     "no element \"vertex\"", NULL},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n", GWS_SYNTAX, 0, 0,
     "no columns called x, y and z among 1", NULL},
    {"a.ply", "ply\nformat binary_little_endian 1.0\nelement a 2\nproperty list uchar int x\nelement vertex 1\n",
     GWS_UNSUPPORTED, 5, 1, "lists before the vertices", NULL},
    {"a.ply", "ply\nformat binary_little_endian 1.0\nelement a 9223372036854775807\nproperty int x\nelement vertex 1\n",
     GWS_TOO_LARGE, 5, 1, "2^63", NULL},
    {"a.ply",
     "ply\nformat binary_little_endian 1.0\nelement vertex 9223372036854775807\nproperty int x\n"
     "property int y\nproperty int z\nend_header\n0123456789ab",
     GWS_TRUNCATED, 0, 0, "9223372036854775807 rows of 12 bytes declared, found 1", NULL},
    {"a.pcd", PCD "DATA ascii\n1 2 3\n", GWS_TRUNCATED, 0, 0, "2 points declared, 1 found", NULL},
    {"a.pcd", PCD "DATA binary\n0123456789ab0123456789a", GWS_TRUNCATED, 0, 0, "found 1, to byte 120", NULL},
    {"a.pcd", PCD "DATA binary_compressed\n", GWS_UNSUPPORTED, 9, 6, "compressed PCD", NULL},
    {"a.pcd", PCD "DATA other\n", GWS_SYNTAX, 9, 6, "ascii or binary, found 'other'", NULL},
    {"a.pcd", PCD, GWS_TRUNCATED, 9, 1, "expected \"DATA\"", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4\nTYPE F F F\nWIDTH 1\nDATA ascii\n1 2 3\n", GWS_SYNTAX, 3, 9,
     "a size for each field", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4 4\nTYPE F F F\nWIDTH 1\nDATA ascii\n1 2 3\n", GWS_SYNTAX, 3, 12,
     "as many tokens", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 3\nTYPE F F F\nWIDTH 1\nDATA ascii\n1 2 3\n", GWS_SYNTAX, 4, 10,
     "expected I, U or F", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 q\nWIDTH 1\nDATA ascii\n", GWS_SYNTAX, 5,
     11, "expected a number from 1 on for each field", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z a\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 5000\nWIDTH 1\nDATA ascii\n",
     GWS_TOO_LARGE, 7, 0, "too many columns", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nTYPE F F F\nWIDTH 1\nDATA ascii\n", GWS_SYNTAX, 5, 1, "no line \"SIZE\"",
     NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nDATA ascii\n", GWS_SYNTAX, 5, 1, "neither", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 2\nHEIGHT 3\nPOINTS 5\nDATA ascii\n",
     GWS_SYNTAX, 7, 1, "5 POINTS, but WIDTH times HEIGHT is 6", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 9999999999\nHEIGHT 9999999999\nDATA ascii\n",
     GWS_TOO_LARGE, 5, 1, "64 bits", NULL},
    {"a.pcd", "# .PCD v0.7\nWIDTH 2\nWIDTH 3\n", GWS_SYNTAX, 3, 1, "each line of the header once", NULL},
    {"a.pcd", "# .PCD v0.7\nWIDTH 2 3\n", GWS_SYNTAX, 2, 9, "the end of the line", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nHEIGHT 2\nPOINTS 2\nDATA ascii\n", GWS_SYNTAX, 5, 1,
     "\"HEIGHT\" without", NULL},
    {"a.pcd", "# .PCD v0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 0\nWIDTH 1\nDATA ascii\n", GWS_SYNTAX, 5,
     11, "expected a number from 1 on", NULL},
    {"a.pcd", "# .PCD v0.7\nHELLO\n", GWS_SYNTAX, 2, 1, "a line of a PCD header", NULL},
    {"a.bin", "0123456789abcdef012", GWS_TRUNCATED, 0, 0, "row 2 is truncated at byte 19", NULL},
    {"a.hdf5", "\x89HDF\r\n", GWS_UNSUPPORTED, 0, 0, "HDF5 files need libgraphws-hdf5: ", NULL},
    {"a.hdf5", "\x89HDF\r\n", GWS_INVALID, 0, 0, "files of the format hdf5 name their own columns", "x,y,z"},
    {"a.las", "LASX", GWS_UNKNOWN_FORMAT, 0, 0, "not a LAS file", NULL},
    {"a.las", "LASF", GWS_TRUNCATED, 0, 0, "the head ends at byte 4", NULL},
    {"a.npy", "NUMPY", GWS_UNKNOWN_FORMAT, 0, 0, "not a .npy file", NULL},
    {"a.npy", "\x93NUMPY\1", GWS_TRUNCATED, 0, 0, "truncated head", NULL},
    {"a.npy", "\x93NUMPY\1_\4_hel", GWS_TRUNCATED, 0, 0, "truncated head", NULL},
    {"a.npy", "\x93NUMPY\7____hell", GWS_UNSUPPORTED, 0, 0, "version other than 1 to 3", NULL},
    {"a.gwsp", "hello", GWS_UNKNOWN_FORMAT, 0, 0, "not a .gwsp file", NULL},
    {"a.gwsp", "\x89GWSP\r\n\x1a", GWS_TRUNCATED, 0, 0, "ends after 8 bytes", NULL},
    {"a.vtp", "hello\1", GWS_UNSUPPORTED, 0, 0, "can only be written", NULL},
    {"unknown", "\1\2\3", GWS_UNKNOWN_FORMAT, 0, 0, "neither the content nor", NULL},
    {"unknown", "", GWS_UNKNOWN_FORMAT, 0, 0, "neither the content nor", NULL},
};

START_TEST(says_what_is_wrong)
{
    const struct mistake *mistake = &mistakes[_i];
    struct gws_points_read_options options = {.columns = mistake->columns};
    struct cloud_result result = cloud_read(mistake->name, mistake->text, strlen(mistake->text), &options);
    ck_assert_msg(result.status == mistake->status && result.where.line == mistake->line &&
                      result.where.column == mistake->column && strstr(result.where.message, mistake->message),
                  "%s \"%s\": %s: %llu:%llu: %s", mistake->name, mistake->text, gws_status_text(result.status),
                  (unsigned long long)result.where.line, (unsigned long long)result.where.column, result.where.message);
}
END_TEST

static const struct {
    const char *dictionary, *message;
    gws_status status;
} bad_npy[] = {
    {"[1]", "expected '{'", GWS_SYNTAX},
    {"{}", "expected 'descr'", GWS_SYNTAX},
    {"{'descr': '<f4', 'fortran_order': False}", "expected 'descr'", GWS_SYNTAX},
    {"{'descr': '<f4', 'descr': '<f4'}", "duplicate", GWS_SYNTAX},
    {"{'other': 1}", "expected 'descr', 'fortran_order' or 'shape'", GWS_SYNTAX},
    {"{'descr': 4}", "expected a type", GWS_SYNTAX},
    {"{'descr': '<f2'}", "neither integer nor", GWS_UNSUPPORTED},
    {"{'descr': '<c16'}", "neither integer nor", GWS_UNSUPPORTED},
    {"{'descr': '|V4'}", "without numbers", GWS_UNSUPPORTED},
    {"{'descr': [('x')]}", "expected a field", GWS_SYNTAX},
    {"{'descr': [('x', '<f4')", "expected a field", GWS_SYNTAX},
    {"{'descr': [('x', '<f4'), ('y', '>f4')]}", "different byte orders", GWS_UNSUPPORTED},
    {"{'descr': [('x', '<f4', (2000,))]}", "too many numbers", GWS_UNSUPPORTED},
    {"{'descr': [('x', '<f4', (1, 1, 1))]}", "too many numbers", GWS_UNSUPPORTED},
    {"{'descr': '<f4', 'fortran_order': 0}", "True or False", GWS_SYNTAX},
    {"{'shape': 5}", "expected '('", GWS_SYNTAX},
    {"{'shape': (4 3)}", "expected ',' or ')'", GWS_SYNTAX},
    {"{'shape': (4, 3), 'shape': (2, 3)}", "duplicate 'shape'", GWS_SYNTAX},
    {"{'fortran_order': True, 'fortran_order': True}", "duplicate 'fortran_order'", GWS_SYNTAX},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3)} 5", "the end of the head", GWS_SYNTAX},
    {"{'shape': (x)}", "a number of a shape", GWS_SYNTAX},
    {"{'shape': (99999999999999999999,)}", "64 bits", GWS_TOO_LARGE},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2)}", "three columns or more", GWS_UNSUPPORTED},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (12,)}", "three columns or more", GWS_UNSUPPORTED},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2000)}", "too many columns", GWS_TOO_LARGE},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3)}", "4 rows of 12 bytes declared, found 0",
     GWS_TRUNCATED},
    {"{'descr': '<f4', 'fortran_order': True, 'shape': (4, 3)}", "4 rows of 12 bytes declared, found 0", GWS_TRUNCATED},
    {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (4, 3)}", "must have one dimension", GWS_UNSUPPORTED},
    {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (4,)}", "no columns called", GWS_SYNTAX},
};

START_TEST(npy_that_is_wrong)
{
    struct bytes bytes = {.size = 0};
    struct gws_points_read_options options = {0};
    struct gws_runtime *runtime = NULL;
    bytes_npy(&bytes, bad_npy[_i].dictionary);
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct cloud_result result = cloud_read_input(runtime, "a.npy", bytes.at, bytes.size, &options, false, 0);
    ck_assert_msg(result.status == bad_npy[_i].status && strstr(result.where.message, bad_npy[_i].message),
                  "%s: %s: %s", bad_npy[_i].dictionary, gws_status_text(result.status), result.where.message);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(las_that_is_wrong)
{
    static const struct {
        unsigned at, value;
        gws_status status;
        const char *message;
    } changes[] = {{24, 2, GWS_UNSUPPORTED, "only 1.0 to 1.4"},
                   {25, 5, GWS_UNSUPPORTED, "only 1.0 to 1.4"},
                   {104, 11, GWS_UNSUPPORTED, "point format 11"},
                   {105, 19, GWS_CORRUPT, "too short: bytes 19"},
                   {96, 1, GWS_CORRUPT, "within the head, at byte 1"},
                   {107, 3, GWS_TRUNCATED, "3 rows of 20 bytes declared, found 2"},
                   {98, 1, GWS_TRUNCATED, "rows begin after byte 65763, but the input ends at byte 267"},
                   {94, 226, GWS_CORRUPT, "the head is too short: bytes 226"},
                   {95, 1, GWS_CORRUPT, "within the head, at byte 227"},
                   {100, 1, GWS_CORRUPT, "more variable records than fit before the points: 1"},
                   {138, 0x7f, GWS_CORRUPT, "not finite: axis 0"}};
    struct bytes bytes = {.size = 0};
    struct gws_points_read_options options = {0};
    bytes_las(&bytes, 2, 0, 20, 2);
    memset(bytes.at + bytes.size, 0, 40);
    bytes.size += 40;
    if (changes[_i].at == 138) bytes.at[137] = 0xf0;
    bytes.at[changes[_i].at] = (unsigned char)changes[_i].value;
    struct cloud_result result = cloud_read("a.las", bytes.at, bytes.size, &options);
    ck_assert_msg(result.status == changes[_i].status && strstr(result.where.message, changes[_i].message),
                  "%d: %s: %s", _i, gws_status_text(result.status), result.where.message);
}
END_TEST

/* Version 1.4 has a longer head, two numbers of points, and records after them. */
START_TEST(las_14_that_is_wrong)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
        gws_status status;
        const char *message;
    } changes[] = {{96, 4, 227, GWS_CORRUPT, "within the head, at byte 227"},
                   {94, 2, 227, GWS_CORRUPT, "the head is too short: bytes 227"},
                   {107, 4, 1, GWS_CORRUPT, "2 points declared, but the 32-bit count is 1"},
                   {247, 8, UINT64_MAX, GWS_TRUNCATED, "18446744073709551615 rows of 20 bytes declared, found 2"},
                   {243, 4, 1, GWS_CORRUPT, "records begin within the points, at byte 0"},
                   {243, 4, UINT64_C(1) << 32 | 415, GWS_TRUNCATED, "bytes declared after the points, found 0"}};
    struct gws_points_read_options options = {0};
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct bytes bytes = {.size = 0};
        bytes_las(&bytes, 4, 0, 20, 2);
        memset(bytes.at + bytes.size, 0, 40);
        bytes.size = changes[i].at;
        if (changes[i].value >> 32 == 1) { /* records that begin at the end of the points */
            bytes.size = 235;
            bytes_whole(&bytes, 415, 8, 0);
            bytes_whole(&bytes, 2, 4, 0);
        } else {
            bytes_whole(&bytes, changes[i].value, changes[i].bytes, 0);
        }
        struct cloud_result result = cloud_read("a.las", bytes.at, 415, &options);
        ck_assert_msg(result.status == changes[i].status && strstr(result.where.message, changes[i].message),
                      "%u: %s: %s", i, gws_status_text(result.status), result.where.message);
    }
}
END_TEST

/* The reader allocates no memory for the large declared counts of a short file. */
START_TEST(lies_cost_nothing)
{
    static const char text[] = "ply\nformat binary_little_endian 1.0\nelement vertex 100000000000\nproperty float x\n"
                               "property float y\nproperty float z\nend_header\n0123456789ab";
    for (int stream = 0; stream < 2; stream++) {
        struct gws_test_memory memory = {0};
        struct gws_options threads = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_points_read_options options = {0};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&threads, &runtime), GWS_OK);
        struct cloud_result result = cloud_read_input(runtime, "a.ply", text, sizeof text - 1, &options, stream, 0);
        ck_assert_int_eq(result.status, GWS_TRUNCATED);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        ck_assert_uint_lt(memory.peak, 8 << 20);
    }
}
END_TEST

START_TEST(missing_file)
{
    struct gws_runtime *runtime = NULL;
    struct gws_points points = {.count = 7};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_int_eq(gws_points_read(runtime, gws_test_temp("missing.ply"), NULL, &points, &where), GWS_SYSTEM);
    ck_assert_uint_eq(points.count, 7);
    ck_assert_ptr_nonnull(strstr(where.message, "cannot open"));
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{says_what_is_wrong, sizeof mistakes / sizeof *mistakes},
                                    {npy_that_is_wrong, sizeof bad_npy / sizeof *bad_npy},
                                    {las_that_is_wrong, 11},
                                    {las_14_that_is_wrong, 1},
                                    {lies_cost_nothing, 1},
                                    {missing_file, 1},
                                    {0}};
    return gws_test_run("mistakes in files of points", test);
}
