/* SPDX-License-Identifier: MIT */
#include "naive.h"

/* Checks that every arc has a reverse arc with the same weight, and that there are no loops and no parallel arcs. */
static void check_simple_undirected(const struct gws_graph *graph)
{
    struct naive arcs = naive_of(graph), reversed = naive_of(graph);
    for (uint64_t i = 0; i < reversed.arcs; i++) {
        uint32_t from = reversed.arc[i].from;
        reversed.arc[i].from = reversed.arc[i].to;
        reversed.arc[i].to = from;
        if (from == reversed.arc[i].from) ck_abort_msg("a loop at %u", from);
    }
    naive_sort(&reversed);
    naive_check(graph, &reversed);
    naive_remove_duplicates(&arcs);
    ck_assert_uint_eq(arcs.arcs, graph->arcs);
    ck_assert(!graph->directed);
    naive_clear(&arcs);
    naive_clear(&reversed);
}

/* ---- all of them ---- */

static const struct known_graph {
    const char *description;
    uint64_t vertices, arcs, hash;
} known[] = {
    {"kron:10", 1024, 21052, UINT64_C(0x628e2817bfff3c77)},
    {"kron:13:7:42", 8192, 98272, UINT64_C(0x97fc619b9ba39b7c)},
    {"uniform:11:9:3", 2048, 36704, UINT64_C(0xc26810f0bf91c497)},
    {"grid:30x40", 1200, 4660, UINT64_C(0xed140ee9acf3d76b)},
    {"road:5000:5", 5000, 13114, UINT64_C(0x93e7edc5893148ed)},
};

/* The same description makes the same graph with any number of threads, in every version. */
START_TEST(same_graph_for_ever)
{
    const uint32_t threads[] = {1, 2, 3, 8};
    for (int i = 0; i < 4; i++) {
        struct gws_graph *graph = naive_generate(known[_i].description, threads[i]);
        ck_assert_msg(graph->vertices == known[_i].vertices && graph->arcs == known[_i].arcs &&
                          naive_hash(graph) == known[_i].hash,
                      "{\"%s\", %llu, %llu, UINT64_C(0x%llx)}, on %u threads", known[_i].description,
                      (unsigned long long)graph->vertices, (unsigned long long)graph->arcs,
                      (unsigned long long)naive_hash(graph), threads[i]);
        check_simple_undirected(graph);
        gws_graph_destroy(graph);
    }
}
END_TEST

START_TEST(defaults)
{
    const char *const pairs[][2] = {{"kron:8", "kron:8:16:1"},
                                    {"kron:8:5", "kron:8:5:1"},
                                    {"uniform:8", "uniform:8:16:1"},
                                    {"road:500", "road:500:1"}};
    for (int i = 0; i < 4; i++) {
        struct gws_graph *a = naive_generate(pairs[i][0], 2), *b = naive_generate(pairs[i][1], 2);
        ck_assert_uint_eq(naive_hash(a), naive_hash(b));
        gws_graph_destroy(a);
        gws_graph_destroy(b);
    }
}
END_TEST

START_TEST(seeds_differ)
{
    const char *const pairs[][2] = {
        {"kron:8:16:1", "kron:8:16:2"}, {"uniform:8:16:1", "uniform:8:16:2"}, {"road:500:1", "road:500:2"}};
    for (int i = 0; i < 3; i++) {
        struct gws_graph *a = naive_generate(pairs[i][0], 2), *b = naive_generate(pairs[i][1], 2);
        ck_assert_uint_ne(naive_hash(a), naive_hash(b));
        gws_graph_destroy(a);
        gws_graph_destroy(b);
    }
}
END_TEST

/* ---- each of them ---- */

START_TEST(smallest)
{
    const char *const descriptions[] = {"kron:0", "uniform:0", "grid:1x1", "road:1", "kron:1:1", "road:2", "road:3"};
    const uint64_t vertices[] = {1, 1, 1, 1, 2, 2, 3};
    for (int i = 0; i < 7; i++) {
        struct gws_graph *graph = naive_generate(descriptions[i], 2);
        ck_assert_uint_eq(graph->vertices, vertices[i]);
        gws_graph_destroy(graph);
    }
}
END_TEST

START_TEST(grids)
{
    const uint64_t sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 5}, {100, 130}};
    for (int i = 0; i < 6; i++) {
        uint64_t width = sizes[i][0], height = sizes[i][1];
        char description[64];
        snprintf(description, sizeof description, "grid:%llux%llu", (unsigned long long)width,
                 (unsigned long long)height);
        struct gws_graph *graph = naive_generate(description, 3);
        ck_assert_uint_eq(graph->vertices, width * height);
        ck_assert_uint_eq(graph->arcs, 2 * ((width - 1) * height + width * (height - 1)));
        check_simple_undirected(graph);
        for (uint64_t v = 0; v < graph->vertices; v++) {
            ck_assert(graph->position[2 * v] == (double)(v % width));
            ck_assert(graph->position[2 * v + 1] == (double)(v / width));
            for (uint64_t arc = graph->offset[v]; arc < graph->offset[v + 1]; arc++)
                ck_assert(naive_are_neighbours(width, v, graph->target[arc]));
        }
        gws_graph_destroy(graph);
    }
}
END_TEST

/* ---- descriptions ---- */

START_TEST(names_of_generators)
{
    const char *const yes[] = {"kron:", "kron:20", "uniform:x", "grid:", "road:9"};
    const char *const no[] = {"", "kron", "kronos:3", "Grid:3x3", "file.gr", "./road:5", "grid"};
    for (int i = 0; i < 5; i++) ck_assert(gws_graph_is_generator(yes[i]));
    for (int i = 0; i < 7; i++) ck_assert(!gws_graph_is_generator(no[i]));
}
END_TEST

static const struct bad_graph_description {
    const char *description;
    gws_status status;
    uint64_t column;
} bad_descriptions[] = {
    {"", GWS_SYNTAX, 1},
    {"cube:3", GWS_SYNTAX, 1},
    {"kron:", GWS_SYNTAX, 6},
    {"kron:x", GWS_SYNTAX, 6},
    {"kron:-3", GWS_SYNTAX, 6},
    {"kron: 3", GWS_SYNTAX, 6},
    {"kron:3x", GWS_SYNTAX, 7},
    {"kron:3:", GWS_SYNTAX, 8},
    {"kron:3::4", GWS_SYNTAX, 8},
    {"kron:3:4:", GWS_SYNTAX, 10},
    {"kron:3:4:5:6", GWS_SYNTAX, 11},
    {"kron:3:4:5 ", GWS_SYNTAX, 11},
    {"kron:3:0", GWS_SYNTAX, 8},
    {"kron:32", GWS_TOO_LARGE, 6},
    {"kron:99999999999999999999999", GWS_TOO_LARGE, 6},
    {"kron:3:4294967296", GWS_TOO_LARGE, 8},
    {"kron:3:4:18446744073709551616", GWS_TOO_LARGE, 10},
    {"uniform:32", GWS_TOO_LARGE, 9},
    {"uniform:4:a", GWS_SYNTAX, 11},
    {"grid:", GWS_SYNTAX, 6},
    {"grid:3", GWS_SYNTAX, 7},
    {"grid:3x", GWS_SYNTAX, 8},
    {"grid:3X4", GWS_SYNTAX, 7},
    {"grid:0x4", GWS_SYNTAX, 6},
    {"grid:4x0", GWS_SYNTAX, 8},
    {"grid:3x4x5", GWS_SYNTAX, 9},
    {"grid:65536x65536", GWS_TOO_LARGE, 12},
    {"grid:4294967296x1", GWS_TOO_LARGE, 6},
    {"road:", GWS_SYNTAX, 6},
    {"road:0", GWS_SYNTAX, 6},
    {"road:4294967296", GWS_TOO_LARGE, 6},
    {"road:5:", GWS_SYNTAX, 8},
    {"road:5:6:7", GWS_SYNTAX, 9},
};

START_TEST(bad_description)
{
    const struct bad_graph_description *bad = &bad_descriptions[_i];
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_graph_generate(runtime, bad->description, &graph, &where);
    ck_assert_msg(status == bad->status && where.column == bad->column, "%s: %s at column %llu: %s", bad->description,
                  gws_status_text(status), (unsigned long long)where.column, where.message);
    ck_assert_int_eq(gws_graph_generate(runtime, bad->description, &graph, NULL), bad->status);
    ck_assert_ptr_null(graph);
    ck_assert_str_ne(where.message, "");
    gws_runtime_close(runtime);
}
END_TEST

/* ---- memory ---- */

START_TEST(any_allocation_may_fail)
{
    const char *const descriptions[] = {"kron:6", "uniform:6", "grid:9x8", "road:200"};
    bool failed = true;
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime;
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        memory.fail_at = memory.calls + k;
        gws_status status = gws_graph_generate(runtime, descriptions[_i], &graph, NULL);
        failed = memory.failed;
        /* kron: and uniform: ask first whether there is memory for the fast way */
        ck_assert(status == GWS_NO_MEMORY || (status == GWS_OK && (!failed || _i < 2)));
        ck_assert_int_eq(graph == NULL, status != GWS_OK);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}
END_TEST

/* The same graph where the edges do not fit in memory, down to less than half of what the fast way takes. */
START_TEST(edges_drawn_again)
{
    const char *const descriptions[] = {"kron:16", "uniform:16"};
    struct gws_graph *expected = naive_generate(descriptions[_i], 2);
    const uint64_t edges = UINT64_C(16) << 16, max = 20 * edges;
    uint64_t min = max;
    for (uint64_t bytes = max / 3; bytes < max; bytes += max / 10) {
        struct gws_options options = {.threads = 3, .max_memory = bytes};
        struct gws_runtime *runtime;
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        gws_status status = gws_graph_generate(runtime, descriptions[_i], &graph, NULL);
        ck_assert(status == GWS_OK || status == GWS_NO_MEMORY);
        if (status == GWS_OK) {
            ck_assert_uint_eq(graph->arcs, expected->arcs);
            ck_assert_uint_eq(naive_hash(graph), naive_hash(expected));
            ck_assert(!graph->directed);
            if (bytes < min) min = bytes;
        }
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
    }
    ck_assert_uint_lt(min, max * 3 / 4);
    gws_graph_destroy(expected);
}
END_TEST

static void *allocate_little(void *context, size_t bytes)
{
    (void)context;
    return bytes > 1 << 26 ? NULL : malloc(bytes);
}

static void release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

START_TEST(more_than_memory_holds)
{
    const char *const descriptions[] = {"kron:31", "uniform:31:4294967295", "grid:65535x65536", "road:4294967295"};
    struct gws_options options = {.threads = 2, .allocator = {allocate_little, release, NULL}};
    struct gws_runtime *runtime;
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(gws_graph_generate(runtime, descriptions[i], &graph, NULL), GWS_NO_MEMORY);
    ck_assert_ptr_null(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{same_graph_for_ever, sizeof known / sizeof *known},
                                    {defaults, 1},
                                    {seeds_differ, 1},
                                    {smallest, 1},
                                    {grids, 1},
                                    {names_of_generators, 1},
                                    {bad_description, sizeof bad_descriptions / sizeof *bad_descriptions},
                                    {any_allocation_may_fail, 4},
                                    {edges_drawn_again, 2},
                                    {more_than_memory_holds, 1},
                                    {0}};
    return gws_test_run("generate", test);
}
