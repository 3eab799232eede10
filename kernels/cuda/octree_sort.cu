/* SPDX-License-Identifier: MIT */
/* Builds the octree of points on one device, by sorting. traversal/space/device/octree_sort_cuda.c launches the kernels
 * in this order. The kernels read the points twice, and move them once as keys with numbers. The result is the points'
 * numbers in leaf order.
 *
 * octree_begin        clears the words that begin as zero
 * octree_extent_*     finds the box if the caller gives none
 * octree_sample_*     draws a sample of some or all points
 * octree_plan         plans the buckets by the sample; all blocks must be resident
 * octree_scatter_*    scatters points to their buckets, in no particular order
 * octree_group_*, octree_scatter_groups   scatter many points in two passes instead, through groups of buckets
 * octree_place        computes the positions of the buckets in the leaf order
 * octree_one_pass_*   writes leaves, and points in leaf order, of buckets that one pass suffices for; a kernel per size
 * octree_divide_*     writes the same for all other buckets
 * octree_count        computes the positions of the nodes of each bucket and level; one block per row
 * octree_nodes, octree_close   write the nodes
 *
 * Kernels for small buckets begin before the kernels for larger buckets end, because the last few blocks of a kernel
 * leave most of the device idle. Other kernels that may begin early wait at once for the previous kernel. The host
 * marks these launches (octree_sort_cuda_launch.c).
 *
 * Memory: 16 bytes per slot of a bucket or a group, 20 per point, 4 KB per table of the plan, 160 per bucket, and
 * the nodes. */
#include "octree_box.cuh"
#include "octree_divide.cuh"
#include "octree_groups.cuh"
#include "octree_nodes_above.cuh"
#include "octree_one_pass.cuh"

/* Number of blocks that fit a multiprocessor of 2048 threads. On smaller multiprocessors the compiler chooses the
 * number. */
#if __CUDA_ARCH__ == 800 || __CUDA_ARCH__ / 100 == 9 || __CUDA_ARCH__ / 100 == 10
#define TOGETHER(count) count
#else
#define TOGETHER(count) 1
#endif

#define POINTS(number) const number *x, const number *y, const number *z

#define FOR_NUMBERS(number, name)                                                                                      \
    extern "C" __global__ void __launch_bounds__(extent_threads, TOGETHER(2))                                          \
        octree_extent_##name(POINTS(number), u32 points, build_state *now)                                             \
    {                                                                                                                  \
        find_extent<number>(x, y, z, points, now);                                                                     \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(256)                                                                  \
        octree_sample_##name(POINTS(number), params a, item *sample, const build_state *now)                           \
    {                                                                                                                  \
        draw_sample<number>(x, y, z, now->box, a, sample);                                                             \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(512)                                                                  \
        octree_scatter_##name(POINTS(number), params a, const u32 *entry, u32 *cursor, item *slots, build_state *now)  \
    {                                                                                                                  \
        scatter_points<number>(x, y, z, a, entry, cursor, slots, now);                                                 \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(tile_threads, 2)                                                      \
        octree_group_##name(POINTS(number), params a, const u32 *entry, group *groups, item *staged, build_state *now) \
    {                                                                                                                  \
        extern __shared__ __align__(16) unsigned char memory[];                                                        \
        scatter_to_groups<number>({x, y, z}, a, entry, groups, staged, now, (tile_memory *)memory);                    \
    }
FOR_NUMBERS(float, float)
FOR_NUMBERS(double, double)

/* grid: the given grid if a.has_box is set. again: 1 if the host repeats the build, with the grid of the first
 * attempt. */
extern "C" __global__ void __launch_bounds__(512)
    octree_begin(params a, octree_grid grid, u32 again, u32 *count, u32 *entry, bin_table *tables, group *groups,
                 build_state *now)
{
    u32 self = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    u32 first = again ? (u32)offsetof(build_state, slots) / 4 : 0, counts = (u32)offsetof(build_state, tables) / 4;
    for (u32 i = self; i < roots * bins; i += threads) count[i] = entry[i] = 0;
    for (u32 i = self; i < max_groups; i += threads) groups[i] = {0, 0, 0, 0};
    for (u32 i = first + self; i < sizeof(build_state) / 4; i += threads)
        if (!a.has_box || i >= sizeof(octree_grid) / 4) ((u32 *)now)[i] = i == counts ? roots : 0;
    if (a.has_box && self == 0) now->box.grid = grid;
    if (self < roots) tables[self] = {a.depth > 0 ? (u64)self << 60 : 0, 1, 0, {}};
}

extern "C" __global__ void __launch_bounds__(bins, TOGETHER(2))
    octree_plan(params a, const item *sample, u32 *where, u32 *count, u32 *entry, bin_table *tables, bucket *buckets,
                u32 *cursor, group *groups, build_state *now, u64 *arrived)
{
    __shared__ plan_memory memory;
    make_plan({&a, sample, where, count, entry, tables, buckets, cursor, groups, now}, arrived, &memory);
}

extern "C" __global__ void __launch_bounds__(tile_threads, 2)
    octree_scatter_groups(params a, const group *groups, const item *staged, u32 *cursor, item *slots, build_state *now)
{
    extern __shared__ __align__(16) unsigned char memory[];
    scatter_groups(a, groups, staged, cursor, slots, now, (tile_memory *)memory);
}

extern "C" __global__ void __launch_bounds__(1024)
    octree_place(params a, bucket *buckets, const u32 *cursor, u32 *lists, u32 *opened, build_state *now)
{
    bool failed = fresh(&now->failed);
    __syncthreads(); /* other blocks may write the state from here on */
    if (failed) return;
    place_buckets(a, buckets, cursor, lists, opened, now);
}

#define DIVIDING                                                                                                       \
    params a, const bucket *buckets, const u32 *cursor, u32 *lists, item *slots, u32 *order, record *leaves,           \
        u32 *opened, build_state *now

/* The host launches the first of these kernels after octree_place. All of them thus find the lists of octree_place. */
#define ONE_PASS(size, number, resident)                                                                               \
    extern "C" __global__ void __launch_bounds__(size##_binners::threads, resident) octree_one_pass_##size(DIVIDING)   \
    {                                                                                                                  \
        extern __shared__ __align__(16) unsigned char memory[];                                                        \
        let_next_begin();                                                                                              \
        if (!now->failed)                                                                                              \
            bin_buckets(a, list_of_all(a, number, buckets, cursor, lists, now), lists, slots, {order, leaves, opened}, \
                        now, (one_pass_memory<size##_binners> *)memory);                                               \
        await_launches();                                                                                              \
    }
ONE_PASS(large, 0, 1)
ONE_PASS(middle, 1, 2)
ONE_PASS(small, 2, 4)
ONE_PASS(tiny, 3, 8)

/* The first of these kernels waits until the lists hold all deferred buckets. The others begin after the first. */
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
              "the shared memory that the host allocates");
static_assert(sizeof(one_pass_memory<large_binners>) <= 58432 && sizeof(one_pass_memory<middle_binners>) <= 40000 &&
                  sizeof(one_pass_memory<small_binners>) <= 21568 && sizeof(one_pass_memory<tiny_binners>) <= 15424,
              "the shared memory that the host allocates");

/* Returns four counts of a row. Counts after the last bucket are zero. */
inside uint4 four_counts(const u32 *row, u32 b, u32 count)
{
    if (b + 4 <= count) return *(const uint4 *)&row[b];
    return uint4{b < count ? row[b] : 0, b + 1 < count ? row[b + 1] : 0, b + 2 < count ? row[b + 2] : 0, 0};
}

/* Computes the exclusive prefix sum of a row. Each thread processes four buckets at a time while it loads the next
 * four. */
extern "C" __global__ void __launch_bounds__(1024) octree_count(params a, u32 *opened, build_state *now)
{
    __shared__ u32 sum[33];
    await_launches();
    if (now->failed) return;
    u32 *row = &opened[(u64)blockIdx.x * a.bucket_capacity], count = now->buckets, before = 0;
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

#define LAYOUT                                                                                                         \
    params a, const bucket *buckets, const u32 *cursor, const u32 *opened, const record *leaves, tree_node *nodes,     \
        u64 *leaf, build_state *now

extern "C" __global__ void __launch_bounds__(layout_threads, TOGETHER(12)) octree_nodes(LAYOUT)
{
    __shared__ layout_memory memory;
    __shared__ levels at;
    if (!find_levels(a, now, &at)) return;
    layout n = {&a, &at, buckets, cursor, opened, leaves, nodes, leaf, now};
    u32 threads = gridDim.x * blockDim.x, count = now->buckets;
    for (u32 b = blockIdx.x * blockDim.x + threadIdx.x; b < count; b += threads) open_above(n, b);
    bucket_words seen = prefetch_words(n, blockIdx.x);
    for (u32 b = blockIdx.x; b < count; b += gridDim.x) {
        begin_bucket(n, seen, &memory);
        seen = prefetch_words(n, b + gridDim.x);
        write_bucket(n, &memory);
    }
}

extern "C" __global__ void __launch_bounds__(256) octree_close(LAYOUT)
{
    __shared__ levels at;
    if (!find_levels(a, now, &at)) return;
    layout n = {&a, &at, buckets, cursor, opened, leaves, nodes, leaf, now};
    u32 threads = gridDim.x * blockDim.x;
    for (u32 b = blockIdx.x * blockDim.x + threadIdx.x; b < now->buckets; b += threads) close_above(n, b);
}
