/* SPDX-License-Identifier: MIT */
/* Records of points and the division of an octant that fits a cache. */
#ifndef GWS_SPACE_OCTREE_DIVIDE_H
#define GWS_SPACE_OCTREE_DIVIDE_H

#include "octree_state.h"

/* A narrow record: the upper half holds the 32 bits of the key that follow the octant whose level is the record's base,
 * the lower half the point's number. Ten levels below the base it is made anew. */
typedef uint64_t gws__octree_narrow;

/* A wide record, for numbers of 64 bits: the whole key, with its highest bit in bit 63. Its base is level 0. */
struct gws__octree_wide {
    uint64_t key, number;
};

/* Divides an octant of level's points, from[0 .. count - 1], which lie at place of the leaf order, down to its leaves,
 * and writes the leaves' points into the index. The records' base is level (wide: 0), their order that of their
 * numbers; to is room for as many. Both are overwritten. count > K, level above the depth limit. */
gws__octree_sprout gws__octree_divide_narrow(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                             gws__octree_narrow *from, gws__octree_narrow *to, uint64_t count,
                                             uint64_t place, unsigned level);
gws__octree_sprout gws__octree_divide_wide(const struct gws__octree_state *state, struct gws__octree_arena *arena,
                                           struct gws__octree_wide *from, struct gws__octree_wide *to, uint64_t count,
                                           uint64_t place, unsigned level);

#endif
