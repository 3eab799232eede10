/* SPDX-License-Identifier: MIT */
/* A block holds a bucket in shared memory and scatters its points to bins. It uses 512 bins by the next three levels,
 * or 64 bins by two levels. The numbers of points in a bin, in 8 bins and in 64 bins determine which octants are
 * leaves. The block later scatters each bin of more than K points again. */
#ifndef GWS_KERNELS_CUDA_OCTREE_BINS_CUH
#define GWS_KERNELS_CUDA_OCTREE_BINS_CUH

#include "octree_words.cuh"

static constexpr u32 few_for_warp = 512,
                     few_for_block = 64;  /* maximum points of a segment, or of a bucket, for one warp */
static constexpr u32 few_for_bins = 1024; /* maximum points of a bucket whose first scatter uses 64 bins */
static constexpr u32 at_a_time = 8;       /* point numbers compared in one unrolled loop */
static constexpr u32 slice = 1024;        /* number of leaves that a block writes at a time */

/* A kind of blocks: a bucket capacity and a number of threads. Small buckets have small blocks, because barriers of
 * large blocks take longer. */
template <u32 capacity_, u32 threads_> struct blocks {
    static constexpr u32 capacity = capacity_, threads = threads_, each = capacity / threads, words = capacity / 32;
    static constexpr u32 own_bins = bins / threads;
};
using large_blocks = blocks<max_bucket, 512>;
using middle_blocks = blocks<middle_bucket, 512>;
using small_blocks = blocks<small_bucket, 256>;
using large_binners = blocks<max_bucket, 1024>;
using middle_binners = blocks<middle_bucket, 512>;
using small_binners = blocks<small_bucket, 256>;
using tiny_binners = blocks<tiny_bucket, 128>;

/* Allows the next launch to begin once all blocks have called this function, if that launch may begin early. */
inside void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/* Waits until the previous launch has ended, in a launch that began early. The writes of the previous launch are then
 * visible. */
inside void await_launches()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* A bucket for a block to divide. */
struct bucket_job {
    u32 bucket, slot, points, begin, level;
    int shared;
};

/* The buckets of one size, in two lists. */
struct listing {
    const bucket *buckets;
    const u32 *cursor, *first, *second;
    u32 in_first, in_second;
    u32 *ticket;
};

static constexpr u32 all_done = ~0u;

inside listing list_of_all(const params &a, u32 size, const bucket *buckets, const u32 *cursor, const u32 *lists,
                           build_state *now)
{
    const u32 *first = lists + 2 * size * a.bucket_capacity, *listed = now->listed + 2 * size;
    return {buckets, cursor, first, first + a.bucket_capacity, listed[0], listed[1], &now->ticket[size]};
}

/* The buckets that the one-pass kernels have deferred. */
inside listing list_of_hard(const params &a, u32 size, const bucket *buckets, const u32 *cursor, const u32 *lists,
                            build_state *now)
{
    const u32 *first = lists + (hard_lists + size) * a.bucket_capacity;
    return {buckets, cursor, first, first, fresh(&now->hard[size]), 0, &now->ticket[sizes + size]};
}

/* Returns the nth bucket of a list. Its member `bucket` is all_done after the last bucket. */
inside bucket_job job_of(const listing &l, u32 n)
{
    if (n >= l.in_first + l.in_second) return {all_done, 0, 0, 0, 0, 0};
    u32 b = n < l.in_first ? l.first[n] : l.second[n - l.in_first];
    const bucket &at = l.buckets[b];
    return {b, at.slot, l.cursor[b] - at.slot, at.begin, at.level, at.shared};
}

template <typename kind> struct divide_memory {
    u64 key[kind::capacity];
    u32 point[kind::capacity + at_a_time];
    unsigned char level[kind::capacity]; /* level of the leaf that starts at this position */
    u32 bin[bins + 1 + 32]; /* the last 32 count invalid items, one for each lane: no thread needs a branch */
    u32 sum[33];
    u32 opened[rows];
    u32 start[kind::words], starts_before[kind::words]; /* a bit for each position at which a leaf starts */
    unsigned short edge[slice + 2]; /* positions where leaves start: the leaf before the slice, the leaves of the slice,
                                       the leaf after the slice */
    u32 segments, few[2],
        next_few; /* numbers of waiting segments: for the block, and for warps in this round and in the next round */
    u32 max_leaf, large;
    bucket_job ahead;
};

/* A bucket while a block divides it. Waiting segments are in the global memory to which the block later writes the
 * bucket's leaves. */
template <typename kind> struct dividing {
    const params *a;
    divide_memory<kind> *m;
    item *slots; /* the bucket's items */
    u64 *segment,
        *few_segment; /* few_segment: for warps, the segments of even rounds, then the segments of odd rounds */
    u32 points, begin, level;
    int shared;
};

/* Packs begin, count and level of a segment into one word. */
inside u64 segment_of(u32 begin, u32 count, u32 level)
{
    return (u64)level << 32 | begin << 16 | count;
}

/* Enqueues a bin of more than K points. There are at most half as many segments as points. */
template <typename kind> inside void put_off(const dividing<kind> &d, u32 begin, u32 count, u32 level, u32 round)
{
    if (count <= few_for_warp)
        d.few_segment[round % 2 * (d.points / 2) + atomicAdd(&d.m->few[round % 2], 1u)] =
            segment_of(begin, count, level);
    else
        d.segment[atomicAdd(&d.m->segments, 1u)] = segment_of(begin, count, level);
}

template <typename kind> inside void start_leaf(const dividing<kind> &d, u32 place, u32 level)
{
    d.m->level[place] = (unsigned char)level;
    atomicOr(&d.m->start[place / 32], 1u << place % 32);
}

/* Classifies a bin of a segment of more than K points as divided or as a part of a leaf. The thread of the leaf's first
 * bin records the leaf. bin[] holds the beginning of each bin. Bins are `levels` levels deep. */
template <typename kind> inside void judge_bin(const dividing<kind> &d, u32 bin, u32 level, u32 levels)
{
    const u32 *place = d.m->bin, k = d.a->leaf, depth = d.a->depth;
    if (level >= depth) return; /* a part of a leaf at the depth limit */
    for (u32 l = 1; l <= levels; l++) {
        u32 size = 1u << 3 * (levels - l), from = bin & ~(size - 1), points = place[from + size] - place[from];
        if (points > k && level + l < depth) continue;
        if (from == bin && points > 0) start_leaf(d, place[from], level + l);
        return;
    }
}

template <typename kind> inside void put_item(const dividing<kind> &d, u32 place, const item &it)
{
    d.m->key[place] = it.key;
    d.m->point[place] = it.point;
}

/* Replaces the counts of bins by the positions in the segment at which the bins begin. Bins are `levels` levels deep.
 */
template <typename kind> inside void place_bins(const dividing<kind> &d, u32 begin, u32 count, u32 level, u32 levels)
{
    divide_memory<kind> *m = d.m;
    u32 counted[kind::own_bins], first = threadIdx.x * kind::own_bins, mine = 0, used = 1u << 3 * levels;
    for (u32 k = 0; k < kind::own_bins; k++) mine += counted[k] = first < used ? m->bin[first + k] : 0;
    u32 at = begin + scan_block(mine, m->sum);
    for (u32 k = 0; first < used && k < kind::own_bins; k++) {
        m->bin[first + k] = at;
        if (counted[k] > d.a->leaf) put_off(d, at, counted[k], level + levels, 0);
        at += counted[k];
    }
    if (threadIdx.x == 0) m->bin[used] = begin + count;
    __syncthreads();
    for (u32 k = 0; first < used && k < kind::own_bins; k++) judge_bin(d, first + k, level, levels);
}

/* Returns the bin of a point by two levels. */
inside u32 few_bin_of(const params &a, u64 key, u32 point, u32 level)
{
    if (level + 2 <= a.depth) return (u32)(key >> (57 - 3 * level)) & 63;
    return digit_of(a, key, point, level) << 3 | digit_of(a, key, point, level + 1);
}

inside void read_item(const item *slots, u32 i, u64 *key, u32 *point)
{
    uint4 words = *(const uint4 *)&slots[i]; /* one read, because the multiprocessor's L1 cache is under load */
    *key = (u64)words.y << 32 | words.x;
    *point = words.z;
}

/* Scatters the bucket by three levels, or by two if it is small, from its slots to shared memory. Each thread has at
 * most `each` points. A thread reads its items only once if its registers hold them. */
template <u32 each, typename kind> inside void scatter_bucket(const dividing<kind> &d)
{
    static constexpr u32 held = each <= 8 ? each : 1;
    divide_memory<kind> *m = d.m;
    u64 key[held];
    u32 point[held], rank[each];
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = k * kind::threads + threadIdx.x;
        key[k % held] = point[k % held] = 0; /* stops the compiler from keeping the old values */
        if (held == each && i < d.points) read_item(d.slots, i, &key[k % held], &point[k % held]);
    }
    u32 levels = d.points > few_for_bins ? 3 : 2;
    for (u32 b = threadIdx.x; b < 1u << 3 * levels; b += kind::threads) m->bin[b] = 0;
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = k * kind::threads + threadIdx.x, bin = bins + 1 + lane_id();
        if (held != each && i < d.points) read_item(d.slots, i, &key[0], &point[0]);
        if (i < d.points)
            bin = levels == 3 ? bin_of(*d.a, key[k % held], point[k % held], d.level)
                              : few_bin_of(*d.a, key[k % held], point[k % held], d.level);
        rank[k] = bin << 16 | (atomicAdd(&m->bin[bin], 1u) & 0xffff);
    }
    __syncthreads();
    place_bins(d, 0, d.points, d.level, levels);
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = k * kind::threads + threadIdx.x, place = m->bin[rank[k] >> 16] + (rank[k] & 0xffff);
        if (i >= d.points) continue;
        if (held != each) read_item(d.slots, i, &key[0], &point[0]);
        m->key[place] = key[k % held];
        m->point[place] = point[k % held];
    }
    __syncthreads();
}

/* Scatters a segment within shared memory. The block uses the bucket's slots, whose items it no longer needs, as a
 * buffer. */
template <typename kind> inside void scatter_segment(const dividing<kind> &d, u32 begin, u32 count, u32 level)
{
    divide_memory<kind> *m = d.m;
    u32 rank[kind::each];
    for (u32 b = threadIdx.x; b < bins; b += kind::threads) m->bin[b] = 0;
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < kind::each; k++) {
        u32 i = k * kind::threads + threadIdx.x;
        rank[k] = 0;
        if (i >= count) continue;
        u32 bin = bin_of(*d.a, m->key[begin + i], m->point[begin + i], level);
        rank[k] = bin << 16 | atomicAdd(&m->bin[bin], 1u);
    }
    __syncthreads();
    place_bins(d, begin, count, level, 3);
#pragma unroll
    for (u32 k = 0; k < kind::each; k++) {
        u32 i = k * kind::threads + threadIdx.x;
        if (i < count)
            d.slots[m->bin[rank[k] >> 16] + (rank[k] & 0xffff)] = {m->key[begin + i], m->point[begin + i], 0};
    }
    __syncthreads();
    for (u32 i = begin + threadIdx.x; i < begin + count; i += kind::threads) put_item(d, i, d.slots[i]);
    __syncthreads();
}

#endif
