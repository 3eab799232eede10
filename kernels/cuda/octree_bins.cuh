/* SPDX-License-Identifier: MIT */
/* A bucket in a block's shared memory, and how the block deals its points out to bins: by the next three levels, 512
 * bins, or two, 64. How many lie in a bin, in eight and in 64 of them says which octants are leaves; a bin of more than
 * K points waits to be dealt out again. */
#ifndef GWS_KERNELS_CUDA_OCTREE_BINS_CUH
#define GWS_KERNELS_CUDA_OCTREE_BINS_CUH

#include "octree_words.cuh"

static constexpr u32 few_for_warp = 512, few_for_block = 64; /* at most dealt out by a warp: of a bucket, the bucket */
static constexpr u32 few_for_bins = 1024; /* points of a bucket for which 64 bins are enough at first */
static constexpr u32 at_a_time = 8;       /* numbers that a point is compared with */
static constexpr u32 slice = 1024;        /* leaves that are written at once */

/* Blocks of several kinds, so that small buckets do not wait for each other's barriers in large blocks: what buckets
 * have at most, and threads. */
template <u32 most_, u32 threads_> struct blocks {
    static constexpr u32 most = most_, threads = threads_, each = most / threads, words = most / 32;
    static constexpr u32 own_bins = bins / threads;
};
using large_blocks = blocks<most_bucket, 512>;
using middle_blocks = blocks<middle_bucket, 512>;
using small_blocks = blocks<small_bucket, 256>;
using large_settlers = blocks<most_bucket, 1024>;
using middle_settlers = blocks<middle_bucket, 512>;
using small_settlers = blocks<small_bucket, 256>;
using tiny_settlers = blocks<tiny_bucket, 128>;

/* The next launch may begin from here on, once all blocks say so, if it is one that may begin early. */
inside void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/* Before a launch that began early goes on from here, the launch before it has ended, and what that wrote is seen. */
inside void await_launches()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* A bucket that a block is to divide. */
struct job {
    u32 bucket, slot, points, begin, level;
    int shared;
};

/* The buckets of one size: two lists. */
struct listing {
    const bucket *buckets;
    const u32 *cursor, *first, *second;
    u32 in_first, in_second;
    u32 *ticket;
};

static constexpr u32 all_done = ~0u;

inside listing list_of_all(const asked &a, u32 size, const bucket *buckets, const u32 *cursor, const u32 *lists,
                           build *now)
{
    const u32 *first = lists + 2 * size * a.bucket_room, *listed = now->listed + 2 * size;
    return {buckets, cursor, first, first + a.bucket_room, listed[0], listed[1], &now->ticket[size]};
}

/* Those that other blocks have left. */
inside listing list_of_hard(const asked &a, u32 size, const bucket *buckets, const u32 *cursor, const u32 *lists,
                            build *now)
{
    const u32 *first = lists + (hard_lists + size) * a.bucket_room;
    return {buckets, cursor, first, first, fresh(&now->hard[size]), 0, &now->ticket[sizes + size]};
}

/* The nth; in .bucket all_done behind the last. */
inside job job_of(const listing &l, u32 n)
{
    if (n >= l.in_first + l.in_second) return {all_done, 0, 0, 0, 0, 0};
    u32 b = n < l.in_first ? l.first[n] : l.second[n - l.in_first];
    const bucket &at = l.buckets[b];
    return {b, at.slot, l.cursor[b] - at.slot, at.begin, at.level, at.shared};
}

template <typename kind> struct divide_memory {
    u64 key[kind::most];
    u32 point[kind::most + at_a_time];
    unsigned char level[kind::most]; /* of leaves, where they start */
    u32 bin[bins + 1 + 32];          /* the last ones take what is none, a lane each, so that no thread has to branch */
    u32 sum[33];
    u32 opened[rows];
    u32 start[kind::words], starts_before[kind::words]; /* a bit for each place where a leaf starts */
    unsigned short edge[slice + 2];  /* where leaves start: the one before the slice, its own, and the next */
    u32 stretches, few[2], next_few; /* waiting: for the block, for warps in this round and in the next */
    u32 max_leaf, large;
    job ahead;
};

/* A bucket being divided. Stretches to deal out wait in global memory, where its leaves will lie. */
template <typename kind> struct dividing {
    const asked *a;
    divide_memory<kind> *m;
    item *slots;                /* the bucket's items */
    u64 *stretch, *few_stretch; /* for warps: of even rounds, then those of odd ones */
    u32 points, begin, level;
    int shared;
};

/* begin, count and level of a stretch in one word. */
inside u64 stretch_of(u32 begin, u32 count, u32 level)
{
    return (u64)level << 32 | begin << 16 | count;
}

/* A bin of more than K points; half as many stretches as points may wait. */
template <typename kind> inside void put_off(const dividing<kind> &d, u32 begin, u32 count, u32 level, u32 round)
{
    if (count <= few_for_warp)
        d.few_stretch[round % 2 * (d.points / 2) + atomicAdd(&d.m->few[round % 2], 1u)] =
            stretch_of(begin, count, level);
    else
        d.stretch[atomicAdd(&d.m->stretches, 1u)] = stretch_of(begin, count, level);
}

template <typename kind> inside void start_leaf(const dividing<kind> &d, u32 place, u32 level)
{
    d.m->level[place] = (unsigned char)level;
    atomicOr(&d.m->start[place / 32], 1u << place % 32);
}

/* What a bin of a stretch of more than K points is: a part of a leaf, which the first of its bins enters, or divided.
 * bin holds the places where bins begin; they are of so many levels. */
template <typename kind> inside void judge_bin(const dividing<kind> &d, u32 bin, u32 level, u32 levels)
{
    const u32 *place = d.m->bin, k = d.a->leaf, depth = d.a->depth;
    if (level >= depth) return; /* a part of a leaf at the limit */
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

/* The bins of so many levels are counted; now they begin where they lie in the stretch. */
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

/* Two levels. */
inside u32 few_bin_of(const asked &a, u64 key, u32 point, u32 level)
{
    if (level + 2 <= a.depth) return (u32)(key >> (57 - 3 * level)) & 63;
    return digit_of(a, key, point, level) << 3 | digit_of(a, key, point, level + 1);
}

inside void read_item(const item *slots, u32 i, u64 *key, u32 *point)
{
    uint4 words = *(const uint4 *)&slots[i]; /* at once: a multiprocessor's first cache is busy enough */
    *key = (u64)words.y << 32 | words.x;
    *point = words.z;
}

/* Deals the bucket out by three levels, or by two where it is small, from the slots to shared memory; it has at most
 * each points a thread. They are read once where the registers hold them. */
template <u32 each, typename kind> inside void deal_bucket(const dividing<kind> &d)
{
    static constexpr u32 held = each <= 8 ? each : 1;
    divide_memory<kind> *m = d.m;
    u64 key[held];
    u32 point[held], rank[each];
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = k * kind::threads + threadIdx.x;
        key[k % held] = point[k % held] = 0; /* or the compiler keeps what they were */
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

/* The same of a stretch, within shared memory by way of the slots, whose items are not needed any more. */
template <typename kind> inside void deal_stretch(const dividing<kind> &d, u32 begin, u32 count, u32 level)
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
