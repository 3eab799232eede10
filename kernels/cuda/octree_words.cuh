/* SPDX-License-Identifier: MIT */
/* What the kernels that build an octree by sorting share: where points lie, and the digits by which they are dealt out.
 *
 * The digits of a point are those of its Morton key, three bits a level from the root down to the depth limit, and
 * behind them those of its own number, highest first. So points of one octant at the depth limit, which are in the
 * order of their numbers, are dealt out like others, and no two points have all digits alike. "Levels" count both
 * kinds. */
#ifndef GWS_KERNELS_CUDA_OCTREE_WORDS_CUH
#define GWS_KERNELS_CUDA_OCTREE_WORDS_CUH

#include "grid.cuh"

static constexpr u64 no_key = ~0ull;     /* of a point that is not finite or outside of the box */
static constexpr u32 key_levels = 21;    /* GWS_OCTREE_DEPTH */
static constexpr u32 most_bucket = 8192; /* points in a bucket */
static constexpr u32 middle_bucket = 5120, small_bucket = 2048,
                     tiny_bucket = 1024;                                /* in one that a smaller block divides */
static constexpr u32 sizes = 4, hard_sizes = 3, hard_lists = 2 * sizes; /* lists: two of each size, then of hard ones */
static constexpr u32 bins = 512;                                        /* three levels */
static constexpr u32 rows = key_levels + 2;                             /* nodes opened on each level, then leaves */

/* As struct gws__octree_grid. */
struct cells {
    double low[3], high[3], factor, start[3], scale[3];
};

/* The grid of a build, and whether all points lie in its box and its factor is 1. */
struct box_words {
    cells grid;
    u32 plain, spare;
};

/* As in traversal/space/device/octree_sort_cuda.h. */
struct asked {
    u64 slot_room; /* items in all buckets */
    u32 points, leaf, depth, number_levels;
    u32 few;         /* sampled points that a bucket may have */
    u32 stride, run; /* run points of each stride are sampled: all, where they are equal */
    u32 samples, table_room, bucket_room;
    u32 staged_room;          /* items in all groups of buckets; 0: points go to their buckets at once */
    u32 has_box;              /* the grid is given */
    u64 node_room, leaf_room; /* of the arrays for the tree */
};

struct __align__(16) item
{
    u64 key; /* its bits below the depth limit are zero */
    u32 point, spare;
};

/* Three levels below an octant: bins. The root's eight children have the first eight. */
static constexpr u32 most_rounds = 12; /* of three levels: 21 and as many as a number of 30 bits needs */
struct table {
    u64 key;
    u32 level;
    u32 buckets;            /* in its octant */
    u32 above[most_rounds]; /* the entries that lead to it from a root, then zeros */
};

/* An octant whose points one block divides. Buckets are numbered in the order of their points. */
struct bucket {
    u64 key;
    u32 level; /* beyond the depth limit: a part of an octant there, by the points' numbers */
    u32 slot;  /* where its items begin */
    u32 room;
    u32 begin;  /* its place in the leaf order */
    u32 before; /* the last bucket before it that has points, or none_before */
    int shared; /* the deepest level on which it lies in one octant with that one; -1: it is the first */
};
static constexpr u32 none_before = ~0u;

/* Of a build: zero when it begins, but for a grid that is given. When all has to be done again, the first words stay.
 */
struct build {
    box_words box;
    u64 extent[6]; /* low and high of x, y, z, as ordered; high is turned over, so that 0 is the least of all */
    u64 strange;   /* points that are not finite */
    u64 looked;    /* blocks that have looked for the extent */
    u64 slots;     /* handed out */
    u64 keyless;   /* points that are in no bucket */
    u32 tables, buckets, kept;
    u32 failed; /* a bucket or an array was too small: all has to be done again, from all points */
    u32 listed[2 * sizes], hard[hard_sizes]; /* buckets: large, middle, small, tiny ones; of each the larger first */
    u32 ticket[sizes + hard_sizes];          /* those begun */
    u32 max_leaf, large;
    u32 total[rows];
    u32 group_shift; /* bucket b is of group b >> group_shift */
    u32 sampled;     /* points of the sample that have a key */
    u32 hot[most_rounds][8],
        hots[most_rounds]; /* tables of each round of the plan that have much of the sample; 0: none */
};

/* Buckets side by side, to which points are brought together before they are parted. */
struct group {
    u32 sampled, begin, end, filled;
};
static constexpr u32 most_groups = bins;

/* 0: large. */
inside u32 size_of(u32 points)
{
    return (points <= tiny_bucket) + (points <= small_bucket) + (points <= middle_bucket);
}

/* A leaf, as the buckets hand them on: opens levels shared + 1 .. level. */
struct __align__(16) record
{
    u64 key;
    u32 begin;
    signed char level, shared;
    short spare;
};

/* ---- keys ---- */

/* Bit i of ten becomes bit 3 i. */
inside u32 spread(u32 bits)
{
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

/* What is negative or no number becomes 0, what is too large 2^32 - 1: so the conversion is defined. */
inside u32 cell_along(double along)
{
    u32 cell = __double2uint_rz(along);
    return cell < (1u << key_levels) - 1 ? cell : (1u << key_levels) - 1;
}

/* One rounding after each operation, as octree.h says. */
inside u32 cell_of(const cells &grid, int axis, double x)
{
    return cell_along(__dmul_rn(__dsub_rn(__dmul_rn(x, grid.factor), grid.start[axis]), grid.scale[axis]));
}

/* The same where the factor is 1. */
inside u32 plain_cell_of(const cells &grid, int axis, double x)
{
    return cell_along(__dmul_rn(__dsub_rn(x, grid.start[axis]), grid.scale[axis]));
}

inside bool is_in(const cells &grid, double x, double y, double z)
{
    return x >= grid.low[0] && x <= grid.high[0] && y >= grid.low[1] && y <= grid.high[1] && z >= grid.low[2] &&
           z <= grid.high[2];
}

inside u64 key_of(const box_words &box, u32 depth, double x, double y, double z)
{
    const cells &grid = box.grid;
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

inside u32 digit_of(const asked &a, u64 key, u32 point, u32 level)
{
    if (level < a.depth) return (u32)(key >> (60 - 3 * level)) & 7;
    u32 further = level - a.depth;
    return further < a.number_levels ? point >> 3 * (a.number_levels - 1 - further) & 7 : 0;
}

/* Those of three levels. */
inside u32 bin_of(const asked &a, u64 key, u32 point, u32 level)
{
    if (level + 3 <= a.depth) return (u32)(key >> (54 - 3 * level)) & (bins - 1);
    return digit_of(a, key, point, level) << 6 | digit_of(a, key, point, level + 1) << 3 |
           digit_of(a, key, point, level + 2);
}

/* The deepest level on which two keys lie in one octant. */
inside u32 shared_level(u64 a, u64 b, u32 depth)
{
    return a == b ? depth : (u32)(__clzll((long long)(a ^ b)) - 1) / 3;
}

/* ---- counting ---- */

/* What the lanes up to this one have together. */
template <typename number> inside number scan_warp(number value)
{
    for (u32 d = 1; d < 32; d *= 2) {
        number other = __shfl_up_sync(~0u, value, d);
        if (lane_id() >= d) value += other;
    }
    return value;
}

/* Adds 1 to count[which] for each lane that takes part, and returns what that lane found there. All lanes call it.
 * While many lanes want the same, one adds for them: otherwise points that are all alike would wait for each other. */
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

/* What the threads before this one have together; all of the block, of whole warps, call it. sum: a word a warp, and
 * one more for the total. */
inside u32 scan_block(u32 value, u32 *sum)
{
    u32 before = scan_warp(value), lane = lane_id(), warp = warp_id(), warps = warp_count();
    __syncthreads(); /* sum may be in use from the last time */
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
