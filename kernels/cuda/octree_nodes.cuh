/* SPDX-License-Identifier: MIT */
/* Builds the nodes, level by level, from the list of leaves. A leaf opens the octants that do not contain the previous
 * leaf, and closes the octants that do not contain the next leaf. So the number of octants of a level opened up to a
 * leaf gives the number of the node that contains the leaf. A block writes the nodes of one bucket.
 * octree_nodes_above.cuh writes the nodes above the buckets. */
#ifndef GWS_KERNELS_CUDA_OCTREE_NODES_CUH
#define GWS_KERNELS_CUDA_OCTREE_NODES_CUH

#include "octree_words.cuh"

static constexpr u64 none = ~0ull; /* GWS_OCTREE_NONE */

/* The layout of struct gws_octree_node. */
struct __align__(16) tree_node
{
    u64 key, begin, end, parent, first_child;
    u32 mask, padding; /* child_mask, level and large: a byte each */
};
static_assert(sizeof(tree_node) == 48, "");

/* Where each level's nodes begin. */
struct levels {
    u64 begin[key_levels + 3];
};

struct layout {
    const params *a;
    const levels *at;
    const bucket *buckets;
    const u32 *cursor;
    const u32 *opened; /* rows of bucket_capacity entries: the number of nodes of a level, or of leaves, that earlier
                          buckets opened */
    const record *leaves;
    tree_node *nodes;
    u64 *leaf;
    build_state *now;
};

inside u32 opened_before(const layout &n, u32 level, u32 b)
{
    return n.opened[(u64)level * n.a->bucket_capacity + b];
}

inside u32 opened_in(const layout &n, u32 level, u32 b)
{
    u32 end = b + 1 < n.now->buckets ? opened_before(n, level, b + 1) : n.now->total[level];
    return end - opened_before(n, level, b);
}

inside u32 points_in(const layout &n, u32 b)
{
    return n.cursor[b] - n.buckets[b].slot;
}

/* Finds where the levels begin. Returns false if the arrays are too small for the nodes or the leaves. The host then
 * enlarges them. */
inside bool find_levels(const params &a, const build_state *now, levels *at)
{
    if (warp_id() == 0) {
        u32 level = lane_id(), mine = level <= key_levels ? now->total[level] : 0;
        u64 up_to = scan_warp((u64)mine);
        if (level < key_levels + 3) at->begin[level] = up_to - mine;
    }
    __syncthreads();
    return !now->failed && at->begin[key_levels + 1] <= a.node_capacity &&
           now->total[key_levels + 1] <= a.leaf_capacity;
}

inside u32 mask_of(u32 children, u32 level, bool large)
{
    return children | level << 8 | (u32)large << 16;
}

/* ---- within a bucket ---- */

static constexpr u32 layout_threads = 128, layout_warps = layout_threads / 32;
static constexpr u32 staging_capacity = 224; /* capacity in nodes; at least one node of each level */

/* A block builds a bucket's nodes a batch of leaves at a time. The block collects the nodes that the batch opens in
 * this memory, level by level. It then writes the nodes of a level in one piece. */
struct layout_memory {
    tree_node staging[staging_capacity];
    u64 base[key_levels + 2];                 /* index of the bucket's first node on each level */
    u32 opened[key_levels + 2];               /* number of nodes that earlier batches opened */
    u32 children[key_levels + 2];             /* children so far of the node that was open when this batch began */
    u32 heads[key_levels + 2][layout_warps];  /* a bit for each leaf that opens a node */
    u32 before[key_levels + 2][layout_warps]; /* number of nodes that earlier warps of this batch opened */
    u32 slot[key_levels + 3];                 /* beginning of each level's nodes in staging */
    u32 deepest;
    bucket plan;
    u32 end; /* end of the bucket's items */
    u32 leaf_before, leaves;
};

/* The words of the next bucket. Each thread prefetches two of them while the block processes the current bucket. */
struct bucket_words {
    u32 word, next;
};
static constexpr u32 plan_words = sizeof(bucket) / 4;

inside bucket_words prefetch_words(const layout &n, u32 b)
{
    u32 t = threadIdx.x, w = t - 32;
    if (b >= n.now->buckets) return {0, 0};
    if (t < rows)
        return {opened_before(n, t, b), b + 1 < n.now->buckets ? opened_before(n, t, b + 1) : n.now->total[t]};
    return {w < plan_words ? ((const u32 *)&n.buckets[b])[w] : w == plan_words ? n.cursor[b] : 0, 0};
}

/* A leaf, and the start of the next leaf of the bucket. */
struct leaf_pair {
    record leaf;
    bool there;
    int next_shared;
    u64 end;
};

/* Returns the number of nodes of a level that the batch opens up to the calling thread's leaf. The last of these nodes
 * contains the leaf. */
inside u32 opened_up_to(const layout_memory *m, int level)
{
    u32 lanes = lanes_below() | 1u << lane_id();
    return m->before[level][warp_id()] + (u32)__popc(m->heads[level][warp_id()] & lanes);
}

inside u64 place_of(const layout_memory *m, int level, u32 up_to)
{
    return m->base[level] + m->opened[level] + up_to - 1;
}

/* Stores the words that each thread has prefetched of a bucket. */
inside void begin_bucket(const layout &n, const bucket_words &seen, layout_memory *m)
{
    u32 t = threadIdx.x, w = t - 32;
    if (t <= key_levels) {
        m->base[t] = n.at->begin[t] + seen.word;
        m->opened[t] = m->children[t] = 0;
    }
    if (t == key_levels + 1) m->leaf_before = seen.word, m->leaves = seen.next - seen.word;
    u32 levels = warp_id() == 0 ? __ballot_sync(~0u, t <= key_levels && seen.next > seen.word) : 0;
    if (t == 0) m->deepest = 31 - (u32)__clz((int)levels);
    if (w < plan_words) ((u32 *)&m->plan)[w] = seen.word;
    if (w == plan_words) m->end = seen.word;
    __syncthreads();
}

inside leaf_pair leaf_pair_at(const record *first, u32 j, u32 end, u32 leaves, int outside, u64 behind)
{
    if (j >= end) return {record(), false, 0, 0};
    if (j + 1 >= leaves) return {first[j], true, outside, behind};
    record next = first[j + 1];
    return {first[j], true, next.shared, next.begin};
}

/* Finds which leaves open nodes, and assigns these nodes their positions in staging. Returns the number of nodes. */
inside u32 assign_slots(layout_memory *m, const leaf_pair &p, int top)
{
    for (int level = top; level <= (int)m->deepest; level++) {
        u32 heads = __ballot_sync(~0u, p.there && p.leaf.shared < level && p.leaf.level >= level);
        if (lane_id() == 0) m->heads[level][warp_id()] = heads;
    }
    __syncthreads();
    if (warp_id() == 0) {
        u32 level = lane_id(), all = 0;
        for (u32 w = 0; level >= (u32)top && level <= m->deepest && w < layout_warps; w++) {
            m->before[level][w] = all;
            all += (u32)__popc(m->heads[level][w]);
        }
        u32 up_to = scan_warp(all);
        if (level <= m->deepest + 1) m->slot[level] = up_to - all;
    }
    __syncthreads();
    return m->slot[m->deepest + 1];
}

/* Builds the nodes that a leaf opens. above: the parent of the bucket's own node. */
inside void open_nodes(const layout &n, layout_memory *m, const leaf_pair &p, int top, u64 above, u64 *leaf_list)
{
    int from = p.leaf.shared < top ? top : p.leaf.shared + 1;
    u64 parent =
        !p.there || from > p.leaf.level || from == top ? above : place_of(m, from - 1, opened_up_to(m, from - 1));
    for (int level = from; p.there && level <= p.leaf.level; level++) {
        u32 up_to = opened_up_to(m, level);
        u64 place = place_of(m, level, up_to);
        bool is_leaf = level == p.leaf.level;
        tree_node made = {p.leaf.key >> (63 - 3 * level), p.leaf.begin, p.end, parent, none, 0, 0};
        if (!is_leaf) made.first_child = place_of(m, level + 1, opened_up_to(m, level + 1));
        made.mask = mask_of(0, (u32)level, is_leaf && p.end - p.leaf.begin > n.a->leaf);
        m->staging[m->slot[level] + up_to - 1] = made;
        if (is_leaf) *leaf_list = place;
        parent = place;
    }
}

/* Adds the nodes that a leaf opens to their parents' masks. Sets the ends of the nodes that do not contain the next
 * leaf. */
inside void link_nodes(const layout &n, layout_memory *m, const leaf_pair &p, int top)
{
    for (int level = p.leaf.shared < top ? top + 1 : p.leaf.shared + 1; p.there && level <= p.leaf.level; level++) {
        u32 up_to = opened_up_to(m, level - 1), digit = (u32)(p.leaf.key >> (63 - 3 * level)) & 7;
        atomicOr(up_to ? &m->staging[m->slot[level - 1] + up_to - 1].mask : &m->children[level - 1], 1u << digit);
    }
    for (int level = p.next_shared < top ? top : p.next_shared + 1; p.there && level < p.leaf.level; level++) {
        u32 up_to = opened_up_to(m, level);
        *(up_to ? &m->staging[m->slot[level] + up_to - 1].end : &n.nodes[place_of(m, level, 0)].end) = p.end;
    }
}

/* Writes the child masks of nodes that an earlier batch opened and this batch closes. */
inside void finish_nodes(const layout &n, layout_memory *m, const leaf_pair &p, int top)
{
    for (int level = p.next_shared < top ? top : p.next_shared + 1; p.there && level < p.leaf.level; level++)
        if (opened_up_to(m, level) == 0)
            n.nodes[place_of(m, level, 0)].mask = mask_of(m->children[level], (u32)level, false);
}

/* Copies the staged nodes to global memory. The child masks of nodes that stay open remain in shared memory. */
inside void write_staging(const layout &n, layout_memory *m, int top)
{
    for (int level = top; level <= (int)m->deepest; level++) {
        const uint4 *from = (const uint4 *)&m->staging[m->slot[level]];
        uint4 *to = (uint4 *)&n.nodes[m->base[level] + m->opened[level]];
        u32 words = (m->slot[level + 1] - m->slot[level]) * (u32)(sizeof(tree_node) / sizeof(uint4));
        for (u32 i = threadIdx.x; i < words; i += layout_threads) to[i] = from[i];
    }
    __syncthreads();
    int level = (int)threadIdx.x;
    if (level < top || level > (int)m->deepest) return;
    u32 opened = m->slot[level + 1] - m->slot[level];
    if (opened) m->children[level] = m->staging[m->slot[level + 1] - 1].mask & 0xff;
    m->opened[level] += opened;
}

/* Writes the nodes of a bucket from its own level on, after begin_bucket(). */
inside void write_bucket(const layout &n, layout_memory *m)
{
    const bucket &mine = m->plan;
    u32 points = m->end - mine.slot, leaves = m->leaves, leaf_before = m->leaf_before, at_once = layout_threads;
    if (points == 0 || leaves == 0 || mine.level > n.a->depth) {
        __syncthreads();
        return;
    }
    int top = (int)mine.level;
    u64 behind = mine.begin + points, above = none;
    if (top > 0) above = m->base[top - 1] + (mine.shared < top - 1) - 1;
    for (u32 from = 0; from < leaves;) {
        u32 j = from + threadIdx.x, end = from + at_once < leaves ? from + at_once : leaves;
        leaf_pair p = leaf_pair_at(&n.leaves[mine.begin], j, end, leaves, top - 1, behind);
        if (assign_slots(m, p, top) > staging_capacity) { /* all threads take the same branch */
            at_once /= 2;
            __syncthreads();
            continue;
        }
        open_nodes(n, m, p, top, above, &n.leaf[leaf_before + j]);
        __syncthreads();
        link_nodes(n, m, p, top);
        __syncthreads();
        finish_nodes(n, m, p, top);
        write_staging(n, m, top);
        __syncthreads();
        from = end;
    }
}

#endif
