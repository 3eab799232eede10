/* SPDX-License-Identifier: MIT */
/* Verifies a tree against the rules of octree.h. The check builds the tree again, serially and level by level, from
 * the points and the tree's box, K and depth. Then it compares every entry. The check shares no code with the
 * builders. It finds cells with floor(), assembles keys bit by bit, and sorts all points by their complete keys at
 * once. */
#include "../octree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

/* A point that has a key. */
struct keyed_point {
    uint64_t key, number;
};

/* An octant of the current level, with points begin .. end - 1 in the order of the check. */
struct check_octant {
    uint64_t key, begin, end, parent;
};

struct octant_list {
    struct check_octant *octant;
    uint64_t count;
};

struct octree_check {
    struct gws_runtime *runtime;
    const struct gws_points *points;
    const struct gws_octree *tree;
    struct gws_diagnostic *where;
    double factor, scale[3];
    struct keyed_point *row;
    uint64_t rows;
    struct octant_list level, next;
    uint64_t max_octants; /* capacity for the octants of a level */
    uint64_t node, leaves, large, divided, max_leaf, first_child;
};

#define WRONG(check, ...) gws_diagnostic_set((check)->where, GWS_WRONG_RESULT, NULL, 0, 0, __VA_ARGS__)
#define NUMBER(n) ((unsigned long long)(n))

static gws_status same(const struct octree_check *check, const char *what, uint64_t node, uint64_t found,
                       uint64_t expected)
{
    if (found == expected) return GWS_OK;
    return WRONG(check, "node %llu: %s is %llu, not %llu", NUMBER(node), what, NUMBER(found), NUMBER(expected));
}

static gws_status same_total(const struct octree_check *check, const char *what, uint64_t found, uint64_t expected)
{
    if (found == expected) return GWS_OK;
    return WRONG(check, "%s: %llu, not %llu", what, NUMBER(found), NUMBER(expected));
}

/* ---- keys ---- */

static void find_scale(struct octree_check *check)
{
    double side = 0;
    for (int a = 0; a < 3; a++) side = fmax(side, check->tree->high[a] - check->tree->low[a]);
    check->factor = 1;
    if (isinf(side)) check->factor = 0.25;
    if (side > 0 && side < ldexp(1, -950)) check->factor = ldexp(1, 120);
    for (int a = 0; a < 3; a++) {
        double width = check->tree->high[a] * check->factor - check->tree->low[a] * check->factor;
        check->scale[a] = width > 0 ? fmin(2097152 / width, ldexp(1, 1020)) : 0;
    }
}

static uint64_t cell_of(const struct octree_check *check, int axis, double x)
{
    double from_low = x * check->factor - check->tree->low[axis] * check->factor;
    double cell = floor(from_low * check->scale[axis]);
    return cell > 2097151 ? 2097151 : cell > 0 ? (uint64_t)cell : 0;
}

/* Returns false when the point does not belong to the tree. */
static bool key_of(const struct octree_check *check, uint64_t number, uint64_t *key)
{
    const struct gws_points *points = check->points;
    const void *axis[3] = {points->x, points->y, points->z};
    uint64_t cell[3];
    for (int a = 0; a < 3; a++) {
        double x = gws_points_at(points, axis[a], number);
        if (!isfinite(x) || x < check->tree->low[a] || x > check->tree->high[a]) return false;
        cell[a] = cell_of(check, a, x);
    }
    *key = 0;
    for (int bit = GWS_OCTREE_DEPTH - 1; bit >= 0; bit--)
        for (int a = 0; a < 3; a++) *key = *key << 1 | (cell[a] >> bit & 1);
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct keyed_point *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_key(const void *a, const void *b)
{
    const struct keyed_point *x = a, *y = b;
    return x->key == y->key ? by_number(a, b) : x->key < y->key ? -1 : 1;
}

static gws_status sort_rows(struct octree_check *check)
{
    for (uint64_t i = 0; i < check->points->count && !ask_stop(check->runtime, i); i++) {
        uint64_t key;
        if (key_of(check, i, &key)) check->row[check->rows++] = (struct keyed_point){key, i};
    }
    if (check->rows) qsort(check->row, check->rows, sizeof *check->row, by_key);
    gws_status status = same_total(check, "points", check->tree->points, check->rows);
    if (status != GWS_OK) return status;
    return same_total(check, "points dropped", check->tree->dropped, check->points->count - check->rows);
}

/* ---- nodes ---- */

/* Fails if a level has more octants than the tree has nodes, or more octants than there are points. */
static gws_status push(struct octree_check *check, struct check_octant octant)
{
    struct octant_list *list = &check->next;
    if (list->count == check->max_octants)
        return same_total(check, "nodes", check->tree->nodes, check->tree->nodes + 1);
    list->octant[list->count++] = octant;
    return GWS_OK;
}

/* Appends the octant's children to the next level. Sets *mask to the children that exist. */
static gws_status divide(struct octree_check *check, const struct check_octant *octant, unsigned level, unsigned *mask)
{
    gws_status status = GWS_OK;
    unsigned shift = 3 * (GWS_OCTREE_DEPTH - level - 1);
    uint64_t begin = octant->begin;
    *mask = 0;
    while (status == GWS_OK && begin < octant->end) {
        uint64_t key = check->row[begin].key >> shift, end = begin;
        while (end < octant->end && check->row[end].key >> shift == key) end++;
        *mask |= 1U << (key & 7);
        status = push(check, (struct check_octant){key, begin, end, check->node});
        begin = end;
    }
    return status;
}

/* Compares the points of a leaf in the index, and their coordinates if the tree has coordinates. */
static gws_status check_leaf(struct octree_check *check, const struct check_octant *octant)
{
    const struct gws_octree *tree = check->tree;
    const void *axis[3] = {check->points->x, check->points->y, check->points->z};
    const struct gws_points sorted_points = {.is_double = tree->is_double};
    const void *sorted[3] = {tree->x, tree->y, tree->z};
    if (octant->end > octant->begin)
        qsort(check->row + octant->begin, octant->end - octant->begin, sizeof *check->row, by_number);
    for (uint64_t i = octant->begin; i < octant->end; i++) {
        uint64_t number = check->row[i].number;
        if (gws_octree_point(tree, i) != number)
            return WRONG(check, "position %llu: point %llu, not %llu", NUMBER(i), NUMBER(gws_octree_point(tree, i)),
                         NUMBER(number));
        for (int a = 0; tree->x && a < 3; a++)
            if (gws_points_at(&sorted_points, sorted[a], i) != gws_points_at(check->points, axis[a], number))
                return WRONG(check, "position %llu: %c differs from that of point %llu", NUMBER(i), "xyz"[a],
                             NUMBER(number));
    }
    return GWS_OK;
}

static gws_status check_node(struct octree_check *check, const struct check_octant *octant, unsigned level)
{
    const struct gws_octree *tree = check->tree;
    uint64_t n = check->node, points = octant->end - octant->begin;
    if (n >= tree->nodes) return same_total(check, "nodes", tree->nodes, n + 1);
    const struct gws_octree_node *node = &tree->node[n];
    bool divided = points > tree->leaf_size && level < tree->max_depth;
    unsigned mask = 0;
    gws_status status = divided ? divide(check, octant, level, &mask) : check_leaf(check, octant);
    if (status == GWS_OK) status = same(check, "level", n, node->level, level);
    if (status == GWS_OK) status = same(check, "key", n, node->key, octant->key);
    if (status == GWS_OK) status = same(check, "begin", n, node->begin, octant->begin);
    if (status == GWS_OK) status = same(check, "end", n, node->end, octant->end);
    if (status == GWS_OK) status = same(check, "parent", n, node->parent, octant->parent);
    if (status == GWS_OK) status = same(check, "child mask", n, node->child_mask, mask);
    if (status == GWS_OK)
        status = same(check, "first child", n, node->first_child, divided ? check->first_child : GWS_OCTREE_NONE);
    if (status == GWS_OK) status = same(check, "large", n, node->large, !divided && points > tree->leaf_size);
    check->first_child += (unsigned)__builtin_popcount(mask);
    check->divided += divided;
    check->leaves += !divided;
    check->large += !divided && points > tree->leaf_size;
    if (!divided && points > check->max_leaf) check->max_leaf = points;
    check->node++;
    return status;
}

static gws_status check_level(struct octree_check *check, unsigned level)
{
    const struct gws_octree *tree = check->tree;
    if (level > tree->depth) return same_total(check, "depth", tree->depth, level);
    gws_status status = same_total(check, "a level's first node", tree->level_begin[level], check->node);
    check->first_child = check->node + check->level.count;
    for (uint64_t i = 0; status == GWS_OK && i < check->level.count && !ask_stop(check->runtime, i); i++) {
        struct check_octant octant = check->level.octant[i];
        status = check_node(check, &octant, level);
    }
    struct octant_list swap = check->level;
    check->level = check->next;
    check->next = swap;
    check->next.count = 0;
    return status;
}

/* ---- the rest ---- */

/* Checks that the leaves cover the points in order. The caller has already verified the nodes. */
static gws_status check_leaf_list(const struct octree_check *check)
{
    const struct gws_octree *tree = check->tree;
    uint64_t at = 0;
    for (uint64_t i = 0; i < tree->leaves; i++) {
        uint64_t leaf = tree->leaf[i];
        if (leaf >= tree->nodes || tree->node[leaf].child_mask != 0 || tree->node[leaf].begin != at)
            return WRONG(check, "leaf %llu: not node %llu", NUMBER(i), NUMBER(leaf));
        at = tree->node[leaf].end;
    }
    return same_total(check, "points in leaves", at, tree->points);
}

static gws_status check_totals(const struct octree_check *check)
{
    const struct gws_octree *tree = check->tree;
    gws_status status = same_total(check, "nodes", tree->nodes, check->node);
    if (status == GWS_OK) status = same_total(check, "leaves", tree->leaves, check->leaves);
    if (status == GWS_OK)
        status = same_total(check, "empty octants", tree->empty, 8 * check->divided + 1 - check->node);
    if (status == GWS_OK) status = same_total(check, "large leaves", tree->large, check->large);
    if (status == GWS_OK) status = same_total(check, "points in the fullest leaf", tree->max_leaf, check->max_leaf);
    if (status == GWS_OK) status = same_total(check, "points given", tree->given, check->points->count);
    if (status == GWS_OK)
        status = same_total(check, "the last level's end", tree->level_begin[tree->depth + 1], check->node);
    return status;
}

static gws_status check_all(struct octree_check *check)
{
    find_scale(check);
    gws_status status = sort_rows(check);
    if (status != GWS_OK) return status;
    check->level.octant[0] = (struct check_octant){0, 0, check->rows, GWS_OCTREE_NONE};
    check->level.count = 1;
    unsigned level = 0;
    for (; status == GWS_OK && check->level.count > 0; level++) status = check_level(check, level);
    if (status == GWS_OK) status = same_total(check, "depth", check->tree->depth, level - 1);
    if (status == GWS_OK) status = check_totals(check);
    return status == GWS_OK ? check_leaf_list(check) : status;
}

static gws_status octree_check(struct gws_runtime *runtime, const struct gws_points *points,
                               const struct gws_octree *tree, struct gws_diagnostic *where)
{
    if (points->count != tree->given)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%llu points, but the tree was built from %llu",
                                  NUMBER(points->count), NUMBER(tree->given));
    struct octree_check check = {.runtime = runtime,
                                 .points = points,
                                 .tree = tree,
                                 .where = where,
                                 .max_octants = 1 + (tree->nodes < points->count ? tree->nodes : points->count)};
    check.row = gws_allocate(runtime, points->count, sizeof *check.row);
    check.level.octant = gws_allocate(runtime, check.max_octants, sizeof(struct check_octant));
    check.next.octant = gws_allocate(runtime, check.max_octants, sizeof(struct check_octant));
    gws_status status = check.row && check.level.octant && check.next.octant ? check_all(&check) : GWS_NO_MEMORY;
    gws_release(runtime, check.row, points->count, sizeof *check.row);
    gws_release(runtime, check.level.octant, check.max_octants, sizeof(struct check_octant));
    gws_release(runtime, check.next.octant, check.max_octants, sizeof(struct check_octant));
    return status;
}

gws_status gws_octree_check(struct gws_runtime *runtime, const struct gws_points *points, const struct gws_octree *tree,
                            struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, octree_check(runtime, points, tree, where), where));
}
