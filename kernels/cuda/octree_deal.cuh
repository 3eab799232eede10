/* SPDX-License-Identifier: MIT */
/* The passes over all points: their extent, a sample of them, and dealing them out to the buckets of a plan. */
#ifndef GWS_KERNELS_CUDA_OCTREE_DEAL_CUH
#define GWS_KERNELS_CUDA_OCTREE_DEAL_CUH

#include "octree_plan.cuh"

/* Numbers in the order of unsigned integers: 0 comes before all. */
inside u64 ordered(double x)
{
    u64 bits = (u64)__double_as_longlong(x);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

template <typename number> inside bool is_finite(number x)
{
    return x - x == 0;
}

/* The finite points' smallest and largest coordinates so far. */
struct extent {
    double low[3], high[3];
    u32 strange;
};

inside void merge_extent(extent *e, build *now)
{
    for (int a = 0; a < 3; a++) {
        for (u32 d = 16; d; d /= 2) {
            e->low[a] = fmin(e->low[a], __shfl_xor_sync(~0u, e->low[a], d));
            e->high[a] = fmax(e->high[a], __shfl_xor_sync(~0u, e->high[a], d));
        }
    }
    for (u32 d = 16; d; d /= 2) e->strange += __shfl_xor_sync(~0u, e->strange, d);
    if (lane_id()) return;
    for (int a = 0; a < 3 && e->low[a] <= e->high[a]; a++) {
        atomicMax(&now->extent[2 * a], ~ordered(e->low[a]));
        atomicMax(&now->extent[2 * a + 1], ordered(e->high[a]));
    }
    if (e->strange) atomicAdd(&now->strange, (u64)e->strange);
}

template <typename number>
inside void find_extent(const number *x, const number *y, const number *z, u32 points, build *now)
{
    const number none = (number)INFINITY;
    number low[3] = {none, none, none}, high[3] = {-none, -none, -none};
    u32 strange = 0;
#pragma unroll 4
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < points; i += (u64)gridDim.x * blockDim.x) {
        number at[3] = {x[i], y[i], z[i]};
        bool fine = is_finite(at[0]) && is_finite(at[1]) && is_finite(at[2]);
        strange += !fine;
        for (int a = 0; a < 3; a++) {
            low[a] = fine && at[a] < low[a] ? at[a] : low[a];
            high[a] = fine && at[a] > high[a] ? at[a] : high[a];
        }
    }
    extent all = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}, strange};
    merge_extent(&all, now);
}

/* Which point of a stride a run begins with: mixed, so that no order of the points goes with it. */
inside u32 run_in_stride(u32 r, u32 runs)
{
    u32 mixed = r * 0x9e3779b1u;
    mixed = (mixed ^ mixed >> 15) * 0x85ebca77u;
    return (mixed ^ mixed >> 13) % runs;
}

template <typename number>
inside void draw_sample(const number *x, const number *y, const number *z, const cells &grid, const asked &a,
                        item *sample)
{
    for (u32 s = blockIdx.x * blockDim.x + threadIdx.x; s < a.samples; s += gridDim.x * blockDim.x) {
        u32 r = s / a.run, point = r * a.stride + run_in_stride(r, a.stride / a.run) * a.run + s % a.run;
        sample[s] = {key_of(grid, a.depth, x[point], y[point], z[point]), point, 0};
    }
}

/* The bucket of a point. root: the first tables' entries, by the first four levels. */
inside u32 find_bucket(const asked &a, const u32 *root, const u32 *entry, u64 key, u32 point)
{
    u32 found = root[(key >> 60) * bins + bin_of(a, key, point, 1)];
    for (u32 level = 4; found & is_split; level += 3)
        found = __ldg(&entry[(found & entry_mask) * bins + bin_of(a, key, point, level)]);
    return found;
}

template <typename number>
inside void deal_out(const number *x, const number *y, const number *z, const cells &grid, const asked &a,
                     const u32 *entry, u32 *cursor, item *slots, build *now)
{
    __shared__ u32 root[roots * bins];
    if (fresh(&now->failed)) return;
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) root[i] = entry[i];
    __syncthreads();
    u64 all = ((u64)a.points + 31) / 32 * 32;
    u32 keyless = 0;
#pragma unroll 2
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += (u64)gridDim.x * blockDim.x) {
        u64 key = i < a.points ? key_of(grid, a.depth, x[i], y[i], z[i]) : no_key;
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
 * memory before it is written, and takes its room there by one addition. On the way an item's spare word is its bucket. */

static constexpr u32 tile = 4096, tile_threads = 512, tile_each = tile / tile_threads;
static constexpr u32 no_bucket = ~0u;

struct tile_memory {
    item items[tile];
    u32 count[bins]; /* of each bin; then where it begins in the tile; then how far from there to its place in memory */
    u32 sum[33];
    u32 first_tile[most_groups]; /* of each group */
};

struct to_groups {
    group *groups;
    u32 shift;

    __device__ u32 bin(u32 b) const { return b >> shift; }
    __device__ u32 *cursor(u32 bin) const { return &groups[bin].filled; }
};

struct to_buckets {
    u32 *cursors;
    u32 first; /* the group's first bucket */

    __device__ u32 bin(u32 b) const { return b - first; }
    __device__ u32 *cursor(u32 bin) const { return &cursors[first + bin]; }
};

/* Writes a tile's items, bin by bin, to where the bins' cursors say; in out there is room for so many. */
template <typename places>
inside void write_tile(tile_memory *m, const places &to, const item *items, item *out, u64 room)
{
    u32 rank[tile_each];
    m->count[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < tile_each; k++)
        rank[k] = count_one(m->count, to.bin(items[k].spare), items[k].spare != no_bucket);
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
    for (u32 j = threadIdx.x; j < m->sum[32]; j += tile_threads) {
        item it = m->items[j];
        u32 place = m->count[to.bin(it.spare)] + j;
        if (place < room) out[place] = it;
    }
    __syncthreads();
}

template <typename number>
inside void deal_to_groups(const number *x, const number *y, const number *z, const cells &grid, const asked &a,
                           const u32 *entry, group *groups, item *staged, build *now, tile_memory *m)
{
    __shared__ u32 root[roots * bins];
    if (fresh(&now->failed)) return;
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) root[i] = entry[i];
    __syncthreads();
    to_groups to = {groups, fresh(&now->group_shift)};
    u32 keyless = 0;
    for (u64 begin = (u64)blockIdx.x * tile; begin < a.points; begin += (u64)gridDim.x * tile) {
        item items[tile_each];
#pragma unroll
        for (u32 k = 0; k < tile_each; k++) {
            u64 i = begin + k * tile_threads + threadIdx.x;
            items[k].key = i < a.points ? key_of(grid, a.depth, x[i], y[i], z[i]) : no_key;
            items[k].point = (u32)i;
            keyless += i < a.points && items[k].key == no_key;
        }
#pragma unroll
        for (u32 k = 0; k < tile_each; k++)
            items[k].spare = items[k].key == no_key ? no_bucket
                                                    : find_bucket(a, root, entry, items[k].key, items[k].point);
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

struct bucket_sum {
    u32 points, last; /* the last bucket that has any, or none_before */
};

/* What a thread's stretch of buckets holds. */
inside bucket_sum sum_stretch(const bucket *buckets, const u32 *cursor, u32 from, u32 to, build *now)
{
    bucket_sum sum = {0, none_before};
    for (u32 b = from; b < to; b++) {
        u32 points = cursor[b] - buckets[b].slot;
        if (points > buckets[b].room || points > most_bucket) now->failed = 1;
        if (points) sum.last = b;
        sum.points += points;
    }
    return sum;
}

/* The last bucket with points before each thread's stretch; one block. */
inside u32 last_before(u32 last, u32 *memory)
{
    for (u32 d = 1; d < blockDim.x; d *= 2) { /* + 1 makes none_before 0 */
        memory[threadIdx.x] = last + 1;
        __syncthreads();
        u32 other = threadIdx.x >= d ? memory[threadIdx.x - d] : 0;
        if (other > last + 1) last = other - 1;
        __syncthreads();
    }
    memory[threadIdx.x] = last;
    __syncthreads();
    return threadIdx.x ? memory[threadIdx.x - 1] : none_before;
}

/* Places of the buckets in the leaf order, and what each shares with the one before; one block. */
inside void place_buckets(const asked &a, bucket *buckets, const u32 *cursor, build *now)
{
    __shared__ u32 sum[33], memory[1024];
    u32 count = now->buckets, each = (count + blockDim.x - 1) / blockDim.x;
    u32 from = threadIdx.x * each < count ? threadIdx.x * each : count, to = from + each < count ? from + each : count;
    bucket_sum mine = sum_stretch(buckets, cursor, from, to, now);
    u32 begin = scan_block(mine.points, sum), before = last_before(mine.last, memory);
    if (threadIdx.x == 0) now->kept = sum[32];
    for (u32 b = from; b < to; b++) {
        u32 points = cursor[b] - buckets[b].slot;
        buckets[b].begin = begin;
        buckets[b].before = before;
        buckets[b].shared =
            before == none_before ? -1 : (int)shared_level(buckets[before].key, buckets[b].key, a.depth);
        begin += points;
        if (points) before = b;
    }
}

#endif
