/* SPDX-License-Identifier: MIT */
#include "octree_owner.h"

#include "../../lib/poison.h"

struct gws_octree *gws__octree_new(struct gws_runtime *runtime)
{
    struct gws_octree *tree = gws_allocate(runtime, 1, sizeof *tree);
    struct gws__octree_owner *owner = gws_allocate(runtime, 1, sizeof *owner);
    if (!tree || !owner) {
        gws_release(runtime, tree, 1, sizeof *tree);
        gws_release(runtime, owner, 1, sizeof *owner);
        return NULL;
    }
    *owner = (struct gws__octree_owner){.allocator = *gws_runtime_allocator(runtime)};
    *tree = (struct gws_octree){.owner = owner};
    return tree;
}

void gws__octree_owner_reuse(struct gws_runtime *runtime, struct gws_octree *tree, void *spare, uint64_t spare_bytes)
{
    uint64_t bytes = tree->nodes * sizeof *tree->owner->node;
    if (spare && bytes <= spare_bytes && bytes >= spare_bytes / 2) {
        tree->owner->node = spare;
        tree->owner->node_bytes = spare_bytes;
    } else {
        gws_release(runtime, spare, spare_bytes, 1);
    }
}

bool gws__octree_owner_room(struct gws_runtime *runtime, struct gws_octree *tree)
{
    struct gws__octree_owner *owner = tree->owner;
    if (!owner->node) {
        owner->node_bytes = tree->nodes * sizeof *owner->node;
        owner->node = gws_allocate(runtime, owner->node_bytes, 1);
    }
    tree->node = owner->node;
    tree->leaf = owner->leaf = gws_allocate(runtime, tree->leaves, sizeof *owner->leaf);
    tree->level_begin = owner->level_begin =
        gws_allocate(runtime, tree->depth + UINT64_C(2), sizeof *owner->level_begin);
    return owner->node && owner->leaf && owner->level_begin;
}

/* What gws_allocate() gave, after the runtime is gone. */
static void release(const struct gws__octree_owner *owner, void *memory, uint64_t count, uint64_t size)
{
    const struct gws_allocator *allocator = &owner->allocator;
    if (memory) allocator->release(allocator->context, memory, count ? (size_t)(count * size) : 1);
}

void gws__octree_owner_forget(struct gws_octree *tree)
{
    for (int a = 0; a < 3; a++) {
        release(tree->owner, tree->owner->axis[a], tree->points, tree->is_double ? sizeof(double) : sizeof(float));
        tree->owner->axis[a] = NULL;
    }
    tree->x = tree->y = tree->z = NULL;
}

void gws_octree_poison(struct gws_octree *tree)
{
    if (!tree) return;
    struct gws__octree_owner *owner = tree->owner;
    gws_memory_poison(owner->node, owner->node_bytes);
    gws_memory_poison(owner->leaf, tree->leaves * sizeof *owner->leaf);
    gws_memory_poison(owner->level_begin, (tree->depth + UINT64_C(2)) * sizeof *owner->level_begin);
    gws_memory_poison(owner->index32, tree->points * sizeof *owner->index32);
    gws_memory_poison(owner->index64, tree->points * sizeof *owner->index64);
}

void gws_octree_destroy(struct gws_octree *tree)
{
    if (!tree) return;
    struct gws__octree_owner owner = *tree->owner;
    gws__octree_owner_forget(tree);
    release(&owner, owner.node, owner.node_bytes, 1);
    release(&owner, owner.leaf, tree->leaves, sizeof *owner.leaf);
    release(&owner, owner.level_begin, tree->depth + UINT64_C(2), sizeof *owner.level_begin);
    release(&owner, owner.index32, tree->points, sizeof *owner.index32);
    release(&owner, owner.index64, tree->points, sizeof *owner.index64);
    release(&owner, tree->owner, 1, sizeof *tree->owner);
    release(&owner, tree, 1, sizeof *tree);
}
