/* SPDX-License-Identifier: MIT */
#include "raster.h"

#include <math.h>

static int cell_of(const struct raster *raster, int which, double coordinate, bool end)
{
    double cell = picture_fraction(&raster->scale, which, coordinate) * CELLS;
    int cells = which == 0 ? raster->columns : raster->rows;
    cell = end ? ceil(cell - 1e-9) - 1 : floor(cell + 1e-9);
    return cell < 0 ? 0 : cell > cells - 1 ? cells - 1 : (int)cell;
}

/* A leaf smaller than a cell fills the cell that contains it. */
static void paint(struct raster *raster, const double low[3], const double high[3], uint8_t level, uint64_t leaf)
{
    int first[2], last[2];
    for (int i = 0; i < 2; i++) {
        first[i] = cell_of(raster, i, low[raster->axis[i]], false);
        last[i] = cell_of(raster, i, high[raster->axis[i]], true);
        if (last[i] < first[i]) last[i] = first[i];
    }
    for (int y = first[1]; y <= last[1]; y++) {
        for (int x = first[0]; x <= last[0]; x++) {
            int row = raster->rows - 1 - y;
            if (raster->leaf[row][x] != NO_LEAF && raster->depth[row][x] >= level) continue;
            raster->leaf[row][x] = leaf;
            raster->depth[row][x] = level;
        }
    }
}

/* Sets the common box of all leaves. */
static void set_box(struct raster *raster, const struct gws_octree *tree)
{
    for (int i = 0; i < 2; i++) raster->low[i] = INFINITY, raster->high[i] = -INFINITY;
    for (uint64_t leaf = 0; leaf < tree->leaves; leaf++) {
        double low[3], high[3];
        gws_octree_bounds(tree, tree->leaf[leaf], low, high);
        for (int i = 0; i < 2; i++) {
            raster->low[i] = fmin(raster->low[i], low[raster->axis[i]]);
            raster->high[i] = fmax(raster->high[i], high[raster->axis[i]]);
        }
    }
}

void raster_fill(struct raster *raster, const struct gws_octree *tree, int axis)
{
    raster->axis[0] = axis == 0 ? 1 : 0;
    raster->axis[1] = axis == 2 ? 1 : 2;
    set_box(raster, tree);
    picture_scale_set(&raster->scale, raster->low, raster->high);
    raster->columns = raster->rows = CELLS;
    raster->columns = cell_of(raster, 0, raster->high[0], true) + 1;
    raster->rows = cell_of(raster, 1, raster->high[1], true) + 1;
    for (int row = 0; row < CELLS; row++)
        for (int x = 0; x < CELLS; x++) raster->leaf[row][x] = NO_LEAF;
    for (uint64_t leaf = 0; leaf < tree->leaves; leaf++) {
        double low[3], high[3];
        gws_octree_bounds(tree, tree->leaf[leaf], low, high);
        if (tree->points > 0) paint(raster, low, high, tree->node[tree->leaf[leaf]].level, leaf);
    }
}

uint64_t raster_leaf(const struct raster *raster, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < raster->columns && y < raster->rows;
    return inside ? raster->leaf[y][x] : NO_LEAF;
}
