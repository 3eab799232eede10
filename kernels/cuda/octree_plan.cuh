/* SPDX-License-Identifier: MIT */
/* Where to cut a set of points into buckets that fit a block's shared memory: octants of any level, found from a sample
 * (as traversal/space/octree_deal.h does it on the CPU; Frazer, McKellar, J. ACM 1970), so that dense spots are cut
 * more finely. A trie of tables, three levels each, is grown round by round, all blocks together: the sample is counted
 * into the tables that are new, and who counts a bin's first sampled point too many makes a table for it. So a round
 * takes one barrier. What the other bins are is found when no table is new.
 *
 * An octant that is cut holds more than few points, and few is at least K: it is a divided node of the tree for sure.
 */
#ifndef GWS_KERNELS_CUDA_OCTREE_PLAN_CUH
#define GWS_KERNELS_CUDA_OCTREE_PLAN_CUH

#include "octree_words.cuh"

static constexpr u32 roots = 8;

/* An entry of a table: a bucket's number, or a split: the next table's, all bits turned over. */
static constexpr u32 most_entry = (1u << 28) - 1;

/* What becomes of a count when all is counted: a split, as above; or a part of a bucket: how many levels below the
 * table the bucket's octant is, how many sampled points that has, and whether this is its first bin. */
static constexpr u32 is_split = 1u << 31, is_start = 1u << 30, levels_at = 28;

struct plan {
    const asked *a;
    const item *sample;
    u32 *where;         /* of each sampled point that no thread holds: its entry in the last round */
    u32 *count, *entry; /* bins for each table */
    table *tables;
    bucket *buckets;
    u32 *cursor; /* of each bucket */
    group *groups;
    build *now;
};

struct plan_memory {
    u64 slot, pair[bins / 32];
    u32 third[bins / 32], sum[33], before[bins + 1];
    u32 own[roots],
        counted[roots * bins]; /* tables of a round that have much of the sample; a block's counts in them */
};

/* ---- tables ---- */

/* The key of a bin's octant some levels below a table's. */
inside u64 key_below(const asked &a, u64 key, u32 level, u32 bin, u32 levels)
{
    for (u32 l = 0; l < levels && level + l < a.depth; l++)
        key |= (u64)(bin >> (6 - 3 * l) & 7) << (60 - 3 * (level + l));
    return key;
}

/* A table for a bin, at an entry. Nobody looks at it before the next barrier. hot: it has much of the sample. */
inside u32 make_table(const plan &p, u32 round, u32 at, bool hot)
{
    const table *from = &p.tables[at / bins];
    u32 made = atomicAdd(&p.now->tables, 1u);
    if (made >= p.a->table_room || round + 1 >= most_rounds) {
        p.now->failed = 1;
        return ~0u;
    }
    table *t = &p.tables[made];
    u32 level = 1 + 3 * round;
    t->key = key_below(*p.a, __ldcg(&from->key), level, at % bins, 3);
    t->level = level + 3;
    t->buckets = 0;
#pragma unroll
    for (u32 r = 0; r < most_rounds; r++) t->above[r] = r < round ? fresh(&from->above[r]) : r == round ? at : 0;
    p.entry[at] = ~made;
    u32 place = hot ? atomicAdd(&p.now->hots[round + 1], 1u) : roots;
    if (place < roots) p.now->hot[round + 1][place] = made;
    return made;
}

/* Tables are cleared when they are made, as there are far fewer than there is room for. */
inside void clear_table(const plan &p, u32 t)
{
    for (u32 i = 4 * lane_id(); i < bins; i += 4 * 32) {
        *(uint4 *)&p.count[t * bins + i] = uint4{0, 0, 0, 0};
        *(uint4 *)&p.entry[t * bins + i] = uint4{0, 0, 0, 0};
    }
}

/* Each lane that asks makes a table; all of the warp call it. */
inside void make_tables(const plan &p, u32 round, bool asks, u32 at, bool hot)
{
    if (!__any_sync(~0u, asks)) return;
    u32 made = asks ? make_table(p, round, at, hot) : ~0u;
    for (u32 rest = __ballot_sync(~0u, made != ~0u); rest; rest &= rest - 1)
        clear_table(p, __shfl_sync(~0u, made, __ffs((int)rest) - 1));
}

/* ---- counting ---- */

/* A sampled point, and its entry in the last round; nowhere: it is done. */
struct sampled {
    u64 key;
    u32 point, at;
};
static constexpr u32 nowhere = ~0u;
static constexpr u32 held = 4; /* sampled points that a thread keeps from one round to the next */

/* What the last round has found for it. Most look at few entries, so these are read by way of the first cache: it has
 * nothing older, as a round's entries are not looked at before its barrier. */
inside u32 next_of(const plan &p, u32 round, const sampled &s)
{
    if (round == 0) return s.key != no_key ? ~(u32)(s.key >> 60) : 0;
    return s.at != nowhere ? p.entry[s.at] : 0;
}

/* Its entry in this round. */
inside u32 entry_of(const plan &p, u32 round, const sampled &s, u32 next)
{
    return next & is_split ? ~next * bins + bin_of(*p.a, s.key, s.point, 1 + 3 * round) : nowhere;
}

/* Few bins may have most points: in tables that have much of the sample each block counts for itself. Which of these an
 * entry is of; roots: none. */
inside u32 own_of(const plan_memory *m, u32 at)
{
    u32 own = roots;
#pragma unroll
    for (u32 k = 0; k < roots; k++)
        if (m->own[k] == at / bins) own = k;
    return own;
}

/* What the count that all have was before, where it is counted there. */
inside u32 count_sampled(const plan &p, u32 at, plan_memory *m)
{
    u32 own = own_of(m, at);
    if (own < roots) atomicAdd(&m->counted[own * bins + at % bins], 1u);
    return count_one(p.count, at, at != nowhere && own == roots);
}

inside bool asks_for_table(const plan &p, const plan_memory *m, u32 at, u32 found)
{
    return at != nowhere && found == p.a->few && own_of(m, at) == roots;
}

/* What the block counted for itself, to what all count. Much is a 64th. */
inside void add_counted(const plan &p, u32 round, const plan_memory *m)
{
    u32 mine[roots], found[roots], much = p.a->samples / gridDim.x / 64;
#pragma unroll
    for (u32 k = 0; k < roots; k++) {
        mine[k] = m->counted[k * bins + threadIdx.x];
        found[k] = mine[k] ? atomicAdd(&p.count[m->own[k] * bins + threadIdx.x], mine[k]) : 0;
    }
#pragma unroll
    for (u32 k = 0; k < roots; k++) {
        bool asks = found[k] <= p.a->few && found[k] + mine[k] > p.a->few;
        make_tables(p, round, asks, m->own[k] * bins + threadIdx.x, mine[k] >= much);
    }
}

inside sampled load_sampled(const plan &p, u32 i, u32 round)
{
    if (i >= p.a->samples) return {no_key, 0, nowhere};
    item it = p.sample[i];
    return {it.key, it.point, round ? p.where[i] : nowhere};
}

/* Counts the sample into the tables of a round, whose entries are those from the last one. */
inside void count_samples(const plan &p, u32 round, sampled *mine, plan_memory *m)
{
    u32 threads = gridDim.x * blockDim.x, self = blockIdx.x * blockDim.x + threadIdx.x, found[held];
    u32 all = (p.a->samples + 31) / 32 * 32;
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) m->counted[i] = 0;
    if (threadIdx.x < roots) m->own[threadIdx.x] = round ? fresh(&p.now->hot[round][threadIdx.x]) : threadIdx.x;
#pragma unroll
    for (u32 k = 0; k < held; k++) found[k] = next_of(p, round, mine[k]);
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < held; k++) {
        mine[k].at = entry_of(p, round, mine[k], found[k]);
        found[k] = count_sampled(p, mine[k].at, m);
    }
    for (u32 i = held * threads + self; i < all; i += threads) {
        sampled s = load_sampled(p, i, round);
        u32 at = entry_of(p, round, s, next_of(p, round, s));
        if (i < p.a->samples) p.where[i] = at;
        make_tables(p, round, asks_for_table(p, m, at, count_sampled(p, at, m)), at, false);
    }
#pragma unroll
    for (u32 k = 0; k < held; k++) make_tables(p, round, asks_for_table(p, m, mine[k].at, found[k]), mine[k].at, false);
    __syncthreads();
    add_counted(p, round, m);
}

/* ---- what the bins of a table are ---- */

inside u32 samples_in(const plan_memory *m, u32 bin, u32 levels)
{
    u32 size = bins >> 3 * levels, from = bin & ~(size - 1);
    return m->before[from + size] - m->before[from];
}

/* Sums of the table's counts before each bin; all threads of a block of 512. */
inside void sum_counts(const plan &p, u32 t, plan_memory *m)
{
    m->before[threadIdx.x] = scan_block(fresh(&p.count[t * bins + threadIdx.x]), m->sum);
    if (threadIdx.x == 0) m->before[bins] = m->sum[32];
    __syncthreads();
}

/* Which octants of a table are buckets; how many, to the table and those above. */
inside void decide(const plan &p, u32 t, plan_memory *m)
{
    u32 bin = threadIdx.x, at = t * bins + bin, entry = fresh(&p.entry[at]), levels = 0;
    u32 above = bin < most_rounds ? fresh(&p.tables[t].above[bin]) / bins : 0, round = fresh(&p.tables[t].level) / 3;
    sum_counts(p, t, m);
    while (levels < 3 && samples_in(m, bin, levels) > p.a->few) levels++;
    bool start = !(entry & is_split) && (bin & ((bins >> 3 * levels) - 1)) == 0;
    u32 part = (start ? is_start : 0) | levels << levels_at | samples_in(m, bin, levels);
    p.count[at] = entry & is_split ? entry : part;
    u32 starts = (u32)__syncthreads_count(start);
    if (round == 0 && bin == 0) atomicAdd(&p.now->sampled, m->before[bins]);
    if (bin <= round) atomicAdd(&p.tables[bin < round ? above : t].buckets, starts);
}

/* Rounds until no table is new, then what their bins are. How many tables. */
inside u32 grow_tables(const plan &p, barrier *all, plan_memory *m)
{
    sampled mine[held];
    u32 self = blockIdx.x * blockDim.x + threadIdx.x, first = 0, end = roots;
#pragma unroll
    for (u32 k = 0; k < held; k++) mine[k] = load_sampled(p, self + k * gridDim.x * blockDim.x, 0);
    for (u32 round = 0; first < end; round++) {
        count_samples(p, round, mine, m);
        barrier_wait(all);
        first = end;
        end = min(fresh(&p.now->tables), p.a->table_room);
    }
    for (u32 t = blockIdx.x; t < end; t += gridDim.x) decide(p, t, m);
    barrier_wait(all);
    return end;
}

#endif
