/* SPDX-License-Identifier: MIT */
/* One block divides a bucket in its shared memory: its points in leaf order, its leaves, and how many nodes are opened
 * on each level.
 *
 * Points are dealt out to 512 bins by the next three levels. How many lie in a bin, in eight and in 64 of them says which
 * octants are leaves; a bin of more than K points is dealt out again, or, when it is small, sorted by a warp, who compares
 * each point with each. In order, an octant of level L holds more than K points exactly where keys K places apart share L
 * levels, and a point's leaf is one level below the deepest such octant that has it. Last, the points of a leaf are put
 * into the order of their numbers: each counts who in its leaf comes before it. Leaves of more than K points, at the depth
 * limit, have been dealt out by their numbers, so that no point has to look further than K places. */
#ifndef GWS_KERNELS_CUDA_OCTREE_DIVIDE_CUH
#define GWS_KERNELS_CUDA_OCTREE_DIVIDE_CUH

#include "octree_words.cuh"

static constexpr u32 divide_threads = 512;
static constexpr u32 each_most = most_bucket / divide_threads;
static constexpr u32 few_for_warp = 256;
static constexpr u32 mask_words = most_bucket / 32;

struct divide_memory {
    u64 key[most_bucket];
    u32 point[most_bucket];
    unsigned char level[most_bucket]; /* of leaves, where they start */
    u32 bin[bins + 1];
    u32 sum[33];
    u32 opened[rows];
    u32 start[mask_words], starts_before[mask_words]; /* a bit for each place where a leaf starts */
    u32 stretches, few_stretches, next_few; /* waiting: for the block, for warps */
    u32 bucket, max_leaf, large;
};

/* A bucket being divided. Stretches to deal out wait in global memory, where its leaves will lie. */
struct dividing {
    const asked *a;
    divide_memory *m;
    item *slots; /* the bucket's items */
    u64 *stretch, *few_stretch;
    u32 points, begin, level;
    int shared;
};

/* begin, count and level of a stretch in one word. */
inside u64 stretch_of(u32 begin, u32 count, u32 level)
{
    return (u64)level << 32 | begin << 16 | count;
}

/* A bin of more than K points. */
inside void put_off(const dividing &d, u32 begin, u32 count, u32 level)
{
    if (count <= few_for_warp)
        d.few_stretch[atomicAdd(&d.m->few_stretches, 1u)] = stretch_of(begin, count, level);
    else
        d.stretch[atomicAdd(&d.m->stretches, 1u)] = stretch_of(begin, count, level);
}

inside void start_leaf(const dividing &d, u32 place, u32 level)
{
    d.m->level[place] = (unsigned char)level;
    atomicOr(&d.m->start[place / 32], 1u << place % 32);
}

/* What a bin of a stretch of more than K points is: a part of a leaf, which the first of its bins enters, or divided. bin
 * holds the places where bins begin. */
inside void judge_bin(const dividing &d, u32 bin, u32 level)
{
    const u32 *place = d.m->bin, k = d.a->leaf, depth = d.a->depth;
    if (level >= depth) return; /* a part of a leaf at the limit */
    for (u32 levels = 1; levels <= 3; levels++) {
        u32 size = bins >> 3 * levels, from = bin & ~(size - 1), points = place[from + size] - place[from];
        if (points > k && level + levels < depth) continue;
        if (from == bin && points > 0) start_leaf(d, place[from], level + levels);
        return;
    }
}

inside item item_at(const dividing &d, u32 place, bool from_slots)
{
    if (from_slots) return d.slots[place];
    return {d.m->key[place], d.m->point[place], 0};
}

inside void put_item(const dividing &d, u32 place, const item &it)
{
    d.m->key[place] = it.key;
    d.m->point[place] = it.point;
}

/* Deals a stretch out by three levels; from the slots to shared memory the first time, later within shared memory by way
 * of the slots, whose items are not needed any more. */
inside void deal(const dividing &d, u32 begin, u32 count, u32 level, bool first)
{
    divide_memory *m = d.m;
    u32 rank[each_most];
    m->bin[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < each_most; k++) {
        u32 i = k * divide_threads + threadIdx.x;
        if (i < count) {
            item it = item_at(d, begin + i, first);
            u32 bin = bin_of(*d.a, it.key, it.point, level);
            rank[k] = bin << 16 | atomicAdd(&m->bin[bin], 1u);
        }
    }
    __syncthreads();
    u32 mine = m->bin[threadIdx.x], before = scan_block(mine, m->sum);
    m->bin[threadIdx.x] = begin + before;
    if (threadIdx.x == 0) m->bin[bins] = begin + count;
    if (mine > d.a->leaf) put_off(d, begin + before, mine, level + 3);
    __syncthreads();
    judge_bin(d, threadIdx.x, level);
#pragma unroll
    for (u32 k = 0; k < each_most; k++) {
        u32 i = k * divide_threads + threadIdx.x;
        if (i < count) {
            item it = item_at(d, begin + i, first);
            u32 to = m->bin[rank[k] >> 16] + (rank[k] & 0xffff);
            if (first)
                put_item(d, to, it);
            else
                d.slots[to] = it;
        }
    }
    __syncthreads();
    if (first) return;
    for (u32 i = begin + threadIdx.x; i < begin + count; i += divide_threads) put_item(d, i, d.slots[i]);
    __syncthreads();
}

/* Leaves of a small stretch of more than K points that a warp has put in order. */
inside void judge_few(const dividing &d, u32 begin, u32 count)
{
    const u64 *key = d.m->key + begin;
    unsigned char *deepest = d.m->level + begin; /* one more than what a place and that K behind it share */
    u32 k = d.a->leaf, depth = d.a->depth;
    for (u32 i = lane_id(); i < count; i += 32)
        deepest[i] = i + k < count ? (unsigned char)(shared_level(key[i], key[i + k], depth) + 1) : 0;
    __syncwarp();
    u32 level[few_for_warp / 32], starts[few_for_warp / 32];
#pragma unroll
    for (u32 n = 0; n < few_for_warp / 32; n++) {
        u32 i = n * 32 + lane_id(), from = i > k ? i - k : 0;
        level[n] = 0;
        for (u32 j = from; j <= i && i < count; j++) level[n] = deepest[j] > level[n] ? deepest[j] : level[n];
        if (level[n] > depth) level[n] = depth;
        starts[n] = i < count && (i == 0 || shared_level(key[i - 1], key[i], depth) < level[n]);
    }
    __syncwarp();
#pragma unroll
    for (u32 n = 0; n < few_for_warp / 32; n++)
        if (starts[n]) start_leaf(d, begin + n * 32 + lane_id(), level[n]);
}

/* A warp puts a small stretch in order: items of lane, lane + 32, ... are compared with all. */
template <u32 each> inside void sort_few(const dividing &d, u32 begin, u32 count)
{
    u64 key[each];
    u32 point[each], rank[each];
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = lane_id() + 32 * k, from = begin + (i < count ? i : 0);
        key[k] = d.m->key[from];
        point[k] = d.m->point[from];
        rank[k] = 0;
    }
    for (u32 j = 0; j < count; j++) {
        u64 other = d.m->key[begin + j];
        u32 number = d.m->point[begin + j];
#pragma unroll
        for (u32 k = 0; k < each; k++) rank[k] += other < key[k] || (other == key[k] && number < point[k]);
    }
    __syncwarp();
#pragma unroll
    for (u32 k = 0; k < each; k++)
        if (lane_id() + 32 * k < count) put_item(d, begin + rank[k], {key[k], point[k], 0});
    __syncwarp();
}

inside void sort_stretches(const dividing &d)
{
    for (;;) {
        u32 next = 0;
        if (lane_id() == 0) next = atomicAdd(&d.m->next_few, 1u);
        next = __shfl_sync(~0u, next, 0);
        if (next >= d.m->few_stretches) return;
        u64 stretch = d.few_stretch[next];
        u32 begin = (u32)stretch >> 16, count = (u32)stretch & 0xffff, level = (u32)(stretch >> 32);
        if (count <= 64)
            sort_few<2>(d, begin, count);
        else if (count <= 128)
            sort_few<4>(d, begin, count);
        else
            sort_few<8>(d, begin, count);
        if (level < d.a->depth) judge_few(d, begin, count);
    }
}

/* All in order, as far as it matters. */
inside void put_in_order(const dividing &d)
{
    divide_memory *m = d.m;
    u32 depth = d.a->depth, level = d.level < depth ? d.level : depth;
    bool one_leaf = d.points <= d.a->leaf || level == depth;
    if (threadIdx.x == 0 && one_leaf && d.shared < (int)level) start_leaf(d, 0, level);
    if (d.points > d.a->leaf && d.points > few_for_warp) {
        deal(d, 0, d.points, d.level, true);
    } else {
        for (u32 i = threadIdx.x; i < d.points; i += divide_threads) put_item(d, i, d.slots[i]);
        if (threadIdx.x == 0 && d.points > d.a->leaf) put_off(d, 0, d.points, d.level);
        __syncthreads();
    }
    for (u32 waiting = m->stretches; waiting; waiting = m->stretches) {
        u64 stretch = d.stretch[waiting - 1];
        __syncthreads();
        if (threadIdx.x == 0) m->stretches = waiting - 1;
        __syncthreads();
        deal(d, (u32)stretch >> 16 & 0xffff, (u32)stretch & 0xffff, (u32)(stretch >> 32), false);
    }
    sort_stretches(d);
    __syncthreads();
}

/* ---- the leaves ---- */

/* What a place shares with the one before it. */
inside int shared_before(const dividing &d, u32 i)
{
    return i == 0 ? d.shared : (int)shared_level(d.m->key[i - 1], d.m->key[i], d.a->depth);
}

inside void count_starts(const dividing &d)
{
    divide_memory *m = d.m;
    u32 words = (d.points + 31) / 32, mine = threadIdx.x < words ? (u32)__popc(m->start[threadIdx.x]) : 0;
    u32 before = scan_block(mine, m->sum);
    if (threadIdx.x < mask_words) m->starts_before[threadIdx.x] = before;
    __syncthreads();
}

/* The last start at or before a place, or least if that is greater. */
inside u32 start_before(const divide_memory *m, u32 i, u32 least)
{
    u32 word = i / 32, mask = m->start[word] & (~0u >> (31 - i % 32));
    while (mask == 0 && word * 32 > least) mask = m->start[--word];
    u32 found = mask ? word * 32 + 31 - (u32)__clz((int)mask) : 0;
    return found < least ? least : found;
}

/* The first start behind a place, or most if that is less. */
inside u32 start_behind(const divide_memory *m, u32 i, u32 most)
{
    u32 next = i + 1, word = next / 32;
    if (next >= most) return most;
    u32 mask = m->start[word] & (~0u << next % 32);
    while (mask == 0 && (word + 1) * 32 < most) mask = m->start[++word];
    u32 found = mask ? word * 32 + (u32)__ffs((int)mask) - 1 : most;
    return found < most ? found : most;
}

/* Each point to its place in the leaf order. */
inside void write_order(const dividing &d, u32 *order)
{
    const divide_memory *m = d.m;
    u32 k = d.a->leaf;
    for (u32 i = threadIdx.x; i < d.points; i += divide_threads) {
        u32 least = i > k ? i - k : 0, most = d.points - i > k ? i + k + 1 : d.points;
        u32 from = start_before(m, i, least), to = start_behind(m, i, most);
        u32 point = m->point[i], place = from;
        for (u32 j = from; j < to; j++) place += m->point[j] < point;
        order[d.begin + place] = point;
    }
}

inside void write_leaf(const dividing &d, u32 i, record *leaves)
{
    divide_memory *m = d.m;
    u32 word = i / 32, leaf = m->starts_before[word] + (u32)__popc(m->start[word] & ((1u << i % 32) - 1));
    int shared = shared_before(d, i), level = m->level[i];
    leaves[leaf] = {m->key[i], d.begin + i, (signed char)level, (signed char)shared, 0};
    for (int l = shared + 1; l <= level; l++) atomicAdd(&m->opened[l], 1u);
    if (d.level > d.a->depth) return; /* its leaf goes on in other buckets */
    u32 points = start_behind(m, i, d.points) - i;
    atomicMax(&m->max_leaf, points);
    if (points > d.a->leaf) atomicAdd(&m->large, 1u);
}

inside void write_leaves(const dividing &d, record *leaves)
{
    for (u32 i = threadIdx.x; i < d.points; i += divide_threads)
        if (d.m->start[i / 32] >> i % 32 & 1) write_leaf(d, i, leaves);
}

inside void divide_bucket(const dividing &d, u32 *order, record *leaves)
{
    put_in_order(d);
    count_starts(d);
    write_order(d, order);
    write_leaves(d, leaves);
    __syncthreads();
}

#endif
