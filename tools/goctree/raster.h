/* SPDX-License-Identifier: MIT */
/* A raster of the leaves as seen along an axis. It covers the leaves' common box. Each cell shows the deepest leaf
 * behind it. */
#ifndef TOOLS_GOCTREE_RASTER_H
#define TOOLS_GOCTREE_RASTER_H

#include "../common/picture.h"
#include "goctree.h"

#ifndef PICTURE_CELLS /* fuzz targets use a smaller raster */
#define PICTURE_CELLS 512
#endif

enum { CELLS = PICTURE_CELLS }; /* of the longer side */

static const uint64_t NO_LEAF = UINT64_MAX;

struct raster {
    uint64_t leaf[CELLS][CELLS]; /* [row][column], from the top left, or NO_LEAF */
    uint8_t depth[CELLS][CELLS];
    int columns, rows;          /* at least 1 */
    int axis[2];                /* the horizontal and the vertical axis */
    double low[2], high[2];     /* the common box */
    struct picture_scale scale; /* scale of these two axes */
};

/* Fills the raster. axis: 0, 1 or 2. */
void raster_fill(struct raster *raster, const struct gws_octree *tree, int axis);

/* Returns the leaf of a cell, or NO_LEAF, also outside of the raster. */
uint64_t raster_leaf(const struct raster *raster, int x, int y);

#endif
