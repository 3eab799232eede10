/* SPDX-License-Identifier: MIT */
/* Who frees a tree's arrays: the tree itself, by the allocator of the runtime that made it, which it may outlive. */
#ifndef GWS_SPACE_OCTREE_OWNER_H
#define GWS_SPACE_OCTREE_OWNER_H

#include "../../lib/parallel.h"
#include "../octree.h"

/* The cells of a box and Morton keys: the one function of octree.h that says where a point lies. Every operation is
 * a single rounded one, so that all processors, and devices with doubles, agree in every bit; it never falls when x
 * grows, and questions rest on that. */

enum { gws__octree_key_bits = 3 * GWS_OCTREE_DEPTH, gws__octree_cells = 1 << GWS_OCTREE_DEPTH };

/* The key of a point that is not finite or lies outside of the box. */
#define GWS__OCTREE_NO_KEY UINT64_MAX

struct gws__octree_grid {
    double low[3], high[3];
    double factor;   /* 1, or 1/4 where high - low overflows, or 2^120 where the largest is below 2^-950 */
    double start[3]; /* low * factor */
    double scale[3];
};

/* GWS_INVALID unless low <= high, all finite. */
gws_status gws__octree_grid_make(struct gws__octree_grid *grid, const double low[3], const double high[3]);

/* x in cells from low; also for x outside of the box, where it may be infinite. */
static inline double gws__octree_along(const struct gws__octree_grid *grid, int axis, double x)
{
    double scaled = x * grid->factor;
    return (scaled - grid->start[axis]) * grid->scale[axis];
}

static inline uint32_t gws__octree_cell(const struct gws__octree_grid *grid, int axis, double x)
{
    double along = gws__octree_along(grid, axis, x);
    if (!(along > 0)) return 0;
    return along < gws__octree_cells - 1 ? (uint32_t)along : gws__octree_cells - 1;
}

/* Bit i of a number of 21 bits becomes bit 3 i. */
static inline uint64_t gws__octree_spread(uint64_t bits)
{
    bits = (bits | bits << 32) & UINT64_C(0x001f00000000ffff);
    bits = (bits | bits << 16) & UINT64_C(0x001f0000ff0000ff);
    bits = (bits | bits << 8) & UINT64_C(0x100f00f00f00f00f);
    bits = (bits | bits << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (bits | bits << 2) & UINT64_C(0x1249249249249249);
}

/* The way back. */
static inline uint32_t gws__octree_gather(uint64_t bits)
{
    bits &= UINT64_C(0x1249249249249249);
    bits = (bits | bits >> 2) & UINT64_C(0x10c30c30c30c30c3);
    bits = (bits | bits >> 4) & UINT64_C(0x100f00f00f00f00f);
    bits = (bits | bits >> 8) & UINT64_C(0x001f0000ff0000ff);
    bits = (bits | bits >> 16) & UINT64_C(0x001f00000000ffff);
    return (uint32_t)((bits | bits >> 32) & 0x1fffff);
}

/* The keys of points begin .. begin + count - 1. */
void gws__octree_keys(const struct gws__octree_grid *grid, const struct gws_points *points, uint64_t begin,
                      uint64_t count, uint64_t *key);

struct gws__octree_owner {
    struct gws_allocator allocator;
    struct gws__octree_grid grid;
    struct gws_octree_node *node;
    uint64_t node_bytes; /* of node's memory, which may have been something else's before */
    uint64_t *leaf, *level_begin;
    uint32_t *index32;
    uint64_t *index64;
    void *axis[3]; /* points entries each, or NULL: the tree's x, y and z are somebody else's */
};

/* A tree without arrays; NULL when memory is short. */
struct gws_octree *gws__octree_new(struct gws_runtime *runtime);

/* Fresh pages are cleared by the system, which takes about as long as writing the nodes: they go to spare memory that
 * was used already, if it is not much too large; else that is let go before there is more. */
void gws__octree_owner_reuse(struct gws_runtime *runtime, struct gws_octree *tree, void *spare, uint64_t spare_bytes);

/* Makes room for the nodes, leaves and levels that the tree is said to have, where the owner has none; false when
 * memory is short. */
bool gws__octree_owner_room(struct gws_runtime *runtime, struct gws_octree *tree);

/* Gives back what gws_allocate() gave, after the runtime may be gone. NULL is allowed. */
void gws__octree_release(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size);

/* Lets go of x, y and z. */
void gws__octree_owner_forget(struct gws_octree *tree);

#endif
