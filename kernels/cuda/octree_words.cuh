/* SPDX-License-Identifier: MIT */
/* Types and functions of the kernels that build an octree by sorting. They cover the arrays, and the digits that
 * determine where a kernel scatters a point.
 *
 * The digits of a point are the digits of its Morton key, three bits per level from the root down to the depth limit,
 * followed by the digits of its number, highest first. So no two points have the same digits. The kernels scatter the
 * points of one octant at the depth limit, in the order of their numbers, like all other points. "Levels" count both
 * kinds of digits. */
#ifndef GWS_KERNELS_CUDA_OCTREE_WORDS_CUH
#define GWS_KERNELS_CUDA_OCTREE_WORDS_CUH

#include "grid.cuh"
#include "octree_layout.h"

static constexpr u64 no_key = ~0ull; /* key of a point that is not finite or lies outside the box */
static constexpr u32 key_levels = OCTREE_KEY_LEVELS;
static constexpr u32 max_bucket = OCTREE_MAX_BUCKET;
static constexpr u32 middle_bucket = 5120, small_bucket = 2048,
                     tiny_bucket = 1024; /* bucket sizes for smaller blocks */
static constexpr u32 sizes = OCTREE_SIZES, hard_sizes = OCTREE_HARD_SIZES,
                     hard_lists = 2 * sizes; /* two lists of each size, then the lists of deferred buckets */
static constexpr u32 bins = OCTREE_BINS;
static constexpr u32 rows = OCTREE_ROWS;

using box_words = octree_sort_box;
using params = octree_sort_params;
using build_state = octree_sort_state;

struct __align__(16) item
{
    u64 key; /* the bits below the depth limit are zero */
    u32 point, to_bucket;
};

/* The bins three levels below an octant. The first eight tables belong to the root's children. */
static constexpr u32 max_rounds = OCTREE_MAX_ROUNDS;
struct bin_table {
    u64 key;
    u32 level;
    u32 buckets;           /* number of buckets in the table's octant */
    u32 above[max_rounds]; /* the entries that lead from a root to the table, then zeros */
};

/* An octant whose points one block divides. Buckets are numbered in the order of their points. */
struct bucket {
    u64 key;
    u32 level; /* beyond the depth limit for a part of an octant at the limit, by the points' numbers */
    u32 slot;  /* where the bucket's items begin */
    u32 capacity;
    u32 begin;  /* where the bucket begins in the leaf order */
    u32 before; /* the last earlier bucket with points, or none_before */
    int shared; /* the deepest level on which this bucket and `before` are in one octant; -1 for the first bucket */
};
static constexpr u32 none_before = ~0u;

/* Consecutive buckets. The first pass of a two-pass scatter moves points to groups. */
struct group {
    u32 sampled, begin, end, filled;
};
static constexpr u32 max_groups = bins;

/* Returns the size class of a bucket. 0 is large. */
inside u32 size_of(u32 points)
{
    return (points <= tiny_bucket) + (points <= small_bucket) + (points <= middle_bucket);
}

/* A leaf of a bucket. The leaf opens nodes on levels shared + 1 .. level. */
struct __align__(16) record
{
    u64 key;
    u32 begin;
    signed char level, shared;
    short padding;
};

/* ---- keys ---- */

/* Spreads ten bits: bit i becomes bit 3 i. */
inside u32 spread(u32 bits)
{
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

/* Converts any value to a cell. The conversion first turns negative values and NaN into 0, and too large values into
 * 2^32 - 1. */
inside u32 clamp_cell(double x)
{
    u32 cell = __double2uint_rz(x);
    return cell < (1u << key_levels) - 1 ? cell : (1u << key_levels) - 1;
}

/* Returns the cell of a coordinate. Each operation rounds its result, as octree.h specifies. */
inside u32 cell_of(const octree_grid &grid, int axis, double x)
{
    return clamp_cell(__dmul_rn(__dsub_rn(__dmul_rn(x, grid.factor), grid.start[axis]), grid.scale[axis]));
}

/* Returns the same cell as cell_of() if the factor of the grid is 1. */
inside u32 plain_cell_of(const octree_grid &grid, int axis, double x)
{
    return clamp_cell(__dmul_rn(__dsub_rn(x, grid.start[axis]), grid.scale[axis]));
}

inside bool is_in(const octree_grid &grid, double x, double y, double z)
{
    return x >= grid.low[0] && x <= grid.high[0] && y >= grid.low[1] && y <= grid.high[1] && z >= grid.low[2] &&
           z <= grid.high[2];
}

inside u64 key_of(const box_words &box, u32 depth, double x, double y, double z)
{
    const octree_grid &grid = box.grid;
    u32 a, b, c;
    if (box.plain) {
        a = plain_cell_of(grid, 0, x), b = plain_cell_of(grid, 1, y), c = plain_cell_of(grid, 2, z);
    } else {
        if (!is_in(grid, x, y, z)) return no_key;
        a = cell_of(grid, 0, x), b = cell_of(grid, 1, y), c = cell_of(grid, 2, z);
    }
    u32 high = spread(a >> 11) << 2 | spread(b >> 11) << 1 | spread(c >> 11);
    u32 middle = (a >> 10 & 1) << 2 | (b >> 10 & 1) << 1 | (c >> 10 & 1);
    u32 low = spread(a & 1023) << 2 | spread(b & 1023) << 1 | spread(c & 1023);
    u64 key = (u64)high << 33 | (u64)middle << 30 | low;
    return key & ~0ull << 3 * (key_levels - depth);
}

/* ---- digits ---- */

inside u32 digit_of(const params &a, u64 key, u32 point, u32 level)
{
    if (level < a.depth) return (u32)(key >> (60 - 3 * level)) & 7;
    u32 further = level - a.depth;
    return further < a.number_levels ? point >> 3 * (a.number_levels - 1 - further) & 7 : 0;
}

/* Returns the digits of three levels. */
inside u32 bin_of(const params &a, u64 key, u32 point, u32 level)
{
    if (level + 3 <= a.depth) return (u32)(key >> (54 - 3 * level)) & (bins - 1);
    return digit_of(a, key, point, level) << 6 | digit_of(a, key, point, level + 1) << 3 |
           digit_of(a, key, point, level + 2);
}

/* Returns the deepest level on which two keys lie in one octant. */
inside u32 shared_level(u64 a, u64 b, u32 depth)
{
    return a == b ? depth : (u32)(__clzll((long long)(a ^ b)) - 1) / 3;
}

/* ---- counting ---- */

/* Returns the inclusive scan over the lanes of a warp. */
template <typename number> inside number scan_warp(number value)
{
    for (u32 d = 1; d < 32; d *= 2) {
        number other = __shfl_up_sync(~0u, value, d);
        if (lane_id() >= d) value += other;
    }
    return value;
}

/* Adds 1 to count[which] for each lane with `takes` set, and returns the previous count to that lane. All lanes call
 * this function. While several lanes have the same `which`, one lane adds for all of them. Otherwise equal points would
 * serialise. */
inside u32 count_one(u32 *count, u32 which, bool takes)
{
    static constexpr int many = 4;
    u32 rest = __ballot_sync(~0u, takes), found = 0;
    while (rest) {
        int leader = __ffs((int)rest) - 1;
        u32 wanted = __shfl_sync(~0u, which, leader);
        u32 same = __ballot_sync(~0u, takes && which == wanted) & rest;
        if (__popc(same) < many) break;
        u32 before = 0;
        if ((int)lane_id() == leader) before = atomicAdd(&count[wanted], (u32)__popc(same));
        before = __shfl_sync(~0u, before, leader);
        if (same >> lane_id() & 1) found = before + (u32)__popc(same & lanes_below());
        rest &= ~same;
    }
    if (rest >> lane_id() & 1) found = atomicAdd(&count[which], 1u);
    return found;
}

/* Returns the exclusive scan over the threads of a block of whole warps. All threads call this function. sum: a word
 * for each warp, and sum[32] for the total. */
inside u32 scan_block(u32 value, u32 *sum)
{
    u32 before = scan_warp(value), lane = lane_id(), warp = warp_id(), warps = warp_count();
    __syncthreads(); /* other threads may still read sum from the last call */
    if (lane == 31) sum[warp] = before;
    __syncthreads();
    if (warp == 0) {
        u32 mine = lane < warps ? sum[lane] : 0, all = scan_warp(mine);
        if (lane < warps) sum[lane] = all - mine;
        if (lane == 31) sum[32] = all;
    }
    __syncthreads();
    return before - value + sum[warp];
}

#endif
