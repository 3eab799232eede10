/* SPDX-License-Identifier: MIT */
/* Builds the nodes above the buckets, and leaves that span several buckets, with one thread for each bucket. */
#ifndef GWS_KERNELS_CUDA_OCTREE_NODES_ABOVE_CUH
#define GWS_KERNELS_CUDA_OCTREE_NODES_ABOVE_CUH

#include "octree_nodes.cuh"

/* Returns the end of the levels that write_bucket() does not write for a bucket. These are the levels above the bucket,
 * or all levels if the bucket is part of an octant. */
inside int above_end(const layout &n, u32 b)
{
    u32 level = n.buckets[b].level;
    return level > n.a->depth ? (int)n.a->depth + 1 : (int)level;
}

/* Returns the node that contains a bucket, on a level above the bucket. */
inside tree_node *node_above(const layout &n, u32 b, int level)
{
    u32 opened = opened_before(n, (u32)level, b) + (n.buckets[b].shared < level);
    return &n.nodes[n.at->begin[level] + opened - 1];
}

inside void open_above(const layout &n, u32 b)
{
    const bucket &mine = n.buckets[b];
    if (points_in(n, b) == 0) return;
    for (int level = mine.shared + 1; level < above_end(n, b); level++) {
        bool is_leaf = level == (int)n.a->depth;
        tree_node *made = node_above(n, b, level);
        made->key = mine.key >> (63 - 3 * level);
        made->begin = mine.begin;
        made->parent = level == 0 ? none : (u64)(node_above(n, b, level - 1) - n.nodes);
        made->first_child = is_leaf ? none : n.at->begin[level + 1] + opened_before(n, (u32)level + 1, b);
        made->mask = mask_of(0, (u32)level, false);
        made->padding = 0;
        if (is_leaf) n.leaf[opened_before(n, key_levels + 1, b)] = (u64)(made - n.nodes);
    }
}

/* Closes the nodes that contain a bucket but not the next bucket, and records large leaves. */
inside void close_levels(const layout &n, u32 b, int shared_with_next)
{
    u64 end = n.buckets[b].begin + points_in(n, b);
    for (int level = shared_with_next + 1; level < above_end(n, b); level++) {
        tree_node *made = node_above(n, b, level);
        made->end = end;
        if (level < (int)n.a->depth) continue;
        atomicOr(&made->mask, 1u << 16); /* a leaf of several buckets is large */
        atomicAdd(&n.now->large, 1u);
        atomicMax(&n.now->max_leaf, (u32)(end - made->begin));
    }
}

inside void close_above(const layout &n, u32 b)
{
    const bucket &mine = n.buckets[b];
    if (points_in(n, b) == 0) return;
    if (mine.before != none_before) close_levels(n, mine.before, mine.shared);
    if (mine.begin + points_in(n, b) == n.now->indexed) close_levels(n, b, -1);
    int end = above_end(n, b);
    for (int level = mine.shared < 0 ? 0 : mine.shared; level < end && level < (int)n.a->depth; level++)
        atomicOr(&node_above(n, b, level)->mask, 1u << ((u32)(mine.key >> (60 - 3 * level)) & 7));
}

#endif
