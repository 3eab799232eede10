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

template <typename number>
inside void deal_out(const number *x, const number *y, const number *z, const asked &a, const u32 *entry, u32 *cursor,
                     item *slots, build *now)
{
    __shared__ u32 root[roots * bins];
    __shared__ box_words box;
    if (fresh(&now->failed)) return;
    if (threadIdx.x == 0) box = now->box;
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) root[i] = entry[i];
    __syncthreads();
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
    for (u32 d = 16; d; d /= 2) keyless += __shfl_xor_sync(~0u, keyless, d);
    if (lane_id() == 0 && keyless) atomicAdd(&now->keyless, (u64)keyless);
}

/* ---- by way of groups ---- */

/* Many points go to groups of buckets first, then to their buckets: what goes to one place is put together in shared
 * memory before it is written, and takes its room there by one addition. On the way an item's spare word is its bucket.
 */

static constexpr u32 tile = 4096, tile_threads = 512, tile_each = tile / tile_threads;
static constexpr u32 no_bucket = ~0u; /* no entry leads to table 0 */

struct tile_memory {
    item items[tile];
    u32 count[bins + 32]; /* of each bin, and what is none, a lane each; then where it begins in the tile; then how far
                             from there to its place in memory */
    u32 sum[33];
    u32 first_tile[most_groups]; /* of each group */
};

struct to_groups {
    group *groups;
    u32 shift;

    __device__ u32 bin(u32 b) const
    {
        return b >> shift;
    }
    __device__ u32 *cursor(u32 bin) const
    {
        return &groups[bin].filled;
    }
};

struct to_buckets {
    u32 *cursors;
    u32 first; /* the group's first bucket */

    __device__ u32 bin(u32 b) const
    {
        return b - first;
    }
    __device__ u32 *cursor(u32 bin) const
    {
        return &cursors[first + bin];
    }
};

/* Counts a thread's items into the bins, and says which of its bin each is. Where most of a warp's have one bin, one
 * lane counts for all of them. */
template <typename places> inside void rank_items(tile_memory *m, const places &to, const item *items, u32 *rank)
{
    static constexpr int most = 16;
    u32 bin[tile_each];
    bool crowded = false;
#pragma unroll
    for (u32 k = 0; k < tile_each; k++) {
        bin[k] = items[k].spare != no_bucket ? to.bin(items[k].spare) : bins + lane_id();
        crowded |= __popc(__ballot_sync(~0u, bin[k] == __shfl_sync(~0u, bin[k], 0))) >= most;
    }
    if (crowded) {
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) rank[k] = count_one(m->count, bin[k], bin[k] < bins);
    } else {
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) rank[k] = atomicAdd(&m->count[bin[k]], 1u);
    }
}

/* Writes a tile's items, bin by bin, to where the bins' cursors say; in out there is room for so many. */
template <typename places>
inside void write_tile(tile_memory *m, const places &to, const item *items, item *out, u64 room)
{
    u32 rank[tile_each];
    m->count[threadIdx.x] = 0;
    __syncthreads();
    rank_items(m, to, items, rank);
    __syncthreads();
    u32 mine = m->count[threadIdx.x], before = scan_block(mine, m->sum);
    u32 from = mine ? atomicAdd(to.cursor(threadIdx.x), mine) : 0;
    m->count[threadIdx.x] = before;
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < tile_each; k++)
        if (items[k].spare != no_bucket) m->items[m->count[to.bin(items[k].spare)] + rank[k]] = items[k];
    __syncthreads();
    m->count[threadIdx.x] = from - before;
    __syncthreads();
    u32 all = m->sum[32];
#pragma unroll
    for (u32 k = 0; k < tile_each; k++) {
        u32 j = k * tile_threads + threadIdx.x;
        if (j >= all) continue;
        item it = m->items[j];
        u32 place = m->count[to.bin(it.spare)] + j;
        if (place < room) out[place] = it;
    }
    __syncthreads();
}

/* The buckets of a thread's items, into .spare: a level of tables for all, then the next, as each has to be waited for.
 */
inside void find_buckets(const asked &a, const u32 *root, const u32 *entry, item *items)
{
    int lowest = 0;
#pragma unroll
    for (u32 k = 0; k < tile_each; k++) {
        bool takes = items[k].key != no_key;
        u32 at = takes ? (u32)(items[k].key >> 60) * bins + bin_of(a, items[k].key, items[k].point, 1) : 0;
        items[k].spare = takes ? root[at] : no_bucket;
        lowest = min(lowest, (int)items[k].spare);
    }
    for (u32 level = 4; is_table((u32)lowest); level += 3) {
        lowest = 0;
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) {
            if (!is_table(items[k].spare)) continue;
            u32 at = ~items[k].spare * bins + bin_of(a, items[k].key, items[k].point, level);
            items[k].spare = __ldg(&entry[at]);
        }
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) lowest = min(lowest, (int)items[k].spare);
    }
}

template <typename number>
inside void deal_to_groups(const number *x, const number *y, const number *z, const asked &a, const u32 *entry,
                           group *groups, item *staged, build *now, tile_memory *m)
{
    __shared__ u32 root[roots * bins];
    __shared__ box_words box;
    if (fresh(&now->failed)) return;
    if (threadIdx.x == 0) box = now->box;
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) root[i] = entry[i];
    __syncthreads();
    to_groups to = {groups, fresh(&now->group_shift)};
    u32 keyless = 0;
    for (u64 begin = (u64)blockIdx.x * tile; begin < a.points; begin += (u64)gridDim.x * tile) {
        item items[tile_each];
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) {
            u64 i = begin + k * tile_threads + threadIdx.x;
            items[k].key = i < a.points ? key_of(box, a.depth, x[i], y[i], z[i]) : no_key;
            items[k].point = (u32)i;
            keyless += i < a.points && items[k].key == no_key;
        }
        find_buckets(a, root, entry, items);
        write_tile(m, to, items, staged, a.staged_room);
    }
    for (u32 d = 16; d; d /= 2) keyless += __shfl_xor_sync(~0u, keyless, d);
    if (lane_id() == 0 && keyless) atomicAdd(&now->keyless, (u64)keyless);
}

/* The group that a tile is of: the last that begins at or before it. */
inside u32 group_of_tile(const tile_memory *m, u32 t)
{
    u32 g = 0;
    for (u32 step = most_groups / 2; step; step /= 2)
        if (m->first_tile[g + step] <= t) g += step;
    return g;
}

inside void deal_groups_out(const asked &a, const group *groups, const item *staged, u32 *cursor, item *slots,
                            build *now, tile_memory *m)
{
    bool failed = fresh(&now->failed);
    group mine = groups[threadIdx.x];
    u32 shift = fresh(&now->group_shift);
    (void)scan_block(failed || mine.filled > mine.end, m->sum);
    if (m->sum[32]) { /* the same for all */
        if (threadIdx.x == 0) now->failed = 1;
        return;
    }
    m->first_tile[threadIdx.x] = scan_block((mine.filled - mine.begin + tile - 1) / tile, m->sum);
    u32 tiles = m->sum[32];
    __syncthreads();
    for (u32 t = blockIdx.x; t < tiles; t += gridDim.x) {
        u32 g = group_of_tile(m, t), begin = groups[g].begin + (t - m->first_tile[g]) * tile, end = groups[g].filled;
        to_buckets to = {cursor, g << shift};
        item items[tile_each];
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) {
            u32 i = begin + k * tile_threads + threadIdx.x;
            if (i < end)
                items[k] = staged[i];
            else
                items[k].spare = no_bucket;
        }
        write_tile(m, to, items, slots, a.slot_room);
    }
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
