/* SPDX-License-Identifier: MIT */
/* Two-pass scatter for many points: first to groups of buckets, then to the buckets. A block collects the items of each
 * destination in shared memory before it writes them, and reserves their slots in the destination by one atomic
 * addition. Between the passes, an item's to_bucket holds its bucket. */
#ifndef GWS_KERNELS_CUDA_OCTREE_GROUPS_CUH
#define GWS_KERNELS_CUDA_OCTREE_GROUPS_CUH

#include "octree_scatter.cuh"

static constexpr u32 tile = 4096, tile_threads = 512, tile_each = tile / tile_threads;
static constexpr u32 no_bucket = ~0u; /* an entry never leads to table 0 */

struct tile_memory {
    item items[tile];
    u32 count[bins + 32]; /* first the counts of each bin, and 32 counts of invalid items, one for each lane. Later the
                           * beginning of each bin in the tile, and at last the distance from that beginning to the
                           * bin's position in memory. */
    u32 sum[33];
    u32 first_tile[max_groups]; /* first tile of each group */
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

/* Counts a thread's items into the bins, and returns the rank of each in its bin. If most items of a warp have the same
 * bin, one lane counts for all these items. */
template <typename places> inside void rank_items(tile_memory *m, const places &to, const item *items, u32 *rank)
{
    static constexpr int threshold = 16;
    u32 bin[tile_each];
    bool crowded = false;
#pragma unroll
    for (u32 k = 0; k < tile_each; k++) {
        bin[k] = items[k].to_bucket != no_bucket ? to.bin(items[k].to_bucket) : bins + lane_id();
        crowded |= __popc(__ballot_sync(~0u, bin[k] == __shfl_sync(~0u, bin[k], 0))) >= threshold;
    }
    if (crowded) {
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) rank[k] = count_one(m->count, bin[k], bin[k] < bins);
    } else {
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) rank[k] = atomicAdd(&m->count[bin[k]], 1u);
    }
}

/* Writes a tile's items, bin by bin, to the positions that the bins' cursors reserve. out has `capacity` entries. */
template <typename places>
inside void write_tile(tile_memory *m, const places &to, const item *items, item *out, u64 capacity)
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
        if (items[k].to_bucket != no_bucket) m->items[m->count[to.bin(items[k].to_bucket)] + rank[k]] = items[k];
    __syncthreads();
    m->count[threadIdx.x] = from - before;
    __syncthreads();
    u32 all = m->sum[32];
#pragma unroll
    for (u32 k = 0; k < tile_each; k++) {
        u32 j = k * tile_threads + threadIdx.x;
        if (j >= all) continue;
        item it = m->items[j];
        u32 place = m->count[to.bin(it.to_bucket)] + j;
        if (place < capacity) out[place] = it;
    }
    __syncthreads();
}

/* Stores the buckets of a thread's items in .spare. The thread reads one level of tables for all items before the next
 * level, to overlap the latencies. */
inside void find_buckets(const params &a, const u32 *root, const u32 *entry, item *items)
{
    int lowest = 0;
#pragma unroll
    for (u32 k = 0; k < tile_each; k++) {
        bool takes = items[k].key != no_key;
        u32 at = takes ? (u32)(items[k].key >> 60) * bins + bin_of(a, items[k].key, items[k].point, 1) : 0;
        items[k].to_bucket = takes ? root[at] : no_bucket;
        lowest = min(lowest, (int)items[k].to_bucket);
    }
    for (u32 level = 4; is_table((u32)lowest); level += 3) {
        lowest = 0;
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) {
            if (!is_table(items[k].to_bucket)) continue;
            u32 at = ~items[k].to_bucket * bins + bin_of(a, items[k].key, items[k].point, level);
            items[k].to_bucket = __ldg(&entry[at]);
        }
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) lowest = min(lowest, (int)items[k].to_bucket);
    }
}

/* The coordinates of the points. */
template <typename number> struct coordinates {
    const number *x, *y, *z;
};

template <typename number>
inside void scatter_to_groups(const coordinates<number> &p, const params &a, const u32 *entry, group *groups,
                              item *staged, build_state *now, tile_memory *m)
{
    __shared__ u32 root[roots * bins];
    __shared__ box_words box;
    if (!load_roots(entry, now, root, &box)) return;
    to_groups to = {groups, fresh(&now->group_shift)};
    u32 keyless = 0;
    for (u64 begin = (u64)blockIdx.x * tile; begin < a.points; begin += (u64)gridDim.x * tile) {
        item items[tile_each];
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) {
            u64 i = begin + k * tile_threads + threadIdx.x;
            items[k].key = i < a.points ? key_of(box, a.depth, p.x[i], p.y[i], p.z[i]) : no_key;
            items[k].point = (u32)i;
            keyless += i < a.points && items[k].key == no_key;
        }
        find_buckets(a, root, entry, items);
        write_tile(m, to, items, staged, a.staged_capacity);
    }
    add_keyless(keyless, now);
}

/* Returns the group of a tile, which is the last group that begins at or before the tile. */
inside u32 group_of_tile(const tile_memory *m, u32 t)
{
    u32 g = 0;
    for (u32 step = max_groups / 2; step; step /= 2)
        if (m->first_tile[g + step] <= t) g += step;
    return g;
}

inside void scatter_groups(const params &a, const group *groups, const item *staged, u32 *cursor, item *slots,
                           build_state *now, tile_memory *m)
{
    bool failed = fresh(&now->failed);
    group mine = groups[threadIdx.x];
    u32 shift = fresh(&now->group_shift);
    (void)scan_block(failed || mine.filled > mine.end, m->sum);
    if (m->sum[32]) { /* all threads take the same branch */
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
                items[k].to_bucket = no_bucket;
        }
        write_tile(m, to, items, slots, a.slot_capacity);
    }
}

#endif
