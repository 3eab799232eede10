/* SPDX-License-Identifier: MIT */
/* Where to cut a set of points into buckets that fit a block's shared memory: octants of any level, found from a sample
 * (as traversal/space/octree_plan.h does it on the CPU; Frazer, McKellar, J. ACM 1970), so that dense spots are cut
 * more finely. A trie of tables, three levels each, is grown round by round, all blocks together: the sample is counted
 * into the tables that are new, and bins of more than few sampled points get a table of their own.
 *
 * An octant that is cut holds more than few points, and few is at least K: it is a divided node of the tree for sure.
 */
#ifndef GWS_KERNELS_CUDA_OCTREE_PLAN_CUH
#define GWS_KERNELS_CUDA_OCTREE_PLAN_CUH

#include "octree_words.cuh"

static constexpr u32 roots = 8;
static constexpr u32 most_rounds = 16; /* of three levels: 21 and as many as a number of 32 bits needs */

/* An entry of a table: a bucket's number, or a split: this flag and the next table's. While the plan is made, it is
 * what leads to a bucket: how many levels below the table the octant is, and whether this is its first bin. */
static constexpr u32 is_split = 1u << 31, is_start = 1u << 30, entry_mask = (1u << 28) - 1;

struct plan {
    const asked *a;
    const item *sample;
    u32 *where;         /* of each sampled point: its entry in the last round */
    u32 *count, *entry; /* bins for each table */
    table *tables;
    bucket *buckets;
    u32 *cursor; /* of each bucket */
    group *groups;
    build *now;
};

/* A table as another block may have written it. */
inside table table_at(const plan &p, u32 t)
{
    const table *at = &p.tables[t];
    return {__ldcg(&at->key), fresh(&at->level), fresh(&at->first), fresh(&at->buckets), 0};
}

struct plan_memory {
    u32 before[bins + 1];
    u32 sum[33];
    u32 made[bins], many;   /* tables that a block makes at once */
    u32 root[roots * bins]; /* a block's counts of the first round */
};

/* Where a sampled point is counted in a round: ~0: nowhere. */
inside u32 count_at(const plan &p, u32 round, u32 i)
{
    item mine = p.sample[i];
    u32 next = round == 0 ? is_split | (u32)(mine.key >> 60) : p.where[i] == ~0u ? 0 : fresh(&p.entry[p.where[i]]);
    if (mine.key == no_key || !(next & is_split)) return ~0u;
    return (next & entry_mask) * bins + bin_of(*p.a, mine.key, mine.point, 1 + 3 * round);
}

inside void count_samples(const plan &p, u32 round, u32 *count)
{
    u32 threads = gridDim.x * blockDim.x, all = (p.a->samples + 31) / 32 * 32;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += threads) {
        u32 at = i < p.a->samples ? count_at(p, round, i) : ~0u;
        if (i < p.a->samples) p.where[i] = at;
        (void)count_one(count, at, at != ~0u);
    }
}

/* The first round's few bins, of which some may have most points, each block counts for itself. */
inside void count_roots(const plan &p, plan_memory *m)
{
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x) m->root[i] = 0;
    __syncthreads();
    count_samples(p, 0, m->root);
    __syncthreads();
    for (u32 i = threadIdx.x; i < roots * bins; i += blockDim.x)
        if (m->root[i]) atomicAdd(&p.count[i], m->root[i]);
}

/* The key of a bin's octant some levels below a table. */
inside u64 key_below(const asked &a, const table &t, u32 bin, u32 levels)
{
    u64 key = t.key;
    for (u32 l = 0; l < levels && t.level + l < a.depth; l++)
        key |= (u64)(bin >> (6 - 3 * l) & 7) << (60 - 3 * (t.level + l));
    return key;
}

/* Sums of the table's counts before each bin; all threads of a block of 512. */
inside void sum_counts(const plan &p, u32 t, plan_memory *m)
{
    u32 before = scan_block(fresh(&p.count[t * bins + threadIdx.x]), m->sum);
    m->before[threadIdx.x] = before;
    if (threadIdx.x == 0) m->before[bins] = m->sum[32];
    __syncthreads();
}

inside u32 samples_in(const plan_memory *m, u32 bin, u32 levels)
{
    u32 size = bins >> 3 * levels, from = bin & ~(size - 1);
    return m->before[from + size] - m->before[from];
}

/* Tables are cleared when they are made, as there are far fewer than there is room for. */
inside void clear_made(const plan &p, const plan_memory *m)
{
    __syncthreads();
    for (u32 i = 0; i < m->many; i++) p.count[m->made[i] * bins + threadIdx.x] = 0;
    __syncthreads();
}

/* A table's number; none where there is no more room. */
inside u32 make_table(const plan &p, plan_memory *m)
{
    u32 made = atomicAdd(&p.now->tables, 1u);
    if (made < p.a->table_room) {
        m->made[atomicAdd(&m->many, 1u)] = made;
        return made;
    }
    p.now->failed = 1;
    return entry_mask;
}

/* Which octants of a table are buckets, and which bins get tables. */
inside void decide(const plan &p, u32 t, plan_memory *m)
{
    if (threadIdx.x == 0) m->many = 0;
    sum_counts(p, t, m);
    u32 bin = threadIdx.x, levels = 0, made = entry_mask;
    while (levels <= 3 && samples_in(m, bin, levels) > p.a->few) levels++;
    if (levels > 3) made = make_table(p, m);
    table mine = table_at(p, t);
    if (made != entry_mask) {
        p.tables[made] = {key_below(*p.a, mine, bin, 3), mine.level + 3, 0, 0, 0};
        p.entry[t * bins + bin] = is_split | made;
    } else {
        levels = levels < 3 ? levels : 3;
        bool start = (bin & ((bins >> 3 * levels) - 1)) == 0;
        p.entry[t * bins + bin] = (start ? is_start : 0) | levels;
    }
    clear_made(p, m);
}

/* How many buckets lie in a bin: those of its table, or the one that begins there. */
inside u32 buckets_of(const plan &p, u32 entry)
{
    if (entry & is_split) return fresh(&p.tables[entry & entry_mask].buckets);
    return entry & is_start ? 1 : 0;
}

inside void sum_buckets(const plan &p, u32 t, plan_memory *m)
{
    (void)scan_block(buckets_of(p, fresh(&p.entry[t * bins + threadIdx.x])), m->sum);
    if (threadIdx.x == 0) p.tables[t].buckets = m->sum[32];
}

/* Room for what a bucket may hold, judging by its sample; exact when all points are in it. */
inside u32 room_of(const asked &a, u32 sampled, u32 most)
{
    if (a.stride == a.run) return sampled;
    float likely = (float)sampled + 6 * sqrtf((float)sampled) + 16;
    u32 room = (u32)(likely * (float)(a.stride / a.run));
    return room < most ? room : most;
}

inside void make_bucket(const plan &p, u32 b, u64 key, u32 level, u32 sampled, u32 room)
{
    u64 slot = atomicAdd(&p.now->slots, (u64)room);
    if (b >= p.a->bucket_room || slot + room > p.a->slot_room) {
        p.now->failed = 1;
        return;
    }
    p.buckets[b] = {key, level, (u32)slot, room, 0, 0, 0};
    p.cursor[b] = (u32)slot;
    if (p.a->staged_room) atomicAdd(&p.groups[b >> fresh(&p.now->group_shift)].sampled, sampled);
}

/* Numbers the buckets of a table, and says where those of its tables begin. */
inside void number_buckets(const plan &p, u32 t, plan_memory *m)
{
    u32 bin = threadIdx.x, entry = fresh(&p.entry[t * bins + bin]);
    sum_counts(p, t, m);
    u32 levels = entry & 3, sampled = entry & is_split ? 0 : samples_in(m, bin, levels);
    table mine = table_at(p, t);
    u32 before = mine.first + scan_block(buckets_of(p, entry), m->sum);
    m->before[bin] = before;
    __syncthreads();
    if (entry & is_split) {
        p.tables[entry & entry_mask].first = before;
    } else {
        u32 start = bin & ~((bins >> 3 * levels) - 1), b = m->before[start];
        p.entry[t * bins + bin] = b < entry_mask ? b : entry_mask;
        if (start == bin)
            make_bucket(p, b, key_below(*p.a, mine, bin, levels), mine.level + levels, sampled,
                        room_of(*p.a, sampled, most_bucket));
    }
    __syncthreads();
}

/* All points in one bucket. */
inside void one_bucket(const plan &p)
{
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < roots * bins; i += gridDim.x * blockDim.x) p.entry[i] = 0;
    if (blockIdx.x || threadIdx.x) return;
    p.now->buckets = 1;
    make_bucket(p, 0, 0, 0, 0, p.a->points < most_bucket ? p.a->points : most_bucket);
}

/* Sampled points in all; every block finds the same. */
inside u32 sampled_in_all(const plan &p, plan_memory *m)
{
    u32 mine = 0;
    for (u32 i = threadIdx.x; i < roots * bins; i += bins) mine += fresh(&p.count[i]);
    (void)scan_block(mine, m->sum);
    return m->sum[32];
}

/* Rounds until no table is new; in begin[r] the first table of round r. How many rounds. */
inside u32 grow_tables(const plan &p, barrier *all, u32 *begin, plan_memory *m)
{
    u32 rounds = 0;
    begin[0] = 0;
    begin[1] = roots;
    for (;;) {
        if (rounds == 0)
            count_roots(p, m);
        else
            count_samples(p, rounds, p.count);
        barrier_wait(all);
        if (rounds == 0 && sampled_in_all(p, m) <= p.a->few) return 0;
        for (u32 t = begin[rounds] + blockIdx.x; t < begin[rounds + 1]; t += gridDim.x) decide(p, t, m);
        barrier_wait(all);
        u32 tables = fresh(&p.now->tables), last = begin[rounds + 1];
        rounds++;
        if (tables > p.a->table_room) tables = p.a->table_room;
        if (tables == last || rounds + 1 == most_rounds) return rounds;
        begin[rounds + 1] = tables;
    }
}

inside void number_all(const plan &p, barrier *all, const u32 *begin, u32 rounds, plan_memory *m)
{
    for (u32 r = rounds; r-- > 0;) {
        for (u32 t = begin[r] + blockIdx.x; t < begin[r + 1]; t += gridDim.x) sum_buckets(p, t, m);
        barrier_wait(all);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        u32 first = 0;
        for (u32 t = 0; t < roots; t++) {
            p.tables[t].first = first;
            first += fresh(&p.tables[t].buckets);
        }
        p.now->buckets = first;
        if (first > p.a->bucket_room) p.now->failed = 1;
        u32 shift = 0; /* about as many groups as buckets in each, so that both ways write long runs */
        while (first > 1u << 2 * shift) shift++;
        p.now->group_shift = shift;
        if (p.a->staged_room && 1u << shift > bins) p.now->failed = 1;
    }
    barrier_wait(all);
    for (u32 r = 0; r < rounds; r++) {
        for (u32 t = begin[r] + blockIdx.x; t < begin[r + 1]; t += gridDim.x) number_buckets(p, t, m);
        barrier_wait(all);
    }
}

/* Where each group's items lie, once all buckets are made; one block of most_groups. */
inside void place_groups(const plan &p, bool one, plan_memory *m)
{
    group *mine = &p.groups[threadIdx.x];
    u32 room = one ? (threadIdx.x ? 0 : most_bucket) : room_of(*p.a, fresh(&mine->sampled), p.a->points);
    u32 begin = scan_block(room, m->sum);
    *mine = {0, begin, begin + room, begin};
    if (m->sum[32] > p.a->staged_room) p.now->failed = 1;
}

#endif
