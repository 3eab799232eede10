/* SPDX-License-Identifier: MIT */
/* .gwsg files: round trips, damage at every offset, and crafted files with wrong contents. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "../../harness.h"

#include <fcntl.h>
#include <math.h>
#include <xxhash.h>
#include <zlib.h>

#include "../../../io/gwsg/gwsg.h"
#include "../graphs.h"

static struct gws_runtime *runtime;
static struct gws_diagnostic where;

static void open_runtime(void)
{
    runtime = gws_open_runtime(2, (struct gws_allocator){0});
    where = (struct gws_diagnostic){0};
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
}

static const struct gws_recipe recipes[] = {
    {.vertices = 0},
    {.vertices = 1, .first_id = 7},
    {.vertices = 300, .edges = 0, .positions = true},
    {.vertices = 500, .edges = 3000, .undirected = true},
    {.vertices = 700, .edges = 2000, .weights = true, .ids = true, .loops = true},
    {.vertices = 900, .edges = 4000, .weights = true, .ids = true, .positions = true, .undirected = true},
    {.vertices = 900, .edges = 4000, .weights = true, .reals = true, .ids = true, .undirected = true},
    {.vertices = 4000, .edges = 9000, .weights = true, .reals = true, .positions = true, .loops = true},
    {.vertices = 700, .edges = 2000, .weights = true, .names = true, .undirected = true},
    {.vertices = 0, .names = true},
    {.vertices = 700, .edges = 2000, .ids = true, .permuted = true, .positions = true, .undirected = true},
    {.vertices = 40000, .edges = 400000, .weights = true, .positions = true, .first_id = 1},
};
enum { recipe_count = sizeof recipes / sizeof *recipes, full_recipe = 5 };

static gws_status read_with(struct gws_runtime *with, const char *path, const struct gws_read_options *options,
                            struct gws_graph **graph)
{
    struct gws_read_options gwsg = {0};
    if (options) gwsg = *options;
    gwsg.format = GWS_FORMAT_GWSG;
    return gws_graph_read(with, path, &gwsg, graph, &where);
}

static gws_status read_as(const char *path, const struct gws_read_options *options, struct gws_graph **graph)
{
    return read_with(runtime, path, options, graph);
}

static void check_there_and_back(const struct gws_recipe *recipe, const char *name)
{
    const char *path = gws_test_temp(name);
    struct gws_graph *graph = gws_make_graph(runtime, recipe), *again = NULL;
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
    bool plain = !strstr(name, ".gz");
    for (int mode = 0; mode < (plain ? 4 : 2); mode++) {
        struct gws_read_options options = {.trust = mode & 1, .mapped = mode & 2};
        ck_assert_msg(read_as(path, &options, &again) == GWS_OK, "%s", where.message);
        gws_check_same(graph, again, GWS_SAME_ALL);
        ck_assert_int_eq(graph->position != NULL, again->position != NULL);
        if (graph->position) ck_assert(memcmp(graph->position, again->position, 16 * graph->vertices) == 0);
        ck_assert_int_eq(graph->id != NULL, again->id != NULL);
        gws_graph_destroy(again);
    }
    gws_graph_destroy(graph);
}

START_TEST(test_there_and_back)
{
    check_there_and_back(&recipes[_i], "a.gwsg");
}
END_TEST

START_TEST(test_gzip)
{
    check_there_and_back(&recipes[_i], "a.gwsg.gz");
}
END_TEST

/* The file does not depend on the number of threads. */
START_TEST(test_same_bytes)
{
    static const char *const names[] = {"a.gwsg", "a.gwsg.gz"};
    struct gws_runtime *alone = gws_open_runtime(1, (struct gws_allocator){0});
    struct gws_graph *graph = gws_make_graph(runtime, &recipes[recipe_count - 1]);
    const char *path = gws_test_temp(names[_i]);
    size_t size[2];
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
    char *two = gws_slurp(path, &size[0]);
    ck_assert_int_eq(gws__gwsg_write(alone, graph, path, &where), GWS_OK);
    char *one = gws_slurp(path, &size[1]);
    ck_assert_uint_eq(size[0], size[1]);
    ck_assert(memcmp(one, two, size[0]) == 0);
    free(one);
    free(two);
    gws_graph_destroy(graph);
    gws_runtime_close(alone);
}
END_TEST

START_TEST(test_pipe)
{
    struct gws_graph *graph = gws_make_graph(runtime, &recipes[full_recipe]), *again = NULL;
    const char *path = gws_test_temp("p.gwsg");
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
    char command[GWS_TEST_PATH + 16];
    snprintf(command, sizeof command, "cat %s", path);
    FILE *pipe = popen(command, "r");
    int saved = dup(STDIN_FILENO);
    dup2(fileno(pipe), STDIN_FILENO);
    ck_assert_msg(read_as("-", NULL, &again) == GWS_OK, "%s", where.message);
    dup2(saved, STDIN_FILENO);
    close(saved);
    pclose(pipe);
    gws_check_same(graph, again, GWS_SAME_ALL);
    gws_graph_destroy(graph);
    gws_graph_destroy(again);
}
END_TEST

/* ---- options ---- */

START_TEST(test_options)
{
    struct gws_recipe recipe = {.vertices = 200, .edges = 2000, .weights = true, .ids = true, .loops = true};
    struct gws_graph *graph = gws_make_graph(runtime, &recipe), *again = NULL, *both = NULL;
    const char *path = gws_test_temp("o.gwsg");
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);

    struct gws_read_options drop = {.weights = GWS_WEIGHTS_DROP};
    ck_assert_int_eq(read_as(path, &drop, &again), GWS_OK);
    ck_assert_ptr_null(again->weight);
    gws_check_same(graph, again, GWS_SAME_DIRECTION | GWS_SAME_IDS);
    gws_graph_destroy(again);

    struct gws_read_options undirected = {.direction = GWS_EDGES_UNDIRECTED};
    ck_assert_int_eq(gws_graph_symmetrise(runtime, graph, &both), GWS_OK);
    ck_assert_int_eq(read_as(path, &undirected, &again), GWS_OK);
    ck_assert(!again->directed);
    gws_check_same(both, again, GWS_SAME_ALL);
    gws_graph_destroy(again);

    ck_assert_int_eq(gws__gwsg_write(runtime, both, path, &where), GWS_OK);
    struct gws_read_options directed = {.direction = GWS_EDGES_DIRECTED};
    ck_assert_int_eq(read_as(path, &directed, &again), GWS_OK);
    ck_assert(again->directed);
    gws_check_same(both, again, GWS_SAME_WEIGHTS | GWS_SAME_IDS);
    gws_graph_destroy(again);
    gws_graph_destroy(both);
    gws_graph_destroy(graph);
}
END_TEST

/* A graph with loops and parallel arcs, and the expected graph after their removal. */
START_TEST(test_simplify)
{
    static const uint64_t offset[] = {0, 4, 4, 9};
    static const uint32_t target[] = {0, 0, 1, 2, 0, 0, 1, 2, 2};
    static const int32_t weight[] = {1, 2, 3, 4, 9, 5, 6, 7, 8};
    static const struct {
        bool loops, duplicates;
        uint64_t offset[4];
        uint32_t target[9];
        int32_t weight[9];
    } wanted[] = {
        {false, false, {0, 4, 4, 9}, {0, 0, 1, 2, 0, 0, 1, 2, 2}, {1, 2, 3, 4, 9, 5, 6, 7, 8}},
        {true, false, {0, 2, 2, 5}, {1, 2, 0, 0, 1}, {3, 4, 9, 5, 6}},
        {false, true, {0, 3, 3, 6}, {0, 1, 2, 0, 1, 2}, {1, 3, 4, 5, 6, 7}},
        {true, true, {0, 2, 2, 4}, {1, 2, 0, 1}, {3, 4, 5, 6}},
    };
    struct gws_graph *graph = NULL, *again = NULL, *want = NULL;
    const char *path = gws_test_temp("d.gwsg");
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, offset, target, weight, true, false, &graph), GWS_OK);
    gws_graph_set_first_id(graph, 5);
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
    struct gws_read_options options = {.remove_loops = wanted[_i].loops, .remove_duplicates = wanted[_i].duplicates};
    ck_assert_int_eq(read_as(path, &options, &again), GWS_OK);
    ck_assert_int_eq(
        gws_graph_wrap(runtime, 3, wanted[_i].offset, wanted[_i].target, wanted[_i].weight, true, false, &want),
        GWS_OK);
    gws_graph_set_first_id(want, 5);
    gws_check_same(want, again, GWS_SAME_ALL);
    gws_graph_destroy(graph);
    gws_graph_destroy(again);
    gws_graph_destroy(want);
}
END_TEST

/* ---- broken files ---- */

static gws_status read_bytes(const char *bytes, size_t size, bool trust)
{
    struct gws_graph *graph = (struct gws_graph *)&runtime; /* an arbitrary pointer, which the reader must not change */
    struct gws_read_options options = {.trust = trust};
    where = (struct gws_diagnostic){0};
    gws_status status = read_as(gws_test_file("broken.gwsg", bytes, size), &options, &graph);
    if (status == GWS_OK) {
        gws_graph_destroy(graph);
    } else {
        ck_assert_ptr_eq(graph, (struct gws_graph *)&runtime);
        ck_assert(where.message[0] && strstr(where.file, "broken.gwsg"));
    }
    return status;
}

static char *full_file(size_t *size)
{
    struct gws_graph *graph = gws_make_graph(runtime, &recipes[full_recipe]);
    const char *path = gws_test_temp("full.gwsg");
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
    gws_graph_destroy(graph);
    return gws_slurp(path, size);
}

START_TEST(test_truncated)
{
    size_t size;
    char *bytes = full_file(&size);
    ck_assert_int_eq(read_bytes(bytes, size, false), GWS_OK);
    size_t step = gws_test_quick() ? 9001 : 2003;
    for (size_t cut = 1; cut < size; cut += cut < 64 ? 1 : step)
        for (int trust = 0; trust < 2; trust++) ck_assert_int_eq(read_bytes(bytes, cut, trust), GWS_TRUNCATED);
    ck_assert_int_eq(read_bytes(bytes, size - 1, true), GWS_TRUNCATED);
    ck_assert_int_eq(read_bytes(bytes, 0, false), GWS_TRUNCATED);
    ck_assert_int_eq(read_bytes(bytes, size + 1, true), GWS_CORRUPT); /* gws_slurp() appends a zero byte */
    free(bytes);
}
END_TEST

/* The reader detects one flipped bit anywhere: in the head, a section or a gap. */
START_TEST(test_flipped)
{
    size_t size;
    char *bytes = full_file(&size);
    size_t step = gws_test_quick() ? 4999 : 499;
    for (size_t at = 0; at < size; at += at < 256 ? 1 : step) {
        bytes[at] ^= (char)(1 << at % 8);
        gws_status status = read_bytes(bytes, size, false);
        if (at < 8)
            ck_assert_int_eq(status, GWS_UNKNOWN_FORMAT);
        else if (at < 12)
            ck_assert_msg(status == GWS_UNSUPPORTED || status == GWS_CORRUPT, "%s", where.message);
        else
            ck_assert_msg(status == GWS_CORRUPT, "byte %zu: %d", at, (int)status);
        status = read_bytes(bytes, size, true);
        ck_assert_msg(at >= GWS__NATIVE_PAGE || status != GWS_OK, "byte %zu of the head, trusted", at);
        bytes[at] ^= (char)(1 << at % 8);
    }
    free(bytes);
}
END_TEST

/* ---- crafted files: files with correct checksums and wrong contents ---- */

struct craft {
    uint64_t vertices, arcs;
    const uint64_t *offset, *id;
    const uint32_t *target;
    const int32_t *weight;
    bool undirected;
};

/* Writes the arrays as a file, valid or not. */
static char *craft_file(const struct craft *craft, size_t *size)
{
    struct gws_graph view = {.vertices = craft->vertices,
                             .arcs = craft->arcs,
                             .offset = craft->offset,
                             .target = craft->target,
                             .id = craft->id,
                             .weight = craft->weight,
                             .directed = !craft->undirected};
    const char *path = gws_test_temp("crafted.gwsg");
    ck_assert_int_eq(gws__gwsg_write(runtime, &view, path, &where), GWS_OK);
    return gws_slurp(path, size);
}

START_TEST(test_crafted)
{
    static const uint64_t good[] = {0, 2, 2, 4}, falls[] = {0, 3, 2, 4}, starts[] = {1, 2, 2, 4}, ends[] = {0, 2, 2, 3},
                          beyond[] = {0, 2, UINT64_MAX, 4}, id[] = {4, 5, 9}, same[] = {4, 4, 9};
    static const uint32_t target[] = {1, 2, 0, 2}, large[] = {1, 3, 0, 2}, unsorted[] = {1, 2, 2, 0},
                          at_row[] = {0, 2, 1, 0};
    static const struct craft crafts[] = {
        {3, 4, good, id, target, NULL, false},   {3, 4, falls, id, target, NULL, false},
        {3, 4, starts, id, target, NULL, false}, {3, 4, ends, id, target, NULL, false},
        {3, 4, beyond, id, target, NULL, false}, {3, 4, good, same, target, NULL, false},
        {3, 4, good, id, large, NULL, false},    {3, 4, good, id, unsorted, NULL, false},
        {3, 4, good, id, at_row, NULL, false},
    };
    for (size_t i = 0; i < sizeof crafts / sizeof *crafts; i++) {
        size_t size;
        char *bytes = craft_file(&crafts[i], &size);
        ck_assert_msg(read_bytes(bytes, size, false) == (i == 0 ? GWS_OK : GWS_CORRUPT), "craft %zu", i);
        free(bytes);
    }
}
END_TEST

/* Every file claims to be undirected. One is valid, and in the others some arc lacks its reverse arc. The message
 * names the first such arc. The reader accepts trusted files. */
START_TEST(test_crafted_symmetry)
{
    static const uint64_t path[] = {0, 1, 3, 4}, cycle[] = {0, 1, 2, 3}, doubled[] = {0, 2, 5, 6},
                          loop[] = {0, 2, 4, 5};
    static const uint32_t both[] = {1, 0, 2, 1}, round[] = {1, 2, 0}, often[] = {1, 1, 0, 0, 2, 1},
                          once[] = {1, 1, 0, 2, 2, 1}, at_home[] = {0, 1, 0, 2, 1};
    static const int32_t weights[] = {5, 5, 7, 7}, others[] = {5, 5, 7, 8}, swapped[] = {3, 4, 4, 3, 9, 9},
                         wrong[] = {3, 4, 4, 4, 9, 9};
    static const struct {
        struct craft craft;
        const char *said; /* NULL: the file is valid */
    } cases[] = {
        {{3, 4, path, NULL, both, NULL, true}, NULL},
        {{3, 4, path, NULL, both, weights, true}, NULL},
        {{3, 6, doubled, NULL, often, NULL, true}, NULL},
        {{3, 6, doubled, NULL, often, swapped, true}, NULL},
        {{3, 5, loop, NULL, at_home, NULL, true}, NULL},
        {{0, 0, path, NULL, both, NULL, true}, NULL},
        {{3, 3, cycle, NULL, round, NULL, true}, "the arc from 0 to 1 has no reverse arc"},
        {{3, 4, path, NULL, both, others, true}, "the arc from 1 to 2 with this weight has no reverse arc"},
        {{3, 6, doubled, NULL, once, NULL, true}, "the arc from 0 to 1 has no reverse arc of the same multiplicity"},
        {{3, 6, doubled, NULL, often, wrong, true}, "the arc from 0 to 1 with this weight has no reverse arc"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        char *bytes = craft_file(&cases[i].craft, &size);
        ck_assert_msg(read_bytes(bytes, size, false) == (cases[i].said ? GWS_CORRUPT : GWS_OK), "craft %zu", i);
        if (cases[i].said) ck_assert_str_eq(where.message, cases[i].said);
        ck_assert_int_eq(read_bytes(bytes, size, true), GWS_OK);
        free(bytes);
    }
}
END_TEST

/* The test gives one arc in each of the workers' blocks another target or another weight. */
START_TEST(test_one_asymmetric_arc)
{
    struct gws_recipe recipe = {.vertices = 30000, .edges = 300000, .weights = true, .undirected = true};
    struct gws_graph *graph = gws_make_graph(runtime, &recipe);
    uint32_t *target = malloc(graph->arcs * sizeof *target);
    int32_t *weight = malloc(graph->arcs * sizeof *weight);
    memcpy(target, graph->target, graph->arcs * sizeof *target);
    memcpy(weight, graph->weight, graph->arcs * sizeof *weight);
    const struct craft craft = {graph->vertices, graph->arcs, graph->offset, NULL, target, weight, true};
    size_t size;
    char *bytes = craft_file(&craft, &size);
    ck_assert_int_eq(read_bytes(bytes, size, false), GWS_OK);
    free(bytes);
    for (uint64_t v = 1; v < graph->vertices; v += graph->vertices / (gws_test_quick() ? 2 : 6)) {
        uint64_t arc = graph->offset[v + 1] - 1;
        if (arc < graph->offset[v] || graph->target[arc] + 1 >= graph->vertices) continue;
        target[arc]++;
        bytes = craft_file(&craft, &size);
        ck_assert_int_eq(read_bytes(bytes, size, false), GWS_CORRUPT);
        free(bytes);
        target[arc]--;
        weight[arc] ^= 1 << v % 31;
        bytes = craft_file(&craft, &size);
        ck_assert_int_eq(read_bytes(bytes, size, false), GWS_CORRUPT);
        free(bytes);
        weight[arc] = graph->weight[arc];
    }
    free(target);
    free(weight);
    gws_graph_destroy(graph);
}
END_TEST

/* The reader refuses a modified head with a valid checksum. */
START_TEST(test_crafted_head)
{
    static const struct {
        size_t at;
        uint64_t value;
        int bytes;
        gws_status status;
    } changes[] = {
        {8, 4, 4, GWS_UNSUPPORTED},
        {8, 3, 4, GWS_CORRUPT}, /* the file needs only version 1 */
        {8, 2, 4, GWS_CORRUPT},
        {8, 0, 4, GWS_CORRUPT},
        {12, 2, 4, GWS_CORRUPT},
        {16, UINT64_MAX, 8, GWS_TOO_LARGE},
        {16, UINT32_MAX, 8, GWS_CORRUPT},
        {24, UINT64_MAX, 8, GWS_TOO_LARGE},
        {24, UINT64_MAX / 64, 8, GWS_CORRUPT},
        {32, UINT64_MAX, 8, GWS_CORRUPT},
        {40, 4096, 8, GWS_CORRUPT},
        {48, 0, 4, GWS_CORRUPT},
        {48, 1, 4, GWS_CORRUPT},
        {48, 17, 4, GWS_CORRUPT},
        {52, 1, 4, GWS_CORRUPT},
        {64, 0, 4, GWS_CORRUPT},
        {64, 6, 4, GWS_CORRUPT},
        {64, 2, 4, GWS_CORRUPT},
        {68, 4, 4, GWS_CORRUPT},
        {72, 0, 8, GWS_CORRUPT},
        {80, UINT64_MAX, 8, GWS_CORRUPT},
        {104, UINT64_MAX - 4095, 8, GWS_CORRUPT},
        {4095, 1, 1, GWS_CORRUPT},
    };
    size_t size;
    char *bytes = full_file(&size), page[GWS__NATIVE_PAGE];
    memcpy(page, bytes, sizeof page);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        memcpy(bytes, page, sizeof page);
        memcpy(bytes + changes[i].at, &changes[i].value, (size_t)changes[i].bytes);
        memset(bytes + 56, 0, 8);
        uint64_t sum = XXH3_64bits(bytes, sizeof page);
        memcpy(bytes + 56, &sum, 8);
        for (int trust = 0; trust < 2; trust++)
            ck_assert_msg(read_bytes(bytes, size, trust) == changes[i].status, "change %zu: %s", i, where.message);
    }
    free(bytes);
}
END_TEST

/* The reader detects names that the format forbids. Even in a trusted file, it detects names that lie outside the
 * file. */
START_TEST(test_wrong_names)
{
    static const uint64_t offset[] = {0, 0, 0, 0}, good[] = {0, 1, 3, 4}, falls[] = {0, 3, 1, 4}, late[] = {1, 2, 3, 4},
                          empty[] = {0, 1, 1, 4};
    static const uint32_t right[] = {1, 2, 0}, wrong[] = {1, 0, 2}, twice[] = {1, 1, 0}, beyond[] = {1, 3, 0};
    static const struct {
        struct gws_names names;
        const char *said;
    } cases[] = {
        {{good, "cabb", right}, NULL},
        {{good, "abcd", NULL}, NULL},
        {{good, "cabb", wrong}, "names do not ascend"},
        {{good, "cabb", twice}, "names do not ascend"},
        {{good, "cabb", NULL}, "names do not ascend"},
        {{good, "ca\nb", right}, "a byte that names cannot have"},
        {{good, "ca\0b", right}, "a byte that names cannot have"},
        {{good, "cabb", beyond}, "a vertex out of range"},
        {{falls, "cabb", right}, "the name section"},
        {{late, "cabb", right}, "the name section"},
        {{empty, "cabb", right}, "the name section"},
    };
    struct gws_graph *graph = NULL, *again = NULL;
    const char *path = gws_test_temp("names.gwsg");
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, offset, NULL, NULL, true, true, &graph), GWS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t vertex = 9;
        gws_graph_borrow_names(graph, &cases[i].names);
        ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
        gws_status status = read_as(path, NULL, &again);
        ck_assert_msg(status == (cases[i].said ? GWS_CORRUPT : GWS_OK), "%zu: %s", i, where.message);
        if (cases[i].said) ck_assert_msg(strstr(where.message, cases[i].said) != NULL, "%zu: %s", i, where.message);
        if (cases[i].said) continue;
        ck_assert_int_eq(gws_graph_find_name(again, i ? "bc" : "ab", 2, &vertex), GWS_OK);
        ck_assert_uint_eq(vertex, 1);
        gws_graph_destroy(again);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* The reader detects ids that do not ascend in the order of the file. */
START_TEST(test_wrong_id_order)
{
    static const uint64_t offset[] = {0, 0, 0, 0}, id[] = {9, UINT64_MAX, 4}, same[] = {9, 4, 4};
    static const uint32_t right[] = {2, 0, 1}, wrong[] = {0, 2, 1}, twice[] = {2, 2, 1}, beyond[] = {2, 0, 3};
    static const struct {
        const uint64_t *id;
        const uint32_t *order;
        const char *said;
    } cases[] = {
        {id, right, NULL},
        {id, wrong, "ids do not ascend"},
        {id, twice, "ids do not ascend"},
        {same, right, "ids do not ascend"},
        {id, NULL, "the id section does not ascend"},
        {id, beyond, "a vertex out of range"},
        {NULL, right, "inconsistent head"},
    };
    struct gws_graph *graph = NULL, *again = NULL;
    const char *path = gws_test_temp("ids.gwsg");
    ck_assert_int_eq(gws_graph_wrap(runtime, 3, offset, NULL, NULL, true, true, &graph), GWS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t vertex = 9;
        gws_graph_borrow_ids(graph, cases[i].id);
        gws_graph_borrow_id_order(graph, cases[i].order);
        ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
        gws_status status = read_as(path, NULL, &again);
        ck_assert_msg(status == (cases[i].said ? GWS_CORRUPT : GWS_OK), "%zu: %s", i, where.message);
        if (cases[i].said) ck_assert_msg(strstr(where.message, cases[i].said) != NULL, "%zu: %s", i, where.message);
        if (cases[i].said) continue;
        ck_assert_int_eq(gws_graph_find(again, UINT64_MAX, &vertex), GWS_OK);
        ck_assert_uint_eq(vertex, 1);
        gws_graph_destroy(again);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* The reader drops or rounds real weights, and refuses weights that are not finite. */
START_TEST(test_real_weights)
{
    static const uint64_t offset[] = {0, 2, 4};
    static const uint32_t target[] = {0, 1, 0, 1};
    static const float values[][4] = {
        {-2.5F, 0.25F, 0.25F, 3e9F}, {-2.5F, 0.25F, 0.25F, 7.5F}, {1, NAN, 2, 3}, {1, 2, 3, 4}, {1, 2, 2, -INFINITY}};
    static const gws_status read[] = {GWS_OK, GWS_OK, GWS_CORRUPT, GWS_CORRUPT, GWS_CORRUPT};
    struct gws_read_options rounds = {.weights = GWS_WEIGHTS_ROUND}, drops = {.weights = GWS_WEIGHTS_DROP};
    struct gws_graph *graph = NULL, *again = NULL;
    const char *path = gws_test_temp("real.gwsg");
    ck_assert_int_eq(gws_graph_wrap_real(runtime, 2, offset, target, values[_i], false, true, &graph), GWS_OK);
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
    ck_assert_int_eq(read_as(path, NULL, &again), read[_i]);
    if (read[_i] == GWS_OK) {
        ck_assert_mem_eq(again->real_weight, values[_i], sizeof values[_i]);
        gws_graph_destroy(again);
        ck_assert_int_eq(read_as(path, &drops, &again), GWS_OK);
        ck_assert(!again->weight && !again->real_weight);
        gws_graph_destroy(again);
        ck_assert_int_eq(read_as(path, &rounds, &again), _i ? GWS_OK : GWS_OUT_OF_RANGE);
        if (_i) ck_assert(again->weight[0] == -3 && again->weight[1] == 0 && again->weight[3] == 8);
        if (_i) gws_graph_destroy(again);
    }
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(test_not_there)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(read_as(gws_test_temp("missing.gwsg"), NULL, &graph), GWS_SYSTEM);
    ck_assert_int_eq(read_as("/", NULL, &graph), GWS_SYSTEM);
    ck_assert_int_eq(read_bytes("p sp 1 0\n", 9, false), GWS_UNKNOWN_FORMAT);
    ck_assert_int_eq(gws_graph_read(runtime, gws_test_temp("missing.gwsg"), NULL, &graph, NULL), GWS_SYSTEM);
    ck_assert_ptr_null(graph);
}
END_TEST

/* ---- failing allocator ---- */

static void check_failing(const char *path, const struct gws_read_options *options)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_runtime *failing = gws_open_runtime(2, gws_test_allocator(&memory));
        struct gws_graph *graph = NULL;
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = read_with(failing, path, options, &graph);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(status == GWS_OK, graph != NULL);
        gws_runtime_close(failing); /* the graph outlives the runtime */
        gws_graph_destroy(graph);
        gws_test_memory_check(&memory);
        if (!atomic_load(&memory.failed)) break;
    }
}

START_TEST(test_memory)
{
    struct gws_recipe recipe = {
        .vertices = 60, .edges = 900, .weights = true, .ids = true, .positions = true, .loops = true};
    struct gws_graph *graph = gws_make_graph(runtime, &recipe);
    static const struct gws_read_options shaped = {.direction = GWS_EDGES_UNDIRECTED, .remove_loops = true};
    static const struct gws_read_options simplified = {.remove_loops = true, .remove_duplicates = true};
    static const char *const names[] = {"m.gwsg", "m.gwsg.gz"};
    const char *path = gws_test_temp(names[_i]);
    ck_assert_int_eq(gws__gwsg_write(runtime, graph, path, &where), GWS_OK);
    check_failing(path, NULL);
    check_failing(path, &shaped);
    check_failing(path, &simplified);
    gws_graph_destroy(graph);
}
END_TEST

START_TEST(test_memory_of_writing)
{
    static const char *const names[] = {"w.gwsg", "w.gwsg.gz"};
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_runtime *failing = gws_open_runtime(2, gws_test_allocator(&memory));
        struct gws_graph *graph = gws_make_graph(failing, &recipes[full_recipe]);
        const char *path = gws_test_temp(names[_i]);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws__gwsg_write(failing, graph, path, &where);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        if (status != GWS_OK) ck_assert_str_eq(where.file, path);
        if (status != GWS_OK) ck_assert_ptr_nonnull(strstr(where.message, "out of memory"));
        where = (struct gws_diagnostic){0};
        ck_assert_int_eq(access(path, F_OK) == 0, status == GWS_OK);
        gws_graph_destroy(graph);
        gws_runtime_close(failing);
        gws_test_memory_check(&memory);
        if (!atomic_load(&memory.failed)) break;
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_there_and_back, recipe_count},
                                    {test_gzip, recipe_count},
                                    {test_same_bytes, 2},
                                    {test_pipe, 1},
                                    {test_options, 1},
                                    {test_simplify, 4},
                                    {test_truncated, 1},
                                    {test_flipped, 1},
                                    {test_crafted, 1},
                                    {test_crafted_symmetry, 1},
                                    {test_one_asymmetric_arc, 1},
                                    {test_crafted_head, 1},
                                    {test_real_weights, 5},
                                    {test_wrong_names, 1},
                                    {test_wrong_id_order, 1},
                                    {test_not_there, 1},
                                    {test_memory, 2},
                                    {test_memory_of_writing, 2},
                                    {0}};
    return gws_test_run_between("gwsg", test, open_runtime, close_runtime);
}
