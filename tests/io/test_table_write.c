/* SPDX-License-Identifier: MIT */
/* Tables as text and as .npy, byte for byte. */
#define _GNU_SOURCE
#include "../harness.h"

#include <math.h>
#include <zlib.h>

#include "../../io/table_io.h"
#include "../comma.h"
#include "graphs.h"

static struct gws_runtime *runtime;
static struct gws_graph *graph;
static struct gws_diagnostic where;

/* Makes a graph of four vertices with the ids 17, 18, 21, 26. */
static void open_all(void)
{
    struct gws_recipe recipe = {.vertices = 4, .edges = 5, .ids = true};
    runtime = gws_open_runtime(2, (struct gws_allocator){0});
    graph = gws_make_graph(runtime, &recipe);
    where = (struct gws_diagnostic){0};
}

static void close_all(void)
{
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

static const uint32_t depth[] = {0, 1, GWS_NO_VERTEX, 4294967294}, parent[] = {0, 3, GWS_NO_VERTEX, 1};
static const int64_t change[] = {INT64_MIN, -1, 0, INT64_MAX};
static const double rank[] = {0.25, NAN, -1e300, 3};
static const struct gws_column columns[] = {{"vertex", GWS_COLUMN_ID, NULL},
                                            {"depth", GWS_COLUMN_U32, depth},
                                            {"parent", GWS_COLUMN_VERTEX, parent},
                                            {"change", GWS_COLUMN_I64, change},
                                            {"rank", GWS_COLUMN_F64, rank}};

static struct gws_table small_table(void)
{
    return (struct gws_table){.graph = graph, .rows = 4, .columns = 5, .column = columns};
}

/* Reads a file, inflated if it is a .gz. gzread() reads other files without change. */
static char *read_back(const char *path, size_t *size)
{
    static const unsigned max = 1 << 24;
    char *bytes = malloc(max);
    gzFile file = gzopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    int got = gzread(file, bytes, max - 1);
    ck_assert_int_ge(got, 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    bytes[got] = 0;
    *size = (size_t)got;
    return bytes;
}

static void check_text(const char *name, const char *want)
{
    struct gws_table table = small_table();
    size_t size;
    ck_assert_msg(gws_table_write(runtime, &table, gws_test_temp(name), &where) == GWS_OK, "%s", where.message);
    char *text = read_back(gws_test_temp(name), &size);
    ck_assert_str_eq(text, want);
    free(text);
}

START_TEST(test_csv)
{
    static const char want[] = "vertex,depth,parent,change,rank\n"
                               "17,0,17,-9223372036854775808,0.25\n"
                               "18,1,26,-1,\n"
                               "21,,,0,-1e+300\n"
                               "26,4294967294,18,9223372036854775807,3\n";
    check_text("a.csv", want);
    check_text("a.csv.gz", want);
}
END_TEST

/* The writer marks the distances of unreached vertices as missing. */
START_TEST(test_distances)
{
    static const uint64_t whole[] = {0, UINT64_MAX, UINT64_C(1) << 63, 7};
    static const double real[] = {INFINITY, 0.5, NAN, -INFINITY};
    static const struct gws_column distances[] = {{"whole", GWS_COLUMN_U64, whole}, {"real", GWS_COLUMN_FINITE, real}};
    const struct gws_table table = {.graph = graph, .rows = 4, .columns = 2, .column = distances};
    size_t size;
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("d.csv"), &where), GWS_OK);
    char *text = read_back(gws_test_temp("d.csv"), &size);
    ck_assert_str_eq(text, "whole,real\n0,\n,0.5\n9223372036854775808,\n7,\n");
    free(text);
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("d.npy"), &where), GWS_OK);
    text = read_back(gws_test_temp("d.npy"), &size);
    ck_assert(strstr(text + 10, "'<i8'") && strstr(text + 10, "'<f8'"));
    ck_assert_int_eq(memcmp(text + size - 48, "\xff\xff\xff\xff\xff\xff\xff\xff", 8), 0);
    free(text);
}
END_TEST

START_TEST(test_tsv)
{
    static const char want[] = "vertex\tdepth\tparent\tchange\trank\n"
                               "17\t0\t17\t-9223372036854775808\t0.25\n"
                               "18\t1\t26\t-1\t\n"
                               "21\t\t\t0\t-1e+300\n"
                               "26\t4294967294\t18\t9223372036854775807\t3\n";
    check_text("a.tsv", want);
    check_text("a.tsv.gz", want);
}
END_TEST

/* Gives the vertices a name with quotes, a name with a comma, a name with a tab, and a plain name. */
static void give_names(void)
{
    static const uint64_t offset[] = {0, 3, 6, 9, 14};
    static const uint32_t order[] = {0, 1, 2, 3};
    gws_graph_borrow_names(graph, &(struct gws_names){offset, "a\"bc,dc\teplain", order});
}

START_TEST(test_names)
{
    give_names();
    check_text("n.csv", "vertex,depth,parent,change,rank\n"
                        "\"a\"\"b\",0,\"a\"\"b\",-9223372036854775808,0.25\n"
                        "\"c,d\",1,plain,-1,\n"
                        "c\te,,,0,-1e+300\n"
                        "plain,4294967294,\"c,d\",9223372036854775807,3\n");
    check_text("n.tsv", "vertex\tdepth\tparent\tchange\trank\n"
                        "\"a\"\"b\"\t0\t\"a\"\"b\"\t-9223372036854775808\t0.25\n"
                        "c,d\t1\tplain\t-1\t\n"
                        "\"c\te\"\t\t\t0\t-1e+300\n"
                        "plain\t4294967294\tc,d\t9223372036854775807\t3\n");
}
END_TEST

/* Names in .npy have a fixed length, and a missing name is empty. */
START_TEST(test_npy_names)
{
    static const char row[] = "c\te\0\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0";
    struct gws_table table = small_table();
    size_t size, row_bytes = 5 + 8 + 5 + 8 + 8;
    give_names();
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("n.npy"), &where), GWS_OK);
    char *bytes = read_back(gws_test_temp("n.npy"), &size);
    ck_assert_ptr_nonnull(strstr(bytes + 10, "[('vertex', '|S5'), ('depth', '<i8'), ('parent', '|S5'), "));
    ck_assert_uint_eq(size % 64, 4 * row_bytes % 64);
    ck_assert_mem_eq(bytes + size - 2 * row_bytes, row, sizeof row - 1);
    free(bytes);
}
END_TEST

/* The writer must not use the decimal comma of a locale. */
START_TEST(test_locale)
{
    if (!gws_test_comma()) return;
    check_text("l.csv", "vertex,depth,parent,change,rank\n17,0,17,-9223372036854775808,0.25\n18,1,26,-1,\n"
                        "21,,,0,-1e+300\n26,4294967294,18,9223372036854775807,3\n");
    setlocale(LC_ALL, "C");
}
END_TEST

/* Checks that the head is the one that numpy.save() writes, and that lengths and alignment meet the requirements of
 * numpy.load(). */
static void check_npy(const char *name)
{
    static const char dictionary[] = "{'descr': [('vertex', '<i8'), ('depth', '<i8'), ('parent', '<i8'), "
                                     "('change', '<i8'), ('rank', '<f8'), ], 'fortran_order': False, 'shape': (4,), }";
    static const int64_t first[] = {17, 0, 17, INT64_MIN}, second[] = {18, 1, 26, -1}, third[] = {21, -1, -1, 0};
    struct gws_table table = small_table();
    size_t size;
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp(name), &where), GWS_OK);
    char *bytes = read_back(gws_test_temp(name), &size);
    ck_assert(memcmp(bytes, "\x93NUMPY\x01\x00", 8) == 0);
    size_t length = (unsigned char)bytes[8] + 256u * (unsigned char)bytes[9], head = length + 10;
    ck_assert_uint_eq(head % 64, 0);
    ck_assert_uint_eq(size, head + 4 * 40);
    ck_assert(memcmp(bytes + 10, dictionary, sizeof dictionary - 1) == 0);
    for (size_t i = 10 + sizeof dictionary - 1; i < head - 1; i++) ck_assert_int_eq(bytes[i], ' ');
    ck_assert_int_eq(bytes[head - 1], '\n');
    ck_assert(memcmp(bytes + head, first, 32) == 0);
    ck_assert(memcmp(bytes + head + 32, &rank[0], 8) == 0);
    ck_assert(memcmp(bytes + head + 40, second, 32) == 0);
    ck_assert(memcmp(bytes + head + 80, third, 32) == 0);
    ck_assert(memcmp(bytes + head + 112, &rank[2], 8) == 0);
    free(bytes);
}

START_TEST(test_npy)
{
    check_npy("a.npy");
    check_npy("a.npy.gz");
}
END_TEST

START_TEST(test_no_rows)
{
    struct gws_table table = small_table();
    size_t size;
    table.rows = 0;
    table.columns = 1;
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("e.csv"), &where), GWS_OK);
    char *text = read_back(gws_test_temp("e.csv"), &size);
    ck_assert_str_eq(text, "vertex\n");
    free(text);
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("e.npy"), &where), GWS_OK);
    text = read_back(gws_test_temp("e.npy"), &size);
    ck_assert_uint_eq(size % 64, 0);
    ck_assert_ptr_nonnull(strstr(text + 10, "'shape': (0,)"));
    free(text);
}
END_TEST

/* A table of many rows, compared with the text of fprintf(). */
START_TEST(test_many_rows)
{
    struct gws_recipe recipe = {.vertices = 200000, .first_id = 1};
    struct gws_graph *large = gws_make_graph(runtime, &recipe);
    uint32_t *value = malloc(recipe.vertices * sizeof *value);
    char *want = malloc(recipe.vertices * 30 + 30), *at = want + sprintf(want, "v,d\n");
    for (uint32_t v = 0; v < recipe.vertices; v++) {
        value[v] = v % 3 == 0 ? GWS_NO_VERTEX : v * 7919;
        at += v % 3 == 0 ? sprintf(at, "%u,\n", v + 1) : sprintf(at, "%u,%u\n", v + 1, v * 7919);
    }
    struct gws_column two[] = {{"v", GWS_COLUMN_ID, NULL}, {"d", GWS_COLUMN_U32, value}};
    struct gws_table table = {.graph = large, .rows = recipe.vertices, .columns = 2, .column = two};
    size_t size;
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("m.csv"), &where), GWS_OK);
    char *text = read_back(gws_test_temp("m.csv"), &size);
    ck_assert_uint_eq(size, (size_t)(at - want));
    ck_assert(memcmp(text, want, size) == 0);
    free(text);
    free(want);
    free(value);
    gws_graph_destroy(large);
}
END_TEST

/* ---- refusals ---- */

START_TEST(test_unknown_suffix)
{
    static const char *const names[] = {"a.xls", "csv", "a.csv.bz2", "a.gz", "", ".csv"};
    struct gws_table table = small_table();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_int_eq(gws_table_write(runtime, &table, names[i], &where), GWS_UNKNOWN_FORMAT);
        ck_assert_str_eq(where.file, *names[i] ? names[i] : "''");
        ck_assert_ptr_nonnull(strstr(where.message, ".npy"));
    }
}
END_TEST

START_TEST(test_large_ids)
{
    struct gws_recipe recipe = {.vertices = 3, .first_id = (UINT64_C(1) << 63) - 2};
    struct gws_graph *high = gws_make_graph(runtime, &recipe);
    struct gws_table table = {.graph = high, .rows = 3, .columns = 1, .column = columns};
    size_t size;
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("h.npy"), &where), GWS_OUT_OF_RANGE);
    ck_assert_ptr_nonnull(strstr(where.message, "9223372036854775808"));
    ck_assert_int_ne(access(gws_test_temp("h.npy"), F_OK), 0);
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("h.csv"), &where), GWS_OK);
    char *text = read_back(gws_test_temp("h.csv"), &size);
    ck_assert_str_eq(text, "vertex\n9223372036854775806\n9223372036854775807\n9223372036854775808\n");
    free(text);
    gws_graph_destroy(high);
}
END_TEST

START_TEST(test_bad_tables)
{
    static const char *const names[] = {"", "a,b", "it's", "tab\t", "back\\", "\xc3\xa4", NULL};
    struct gws_table table = {.graph = graph, .rows = 1, .columns = 0};
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("b.csv"), &where), GWS_INVALID);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gws_column column = {names[i], GWS_COLUMN_ID, NULL};
        table.columns = 1;
        table.column = &column;
        ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("b.npy"), NULL), GWS_INVALID);
    }
    ck_assert_int_ne(access(gws_test_temp("b.npy"), F_OK), 0);
}
END_TEST

START_TEST(test_system)
{
    struct gws_table table = small_table();
    ck_assert_int_eq(gws_table_write(runtime, &table, gws_test_temp("no/folder.csv"), &where), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "No such file"));
    ck_assert_ptr_nonnull(strstr(where.file, "no/folder.csv"));
}
END_TEST

START_TEST(test_memory)
{
    static const char *const names[] = {"k.csv", "k.tsv.gz", "k.npy"};
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_runtime *failing = gws_open_runtime(2, gws_test_allocator(&memory));
        struct gws_table table = small_table();
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_table_write(failing, &table, gws_test_temp(names[_i]), &where);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        if (status != GWS_OK) ck_assert_str_eq(where.file, gws_test_temp(names[_i]));
        if (status != GWS_OK) ck_assert_ptr_nonnull(strstr(where.message, "out of memory"));
        where = (struct gws_diagnostic){0};
        ck_assert_int_eq(access(gws_test_temp(names[_i]), F_OK) == 0, status == GWS_OK);
        gws_runtime_close(failing);
        gws_test_memory_check(&memory);
        if (!atomic_load(&memory.failed)) break;
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {test_csv, 1},       {test_distances, 1},  {test_tsv, 1},     {test_names, 1},     {test_npy_names, 1},
        {test_locale, 1},    {test_npy, 1},        {test_no_rows, 1}, {test_many_rows, 1}, {test_unknown_suffix, 1},
        {test_large_ids, 1}, {test_bad_tables, 1}, {test_system, 1},  {test_memory, 3},    {0}};
    return gws_test_run_between("table", test, open_all, close_all);
}
