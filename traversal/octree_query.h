/* SPDX-License-Identifier: MIT */
/* Questions to an octree, many at once: which points lie in a box, in a ball, nearest to a place, or first on a ray.
 *
 * Answers are exact: those that a look at every point would give, however many there are. Coordinates of points and
 * questions are doubles (floats are converted), and the squared distance is dx * dx + dy * dy + dz * dz with a rounding
 * after each operation, from the left. Where the box's largest coordinate, sign aside, is beyond 2^400 or below 2^-400,
 * all coordinates are multiplied by a power of two before anything else, so that squares neither overflow nor vanish.
 * Questions are shared out by the runtime's policy; the answers do not depend on it. The tree needs its points in leaf
 * order (gws_octree_copy_points() and the like).
 *
 * Errors of all: GWS_INVALID (no points in leaf order; a question with a number that is not finite, where it is not
 * said otherwise, or a negative radius: where->message, where may be NULL, names the first), GWS_TOO_LARGE,
 * GWS_NO_MEMORY. *hits is then as it was. Memory: twice the answers. */
#ifndef GWS_OCTREE_QUERY_H
#define GWS_OCTREE_QUERY_H

#include "octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The answers to a batch. {0} is an empty one; what it held before a call is let go. */
struct gws_octree_hits {
    uint64_t questions;
    uint64_t *offset; /* questions + 1 entries: question q was answered by hits offset[q] .. offset[q + 1] - 1 */
    uint64_t *point;  /* points' numbers, in the set that the tree was built from; offset[questions] entries */
    double *distance; /* beside point: how far; NULL for boxes */
    struct gws__octree_hits_owner *owner; /* private */
};

/* Frees the answers and makes it {0}; NULL is allowed. */
GWS_API void gws_octree_hits_clear(struct gws_octree_hits *hits);

/* Points with low <= x <= high along every axis, in leaf order. Both may be infinite; low <= high. */
struct gws_octree_box {
    double low[3], high[3];
};
GWS_API gws_status gws_octree_in_boxes(struct gws_runtime *runtime, const struct gws_octree *tree,
                                       const struct gws_octree_box *box, uint64_t count, struct gws_octree_hits *hits,
                                       struct gws_where *where);

/* Points whose squared distance from centre is at most radius squared, in leaf order. radius may be infinite. */
struct gws_octree_ball {
    double centre[3], radius;
};
GWS_API gws_status gws_octree_in_balls(struct gws_runtime *runtime, const struct gws_octree *tree,
                                       const struct gws_octree_ball *ball, uint64_t count, struct gws_octree_hits *hits,
                                       struct gws_where *where);

/* The k points nearest to each place (count times x, y, z), nearest first, equal distances by the points' numbers. All
 * points where there are fewer than k. */
GWS_API gws_status gws_octree_nearest(struct gws_runtime *runtime, const struct gws_octree *tree, const double *place,
                                      uint64_t count, uint64_t k, struct gws_octree_hits *hits,
                                      struct gws_where *where);

/* The first point that a ray hits, when points are balls of the given radius, or none. distance is where the ray enters
 * the ball, in lengths of direction (which need not be 1) from origin; 0 when origin lies in it. Where several balls
 * are entered at once, the smallest number. direction 0 looks at balls that hold origin. */
struct gws_octree_ray {
    double origin[3], direction[3], radius;
};
GWS_API gws_status gws_octree_first_on_rays(struct gws_runtime *runtime, const struct gws_octree *tree,
                                            const struct gws_octree_ray *ray, uint64_t count,
                                            struct gws_octree_hits *hits, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
