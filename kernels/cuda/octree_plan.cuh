/* SPDX-License-Identifier: MIT */
/* Plans how to cut a set of points into buckets that fit a block's shared memory. Buckets are octants of any level,
 * found from a sample (Frazer, McKellar, J. ACM 1970; traversal/space/octree_plan.c does the same on the CPU). So dense
 * regions are cut more finely. All blocks together build a trie of tables, three levels each, in rounds: they count the
 * sample into the new tables, and the thread that counts the first sampled point beyond `few` in a bin makes a table
 * for the bin. So a round takes one barrier. The other bins are classified when a round has made no table.
 *
 * An octant that is cut holds more than `few` points, and `few` is at least K: so it is an inner node of the tree. */
#ifndef GWS_KERNELS_CUDA_OCTREE_PLAN_CUH
#define GWS_KERNELS_CUDA_OCTREE_PLAN_CUH

#include "octree_words.cuh"

static constexpr u32 roots = 8;

/* An entry of a table: a bucket's number, or a split, the complement of the next table's number. */
static constexpr u32 max_entry = (1u << 28) - 1;

/* The meaning of a count after the last round: a split, as above; or a part of a bucket: the bucket's octant is this
 * many levels below the table, has this many sampled points, and this is its first bin. */
static constexpr u32 is_split = 1u << 31, is_start = 1u << 30, levels_at = 28;

struct plan_state {
    const params *a;
    const item *sample;
    u32 *where;         /* for each sampled point that no thread holds: its entry in the last round */
    u32 *count, *entry; /* bins for each table */
    bin_table *tables;
    bucket *buckets;
    u32 *cursor; /* of each bucket */
    group *groups;
    build_state *now;
};

struct plan_memory {
    u64 slot, pair[bins / 32];
    u32 third[bins / 32], sum[33], before[bins + 1];
    u32 own[roots],
        counted[roots * bins]; /* tables of a round with a large part of the sample; a block's own counts in them */
};

/* ---- tables ---- */

/* The key of a bin's octant, `levels` levels below a table's. */
inside u64 key_below(const params &a, u64 key, u32 level, u32 bin, u32 levels)
{
    for (u32 l = 0; l < levels && level + l < a.depth; l++)
        key |= (u64)(bin >> (6 - 3 * l) & 7) << (60 - 3 * (level + l));
    return key;
}

/* Makes a table for a bin, at an entry. No thread reads it before the next barrier. hot: it has a large part of the
 * sample. */
inside u32 make_table(const plan_state &p, u32 round, u32 at, bool hot)
{
    const bin_table *from = &p.tables[at / bins];
    u32 made = atomicAdd(&p.now->tables, 1u);
    if (made >= p.a->table_capacity || round + 1 >= max_rounds) {
        p.now->failed = 1;
        return ~0u;
    }
    bin_table *t = &p.tables[made];
    u32 level = 1 + 3 * round;
    t->key = key_below(*p.a, __ldcg(&from->key), level, at % bins, 3);
    t->level = level + 3;
    t->buckets = 0;
#pragma unroll
    for (u32 r = 0; r < max_rounds; r++) t->above[r] = r < round ? fresh(&from->above[r]) : r == round ? at : 0;
    p.entry[at] = ~made;
    u32 place = hot ? atomicAdd(&p.now->hots[round + 1], 1u) : roots;
    if (place < roots) p.now->hot[round + 1][place] = made;
    return made;
}

/* Tables are cleared when they are made, as there are far fewer tables than the capacity. */
inside void clear_table(const plan_state &p, u32 t)
{
    for (u32 i = 4 * lane_id(); i < bins; i += 4 * 32) {
        *(uint4 *)&p.count[t * bins + i] = uint4{0, 0, 0, 0};
        *(uint4 *)&p.entry[t * bins + i] = uint4{0, 0, 0, 0};
    }
}

/* Each lane with `wanted` set makes a table; all lanes of the warp call this. */
inside void make_tables(const plan_state &p, u32 round, bool wanted, u32 at, bool hot)
{
    if (!__any_sync(~0u, wanted)) return;
    u32 made = wanted ? make_table(p, round, at, hot) : ~0u;
    for (u32 rest = __ballot_sync(~0u, made != ~0u); rest; rest &= rest - 1)
        clear_table(p, __shfl_sync(~0u, made, __ffs((int)rest) - 1));
}

/* ---- counting ---- */

/* A sampled point, and its entry in the last round; nowhere: finished. */
struct sampled {
    u64 key;
    u32 point, at;
};
static constexpr u32 nowhere = ~0u;
static constexpr u32 held = 4; /* sampled points that a thread holds between rounds */

/* The entry that the last round has left for a sampled point. Most threads read few entries, so the reads go through
 * the L1 cache. L1 holds nothing older: no thread reads a round's entries before the barrier of that round. */
inside u32 next_of(const plan_state &p, u32 round, const sampled &s)
{
    if (round == 0) return s.key != no_key ? ~(u32)(s.key >> 60) : 0;
    return s.at != nowhere ? p.entry[s.at] : 0;
}

/* The point's entry in this round. */
inside u32 entry_of(const plan_state &p, u32 round, const sampled &s, u32 next)
{
    return next & is_split ? ~next * bins + bin_of(*p.a, s.key, s.point, 1 + 3 * round) : nowhere;
}

/* A few bins may have most points. So each block counts for itself in the tables with a large part of the sample.
 * Returns which of these tables an entry belongs to; roots: none. */
inside u32 own_of(const plan_memory *m, u32 at)
{
    u32 own = roots;
#pragma unroll
    for (u32 k = 0; k < roots; k++)
        if (m->own[k] == at / bins) own = k;
    return own;
}

/* Counts a sampled point. Returns the global count before, if the point is counted there. */
inside u32 count_sampled(const plan_state &p, u32 at, plan_memory *m)
{
    u32 own = own_of(m, at);
    if (own < roots) atomicAdd(&m->counted[own * bins + at % bins], 1u);
    return count_one(p.count, at, at != nowhere && own == roots);
}

inside bool needs_table(const plan_state &p, const plan_memory *m, u32 at, u32 found)
{
    return at != nowhere && found == p.a->few && own_of(m, at) == roots;
}

/* Adds the block's own counts to the global ones. A table with a 64th of the sample is hot. */
inside void add_counted(const plan_state &p, u32 round, const plan_memory *m)
{
    u32 mine[roots], found[roots], much = p.a->samples / gridDim.x / 64;
#pragma unroll
    for (u32 k = 0; k < roots; k++) {
        mine[k] = m->counted[k * bins + threadIdx.x];
        found[k] = mine[k] ? atomicAdd(&p.count[m->own[k] * bins + threadIdx.x], mine[k]) : 0;
    }
#pragma unroll
    for (u32 k = 0; k < roots; k++) {
        bool wanted = found[k] <= p.a->few && found[k] + mine[k] > p.a->few;
        make_tables(p, round, wanted, m->own[k] * bins + threadIdx.x, mine[k] >= much);
    }
}

inside sampled load_sampled(const plan_state &p, u32 i, u32 round)
{
    if (i >= p.a->samples) return {no_key, 0, nowhere};
    item it = p.sample[i];
    return {it.key, it.point, round ? p.where[i] : nowhere};
}

/* Counts the sample into the tables of a round, whose entries are those of the last round. */
inside void count_samples(const plan_state &p, u32 round, sampled *mine, plan_memory *m)
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
        make_tables(p, round, needs_table(p, m, at, count_sampled(p, at, m)), at, false);
    }
#pragma unroll
    for (u32 k = 0; k < held; k++) make_tables(p, round, needs_table(p, m, mine[k].at, found[k]), mine[k].at, false);
    __syncthreads();
    add_counted(p, round, m);
}

/* ---- classifying the bins of a table ---- */

inside u32 samples_in(const plan_memory *m, u32 bin, u32 levels)
{
    u32 size = bins >> 3 * levels, from = bin & ~(size - 1);
    return m->before[from + size] - m->before[from];
}

/* Exclusive prefix sum of the table's counts; all 512 threads of a block. */
inside void sum_counts(const plan_state &p, u32 t, plan_memory *m)
{
    m->before[threadIdx.x] = scan_block(fresh(&p.count[t * bins + threadIdx.x]), m->sum);
    if (threadIdx.x == 0) m->before[bins] = m->sum[32];
    __syncthreads();
}

/* Decides which octants of a table are buckets, and adds their number to the table and to those above it. */
inside void find_bucket_octants(const plan_state &p, u32 t, plan_memory *m)
{
    u32 bin = threadIdx.x, at = t * bins + bin, entry = fresh(&p.entry[at]), levels = 0;
    u32 above = bin < max_rounds ? fresh(&p.tables[t].above[bin]) / bins : 0, round = fresh(&p.tables[t].level) / 3;
    sum_counts(p, t, m);
    while (levels < 3 && samples_in(m, bin, levels) > p.a->few) levels++;
    bool start = !(entry & is_split) && (bin & ((bins >> 3 * levels) - 1)) == 0;
    u32 part = (start ? is_start : 0) | levels << levels_at | samples_in(m, bin, levels);
    p.count[at] = entry & is_split ? entry : part;
    u32 starts = (u32)__syncthreads_count(start);
    if (round == 0 && bin == 0) atomicAdd(&p.now->sampled, m->before[bins]);
    if (bin <= round) atomicAdd(&p.tables[bin < round ? above : t].buckets, starts);
}

/* Runs rounds until no table is new, then classifies the bins. Returns the number of tables. */
inside u32 build_tables(const plan_state &p, barrier *all, plan_memory *m)
{
    sampled mine[held];
    u32 self = blockIdx.x * blockDim.x + threadIdx.x, first = 0, end = roots;
#pragma unroll
    for (u32 k = 0; k < held; k++) mine[k] = load_sampled(p, self + k * gridDim.x * blockDim.x, 0);
    for (u32 round = 0; first < end; round++) {
        count_samples(p, round, mine, m);
        barrier_wait(all);
        first = end;
        end = min(fresh(&p.now->tables), p.a->table_capacity);
    }
    for (u32 t = blockIdx.x; t < end; t += gridDim.x) find_bucket_octants(p, t, m);
    barrier_wait(all);
    return end;
}

#endif
