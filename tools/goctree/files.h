/* SPDX-License-Identifier: MIT */
/* What goctree writes of a tree. Each answers -1, or the status to exit with after the mistake has been reported. */
#ifndef TOOLS_GOCTREE_FILES_H
#define TOOLS_GOCTREE_FILES_H

#include "../../graphws.h"

/* The points (in leaf order, as gws_octree_sort_points() leaves them) with the columns leaf, level and point, and
 * colours by leaf in PLY; or the boxes of the leaves, where the name ends in .vtu. */
int files_out(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
              const char *path);

/* A row for each node. */
int files_nodes(struct gws_runtime *runtime, const struct gws_octree *tree, const char *path);

/* The leaves as seen along an axis, from above, shaded by their depth, as SVG. */
int files_picture(struct gws_runtime *runtime, const struct gws_octree *tree, int axis, const char *path);

#endif
