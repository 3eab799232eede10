/* SPDX-License-Identifier: MIT */
/* Finds points in boxes. A query compares octants and box in cells. The cell of a coordinate never decreases when the
 * coordinate increases, so an octant strictly between the cells of the box's sides lies exactly inside the box. */
#include <math.h>

#include "octree_query_state.h"

/* Sets in[i] to 1 if point begin + i of the leaf order lies in the box, otherwise to 0. count is at most
 * gws__octree_scan. */
GWS__VECTOR_LOOP inside_loop(bool is_double, const struct gws_octree *tree, const struct gws_octree_box *box,
                             uint64_t begin, uint64_t count, uint64_t *restrict in)
{
    const void *const axes[3] = {tree->x, tree->y, tree->z};
    const struct gws_octree_box b = *box;
    for (uint64_t i = 0; i < count; i++) {
        in[i] = 1;
        for (int axis = 0; axis < 3; axis++) {
            double at = gws__number_at(is_double, axes[axis], begin + i);
            in[i] &= (uint64_t)(at >= b.low[axis]) & (uint64_t)(at <= b.high[axis]);
        }
    }
}
GWS__VECTORS(static, inside, false, tree->is_double,
             (const struct gws_octree *tree, const struct gws_octree_box *box, uint64_t begin, uint64_t count,
              uint64_t *in),
             tree, box, begin, count, in)

/* A box in cells. Points in cells beyond first .. last are outside, and points in cells strictly between first and
 * last are inside. */
struct box_cells {
    const struct gws_octree_box *box;
    int64_t first[3], last[3];
};

enum side { BOX_OUTSIDE, BOX_CROSSES, BOX_INSIDE };

static enum side side_of(const struct box_cells *cells, const struct gws__octree_visit *visit)
{
    enum side side = BOX_INSIDE;
    unsigned shift = GWS_OCTREE_DEPTH - visit->level;
    for (int a = 0; a < 3; a++) {
        int64_t low = (int64_t)visit->corner[a] << shift, high = low + (INT64_C(1) << shift) - 1;
        if (low > cells->last[a] || high < cells->first[a]) return BOX_OUTSIDE;
        if (low <= cells->first[a] || high >= cells->last[a]) side = BOX_CROSSES;
    }
    return side;
}

static void add_octant(struct gws__octree_query_context *context, const struct gws_octree_node *node)
{
    const struct gws_octree *tree = context->batch->tree;
    uint64_t points = node->end - node->begin;
    if (gws__octree_only_counts(context)) {
        context->count += points;
        return;
    }
    if (context->batch->totals) {
        for (uint64_t i = node->begin; i < node->end; i++) gws__octree_hit(context, gws_octree_point(tree, i), 0);
        return;
    }
    if (!gws__octree_reserve_hits(context, points)) return;
    for (uint64_t i = node->begin; i < node->end; i++) context->point[context->hits++] = gws_octree_point(tree, i);
}

static void scan_octant(struct gws__octree_query_context *context, const struct gws_octree_node *node,
                        const struct gws_octree_box *box)
{
    const struct gws_octree *tree = context->batch->tree;
    uint64_t in[gws__octree_scan];
    for (uint64_t at = node->begin, count; at < node->end; at += count) {
        count = node->end - at < gws__octree_scan ? node->end - at : gws__octree_scan;
        inside(tree, box, at, count, in);
        for (uint64_t i = 0; i < count; i++)
            if (in[i]) gws__octree_hit(context, gws_octree_point(tree, at + i), 0);
    }
}

static void visit(struct gws__octree_query_context *context, const struct box_cells *cells,
                  struct gws__octree_visit here)
{
    const struct gws_octree_node *node = &context->batch->tree->node[here.node];
    enum side side = side_of(cells, &here);
    if (side == BOX_OUTSIDE) return;
    if (side == BOX_INSIDE) {
        add_octant(context, node);
    } else if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan) {
        scan_octant(context, node, cells->box);
    } else {
        uint64_t child = node->first_child;
        for (unsigned mask = node->child_mask; mask; mask &= mask - 1)
            visit(context, cells, gws__octree_child(&here, (unsigned)__builtin_ctz(mask), child++));
    }
}

static void run(struct gws__octree_query_context *context, uint64_t query)
{
    const struct gws_octree *tree = context->batch->tree;
    const struct gws_octree_box *box = (const struct gws_octree_box *)context->batch->query + query;
    struct box_cells cells = {.box = box};
    for (int a = 0; a < 3; a++) {
        if (box->high[a] < tree->low[a] || box->low[a] > tree->high[a]) return;
        /* The border is one cell beyond the tree on a side where the box covers the whole tree. */
        int64_t first = gws__octree_cell(&tree->owner->grid, a, box->low[a]);
        int64_t last = gws__octree_cell(&tree->owner->grid, a, box->high[a]);
        cells.first[a] = box->low[a] <= tree->low[a] ? -1 : first;
        cells.last[a] = box->high[a] >= tree->high[a] ? gws__octree_cells : last;
    }
    visit(context, &cells, (struct gws__octree_visit){.node = 0});
}

/* Computes the middle of the intersection of the box and the tree's box. */
static void box_position(const struct gws__octree_batch *batch, uint64_t query, double position[3])
{
    const struct gws_octree_box *box = (const struct gws_octree_box *)batch->query + query;
    for (int a = 0; a < 3; a++) {
        double low = fmax(box->low[a], batch->tree->low[a]), high = fmin(box->high[a], batch->tree->high[a]);
        position[a] = low / 2 + high / 2;
    }
}

const struct gws__octree_kind gws__octree_boxes = {
    .name = "box",
    .flaw = "is invalid: low must be <= high",
    .numbers = 6,
    .corners = true,
    .run = run,
    .position = box_position,
};

gws_status gws_octree_in_boxes(struct gws_runtime *runtime, const struct gws_octree *tree,
                               const struct gws_octree_box *box, uint64_t count, struct gws_octree_hits *hits,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__octree_answer(runtime, tree, &gws__octree_boxes, box, count, 0, hits, where));
}

gws_status gws_octree_count_in_boxes(struct gws_runtime *runtime, const struct gws_octree *tree,
                                     const struct gws_octree_box *box, uint64_t count,
                                     const struct gws_octree_totals *totals, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, gws__octree_total(runtime, tree, &gws__octree_boxes, box, count, totals, where));
}
