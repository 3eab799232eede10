/* SPDX-License-Identifier: MIT */
/* What is found out about a graph once, before the first search. */
#ifndef GWS_KERNELS_CUDA_BFS_PREPARE_CUH
#define GWS_KERNELS_CUDA_BFS_PREPARE_CUH

#include "bfs_words.cuh"

/* Of a vertex that something leads to, the neighbour of highest degree, the first of those; whole warps. */
inside u32 most_likely(const u64 *offset, const u32 *target, u64 begin, u64 end)
{
    u64 best = 0;
    for (u64 arc = begin + lane_id(); arc < end; arc += 32) {
        u32 other = target[arc];
        u64 degree = min(offset[other + (u64)1] - offset[other], 0xffffffffull);
        best = max(best, degree << 32 | (none - other));
    }
    for (u32 step = 16; step > 0; step /= 2) best = max(best, __shfl_xor_sync(~0u, best, step));
    return none - (u32)best;
}

/* Fills likely, alone and the candidates' count from the rows of arcs towards each vertex. */
extern "C" __global__ void bfs_prepare(u64 vertices, const u64 *out_offset, const u64 *in_offset, const u32 *in_target,
                                       u32 *likely, u32 *alone, void *count)
{
    u64 words = (vertices + 31) / 32, warps = (u64)gridDim.x * warp_count();
    for (u64 i = (u64)blockIdx.x * warp_count() + warp_id(); i < words; i += warps) {
        u64 vertex = i * 32 + lane_id();
        u64 begin = vertex < vertices ? in_offset[vertex] : 0, end = vertex < vertices ? in_offset[vertex + 1] : 0;
        bool leads = vertex < vertices && out_offset[vertex] < out_offset[vertex + 1];
        u32 has = __ballot_sync(~0u, begin < end), mine = none, any = has | __ballot_sync(~0u, leads);
        for (u32 rest = has; rest; rest &= rest - 1) {
            u32 lane = __ffs(rest) - 1;
            u32 best = most_likely(in_offset, in_target, __shfl_sync(~0u, begin, lane), __shfl_sync(~0u, end, lane));
            if (lane_id() == lane) mine = best;
        }
        if (vertex < vertices) likely[vertex] = mine;
        if (lane_id() != 0) continue;
        alone[i] = ~any;
        atomicAdd(&((counters *)count)->candidates, __popc(has));
    }
}

#endif
