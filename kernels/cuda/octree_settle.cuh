/* SPDX-License-Identifier: MIT */
/* Most buckets are settled by dealing their points out once, to 512 bins, the next three levels, or 64, two: where no
 * bin has more than K points, leaves are bins or octants of eight, 64 or all of them, and how many points lie in each
 * bin says which. Keys are not needed after that, and the points' numbers stay in registers until their places are
 * known. Other buckets are left to octree_divide.cuh, which needs more memory and registers. */
#ifndef GWS_KERNELS_CUDA_OCTREE_SETTLE_CUH
#define GWS_KERNELS_CUDA_OCTREE_SETTLE_CUH

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

/* A bucket's bins in the block's shared memory. Counters are of two generations: those of the next bucket are cleared
 * while this one's are in use. */
template <typename kind> struct settle_memory {
    u32 point[kind::most + at_a_time];
    unsigned short in_bin[kind::most]; /* of each place */
    u32 bin[2][bins];                  /* counts, then also places among 32 */
    u32 leaf[bins];                    /* of each bin: where its leaf lies */
    u32 sum[chunk_count], heads[chunk_count],
        filled[chunk_count]; /* of 32 bins: points; where leaves begin; not empty */
    u32 opened[4];           /* nodes so many levels below the bucket */
    u32 hard;                /* a bin has more than K points */
    u32 unseen;              /* buckets to leave without a look from now on */
    listing list;            /* here, as registers are scarce */
    planned at[2];           /* this one, and the next */
};

/* A bucket being settled. */
template <typename kind> struct settling {
    const asked *a;
    settle_memory<kind> *m;
    u32 *bin;
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

/* What the lanes up to this one have together. */
inside u32 scan_warp(u32 value)
{
    for (u32 d = 1; d < 32; d *= 2) {
        u32 other = __shfl_up_sync(~0u, value, d);
        if (lane_id() >= d) value += other;
    }
    return value;
}

/* Counts become, within each 32 bins, places and counts in one word. */
template <typename kind> inside void sum_bins(const settling<kind> &s)
{
#pragma unroll 1
    for (u32 c = warp_id(); c < s.chunks; c += kind::threads / 32) {
        u32 mine = s.bin[32 * c + lane_id()], up_to = scan_warp(mine);
        s.bin[32 * c + lane_id()] = mine << 16 | (up_to - mine);
        if (lane_id() == 31) s.m->sum[c] = up_to;
        if (__any_sync(~0u, mine > s.a->leaf) && lane_id() == 0) atomicOr(&s.m->hard, 1u);
    }
}

/* Points in the bins before each 32 of them, in the lanes. */
template <typename kind> inside u32 sums_before(const settling<kind> &s)
{
    u32 mine = lane_id() < s.chunks ? s.m->sum[lane_id()] : 0;
    return scan_warp(mine) - mine;
}

/* A bin, and the octants of eight and of 64 bins around it: how many points, and where they begin. */
struct around {
    u32 points[3], from[3];
};

inside around look_around(u32 word, u32 before, u32 c, u32 pair_end)
{
    u32 count = word >> 16, eight = sum_of_eight(count), place = __shfl_sync(~0u, before, c) + (word & 0xffff);
    u32 of_pair = __shfl_sync(~0u, before, c & ~1u);
    return {{count, eight, pair_end - of_pair}, {place, __shfl_sync(~0u, place, lane_id() & ~7u), of_pair}};
}

/* Counts the nodes that 32 bins open so many levels below the bucket: the first bin of an octant does, if that has
 * points and the one around it more than K. up: how many levels the bin's leaf lies above it. */
template <typename kind> inside void count_opened(const settling<kind> &s, u32 b, const around &at, u32 up)
{
#pragma unroll
    for (u32 above = 0; above < 3; above++) {
        bool opens = (b & ((1u << 3 * above) - 1)) == 0 && at.points[above] > 0 && up <= above;
        u32 all = __ballot_sync(~0u, opens);
        if (lane_id() == 0 && all && above < s.levels) atomicAdd(&s.m->opened[s.levels - above], (u32)__popc(all));
    }
}

/* Which leaf each bin lies in: the largest octant around it of at most K points. */
template <typename kind> inside void find_leaves(const settling<kind> &s, u32 before)
{
    settle_memory<kind> *m = s.m;
    u32 k = s.a->leaf;
#pragma unroll 1
    for (u32 c = warp_id(); c < s.chunks; c += kind::threads / 32) {
        u32 b = 32 * c + lane_id(), behind = __shfl_sync(~0u, before, (c | 1) + 1);
        around at = look_around(s.bin[b], before, c, (c | 1) + 1 < s.chunks ? behind : s.points);
        u32 up = at.points[1] <= k ? 1 : 0, from = up ? at.from[1] : at.from[0],
            points = up ? at.points[1] : at.points[0];
        if (s.levels == 3 && at.points[2] <= k) up = 2, from = at.from[2], points = at.points[2];
        if (s.points <= k) up = s.levels, from = 0, points = s.points;
        m->leaf[b] = leaf_word(from, from + points, up);
        u32 heads = __ballot_sync(~0u, points > 0 && (b & ((1u << 3 * up) - 1)) == 0);
        u32 filled = __ballot_sync(~0u, at.points[0] > 0);
        if (lane_id() == 0) m->heads[c] = heads, m->filled[c] = filled;
        count_opened(s, b, at, up);
    }
}

/* The deepest level, from the bucket's on, on which a bin lies in one octant with the last one before it that has
 * points; -1: there is none. filled: those of 32 bins each, in the lanes. */
template <typename kind> inside int shared_below(const settling<kind> &s, u32 b, u32 filled)
{
    u32 c = b / 32, here = __shfl_sync(~0u, filled, c) & lanes_below();
    u32 earlier = __ballot_sync(~0u, filled != 0) & ((1u << c) - 1);
    u32 last = earlier ? 31 - (u32)__clz((int)earlier) : 0, there = __shfl_sync(~0u, filled, last);
    if (!here && !earlier) return -1;
    u32 other = here ? 32 * c + 31 - (u32)__clz((int)here) : 32 * last + 31 - (u32)__clz((int)there);
    return (int)(3 * s.levels - 1 - (31 - (u32)__clz((int)(b ^ other)))) / 3;
}

/* The leaves, each by the lane of its first bin; how many, in every lane. longest: grows to the most points in one. */
template <typename kind> inside u32 write_leaves(const settling<kind> &s, record *leaves, u32 *longest)
{
    settle_memory<kind> *m = s.m;
    u32 heads = lane_id() < s.chunks ? m->heads[lane_id()] : 0,
        filled = lane_id() < s.chunks ? m->filled[lane_id()] : 0;
    u32 up_to = scan_warp((u32)__popc(heads)), before = up_to - (u32)__popc(heads);
#pragma unroll 1
    for (u32 c = warp_id(); c < s.chunks; c += kind::threads / 32) {
        u32 b = 32 * c + lane_id(), word = m->leaf[b], chunk_heads = __shfl_sync(~0u, heads, c);
        u32 n = __shfl_sync(~0u, before, c) + (u32)__popc(chunk_heads & lanes_below());
        int shared = shared_below(s, b, filled), level = (int)(s.levels - (word & 3));
        if (!(chunk_heads >> lane_id() & 1)) continue;
        u32 points = leaf_to(word) - leaf_from(word), at = s.of.plan.level + (u32)level;
        u64 key = s.of.plan.key | (u64)b << (63 - 3 * (s.of.plan.level + s.levels));
        int of = shared < 0 ? s.of.plan.shared : (int)s.of.plan.level + shared;
        *(uint4 *)&leaves[n] = {(u32)key, (u32)(key >> 32), s.of.plan.begin + leaf_from(word),
                                at | ((u32)of & 0xff) << 8}; /* a record */
        *longest = points > *longest ? points : *longest;
    }
    return __shfl_sync(~0u, up_to, 31);
}

/* Points in the order of their numbers within each leaf: each counts who comes before it. */
template <typename kind> inside void write_settled(const settling<kind> &s, u32 *order)
{
    static constexpr u32 together = 4;
    const settle_memory<kind> *m = s.m;
#pragma unroll 1
    for (u32 i = threadIdx.x; i < s.points; i += kind::threads) {
        u32 point = m->point[i], word = m->leaf[m->in_bin[i]], from = leaf_from(word), to = leaf_to(word), place = from;
        u32 j = from;
#pragma unroll 1
        for (; j + together <= to; j += together)
#pragma unroll
            for (u32 u = 0; u < together; u++) place += (m->point[j + u] - point) >> 31; /* numbers have 30 bits */
#pragma unroll
        for (u32 u = 0; u < together - 1; u++) place += (j + u < to) & (m->point[j + u] < point);
        order[place] = point;
    }
}

/* How many nodes of each level the bucket opens: one of each that it is the first in, as far as its own; and leaves. */
template <typename kind> inside void note_settled(const settling<kind> &s, u32 leaves, u32 *opened)
{
    int row = (int)threadIdx.x, below = row - (int)s.of.plan.level;
    if (row >= (int)rows) return;
    u32 nodes = below <= 0 ? s.points > 0 && row > s.of.plan.shared : below <= (int)s.levels ? s.m->opened[below] : 0;
    opened[(u64)row * s.a->bucket_room + s.of.number] = row == key_levels + 1 ? leaves : nodes;
}

/* Leaves a bucket to the kernels for those that are hard; how many of its size were left before. */
inside u32 leave_bucket(const asked &a, const planned &of, u32 *lists, build *now)
{
    u32 all = size_of(of.end - of.plan.slot), size = all < hard_sizes ? all : hard_sizes - 1,
        place = atomicAdd(&now->hard[size], 1u);
    lists[(hard_lists + size) * a.bucket_room + place] = of.number;
    return place;
}

/* Counts the points in the bins, and keeps of each its number, its bin and its place there. */
template <typename kind> inside void count_bins(const settling<kind> &s, const item *slots, u32 *point, u32 *rank)
{
    u32 shift = 63 - 3 * (s.of.plan.level + s.levels), used = (1u << 3 * s.levels) - 1;
    static constexpr u32 at_once = 5; /* items on their way */
#pragma unroll
    for (u32 first = 0; first < kind::each; first += at_once) {
        u64 key[at_once];
#pragma unroll
        for (u32 k = first; k < first + at_once && k < kind::each; k++) {
            u32 i = k * kind::threads + threadIdx.x;
            key[k - first] = point[k] = rank[k] = 0; /* or the compiler keeps what they were */
            if (i < s.points) read_item(slots, i, &key[k - first], &point[k]);
        }
#pragma unroll
        for (u32 k = first; k < first + at_once && k < kind::each; k++) {
            u32 i = k * kind::threads + threadIdx.x;
            if (i >= s.points) continue;
            u32 bin = (u32)(key[k - first] >> shift) & used;
            rank[k] = bin << 16 | atomicAdd(&s.bin[bin], 1u);
        }
        __syncwarp(); /* so that no more is on its way than registers hold */
    }
}

/* before: as sums_before() has it. */
template <typename kind>
inside void place_points(const settling<kind> &s, u32 before, const u32 *point, const u32 *rank)
{
#pragma unroll
    for (u32 k = 0; k < kind::each; k++) {
        u32 i = k * kind::threads + threadIdx.x;
        u32 bin = rank[k] >> 16, chunk = __shfl_sync(~0u, before, bin / 32);
        if (i >= s.points) continue;
        u32 place = chunk + (s.bin[bin] & 0xffff) + (rank[k] & 0xffff);
        s.m->point[place] = point[k];
        s.m->in_bin[place] = (unsigned short)bin;
    }
}

/* One bucket. False: it is hard. next: the one after the next, which is fetched meanwhile. */
template <typename kind>
inside bool settle(const settling<kind> &s, u32 other, u32 next, const item *slots, u32 *order, record *leaves,
                   u32 *opened, u32 *longest)
{
    settle_memory<kind> *m = s.m;
    u32 point[kind::each], rank[kind::each];
    count_bins(s, &slots[s.of.plan.slot], point, rank);
    __syncthreads(); /* all counted; and done with the bucket before */
    u32 ahead = warp_id() == 0 ? number_of(m->list, __shfl_sync(~0u, next, 0)) : 0;
#pragma unroll
    for (u32 b = threadIdx.x; b < bins; b += kind::threads) m->bin[other][b] = 0;
    if (threadIdx.x < 4) m->opened[threadIdx.x] = 0;
    sum_bins(s);
    __syncthreads();
    if (m->hard) return false;
    if (warp_id() == 0) ahead = word_of(m->list, ahead);
    u32 before = sums_before(s);
    place_points(s, before, point, rank);
    find_leaves(s, before);
    if (threadIdx.x < planned_words) ((u32 *)&m->at[other])[threadIdx.x] = ahead;
    __syncthreads();
    u32 count = write_leaves(s, &leaves[s.of.plan.begin], longest);
    note_settled(s, count, opened);
    write_settled(s, &order[s.of.plan.begin]);
    return true;
}

/* A block takes the next bucket when it is done with one. Where many are hard it does not even look at the next ones.
 */
template <typename kind>
inside void settle_all(const asked &a, const listing &list, u32 *lists, const item *slots, u32 *order, record *leaves,
                       u32 *opened, build *now, settle_memory<kind> *m)
{
    u32 longest = 0;
    for (u32 b = threadIdx.x; b < bins; b += kind::threads) m->bin[0][b] = 0;
    if (threadIdx.x == 0) m->hard = m->unseen = 0, m->list = list;
    if (threadIdx.x < planned_words) ((u32 *)&m->at[0])[threadIdx.x] = word_of(list, number_of(list, blockIdx.x));
    __syncthreads();
    for (u32 turn = 0; m->at[turn].number != all_done; turn ^= 1) {
        const planned &mine = m->at[turn];
        u32 next = threadIdx.x == 0 ? gridDim.x + atomicAdd(m->list.ticket, 1u) : 0;
        u32 points = mine.end - mine.plan.slot, levels = points > few_for_bins ? 3 : 2;
        settling<kind> s = {&a, m, m->bin[turn], mine, points, levels, levels == 3 ? chunk_count : 2};
        bool looks = m->unseen == 0 && mine.plan.level + levels <= a.depth;
        if (looks && settle(s, turn ^ 1, next, slots, order, leaves, opened, &longest)) continue;
        __syncthreads();
        for (u32 b = threadIdx.x; b < bins; b += kind::threads) m->bin[turn ^ 1][b] = 0;
        if (warp_id() == 0) {
            u32 ahead = word_of(m->list, number_of(m->list, __shfl_sync(~0u, next, 0)));
            if (lane_id() < planned_words) ((u32 *)&m->at[turn ^ 1])[lane_id()] = ahead;
        }
        if (threadIdx.x == 0) {
            u32 left = leave_bucket(a, mine, lists, now);
            m->unseen = m->unseen ? m->unseen - 1 : m->hard && 4 * left > next ? most_unseen : 0;
            m->hard = 0;
        }
        __syncthreads();
    }
    longest = __reduce_max_sync(~0u, longest);
    if (lane_id() == 0 && longest) atomicMax(&now->max_leaf, longest);
}

#endif
