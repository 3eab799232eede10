/* SPDX-License-Identifier: MIT */
/* One-pass binning of buckets, which suffices for most buckets. A block scatters the points of a bucket once, to 512
 * bins by the next three levels, or to 64 bins by two levels. If bins have at most K points, a leaf is a bin, or an
 * octant of 8, of 64 or of all bins. The numbers of points in the bins determine the leaves. The block splits a few
 * bins of more points (octree_dense.cuh). Afterwards the block no longer needs the keys. The points' numbers stay in
 * registers until the block knows their positions. The block defers all other buckets to octree_divide.cuh, which needs
 * more memory and registers. */
#ifndef GWS_KERNELS_CUDA_OCTREE_ONE_PASS_CUH
#define GWS_KERNELS_CUDA_OCTREE_ONE_PASS_CUH

#include "octree_dense.cuh"

/* Packs the position of each bin within its 32 bins, and the bin's count, into one word. */
template <typename kind> inside void sum_bins(const one_pass<kind> &s)
{
#pragma unroll 1
    for (u32 c = warp_id(); c < s.chunks; c += kind::threads / 32) {
        u32 mine = s.bin[32 * c + lane_id()], up_to = scan_warp(mine);
        s.bin[32 * c + lane_id()] = mine << 16 | (up_to - mine);
        if (lane_id() == 31) s.m->sum[c] = up_to;
        if (mine > s.a->leaf) record_dense(s, 32 * c + lane_id());
    }
}

/* Returns the number of points before each 32 bins, one sum per lane. */
template <typename kind> inside u32 sums_before(const one_pass<kind> &s)
{
    u32 mine = lane_id() < s.chunks ? s.m->sum[lane_id()] : 0;
    return scan_warp(mine) - mine;
}

/* The numbers of points and the beginnings of a bin and of the octants of 8 and of 64 bins that contain the bin. */
struct around {
    u32 points[3], from[3];
};

inside around look_around(u32 word, u32 before, u32 c, u32 pair_end)
{
    u32 count = word >> 16, eight = sum_of_eight(count), place = __shfl_sync(~0u, before, c) + (word & 0xffff);
    u32 of_pair = __shfl_sync(~0u, before, c & ~1u);
    return {{count, eight, pair_end - of_pair}, {place, __shfl_sync(~0u, place, lane_id() & ~7u), of_pair}};
}

/* Counts the nodes that 32 bins open, by level. The first bin of an octant opens its node if the octant has points and
 * its parent has more than K. up: the number of levels from the bin up to its leaf. */
template <typename kind> inside void count_opened(const one_pass<kind> &s, u32 b, const around &at, u32 up)
{
#pragma unroll
    for (u32 above = 0; above < 3; above++) {
        bool opens = (b & ((1u << 3 * above) - 1)) == 0 && at.points[above] > 0 && up <= above;
        u32 all = __ballot_sync(~0u, opens);
        if (lane_id() == 0 && all && above < s.levels) atomicAdd(&s.m->opened[s.levels - above], (u32)__popc(all));
    }
}

/* Finds the leaf of each bin: the largest octant of at most K points that contains the bin. */
template <typename kind> inside void find_leaves(const one_pass<kind> &s, u32 before)
{
    one_pass_memory<kind> *m = s.m;
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

/* Returns the deepest level, from the bucket's level on, on which a bin and the last earlier bin with points are in one
 * octant. Returns -1 if no earlier bin has points. filled: a bit for each bin with points, 32 bins for each lane. */
template <typename kind> inside int shared_below(const one_pass<kind> &s, u32 b, u32 filled)
{
    u32 c = b / 32, here = __shfl_sync(~0u, filled, c) & lanes_below();
    u32 earlier = __ballot_sync(~0u, filled != 0) & ((1u << c) - 1);
    u32 last = earlier ? 31 - (u32)__clz((int)earlier) : 0, there = __shfl_sync(~0u, filled, last);
    if (!here && !earlier) return -1;
    u32 other = here ? 32 * c + 31 - (u32)__clz((int)here) : 32 * last + 31 - (u32)__clz((int)there);
    return (int)(3 * s.levels - 1 - (31 - (u32)__clz((int)(b ^ other)))) / 3;
}

/* Writes the leaves. The lane of a leaf's first bin writes the leaf. Returns the number of leaves to every lane. Raises
 * *longest to the maximum number of points in a leaf. parted: the bucket has dense bins. */
template <bool parted, typename kind> inside u32 write_leaves(const one_pass<kind> &s, record *leaves, u32 *longest)
{
    one_pass_memory<kind> *m = s.m;
    bool mine = lane_id() < s.chunks;
    u32 heads = mine ? m->heads[lane_id()] : 0, filled = mine ? m->filled[lane_id()] : 0;
    u32 own = (u32)__popc(heads) + (parted && mine ? m->dense.extra_leaves[lane_id()] : 0), up_to = scan_warp(own);
#pragma unroll 1
    for (u32 c = warp_id(); c < s.chunks; c += kind::threads / 32) {
        u32 b = 32 * c + lane_id(), word = m->leaf[b], chunk_heads = __shfl_sync(~0u, heads, c);
        u32 n = __shfl_sync(~0u, up_to - own, c) + (u32)__popc(chunk_heads & lanes_below());
        int below = shared_below(s, b, filled);
        int shared = below < 0 ? s.of.plan.shared : (int)s.of.plan.level + below;
        if (!(chunk_heads >> lane_id() & 1)) continue;
        u64 key = s.of.plan.key | (u64)b << (63 - 3 * (s.of.plan.level + s.levels));
        if (parted) n += extra_leaves_before(s, b);
        if (parted && s.bin[b] >> 16 > s.a->leaf)
            write_parts(s, b, key, shared, &leaves[n], longest);
        else
            write_record(s, word, key, s.of.plan.level + s.levels - (word & 3), shared, &leaves[n], longest);
    }
    return __shfl_sync(~0u, up_to, 31);
}

/* Writes the points of each leaf in the order of their numbers. For each point, a thread counts the smaller numbers in
 * the point's leaf. */
template <typename kind> inside void write_in_order(const one_pass<kind> &s, u32 *order)
{
    static constexpr u32 together = 4;
    const one_pass_memory<kind> *m = s.m;
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

/* Records the nodes of each level that the bucket opens, and its leaves. On its own level and above, a bucket opens a
 * node wherever the previous bucket is in another octant. */
template <typename kind> inside void record_nodes(const one_pass<kind> &s, u32 leaves, u32 *opened)
{
    int row = (int)threadIdx.x, below = row - (int)s.of.plan.level;
    if (row >= (int)rows) return;
    u32 nodes = below <= 0                   ? s.points > 0 && row > s.of.plan.shared
                : below <= (int)s.levels + 1 ? s.m->opened[below]
                                             : 0;
    opened[(u64)row * s.a->bucket_capacity + s.of.number] = row == key_levels + 1 ? leaves : nodes;
}

/* Defers a bucket to octree_divide.cuh. Returns the number of earlier deferred buckets of the same size. */
inside u32 defer_bucket(const params &a, const planned &of, u32 *lists, build_state *now)
{
    u32 all = size_of(of.end - of.plan.slot), size = all < hard_sizes ? all : hard_sizes - 1,
        place = atomicAdd(&now->hard[size], 1u);
    lists[(hard_lists + size) * a.bucket_capacity + place] = of.number;
    return place;
}

/* Counts the points in the bins, and stores the number, the bin and the rank of each point. */
template <typename kind> inside void count_bins(const one_pass<kind> &s, const item *slots, u32 *point, u32 *rank)
{
    u32 shift = 63 - 3 * (s.of.plan.level + s.levels), used = (1u << 3 * s.levels) - 1;
    static constexpr u32 at_once = 5; /* number of items that a thread loads at a time */
#pragma unroll
    for (u32 first = 0; first < kind::each; first += at_once) {
        u64 key[at_once];
#pragma unroll
        for (u32 k = first; k < first + at_once && k < kind::each; k++) {
            u32 i = k * kind::threads + threadIdx.x;
            key[k - first] = point[k] = rank[k] = 0; /* stops the compiler from keeping the old values */
            if (i < s.points) read_item(slots, i, &key[k - first], &point[k]);
        }
#pragma unroll
        for (u32 k = first; k < first + at_once && k < kind::each; k++) {
            u32 i = k * kind::threads + threadIdx.x;
            if (i >= s.points) continue;
            u32 bin = (u32)(key[k - first] >> shift) & used;
            rank[k] = bin << 16 | atomicAdd(&s.bin[bin], 1u);
        }
        __syncwarp(); /* limits the outstanding loads to the available registers */
    }
}

/* Writes the points to their positions. before: the result of sums_before(). */
template <typename kind>
inside void place_points(const one_pass<kind> &s, u32 before, const u32 *point, const u32 *rank)
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

/* The arrays that receive the results. */
struct one_pass_outputs {
    u32 *order;
    record *leaves;
    u32 *opened;
};

/* Bins one bucket. Returns false if the block must defer the bucket. The function also prefetches bucket `next`, which
 * comes after the next one. */
template <typename kind>
inside bool bin_bucket(const one_pass<kind> &s, u32 other, u32 next, const item *slots, const one_pass_outputs &to,
                       u32 *longest)
{
    one_pass_memory<kind> *m = s.m;
    u32 point[kind::each], rank[kind::each];
    count_bins(s, &slots[s.of.plan.slot], point, rank);
    __syncthreads(); /* all points are counted, and the last bucket is finished */
    u32 ahead = warp_id() == 0 ? number_of(m->list, __shfl_sync(~0u, next, 0)) : 0;
#pragma unroll
    for (u32 b = threadIdx.x; b < bins; b += kind::threads) m->bin[other][b] = 0;
    if (threadIdx.x < 5) m->opened[threadIdx.x] = 0;
    if (threadIdx.x == 0) m->dense.count[other] = 0;
    sum_bins(s);
    __syncthreads();
    if (warp_id() == 0) ahead = word_of(m->list, ahead);
    u32 before = sums_before(s);
    bool parted = *s.dense > 0;
    if (!parted)
        place_points(s, before, point, rank);
    else if (!part_dense(s, before, &slots[s.of.plan.slot], point, rank))
        return false;
    find_leaves(s, before);
    if (threadIdx.x < planned_words) ((u32 *)&m->at[other])[threadIdx.x] = ahead;
    __syncthreads();
    record *first = &to.leaves[s.of.plan.begin];
    u32 count = parted ? write_leaves<true>(s, first, longest) : write_leaves<false>(s, first, longest);
    record_nodes(s, count, to.opened);
    write_in_order(s, &to.order[s.of.plan.begin]);
    return true;
}

/* Bins buckets. A block takes the next bucket when it has finished one. While it must defer many buckets, the block
 * defers the next ones without reading them. */
template <typename kind>
inside void bin_buckets(const params &a, const listing &list, u32 *lists, const item *slots, const one_pass_outputs &to,
                        build_state *now, one_pass_memory<kind> *m)
{
    u32 longest = 0;
    for (u32 b = threadIdx.x; b < bins; b += kind::threads) m->bin[0][b] = 0;
    if (threadIdx.x == 0) m->hard = m->unseen = m->dense.count[0] = 0, m->list = list;
    if (threadIdx.x < planned_words) ((u32 *)&m->at[0])[threadIdx.x] = word_of(list, number_of(list, blockIdx.x));
    __syncthreads();
    for (u32 turn = 0; m->at[turn].number != all_done; turn ^= 1) {
        const planned &mine = m->at[turn];
        u32 next = threadIdx.x == 0 ? gridDim.x + atomicAdd(m->list.ticket, 1u) : 0;
        u32 points = mine.end - mine.plan.slot, levels = points > few_for_bins ? 3 : 2;
        one_pass<kind> s = {&a,   m,      m->bin[turn], &m->dense.count[turn],
                            mine, points, levels,       levels == 3 ? chunk_count : 2};
        bool looks = m->unseen == 0 && mine.plan.level + levels <= a.depth;
        if (looks && bin_bucket(s, turn ^ 1, next, slots, to, &longest)) continue;
        __syncthreads();
        for (u32 b = threadIdx.x; b < bins; b += kind::threads) m->bin[turn ^ 1][b] = 0;
        if (warp_id() == 0) {
            u32 ahead = word_of(m->list, number_of(m->list, __shfl_sync(~0u, next, 0)));
            if (lane_id() < planned_words) ((u32 *)&m->at[turn ^ 1])[lane_id()] = ahead;
        }
        if (threadIdx.x == 0) {
            u32 left = defer_bucket(a, mine, lists, now);
            m->unseen = m->unseen ? m->unseen - 1 : looks && 4 * left > next ? max_unseen : 0;
            m->hard = m->dense.count[turn ^ 1] = 0;
        }
        __syncthreads();
    }
    longest = warp_max(longest);
    if (lane_id() == 0 && longest) atomicMax(&now->max_leaf, longest);
}

#endif
