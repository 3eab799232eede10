/* SPDX-License-Identifier: MIT */
/* The questions of --query and their answers. */
#ifndef TOOLS_GOCTREE_QUERY_H
#define TOOLS_GOCTREE_QUERY_H

#include "../../graphws.h"

/* {0} has no questions. */
struct query {
    struct gws_question *question; /* count entries */
    uint64_t count;
    uint64_t hits;              /* rows of the answers: */
    int64_t *asked, *point;     /* the question's number, from 0 in the file's order, and a point's */
    double *distance;           /* not a number where the question has none */
    double ms;                  /* that answering took, and bringing questions and answers to and fro */
    double there_ms, device_ms; /* to bring the tree to a device; the answering itself; 0 by the CPU */
    bool on_device;
};

/* Reads the questions. Answers -1, or the status to exit with after the mistake has been reported. */
int query_read(struct query *query, struct gws_runtime *runtime, const char *path);

/* Answers them, on the device where it is not NULL and one that does; the tree has its points. */
int query_answer(struct query *query, struct gws_runtime *runtime, struct gws_device *device,
                 const struct gws_octree *tree, const char *path);

/* Writes the answers as a table. */
int query_write(const struct query *query, struct gws_runtime *runtime, const char *path);

void query_clear(struct query *query, struct gws_runtime *runtime);

/* What goctree writes of a tree. Each answers -1, or the status to exit with after the mistake has been reported. */

/* The points (in leaf order, as gws_octree_sort_points() leaves them) with the columns leaf, level and point, and
 * colours by leaf in PLY; or the boxes of the leaves, where the name ends in .vtu. */
int files_out(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
              const char *path);

/* A row for each node. */
int files_nodes(struct gws_runtime *runtime, const struct gws_octree *tree, const char *path);

/* The leaves as seen along an axis, from above, shaded by their depth, as SVG. */
int files_picture(struct gws_runtime *runtime, const struct gws_octree *tree, int axis, const char *path);

#endif
