/* SPDX-License-Identifier: MIT */
/* Plans the buckets of a set of points. A bucket fits a block's shared memory. Buckets are octants of any level. A
 * sample determines them (Frazer, McKellar, J. ACM 1970), so dense regions have smaller buckets.
 * traversal/space/octree_plan.c does the same on the CPU. All blocks together build a trie of tables, three levels
 * each, in rounds. In each round, the blocks count the sample into the new tables. The thread that counts the first
 * sampled point beyond `few` in a bin makes a table for the bin. A round thus takes one barrier. When a round has made
 * no table, the blocks classify the other bins.
 *
 * A split octant holds more than `few` points, and `few` is at least K. So the octant is an inner node of the tree. */
#ifndef GWS_KERNELS_CUDA_OCTREE_PLAN_CUH
#define GWS_KERNELS_CUDA_OCTREE_PLAN_CUH

#include "octree_words.cuh"

static constexpr u32 roots = 8;

/* An entry of a table: a bucket's number, or a split, the complement of the next table's number. */
static constexpr u32 max_entry = (1u << 28) - 1;

/* The meaning of a count after the last round. A count is a split, as above, or a part of a bucket. For a part, the
 * fields are the number of levels from the table down to the bucket's octant, the octant's number of sampled points,
 * and whether this bin is the octant's first bin. */
static constexpr u32 is_split = 1u << 31, is_start = 1u << 30, levels_at = 28;

struct plan_state {
    const params *a;
    const item *sample;
    u32 *where;         /* the entry in the last round of each sampled point that no thread holds */
    u32 *count, *entry; /* bins for each table */
    bin_table *tables;
    bucket *buckets;
    u32 *cursor; /* cursor of each bucket */
    group *groups;
    build_state *now;
};

struct plan_memory {
    u64 slot, pair[bins / 32];
    u32 third[bins / 32], sum[33], before[bins + 1];
    u32 own[roots], counted[roots * bins]; /* hot tables of a round, and the block's own counts in these tables */
};

/* ---- tables ---- */

/* Returns the key of a bin's octant, which is `levels` levels below the octant of the table. */
inside u64 key_below(const params &a, u64 key, u32 level, u32 bin, u32 levels)
{
    for (u32 l = 0; l < levels && level + l < a.depth; l++)
        key |= (u64)(bin >> (6 - 3 * l) & 7) << (60 - 3 * (level + l));
    return key;
}

/* Makes a table for a bin and stores it in an entry. No thread reads the table before the next barrier. hot: the table
 * has a large part of the sample. */
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

/* Clears a new table. A build makes far fewer tables than the capacity, so clearing all of them first would cost
 * more. */
inside void clear_table(const plan_state &p, u32 t)
{
    for (u32 i = 4 * lane_id(); i < bins; i += 4 * 32) {
        *(uint4 *)&p.count[t * bins + i] = uint4{0, 0, 0, 0};
        *(uint4 *)&p.entry[t * bins + i] = uint4{0, 0, 0, 0};
    }
}

/* Makes a table for each lane with `wanted` set. All lanes of the warp call this function. */
inside void make_tables(const plan_state &p, u32 round, bool wanted, u32 at, bool hot)
{
    if (!__any_sync(~0u, wanted)) return;
    u32 made = wanted ? make_table(p, round, at, hot) : ~0u;
    for (u32 rest = __ballot_sync(~0u, made != ~0u); rest; rest &= rest - 1)
        clear_table(p, __shfl_sync(~0u, made, __ffs((int)rest) - 1));
}

/* ---- counting ---- */

/* A sampled point, and its entry in the last round (nowhere: the point is finished). */
struct sampled {
    u64 key;
    u32 point, at;
};
static constexpr u32 nowhere = ~0u;
static constexpr u32 held = 4; /* number of sampled points that a thread holds between rounds */

/* Returns the entry that the last round has stored for a sampled point. The threads read few different entries, so the
 * reads use the L1 cache. L1 holds no older values, because no thread reads a round's entries before the barrier of
 * that round. */
inside u32 next_of(const plan_state &p, u32 round, const sampled &s)
{
    if (round == 0) return s.key != no_key ? ~(u32)(s.key >> 60) : 0;
    return s.at != nowhere ? p.entry[s.at] : 0;
}

/* Returns the point's entry in this round. */
inside u32 entry_of(const plan_state &p, u32 round, const sampled &s, u32 next)
{
    return next & is_split ? ~next * bins + bin_of(*p.a, s.key, s.point, 1 + 3 * round) : nowhere;
}

/* Returns the hot table that an entry belongs to, or `roots` if there is none. Hot tables have a large part of the
 * sample. A few of their bins may have most points, so each block has its own counts for hot tables. */
inside u32 own_of(const plan_memory *m, u32 at)
{
    u32 own = roots;
#pragma unroll
    for (u32 k = 0; k < roots; k++)
        if (m->own[k] == at / bins) own = k;
    return own;
}

/* Counts a sampled point. If the count is global, returns its previous value. */
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

/* Adds the block's own counts to the global counts. A table with a 64th of the sample is hot. */
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

/* Counts the sample into the tables of a round. The entries of the last round lead to these tables. */
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

/* Computes the exclusive prefix sum of the table's counts. All 512 threads of a block call this function. */
inside void sum_counts(const plan_state &p, u32 t, plan_memory *m)
{
    m->before[threadIdx.x] = scan_block(fresh(&p.count[t * bins + threadIdx.x]), m->sum);
    if (threadIdx.x == 0) m->before[bins] = m->sum[32];
    __syncthreads();
}

/* Decides which octants of a table are buckets, and adds their number to the counts of the table and of the tables
 * above it. */
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

/* Runs rounds until a round makes no table, then classifies the bins. Returns the number of tables. */
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
