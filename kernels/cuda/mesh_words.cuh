/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a mesh by one cluster of blocks, alone on the device. A search has small frontiers and many
 * levels, so the chain of dependent accesses in a level determines the time.
 *
 * A row is four targets in one read of 16 bytes (none: no target), so a thread reads no bounds. The last word of a
 * longer row leads to a further row. That word is top_bit | the further row's number, counted from the first further
 * row. The bitmap of visited vertices is in the cluster's shared memory, word i in block i % blocks, or in global
 * memory if it does not fit. The frontier is in shared memory together with its rows. The thread that claims a vertex
 * reads the vertex's row and sends it to a block. The n-th row that a block finds goes to block n % blocks. In that
 * block's frontier, the finding block has a part of its own. The row goes to index n / blocks of this part. So all
 * blocks get the same number of rows, and no block has to reserve an index in another block.
 *
 * Rows beyond that capacity go to a list in global memory. The list has an entry for each row of the mesh, because each
 * row enters the list at most once.
 *
 * In a level, a thread reads the frontier in shared memory. It claims a vertex (an access to the cluster) and at the
 * same time reads its row (an access to global memory). It then distributes the row in the cluster and arrives. A
 * cluster barrier would make blocks wait for each other's writes, including depth and parent. Instead each block has an
 * mbarrier for even levels and an mbarrier for odd levels. An mbarrier counts the bytes of the rows that arrive. Each
 * block that has finished a level arrives at the mbarriers of all blocks with the number of bytes that it has sent. The
 * next level begins when all arrivals and all bytes are complete. No block can be two levels ahead, because it waits
 * for all arrivals of the level between. */
#ifndef GWS_KERNELS_CUDA_MESH_WORDS_CUH
#define GWS_KERNELS_CUDA_MESH_WORDS_CUH

#include "handoff.cuh"
#include "mesh_layout.h"
#include "warp.cuh"

#define inside device_inline

static constexpr u32 none = 0xffffffffu;
static constexpr u32 top_bit = MESH_ROW_CONTINUES; /* so a mesh has fewer than 2^31 rows */
static constexpr u32 max_blocks = MESH_MAX_BLOCKS;
static constexpr u32 row_bytes = sizeof(uint4) + sizeof(u32); /* size of a row in the frontier */

/* The rows that a block found in a level. */
struct found_rows {
    u32 rows;
    u32 further; /* rows that are not the first of their vertex */
};

/* The counts of a block, in shared memory at the same address in every block. */
struct level_counts {
    found_rows of[2][max_blocks]; /* rows that each block found for this level (% 2) */
    u64 mbarrier[2];              /* completes when this level (% 2) may begin */
    found_rows mine;              /* rows that this block has found in this level so far */
};

static_assert(sizeof(level_counts) <= MESH_COUNTS_BYTES && 2 * row_bytes == MESH_FRONTIER_ROW_BYTES,
              "the sizes that the host allocates");

/* The row cache (mesh_row_cache.cuh). Request rings are in global memory, one for each block of the cluster. The upper
 * half of a request is its number + 1. The lower half is the page, with top_bit if a row of the page was missed. A late
 * warp finds later requests in the ring. It skips the overwritten requests and thus prefetches fewer rows. */
struct row_cache {
    uint4 *slot;           /* set_lines * slots */
    u32 slots;             /* a multiple of page_rows */
    u32 prefetch_clusters; /* clusters that transfer pages; 0: threads make no requests */
    u32 distance;          /* prefetch distance, in pages around a touched page */
    u64 *ring;             /* cleared before a launch, like `done` */
    u64 *done; /* four words, cleared before a launch: whether the search is finished, the number + 1 of the searching
                * cluster, rows missed, pages transferred */
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
    u32 listed; /* rows on the list before the rows of this level */
    u32 phase;  /* bit i: the parity of the next completion of mbarrier i */
    row_cache cache;
    u32 *requests; /* in the block's shared memory: the numbers of prefetch requests and of rows missed */
};

struct mesh_summary {
    u32 levels, reached, widest, listed;
};

/* Flags of how a kernel reads rows. rows_late: after it has claimed their vertex. rows_ahead: together with the claim.
 * rows_at_host: some rows are in the host's memory. rows_paged: the device caches host rows. The host does not
 * change rows while a kernel runs. The launch makes the host's earlier writes visible. */
static constexpr u32 rows_late = 0, rows_ahead = 1, rows_at_host = 2, rows_paged = 4;

template <u32 access> inside const uint4 *row_at(const mesh *m, u32 number)
{
    if (!(access & rows_at_host) || number < m->device_rows) return m->row + number;
    return m->host_row + (number - m->device_rows);
}

#include "cluster.cuh"

#endif
