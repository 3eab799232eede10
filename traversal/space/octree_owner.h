/* SPDX-License-Identifier: MIT */
/* Who frees a tree's arrays: the tree itself, by the allocator of the runtime that made it, which it may outlive. */
#ifndef GWS_SPACE_OCTREE_OWNER_H
#define GWS_SPACE_OCTREE_OWNER_H

#include "../../lib/parallel.h"
#include "../octree.h"
#include "octree_grid.h"

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

/* Makes room for the nodes, leaves and levels that the tree is said to have, where the owner has none; false when
 * memory is short. */
bool gws__octree_owner_room(struct gws_runtime *runtime, struct gws_octree *tree);

/* Lets go of x, y and z. */
void gws__octree_owner_forget(struct gws_octree *tree);

#endif
