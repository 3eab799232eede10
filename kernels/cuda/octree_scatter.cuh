/* SPDX-License-Identifier: MIT */
/* Draws a sample of the points, and scatters all points to the buckets of a plan. */
#ifndef GWS_KERNELS_CUDA_OCTREE_SCATTER_CUH
#define GWS_KERNELS_CUDA_OCTREE_SCATTER_CUH

#include "octree_number.cuh"

/* Returns the run of a stride that is in the sample. A hash selects the run and thus avoids a correlation with the
 * order of the points. */
inside u32 run_in_stride(u32 r, u32 runs)
{
    u32 mixed = r * 0x9e3779b1u;
    mixed = (mixed ^ mixed >> 15) * 0x85ebca77u;
    return (mixed ^ mixed >> 13) % runs;
}

template <typename number>
inside void draw_sample(const number *x, const number *y, const number *z, const box_words &box, const params &a,
                        item *sample)
{
    for (u32 s = blockIdx.x * blockDim.x + threadIdx.x; s < a.samples; s += gridDim.x * blockDim.x) {
        u32 r = s / a.run, point = r * a.stride + run_in_stride(r, a.stride / a.run) * a.run + s % a.run;
        sample[s] = {key_of(box, a.depth, x[point], y[point], z[point]), point, 0};
    }
}

/* Returns whether an entry leads to another table rather than to a bucket. */
inside bool is_table(u32 found)
{
    return (int)found < -1;
}

/* Returns the bucket of a point. root: the entries of the first tables, by the first four levels. */
inside u32 find_bucket(const params &a, const u32 *root, const u32 *entry, u64 key, u32 point)
{
    u32 found = root[(key >> 60) * bins + bin_of(a, key, point, 1)];
    for (u32 level = 4; is_table(found); level += 3)
        found = __ldg(&entry[~found * bins + bin_of(a, key, point, level)]);
    return found;
}

/* Loads the entries of the first tables and the box, which a block needs to find buckets. Returns false if the build
 * has failed. */
inside bool load_roots(const u32 *entry, const build_state *now, u32 *root, box_words *box)
{
    if (fresh(&now->failed)) return false;
    if (threadIdx.x == 0) *box = now->box;
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) root[i] = entry[i];
    __syncthreads();
    return true;
}

/* Adds the number of points without a bucket. */
inside void add_keyless(u32 keyless, build_state *now)
{
    for (u32 d = 16; d; d /= 2) keyless += __shfl_xor_sync(~0u, keyless, d);
    if (lane_id() == 0 && keyless) atomicAdd(&now->keyless, (u64)keyless);
}

template <typename number>
inside void scatter_points(const number *x, const number *y, const number *z, const params &a, const u32 *entry,
                           u32 *cursor, item *slots, build_state *now)
{
    __shared__ u32 root[roots * bins];
    __shared__ box_words box;
    if (!load_roots(entry, now, root, &box)) return;
    u64 all = ((u64)a.points + 31) / 32 * 32;
    u32 keyless = 0;
#pragma unroll 2
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += (u64)gridDim.x * blockDim.x) {
        u64 key = i < a.points ? key_of(box, a.depth, x[i], y[i], z[i]) : no_key;
        bool takes = key != no_key;
        keyless += i < a.points && !takes;
        u32 b = takes ? find_bucket(a, root, entry, key, (u32)i) : ~0u;
        u32 slot = count_one(cursor, b, takes);
        if (takes && slot < a.slot_capacity) slots[slot] = {key, (u32)i, 0};
    }
    add_keyless(keyless, now);
}

/* ---- after the scatter ---- */

/* A summary of consecutive buckets: the number of points, and the last nonempty bucket or none_before. */
struct bucket_sum {
    u32 points, last;
};

inside bucket_sum sum_bucket(const bucket *buckets, const u32 *cursor, u32 b)
{
    u32 points = cursor[b] - buckets[b].slot;
    return {points, points ? b : none_before};
}

/* Combines the summaries of two neighbouring ranges. Adding 1 maps none_before to 0. */
inside bucket_sum combine(const bucket_sum &a, const bucket_sum &b)
{
    return {a.points + b.points, a.last + 1 > b.last + 1 ? a.last : b.last};
}

/* Returns the exclusive scan over the threads of a block. sum has an entry for each warp, and one more for the
 * total. */
inside bucket_sum combine_block(bucket_sum mine, bucket_sum *sum)
{
    bucket_sum all = mine, nothing = {0, none_before};
    for (u32 d = 1; d < 32; d *= 2) {
        bucket_sum other = {__shfl_up_sync(~0u, all.points, d), __shfl_up_sync(~0u, all.last, d)};
        if (lane_id() >= d) all = combine(other, all);
    }
    bucket_sum before = {__shfl_up_sync(~0u, all.points, 1), __shfl_up_sync(~0u, all.last, 1)};
    if (lane_id() == 0) before = nothing;
    __syncthreads(); /* sum may still be in use from the last call */
    if (lane_id() == 31) sum[warp_id()] = all;
    __syncthreads();
    bucket_sum warps = nothing, total = nothing;
    for (u32 w = 0; w < warp_count(); w++) {
        if (w == warp_id()) warps = total;
        total = combine(total, sum[w]);
    }
    if (threadIdx.x == 0) sum[32] = total;
    __syncthreads();
    return combine(warps, before);
}

/* Returns the list for a bucket of that size. The larger half of each size class comes first. All blocks then end at
 * about the same time. */
inside u32 list_of(u32 points)
{
    u32 size = size_of(points);
    u32 capacity = size == 3 ? tiny_bucket : size == 2 ? small_bucket : size == 1 ? middle_bucket : max_bucket;
    return 2 * size + (points <= capacity / 2);
}

/* Finds where each bucket begins in the leaf order, and the deepest level on which the bucket and the previous nonempty
 * bucket are in one octant. Each block has a range of buckets, one per thread. It first sums up all buckets before the
 * range. lists: bucket_capacity entries for each list. Empty buckets open no nodes and are in no list. */
inside void place_buckets(const params &a, bucket *buckets, const u32 *cursor, u32 *lists, u32 *opened,
                          build_state *now)
{
    __shared__ bucket_sum sum[33];
    u32 count = fresh(&now->buckets);
    for (u32 first = blockIdx.x * blockDim.x; first < count; first += gridDim.x * blockDim.x) {
        bucket_sum ahead = {0, none_before}, mine = ahead;
#pragma unroll 4
        for (u32 b = threadIdx.x; b < first; b += blockDim.x) ahead = combine(ahead, sum_bucket(buckets, cursor, b));
        (void)combine_block(ahead, sum);
        ahead = sum[32];
        u32 b = first + threadIdx.x;
        if (b < count) mine = sum_bucket(buckets, cursor, b);
        if (b < count && (mine.points > buckets[b].capacity || mine.points > max_bucket)) now->failed = 1;
        bucket_sum before = combine(ahead, combine_block(mine, sum));
        if (b < count) {
            buckets[b].begin = before.points;
            buckets[b].before = before.last;
            buckets[b].shared =
                before.last == none_before ? -1 : (int)shared_level(buckets[before.last].key, buckets[b].key, a.depth);
        }
        if (b == count - 1) now->indexed = before.points + mine.points;
        u32 list = list_of(mine.points), place = count_one(now->listed, list, mine.points > 0);
        if (mine.points > 0) lists[list * a.bucket_capacity + place] = b;
        for (u32 row = 0; b < count && mine.points == 0 && row < rows; row++)
            opened[(u64)row * a.bucket_capacity + b] = 0;
    }
}

#endif
