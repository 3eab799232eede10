/* SPDX-License-Identifier: MIT */
/* Points in leaf order: copied, or moved where they lie, a column at a time. */
#include <string.h>

#include "octree_owner.h"

enum { stretch = 16384, ahead = 128 };

/* One column on its way: to[i] = from[the i-th point of the leaf order], or from[i]. */
struct gather {
    const struct gws_octree *tree;
    void *from; /* not written to */
    void *to;
    uint32_t bytes;
    bool copies;
};

/* The index is read ahead, as far as the processor would not look by itself: then tens of misses are under way at once.
 */
#define GATHER(NAME, TYPE)                                                                                             \
    static void NAME(const struct gather *gather, uint64_t begin, uint64_t end)                                        \
    {                                                                                                                  \
        const uint32_t *index32 = gather->tree->index32;                                                               \
        const uint64_t *index64 = gather->tree->index64;                                                               \
        for (uint64_t i = begin; i < end; i++) {                                                                       \
            uint64_t later = i + ahead < end ? i + ahead : i;                                                          \
            __builtin_prefetch(&((TYPE)gather->from)[index64 ? index64[later] : index32[later]], 0, 2);                \
            ((TYPE)gather->to)[i] = ((TYPE)gather->from)[index64 ? index64[i] : index32[i]];                           \
        }                                                                                                              \
    }
GATHER(gather_1, uint8_t *)
GATHER(gather_2, uint16_t *)
GATHER(gather_4, uint32_t *)
GATHER(gather_8, uint64_t *)

static void gather_stretches(void *context, uint32_t worker, uint64_t first, uint64_t last)
{
    const struct gather *gather = context;
    const struct gws_octree *tree = gather->tree;
    uint64_t begin = first * stretch, end = last * stretch < tree->points ? last * stretch : tree->points;
    uint32_t bytes = gather->bytes;
    (void)worker;
    if (gather->copies)
        memcpy((char *)gather->to + begin * bytes, (const char *)gather->from + begin * bytes, (end - begin) * bytes);
    else
        (bytes == 1 ? gather_1 : bytes == 2 ? gather_2 : bytes == 4 ? gather_4 : gather_8)(gather, begin, end);
}

static void move_column(struct gws_runtime *runtime, struct gather gather)
{
    uint64_t count = gather.tree->points / stretch + (gather.tree->points % stretch != 0);
    gws_parallel_for(runtime, count, 1, gather_stretches, &gather);
}

static bool fit(const struct gws_octree *tree, const struct gws_points *points)
{
    return points->count == tree->given && points->is_double == tree->is_double;
}

static uint32_t coordinate_bytes(const struct gws_octree *tree)
{
    return tree->is_double ? sizeof(double) : sizeof(float);
}

gws_status gws_octree_copy_points(struct gws_runtime *runtime, struct gws_octree *tree, const struct gws_points *points)
{
    if (!fit(tree, points)) return GWS_INVALID;
    void *axis[3] = {points->x, points->y, points->z}, *copy[3];
    bool room = true;
    gws__octree_owner_forget(tree);
    const struct gws_allocator *allocator = &tree->owner->allocator;
    uint64_t bytes = tree->points * coordinate_bytes(tree);
    for (int a = 0; a < 3; a++) {
        copy[a] = allocator->allocate(allocator->context, bytes ? bytes : 1);
        room &= copy[a] != NULL;
    }
    for (int a = 0; a < 3; a++) tree->owner->axis[a] = copy[a];
    if (!room) {
        gws__octree_owner_forget(tree);
        return GWS_NO_MEMORY;
    }
    for (int a = 0; a < 3; a++)
        move_column(runtime, (struct gather){tree, axis[a], copy[a], coordinate_bytes(tree), false});
    tree->x = copy[0];
    tree->y = copy[1];
    tree->z = copy[2];
    return GWS_OK;
}

static void sort_column(struct gws_runtime *runtime, const struct gws_octree *tree, void *column, uint32_t bytes,
                        void *scratch)
{
    move_column(runtime, (struct gather){tree, column, scratch, bytes, false});
    move_column(runtime, (struct gather){tree, scratch, column, bytes, true});
}

gws_status gws_octree_sort_points(struct gws_runtime *runtime, struct gws_octree *tree, struct gws_points *points)
{
    if (!fit(tree, points)) return GWS_INVALID;
    uint32_t widest = coordinate_bytes(tree);
    for (uint32_t c = 0; c < points->columns; c++) {
        uint32_t bytes = gws_number_bytes(points->column[c].kind);
        if (bytes == 0) return GWS_INVALID;
        if (bytes > widest) widest = bytes;
    }
    void *scratch = gws_allocate(runtime, tree->points, widest);
    if (!scratch) return GWS_NO_MEMORY;
    void *axis[3] = {points->x, points->y, points->z};
    for (int a = 0; a < 3; a++) sort_column(runtime, tree, axis[a], coordinate_bytes(tree), scratch);
    for (uint32_t c = 0; c < points->columns; c++)
        sort_column(runtime, tree, points->column[c].data, gws_number_bytes(points->column[c].kind), scratch);
    gws_release(runtime, scratch, tree->points, widest);
    points->count = tree->points;
    return gws_octree_use_points(tree, points);
}

gws_status gws_octree_use_points(struct gws_octree *tree, const struct gws_points *points)
{
    if (points->count != tree->points || points->is_double != tree->is_double) return GWS_INVALID;
    gws__octree_owner_forget(tree);
    tree->x = points->x;
    tree->y = points->y;
    tree->z = points->z;
    return GWS_OK;
}
