/* SPDX-License-Identifier: MIT */
/* Threads, warps and a grid barrier for persistent kernels, whose grid runs many steps. */
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

/* Reads a word that other blocks write during the same launch. The read bypasses the L1 cache. */
inside u32 fresh(const u32 *at)
{
    return __ldcg(at);
}

/* ---- the barrier ---- */

/* All blocks of a launch share *arrived, which is zero before the first launch. A launch leaves *arrived at a multiple
 * of its number of blocks. So all launches over one barrier must have the same number of blocks. */
struct barrier {
    u64 *arrived;
    u64 awaited; /* valid in thread 0 only */
};

inside u64 load_acquire(const u64 *at)
{
    u64 value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}

/* Opens the barrier for a block. No other block can pass a barrier before this block has arrived. So the arrivals
 * beyond the multiple belong to the current barrier. */
inside void barrier_open(barrier *all, u64 *arrived)
{
    all->arrived = arrived;
    u64 now = threadIdx.x == 0 ? load_acquire(arrived) : 0;
    all->awaited = now - now % gridDim.x;
}

/* Waits for all blocks. Writes of any thread before the barrier are visible to all threads after the barrier. */
inside void barrier_wait(barrier *all)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        all->awaited += gridDim.x;
        /* The fence orders the block's writes before the arrival. __syncthreads() orders them before the fence. */
        __threadfence();
        /* release: pairs with the other blocks' acquire loads below */
        asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(all->arrived) : "memory");
        while (load_acquire(all->arrived) < all->awaited) {
        }
        __threadfence();
    }
    __syncthreads();
}

/* Arrives at the last barrier of a launch. Returns true to the block that arrives last, which sees the writes of all
 * blocks. The other blocks continue at once. */
inside bool barrier_last(barrier *all)
{
    u64 before = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        all->awaited += gridDim.x;
        __threadfence(); /* as in barrier_wait() */
        /* acquire and release: pairs with the same operation of the other blocks */
        asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], 1;" : "=l"(before) : "l"(all->arrived) : "memory");
        __threadfence();
    }
    return __syncthreads_or(threadIdx.x == 0 && before + 1 == all->awaited);
}

#endif
