/* SPDX-License-Identifier: MIT */
/* The octree of points on one device, by sorting (traversal/space/device/octree_sort_cuda.c launches these, in this
 * order): points are read twice, moved once as keys with numbers, and end as numbers in leaf order.
 *
 * octree_begin        words that begin as zero
 * octree_extent_*     the box, where none is given
 * octree_sample_*     some points, or all
 * octree_plan         buckets that suit the sample; all blocks at the same time
 * octree_deal_*       points to their buckets, in no particular order; where they are many:
 * octree_group_*, octree_part      the same by way of groups of buckets
 * octree_place        where the buckets lie in the leaf order
 * octree_settle_large, _middle, _small, _tiny   each bucket: leaves, and points in leaf order; all that need but a
 *                     dealing-out
 * octree_divide_large, _middle, _small   the same of the others
 * octree_count        where the nodes of each bucket and level lie; a block for each row
 * octree_nodes, octree_close   the nodes
 *
 * Kernels for buckets begin before those for larger ones end, as a few blocks are late each time; what else may begin
 * early waits at once, and the host has said so (octree_sort_cuda_launch.c).
 *
 * Memory: 16 bytes for each place in a bucket or a group, 20 a point, 4 KB for each table of the plan, 160 bytes a
 * bucket, and the nodes. */
#include "octree_box.cuh"
#include "octree_groups.cuh"
#include "octree_divide.cuh"
#include "octree_nodes_above.cuh"
#include "octree_settle.cuh"

/* Blocks that are to fit a multiprocessor of 2048 threads; smaller ones have as many as fit. */
#if __CUDA_ARCH__ == 800 || __CUDA_ARCH__ / 100 == 9 || __CUDA_ARCH__ / 100 == 10
#define TOGETHER(count) count
#else
#define TOGETHER(count) 1
#endif

#define POINTS(number) const number *x, const number *y, const number *z

#define FOR_NUMBERS(number, name)                                                                                      \
    extern "C" __global__ void __launch_bounds__(extent_threads, TOGETHER(2))                                          \
        octree_extent_##name(POINTS(number), u32 points, build *now)                                                   \
    {                                                                                                                  \
        find_extent<number>(x, y, z, points, now);                                                                     \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(256)                                                                  \
        octree_sample_##name(POINTS(number), asked a, item *sample, const build *now)                                  \
    {                                                                                                                  \
        draw_sample<number>(x, y, z, now->box, a, sample);                                                             \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(512)                                                                  \
        octree_deal_##name(POINTS(number), asked a, const u32 *entry, u32 *cursor, item *slots, build *now)            \
    {                                                                                                                  \
        deal_out<number>(x, y, z, a, entry, cursor, slots, now);                                                       \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(tile_threads, 2)                                                      \
        octree_group_##name(POINTS(number), asked a, const u32 *entry, group *groups, item *staged, build *now)        \
    {                                                                                                                  \
        extern __shared__ __align__(16) unsigned char memory[];                                                        \
        deal_to_groups<number>({x, y, z}, a, entry, groups, staged, now, (tile_memory *)memory);                       \
    }
FOR_NUMBERS(float, float)
FOR_NUMBERS(double, double)

/* grid: the one that is given, if any. again: all is done once more, with the grid that was found. */
extern "C" __global__ void __launch_bounds__(512)
    octree_begin(asked a, cells grid, u32 again, u32 *count, u32 *entry, table *tables, group *groups, build *now)
{
    u32 self = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    u32 kept = again ? (u32)offsetof(build, slots) / 4 : 0, counts = (u32)offsetof(build, tables) / 4;
    for (u32 i = self; i < roots * bins; i += threads) count[i] = entry[i] = 0;
    for (u32 i = self; i < most_groups; i += threads) groups[i] = {0, 0, 0, 0};
    for (u32 i = kept + self; i < sizeof(build) / 4; i += threads)
        if (!a.has_box || i >= sizeof(cells) / 4) ((u32 *)now)[i] = i == counts ? roots : 0;
    if (a.has_box && self == 0) now->box.grid = grid;
    if (self < roots) tables[self] = {a.depth > 0 ? (u64)self << 60 : 0, 1, 0, {}};
}

extern "C" __global__ void __launch_bounds__(bins, TOGETHER(2))
    octree_plan(asked a, const item *sample, u32 *where, u32 *count, u32 *entry, table *tables, bucket *buckets,
                u32 *cursor, group *groups, build *now, u64 *arrived)
{
    __shared__ plan_memory memory;
    make_plan({&a, sample, where, count, entry, tables, buckets, cursor, groups, now}, arrived, &memory);
}

extern "C" __global__ void __launch_bounds__(tile_threads, 2)
    octree_part(asked a, const group *groups, const item *staged, u32 *cursor, item *slots, build *now)
{
    extern __shared__ __align__(16) unsigned char memory[];
    deal_groups_out(a, groups, staged, cursor, slots, now, (tile_memory *)memory);
}

extern "C" __global__ void __launch_bounds__(1024)
    octree_place(asked a, bucket *buckets, const u32 *cursor, u32 *lists, u32 *opened, build *now)
{
    bool failed = fresh(&now->failed);
    __syncthreads(); /* it may be written from here on */
    if (failed) return;
    place_buckets(a, buckets, cursor, lists, opened, now);
}

#define DIVIDING                                                                                                       \
    asked a, const bucket *buckets, const u32 *cursor, u32 *lists, item *slots, u32 *order, record *leaves,            \
        u32 *opened, build *now

/* The first of these is launched behind octree_place, so that all find its lists. */
#define SETTLE(size, number, resident)                                                                                 \
    extern "C" __global__ void __launch_bounds__(size##_settlers::threads, resident) octree_settle_##size(DIVIDING)    \
    {                                                                                                                  \
        extern __shared__ __align__(16) unsigned char memory[];                                                        \
        let_next_begin();                                                                                              \
        if (!now->failed)                                                                                              \
            settle_all(a, list_of_all(a, number, buckets, cursor, lists, now), lists, slots, {order, leaves, opened},  \
                       now, (settle_memory<size##_settlers> *)memory);                                                 \
        await_launches();                                                                                              \
    }
SETTLE(large, 0, 1)
SETTLE(middle, 1, 2)
SETTLE(small, 2, 4)
SETTLE(tiny, 3, 8)

/* The first of these waits until all that is hard is on the lists; the others begin after that. */
#define DIVIDE(size, number, resident)                                                                                 \
    extern "C" __global__ void __launch_bounds__(size##_blocks::threads, resident) octree_divide_##size(DIVIDING)      \
    {                                                                                                                  \
        extern __shared__ __align__(16) unsigned char memory[];                                                        \
        if (number == 0) await_launches();                                                                             \
        let_next_begin();                                                                                              \
        if (!now->failed)                                                                                              \
            divide_all(a, list_of_hard(a, number, buckets, cursor, lists, now), slots, order, leaves, opened, now,     \
                       (divide_memory<size##_blocks> *)memory);                                                        \
        await_launches();                                                                                              \
    }
DIVIDE(large, 0, 2)
DIVIDE(middle, 1, 2)
DIVIDE(small, 2, 4)
static_assert(sizeof(divide_memory<large_blocks>) <= 113200 && sizeof(divide_memory<middle_blocks>) <= 72448 &&
                  sizeof(divide_memory<small_blocks>) <= 31696 && sizeof(tile_memory) <= 69904,
              "as the host gives it");
static_assert(sizeof(settle_memory<large_settlers>) <= 58432 && sizeof(settle_memory<middle_settlers>) <= 40000 &&
                  sizeof(settle_memory<small_settlers>) <= 21568 && sizeof(settle_memory<tiny_settlers>) <= 15424,
              "as the host gives it");

/* Four of a row's counts; what lies behind the last bucket is zero. */
inside uint4 four_counts(const u32 *row, u32 b, u32 count)
{
    if (b + 4 <= count) return *(const uint4 *)&row[b];
    return uint4{b < count ? row[b] : 0, b + 1 < count ? row[b + 1] : 0, b + 2 < count ? row[b + 2] : 0, 0};
}

/* A row becomes its sums before each bucket: four buckets a thread at a time, the next four on their way meanwhile. */
extern "C" __global__ void __launch_bounds__(1024) octree_count(asked a, u32 *opened, build *now)
{
    __shared__ u32 sum[33];
    await_launches();
    if (now->failed) return;
    u32 *row = &opened[(u64)blockIdx.x * a.bucket_room], count = now->buckets, before = 0;
    uint4 next = four_counts(row, 4 * threadIdx.x, count);
    for (u32 first = 0; first < count; first += 4 * blockDim.x) {
        u32 b = first + 4 * threadIdx.x;
        uint4 here = next;
        next = four_counts(row, b + 4 * blockDim.x, count);
        u32 start = before + scan_block(here.x + here.y + here.z + here.w, sum);
        if (b < count)
            *(uint4 *)&row[b] = {start, start + here.x, start + here.x + here.y, start + here.x + here.y + here.z};
        before += sum[32];
    }
    if (threadIdx.x == 0) now->total[blockIdx.x] = before;
}

#define LAYING                                                                                                         \
    asked a, const bucket *buckets, const u32 *cursor, const u32 *opened, const record *leaves, node *nodes,           \
        u64 *leaf, build *now

extern "C" __global__ void __launch_bounds__(lay_threads, TOGETHER(12)) octree_nodes(LAYING)
{
    __shared__ lay_memory memory;
    __shared__ levels at;
    if (!find_levels(a, now, &at)) return;
    laying n = {&a, &at, buckets, cursor, opened, leaves, nodes, leaf, now};
    u32 threads = gridDim.x * blockDim.x, count = now->buckets;
    for (u32 b = blockIdx.x * blockDim.x + threadIdx.x; b < count; b += threads) open_above(n, b);
    ahead seen = look_ahead(n, blockIdx.x);
    for (u32 b = blockIdx.x; b < count; b += gridDim.x) {
        begin_bucket(n, seen, &memory);
        seen = look_ahead(n, b + gridDim.x);
        write_bucket(n, &memory);
    }
}

extern "C" __global__ void __launch_bounds__(256) octree_close(LAYING)
{
    __shared__ levels at;
    if (!find_levels(a, now, &at)) return;
    laying n = {&a, &at, buckets, cursor, opened, leaves, nodes, leaf, now};
    u32 threads = gridDim.x * blockDim.x;
    for (u32 b = blockIdx.x * blockDim.x + threadIdx.x; b < now->buckets; b += threads) close_above(n, b);
}
