/* SPDX-License-Identifier: MIT */
/* A sample of the points, and dealing all out to the buckets of a plan. */
#ifndef GWS_KERNELS_CUDA_OCTREE_DEAL_CUH
#define GWS_KERNELS_CUDA_OCTREE_DEAL_CUH

#include "octree_number.cuh"

/* Which point of a stride a run begins with: mixed, so that no order of the points goes with it. */
inside u32 run_in_stride(u32 r, u32 runs)
{
    u32 mixed = r * 0x9e3779b1u;
    mixed = (mixed ^ mixed >> 15) * 0x85ebca77u;
    return (mixed ^ mixed >> 13) % runs;
}

template <typename number>
inside void draw_sample(const number *x, const number *y, const number *z, const box_words &box, const asked &a,
                        item *sample)
{
    for (u32 s = blockIdx.x * blockDim.x + threadIdx.x; s < a.samples; s += gridDim.x * blockDim.x) {
        u32 r = s / a.run, point = r * a.stride + run_in_stride(r, a.stride / a.run) * a.run + s % a.run;
        sample[s] = {key_of(box, a.depth, x[point], y[point], z[point]), point, 0};
    }
}

/* Whether what was found is no bucket yet, but the next table. */
inside bool is_table(u32 found)
{
    return (int)found < -1;
}

/* The bucket of a point. root: the first tables' entries, by the first four levels. */
inside u32 find_bucket(const asked &a, const u32 *root, const u32 *entry, u64 key, u32 point)
{
    u32 found = root[(key >> 60) * bins + bin_of(a, key, point, 1)];
    for (u32 level = 4; is_table(found); level += 3)
        found = __ldg(&entry[~found * bins + bin_of(a, key, point, level)]);
    return found;
}

/* What a block needs to find buckets: the first tables' entries, and the box. False: the build has failed. */
inside bool load_roots(const u32 *entry, const build *now, u32 *root, box_words *box)
{
    if (fresh(&now->failed)) return false;
    if (threadIdx.x == 0) *box = now->box;
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) root[i] = entry[i];
    __syncthreads();
    return true;
}

/* Adds up the points in no bucket. */
inside void note_keyless(u32 keyless, build *now)
{
    for (u32 d = 16; d; d /= 2) keyless += __shfl_xor_sync(~0u, keyless, d);
    if (lane_id() == 0 && keyless) atomicAdd(&now->keyless, (u64)keyless);
}

template <typename number>
inside void deal_out(const number *x, const number *y, const number *z, const asked &a, const u32 *entry, u32 *cursor,
                     item *slots, build *now)
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
        if (takes && slot < a.slot_room) slots[slot] = {key, (u32)i, 0};
    }
    note_keyless(keyless, now);
}

/* ---- what became of the buckets ---- */

/* Buckets side by side: how many points, and the last of them that has any, or none_before. */
struct bucket_sum {
    u32 points, last;
};

inside bucket_sum sum_bucket(const bucket *buckets, const u32 *cursor, u32 b)
{
    u32 points = cursor[b] - buckets[b].slot;
    return {points, points ? b : none_before};
}

/* + 1 makes none_before 0. */
inside bucket_sum join(const bucket_sum &a, const bucket_sum &b)
{
    return {a.points + b.points, a.last + 1 > b.last + 1 ? a.last : b.last};
}

/* What the threads before this one have together; sum: one for each warp, and one more for the total. */
inside bucket_sum join_block(bucket_sum mine, bucket_sum *sum)
{
    bucket_sum all = mine, nothing = {0, none_before};
    for (u32 d = 1; d < 32; d *= 2) {
        bucket_sum other = {__shfl_up_sync(~0u, all.points, d), __shfl_up_sync(~0u, all.last, d)};
        if (lane_id() >= d) all = join(other, all);
    }
    bucket_sum before = {__shfl_up_sync(~0u, all.points, 1), __shfl_up_sync(~0u, all.last, 1)};
    if (lane_id() == 0) before = nothing;
    __syncthreads(); /* sum may be in use from the last time */
    if (lane_id() == 31) sum[warp_id()] = all;
    __syncthreads();
    bucket_sum warps = nothing, total = nothing;
    for (u32 w = 0; w < warp_count(); w++) {
        if (w == warp_id()) warps = total;
        total = join(total, sum[w]);
    }
    if (threadIdx.x == 0) sum[32] = total;
    __syncthreads();
    return join(warps, before);
}

/* Where a bucket is listed, by its size. Larger ones are begun before others, so that all blocks end at about the same
 * time. */
inside u32 list_of(u32 points)
{
    u32 size = size_of(points);
    u32 most = size == 3 ? tiny_bucket : size == 2 ? small_bucket : size == 1 ? middle_bucket : most_bucket;
    return 2 * size + (points <= most / 2);
}

/* Places of the buckets in the leaf order, and what each shares with the one before. Each block has those of its own
 * stretch, a bucket a thread, and first sums up all before them for itself. lists: bucket_room entries for each. Those
 * without points open nothing and need no more. */
inside void place_buckets(const asked &a, bucket *buckets, const u32 *cursor, u32 *lists, u32 *opened, build *now)
{
    __shared__ bucket_sum sum[33];
    u32 count = fresh(&now->buckets);
    for (u32 first = blockIdx.x * blockDim.x; first < count; first += gridDim.x * blockDim.x) {
        bucket_sum ahead = {0, none_before}, mine = ahead;
#pragma unroll 4
        for (u32 b = threadIdx.x; b < first; b += blockDim.x) ahead = join(ahead, sum_bucket(buckets, cursor, b));
        (void)join_block(ahead, sum);
        ahead = sum[32];
        u32 b = first + threadIdx.x;
        if (b < count) mine = sum_bucket(buckets, cursor, b);
        if (b < count && (mine.points > buckets[b].room || mine.points > most_bucket)) now->failed = 1;
        bucket_sum before = join(ahead, join_block(mine, sum));
        if (b < count) {
            buckets[b].begin = before.points;
            buckets[b].before = before.last;
            buckets[b].shared =
                before.last == none_before ? -1 : (int)shared_level(buckets[before.last].key, buckets[b].key, a.depth);
        }
        if (b == count - 1) now->kept = before.points + mine.points;
        u32 list = list_of(mine.points), place = count_one(now->listed, list, mine.points > 0);
        if (mine.points > 0) lists[list * a.bucket_room + place] = b;
        for (u32 row = 0; b < count && mine.points == 0 && row < rows; row++) opened[(u64)row * a.bucket_room + b] = 0;
    }
}

#endif
