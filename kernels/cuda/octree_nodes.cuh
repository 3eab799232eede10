/* SPDX-License-Identifier: MIT */
/* The nodes, laid out by level, from the list of leaves. A leaf opens the octants that it does not share with the leaf
 * before it, and closes those that it does not share with the next one; so the number of octants of a level that were
 * opened up to a leaf says which node it lies in. A warp writes the nodes of one level in one bucket; those above the
 * buckets, and leaves that go on over several, are written by a thread a bucket. */
#ifndef GWS_KERNELS_CUDA_OCTREE_NODES_CUH
#define GWS_KERNELS_CUDA_OCTREE_NODES_CUH

#include "octree_words.cuh"

static constexpr u64 none = ~0ull; /* GWS_OCTREE_NONE */

/* As struct gws_octree_node. */
struct __align__(16) node {
    u64 key, begin, end, parent, first_child;
    u32 mask, spare; /* child_mask, level and large: a byte each */
};
static_assert(sizeof(node) == 48, "");

/* Where each level's nodes begin. */
struct levels {
    u64 begin[key_levels + 3];
};

struct laying {
    const asked *a;
    const levels *at;
    const bucket *buckets;
    const u32 *cursor;
    const u32 *opened; /* rows of bucket_room: nodes opened on a level, or leaves, in the buckets before */
    const record *leaves;
    node *nodes;
    u64 *leaf;
    build *now;
};

inside u32 opened_before(const laying &n, u32 level, u32 b)
{
    return n.opened[(u64)level * n.a->bucket_room + b];
}

inside u32 opened_in(const laying &n, u32 level, u32 b)
{
    u32 end = b + 1 < n.now->buckets ? opened_before(n, level, b + 1) : n.now->total[level];
    return end - opened_before(n, level, b);
}

inside u32 points_in(const laying &n, u32 b)
{
    return n.cursor[b] - n.buckets[b].slot;
}

inside u32 mask_of(u32 children, u32 level, bool large)
{
    return children | level << 8 | (u32)large << 16;
}

/* ---- within a bucket ---- */

/* What opens on a level: by lane, and in the lanes and leaves before. */
struct opening {
    u32 lanes, before;
};

inside opening look(int level, const record &leaf, bool there, u32 before)
{
    return {__ballot_sync(~0u, there && leaf.shared < level && leaf.level >= level), before};
}

/* The children of each lane's node so far, from the leaf on that opened it. */
inside u32 gather_children(u32 mine, u32 heads, u32 carry)
{
    u32 lane = lane_id(), up_to = heads & (lanes_below() | 1u << lane);
    u32 head = up_to ? 31 - (u32)__clz((int)up_to) : 0;
    for (u32 d = 1; d < 32; d *= 2) {
        u32 other = __shfl_up_sync(~0u, mine, d);
        if (lane >= d + head) mine |= other;
    }
    return up_to ? mine : mine | carry;
}

/* Nodes of one level in a bucket of so many leaves; first: the first of them. */
inside void write_level(const laying &n, u32 b, int level, const record *first, u32 leaves, int outside)
{
    u32 below = lanes_below(), self = 1u << lane_id(), carry = 0, leaf_before = opened_before(n, key_levels + 1, b);
    u32 above_before = level > 0 ? opened_before(n, (u32)level - 1, b) : 0;
    u32 here_before = opened_before(n, (u32)level, b);
    u32 under_before = level < (int)key_levels ? opened_before(n, (u32)level + 1, b) : 0;
    u64 behind = n.buckets[b].begin + points_in(n, b);
    for (u32 at = 0; at < leaves; at += 32) {
        u32 j = at + lane_id();
        bool there = j < leaves, last = j + 1 >= leaves;
        record leaf = there ? first[j] : record(), next = last ? record() : first[j + 1];
        int next_shared = last ? outside : next.shared;
        u64 end = last ? behind : next.begin;
        opening above = look(level - 1, leaf, there, above_before), here = look(level, leaf, there, here_before);
        opening under = look(level + 1, leaf, there, under_before);
        u32 digit = level < (int)key_levels ? (u32)(leaf.key >> (60 - 3 * level)) & 7 : 0;
        u32 children = gather_children(under.lanes & self ? 1u << digit : 0, here.lanes, carry);
        u64 place = n.at->begin[level] + here.before + (u32)__popc(here.lanes & (below | self)) - 1;
        bool is_leaf = leaf.level == level;
        if (here.lanes & self) {
            node *made = &n.nodes[place];
            made->key = leaf.key >> (63 - 3 * level);
            made->begin = leaf.begin;
            made->parent =
                level == 0 ? none
                           : n.at->begin[level - 1] + above.before + (u32)__popc(above.lanes & (below | self)) - 1;
            made->first_child =
                is_leaf ? none : n.at->begin[level + 1] + under.before + (u32)__popc(under.lanes & below);
            if (is_leaf) n.leaf[leaf_before + j] = place;
        }
        if (there && next_shared < level && leaf.level >= level) {
            node *made = &n.nodes[place];
            made->end = end;
            made->mask = mask_of(children, (u32)level, is_leaf && end - leaf.begin > n.a->leaf);
            made->spare = 0;
        }
        carry = __shfl_sync(~0u, children, 31);
        above_before += (u32)__popc(above.lanes);
        here_before += (u32)__popc(here.lanes);
        under_before += (u32)__popc(under.lanes);
    }
}

/* The levels of a bucket from its own on, a warp each. */
inside void write_bucket(const laying &n, u32 b)
{
    const bucket &mine = n.buckets[b];
    if (points_in(n, b) == 0 || mine.level > n.a->depth) return;
    u32 leaves = opened_in(n, key_levels + 1, b);
    for (u32 level = mine.level + warp_id(); level <= n.a->depth; level += warp_count()) {
        if (opened_in(n, level, b) == 0) break;
        write_level(n, b, (int)level, &n.leaves[mine.begin], leaves, (int)mine.level - 1);
    }
}

/* ---- above the buckets ---- */

/* Levels of a bucket that are not its warps': those above it, or all where it is a part of an octant. */
inside int above_end(const laying &n, u32 b)
{
    u32 level = n.buckets[b].level;
    return level > n.a->depth ? (int)n.a->depth + 1 : (int)level;
}

/* The node of a level, above a bucket, that it lies in. */
inside node *node_above(const laying &n, u32 b, int level)
{
    u32 opened = opened_before(n, (u32)level, b) + (n.buckets[b].shared < level);
    return &n.nodes[n.at->begin[level] + opened - 1];
}

inside void open_above(const laying &n, u32 b)
{
    const bucket &mine = n.buckets[b];
    if (points_in(n, b) == 0) return;
    for (int level = mine.shared + 1; level < above_end(n, b); level++) {
        bool is_leaf = level == (int)n.a->depth;
        node *made = node_above(n, b, level);
        made->key = mine.key >> (63 - 3 * level);
        made->begin = mine.begin;
        made->parent = level == 0 ? none : (u64)(node_above(n, b, level - 1) - n.nodes);
        made->first_child = is_leaf ? none : n.at->begin[level + 1] + opened_before(n, (u32)level + 1, b);
        made->mask = mask_of(0, (u32)level, false);
        made->spare = 0;
        if (is_leaf) n.leaf[opened_before(n, key_levels + 1, b)] = (u64)(made - n.nodes);
    }
}

/* Closes what a bucket lies in and the next one does not, and enters what the bucket opens with what holds it. */
inside void close_levels(const laying &n, u32 b, int shared_with_next)
{
    u64 end = n.buckets[b].begin + points_in(n, b);
    for (int level = shared_with_next + 1; level < above_end(n, b); level++) {
        node *made = node_above(n, b, level);
        made->end = end;
        if (level < (int)n.a->depth) continue;
        atomicOr(&made->mask, 1u << 16); /* a leaf of several buckets is large */
        atomicAdd(&n.now->large, 1u);
        atomicMax(&n.now->max_leaf, (u32)(end - made->begin));
    }
}

inside void close_above(const laying &n, u32 b)
{
    const bucket &mine = n.buckets[b];
    if (points_in(n, b) == 0) return;
    if (mine.before != none_before) close_levels(n, mine.before, mine.shared);
    if (mine.begin + points_in(n, b) == n.now->kept) close_levels(n, b, -1);
    int end = above_end(n, b);
    for (int level = mine.shared < 0 ? 0 : mine.shared; level < end && level < (int)n.a->depth; level++)
        atomicOr(&node_above(n, b, level)->mask, 1u << ((u32)(mine.key >> (60 - 3 * level)) & 7));
}

#endif
