/* SPDX-License-Identifier: MIT */
/* What a kernel that keeps the whole grid for many steps needs: a barrier of all blocks, and the units of a step dealt
 * out to warps, with stealing between blocks.
 *
 * Units 0 .. units - 1 of a step are cut into one slice a block, in order; the last ones may be short or empty. A slice is a deque by index, as in
 * Abdelmageed's thesis (3.2): its cursor says how many units were taken beyond the first pass, which every warp takes
 * without asking. Own warps and thieves both add to the cursor: what an add returns beyond the slice is nothing, so no
 * unit is run twice and none is lost. Cursors are of two generations; a block clears its own of the next step before
 * the barrier that begins it, and nobody uses those before. */
#ifndef GWS_KERNELS_CUDA_GRID_CUH
#define GWS_KERNELS_CUDA_GRID_CUH

#include "warp.cuh"

typedef unsigned int u32;
typedef unsigned long long u64;

#define inside static __device__ __forceinline__

inside u32 lane_id()
{
    return threadIdx.x % 32;
}

inside u32 warp_id()
{
    return threadIdx.x / 32;
}

inside u32 warp_count()
{
    return blockDim.x / 32;
}

inside u32 lanes_below()
{
    return (1u << lane_id()) - 1;
}

/* Reads what other blocks write during the same launch: past the first cache. */
inside u32 fresh(const u32 *at)
{
    return __ldcg(at);
}

/* ---- the barrier ---- */

/* Shared by all blocks of a launch; zero before the first launch. A launch leaves arrived at a multiple of its blocks,
 * so launches over one barrier all have as many. */
struct barrier {
    u64 *arrived;
    u64 awaited; /* in thread 0 */
};

inside u64 load_acquire(const u64 *at)
{
    u64 value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}

/* No block can pass a barrier before this one has arrived, so what lies beyond the multiple is of this barrier. */
inside void barrier_open(barrier *all, u64 *arrived)
{
    all->arrived = arrived;
    u64 now = threadIdx.x == 0 ? load_acquire(arrived) : 0;
    all->awaited = now - now % gridDim.x;
}

/* What any thread wrote before is seen by every thread after. */
inside void barrier_wait(barrier *all)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        all->awaited += gridDim.x;
        __threadfence(); /* the block's writes, ordered before by the block's barrier, go before the arrival */
        /* release: pairs with the acquire loads of the others below */
        asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(all->arrived) : "memory");
        while (load_acquire(all->arrived) < all->awaited) {}
        __threadfence();
    }
    __syncthreads();
}

/* The last barrier of a launch: the block that comes last is told true, and sees what all wrote; others go on at once. */
inside bool barrier_last(barrier *all)
{
    u64 before = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        all->awaited += gridDim.x;
        __threadfence(); /* as in barrier_wait() */
        /* acquire and release: pairs with the same of the other blocks */
        asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], 1;" : "=l"(before) : "l"(all->arrived) : "memory");
        __threadfence();
    }
    return __syncthreads_or(threadIdx.x == 0 && before + 1 == all->awaited);
}

/* ---- the units of a step ---- */

/* What a block's warps share about a step, and did in all; in shared memory. Tasks are units times what a unit counts. */
struct share_notes {
    u64 ran, stolen, steals, failed, given; /* given: tasks of its own slices */
    u32 dry; /* the mark of a step of which a warp of the block saw that nothing is left anywhere */
};

struct share {
    u32 *cursor; /* one a block */
    u64 units, slice; /* in all, and in a block's slice */
    u32 per;   /* units that a warp takes at once, at most 32 */
    u32 block; /* whose slice it takes from next */
    bool steal;
    bool first;
    bool whole;  /* the first pass has all: where that is little, asking for more costs more than it saves */
    u32 mark;    /* of the step */
    u32 counts;  /* tasks in a unit */
    share_notes *notes;
};

struct range {
    u64 begin, end;
};

inside range slice_of(const share *work, u32 block)
{
    u64 begin = min(work->slice * block, work->units);
    return {begin, min(begin + work->slice, work->units)};
}

/* Shares units out over blocks; most is how many units a warp may take at once. */
inside share share_open(u32 *cursors, share_notes *notes, u32 step, u64 units, u32 most, u32 counts, bool steal)
{
    u64 slice = (units + gridDim.x - 1) / gridDim.x, even = (slice + warp_count() - 1) / warp_count();
    bool whole = even <= most;
    u32 per = whole ? max((u32)even, 1u) : (u32)min((even + 1) / 2, (u64)most);
    share work = {cursors + step % 2 * gridDim.x, units, slice, per, blockIdx.x, steal, true, whole, step + 1, counts, notes};
    range mine = slice_of(&work, blockIdx.x);
    if (threadIdx.x == 0) notes->given += (mine.end - mine.begin) * counts;
    return work;
}

/* Before the barrier that ends step. */
inside void share_prepare(u32 *cursors, u32 step)
{
    if (threadIdx.x == 0) cursors[(step + 1) % 2 * gridDim.x + blockIdx.x] = 0;
}

/* A block whose slice has left what is worth a theft, gridDim.x if there is none: slices only empty, so none is final. Warps begin to
 * look at different places, so as not to run after the same one. */
inside u32 share_victim(const share *work)
{
    u32 found = gridDim.x, from = (blockIdx.x + 1 + warp_id() * 29) % gridDim.x, first_pass = warp_count() * work->per;
    u32 worth = work->per * warp_count() / 4;
#pragma unroll 5
    for (u32 at = lane_id(); at < gridDim.x; at += 32) {
        u32 block = from + at < gridDim.x ? from + at : from + at - gridDim.x;
        range slice = slice_of(work, block);
        u64 taken = (u64)first_pass + fresh(&work->cursor[block]);
        if (found == gridDim.x && slice.begin + taken + worth < slice.end) found = block;
    }
    u32 some = __ballot_sync(~0u, found < gridDim.x);
    return some ? __shfl_sync(~0u, found, __ffs(some) - 1) : gridDim.x;
}

/* What the warp takes next when its slice is empty. */
inside u32 share_next(const share *work)
{
    if (*(volatile u32 *)&work->notes->dry == work->mark) return gridDim.x;
    u32 block = share_victim(work);
    if (block == gridDim.x && lane_id() == 0) *(volatile u32 *)&work->notes->dry = work->mark;
    return block;
}

/* Notes what a warp took, or that what it tried to steal was gone. */
inside bool share_took(const share *work, range what)
{
    bool some = what.begin < what.end, theft = work->block != blockIdx.x;
    if (lane_id() != 0 || work->counts == 0) return some;
    u64 tasks = some ? (what.end - what.begin) * work->counts : 0;
    if (some) atomicAdd(&work->notes->ran, tasks);
    if (some && theft) atomicAdd(&work->notes->stolen, tasks);
    if (theft) atomicAdd(some ? &work->notes->steals : &work->notes->failed, 1ull);
    return some;
}

/* Takes from the slice whose turn it is by its cursor. */
inside range share_grab(const share *work)
{
    range slice = slice_of(work, work->block);
    u32 taken = 0;
    if (lane_id() == 0) taken = atomicAdd(&work->cursor[work->block], work->per);
    u64 begin = min(slice.begin + (u64)warp_count() * work->per + __shfl_sync(~0u, taken, 0), slice.end);
    return {begin, min(begin + work->per, slice.end)};
}

/* A range for the calling warp, all lanes alike, given the one it had before; false: the step has no more. */
inside bool share_take(share *work, range *out)
{
    range slice = slice_of(work, blockIdx.x);
    if (work->first || !work->steal) {
        u64 begin = work->first ? slice.begin + (u64)warp_id() * work->per : out->begin + (u64)warp_count() * work->per;
        *out = {min(begin, slice.end), min(begin + work->per, slice.end)};
        work->first = false;
        if (share_took(work, *out)) return true;
    }
    if (work->whole || !work->steal) return false;
    while (work->block < gridDim.x) {
        *out = share_grab(work);
        if (share_took(work, *out)) return true;
        work->block = __shfl_sync(~0u, share_next(work), 0);
    }
    return false;
}

#endif
