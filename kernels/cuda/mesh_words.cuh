/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a mesh by one cluster of blocks, alone on the device. Frontiers are small and levels are
 * many, so the chain of dependent accesses in a level determines the time.
 *
 * A row is four targets in one read of 16 bytes (none: empty), so there are no bounds to fetch. The last word of a
 * longer row leads to a further row (top_bit | its number beyond the vertices' rows). Visited is a bitmap in the
 * cluster's shared memory, word i in block i % blocks, or in global memory if it does not fit. The frontier is in
 * shared memory together with its rows. The thread that claims a vertex reads its row and sends it to a block: the n-th
 * row that the finding block has goes to block n % blocks, at place n / blocks of its part of that block's frontier. So
 * all blocks get the same number of rows, and no block has to reserve a place in another.
 *
 * Rows beyond that capacity go to a list in global memory, which has an entry for each row of the mesh: a row enters it
 * once at most.
 *
 * A level: read the frontier in shared memory, claim (cluster) and fetch the row (global) side by side, distribute it
 * (cluster), arrive. A cluster barrier would make blocks wait for each other's writes, including depth and parent.
 * Instead each block has an mbarrier for even levels and one for odd levels. The distributed rows count their bytes
 * there, and each block that has finished a level arrives at the mbarriers of all blocks with the number of bytes that
 * it has sent. The level begins when all arrivals and all bytes are complete. No block can be two levels ahead, as it
 * waits for all arrivals of the level between. */
#ifndef GWS_KERNELS_CUDA_MESH_WORDS_CUH
#define GWS_KERNELS_CUDA_MESH_WORDS_CUH

#include "handoff.cuh"
#include "mesh_layout.h"
#include "warp.cuh"

typedef unsigned int u32;
typedef unsigned long long u64;

#define inside static __device__ __forceinline__

static constexpr u32 none = 0xffffffffu;
static constexpr u32 top_bit = MESH_ROW_CONTINUES; /* so a mesh has fewer than 2^31 rows */
static constexpr u32 max_blocks = MESH_MAX_BLOCKS;
static constexpr u32 row_bytes = sizeof(uint4) + sizeof(u32); /* of a row in the frontier */

/* The rows that a block found in a level. */
struct found_rows {
    u32 rows;
    u32 further; /* those that are not their vertex's first */
};

/* In shared memory, at the same address in every block. */
struct level_counts {
    found_rows of[2][max_blocks]; /* found by each block for this level (% 2) */
    u64 mbarrier[2];              /* completes when this level (% 2) may begin */
    found_rows mine;              /* in this level so far */
};

static_assert(sizeof(level_counts) <= MESH_COUNTS_BYTES && 2 * row_bytes == MESH_FRONTIER_ROW_BYTES,
              "the sizes that the host allocates");

/* The row cache (mesh_row_cache.cuh). Request rings are in global memory, one for each block of the cluster. A request
 * has its number + 1 in the upper half; the lower half is the page, and top_bit | if a row of the page was missed. A
 * warp that is late finds later requests in the ring, and fewer rows are prefetched. */
struct row_cache {
    uint4 *slot;           /* set_lines * slots */
    u32 slots;             /* a multiple of page_rows */
    u32 prefetch_clusters; /* clusters that transfer pages; 0: none, and no requests are made */
    u32 distance;          /* prefetch distance, in pages around a touched page */
    u64 *ring;             /* cleared before a launch, like `done` */
    u64 *done;      /* the search is finished; then the number + 1 of the cluster that searches; rows missed; pages
                       transferred: all cleared */
    u32 *requested; /* for each page: the distance + 1 to which pages around it were requested; cleared before a search
                     */
    u32 *next_line; /* for each page_rows slots: bit 0 is the line to replace next */
};

struct mesh {
    u64 vertices, rows;
    const uint4 *row;
    const uint4 *host_row; /* the rows in the host's memory, from number device_rows on */
    u32 device_rows;
    u32 *depth, *parent;
    uint2 *list; /* vertex and row */
    u32 *list_end;
    u32 *visited;    /* this block's part, or the whole bitmap in global memory */
    uint4 *frontier; /* two frontiers of `capacity` rows each, and their vertices (top_bit |: not the vertex's first
                        row) */
    u32 *frontier_vertex;
    level_counts *count;
    u32 capacity; /* rows in a block's frontier: a multiple of the blocks */
    u32 level;
    u32 listed; /* rows on the list before this level's */
    u32 phase;  /* bit i: the parity that mbarrier i completes next */
    row_cache cache;
    u32 *requests; /* in the block's memory: prefetch requests, and rows missed */
};

struct mesh_summary {
    u32 levels, reached, widest, listed;
};

/* When rows are read: late, after their vertex is claimed, or ahead, together with the claim; and whether some of them
 * are in the host's memory. The host does not change rows while a kernel runs; the launch makes its earlier writes
 * visible. */
static constexpr u32 rows_late = 0, rows_ahead = 1, rows_at_host = 2, rows_paged = 4; /* paged: host rows are cached */

template <u32 access> inside const uint4 *row_at(const mesh *m, u32 number)
{
    if (!(access & rows_at_host) || number < m->device_rows) return m->row + number;
    return m->host_row + (number - m->device_rows);
}

#include "cluster.cuh"

#endif
