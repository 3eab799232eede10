/* SPDX-License-Identifier: MIT */
/* Describes a tree: points, box, nodes, and a histogram by level. */
#include "goctree.h"

#include <inttypes.h>
#include <stdlib.h>

/* Prints the number with as many digits as the coordinates need: floats up to 9, doubles up to 17. */
static void print_coordinate(double value, bool is_double, FILE *out)
{
    char text[32];
    int digits = 6, max_digits = is_double ? 17 : 9;
    do snprintf(text, sizeof text, "%.*g", digits, value);
    while (digits++ < max_digits && (is_double ? strtod(text, NULL) != value : strtof(text, NULL) != (float)value));
    fputs(text, out);
}

static void print_corner(const double corner[3], bool is_double, FILE *out)
{
    for (int axis = 0; axis < 3; axis++) {
        print_coordinate(corner[axis], is_double, out);
        if (axis < 2) fputs(", ", out);
    }
}

void shape_points_print(const struct tree_report *report, FILE *out)
{
    const struct gws_octree *tree = report->tree;
    char given[CONSOLE_NUMBER], dropped[CONSOLE_NUMBER];
    fprintf(out, "points    %s, %s", console_count(report->given, given), tree->is_double ? "in doubles" : "in floats");
    if (report->columns > 0) fprintf(out, ", %u more column%s", report->columns, report->columns == 1 ? "" : "s");
    if (tree->dropped > 0) fprintf(out, "; %s dropped", console_count(tree->dropped, dropped));
    fputs("\nbox       ", out);
    print_corner(tree->low, tree->is_double, out);
    fputs(" to ", out);
    print_corner(tree->high, tree->is_double, out);
    fputc('\n', out);
}

void shape_tree_print(const struct tree_report *report, FILE *out)
{
    const struct gws_octree *tree = report->tree;
    char nodes[CONSOLE_NUMBER], leaves[CONSOLE_NUMBER], empty[CONSOLE_NUMBER], max[CONSOLE_NUMBER],
        large[CONSOLE_NUMBER];
    fprintf(out, "tree      %s nodes, %s %s, %s empty octants, depth %u of %u\n", console_count(tree->nodes, nodes),
            console_count(tree->leaves, leaves), tree->leaves == 1 ? "leaf" : "leaves",
            console_count(tree->empty, empty), tree->depth, tree->max_depth);
    fprintf(out, "leaves    at most %s points", console_count(tree->max_leaf, max));
    if (tree->large > 0)
        fprintf(out, "; %s at the depth limit with more than %s", console_count(tree->large, large),
                console_count(tree->leaf_size, max));
    fputc('\n', out);
}

/* ---- levels ---- */

/* The nodes, the leaves and the leaves' points of one level. */
struct level_shape {
    uint64_t nodes, leaves, points;
};

static struct level_shape level_of(const struct gws_octree *tree, uint32_t which)
{
    struct level_shape level = {.nodes = tree->level_begin[which + 1] - tree->level_begin[which]};
    for (uint64_t i = tree->level_begin[which]; i < tree->level_begin[which + 1]; i++) {
        if (tree->node[i].child_mask) continue;
        level.leaves++;
        level.points += tree->node[i].end - tree->node[i].begin;
    }
    return level;
}

/* A tree without points has no levels. */
static uint32_t levels_of(const struct gws_octree *tree)
{
    return tree->nodes > 0 ? tree->depth + 1 : 0;
}

void shape_levels_print(const struct tree_report *report, FILE *out)
{
    const struct gws_octree *tree = report->tree;
    fprintf(out, "\nlevel %13s %13s %15s   share of the points\n", "nodes", "leaves", "points");
    for (uint32_t i = 0; i < levels_of(tree); i++) {
        char nodes[CONSOLE_NUMBER], leaves[CONSOLE_NUMBER], points[CONSOLE_NUMBER];
        struct level_shape level = level_of(tree, i);
        double share = workers_share(level.points, tree->points);
        fprintf(out, "%5" PRIu32 " %13s %13s %15s %5.1f %%%s%.*s\n", i, console_count(level.nodes, nodes),
                console_count(level.leaves, leaves), console_count(level.points, points), share, share < 2 ? "" : " ",
                (int)(share / 4 + 0.5), "#########################");
    }
}

/* ---- JSON ---- */

static void box_json(const struct gws_octree *tree, struct json *json)
{
    json_open(json, "box", '[');
    for (int i = 0; i < 6; i++) json_exact(json, NULL, i < 3 ? tree->low[i] : tree->high[i - 3]);
    json_close(json, ']');
}

static void levels_json(const struct gws_octree *tree, struct json *json)
{
    json_open(json, "levels", '[');
    for (uint32_t i = 0; i < levels_of(tree); i++) {
        struct level_shape level = level_of(tree, i);
        json_open(json, NULL, '{');
        json_count(json, "nodes", level.nodes);
        json_count(json, "leaves", level.leaves);
        json_count(json, "points", level.points);
        json_close(json, '}');
    }
    json_close(json, ']');
}

#define OF_TREE(name, key) JSON_FIELD(struct gws_octree, name, key)
static const struct json_field tree_field[] = {{OF_TREE(leaf_size, "leaf")}, {OF_TREE(max_depth, "max_depth")},
                                               {OF_TREE(nodes, "nodes")},    {OF_TREE(leaves, "leaves")},
                                               {OF_TREE(empty, "empty")},    {OF_TREE(large, "large")},
                                               {OF_TREE(depth, "depth")},    {OF_TREE(max_leaf, "max_leaf")}};

void shape_json(const struct tree_report *report, struct json *json)
{
    const struct gws_octree *tree = report->tree;
    json_text(json, "input", report->name);
    json_number(json, "load_ms", report->load_ms);
    json_count(json, "input_points", report->given);
    json_count(json, "dropped", tree->dropped);
    json_count(json, "points", tree->points);
    json_bool(json, "double", tree->is_double);
    json_count(json, "columns", report->columns);
    box_json(tree, json);
    json_fields(json, (struct json_table)JSON_TABLE(tree_field), tree);
    levels_json(tree, json);
}
