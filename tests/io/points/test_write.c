/* SPDX-License-Identifier: MIT */
/* Points written to files and read back. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "../../harness.h"

#include <math.h>
#include <xxhash.h>

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

enum { few = 3, all_columns = 10 };

/* Makes points with a column of each kind, which contains the extreme values of the kind. */
static struct gws_points sample(bool is_double, uint32_t columns)
{
    static const int8_t i8[few] = {-128, 0, 127};
    static const uint8_t u8[few] = {0, 7, 255};
    static const int16_t i16[few] = {-32768, 0, 32767};
    static const uint16_t u16[few] = {0, 7, 65535};
    static const int32_t i32[few] = {INT32_MIN, 0, INT32_MAX};
    static const uint32_t u32[few] = {0, 7, UINT32_MAX};
    static const float f32[few] = {0.1F, -3e38F, 1e-40F};
    static const double f64[few] = {0.1, -1.7e308, 5e-324};
    static const int64_t i64[few] = {INT64_MIN, 0, INT64_MAX};
    static const uint64_t u64[few] = {0, 7, UINT64_MAX};
    static const void *const data[all_columns] = {i8, u8, i16, u16, i32, u32, f32, f64, i64, u64};
    static const enum gws_number_kind kind[all_columns] = {
        GWS_NUMBER_I8,  GWS_NUMBER_U8,  GWS_NUMBER_I16, GWS_NUMBER_U16, GWS_NUMBER_I32,
        GWS_NUMBER_U32, GWS_NUMBER_F32, GWS_NUMBER_F64, GWS_NUMBER_I64, GWS_NUMBER_U64};
    struct gws_points_column column[all_columns] = {0};
    struct gws_points points = {0};
    for (uint32_t c = 0; c < columns; c++) {
        snprintf(column[c].name, sizeof column[c].name, "c%u", c);
        column[c].kind = kind[c];
    }
    ck_assert_int_eq(gws_points_make(runtime, few, is_double, columns, column, &points), GWS_OK);
    for (uint32_t c = 0; c < columns; c++) memcpy(points.column[c].data, data[c], few * gws_number_bytes(kind[c]));
    for (int i = 0; i < few; i++) {
        double x = 0.1 * i, y = -1e30, z = i == 2 ? NAN : 16777217;
        if (is_double)
            ((double *)points.x)[i] = x, ((double *)points.y)[i] = y, ((double *)points.z)[i] = z;
        else
            ((float *)points.x)[i] = (float)x, ((float *)points.y)[i] = (float)y, ((float *)points.z)[i] = (float)z;
    }
    return points;
}

static void check_same(const char *path, const struct gws_points *points, const struct gws_points_read_options *options)
{
    static char before[CLOUD_TEXT], after[CLOUD_TEXT];
    struct gws_points read = {0};
    struct gws_diagnostic where = {0};
    gws_status status = gws_points_read(runtime, path, options, &read, &where);
    ck_assert_msg(status == GWS_OK, "%s: %s", path, where.message);
    cloud_describe(points, before);
    cloud_describe(&read, after);
    ck_assert_str_eq(before, after);
    gws_points_clear(&read);
}

START_TEST(what_was_written_is_read)
{
    static const struct {
        const char *name;
        uint32_t columns;
    } files[] = {{"a.gwsp", all_columns},
                 {"a.gwsp.gz", all_columns},
                 {"a.npy", all_columns},
                 {"a.npy.gz", all_columns},
                 {"a.pcd", all_columns},
                 {"a.pcd.gz", all_columns},
                 {"a.ply", 8},
                 {"a.ply.gz", 8},
                 {"a.gwsp", 0},
                 {"a.npy", 0},
                 {"a.pcd", 0},
                 {"a.ply", 0}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (int is_double = 0; is_double < 2; is_double++) {
            struct gws_points points = sample(is_double, files[i].columns);
            const char *path = gws_test_temp(files[i].name);
            ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
            check_same(path, &points, NULL);
            gws_points_clear(&points);
        }
    }
}
END_TEST

/* Text has no kinds. If the caller gives the kinds to the reader, no bit is lost. */
START_TEST(text_loses_nothing)
{
    static const char *const names[] = {"a.csv", "a.tsv", "a.xyz", "a.csv.gz"};
    static const char *const columns[] = {
        "x:f32,y:f32,z:f32,c0:i8,c1:u8,c2:i16,c3:u16,c4:i32,c5:u32,c6:f32,c7:f64,c8:i64,c9:u64",
        "x,y,z,c0:i8,c1:u8,c2:i16,c3:u16,c4:i32,c5:u32,c6:f32,c7:f64,c8:i64,c9:u64"};
    for (int i = 0; i < 8; i++) {
        struct gws_points points = sample(i & 1, all_columns);
        const char *path = gws_test_temp(names[i / 2]);
        struct gws_points_read_options options = {.columns = columns[i & 1]};
        ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
        check_same(path, &points, &options);
        gws_points_clear(&points);
    }
}
END_TEST

/* The reader distinguishes names that look like numbers from numbers. */
START_TEST(odd_names_come_back)
{
    static const char *const names[] = {"1a", "nan", "-x", "*", "2", "x", "a:f32"};
    enum { odd = sizeof names / sizeof *names };
    struct gws_points_column column[odd] = {0};
    struct gws_points points = {0}, read = {0};
    for (int i = 0; i < odd; i++) snprintf(column[i].name, sizeof column[i].name, "%s", names[i]);
    ck_assert_int_eq(gws_points_make(runtime, 0, true, odd, column, &points), GWS_OK);
    ck_assert_int_eq(gws_points_write(runtime, &points, gws_test_temp("odd.csv"), GWS_POINTS_AUTO, NULL), GWS_OK);
    ck_assert_int_eq(gws_points_read(runtime, gws_test_temp("odd.csv"), NULL, &read, NULL), GWS_OK);
    ck_assert_uint_eq(read.columns, odd);
    for (int i = 0; i < odd; i++) ck_assert_str_eq(read.column[i].name, names[i]);
    gws_points_clear(&read);
    gws_points_clear(&points);
}
END_TEST

START_TEST(nothing_is_written_too)
{
    static const char *const names[] = {"n.gwsp", "n.npy", "n.ply", "n.csv", "n.vtp"};
    for (int i = 0; i < 5; i++) {
        struct gws_points points = {0};
        const char *path = gws_test_temp(names[i]);
        ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
        struct gws_points read = {.count = 9};
        if (i < 4) ck_assert_int_eq(gws_points_read(runtime, path, NULL, &read, NULL), GWS_OK);
        if (i < 4) ck_assert_uint_eq(read.count, 0);
        gws_points_clear(&read);
    }
}
END_TEST

START_TEST(what_cannot_be_written)
{
    struct gws_points points = sample(true, all_columns);
    struct gws_diagnostic where = {0};
    static const struct {
        const char *name;
        enum gws_points_format format;
        gws_status status;
    } files[] = {{"b.ply", GWS_POINTS_AUTO, GWS_UNSUPPORTED}, {"b.laz", GWS_POINTS_AUTO, GWS_UNKNOWN_FORMAT},
                 {"b.las", GWS_POINTS_AUTO, GWS_UNSUPPORTED}, {"b.x", GWS_POINTS_AUTO, GWS_UNKNOWN_FORMAT},
                 {"none/b.csv", GWS_POINTS_AUTO, GWS_SYSTEM}, {"b.x", (enum gws_points_format)99, GWS_UNKNOWN_FORMAT},
                 {"b.bin", GWS_POINTS_RAW, GWS_UNSUPPORTED}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = gws_test_temp(files[i].name);
        ck_assert_msg(gws_points_write(runtime, &points, path, files[i].format, &where) == files[i].status, "%s",
                      files[i].name);
        ck_assert_str_ne(where.message, "");
        ck_assert_int_ne(access(path, F_OK), 0);
    }
    memset(points.column[3].name, 'x', GWS_POINTS_NAME);
    ck_assert_int_eq(gws_points_write(runtime, &points, gws_test_temp("b.csv"), GWS_POINTS_AUTO, NULL), GWS_INVALID);
    gws_points_clear(&points);
}
END_TEST

START_TEST(a_format_by_name)
{
    struct gws_points points = sample(true, 0);
    struct gws_points_read_options options = {.format = GWS_POINTS_TEXT};
    const char *path = gws_test_temp("c.unknown");
    ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_TEXT, NULL), GWS_OK);
    check_same(path, &points, &options);
    gws_points_clear(&points);
    for (int i = 0; gws_points_format_name((enum gws_points_format)i, NULL); i++) {
        enum gws_points_format format = GWS_POINTS_AUTO;
        ck_assert(gws_points_format_named(gws_points_format_name((enum gws_points_format)i, NULL), &format));
        ck_assert_int_eq(format, i);
    }
    ck_assert(!gws_points_format_named("jpeg", &options.format));
}
END_TEST

/* ---- .gwsp ---- */

static size_t read_file(const char *path, unsigned char *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(bytes, 1, capacity, file);
    fclose(file);
    return size;
}

/* The reader detects every flipped bit and every missing byte. */
START_TEST(gwsp_that_is_damaged)
{
    static unsigned char bytes[32768];
    struct gws_points points = sample(false, 2);
    struct gws_points_read_options options = {.format = GWS_POINTS_GWSP};
    const char *path = gws_test_temp("d.gwsp");
    ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
    gws_points_clear(&points);
    size_t size = read_file(path, bytes, sizeof bytes);
    for (size_t at = 0; at < size; at += at < 600 ? 1 : 7) {
        bytes[at] ^= 4;
        struct cloud_result result = cloud_read_input(runtime, "d.gwsp", bytes, size, &options, false, 0);
        ck_assert_msg(result.status != GWS_OK, "byte %zu", at);
        bytes[at] ^= 4;
    }
    for (size_t less = 1; less < size; less += 97) {
        struct cloud_result result = cloud_read_input(runtime, "d.gwsp", bytes, size - less, &options, less & 1, 0);
        ck_assert_msg(result.status == GWS_TRUNCATED, "%zu: %s", less, result.where.message);
    }
    struct cloud_result longer = cloud_read_input(runtime, "d.gwsp", bytes, size + 1, &options, false, 0);
    ck_assert_int_eq(longer.status, GWS_CORRUPT);
}
END_TEST

/* A program may modify points in a map without a change to the file. */
START_TEST(gwsp_map_is_private)
{
    struct gws_points points = sample(true, 1), read = {0};
    const char *path = gws_test_temp("e.gwsp");
    ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
    for (int mode = 0; mode < 4; mode++) {
        struct gws_points_read_options options = {.trust = mode & 1, .mapped = mode & 2};
        ck_assert_int_eq(gws_points_read(runtime, path, &options, &read, NULL), GWS_OK);
        ((double *)read.x)[0] = 77;
        ((int8_t *)read.column[0].data)[0] = 77;
        gws_points_clear(&read);
        check_same(path, &points, &options);
    }
    gws_points_clear(&points);
}
END_TEST

/* The reader trusts no number of a modified head with a valid checksum. */
START_TEST(gwsp_of_a_forged_head)
{
    static const struct {
        size_t at;
        uint64_t value;
        int bytes;
    } changes[] = {{8, 2, 4},           {12, 1, 4},           {16, UINT64_MAX, 8}, {16, (uint64_t)1 << 48, 8},
                   {16, 0, 8},          {24, 2, 4},           {24, 3, 4},          {24, UINT32_MAX, 4},
                   {32, UINT64_MAX, 8}, {32, 4096, 8},        {48, 1, 8},          {64, 'y', 1},
                   {112, 0, 4},         {112, UINT32_MAX, 4}, {112, 7, 4},         {116, 1, 4},
                   {120, 0, 8},         {120, UINT64_MAX, 8}, {128, 0, 8},         {128, UINT64_MAX - 4095, 8},
                   {144, 1, 8},         {352, 0, 2},          {352, ' ', 2},       {400, 7, 4},
                   {4095, 1, 1},        {136, UINT64_MAX, 8}};
    static unsigned char bytes[32768], head[4096];
    struct gws_points points = sample(false, 2);
    const char *path = gws_test_temp("h.gwsp");
    ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
    gws_points_clear(&points);
    size_t size = read_file(path, bytes, sizeof bytes);
    memcpy(head, bytes, sizeof head);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        memcpy(bytes, head, sizeof head);
        memcpy(bytes + changes[i].at, &changes[i].value, (size_t)changes[i].bytes);
        memset(bytes + 40, 0, 8);
        uint64_t sum = XXH3_64bits(bytes, sizeof head); /* both formats have the same layout here */
        memcpy(bytes + 40, &sum, 8);
        for (int trust = 0; trust < 2; trust++) {
            struct gws_points_read_options options = {.format = GWS_POINTS_GWSP, .trust = trust};
            struct cloud_result result = cloud_read_input(runtime, "h.gwsp", bytes, size, &options, false, 0);
            bool sum_alone = changes[i].at == 136 && trust;
            ck_assert_msg((result.status == GWS_OK) == sum_alone, "change %zu", i);
        }
    }
}
END_TEST

/* The test shortens each file between opening and reading, in every format, row by row and column by column. */
START_TEST(a_file_that_shrinks)
{
    static const char *const names[] = {"s.gwsp", "s.npy", "s.ply", "s.csv", "s.bin"};
    static const off_t sizes[] = {0, 200,
                                  140000}; /* the last size is larger than the part that readers peek at as a header */
    struct gws_points points = {0};
    ck_assert_int_eq(gws_points_generate(runtime, "uniform:20000", false, &points, NULL), GWS_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            static const struct gws_points_read_options defaults;
            static char raw[320000];
            const char *path = gws_test_file(names[i], raw, sizeof raw);
            struct gws_points read = {0};
            struct gws__input input;
            struct gws_diagnostic where = {0};
            if (i < 4) ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
            ck_assert_int_eq(gws__input_open(&input, runtime, path, &where), GWS_OK);
            ck_assert_int_eq(truncate(path, sizes[k]), 0);
            gws_status status = gws__points_read_input(&input, &defaults, &read);
            ck_assert_msg(status == GWS_TRUNCATED, "%s cut at %d: %s", names[i], (int)sizes[k], where.message);
            ck_assert_ptr_null(read.owner);
            gws__input_close(&input);
        }
    gws_points_clear(&points);
}
END_TEST

START_TEST(only_gwsp_is_trusted)
{
    static const char *const names[] = {"g.ply", "g.csv", "g.npy", "g.csv.gz"};
    struct gws_points points = sample(true, 1), read = {.count = 99};
    struct gws_points_read_options trust = {.trust = true};
    struct gws_diagnostic where = {0};
    const char *path = gws_test_temp(names[_i]);
    ck_assert_int_eq(gws_points_write(runtime, &points, path, GWS_POINTS_AUTO, NULL), GWS_OK);
    ck_assert_int_eq(gws_points_read(runtime, path, &trust, &read, &where), GWS_INVALID);
    ck_assert_uint_eq(read.count, 99);
    ck_assert_ptr_nonnull(strstr(where.message, "trust only works for .gwsp files"));
    gws_points_clear(&points);
}
END_TEST

/* ---- memory ---- */

START_TEST(any_allocation_may_fail)
{
    static const char *const names[] = {"f.gwsp", "f.npy", "f.csv", "f.ply", "f.gwsp.gz", "f.csv.gz", "f.vtp", "f.pcd"};
    struct gws_points points = sample(true, 8);
    const char *name = names[_i];
    bool failed = true;
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *own;
        struct gws_points read = {.count = 99};
        const char *path = gws_test_temp(name);
        unlink(path);
        ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
        memory.fail_at = memory.calls + k;
        struct gws_diagnostic where = {0};
        gws_status status = gws_points_write(own, &points, path, GWS_POINTS_AUTO, &where);
        if (status != GWS_OK) ck_assert_int_ne(access(path, F_OK), 0);
        if (status == GWS_OK && strcmp(name, "f.vtp") != 0) status = gws_points_read(own, path, NULL, &read, &where);
        failed = memory.failed;
        if (failed)
            ck_assert_msg(strcmp(where.file, path) == 0 && strstr(where.message, "out of memory"), "%s: %s", where.file,
                          where.message);
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert(read.owner || read.count == 99);
        gws_runtime_close(own);
        gws_points_clear(&read);
        gws_test_memory_check(&memory);
    }
    gws_points_clear(&points);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{what_was_written_is_read, 1},
                                    {text_loses_nothing, 1},
                                    {odd_names_come_back, 1},
                                    {nothing_is_written_too, 1},
                                    {what_cannot_be_written, 1},
                                    {a_format_by_name, 1},
                                    {gwsp_that_is_damaged, 1},
                                    {gwsp_map_is_private, 1},
                                    {gwsp_of_a_forged_head, 1},
                                    {a_file_that_shrinks, 1},
                                    {only_gwsp_is_trusted, 4},
                                    {any_allocation_may_fail, 8},
                                    {0}};
    return gws_test_run_between("points to files", test, setup, teardown);
}
