/* SPDX-License-Identifier: MIT */
/* Points in boxes. Octants are compared with the box in cells: the cell of a coordinate never falls when the coordinate
 * grows, so that an octant strictly between the cells of the box's sides lies in the box, to the last bit. */
#include <math.h>

#include "octree_ask.h"
#include "octree_vectors.h"

/* in[i] becomes not 0 when point begin + i of the leaf order (at most gws__octree_scan) lies in the box. */
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

/* A box in cells: points in cells beyond first .. last are outside, those strictly between are inside. */
struct cells {
    const struct gws_octree_box *box;
    int64_t first[3], last[3];
};

enum place { OUTSIDE, ACROSS, INSIDE };

static enum place place_of(const struct cells *cells, const struct gws__octree_visit *visit)
{
    enum place place = INSIDE;
    unsigned shift = GWS_OCTREE_DEPTH - visit->level;
    for (int a = 0; a < 3; a++) {
        int64_t low = (int64_t)visit->corner[a] << shift, high = low + (INT64_C(1) << shift) - 1;
        if (low > cells->last[a] || high < cells->first[a]) return OUTSIDE;
        if (low <= cells->first[a] || high >= cells->last[a]) place = ACROSS;
    }
    return place;
}

static void take_all(struct gws__octree_asker *asker, const struct gws_octree_node *node)
{
    const struct gws_octree *tree = asker->batch->tree;
    if (!gws__octree_make_room(asker, node->end - node->begin)) return;
    for (uint64_t i = node->begin; i < node->end; i++) asker->point[asker->hits++] = gws_octree_point(tree, i);
}

static void look_through(struct gws__octree_asker *asker, const struct gws_octree_node *node,
                         const struct gws_octree_box *box)
{
    const struct gws_octree *tree = asker->batch->tree;
    uint64_t in[gws__octree_scan];
    for (uint64_t at = node->begin, end; at < node->end; at = end) {
        end = node->end - at < gws__octree_scan ? node->end : at + gws__octree_scan;
        inside(tree, box, at, end - at, in);
        for (uint64_t i = at; i < end; i++)
            if (in[i - at]) gws__octree_hit(asker, gws_octree_point(tree, i), 0);
    }
}

static void visit(struct gws__octree_asker *asker, const struct cells *cells, struct gws__octree_visit here)
{
    const struct gws_octree_node *node = &asker->batch->tree->node[here.node];
    enum place place = place_of(cells, &here);
    if (place == OUTSIDE) return;
    if (place == INSIDE) {
        take_all(asker, node);
    } else if (node->child_mask == 0 || node->end - node->begin <= gws__octree_scan) {
        look_through(asker, node, cells->box);
    } else {
        uint64_t child = node->first_child;
        for (unsigned mask = node->child_mask; mask; mask &= mask - 1)
            visit(asker, cells, gws__octree_child(&here, (unsigned)__builtin_ctz(mask), child++));
    }
}

static void ask(struct gws__octree_asker *asker, uint64_t question)
{
    const struct gws_octree *tree = asker->batch->tree;
    const struct gws_octree_box *box = (const struct gws_octree_box *)asker->batch->question + question;
    struct cells cells = {.box = box};
    for (int a = 0; a < 3; a++) {
        if (box->high[a] < tree->low[a] || box->low[a] > tree->high[a]) return;
        /* One step out where the whole of the tree is on the right side. */
        int64_t first = gws__octree_cell(&tree->owner->grid, a, box->low[a]);
        int64_t last = gws__octree_cell(&tree->owner->grid, a, box->high[a]);
        cells.first[a] = box->low[a] <= tree->low[a] ? -1 : first;
        cells.last[a] = box->high[a] >= tree->high[a] ? gws__octree_cells : last;
    }
    visit(asker, &cells, (struct gws__octree_visit){.node = 0});
}

/* The middle of what the box has of the tree's. */
static void near(const struct gws__octree_batch *batch, uint64_t question, double place[3])
{
    const struct gws_octree_box *box = (const struct gws_octree_box *)batch->question + question;
    for (int a = 0; a < 3; a++) {
        double low = fmax(box->low[a], batch->tree->low[a]), high = fmin(box->high[a], batch->tree->high[a]);
        place[a] = low / 2 + high / 2;
    }
}

const struct gws__octree_kind gws__octree_boxes = {
    .name = "box",
    .flaw = "is none: its low must be <= its high",
    .numbers = 6,
    .corners = true,
    .ask = ask,
    .near = near,
};

gws_status gws_octree_in_boxes(struct gws_runtime *runtime, const struct gws_octree *tree,
                               const struct gws_octree_box *box, uint64_t count, struct gws_octree_hits *hits,
                               struct gws_where *where)
{
    return gws__octree_answer(runtime, tree, &gws__octree_boxes, box, count, 0, hits, where);
}
