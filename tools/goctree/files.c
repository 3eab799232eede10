/* SPDX-License-Identifier: MIT */
/* Points, boxes and nodes to files. */
#include "query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/outputs.h"

static int answer(gws_status status, const char *path, const struct gws_where *where)
{
    if (status == GWS_OK) return -1;
    if (*where->message) return console_fail_at(status, where);
    return console_fail("%s: %s", path, gws_status_text(status));
}

/* ---- points ---- */

/* Columns that are added to the points, arrays of points or leaves entries; NULL: not wanted. */
struct added {
    const struct gws_octree *tree;
    uint64_t *leaf, *point;
    uint32_t *narrow_leaf, *narrow_point; /* where the numbers fit in 32 bits: PLY has no longer ones */
    uint8_t *level, *red, *green, *blue;
};

/* Neighbours get colours that differ: the leaf's number, mixed, as three parts from 64 to 255. */
static void set_colour(const struct added *added, uint64_t place, uint64_t leaf)
{
    uint64_t bits = gws_random_mix(leaf + 1);
    added->red[place] = (uint8_t)(64 + (bits & 0xff) * 3 / 4);
    added->green[place] = (uint8_t)(64 + (bits >> 8 & 0xff) * 3 / 4);
    added->blue[place] = (uint8_t)(64 + (bits >> 16 & 0xff) * 3 / 4);
}

static void fill_leaves(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct added *added = context;
    (void)worker;
    for (uint64_t leaf = begin; leaf < end; leaf++) {
        const struct gws_octree_node *node = &added->tree->node[added->tree->leaf[leaf]];
        for (uint64_t i = node->begin; i < node->end; i++) {
            added->level[i] = node->level;
            if (added->leaf) added->leaf[i] = leaf;
            if (added->narrow_leaf) added->narrow_leaf[i] = (uint32_t)leaf;
            if (added->point) added->point[i] = gws_octree_point(added->tree, i);
            if (added->narrow_point) added->narrow_point[i] = (uint32_t)gws_octree_point(added->tree, i);
            if (added->red) set_colour(added, i, leaf);
        }
    }
}

/* A name that no column has: the one wanted, or with a number behind it. */
static void choose_name(const struct gws_points *points, const char *wanted, char name[GWS_POINTS_NAME])
{
    snprintf(name, GWS_POINTS_NAME, "%s", wanted);
    for (uint32_t n = 2; gws_points_find(points, name); n++) snprintf(name, GWS_POINTS_NAME, "%s_%" PRIu32, wanted, n);
}

static void add_column(struct gws_points *view, const struct gws_points *points, const char *name,
                       enum gws_number_kind kind, void *data)
{
    struct gws_points_column *column = &view->column[view->columns];
    if (!data) return;
    choose_name(points, name, column->name);
    column->kind = kind;
    column->data = data;
    view->columns++;
}

static bool make_room(struct added *added, uint64_t given, bool colours)
{
    uint64_t points = added->tree->points + 1;
    if (added->tree->leaves <= UINT32_MAX)
        added->narrow_leaf = calloc(points, sizeof *added->narrow_leaf);
    else
        added->leaf = calloc(points, sizeof *added->leaf);
    if (given <= UINT32_MAX)
        added->narrow_point = calloc(points, sizeof *added->narrow_point);
    else
        added->point = calloc(points, sizeof *added->point);
    added->level = calloc(points, 1);
    if (colours) {
        added->red = calloc(points, 1);
        added->green = calloc(points, 1);
        added->blue = calloc(points, 1);
    }
    return (added->leaf || added->narrow_leaf) && (added->point || added->narrow_point) && added->level &&
           (!colours || (added->red && added->green && added->blue));
}

static void free_added(struct added *added)
{
    void *all[] = {added->leaf,  added->point, added->narrow_leaf, added->narrow_point,
                   added->level, added->red,   added->green,       added->blue};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static int write_points(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
                        const char *path)
{
    struct gws_where where = {0};
    struct added added = {.tree = tree};
    struct gws_points view = *points;
    bool has_colours = gws_points_find(points, "red") && gws_points_find(points, "green");
    view.column = calloc(points->columns + (size_t)6, sizeof *view.column);
    gws_status status = view.column && make_room(&added, tree->given, packed_name_ends(path, ".ply") && !has_colours)
                            ? GWS_OK
                            : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        gws_parallel_for(runtime, tree->leaves, 1 << 10, fill_leaves, &added);
        if (points->columns > 0) memcpy(view.column, points->column, points->columns * sizeof *view.column);
        add_column(&view, points, "red", GWS_NUMBER_U8, added.red);
        add_column(&view, points, "green", GWS_NUMBER_U8, added.green);
        add_column(&view, points, "blue", GWS_NUMBER_U8, added.blue);
        add_column(&view, points, "leaf", GWS_NUMBER_U32, added.narrow_leaf);
        add_column(&view, points, "leaf", GWS_NUMBER_U64, added.leaf);
        add_column(&view, points, "level", GWS_NUMBER_U8, added.level);
        add_column(&view, points, "point", GWS_NUMBER_U32, added.narrow_point);
        add_column(&view, points, "point", GWS_NUMBER_U64, added.point);
        console_progress_begin("writing", path);
        status = gws_points_write(runtime, &view, path, GWS_POINTS_AUTO, &where);
        console_progress_end();
    }
    free(view.column);
    free_added(&added);
    return answer(status, path, &where);
}

/* ---- boxes ---- */

struct boxes {
    const struct gws_octree *tree;
    double *low, *high;
    uint8_t *level;
    uint64_t *points;
};

static void fill_boxes(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct boxes *boxes = context;
    (void)worker;
    for (uint64_t leaf = begin; leaf < end; leaf++) {
        uint64_t node = boxes->tree->leaf[leaf];
        gws_octree_bounds(boxes->tree, node, boxes->low + 3 * leaf, boxes->high + 3 * leaf);
        boxes->level[leaf] = boxes->tree->node[node].level;
        boxes->points[leaf] = boxes->tree->node[node].end - boxes->tree->node[node].begin;
    }
}

static int write_boxes(struct gws_runtime *runtime, const struct gws_octree *tree, const char *path)
{
    struct gws_where where = {0};
    struct boxes boxes = {.tree = tree,
                          .low = calloc(tree->leaves, 3 * sizeof(double)),
                          .high = calloc(tree->leaves, 3 * sizeof(double)),
                          .level = calloc(tree->leaves, 1),
                          .points = calloc(tree->leaves, sizeof(uint64_t))};
    gws_status status = boxes.low && boxes.high && boxes.level && boxes.points ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        gws_parallel_for(runtime, tree->leaves, 1 << 10, fill_boxes, &boxes);
        const struct gws_points_column column[] = {{"level", GWS_NUMBER_U8, boxes.level},
                                                   {"count", GWS_NUMBER_U64, boxes.points}};
        const struct gws_boxes view = {
            .count = tree->leaves, .low = boxes.low, .high = boxes.high, .columns = 2, .column = column};
        console_progress_begin("writing", path);
        status = gws_boxes_write(runtime, &view, path, &where);
        console_progress_end();
    }
    free(boxes.low);
    free(boxes.high);
    free(boxes.level);
    free(boxes.points);
    return answer(status, path, &where);
}

int files_out(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
              const char *path)
{
    return packed_name_ends(path, ".vtu") ? write_boxes(runtime, tree, path)
                                          : write_points(runtime, tree, points, path);
}

/* ---- nodes ---- */

enum { NODE, LEVEL, KEY, PARENT, FIRST_CHILD, CHILD_MASK, BEGIN, END, NODE_COLUMNS };

struct node_table {
    const struct gws_octree *tree;
    int64_t *column[NODE_COLUMNS];
};

/* GWS_OCTREE_NONE becomes -1. */
static void fill_nodes(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct node_table *table = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const struct gws_octree_node *node = &table->tree->node[i];
        table->column[NODE][i] = (int64_t)i;
        table->column[LEVEL][i] = node->level;
        table->column[KEY][i] = (int64_t)node->key;
        table->column[PARENT][i] = (int64_t)node->parent;
        table->column[FIRST_CHILD][i] = (int64_t)node->first_child;
        table->column[CHILD_MASK][i] = node->child_mask;
        table->column[BEGIN][i] = (int64_t)node->begin;
        table->column[END][i] = (int64_t)node->end;
    }
}

int files_nodes(struct gws_runtime *runtime, const struct gws_octree *tree, const char *path)
{
    static const char *const name[NODE_COLUMNS] = {"node",        "level",      "key",   "parent",
                                                   "first_child", "child_mask", "begin", "end"};
    struct gws_where where = {0};
    struct node_table nodes = {.tree = tree};
    struct gws_column column[NODE_COLUMNS];
    int64_t *memory = calloc(tree->nodes, NODE_COLUMNS * sizeof *memory);
    gws_status status = memory ? GWS_OK : GWS_NO_MEMORY;
    for (int i = 0; i < NODE_COLUMNS && memory; i++) {
        nodes.column[i] = memory + (uint64_t)i * tree->nodes;
        column[i] = (struct gws_column){name[i], GWS_COLUMN_I64, nodes.column[i]};
    }
    if (status == GWS_OK) {
        gws_parallel_for(runtime, tree->nodes, 1 << 12, fill_nodes, &nodes);
        const struct gws_table table = {.rows = tree->nodes, .columns = NODE_COLUMNS, .column = column};
        console_progress_begin("writing", path);
        status = gws_table_write(runtime, &table, path, &where);
        console_progress_end();
    }
    free(memory);
    return answer(status, path, &where);
}
