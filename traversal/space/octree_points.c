/* SPDX-License-Identifier: MIT */
/* Puts points in leaf order. The functions copy the points, or permute them in place, one column at a time. */
#include <string.h>

#include "octree_owner.h"

enum { chunk = 16384, prefetch_distance = 128 };

/* The permutation of one column. to[i] becomes from[number of the i-th point of the leaf order], or from[i] if
 * `copies` is set. */
struct column_gather {
    const struct gws_octree *tree;
    void *from; /* read-only */
    void *to;
    uint32_t bytes;
    bool copies;
};

/* Gathers numbers. Prefetches through the index, which the hardware prefetcher cannot follow, so tens of misses
 * overlap. */
#define GATHER(NAME, TYPE)                                                                                             \
    static void NAME(const struct column_gather *column_gather, uint64_t begin, uint64_t end)                          \
    {                                                                                                                  \
        const uint32_t *index32 = column_gather->tree->index32;                                                        \
        const uint64_t *index64 = column_gather->tree->index64;                                                        \
        for (uint64_t i = begin; i < end; i++) {                                                                       \
            uint64_t later = i + prefetch_distance < end ? i + prefetch_distance : i;                                  \
            __builtin_prefetch(&((TYPE)column_gather->from)[index64 ? index64[later] : index32[later]], 0, 2);         \
            ((TYPE)column_gather->to)[i] = ((TYPE)column_gather->from)[index64 ? index64[i] : index32[i]];             \
        }                                                                                                              \
    }
GATHER(gather_1, uint8_t *)
GATHER(gather_2, uint16_t *)
GATHER(gather_4, uint32_t *)
GATHER(gather_8, uint64_t *)

static void gather_chunks(void *context, uint32_t worker, uint64_t first, uint64_t last)
{
    const struct column_gather *column_gather = context;
    const struct gws_octree *tree = column_gather->tree;
    uint64_t begin = first * chunk, end = last * chunk < tree->points ? last * chunk : tree->points;
    uint32_t bytes = column_gather->bytes;
    (void)worker;
    if (column_gather->copies)
        memcpy((char *)column_gather->to + begin * bytes, (const char *)column_gather->from + begin * bytes,
               (end - begin) * bytes);
    else
        (bytes == 1 ? gather_1 : bytes == 2 ? gather_2 : bytes == 4 ? gather_4 : gather_8)(column_gather, begin, end);
}

static uint64_t chunks_of(const struct gws_octree *tree)
{
    return tree->points / chunk + (tree->points % chunk != 0);
}

static bool matches(const struct gws_octree *tree, const struct gws_points *points)
{
    return points->count == tree->given && points->is_double == tree->is_double;
}

static uint32_t coordinate_bytes(const struct gws_octree *tree)
{
    return tree->is_double ? sizeof(double) : sizeof(float);
}

static gws_status octree_copy_points(struct gws_runtime *runtime, struct gws_octree *tree,
                                     const struct gws_points *points)
{
    if (!matches(tree, points)) return GWS_INVALID;
    void *axis[3] = {points->x, points->y, points->z}, *copy[3];
    bool allocated = true;
    gws__octree_owner_release_points(tree);
    const struct gws_allocator *allocator = &tree->owner->allocator;
    uint64_t bytes = tree->points * coordinate_bytes(tree);
    for (int a = 0; a < 3; a++) {
        copy[a] = allocator->allocate(allocator->context, bytes ? bytes : 1);
        allocated &= copy[a] != NULL;
    }
    for (int a = 0; a < 3; a++) tree->owner->axis[a] = copy[a];
    if (!allocated) {
        gws__octree_owner_release_points(tree);
        return GWS_NO_MEMORY;
    }
    for (int a = 0; a < 3; a++) {
        struct column_gather columns = {tree, axis[a], copy[a], coordinate_bytes(tree), false};
        gws_status status = gws_parallel_try_for(runtime, chunks_of(tree), 1, gather_chunks, &columns);
        if (status == GWS_OK) continue;
        gws__octree_owner_release_points(tree);
        return status;
    }
    tree->x = copy[0];
    tree->y = copy[1];
    tree->z = copy[2];
    return GWS_OK;
}

gws_status gws_octree_copy_points(struct gws_runtime *runtime, struct gws_octree *tree, const struct gws_points *points)
{
    return GWS_CALL(runtime, NULL, octree_copy_points(runtime, tree, points));
}

/* A cancelled call does not cut these loops: columns in two orders would be useless. */
static void sort_column(struct gws_runtime *runtime, const struct gws_octree *tree, void *column, uint32_t bytes,
                        void *scratch)
{
    struct column_gather gather = {tree, column, scratch, bytes, false}, back = {tree, scratch, column, bytes, true};
    gws_parallel_for(runtime, chunks_of(tree), 1, gather_chunks, &gather);
    gws_parallel_for(runtime, chunks_of(tree), 1, gather_chunks, &back);
}

static gws_status octree_sort_points(struct gws_runtime *runtime, struct gws_octree *tree, struct gws_points *points)
{
    if (!matches(tree, points)) return GWS_INVALID;
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

gws_status gws_octree_sort_points(struct gws_runtime *runtime, struct gws_octree *tree, struct gws_points *points)
{
    return GWS_CALL(runtime, NULL, octree_sort_points(runtime, tree, points));
}

gws_status gws_octree_use_points(struct gws_octree *tree, const struct gws_points *points)
{
    if (points->count != tree->points || points->is_double != tree->is_double) return GWS_INVALID;
    gws__octree_owner_release_points(tree);
    tree->x = points->x;
    tree->y = points->y;
    tree->z = points->z;
    return GWS_OK;
}
