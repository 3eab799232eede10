/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a mesh by one cluster of blocks, alone on the device: its frontiers are small and its levels many,
 * so what counts is the chain of dependent accesses in a level.
 *
 * A row is four targets in one read of 16 bytes (none: empty), so there are no bounds to fetch; of a longer row the last
 * word leads on to a further row (more | its number beyond the vertices'). Visited is a bitmap in the cluster's shared
 * memory, word i in block i % blocks, or in global memory if it does not fit. The frontier is in shared memory with its
 * rows: who claims a vertex reads its row and deals it out, its n-th row to block n % blocks, at place n / blocks of
 * its part of that block's frontier, so all blocks get equally many and no block asks another for a place.
 *
 * Rows that do not fit go to a list in global memory, as long as there are rows: each goes there once at most.
 *
 * A level is: read the frontier in shared memory, claim (cluster) and fetch the row (global) side by side, deal out
 * (cluster), ring. Blocks do not wait for each other's writes, as a barrier of the cluster would make them, depth and
 * parent included: every block has a bell (an mbarrier) for even levels and one for odd ones, the rows dealt out count
 * their own bytes there, and who has ended a level rings everybody's bell, saying how many bytes it has sent. A bell that
 * has all rings and all bytes lets the level begin. Nobody is two levels ahead: the level before must have rung first. */
#ifndef GWS_KERNELS_CUDA_MESH_WORDS_CUH
#define GWS_KERNELS_CUDA_MESH_WORDS_CUH

#include "handoff.cuh"
#include "warp.cuh"

typedef unsigned int u32;
typedef unsigned long long u64;

#define inside static __device__ __forceinline__

static constexpr u32 none = 0xffffffffu;
static constexpr u32 more = 0x80000000u; /* so a mesh has fewer than 2^31 rows */
static constexpr u32 most_blocks = 16;
static constexpr u32 row_bytes = sizeof(uint4) + sizeof(u32); /* of a row dealt out */

/* What a block found in a level. */
struct finds {
    u32 rows;
    u32 further; /* those of them that are not their vertex's first */
};

/* In shared memory, at the same place in every block. */
struct tally {
    finds of[2][most_blocks]; /* what this level (% 2) starts from, of each block */
    u64 bell[2];              /* rung when this level (% 2) may begin */
    finds mine;               /* in this level so far */
};

static_assert(sizeof(tally) <= 288, "as traversal/graph/bfs/device/mesh.c gives it");

/* What a search with pages of rows is given (mesh_pages.cuh). Rings of calls are in global memory, one for each block of the
 * cluster; a call: its number + 1 in the upper half, below it the page, and more | if a row of it was missed. Who comes late to
 * a ring finds later calls, and fewer rows come early. */
struct page_words {
    uint4 *place;   /* ways * places */
    u32 places;     /* a multiple of page_rows */
    u32 carriers;   /* clusters that bring pages; 0: none does, nobody is called */
    u32 hops;       /* pages around a touched one that are brought: at most most_hops away */
    u64 *ring;      /* cleared before a launch, as is done */
    u64 *done;      /* the search is; then who searches: his cluster's number + 1; rows missed; pages brought: all cleared */
    u32 *asked;     /* of each page: how far around it pages were asked for, + 1; cleared before a search */
    u32 *turn;      /* of each page_rows places: bit 0: which way is next */
};

struct mesh {
    u64 vertices, rows;
    const uint4 *row;
    const uint4 *host_row; /* where rows lie with the host: those from number kept on */
    u32 kept;
    u32 *depth, *parent;
    uint2 *list; /* vertex and row */
    u32 *list_end;
    u32 *visited; /* this block's part, or all of it in global memory */
    uint4 *front; /* two of room rows each, and whose they are (more |: not the vertex's first row) */
    u32 *front_vertex;
    tally *count;
    u32 room; /* rows in a block's frontier: a multiple of the blocks */
    u32 level;
    u32 listed; /* rows on the list before this level's */
    u32 rung;   /* bit i: the parity of bell i's next ring */
    page_words pages;
    u32 *called; /* in the block's memory: its calls for pages, and rows that it missed */
};

struct mesh_summary {
    u32 levels, reached, widest, listed;
};

/* How rows are read: late, once their vertex is claimed, or ahead of that; and whether some of them lie with the host. Those
 * are not changed while a kernel runs, and what the host wrote before its launch it sees. */
static constexpr u32 rows_late = 0, rows_ahead = 1, rows_at_host = 2, rows_paged = 4; /* paged: those at the host */

template <u32 how> inside const uint4 *row_at(const mesh *m, u32 number)
{
    if (!(how & rows_at_host) || number < m->kept) return m->row + number;
    return m->host_row + (number - m->kept);
}

#include "cluster.cuh"

#endif
