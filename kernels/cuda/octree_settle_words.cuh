/* SPDX-License-Identifier: MIT */
/* A bucket that is settled by dealing its points out once, in a block's shared memory. */
#ifndef GWS_KERNELS_CUDA_OCTREE_SETTLE_WORDS_CUH
#define GWS_KERNELS_CUDA_OCTREE_SETTLE_WORDS_CUH

#include "octree_bins.cuh"

static constexpr u32 chunk_count = bins / 32; /* a warp takes 32 bins at a time */
static constexpr u32 most_unseen = 15;        /* buckets left to others without a look, at a time */

/* A bucket as the plan has it, its number, and where its items end. */
struct planned {
    bucket plan;
    u32 number, end;
};
static constexpr u32 planned_words = sizeof(planned) / 4;
static_assert(planned_words <= 32, "a word a lane");

/* The number of the nth bucket of a list; all_done behind the last. */
inside u32 number_of(const listing &l, u32 n)
{
    if (n >= l.in_first + l.in_second) return all_done;
    return n < l.in_first ? l.first[n] : l.second[n - l.in_first];
}

/* A lane's word of a bucket. */
inside u32 word_of(const listing &l, u32 b)
{
    static constexpr u32 number_at = offsetof(planned, number) / 4;
    u32 lane = lane_id();
    if (lane == number_at || b == all_done || lane >= planned_words) return b;
    return lane < number_at ? ((const u32 *)&l.buckets[b])[lane] : l.cursor[b];
}

/* Bins of more than K points: parts of eight each, by one level more. */
static constexpr u32 most_dense = 32, parts = 8 * most_dense;

struct dense_memory {
    u32 many[2];                    /* in this bucket; counters of two generations, as of bins */
    u32 part[parts];                /* points in each; then also where it begins in its bin */
    u32 more[chunk_count];          /* leaves of 32 bins beyond one a bin */
    unsigned short bin[most_dense]; /* which it is */
    unsigned char leaves[most_dense], of_bin[bins];
};

/* A bucket's bins in the block's shared memory. Counters are of two generations: those of the next bucket are cleared
 * while this one's are in use. */
template <typename kind> struct settle_memory {
    u32 point[kind::most + at_a_time];
    unsigned short in_bin[kind::most]; /* of each place */
    u32 bin[2][bins];                  /* counts, then also places among 32 */
    u32 leaf[bins + parts];            /* of each bin, or part of one: where its leaf lies */
    u32 sum[chunk_count], heads[chunk_count],
        filled[chunk_count]; /* of 32 bins: points; where leaves begin; not empty */
    u32 opened[5];           /* nodes so many levels below the bucket */
    u32 hard;                /* a part has more than K points */
    u32 unseen;              /* buckets to leave without a look from now on */
    listing list;            /* here, as registers are scarce */
    planned at[2];           /* this one, and the next */
    dense_memory dense;
};

/* A bucket being settled. */
template <typename kind> struct settling {
    const asked *a;
    settle_memory<kind> *m;
    u32 *bin, *dense; /* counters; dense: how many bins are */
    const planned &of;
    u32 points, levels, chunks;
};

/* A leaf's place, and how many levels it lies above the bins, in one word. */
inside u32 leaf_word(u32 from, u32 to, u32 up)
{
    return from << 16 | to << 2 | up;
}

inside u32 leaf_from(u32 word)
{
    return word >> 16;
}

inside u32 leaf_to(u32 word)
{
    return word >> 2 & 0x3fff;
}

inside u32 sum_of_eight(u32 value)
{
    for (u32 d = 1; d < 8; d *= 2) value += __shfl_xor_sync(~0u, value, d);
    return value;
}

#endif
