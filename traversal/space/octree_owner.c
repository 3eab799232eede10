/* SPDX-License-Identifier: MIT */
#include "octree_owner.h"

#include "../../lib/poison.h"
#include "octree_query_state.h"
#include "octree_state.h"

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

void gws__octree_owner_reuse(struct gws_runtime *runtime, struct gws_octree *tree, void *reusable,
                             uint64_t reusable_bytes)
{
    uint64_t bytes = tree->nodes * sizeof *tree->owner->node;
    if (reusable && bytes <= reusable_bytes && bytes >= reusable_bytes / 2) {
        tree->owner->node = reusable;
        tree->owner->node_bytes = reusable_bytes;
    } else {
        gws_release(runtime, reusable, reusable_bytes, 1);
    }
}

bool gws__octree_owner_allocate(struct gws_runtime *runtime, struct gws_octree *tree)
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

void gws__octree_release(const struct gws_allocator *allocator, void *memory, uint64_t count, uint64_t size)
{
    if (memory) allocator->release(allocator->context, memory, count ? (size_t)(count * size) : 1);
}

void gws__octree_owner_release_points(struct gws_octree *tree)
{
    for (int a = 0; a < 3; a++) {
        gws__octree_release(&tree->owner->allocator, tree->owner->axis[a], tree->points,
                            tree->is_double ? sizeof(double) : sizeof(float));
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
    gws__octree_owner_release_points(tree);
    gws__octree_release(&owner.allocator, owner.node, owner.node_bytes, 1);
    gws__octree_release(&owner.allocator, owner.leaf, tree->leaves, sizeof *owner.leaf);
    gws__octree_release(&owner.allocator, owner.level_begin, tree->depth + UINT64_C(2), sizeof *owner.level_begin);
    gws__octree_release(&owner.allocator, owner.index32, tree->points, sizeof *owner.index32);
    gws__octree_release(&owner.allocator, owner.index64, tree->points, sizeof *owner.index64);
    gws__octree_release(&owner.allocator, tree->owner, 1, sizeof *tree->owner);
    gws__octree_release(&owner.allocator, tree, 1, sizeof *tree);
}

/* ---- answers to queries ---- */

struct gws__octree_hits_owner {
    struct gws_allocator allocator;
    uint64_t hits;
};

gws_status gws__octree_hits_offsets(struct gws_runtime *runtime, struct gws_octree_hits *made)
{
    made->owner = gws_allocate(runtime, 1, sizeof *made->owner);
    if (!made->owner) return GWS_NO_MEMORY;
    *made->owner = (struct gws__octree_hits_owner){.allocator = *gws_runtime_allocator(runtime)};
    made->offset = gws_allocate(runtime, made->queries + 1, sizeof *made->offset);
    return made->offset ? GWS_OK : GWS_NO_MEMORY;
}

gws_status gws__octree_hits_allocate(struct gws_runtime *runtime, struct gws_octree_hits *made, uint64_t hits,
                                     bool distances)
{
    made->owner->hits = hits;
    made->point = gws_allocate(runtime, hits, sizeof *made->point);
    if (distances) made->distance = gws_allocate(runtime, hits, sizeof *made->distance);
    return made->point && (!distances || made->distance) ? GWS_OK : GWS_NO_MEMORY;
}

gws_status gws__octree_hits_end(gws_status status, struct gws_octree_hits *made, struct gws_octree_hits *hits)
{
    gws_octree_hits_clear(status == GWS_OK ? hits : made);
    if (status == GWS_OK) *hits = *made;
    return status;
}

void gws_octree_hits_clear(struct gws_octree_hits *hits)
{
    if (!hits || !hits->owner) return;
    struct gws__octree_hits_owner owner = *hits->owner;
    gws__octree_release(&owner.allocator, hits->offset, hits->queries + 1, sizeof *hits->offset);
    gws__octree_release(&owner.allocator, hits->point, owner.hits, sizeof *hits->point);
    gws__octree_release(&owner.allocator, hits->distance, owner.hits, sizeof *hits->distance);
    gws__octree_release(&owner.allocator, hits->owner, 1, sizeof *hits->owner);
    *hits = (struct gws_octree_hits){0};
}

/* ---- arenas of inner nodes ---- */

/* The sizes of chunks double, so a small tree takes little memory, and a large tree takes few chunks. */
enum { min_words = 1 << 9, max_words = 1 << 16 };

struct gws__octree_chunk {
    struct gws__octree_chunk *before;
    uint64_t words;
    uint64_t memory[];
};

static bool add_chunk(struct gws_runtime *runtime, struct gws__octree_arena *arena)
{
    struct gws__octree_chunk *chunk =
        arena->failed ? NULL : gws_allocate(runtime, sizeof *chunk / 8 + arena->words, sizeof(uint64_t));
    if (!chunk) {
        arena->failed = true;
        return false;
    }
    chunk->before = arena->chunk;
    chunk->words = arena->words;
    arena->chunk = chunk;
    arena->next = chunk->memory;
    arena->left = chunk->words;
    if (arena->words < max_words) arena->words *= 2;
    return true;
}

struct gws__octree_inner *gws__octree_inner_new(struct gws_runtime *runtime, struct gws__octree_arena *arena,
                                                unsigned mask)
{
    uint64_t words = 1 + (uint64_t)__builtin_popcount(mask);
    if (arena->left < words && !add_chunk(runtime, arena)) return NULL;
    struct gws__octree_inner *inner = (struct gws__octree_inner *)(void *)arena->next;
    arena->next += words;
    arena->left -= words;
    inner->mask = mask;
    return inner;
}

struct gws__octree_arena *gws__octree_arenas_new(struct gws_runtime *runtime)
{
    uint64_t workers = gws_runtime_workers(runtime);
    struct gws__octree_arena *arena = gws_allocate(runtime, workers, sizeof *arena);
    if (!arena) return NULL;
    for (uint64_t w = 0; w < workers; w++) arena[w] = (struct gws__octree_arena){.words = min_words};
    return arena;
}

bool gws__octree_arenas_failed(const struct gws_runtime *runtime, const struct gws__octree_arena *arena)
{
    bool failed = false;
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) failed |= arena[w].failed;
    return failed;
}

static void free_chunks(struct gws_runtime *runtime, struct gws__octree_arena *arena)
{
    struct gws__octree_chunk *chunk = arena->chunk;
    while (chunk) {
        struct gws__octree_chunk *before = chunk->before;
        gws_release(runtime, chunk, sizeof *chunk / 8 + chunk->words, sizeof(uint64_t));
        chunk = before;
    }
}

void gws__octree_arenas_free(struct gws_runtime *runtime, struct gws__octree_arena *arena)
{
    if (!arena) return;
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) free_chunks(runtime, &arena[w]);
    gws_release(runtime, arena, gws_runtime_workers(runtime), sizeof *arena);
}
