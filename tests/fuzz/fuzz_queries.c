/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of queries and goctree's answers. The reader reads the input whole and in tiny chunks, in all
 * modes of enum fuzz_mode. The points are the first three numbers of each query. Two trees, one of which is a single
 * leaf if possible, must give the same answers. */
#include "draw.h"

#include "../../io/points/reader.h"
#include "../../tools/goctree/goctree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct gws_query_kind kind[] = {
    {"box", 6, "box"}, {"ball", 4, "ball"}, {"nearest", 4, "nearest"}, {"ray", 7, "ray"}};

enum { kinds = sizeof kind / sizeof *kind, max_points = 48 };

struct reading {
    gws_status status;
    struct gws_diagnostic where;
    struct gws_query *query;
    uint64_t count;
};

static struct reading read_once(const uint8_t *data, size_t size, enum fuzz_mode mode, uint64_t chunk_size)
{
    struct reading result = {.status = GWS_OK};
    struct gws__input input;
    result.status = fuzz_open(&input, data, size, mode, chunk_size, &result.where);
    if (result.status == GWS_OK)
        result.status = gws__queries_read_input(&input, kind, kinds, &result.query, &result.count);
    gws__input_close(&input);
    fuzz_demand((result.status == GWS_OK) == (result.query != NULL), "queries and an error, or neither");
    return result;
}

static void free_reading(struct reading *reading)
{
    gws_release(fuzz_runtime(), reading->query, reading->count, sizeof *reading->query);
}

static void compare(const uint8_t *data, size_t size, const struct reading *a, const struct reading *b)
{
    fuzz_same_end(data, size, a->status, &a->where, b->status, &b->where);
    fuzz_demand(a->count == b->count, "other queries");
    for (uint64_t q = 0; q < a->count; q++) {
        const struct gws_query *one = &a->query[q], *other = &b->query[q];
        fuzz_demand(one->kind == other->kind && one->line == other->line, "another question");
        fuzz_demand(memcmp(one->number, other->number, kind[one->kind].numbers * sizeof *one->number) == 0,
                    "other numbers");
    }
}

/* ---- answers ---- */

static struct gws_octree *plant(const struct gws_points *points, uint64_t leaf)
{
    struct gws_octree_options options = {.leaf = leaf};
    struct gws_octree *tree = NULL;
    if (gws_octree_build(fuzz_roomy_runtime(), points, &options, &tree, NULL) != GWS_OK) return NULL;
    fuzz_demand(gws_octree_copy_points(fuzz_roomy_runtime(), tree, points) == GWS_OK, "no points in leaf order");
    return tree;
}

static int answer(struct tree_queries *query, const char *path, const struct gws_octree *tree)
{
    fuzz_hush(true);
    int status = query_read(query, fuzz_roomy_runtime(), path);
    if (status < 0) status = query_answer(query, fuzz_roomy_runtime(), NULL, tree, path);
    fuzz_hush(false);
    return status;
}

/* Compares two trees' answers. A query's rows are in the order of the tree's leaves, so each row of one tree must be
 * among the rows of the other tree. */
static void same_answers(const struct tree_queries *a, const struct tree_queries *b)
{
    fuzz_demand(a->hits == b->hits && a->count == b->count, "two trees, two answers");
    for (uint64_t i = 0; i < a->hits; i++) {
        uint64_t k = 0;
        while (k < b->hits && (b->number[k] != a->number[i] || b->point[k] != a->point[i])) k++;
        fuzz_demand(k < b->hits, "a point that one tree alone finds");
        fuzz_demand(memcmp(&a->distance[i], &b->distance[k], sizeof(double)) == 0, "two distances");
    }
}

static void ask(const uint8_t *data, size_t size, const struct gws_points *points)
{
    struct gws_octree *deep = plant(points, 1), *flat = plant(points, max_points);
    struct tree_queries of_deep = {0}, of_flat = {0};
    fuzz_demand(!deep == !flat, "one tree alone");
    if (deep) {
        char path[fuzz_path];
        fuzz_begin_files();
        fuzz_save(fuzz_file("in", path), data, size);
        int status = answer(&of_deep, path, deep);
        fuzz_demand(status == answer(&of_flat, path, flat), "two trees, two statuses");
        if (status < 0) same_answers(&of_deep, &of_flat);
    }
    query_clear(&of_deep, fuzz_roomy_runtime());
    query_clear(&of_flat, fuzz_roomy_runtime());
    gws_octree_destroy(deep);
    gws_octree_destroy(flat);
}

/* Runs queries whose centres are the points. */
static void ask_about_their_places(const uint8_t *data, size_t size, const struct reading *reading)
{
    static double coordinate[3][max_points];
    struct gws_points points = {.is_double = true, .x = coordinate[0], .y = coordinate[1], .z = coordinate[2]};
    for (uint64_t q = 0; q < reading->count && q < max_points; q++) {
        for (int axis = 0; axis < 3; axis++) coordinate[axis][points.count] = reading->query[q].number[axis];
        points.count++;
    }
    ask(data, size, &points);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading whole = read_once(data, size, FUZZ_FILE, 0);
    for (int mode = 0; mode < FUZZ_MODES; mode++) {
        struct reading chunks = read_once(data, size, (enum fuzz_mode)mode, 16);
        compare(data, size, &whole, &chunks);
        free_reading(&chunks);
    }
    if (whole.status == GWS_OK) ask_about_their_places(data, size, &whole);
    free_reading(&whole);
    return 0;
}
