/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a mesh by one cluster of blocks, alone on the device: its frontiers are small and its levels many,
 * so what counts is the chain of dependent accesses in a level.
 *
 * A row is four targets in one read of 16 bytes (none: empty), so there are no bounds to fetch; of a longer row the last
 * word leads on to a further row (more | its number beyond the vertices'). Visited is a bitmap in the cluster's shared
 * memory, word i in block i % blocks, or in global memory if it does not fit. The frontier is in shared memory with its
 * rows: who claims a vertex reads its row and deals it out, its n-th row to block n % blocks, at place n / blocks of
 * its part of that block's frontier, so all blocks get equally many and no block asks another for a place. Depth and
 * parent are written by who gets the row, at the beginning of the next level: the barrier waits for all writes, and those
 * are long done then.
 *
 * Rows that do not fit go to a list in global memory, as long as there are rows: each goes there once at most.
 *
 * A level is: read the frontier in shared memory, claim (cluster), fetch the row (global), deal out (cluster), barrier. */
#ifndef GWS_KERNELS_CUDA_MESH_WORDS_CUH
#define GWS_KERNELS_CUDA_MESH_WORDS_CUH

#include "hand.cuh"

typedef unsigned int u32;
typedef unsigned long long u64;

#define inside static __device__ __forceinline__

static constexpr u32 none = 0xffffffffu;
static constexpr u32 more = 0x80000000u; /* so a mesh has fewer than 2^31 rows */
static constexpr u32 most_blocks = 16;

/* What a block found in a level. */
struct finds {
    u32 rows;
    u32 further; /* those of them that are not their vertex's first */
};

/* In shared memory, at the same place in every block. */
struct tally {
    finds of[2][most_blocks]; /* what this level (% 2) starts from, of each block */
    finds mine;               /* in this level so far */
};

static_assert(sizeof(tally) <= 272, "as traversal/graph/device/bfs_cuda_mesh.c gives it");

struct mesh {
    u64 vertices;
    const uint4 *row;
    u32 *depth, *parent;
    uint2 *list; /* vertex and row */
    u32 *list_end;
    u32 *visited; /* this block's part, or all of it in global memory */
    uint4 *front; /* two of room rows each, and their vertices with their parents (none: not a vertex's first row) */
    uint2 *front_vertex;
    tally *count;
    u32 room; /* rows in a block's frontier: a multiple of the blocks */
    u32 level;
    u32 listed; /* rows on the list before this level's */
};

struct mesh_summary {
    u32 levels, reached, widest, listed;
};

/* ---- the cluster; below 9.0 there is none: one block ---- */

template <u32 blocks> inside u32 cluster_rank()
{
    if (blocks == 1) return 0;
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* Where a block of the cluster has what this block has at that address. */
inside u32 remote(const void *at, u32 block)
{
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(at)), "r"(block));
    return there;
}

/* Asked for now, whatever comes of it: the compiler may not put it off until it is needed. */
inside uint4 read_row(const uint4 *at)
{
    uint4 row;
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(row.x), "=r"(row.y), "=r"(row.z), "=r"(row.w)
                 : "l"(at));
    return row;
}

inside u32 remote_or(u32 at, u32 bits)
{
    u32 before;
    asm volatile("atom.relaxed.cluster.shared::cluster.or.b32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(at), "r"(bits)
                 : "memory");
    return before;
}

inside u32 remote_load(u32 at)
{
    u32 value;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
    return value;
}

inside void remote_store(u32 at, u32 value)
{
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
}

inside void remote_store(u32 at, u32 first, u32 second)
{
    asm volatile("st.shared::cluster.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(first), "r"(second) : "memory");
}

inside void remote_store(u32 at, uint4 value)
{
    asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(value.x), "r"(value.y), "r"(value.z),
                 "r"(value.w)
                 : "memory");
}

/* release and acquire: what any block wrote before is seen by every block after */
template <u32 blocks> inside void cluster_barrier()
{
    if (blocks == 1) {
        __syncthreads();
    } else {
        __syncwarp();
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    }
}

#endif
