/* SPDX-License-Identifier: MIT */
/* The box of the points and its grid: one pass over all points, at the end of which one thread does what
 * traversal/space/octree_grid.c does on the CPU, rounding for rounding. */
#ifndef GWS_KERNELS_CUDA_OCTREE_BOX_CUH
#define GWS_KERNELS_CUDA_OCTREE_BOX_CUH

#include "octree_words.cuh"

/* Numbers in the order of unsigned integers: 0 comes before all. */
inside u64 ordered(double x)
{
    u64 bits = (u64)__double_as_longlong(x);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* The way back. */
inside double unordered(u64 bits)
{
    return __longlong_as_double((long long)(bits >> 63 ? bits & ~(1ull << 63) : ~bits));
}

/* ---- the grid ---- */

/* The bounding cube, cut off where doubles end. */
inside void make_cube(const double *least, const double *most, cells *grid)
{
    const double largest = 0x1.fffffffffffffp1023;
    double half = 0; /* of the side, which may overflow */
    for (int a = 0; a < 3; a++) half = fmax(half, __dsub_rn(most[a] / 2, least[a] / 2));
    for (int a = 0; a < 3; a++) {
        grid->low[a] = least[a];
        grid->high[a] = fmin(__dadd_rn(__dadd_rn(least[a], half), half), largest);
        if (grid->high[a] < most[a]) grid->high[a] = most[a];
    }
}

inside void make_grid(cells *grid)
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

/* Once all blocks have looked. Points that are not finite have no part in the box; without others it is a point. */
inside void find_grid(u32 points, build *now)
{
    double least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
    u64 strange = __ldcg(&now->strange);
    for (int a = 0; a < 3 && strange < points; a++) {
        least[a] = unordered(~__ldcg(&now->extent[2 * a]));
        most[a] = unordered(__ldcg(&now->extent[2 * a + 1]));
    }
    make_cube(least, most, &now->box.grid);
    make_grid(&now->box.grid);
    now->box.plain = strange == 0 && now->box.grid.factor == 1;
}

/* ---- the extent ---- */

template <typename number> inside bool is_finite(number x)
{
    return x - x == 0;
}

/* The finite points' smallest and largest coordinates so far. */
template <typename number> struct extent {
    number low[3], high[3];
    u32 strange;
};

/* As many coordinates as a thread reads at once. */
template <typename number> struct __align__(16) four
{
    number at[4];
};

template <typename number> inside void extend(extent<number> *e, number x, number y, number z)
{
    number at[3] = {x, y, z};
    bool fine = is_finite(x) && is_finite(y) && is_finite(z);
    e->strange += !fine;
    for (int a = 0; a < 3; a++) {
        e->low[a] = fine && at[a] < e->low[a] ? at[a] : e->low[a];
        e->high[a] = fine && at[a] > e->high[a] ? at[a] : e->high[a];
    }
}

/* What a warp's lanes found, together. */
template <typename number> inside void merge_lanes(extent<number> *e)
{
    for (u32 d = 16; d; d /= 2) {
        for (int a = 0; a < 3; a++) {
            number low = __shfl_xor_sync(~0u, e->low[a], d), high = __shfl_xor_sync(~0u, e->high[a], d);
            e->low[a] = low < e->low[a] ? low : e->low[a];
            e->high[a] = high > e->high[a] ? high : e->high[a];
        }
        e->strange += __shfl_xor_sync(~0u, e->strange, d);
    }
}

/* One thread of a block adds to what all have: atomics on a few words are what all blocks would wait for. */
template <typename number> inside void merge_extent(const extent<number> &e, build *now)
{
    for (int a = 0; a < 3 && e.low[a] <= e.high[a]; a++) {
        atomicMax(&now->extent[2 * a], ~ordered(e.low[a]));
        atomicMax(&now->extent[2 * a + 1], ordered(e.high[a]));
    }
    if (e.strange) atomicAdd(&now->strange, (u64)e.strange);
}

/* The last block to come has what all found. */
template <typename number> inside void finish_extent(const extent<number> &e, u32 points, build *now)
{
    merge_extent(e, now);
    __threadfence(); /* before the count, which pairs with the fence of the last one */
    if (atomicAdd(&now->looked, 1ull) + 1 < gridDim.x) return;
    __threadfence();
    find_grid(points, now);
}

static constexpr u32 extent_threads = 1024;

template <typename number>
inside void find_extent(const number *x, const number *y, const number *z, u32 points, build *now)
{
    __shared__ extent<number> found[extent_threads / 32];
    const number none = (number)INFINITY;
    const four<number> *x4 = (const four<number> *)x, *y4 = (const four<number> *)y, *z4 = (const four<number> *)z;
    extent<number> e = {{none, none, none}, {-none, -none, -none}, 0};
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
    if (lane_id() >= extent_threads / 32) e.strange = 0;
    merge_lanes(&e);
    if (lane_id() == 0) finish_extent(e, points, now);
}

#endif
