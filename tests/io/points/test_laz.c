/* SPDX-License-Identifier: MIT */
/* LAZ files, read through a stub of LASzip (stub_laszip.c): the same points as the LAS file has. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <dlfcn.h>

#include "bytes.h"
#include "cloud.h"

enum { points_count = 120000, head_bytes = 375, extra_bytes = 4, descriptor_bytes = 54 + 192, laszip_bytes = 54 + 34 };

static struct gws_runtime *runtime;

static void setup(void)
{
    struct gws_options options = {.threads = 3};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void teardown(void)
{
    gws_runtime_close(runtime);
}

/* Loads the stub. Later requests for a library with its soname, LASzip's, find it. */
static void load_stub(void)
{
    char path[4096];
    const char *build = getenv("GRAPHWS_BUILD");
    snprintf(path, sizeof path, "%s/tests/stub_laszip.so", build ? build : "build");
    ck_assert_msg(dlopen(path, RTLD_NOW) != NULL, "%s", dlerror());
}

/* What a file is like besides its points. */
struct likeness {
    unsigned format;
    uint64_t count;
    bool compressed;
    char fails;          /* the function of the stub that fails, or 0 */
    unsigned compressor; /* of LASzip's record; 0: there is no record */
    uint64_t table;      /* the declared place of the table of chunks; 0: none is declared */
    uint32_t chunk;
};

/* Appends LASzip's record. */
static unsigned char *put_record(unsigned char *at, const struct likeness *like)
{
    memcpy(at + 2, "laszip encoded", 14);
    at[18] = 22204 % 256, at[19] = 22204 / 256;
    at[20] = laszip_bytes - 54;
    at[54] = (unsigned char)like->compressor;
    memcpy(at + 54 + 12, &like->chunk, 4);
    return at + laszip_bytes;
}

/* A file of random records, whose last four bytes are the column "more". The stub skips the eight bytes of the table's
 * place. */
static const char *file_of(const struct likeness *like)
{
    static const unsigned bytes_of[] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
    static struct bytes head;
    unsigned record = bytes_of[like->format] + extra_bytes;
    uint64_t state = like->format + 1, size = like->count * record;
    bytes_las(&head, 4, like->format | (like->compressed ? 0x80 : 0), record, like->count);
    unsigned char *file = calloc(1, head_bytes + descriptor_bytes + laszip_bytes + 16 + size), *at = file + head_bytes;
    ck_assert_ptr_nonnull(file);
    memcpy(file, head.at, head_bytes);
    file[26] = (unsigned char)like->fails;
    memcpy(at + 2, "LASF_Spec", 9);
    at[18] = 4;
    at[20] = 192;
    at[54 + 2] = 6; /* i32 */
    memcpy(at + 54 + 4, "more", 4);
    at += descriptor_bytes;
    if (like->compressor) at = put_record(at, like);
    file[100] = like->compressor ? 2 : 1;
    file[96] = (unsigned char)((at - file) % 256);
    file[97] = (unsigned char)((at - file) / 256);
    if (like->compressed) {
        memcpy(at, &like->table, 8);
        at += 8;
    }
    for (uint64_t i = 0; i < size; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        at[i] = (unsigned char)(state >> 56 ^ (like->compressed ? 0xff : 0));
    }
    const char *path = gws_test_file(like->compressed ? "a.laz" : "a.las", file, (size_t)(at - file) + size + 8);
    free(file);
    return path;
}

static void same_bytes(const void *a, const void *b, uint64_t bytes, const char *name)
{
    ck_assert_msg(memcmp(a, b, bytes) == 0, "%s differs", name);
}

/* The stub needs no table of chunks; any place within the file is right. */
START_TEST(every_format)
{
    const struct likeness like = {.format = (unsigned)_i, .count = points_count};
    struct likeness packed = {.format = like.format, .count = points_count, .compressed = true};
    packed.compressor = (unsigned)_i % 4; /* none, without chunks, and two kinds with chunks */
    packed.chunk = _i == 6 ? UINT32_MAX : 7000;
    packed.table = _i == 3 ? 709 : 2000; /* 709: where the points begin, so that there is no table */
    struct gws_points plain = {0}, found = {0};
    struct gws_diagnostic where = {0};
    if (gws_test_races() && _i % 4 != 2) return; /* the formats do not differ in what threads share */
    load_stub();
    ck_assert_int_eq(gws_points_read(runtime, file_of(&like), NULL, &plain, &where), GWS_OK);
    gws_status status = gws_points_read(runtime, file_of(&packed), NULL, &found, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    ck_assert_uint_eq(found.count, points_count);
    ck_assert_uint_eq(found.columns, plain.columns);
    ck_assert(found.is_double && plain.is_double);
    same_bytes(found.x, plain.x, 8 * plain.count, "x");
    same_bytes(found.y, plain.y, 8 * plain.count, "y");
    same_bytes(found.z, plain.z, 8 * plain.count, "z");
    for (uint32_t i = 0; i < plain.columns; i++) {
        const struct gws_points_column *column = &plain.column[i];
        ck_assert_str_eq(found.column[i].name, column->name);
        same_bytes(found.column[i].data, column->data, plain.count * gws_number_bytes(column->kind), column->name);
    }
    ck_assert_str_eq(plain.column[plain.columns - 1].name, "more");
    gws_points_clear(&plain);
    gws_points_clear(&found);
}
END_TEST

static void check_failure(const char *path, gws_status status, const char *message)
{
    struct gws_points points = {0};
    struct gws_diagnostic where = {0};
    gws_status found = gws_points_read(runtime, path, NULL, &points, &where);
    ck_assert_msg(found == status && strstr(where.message, message), "%s", where.message);
    ck_assert_ptr_null(points.owner);
}

START_TEST(failures)
{
    struct likeness like = {.format = 1, .count = points_count, .compressed = true, .compressor = 2, .chunk = 7000};
    load_stub();
    like.table = 2000;
    like.fails = 'o';
    check_failure(file_of(&like), GWS_CORRUPT, ": the stub says why");
    like.fails = 's';
    check_failure(file_of(&like), GWS_CORRUPT, ": the stub says why");
    like.fails = 'r';
    check_failure(file_of(&like), GWS_CORRUPT, "LASzip cannot read point 70001: the stub");
    like.fails = 0;
    like.table = 100;
    check_failure(file_of(&like), GWS_TRUNCATED, "the table of chunks is at byte 100, but the file has ");
    like.table = 5000000;
    check_failure(file_of(&like), GWS_TRUNCATED, "the table of chunks is at byte 5000000, but");
    like.table = UINT64_MAX; /* the last eight bytes are 0 */
    check_failure(file_of(&like), GWS_TRUNCATED, "the table of chunks is at byte 0, but");
    setenv("STUB_LASZIP_VERSION", "4", 1);
    check_failure(file_of(&like), GWS_UNSUPPORTED, "needs version 3 of the library LASzip");
}
END_TEST

/* A declared count that is larger than the file's. */
START_TEST(truncated)
{
    const struct likeness like = {.count = 10, .compressed = true};
    load_stub();
    const char *path = file_of(&like);
    ck_assert_int_eq(truncate(path, head_bytes + descriptor_bytes + 8 + 7 * (20 + extra_bytes)), 0);
    check_failure(path, GWS_CORRUPT, "LASzip cannot read point 8: ");
}
END_TEST

static bool stop(void *context)
{
    (void)context;
    return true;
}

START_TEST(cancelled)
{
    const struct likeness like = {.count = points_count, .compressed = true};
    struct gws_options options = {.threads = 2, .cancel = stop};
    struct gws_runtime *own = NULL;
    struct gws_points points = {0};
    load_stub();
    ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
    ck_assert_int_eq(gws_points_read(own, file_of(&like), NULL, &points, NULL), GWS_CANCELLED);
    ck_assert_ptr_null(points.owner);
    gws_runtime_close(own);
}
END_TEST

START_TEST(streams)
{
    unsigned char bytes[head_bytes + 24] = {0};
    struct bytes head = {.size = 0};
    struct gws_points_read_options options = {0};
    load_stub();
    bytes_las(&head, 4, 0x80, 20, 1);
    memcpy(bytes, head.at, head_bytes);
    struct cloud_result result = cloud_read_input(runtime, "a.laz", bytes, sizeof bytes, &options, true, 0);
    ck_assert_int_eq(result.status, GWS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(result.where.message, "can only be read from a plain file"));
}
END_TEST

START_TEST(no_library)
{
    if (dlopen("liblaszip.so.8", RTLD_NOW) || dlopen("liblaszip.so", RTLD_NOW)) return;
    const struct likeness like = {.count = 10, .compressed = true};
    check_failure(file_of(&like), GWS_UNSUPPORTED, "compressed LAS (LAZ) needs the library LASzip");
}
END_TEST

static gws_status read_points(struct gws_runtime *own, const void *path)
{
    struct gws_points points = {0};
    gws_status status = gws_points_read(own, path, NULL, &points, NULL);
    gws_points_clear(&points);
    return status;
}

START_TEST(no_memory)
{
    const struct likeness like = {.format = 3, .count = 100, .compressed = true};
    load_stub();
    const char *path = file_of(&like);
    gws_test_each_allocation(2, read_points, path);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_format, 11}, {failures, 1},   {truncated, 1}, {cancelled, 1},
                                    {streams, 1},       {no_library, 1}, {no_memory, 1}, {0}};
    return gws_test_run_between("laz", test, setup, teardown);
}
