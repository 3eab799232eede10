/* SPDX-License-Identifier: MIT */
/* The octree of points on one device, by sorting (traversal/space/device/octree_sort_cuda.c launches these, in this
 * order): points are read twice, moved once as keys with numbers, and end as numbers in leaf order.
 *
 * octree_extent_*     the box, where none is given
 * octree_sample_*     some points, or all
 * octree_plan         buckets that suit the sample; all blocks at the same time
 * octree_deal_*       points to their buckets, in no particular order; where they are many:
 * octree_group_*, octree_part      the same by way of groups of buckets
 * octree_place        where the buckets lie in the leaf order; one block
 * octree_divide       each bucket: leaves, and points in leaf order
 * octree_count        where the nodes of each bucket and level lie; a block for each row
 * octree_nodes, octree_open, octree_close   the nodes
 *
 * Memory: 16 bytes for each place in a bucket or a group, 20 a point, 4 KB for each table of the plan, 132 bytes a bucket, and the
 * nodes. */
#include "octree_deal.cuh"
#include "octree_divide.cuh"
#include "octree_nodes.cuh"

#define POINTS(number) const number *x, const number *y, const number *z

#define FOR_NUMBERS(number, name)                                                                                      \
    extern "C" __global__ void __launch_bounds__(256) octree_extent_##name(POINTS(number), u32 points, build *now)     \
    {                                                                                                                  \
        find_extent<number>(x, y, z, points, now);                                                                     \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(256)                                                                  \
        octree_sample_##name(POINTS(number), cells grid, asked a, item *sample)                                        \
    {                                                                                                                  \
        draw_sample<number>(x, y, z, grid, a, sample);                                                                 \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(512)                                                                  \
        octree_deal_##name(POINTS(number), cells grid, asked a, const u32 *entry, u32 *cursor, item *slots, build *now) \
    {                                                                                                                  \
        deal_out<number>(x, y, z, grid, a, entry, cursor, slots, now);                                                 \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(tile_threads, 2)                                                      \
        octree_group_##name(POINTS(number), cells grid, asked a, const u32 *entry, group *groups, item *staged,        \
                            build *now)                                                                                \
    {                                                                                                                  \
        extern __shared__ __align__(16) unsigned char memory[];                                                        \
        deal_to_groups<number>(x, y, z, grid, a, entry, groups, staged, now, (tile_memory *)memory);                   \
    }
FOR_NUMBERS(float, float)
FOR_NUMBERS(double, double)

extern "C" __global__ void __launch_bounds__(512)
    octree_plan(asked a, const item *sample, u32 *where, u32 *count, u32 *entry, table *tables, bucket *buckets,
                u32 *cursor, group *groups, build *now, u64 *arrived)
{
    __shared__ plan_memory memory;
    barrier all;
    u32 begin[most_rounds + 1];
    plan p = {&a, sample, where, count, entry, tables, buckets, cursor, groups, now};
    barrier_open(&all, arrived);
    if (blockIdx.x == 0 && threadIdx.x < roots)
        tables[threadIdx.x] = {a.depth > 0 ? (u64)threadIdx.x << 60 : 0, 1, 0, 0, 0};
    if (blockIdx.x == 0 && threadIdx.x == 0) now->tables = roots;
    u32 rounds = grow_tables(p, &all, begin, &memory);
    if (rounds == 0)
        one_bucket(p);
    else
        number_all(p, &all, begin, rounds, &memory);
    if (a.staged_room && blockIdx.x == 0) place_groups(p, rounds == 0, &memory);
}

extern "C" __global__ void __launch_bounds__(tile_threads, 2)
    octree_part(asked a, const group *groups, const item *staged, u32 *cursor, item *slots, build *now)
{
    extern __shared__ __align__(16) unsigned char memory[];
    deal_groups_out(a, groups, staged, cursor, slots, now, (tile_memory *)memory);
}

extern "C" __global__ void __launch_bounds__(1024)
    octree_place(asked a, bucket *buckets, const u32 *cursor, build *now)
{
    bool failed = fresh(&now->failed);
    __syncthreads(); /* it may be written from here on */
    if (failed) return;
    place_buckets(a, buckets, cursor, now);
}

extern "C" __global__ void __launch_bounds__(divide_threads, 2)
    octree_divide(asked a, const bucket *buckets, const u32 *cursor, item *slots, u32 *order, record *leaves,
                  u32 *opened, build *now)
{
    extern __shared__ __align__(16) unsigned char memory[];
    static_assert(sizeof(divide_memory) <= 110848 && sizeof(tile_memory) <= 69776, "as the host gives it");
    divide_memory *m = (divide_memory *)memory;
    if (now->failed) return;
    u32 max_leaf = 0, large = 0;
    for (;;) {
        if (threadIdx.x < rows) m->opened[threadIdx.x] = 0;
        if (threadIdx.x < mask_words) m->start[threadIdx.x] = 0;
        if (threadIdx.x == 0) {
            m->stretches = m->few_stretches = m->next_few = m->max_leaf = m->large = 0;
            m->bucket = atomicAdd(&now->ticket, 1u);
        }
        __syncthreads();
        u32 b = m->bucket;
        if (b >= now->buckets) break;
        u32 points = cursor[b] - buckets[b].slot, begin = buckets[b].begin;
        u64 *stretch = (u64 *)&leaves[begin];
        dividing d = {&a, m, &slots[buckets[b].slot], stretch, stretch + points, points, begin, buckets[b].level,
                      buckets[b].shared};
        if (points > 0) divide_bucket(d, order, &leaves[begin]);
        if (threadIdx.x < key_levels + 1) opened[(u64)threadIdx.x * a.bucket_room + b] = m->opened[threadIdx.x];
        if (threadIdx.x == key_levels + 1) {
            u32 last = (points + 31) / 32 - 1;
            opened[(u64)(key_levels + 1) * a.bucket_room + b] =
                points ? m->starts_before[last] + (u32)__popc(m->start[last]) : 0;
        }
        if (threadIdx.x == 0) {
            max_leaf = m->max_leaf > max_leaf ? m->max_leaf : max_leaf;
            large += m->large;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicMax(&now->max_leaf, max_leaf);
        if (large) atomicAdd(&now->large, large);
    }
}

/* A row becomes its sums before each bucket. */
extern "C" __global__ void __launch_bounds__(1024) octree_count(asked a, u32 *opened, build *now)
{
    __shared__ u32 sum[33];
    if (now->failed) return;
    u32 *row = &opened[(u64)blockIdx.x * a.bucket_room], count = now->buckets, mine = 0;
    u32 each = (count + blockDim.x - 1) / blockDim.x;
    u32 from = threadIdx.x * each < count ? threadIdx.x * each : count, to = from + each < count ? from + each : count;
    for (u32 b = from; b < to; b++) mine += row[b];
    u32 before = scan_block(mine, sum);
    if (threadIdx.x == 0) now->total[blockIdx.x] = sum[32];
    for (u32 b = from; b < to; b++) {
        u32 here = row[b];
        row[b] = before;
        before += here;
    }
}

#define LAYING                                                                                                         \
    asked a, levels at, const bucket *buckets, const u32 *cursor, const u32 *opened, const record *leaves,             \
        node *nodes, u64 *leaf, build *now

extern "C" __global__ void __launch_bounds__(256) octree_nodes(LAYING)
{
    laying n = {&a, &at, buckets, cursor, opened, leaves, nodes, leaf, now};
    for (u32 b = blockIdx.x; b < now->buckets; b += gridDim.x) write_bucket(n, b);
}

extern "C" __global__ void __launch_bounds__(256) octree_open(LAYING)
{
    laying n = {&a, &at, buckets, cursor, opened, leaves, nodes, leaf, now};
    u32 threads = gridDim.x * blockDim.x;
    for (u32 b = blockIdx.x * blockDim.x + threadIdx.x; b < now->buckets; b += threads) open_above(n, b);
}

extern "C" __global__ void __launch_bounds__(256) octree_close(LAYING)
{
    laying n = {&a, &at, buckets, cursor, opened, leaves, nodes, leaf, now};
    u32 threads = gridDim.x * blockDim.x;
    for (u32 b = blockIdx.x * blockDim.x + threadIdx.x; b < now->buckets; b += threads) close_above(n, b);
}
