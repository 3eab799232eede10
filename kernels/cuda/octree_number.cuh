/* SPDX-License-Identifier: MIT */
/* Numbers the buckets of a plan's tables (octree_plan.cuh) in the order of their points. Reserves the memory of each
 * bucket and of each group of buckets, to which the kernels scatter the points. The block of a table computes the
 * number of earlier buckets from the counts of the tables above that table. */
#ifndef GWS_KERNELS_CUDA_OCTREE_NUMBER_CUH
#define GWS_KERNELS_CUDA_OCTREE_NUMBER_CUH

#include "octree_plan.cuh"

/* Returns the number of buckets in a bin: the buckets of the bin's table, or one if a bucket begins in the bin. The
 * function loads a word for every bin, because unconditional loads overlap. */
inside u32 buckets_of(const plan_state &p, u32 part)
{
    u32 inner = p.tables[part & is_split ? ~part : 0].buckets;
    return part & is_split ? inner : part & is_start ? 1 : 0;
}

/* Returns a thread's share of the number of buckets before a table. The thread reads the bin with its own number in
 * each table above, and in the roots. leads: each lane holds one of the entries that lead to the table. */
inside u32 buckets_before(const plan_state &p, u32 t, u32 leads)
{
    u32 bin = threadIdx.x, part[max_rounds], before[max_rounds];
    u32 root = t < roots ? t : __shfl_sync(~0u, leads, 0) / bins, sum = bin < root ? p.tables[bin].buckets : 0;
#pragma unroll
    for (u32 r = 0; r < max_rounds; r++) {
        u32 above = __shfl_sync(~0u, leads, r);
        part[r] = bin < above % bins ? p.count[above - above % bins + bin] : 0;
    }
#pragma unroll
    for (u32 r = 0; r < max_rounds; r++) before[r] = buckets_of(p, part[r]);
#pragma unroll
    for (u32 r = 0; r < max_rounds; r++) sum += before[r];
    return sum;
}

/* Returns the capacity for a bucket, estimated from the bucket's sampled points. The estimate is exact if all points
 * are in the sample. */
inside u32 capacity_of(const params &a, u32 sampled, u32 limit)
{
    if (a.stride == a.run) return sampled;
    float likely = (float)sampled + 6 * sqrtf((float)sampled) + 16;
    u32 capacity = __float2uint_rz(likely * (float)(a.stride / a.run)); /* at most 2^32 - 1 */
    return capacity < limit ? capacity : limit;
}

inside void make_bucket(const plan_state &p, u32 b, const bucket &made, u32 shift, u32 sampled)
{
    if (b >= p.a->bucket_capacity || (u64)made.slot + made.capacity > p.a->slot_capacity) {
        p.now->failed = 1;
        return;
    }
    p.buckets[b] = made;
    p.cursor[b] = made.slot;
    if (p.a->staged_capacity && b >> shift < max_groups) atomicAdd(&p.groups[b >> shift].sampled, sampled);
}

/* Returns the exclusive scan, over the threads of a block, of two numbers packed in one word, and computes the sum of a
 * third number. Unlike with scan_block(), the caller must ensure that all threads have finished with m since the last
 * call. */
inside u64 scan_pair(u64 pair, u32 third, u64 *total, u32 *thirds, plan_memory *m)
{
    u64 before = scan_warp(pair);
    for (u32 d = 16; d; d /= 2) third += __shfl_xor_sync(~0u, third, d);
    if (lane_id() == 31) m->pair[warp_id()] = before, m->third[warp_id()] = third;
    __syncthreads();
    u64 ahead = 0, all = 0;
    u32 sum = 0;
#pragma unroll
    for (u32 w = 0; w < bins / 32; w++) {
        if (w == warp_id()) ahead = all;
        all += m->pair[w];
        sum += m->third[w];
    }
    *total = all;
    *thirds = sum;
    return before - pair + ahead;
}

/* Numbers the buckets of a table. */
inside void number_buckets(const plan_state &p, u32 t, u32 shift, plan_memory *m)
{
    const bin_table *mine = &p.tables[t];
    u32 bin = threadIdx.x, leads = lane_id() < max_rounds ? mine->above[lane_id()] : 0;
    u32 part = p.count[t * bins + bin], level = mine->level;
    u64 key = mine->key;
    bool split = part & is_split, start = !split && part & is_start;
    u32 ahead = buckets_before(p, t, leads), own = buckets_of(p, part);
    u32 levels = part >> levels_at & 3, sampled = part & ((1u << levels_at) - 1);
    u32 capacity = start ? capacity_of(*p.a, sampled, max_bucket) : 0;
    u64 total, before = scan_pair((u64)capacity << 32 | own, ahead, &total, &ahead, m);
    if (bin == 0) m->slot = atomicAdd(&p.now->slots, total >> 32);
    m->before[bin] = ahead + (u32)before;
    __syncthreads();
    u64 slot = m->slot + (before >> 32);
    u32 b = m->before[bin & ~((bins >> 3 * levels) - 1)];
    if (!split) p.entry[t * bins + bin] = b < max_entry ? b : max_entry;
    if (start)
        make_bucket(p, b,
                    {key_below(*p.a, key, level, bin, levels), level + levels,
                     (u32)(slot < p.a->slot_capacity ? slot : p.a->slot_capacity), capacity, 0, 0, 0},
                    shift, sampled);
    __syncthreads();
}

/* Puts all points into one bucket. */
inside void one_bucket(const plan_state &p)
{
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < roots * bins; i += gridDim.x * blockDim.x) p.entry[i] = 0;
    if (blockIdx.x || threadIdx.x) return;
    p.now->buckets = 1;
    make_bucket(p, 0, {0, 0, 0, p.a->points < max_bucket ? p.a->points : max_bucket, 0, 0, 0}, 0, 0);
}

/* Numbers the buckets of all tables. */
inside void number_all(const plan_state &p, u32 tables, plan_memory *m)
{
    u32 all = lane_id() < roots ? fresh(&p.tables[lane_id()].buckets) : 0;
    for (u32 d = 16; d; d /= 2) all += __shfl_xor_sync(~0u, all, d);
    u32 shift = 0; /* there are about as many groups as buckets per group: both passes then write long runs */
    while (all > 1u << 2 * shift) shift++;
    for (u32 t = blockIdx.x; t < tables; t += gridDim.x) number_buckets(p, t, shift, m);
    if (blockIdx.x || threadIdx.x) return;
    p.now->buckets = all;
    p.now->group_shift = shift;
    if (all > p.a->bucket_capacity || (p.a->staged_capacity && 1u << shift > bins)) p.now->failed = 1;
}

/* Computes the position of each group's items after all buckets are numbered, with one block of max_groups threads. */
inside void place_groups(const plan_state &p, bool one, plan_memory *m)
{
    group *mine = &p.groups[threadIdx.x];
    u32 capacity = one ? (threadIdx.x ? 0 : max_bucket) : capacity_of(*p.a, fresh(&mine->sampled), p.a->points);
    u32 begin = scan_block(capacity, m->sum);
    *mine = {0, begin, begin + capacity, begin};
    if (m->sum[32] > p.a->staged_capacity) p.now->failed = 1;
}

/* Makes the whole plan. All blocks must be resident. */
inside void make_plan(const plan_state &p, u64 *arrived, plan_memory *m)
{
    barrier all;
    barrier_open(&all, arrived);
    u32 tables = build_tables(p, &all, m);
    bool one = fresh(&p.now->sampled) <= p.a->few;
    if (one)
        one_bucket(p);
    else
        number_all(p, tables, m);
    if (p.a->staged_capacity && barrier_last(&all)) place_groups(p, one, m);
}

#endif
