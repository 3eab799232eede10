/* SPDX-License-Identifier: MIT */
/* Records of points and the division of an octant that fits a cache. */
#ifndef GWS_SPACE_OCTREE_DIVIDE_H
#define GWS_SPACE_OCTREE_DIVIDE_H

#include "octree_state.h"

/* A narrow record: the low bits hold the point's number, as many as the largest needs, those above the bits of the key
 * that follow the octant whose level is the record's base: 14 levels of them for a million points, 10 for 2^32. A
 * record is made anew where they end. */
typedef uint64_t gws__octree_narrow;

/* The bits of a narrow record that hold the number of one of `points` points. */
static inline uint64_t gws__octree_number_mask(uint64_t points)
{
    return points > 1 ? UINT64_MAX >> __builtin_clzll(points - 1) : 0;
}

/* Whole levels in the bits above. */
static inline unsigned gws__octree_record_levels(uint64_t mask)
{
    unsigned levels = (64 - (unsigned)__builtin_popcountll(mask)) / 3;
    return levels < GWS_OCTREE_DEPTH ? levels : GWS_OCTREE_DEPTH;
}

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
