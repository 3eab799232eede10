/* SPDX-License-Identifier: MIT */
/* One block divides a bucket in its shared memory. It writes the points in leaf order, the leaves, and the number of
 * opened nodes by level.
 *
 * The block scatters points to bins until no bin has more than K of them (octree_bins.cuh). Then the block sorts the
 * points of each leaf by number. For each point, a thread counts the smaller numbers in the point's leaf. Leaves of
 * more than K points occur at the depth limit, where the block has scattered them by point number. So a thread reads at
 * most K positions on either side. */
#ifndef GWS_KERNELS_CUDA_OCTREE_DIVIDE_CUH
#define GWS_KERNELS_CUDA_OCTREE_DIVIDE_CUH

#include "octree_bins.cuh"

/* ---- segments for a warp ---- */

/* A warp scatters a small segment to 64 bins. Its counters are in the warp's own part of the block's bins. 32 words
 * hold the 64 counters. The lower halves hold the first 32 counters. */
inside u32 half_of(u32 word, u32 bin)
{
    return word >> bin / 32 * 16 & 0xffff;
}

/* Returns the beginning of a bin in its segment of count points. */
inside u32 few_place(const u32 *word, u32 bin, u32 count)
{
    return bin < 64 ? half_of(word[bin % 32], bin) : count;
}

/* Classifies one of the 64 bins of a warp, like judge_bin(). */
template <typename kind>
inside void judge_few(const dividing<kind> &d, const u32 *word, u32 bin, u64 segment, u32 round)
{
    u32 begin = (u32)segment >> 16, count = (u32)segment & 0xffff, level = (u32)(segment >> 32);
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

/* Replaces counts by positions. */
inside void place_few(u32 *word)
{
    u32 mine = word[lane_id()], up_to = scan_warp(mine);
    u32 all = __shfl_sync(~0u, up_to, 31), before = up_to - mine;
    word[lane_id()] = before + (all << 16);
    __syncwarp();
}

/* Scatters a segment of at most 32 * each points. If the registers do not hold the points, the warp scatters them
 * through the slots. */
template <u32 each, typename kind> inside void scatter_few(const dividing<kind> &d, u64 segment, u32 round)
{
    static constexpr u32 held = each <= 8 ? each : 1;
    divide_memory<kind> *m = d.m;
    u32 begin = (u32)segment >> 16, count = (u32)segment & 0xffff, level = (u32)(segment >> 32);
    u32 *word = &m->bin[32 * warp_id()], point[held], rank[each];
    u64 key[held];
    word[lane_id()] = 0;
    __syncwarp();
#pragma unroll
    for (u32 k = 0; k < each; k++) {
        u32 i = lane_id() + 32 * k;
        key[k % held] = point[k % held] = rank[k] = 0; /* stops the compiler from keeping the old values */
        if (i >= count) continue;
        key[k % held] = m->key[begin + i];
        point[k % held] = m->point[begin + i];
        u32 bin = few_bin_of(*d.a, key[k % held], point[k % held], level);
        rank[k] = bin << 16 | half_of(atomicAdd(&word[bin % 32], bin < 32 ? 1u : 1u << 16), bin);
    }
    __syncwarp();
    place_few(word);
    judge_few(d, word, lane_id(), segment, round);
    judge_few(d, word, lane_id() + 32, segment, round);
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

template <typename kind> inside void scatter_next_few(const dividing<kind> &d, u64 segment, u32 round)
{
    u32 count = (u32)segment & 0xffff;
    if (count <= 64)
        scatter_few<2>(d, segment, round);
    else if (count <= 128)
        scatter_few<4>(d, segment, round);
    else if (count <= 256)
        scatter_few<8>(d, segment, round);
    else
        scatter_few<few_for_warp / 32>(d, segment, round);
}

/* Scatters all small segments, in rounds. The segments of one round may leave bins for the next round. */
template <typename kind> inside void scatter_all_few(const dividing<kind> &d)
{
    divide_memory<kind> *m = d.m;
    for (u32 round = 0, waiting = m->few[0]; waiting; round++, waiting = m->few[round % 2]) {
        const u64 *list = d.few_segment + round % 2 * (d.points / 2);
        for (;;) {
            u32 next = 0;
            if (lane_id() == 0) next = atomicAdd(&m->next_few, 1u);
            next = __shfl_sync(~0u, next, 0);
            if (next >= waiting) break;
            scatter_next_few(d, list[next], round);
        }
        __syncthreads();
        if (threadIdx.x == 0) m->few[round % 2] = m->next_few = 0;
        __syncthreads();
    }
}

/* ---- a whole bucket ---- */

/* Brings all points into the order of their leaves. */
template <typename kind> inside void put_in_order(const dividing<kind> &d)
{
    divide_memory<kind> *m = d.m;
    u32 depth = d.a->depth, level = d.level < depth ? d.level : depth;
    bool one_leaf = d.points <= d.a->leaf || level == depth;
    if (threadIdx.x == 0 && one_leaf && d.shared < (int)level) start_leaf(d, 0, level);
    if (d.points > d.a->leaf && d.points > few_for_block) {
        if (d.points <= 4 * kind::threads)
            scatter_bucket<4>(d);
        else if (kind::each <= 8 || d.points <= 8 * kind::threads)
            scatter_bucket<8>(d);
        else
            scatter_bucket<kind::each>(d);
    } else {
        for (u32 i = threadIdx.x; i < d.points; i += kind::threads) put_item(d, i, d.slots[i]);
        if (threadIdx.x == 0 && d.points > d.a->leaf) put_off(d, 0, d.points, d.level, 0);
        __syncthreads();
    }
    for (u32 waiting = m->segments; waiting; waiting = m->segments) {
        u64 segment = d.segment[waiting - 1];
        __syncthreads();
        if (threadIdx.x == 0) m->segments = waiting - 1;
        __syncthreads();
        scatter_segment(d, (u32)segment >> 16 & 0xffff, (u32)segment & 0xffff, (u32)(segment >> 32));
    }
    scatter_all_few(d);
}

/* ---- the leaves ---- */

/* Returns the deepest level on which the points at position i and at the position before are in one octant. */
template <typename kind> inside int shared_before(const dividing<kind> &d, u32 i)
{
    return i == 0 ? d.shared : (int)shared_level(d.m->key[i - 1], d.m->key[i], d.a->depth);
}

template <typename kind> inside void count_starts(const dividing<kind> &d)
{
    divide_memory<kind> *m = d.m;
    u32 words = (d.points + 31) / 32, mine = threadIdx.x < words ? (u32)__popc(m->start[threadIdx.x]) : 0;
    u32 before = scan_block(mine, m->sum);
    if (threadIdx.x < kind::words) m->starts_before[threadIdx.x] = before;
    __syncthreads();
}

/* Returns the number of leaves that start at or before a position. */
template <typename kind> inside u32 starts_up_to(const divide_memory<kind> *m, u32 i)
{
    return m->starts_before[i / 32] + (u32)__popc(m->start[i / 32] & ~0u >> (31 - i % 32));
}

/* Records where the leaves of a slice start: leaf j, counted from 1, in edge[j - first]. */
template <typename kind> inside void record_edges(const dividing<kind> &d, u32 first, u32 leaves)
{
    divide_memory<kind> *m = d.m;
    for (u32 i = threadIdx.x; i < d.points; i += kind::threads) {
        u32 leaf = starts_up_to(m, i);
        if ((m->start[i / 32] >> i % 32 & 1) && leaf >= first && leaf - first <= slice + 1)
            m->edge[leaf - first] = (unsigned short)i;
    }
    if (threadIdx.x == 0 && first == 0)
        m->edge[0] = 0; /* the first points may belong to a leaf that began in an earlier bucket */
    if (threadIdx.x == 0 && leaves - first <= slice) m->edge[leaves - first + 1] = (unsigned short)d.points;
    __syncthreads();
}

/* Writes each point of a slice's leaves to its position in the leaf order. */
template <typename kind> inside void write_order(const dividing<kind> &d, u32 first, u32 *order)
{
    const divide_memory<kind> *m = d.m;
    u32 k = d.a->leaf;
    for (u32 i = threadIdx.x; i < d.points; i += kind::threads) {
        u32 leaf = starts_up_to(m, i);
        if (leaf < first || leaf > first + slice || (first > 0 && leaf == first)) continue;
        u32 from = m->edge[leaf - first], to = m->edge[leaf - first + 1], point = m->point[i];
        if (from + k < i) from = i - k;
        if (to > i + k + 1) to = i + k + 1;
        u32 place = from;
        for (u32 j = from; j < to; j += at_a_time)
#pragma unroll
            for (u32 u = 0; u < at_a_time; u++) place += (j + u < to) & (m->point[j + u] < point);
        order[d.begin + place] = point;
    }
}

template <typename kind> inside void write_leaf(const dividing<kind> &d, u32 i, u32 points, record *leaf)
{
    divide_memory<kind> *m = d.m;
    int shared = shared_before(d, i), level = m->level[i];
    *leaf = {m->key[i], d.begin + i, (signed char)level, (signed char)shared, 0};
    for (int l = shared + 1; l <= level; l++) atomicAdd(&m->opened[l], 1u);
    if (points > d.a->leaf && d.level <= d.a->depth) atomicAdd(&m->large, 1u);
}

/* Merges the size of the largest leaf that each thread has seen. The function leaves out leaves below the depth limit,
 * because these leaves continue in other buckets. */
template <typename kind> inside void record_longest(const dividing<kind> &d, u32 longest)
{
    for (u32 l = 16; l; l /= 2) {
        u32 other = __shfl_xor_sync(~0u, longest, l);
        longest = other > longest ? other : longest;
    }
    if (lane_id() == 0 && d.level <= d.a->depth) atomicMax(&d.m->max_leaf, longest);
}

/* Writes the leaves, and their points in leaf order, slice by slice. */
template <typename kind> inside void write_divided(const dividing<kind> &d, u32 *order, record *leaves)
{
    const divide_memory<kind> *m = d.m;
    count_starts(d);
    u32 count = starts_up_to(m, d.points - 1);
    for (u32 first = 0; first == 0 || first < count; first += slice) {
        record_edges(d, first, count);
        write_order(d, first, order);
        u32 longest = 0;
        for (u32 l = 1 + threadIdx.x; l <= slice && first + l <= count; l += kind::threads) {
            u32 points = m->edge[l + 1] - m->edge[l];
            longest = points > longest ? points : longest;
            write_leaf(d, m->edge[l], points, &leaves[first + l - 1]);
        }
        record_longest(d, longest);
        __syncthreads();
    }
}

/* Records the number of the bucket's nodes on each level, and of its leaves. */
template <typename kind> inside void record_opened(const dividing<kind> &d, u32 *opened, u32 b)
{
    const divide_memory<kind> *m = d.m;
    u32 row = threadIdx.x;
    if (row < key_levels + 1) opened[(u64)row * d.a->bucket_capacity + b] = m->opened[row];
    if (row == key_levels + 1)
        opened[(u64)row * d.a->bucket_capacity + b] = d.points ? starts_up_to(m, d.points - 1) : 0;
}

/* Divides buckets. A block takes the next bucket when it has finished one. */
template <typename kind>
inside void divide_all(const params &a, const listing &list, item *slots, u32 *order, record *leaves, u32 *opened,
                       build_state *now, divide_memory<kind> *m)
{
    u32 max_leaf = 0, large = 0;
    bucket_job mine = job_of(list, blockIdx.x);
    while (mine.bucket != all_done) {
        if (threadIdx.x < rows) m->opened[threadIdx.x] = 0;
        if (threadIdx.x < kind::words) m->start[threadIdx.x] = 0;
        if (threadIdx.x == 0) m->segments = m->few[0] = m->few[1] = m->next_few = m->max_leaf = m->large = 0;
        u32 next = threadIdx.x == 0 ? gridDim.x + atomicAdd(list.ticket, 1u) : 0;
        __syncthreads();
        u64 *segment = (u64 *)&leaves[mine.begin];
        dividing<kind> d = {&a,          m,          &slots[mine.slot], segment,    segment + mine.points,
                            mine.points, mine.begin, mine.level,        mine.shared};
        put_in_order(d);
        bucket_job ahead = threadIdx.x == 0 ? job_of(list, next) : mine; /* while the block writes the leaves */
        if (mine.points > 0) write_divided(d, order, &leaves[mine.begin]);
        if (threadIdx.x == 0) m->ahead = ahead;
        record_opened(d, opened, mine.bucket);
        if (threadIdx.x == 0) {
            max_leaf = m->max_leaf > max_leaf ? m->max_leaf : max_leaf;
            large += m->large;
        }
        __syncthreads();
        mine = m->ahead;
    }
    if (threadIdx.x == 0) {
        atomicMax(&now->max_leaf, max_leaf);
        if (large) atomicAdd(&now->large, large);
    }
}

#endif
