/* SPDX-License-Identifier: MIT */
/* The buckets of a plan's tables (octree_plan.cuh), numbered in the order of their points, and what deals points out to
 * them: room for each, and groups of them. Each table finds for itself how many buckets come before its own: the tables
 * above it have their numbers. */
#ifndef GWS_KERNELS_CUDA_OCTREE_NUMBER_CUH
#define GWS_KERNELS_CUDA_OCTREE_NUMBER_CUH

#include "octree_plan.cuh"

/* How many buckets lie in a bin: those of its table, or the one that begins there. Something is loaded for every bin,
 * for the loads not to be waited for one by one. */
inside u32 buckets_of(const plan &p, u32 part)
{
    u32 inner = p.tables[part & is_split ? ~part : 0].buckets;
    return part & is_split ? inner : part & is_start ? 1 : 0;
}

/* What a thread looks at to find the buckets before a table: the bin of its number in each table above, and among the
 * roots. leads: of each lane, one of the entries that lead to the table. */
inside u32 buckets_before(const plan &p, u32 t, u32 leads)
{
    u32 bin = threadIdx.x, part[most_rounds], before[most_rounds];
    u32 root = t < roots ? t : __shfl_sync(~0u, leads, 0) / bins, sum = bin < root ? p.tables[bin].buckets : 0;
#pragma unroll
    for (u32 r = 0; r < most_rounds; r++) {
        u32 above = __shfl_sync(~0u, leads, r);
        part[r] = bin < above % bins ? p.count[above - above % bins + bin] : 0;
    }
#pragma unroll
    for (u32 r = 0; r < most_rounds; r++) before[r] = buckets_of(p, part[r]);
#pragma unroll
    for (u32 r = 0; r < most_rounds; r++) sum += before[r];
    return sum;
}

/* Room for what a bucket may hold, judging by its sample; exact when all points are in it. */
inside u32 room_of(const asked &a, u32 sampled, u32 most)
{
    if (a.stride == a.run) return sampled;
    float likely = (float)sampled + 6 * sqrtf((float)sampled) + 16;
    u32 room = __float2uint_rz(likely * (float)(a.stride / a.run)); /* at most 2^32 - 1 */
    return room < most ? room : most;
}

inside void make_bucket(const plan &p, u32 b, const bucket &made, u32 shift, u32 sampled)
{
    if (b >= p.a->bucket_room || (u64)made.slot + made.room > p.a->slot_room) {
        p.now->failed = 1;
        return;
    }
    p.buckets[b] = made;
    p.cursor[b] = made.slot;
    if (p.a->staged_room && b >> shift < most_groups) atomicAdd(&p.groups[b >> shift].sampled, sampled);
}

/* What the threads before this one have of two numbers, half of a word each; both in all, and a third one. As
 * scan_block(), but m is not to be in use from the last time. */
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
inside void number_buckets(const plan &p, u32 t, u32 shift, plan_memory *m)
{
    const table *mine = &p.tables[t];
    u32 bin = threadIdx.x, leads = lane_id() < most_rounds ? mine->above[lane_id()] : 0;
    u32 part = p.count[t * bins + bin], level = mine->level;
    u64 key = mine->key;
    bool split = part & is_split, start = !split && part & is_start;
    u32 ahead = buckets_before(p, t, leads), own = buckets_of(p, part);
    u32 levels = part >> levels_at & 3, sampled = part & ((1u << levels_at) - 1);
    u32 room = start ? room_of(*p.a, sampled, most_bucket) : 0;
    u64 total, before = scan_pair((u64)room << 32 | own, ahead, &total, &ahead, m);
    if (bin == 0) m->slot = atomicAdd(&p.now->slots, total >> 32);
    m->before[bin] = ahead + (u32)before;
    __syncthreads();
    u64 slot = m->slot + (before >> 32);
    u32 b = m->before[bin & ~((bins >> 3 * levels) - 1)];
    if (!split) p.entry[t * bins + bin] = b < most_entry ? b : most_entry;
    if (start)
        make_bucket(p, b,
                    {key_below(*p.a, key, level, bin, levels), level + levels,
                     (u32)(slot < p.a->slot_room ? slot : p.a->slot_room), room, 0, 0, 0},
                    shift, sampled);
    __syncthreads();
}

/* All points in one bucket. */
inside void one_bucket(const plan &p)
{
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < roots * bins; i += gridDim.x * blockDim.x) p.entry[i] = 0;
    if (blockIdx.x || threadIdx.x) return;
    p.now->buckets = 1;
    make_bucket(p, 0, {0, 0, 0, p.a->points < most_bucket ? p.a->points : most_bucket, 0, 0, 0}, 0, 0);
}

/* The buckets of all tables. */
inside void number_all(const plan &p, u32 tables, plan_memory *m)
{
    u32 all = lane_id() < roots ? fresh(&p.tables[lane_id()].buckets) : 0;
    for (u32 d = 16; d; d /= 2) all += __shfl_xor_sync(~0u, all, d);
    u32 shift = 0; /* about as many groups as buckets in each, so that both ways write long runs */
    while (all > 1u << 2 * shift) shift++;
    for (u32 t = blockIdx.x; t < tables; t += gridDim.x) number_buckets(p, t, shift, m);
    if (blockIdx.x || threadIdx.x) return;
    p.now->buckets = all;
    p.now->group_shift = shift;
    if (all > p.a->bucket_room || (p.a->staged_room && 1u << shift > bins)) p.now->failed = 1;
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

/* All of the plan; all blocks at the same time. */
inside void make_plan(const plan &p, u64 *arrived, plan_memory *m)
{
    barrier all;
    barrier_open(&all, arrived);
    u32 tables = grow_tables(p, &all, m);
    bool one = fresh(&p.now->sampled) <= p.a->few;
    if (one)
        one_bucket(p);
    else
        number_all(p, tables, m);
    if (p.a->staged_room && barrier_last(&all)) place_groups(p, one, m);
}

#endif
