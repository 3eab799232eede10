/* SPDX-License-Identifier: MIT */
/* The state of the one-pass binning of a bucket in a block's shared memory (octree_one_pass.cuh), and the dense bins,
 * which have more than K points. The block splits each dense bin in eight by one more level, if that is enough. For the
 * split it reads the keys of the bin's points a second time. */
#ifndef GWS_KERNELS_CUDA_OCTREE_DENSE_CUH
#define GWS_KERNELS_CUDA_OCTREE_DENSE_CUH

#include "octree_bins.cuh"

static constexpr u32 chunk_count = bins / 32; /* a warp processes 32 bins at a time */
static constexpr u32 max_unseen = 15;         /* consecutive buckets that a group defers without reading them */

/* A bucket of the plan, its number, and the end of its items. */
struct planned {
    bucket plan;
    u32 number, end;
};
static constexpr u32 planned_words = sizeof(planned) / 4;
static_assert(planned_words <= 32, "a word a lane");

/* Returns the number of the nth bucket of a list, or all_done after the last bucket. */
inside u32 number_of(const listing &l, u32 n)
{
    if (n >= l.in_first + l.in_second) return all_done;
    return n < l.in_first ? l.first[n] : l.second[n - l.in_first];
}

/* Returns one word of a bucket to each lane. */
inside u32 word_of(const listing &l, u32 b)
{
    static constexpr u32 number_at = offsetof(planned, number) / 4;
    u32 lane = lane_id();
    if (lane == number_at || b == all_done || lane >= planned_words) return b;
    return lane < number_at ? ((const u32 *)&l.buckets[b])[lane] : l.cursor[b];
}

/* The maximum number of dense bins, and of their parts. One more level splits each dense bin in eight. */
static constexpr u32 max_dense = 32, parts = 8 * max_dense;

struct dense_memory {
    u32 count[2];                  /* number of dense bins of this bucket; two generations, as for the bins */
    u32 part[parts];               /* points in each part; after assign_parts(): points << 16 | begin in its bin */
    u32 extra_leaves[chunk_count]; /* for each 32 bins: the number of leaves beyond one per bin */
    unsigned short bin[max_dense]; /* the number of the dense bin */
    unsigned char leaves[max_dense], of_bin[bins];
};

/* A bucket's bins in the block's shared memory. Counters have two generations. The block clears the next bucket's
 * counters while it uses the current bucket's counters. */
template <typename kind> struct one_pass_memory {
    u32 point[kind::capacity + at_a_time];
    unsigned short in_bin[kind::capacity]; /* bin of the point at each position */
    u32 bin[2][bins];                      /* counts; later also positions within the 32 bins */
    u32 leaf[bins + parts];                /* position of the leaf of each bin, then of each part */
    u32 sum[chunk_count], heads[chunk_count],
        filled[chunk_count]; /* for each 32 bins: the number of points, a bit for each first bin of a leaf, a bit for
                              * each bin with points */
    u32 opened[5];           /* numbers of opened nodes, by level below the bucket */
    u32 hard;                /* whether a part has more than K points */
    u32 unseen;              /* number of next buckets that the block defers without reading them */
    listing list;            /* in shared memory, because registers are scarce */
    planned at[2];           /* this bucket and the next bucket */
    dense_memory dense;
};

/* A bucket during its one pass. */
template <typename kind> struct one_pass {
    const params *a;
    one_pass_memory<kind> *m;
    u32 *bin, *dense; /* counters; dense: the number of dense bins */
    const planned &of;
    u32 points, levels, chunks;
};

/* Packs a leaf's position, and the number of levels from the leaf down to the bins, into one word. */
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

/* ---- dense bins ---- */

/* Records a dense bin. A lane whose bin has more than K points calls this function. */
template <typename kind> inside void record_dense(const one_pass<kind> &s, u32 b)
{
    u32 e = atomicAdd(s.dense, 1u);
    if (e >= max_dense) return;
    s.m->dense.bin[e] = (unsigned short)b;
    s.m->dense.of_bin[b] = (unsigned char)e;
}

/* A flag in a rank. With the flag, the rank counts within a part, and the upper half holds the part's number. */
static constexpr u32 in_part = 1u << 31;

inside u32 part_of(u32 rank)
{
    return rank >> 16 & (parts - 1);
}

/* Replaces the ranks of points in dense bins by ranks in their parts. */
template <typename kind> inside void count_parts(const one_pass<kind> &s, const item *slots, u32 *rank)
{
    dense_memory *dense = &s.m->dense;
    u32 shift = 60 - 3 * (s.of.plan.level + s.levels);
#pragma unroll
    for (u32 k = 0; k < kind::each; k++) {
        u32 i = k * kind::threads + threadIdx.x, bin = rank[k] >> 16, point;
        if (i >= s.points || s.bin[bin] >> 16 <= s.a->leaf) continue;
        u64 key;
        read_item(slots, i, &key, &point);
        u32 part = 8 * dense->of_bin[bin] + ((u32)(key >> shift) & 7), own = atomicAdd(&dense->part[part], 1u);
        if (own >= s.a->leaf) atomicOr(&s.m->hard, 1u);
        rank[k] = in_part | part << 16 | own;
    }
}

/* Finds where parts begin in their bins and counts the parts' leaves, with one thread per dense bin. */
template <typename kind> inside void assign_parts(const one_pass<kind> &s)
{
    dense_memory *dense = &s.m->dense;
    u32 e = threadIdx.x, at = 0, leaves = 0;
    if (e >= *s.dense) return;
    for (u32 d = 0; d < 8; d++) {
        u32 points = dense->part[8 * e + d];
        dense->part[8 * e + d] = points << 16 | at;
        at += points;
        leaves += points > 0;
    }
    dense->leaves[e] = (unsigned char)leaves;
    (void)atomicAdd(&dense->extra_leaves[dense->bin[e] / 32], leaves - 1);
    (void)atomicAdd(&s.m->opened[s.levels + 1], leaves);
}

/* Writes the positions of all points and of the parts' leaves. before: the number of points before each 32 bins, one
 * entry per lane. */
template <typename kind> inside void place_parts(const one_pass<kind> &s, u32 before, const u32 *point, const u32 *rank)
{
    const dense_memory *dense = &s.m->dense;
#pragma unroll
    for (u32 k = 0; k < kind::each; k++) {
        u32 i = k * kind::threads + threadIdx.x, part = part_of(rank[k]);
        bool parted = rank[k] & in_part;
        u32 bin = parted ? dense->bin[part / 8] : rank[k] >> 16, chunk = __shfl_sync(~0u, before, bin / 32);
        if (i >= s.points) continue;
        u32 place = chunk + (s.bin[bin] & 0xffff) + (parted ? dense->part[part] & 0xffff : 0) + (rank[k] & 0xffff);
        s.m->point[place] = point[k];
        s.m->in_bin[place] = (unsigned short)(parted ? bins + part : bin);
    }
    for (u32 part = threadIdx.x; part < parts; part += kind::threads) {
        bool there = part / 8 < *s.dense;
        u32 bin = there ? dense->bin[part / 8] : 0, chunk = __shfl_sync(~0u, before, bin / 32);
        if (!there) continue;
        u32 from = chunk + (s.bin[bin] & 0xffff) + (dense->part[part] & 0xffff);
        s.m->leaf[bins + part] = leaf_word(from, from + (dense->part[part] >> 16), 0);
    }
}

/* Splits the dense bins, and writes the positions of all points. Returns false if there are too many dense bins, or too
 * many points in a part. */
template <typename kind>
inside bool part_dense(const one_pass<kind> &s, u32 before, const item *slots, const u32 *point, u32 *rank)
{
    dense_memory *dense = &s.m->dense;
    if (*s.dense > max_dense || s.of.plan.level + s.levels >= s.a->depth) return false;
    for (u32 i = threadIdx.x; i < parts; i += kind::threads) dense->part[i] = 0;
    if (threadIdx.x < chunk_count) dense->extra_leaves[threadIdx.x] = 0;
    __syncthreads();
    count_parts(s, slots, rank);
    __syncthreads();
    if (s.m->hard) return false;
    assign_parts(s);
    __syncthreads();
    place_parts(s, before, point, rank);
    return true;
}

/* ---- the leaves ---- */

/* Returns the number of extra leaves of the dense bins that precede a bin within its 32 bins. */
template <typename kind> inside u32 extra_leaves_before(const one_pass<kind> &s, u32 b)
{
    const dense_memory *dense = &s.m->dense;
    u32 extra = 0;
    for (u32 e = 0; e < *s.dense; e++)
        if (dense->bin[e] / 32 == b / 32 && dense->bin[e] < b) extra += dense->leaves[e] - 1u;
    return extra;
}

/* Writes a leaf's record. word: the leaf's position, packed by leaf_word(). */
template <typename kind>
inside void write_record(const one_pass<kind> &s, u32 word, u64 key, u32 level, int shared, record *leaf, u32 *longest)
{
    u32 points = leaf_to(word) - leaf_from(word);
    *(uint4 *)leaf = {(u32)key, (u32)(key >> 32), s.of.plan.begin + leaf_from(word),
                      level | ((u32)shared & 0xff) << 8}; /* a record */
    *longest = points > *longest ? points : *longest;
}

/* Writes the leaves of a dense bin. */
template <typename kind>
inside void write_parts(const one_pass<kind> &s, u32 b, u64 key, int shared, record *leaves, u32 *longest)
{
    u32 level = s.of.plan.level + s.levels, n = 0;
    for (u32 d = 0; d < 8; d++) {
        u32 word = s.m->leaf[bins + 8 * s.m->dense.of_bin[b] + d];
        if (leaf_from(word) == leaf_to(word)) continue;
        write_record(s, word, key | (u64)d << (60 - 3 * level), level + 1, shared, &leaves[n], longest);
        shared = (int)level;
        n++;
    }
}

#endif
