/* SPDX-License-Identifier: MIT */
/* Batched octree queries for the points in a box, the points in a ball (or their number and a sum over them), the
 * points nearest to a position, and the first point on a ray.
 *
 * Answers are exact and complete, so they equal the answers of a search over every point. Coordinates of points and
 * queries are doubles (floats are converted). The squared distance is dx * dx + dy * dy + dz * dz, evaluated from the
 * left with a rounding after each operation. If the largest absolute coordinate of the box is above 2^400 or below
 * 2^-400, the search first multiplies all coordinates by a power of two, so squares neither overflow nor vanish. The
 * runtime's policy schedules the queries and does not change the answers. The tree needs its points in leaf order (for
 * example from gws_octree_copy_points()).
 *
 * All calls return these errors and leave *hits unchanged: GWS_INVALID (no points in leaf order, a query with a
 * negative radius, or a query with a number that is not finite unless its description allows such numbers),
 * GWS_TOO_LARGE, GWS_NO_MEMORY. where->message names the first invalid query. where may be NULL. Memory: twice the
 * answers. */
#ifndef GWS_OCTREE_QUERY_H
#define GWS_OCTREE_QUERY_H

#include "octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The answers to a batch. {0} is an empty batch. A successful call frees the previous contents. */
struct gws_octree_hits {
    uint64_t queries;
    uint64_t *offset; /* queries + 1 entries; the answers to query q are hits offset[q] .. offset[q + 1] - 1 */
    uint64_t *point;  /* numbers of the points in the set of the build, offset[queries] entries */
    double *distance; /* the distance of each entry of point; NULL for boxes */
    struct gws__octree_hits_owner *owner; /* private */
};

/* Frees the answers and sets *hits to {0}. Accepts NULL. */
GWS_API void gws_octree_hits_clear(struct gws_octree_hits *hits);

/* Finds the points with low <= x <= high along every axis, in leaf order. low <= high, and both may be infinite. */
struct gws_octree_box {
    double low[3], high[3];
};
GWS_API gws_status gws_octree_in_boxes(struct gws_runtime *runtime, const struct gws_octree *tree,
                                       const struct gws_octree_box *box, uint64_t count, struct gws_octree_hits *hits,
                                       struct gws_diagnostic *where);

/* Finds the points whose squared distance from centre is at most the squared radius, in leaf order. radius may be
 * infinite. */
struct gws_octree_ball {
    double centre[3], radius;
};
GWS_API gws_status gws_octree_in_balls(struct gws_runtime *runtime, const struct gws_octree *tree,
                                       const struct gws_octree_ball *ball, uint64_t count, struct gws_octree_hits *hits,
                                       struct gws_diagnostic *where);

/* Finds the k points nearest to each position (count triples x, y, z), nearest first. The point number breaks ties.
 * Returns all points if there are fewer than k. */
GWS_API gws_status gws_octree_nearest(struct gws_runtime *runtime, const struct gws_octree *tree,
                                      const double *position, uint64_t count, uint64_t k, struct gws_octree_hits *hits,
                                      struct gws_diagnostic *where);

/* Finds the first point that each ray hits, if any. Every point is a ball of the given radius. distance is where the
 * ray enters the ball, in multiples of direction (whose length is arbitrary) from origin, and 0 when origin lies in
 * the ball. If the ray enters several balls at the same distance, the smallest point number wins. A ray with direction
 * 0 hits only balls that contain origin. */
struct gws_octree_ray {
    double origin[3], direction[3], radius;
};
GWS_API gws_status gws_octree_first_on_rays(struct gws_runtime *runtime, const struct gws_octree *tree,
                                            const struct gws_octree_ray *ray, uint64_t count,
                                            struct gws_octree_hits *hits, struct gws_diagnostic *where);

/* ---- totals in place of points ---- */

struct gws_octree_totals {
    uint64_t *count;     /* out: the number of points of each query */
    const double *value; /* in: a value of each point, by the point's number in the set of the build; NULL: none */
    double *sum; /* out: the sum of the values of each query's points, added in leaf order; unused without value */
};

/* Count the points in boxes or in balls, and add up a value of them. Without values, an octant that lies inside costs
 * one step whatever its number of points. The arrays of *totals have an entry for each query, and their contents after
 * an error are unspecified. Memory: 5 KiB for each worker, 9 bytes for each query, and for a
 * large batch an octree of the queries' positions. */
GWS_API gws_status gws_octree_count_in_boxes(struct gws_runtime *runtime, const struct gws_octree *tree,
                                             const struct gws_octree_box *box, uint64_t count,
                                             const struct gws_octree_totals *totals, struct gws_diagnostic *where);
GWS_API gws_status gws_octree_count_in_balls(struct gws_runtime *runtime, const struct gws_octree *tree,
                                             const struct gws_octree_ball *ball, uint64_t count,
                                             const struct gws_octree_totals *totals, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
