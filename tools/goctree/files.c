/* SPDX-License-Identifier: MIT */
/* Writes points, boxes and nodes to files. */
#include "goctree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int exit_status(gws_status status, const char *path, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return -1;
    if (*where->message) return console_fail_at(status, where);
    return console_fail("%s: %s", path, gws_status_text(status));
}

/* ---- points ---- */

/* The columns that the output adds to the columns of the points. */
enum { RED, GREEN, BLUE, LEAF, LEVEL, POINT, ADDED };

struct added {
    const struct gws_octree *tree;
    enum gws_number_kind kind[ADDED]; /* 32 bits if they suffice, because PLY has no longer integers */
    void *data[ADDED];                /* an entry for each point; NULL: not written */
};

static void set(const struct added *added, int which, uint64_t i, uint64_t value)
{
    if (added->kind[which] == GWS_NUMBER_U8)
        ((uint8_t *)added->data[which])[i] = (uint8_t)value;
    else if (added->kind[which] == GWS_NUMBER_U32)
        ((uint32_t *)added->data[which])[i] = (uint32_t)value;
    else
        ((uint64_t *)added->data[which])[i] = value;
}

static void fill_leaves(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct added *added = context;
    (void)worker;
    for (uint64_t leaf = begin; leaf < end; leaf++) {
        const struct gws_octree_node *node = &added->tree->node[added->tree->leaf[leaf]];
        /* A hash of the leaf's number gives three components from 64 to 255, so neighbours differ in colour. */
        uint64_t bits = gws_random_mix(leaf + 1);
        for (uint64_t i = node->begin; i < node->end; i++) {
            set(added, LEVEL, i, node->level);
            set(added, LEAF, i, leaf);
            set(added, POINT, i, gws_octree_point(added->tree, i));
            for (int c = RED; c <= BLUE && added->data[RED]; c++) set(added, c, i, 64 + (bits >> 8 * c & 0xff) * 3 / 4);
        }
    }
}

/* Chooses an unused column name. If the wanted name exists, the function appends a number. */
static void choose_name(const struct gws_points *points, const char *wanted, char name[GWS_POINTS_NAME])
{
    snprintf(name, GWS_POINTS_NAME, "%s", wanted);
    for (uint32_t n = 2; gws_points_find(points, name); n++) snprintf(name, GWS_POINTS_NAME, "%s_%" PRIu32, wanted, n);
}

/* Allocates the columns and appends them to the points' own columns in view. */
static bool add_columns(struct added *added, const struct gws_points *points, bool colours, struct gws_points *view)
{
    static const char *const name[ADDED] = {"red", "green", "blue", "leaf", "level", "point"};
    const struct gws_octree *tree = added->tree;
    for (int c = colours ? RED : LEAF; c < ADDED; c++) {
        uint64_t max = c == LEAF ? tree->leaves : tree->given;
        added->kind[c] = max > UINT32_MAX ? GWS_NUMBER_U64 : GWS_NUMBER_U32;
        if (c != LEAF && c != POINT) added->kind[c] = GWS_NUMBER_U8;
        added->data[c] = calloc(tree->points + 1, gws_number_bytes(added->kind[c]));
        if (!added->data[c]) return false;
        struct gws_points_column *column = &view->column[view->columns++];
        choose_name(points, name[c], column->name);
        column->kind = added->kind[c];
        column->data = added->data[c];
    }
    return true;
}

static int write_points(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
                        const char *path)
{
    struct gws_diagnostic where = {0};
    struct added added = {.tree = tree};
    struct gws_points view = *points;
    bool has_colours = gws_points_find(points, "red") && gws_points_find(points, "green");
    bool takes_colours = packed_name_ends(path, ".ply") || packed_name_ends(path, ".pcd");
    gws_status status = GWS_NO_MEMORY;
    view.column = calloc(points->columns + (size_t)ADDED, sizeof *view.column);
    if (view.column && points->columns > 0) memcpy(view.column, points->column, points->columns * sizeof *view.column);
    if (view.column && add_columns(&added, points, takes_colours && !has_colours, &view)) {
        gws_parallel_for(runtime, tree->leaves, 1 << 10, fill_leaves, &added);
        console_progress_begin("writing", path);
        status = gws_points_write(runtime, &view, path, GWS_POINTS_AUTO, &where);
        console_progress_end();
    }
    free(view.column);
    for (int c = 0; c < ADDED; c++) free(added.data[c]);
    return exit_status(status, path, &where);
}

/* ---- boxes ---- */

struct boxes {
    const struct gws_octree *tree;
    double *low, *high;
    uint32_t *level;
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
    struct gws_diagnostic where = {0};
    struct boxes boxes = {.tree = tree,
                          .low = calloc(tree->leaves, 3 * sizeof(double)),
                          .high = calloc(tree->leaves, 3 * sizeof(double)),
                          .level = calloc(tree->leaves, sizeof(uint32_t)),
                          .points = calloc(tree->leaves, sizeof(uint64_t))};
    gws_status status = boxes.low && boxes.high && boxes.level && boxes.points ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        gws_parallel_for(runtime, tree->leaves, 1 << 10, fill_boxes, &boxes);
        const struct gws_points_column column[] = {{"level", GWS_NUMBER_U32, boxes.level},
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
    return exit_status(status, path, &where);
}

int files_out(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
              const char *path)
{
    return packed_name_ends(path, ".vtu") ? write_boxes(runtime, tree, path)
                                          : write_points(runtime, tree, points, path);
}

/* ---- nodes ---- */

enum { NODE, NODE_LEVEL, KEY, PARENT, FIRST_CHILD, CHILD_MASK, BEGIN, END, NODE_COLUMNS };

struct node_table {
    const struct gws_octree *tree;
    int64_t *column[NODE_COLUMNS];
};

/* Fills the columns of the nodes; GWS_OCTREE_NONE becomes -1. */
static void fill_nodes(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct node_table *table = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const struct gws_octree_node *node = &table->tree->node[i];
        table->column[NODE][i] = (int64_t)i;
        table->column[NODE_LEVEL][i] = node->level;
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
    struct gws_diagnostic where = {0};
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
    return exit_status(status, path, &where);
}
