/* SPDX-License-Identifier: MIT */
/* Bins of more than K points, but few: a warp deals one out to 64 bins, as the others have theirs, by the counters of
 * its own part of the block's bins. */
#ifndef GWS_KERNELS_CUDA_OCTREE_FEW_CUH
#define GWS_KERNELS_CUDA_OCTREE_FEW_CUH

#include "octree_bins.cuh"

/* A warp's 64 bins are in 32 words: the first half of them in the low halves. */
inside u32 half_of(u32 word, u32 bin)
{
    return word >> bin / 32 * 16 & 0xffff;
}

/* Where a bin begins in its stretch of count. */
inside u32 few_place(const u32 *word, u32 bin, u32 count)
{
    return bin < 64 ? half_of(word[bin % 32], bin) : count;
}

/* As judge_bin. */
template <typename kind>
inside void judge_few(const dividing<kind> &d, const u32 *word, u32 bin, u64 stretch, u32 round)
{
    u32 begin = (u32)stretch >> 16, count = (u32)stretch & 0xffff, level = (u32)(stretch >> 32);
    u32 k = d.a->leaf, depth = d.a->depth, place = few_place(word, bin, count);
    u32 own = few_place(word, bin + 1, count) - place;
    if (own > k) put_off(d, begin + place, own, level + 2, round + 1);
    if (level >= depth) return;
    for (u32 levels = 1; levels <= 2; levels++) {
        u32 size = 64 >> 3 * levels, from = bin & ~(size - 1);
        u32 points = few_place(word, from + size, count) - few_place(word, from, count);
        if (points > k && level + levels < depth) continue;
        if (from == bin && points > 0) start_leaf(d, begin + place, level + levels);
        return;
    }
}

/* Counts become places. */
inside void place_few(u32 *word)
{
    u32 mine = word[lane_id()], up_to = scan_warp(mine);
    u32 all = __shfl_sync(~0u, up_to, 31), before = up_to - mine;
    word[lane_id()] = before + (all << 16);
    __syncwarp();
}

/* A stretch of at most 32 times each points; by way of the slots where the registers do not hold them. */
template <u32 each, typename kind> inside void deal_few(const dividing<kind> &d, u64 stretch, u32 round)
{
    static constexpr u32 held = each <= 8 ? each : 1;
    divide_memory<kind> *m = d.m;
    u32 begin = (u32)stretch >> 16, count = (u32)stretch & 0xffff, level = (u32)(stretch >> 32);
    u32 *word = &m->bin[32 * warp_id()], point[held], rank[each];
    u64 key[held];
    word[lane_id()] = 0;
    __syncwarp();
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = lane_id() + 32 * k;
        key[k % held] = point[k % held] = rank[k] = 0; /* or the compiler keeps what they were */
        if (i >= count) continue;
        key[k % held] = m->key[begin + i];
        point[k % held] = m->point[begin + i];
        u32 bin = few_bin_of(*d.a, key[k % held], point[k % held], level);
        rank[k] = bin << 16 | half_of(atomicAdd(&word[bin % 32], bin < 32 ? 1u : 1u << 16), bin);
    }
    __syncwarp();
    place_few(word);
    judge_few(d, word, lane_id(), stretch, round);
    judge_few(d, word, lane_id() + 32, stretch, round);
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = lane_id() + 32 * k;
        if (i >= count) continue;
        u32 to = begin + few_place(word, rank[k] >> 16, count) + (rank[k] & 0xffff);
        if (held == each)
            put_item(d, to, {key[k % held], point[k % held], 0});
        else
            d.slots[to] = {m->key[begin + i], m->point[begin + i], 0};
    }
    __syncwarp();
    for (u32 i = begin + lane_id(); held != each && i < begin + count; i += 32) put_item(d, i, d.slots[i]);
    __syncwarp();
}

template <typename kind> inside void deal_next_few(const dividing<kind> &d, u64 stretch, u32 round)
{
    u32 count = (u32)stretch & 0xffff;
    if (count <= 64)
        deal_few<2>(d, stretch, round);
    else if (count <= 128)
        deal_few<4>(d, stretch, round);
    else if (count <= 256)
        deal_few<8>(d, stretch, round);
    else
        deal_few<few_for_warp / 32>(d, stretch, round);
}

/* Round by round: what is dealt out in one may have bins for the next. */
template <typename kind> inside void deal_all_few(const dividing<kind> &d)
{
    divide_memory<kind> *m = d.m;
    for (u32 round = 0, waiting = m->few[0]; waiting; round++, waiting = m->few[round % 2]) {
        const u64 *list = d.few_stretch + round % 2 * (d.points / 2);
        for (;;) {
            u32 next = 0;
            if (lane_id() == 0) next = atomicAdd(&m->next_few, 1u);
            next = __shfl_sync(~0u, next, 0);
            if (next >= waiting) break;
            deal_next_few(d, list[next], round);
        }
        __syncthreads();
        if (threadIdx.x == 0) m->few[round % 2] = m->next_few = 0;
        __syncthreads();
    }
}

#endif
