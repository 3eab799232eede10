/* SPDX-License-Identifier: MIT */
/* The bounding box of the points and its grid. One pass reads all points. At its end one thread computes the grid with
 * the same rounding as traversal/space/octree_grid.c on the CPU. */
#ifndef GWS_KERNELS_CUDA_OCTREE_BOX_CUH
#define GWS_KERNELS_CUDA_OCTREE_BOX_CUH

#include "octree_words.cuh"

/* Maps doubles to unsigned integers of the same order. 0 is less than all these integers. */
inside u64 ordered(double x)
{
    u64 bits = (u64)__double_as_longlong(x);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* The inverse of ordered(). */
inside double unordered(u64 bits)
{
    return __longlong_as_double((long long)(bits >> 63 ? bits & ~(1ull << 63) : ~bits));
}

/* ---- the grid ---- */

/* The bounding cube, clamped to the range of doubles. */
inside void make_cube(const double *low, const double *high, octree_grid *grid)
{
    const double largest = 0x1.fffffffffffffp1023;
    double half = 0; /* half of the side, because the whole side may overflow */
    for (int a = 0; a < 3; a++) half = fmax(half, __dsub_rn(high[a] / 2, low[a] / 2));
    for (int a = 0; a < 3; a++) {
        grid->low[a] = low[a];
        grid->high[a] = fmin(__dadd_rn(__dadd_rn(low[a], half), half), largest);
        if (grid->high[a] < high[a]) grid->high[a] = high[a];
    }
}

inside void make_grid(octree_grid *grid)
{
    double side = 0; /* the factor keeps differences within the range of doubles */
    for (int a = 0; a < 3; a++) side = fmax(side, __dsub_rn(grid->high[a], grid->low[a]));
    grid->factor = side > 0x1.fffffffffffffp1023 ? 0x1p-2 : side > 0 && side < 0x1p-950 ? 0x1p120 : 1;
    for (int a = 0; a < 3; a++) {
        grid->start[a] = __dmul_rn(grid->low[a], grid->factor);
        side = __dsub_rn(__dmul_rn(grid->high[a], grid->factor), grid->start[a]);
        grid->scale[a] = side > 0 ? fmin(__ddiv_rn((double)(1u << key_levels), side), 0x1p1020) : 0;
    }
}

/* Computes the grid. The last block calls this function. Points that are not finite do not count. Without finite points
 * the box is the origin. */
inside void find_grid(u32 points, build_state *now)
{
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    u64 non_finite = __ldcg(&now->non_finite);
    for (int a = 0; a < 3 && non_finite < points; a++) {
        low[a] = unordered(~__ldcg(&now->extent[2 * a]));
        high[a] = unordered(__ldcg(&now->extent[2 * a + 1]));
    }
    make_cube(low, high, &now->box.grid);
    make_grid(&now->box.grid);
    now->box.plain = non_finite == 0 && now->box.grid.factor == 1;
}

/* ---- the extent ---- */

template <typename number> inside bool is_finite(number x)
{
    return x - x == 0;
}

/* The smallest and largest coordinates of the finite points that a thread has read so far. */
template <typename number> struct point_extent {
    number low[3], high[3];
    u32 non_finite;
};

/* The coordinates that a thread reads with one load. */
template <typename number> struct __align__(16) four
{
    number at[4];
};

template <typename number> inside void extend(point_extent<number> *e, number x, number y, number z)
{
    number at[3] = {x, y, z};
    bool fine = is_finite(x) && is_finite(y) && is_finite(z);
    e->non_finite += !fine;
    for (int a = 0; a < 3; a++) {
        e->low[a] = fine && at[a] < e->low[a] ? at[a] : e->low[a];
        e->high[a] = fine && at[a] > e->high[a] ? at[a] : e->high[a];
    }
}

/* Merges the results of a warp's lanes. */
template <typename number> inside void merge_lanes(point_extent<number> *e)
{
    for (u32 d = 16; d; d /= 2) {
        for (int a = 0; a < 3; a++) {
            number low = __shfl_xor_sync(~0u, e->low[a], d), high = __shfl_xor_sync(~0u, e->high[a], d);
            e->low[a] = low < e->low[a] ? low : e->low[a];
            e->high[a] = high > e->high[a] ? high : e->high[a];
        }
        e->non_finite += __shfl_xor_sync(~0u, e->non_finite, d);
    }
}

/* Merges a block's result into global memory. Only one thread of each block calls this function, because all blocks
 * contend for these few words. */
template <typename number> inside void merge_extent(const point_extent<number> &e, build_state *now)
{
    for (int a = 0; a < 3 && e.low[a] <= e.high[a]; a++) {
        atomicMax(&now->extent[2 * a], ~ordered(e.low[a]));
        atomicMax(&now->extent[2 * a + 1], ordered(e.high[a]));
    }
    if (e.non_finite) atomicAdd(&now->non_finite, (u64)e.non_finite);
}

/* Merges the extent. The last block to arrive computes the grid. */
template <typename number> inside void finish_extent(const point_extent<number> &e, u32 points, build_state *now)
{
    merge_extent(e, now);
    __threadfence(); /* orders the block's writes before the count, and pairs with the fence of the last block below */
    if (atomicAdd(&now->blocks_done, 1ull) + 1 < gridDim.x) return;
    __threadfence();
    find_grid(points, now);
}

static constexpr u32 extent_threads = 1024;

template <typename number>
inside void find_extent(const number *x, const number *y, const number *z, u32 points, build_state *now)
{
    __shared__ point_extent<number> found[extent_threads / 32];
    const number none = (number)INFINITY;
    const four<number> *x4 = (const four<number> *)x, *y4 = (const four<number> *)y, *z4 = (const four<number> *)z;
    point_extent<number> e = {{none, none, none}, {-none, -none, -none}, 0};
    u32 threads = gridDim.x * blockDim.x, self = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 2
    for (u32 i = self; i < points / 4; i += threads) {
        four<number> xs = x4[i], ys = y4[i], zs = z4[i];
        for (int k = 0; k < 4; k++) extend(&e, xs.at[k], ys.at[k], zs.at[k]);
    }
    u32 rest = points / 4 * 4 + self;
    if (rest < points) extend(&e, x[rest], y[rest], z[rest]);
    merge_lanes(&e);
    if (lane_id() == 0) found[warp_id()] = e;
    __syncthreads();
    if (warp_id() > 0) return;
    e = found[lane_id() % (extent_threads / 32)];
    if (lane_id() >= extent_threads / 32) e.non_finite = 0;
    merge_lanes(&e);
    if (lane_id() == 0) finish_extent(e, points, now);
}

#endif
