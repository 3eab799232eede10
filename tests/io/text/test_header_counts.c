/* SPDX-License-Identifier: MIT */
/* Gives extreme values to every count that a file of any format declares. The reader refuses each value with a message
 * and allocates no memory for that count. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "../../harness.h"

#include <inttypes.h>
#include <xxhash.h>

#include "../../../io/graph_io.h"
#include "../../../io/gwsg/gwsg.h"
#include "../../../io/points/gwsp.h"
#include "../../../io/points_io.h"
#include "../../../lib/parallel.h"
#include "../points/bytes.h"

enum { max_memory = 48 << 20 }; /* memory of the readers' buffers, which does not depend on the file */

static const uint64_t values[] = {
    UINT64_MAX,      UINT64_MAX - 1,
    UINT64_MAX - 15, (uint64_t)INT64_MAX + 1,
    INT64_MAX,       (uint64_t)UINT32_MAX + 1,
    UINT32_MAX,      (uint64_t)INT32_MAX + 1,
    INT32_MAX,       UINT16_MAX}; /* only for fields of two bytes, since larger fields may have these values */
enum { value_count = sizeof values / sizeof *values, large_count = value_count - 1 };

static struct gws_test_memory memory;
static struct gws_runtime *runtime;

static void open_runtime(void)
{
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    ck_assert_uint_lt(atomic_load(&memory.peak), max_memory);
}

enum beside { graph, positions, sources, points };

/* Returns the path of a graph of two vertices, for the files of coordinates and sources. */
static const char *pair(void)
{
    static const char text[] = "p sp 2 1\na 1 2 3\n";
    return gws_test_file("pair.gr", text, sizeof text - 1);
}

static gws_status read_path(enum beside what, const char *path, struct gws_diagnostic *where)
{
    struct gws_read_options options = {.positions = what == positions ? path : NULL};
    struct gws_graph *made = NULL;
    struct gws_points cloud = {0};
    gws_status status = GWS_OK;
    if (what == points) {
        status = gws_points_read(runtime, path, NULL, &cloud, where);
        gws_points_clear(&cloud);
        return status;
    }
    status = gws_graph_read(runtime, what == graph ? path : pair(), &options, &made, where);
    if (status == GWS_OK && what == sources) {
        uint32_t *list = NULL;
        uint64_t count = 0;
        status = gws_sources_read(runtime, path, made, &list, &count, where);
        gws_release(runtime, list, count, sizeof *list);
    }
    gws_graph_destroy(made);
    return status;
}

static void refused(enum beside what, const char *name, const void *bytes, size_t size, const char *about)
{
    struct gws_diagnostic where = {0};
    const char *path = gws_test_file(name, bytes, size);
    gws_status status = read_path(what, path, &where);
    ck_assert_msg(status != GWS_OK && status != GWS_NO_MEMORY && status != GWS_SYSTEM, "%s, %s: %s %s", name, about,
                  gws_status_text(status), where.message);
    ck_assert_str_eq(where.file, path);
    ck_assert_int_ne(where.message[0], 0);
}

/* ---- text with @ in place of the number ---- */

#define BANNER "%%MatrixMarket matrix coordinate pattern general\n"
#define PLY "\nproperty float x\nproperty float y\nproperty float z\n"
#define ASCII "ply\nformat ascii 1.0\n"
#define BINARY "ply\nformat binary_little_endian 1.0\n"
#define TYPES "FIELDS x y z\nTYPE F F F\n"
#define PCD TYPES "SIZE 4 4 4\n"

static const struct {
    enum beside what;
    const char *name, *text;
    bool digits_only; /* another token in this position is a legal value */
} texts[] = {
    {graph, "a.gr", "p sp @ 1\na 1 2 3\n", false},
    {graph, "a.gr", "p sp 2 @\na 1 2 3\n", false},
    {graph, "a.gr", "p tw @ 1\n1 2\n", false},
    {graph, "a.gr", "p tw 2 @\n1 2\n", false},
    {graph, "a.col", "p edge @ 1\ne 1 2\n", false},
    {graph, "a.col", "p edge 2 @\ne 1 2\n", false},
    {graph, "a.mtx", BANNER "@ 2 1\n1 2\n", false},
    {graph, "a.mtx", BANNER "2 @ 1\n1 2\n", false},
    {graph, "a.mtx", BANNER "@ @ 1\n1 2\n", false},
    {graph, "a.mtx", BANNER "2 2 @\n1 2\n", false},
    {graph, "a.graph", "@ 1\n2\n1\n", false},
    {graph, "a.graph", "2 @\n2\n1\n", false},
    {graph, "a.graph", "2 1 @\n2\n1\n", false},
    {graph, "a.graph", "2 1 0 @\n2\n1\n", false},
    {graph, "a.graph", "2 1 10 @\n1 2\n1 1\n", false},
    {graph, "a.graph", "2 1 110 @\n1 1 2\n1 1 1\n", false},
    {graph, "a.graph", "2 1 11 @\n1 2 1\n1 1 1\n", false},
    {graph, "a.el", "# Ids: 0 to @\n0 1\n", true},
    {graph, "a.el", "# Ids: @ to 1\n0 1\n", true},
    {graph, "a.el", "# Ids: @ to @\n0 1\n", true},
    {positions, "a.co", "p aux sp co @\nv 1 0 0\nv 2 0 0\n", false},
    {sources, "a.ss", "p aux sp ss @\ns 1\n", false},
    {points, "a.pts", "@\n1 2 3\n4 5 6\n", false},
    {points, "a.xyz", "x y z\n@\n1 2 3\n4 5 6\n", false},
    {points, "a.ply", ASCII "element vertex @" PLY "end_header\n1 2 3\n", false},
    {points, "a.ply", ASCII "element a @\nproperty int a\nelement vertex 1" PLY "end_header\n1 2 3\n", false},
    {points, "a.ply", ASCII "element a @\nproperty int a\nelement vertex 0" PLY "end_header\n1 2 3\n", false},
    {points, "a.ply", ASCII "element vertex 1" PLY "element a @\nproperty int a\nend_header\n1 2 3\n1\n", false},
    {points, "a.ply",
     ASCII "element vertex 1" PLY "element a @\nproperty list uchar int a\nend_header\n1 2 3\n3 1 2 3\n", false},
    {points, "a.ply", BINARY "element vertex @" PLY "end_header\n0123456789ab", false},
    {points, "a.ply", BINARY "element a @\nproperty char a\nelement vertex 1" PLY "end_header\n0123456789abc", false},
    {points, "a.ply", BINARY "element a @\nproperty char a\nelement vertex 0" PLY "end_header\n0123456789abc", false},
    {points, "a.ply", BINARY "element vertex 1" PLY "element a @\nproperty char a\nend_header\n0123456789abc", false},
    {points, "a.ply", BINARY "element vertex 1" PLY "element a @\nproperty list uchar int a\nend_header\n0123456789ab",
     false},
    {points, "a.pcd", PCD "WIDTH @\nHEIGHT 1\nPOINTS 1\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "WIDTH 1\nHEIGHT @\nPOINTS 1\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "WIDTH 1\nHEIGHT 1\nPOINTS @\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "WIDTH @\nHEIGHT 1\nPOINTS @\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "WIDTH 1\nHEIGHT @\nPOINTS @\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "WIDTH @\nHEIGHT @\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "HEIGHT @\nPOINTS 1\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "POINTS @\nDATA ascii\n1 2 3\n", false},
    {points, "a.pcd", PCD "POINTS @\nDATA binary\n0123456789ab", false},
    {points, "a.pcd", PCD "WIDTH @\nHEIGHT 1\nPOINTS @\nDATA binary\n0123456789ab", false},
    {points, "a.pcd", PCD "COUNT 1 1 @\nPOINTS 1\nDATA binary\n0123456789ab", false},
    {points, "a.pcd", TYPES "SIZE 4 4 @\nPOINTS 1\nDATA binary\n0123456789ab", false},
};

static void check_text(int i, const char *number)
{
    char text[1024];
    size_t size = 0;
    for (const char *p = texts[i].text; *p; p++) {
        const char one[] = {*p, 0}, *part = *p == '@' ? number : one;
        memcpy(text + size, part, strlen(part));
        size += strlen(part);
    }
    text[size] = 0;
    refused(texts[i].what, texts[i].name, text, size, text);
}

START_TEST(text_counts)
{
    static const char *const forms[] = {"+2", "-2", "-0", "2.0", "2e0", "0x2", "2x", "2,2", "nan", "2 2 2 2"};
    for (int i = 0; i < large_count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%" PRIu64, values[i]);
        check_text(_i, number);
    }
    check_text(_i, "18446744073709551616");
    check_text(_i, "340282366920938463463374607431768211457"); /* 1 modulo 2^64 */
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !texts[_i].digits_only; i++) check_text(_i, forms[i]);
}
END_TEST

/* ---- .npy: the dictionary is text, its length is binary ---- */

static const char *const dictionaries[] = {
    "{'descr': '<f4', 'fortran_order': False, 'shape': (@, 3)}",
    "{'descr': '<f4', 'fortran_order': True, 'shape': (@, 3)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, @)}",
    "{'descr': '<f4', 'fortran_order': True, 'shape': (1, @)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (@, @)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, @)}",
    "{'descr': [('x','<f4'),('y','<f4'),('z','<f4')], 'fortran_order': False, 'shape': (@,)}",
    "{'descr': [('x','<f4'),('y','<f4'),('z','<f4'),('a','<f4',(@,))], 'fortran_order': False, 'shape': (1,)}",
    "{'descr': [('x','<f4'),('y','<f4'),('z','<f4'),('a','<f4',(@,@))], 'fortran_order': False, 'shape': (1,)}",
    "{'descr': [('x','<f4'),('y','<f4'),('z','<f4'),('a','|V@')], 'fortran_order': False, 'shape': (1,)}",
};

static void check_dictionary(int i, const char *number)
{
    char text[512];
    struct bytes bytes = {.size = 0};
    size_t size = 0;
    for (const char *p = dictionaries[i]; *p; p++) {
        const char one[] = {*p, 0}, *part = *p == '@' ? number : one;
        memcpy(text + size, part, strlen(part));
        size += strlen(part);
    }
    text[size] = 0;
    bytes_npy(&bytes, text);
    bytes_text(&bytes, "0123456789ab0123");
    refused(points, "a.npy", bytes.at, bytes.size, text);
}

START_TEST(npy_counts)
{
    static const char *const forms[] = {"+1", "-1", "1.0", "1e0", "0x1", "1 1", "18446744073709551616"};
    for (int i = 0; i < large_count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%" PRIu64, values[i]);
        check_dictionary(_i, number);
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) check_dictionary(_i, forms[i]);
}
END_TEST

START_TEST(npy_lengths)
{
    for (unsigned version = 1; version <= 3; version++)
        for (int i = 0; i < value_count; i++) {
            struct bytes bytes = {.size = 0};
            bytes_npy(&bytes, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3)}");
            bytes_text(&bytes, "0123456789ab");
            bytes.at[6] = (unsigned char)version;
            size_t whole = bytes.size;
            bytes.size = 8;
            bytes_whole(&bytes, values[i], version == 1 ? 2 : 4, 0);
            refused(points, "a.npy", bytes.at, whole, "the head's length");
        }
}
END_TEST

/* ---- offset and size of each number in binary heads ---- */

struct offset {
    unsigned at, bytes;
};

/* Returns the value truncated to the field's bytes. A truncated value is also a valid case. */
static uint64_t cut(uint64_t value, unsigned bytes)
{
    return bytes < 8 ? value & ((UINT64_C(1) << (8 * bytes)) - 1) : value;
}

static void put(unsigned char *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

START_TEST(las_counts)
{
    static const struct offset places[] = {{94, 2},  {96, 4},  {100, 4}, {105, 2},
                                           {107, 4}, {235, 8}, {243, 4}, {247, 8}};
    for (unsigned minor = 2; minor <= 4; minor++)
        for (unsigned p = 0; p < (minor == 4 ? 8 : 5); p++)
            for (int i = 0; i < value_count; i++) {
                struct bytes bytes = {.size = 0};
                bytes_las(&bytes, minor, 0, 20, 2);
                memset(bytes.at + bytes.size, 0, 100);
                bytes.size += 100;
                if (minor == 4) put(bytes.at + 107, 2, 4);
                if (minor == 4) put(bytes.at + 235, 415, 8); /* a record of 60 bytes after the points */
                if (minor == 4) put(bytes.at + 243, 1, 4);
                if (cut(values[i], places[p].bytes) == 0) continue;
                put(bytes.at + places[p].at, values[i], places[p].bytes);
                char about[64];
                snprintf(about, sizeof about, "1.%u, byte %u: %" PRIu64, minor, places[p].at, values[i]);
                refused(points, "a.las", bytes.at, bytes.size, about);
            }
}
END_TEST

START_TEST(gwsg_counts)
{
    enum { table = 64 };
    static const struct offset places[] = {{8, 4},          {12, 4},         {16, 8},         {24, 8},
                                           {40, 8},         {48, 4},         {52, 4},         {table, 4},
                                           {table + 4, 4},  {table + 8, 8},  {table + 16, 8}, {table + 32, 4},
                                           {table + 36, 4}, {table + 40, 8}, {table + 48, 8}};
    static const char text[] = "0 1\n";
    struct gws_graph *made = NULL;
    struct gws_diagnostic where;
    const char *path = gws_test_temp("good.gwsg");
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_file("a.el", text, 4), NULL, &made, NULL), GWS_OK);
    ck_assert_int_eq(gws_graph_write(runtime, made, path, GWS_FORMAT_AUTO, NULL), GWS_OK);
    gws_graph_destroy(made);
    ck_assert_int_eq(read_path(graph, path, &where), GWS_OK);
    static unsigned char whole[1 << 16], changed[1 << 16];
    FILE *file = fopen(path, "rb");
    size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int i = 0; i < value_count; i++) {
            memcpy(changed, whole, size);
            put(changed + places[p].at, values[i], places[p].bytes);
            memset(changed + 56, 0, 8);
            put(changed + 56, XXH3_64bits(changed, 4096), 8);
            if (memcmp(changed, whole, 4096) == 0) continue; /* the truncated value is equal to the original value */
            char about[64];
            snprintf(about, sizeof about, "byte %u: %" PRIu64, places[p].at, values[i]);
            refused(graph, "a.gwsg", changed, size, about);
        }
    for (int i = 0; i < 2 * value_count; i++) { /* valid heads of files that are too short */
        struct gws__gwsg_head head = {.vertices = i & 1 ? 2 : values[i / 2], .arcs = i & 1 ? values[i / 2] : 1};
        head.present[GWS__GWSG_OFFSET] = head.present[GWS__GWSG_TARGET] = true;
        if (!gws__gwsg_head_layout(&head)) continue;
        memcpy(changed, whole, size);
        gws__gwsg_head_encode(&head, changed);
        refused(graph, "a.gwsg", changed, size, "a head that lies");
    }
}
END_TEST

START_TEST(gwsp_counts)
{
    enum { entry = 64 + 2 * 96 };
    static const struct offset places[] = {{8, 4},          {12, 4},         {16, 8},         {24, 4},
                                           {32, 8},         {48, 8},         {entry + 48, 4}, {entry + 52, 4},
                                           {entry + 56, 8}, {entry + 64, 8}, {entry + 80, 8}};
    static const char text[] = "1 2 3\n";
    struct gws_points cloud = {0};
    struct gws_diagnostic where;
    const char *path = gws_test_temp("good.gwsp");
    ck_assert_int_eq(gws_points_read(runtime, gws_test_file("a.xyz", text, 6), NULL, &cloud, NULL), GWS_OK);
    ck_assert_int_eq(gws_points_write(runtime, &cloud, path, GWS_POINTS_AUTO, NULL), GWS_OK);
    gws_points_clear(&cloud);
    ck_assert_int_eq(read_path(points, path, &where), GWS_OK);
    static unsigned char whole[1 << 16], changed[1 << 16];
    FILE *file = fopen(path, "rb");
    size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int i = 0; i < value_count; i++) {
            memcpy(changed, whole, size);
            put(changed + places[p].at, values[i], places[p].bytes);
            memset(changed + 40, 0, 8);
            put(changed + 40, XXH3_64bits(changed, 4096), 8);
            if (memcmp(changed, whole, 4096) == 0) continue;
            char about[64];
            snprintf(about, sizeof about, "byte %u: %" PRIu64, places[p].at, values[i]);
            refused(points, "a.gwsp", changed, size, about);
        }
    for (int i = 0; i < value_count; i++) {
        struct gws__gwsp lie = {.count = values[i], .arrays = 3};
        for (int a = 0; a < 3; a++) lie.array[a] = (struct gws__gwsp_array){{"xyz"[a]}, GWS_NUMBER_F32, {0}};
        if (!gws__gwsp_layout(&lie)) continue;
        memcpy(changed, whole, size);
        gws__gwsp_encode(&lie, changed);
        refused(points, "a.gwsp", changed, size, "a head that lies");
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{text_counts, sizeof texts / sizeof *texts},
                                    {npy_counts, sizeof dictionaries / sizeof *dictionaries},
                                    {npy_lengths, 1},
                                    {las_counts, 1},
                                    {gwsg_counts, 1},
                                    {gwsp_counts, 1},
                                    {0}};
    return gws_test_run_between("declared numbers", test, open_runtime, close_runtime);
}
