/* SPDX-License-Identifier: MIT */
/* The layout of meshes on CUDA devices, for host and kernels: rows, frontier, row cache. mesh_words.cuh and
 * mesh_row_cache.cuh describe the method. */
#ifndef GWS_KERNELS_CUDA_MESH_LAYOUT_H
#define GWS_KERNELS_CUDA_MESH_LAYOUT_H

#define MESH_MAX_BLOCKS 16u /* maximum number of blocks in a cluster */

/* A row is MESH_ROW_WORDS targets. If its last word has the flag MESH_ROW_CONTINUES, the other bits of that word are
 * the number of the vertex's next row, counted from the first further row. */
#define MESH_ROW_WORDS 4u
#define MESH_ROW_CONTINUES 0x80000000u

/* A block's shared memory, besides the bitmap. */
#define MESH_FRONTIER_ROW_BYTES 40u /* for each row of capacity: two rows with their vertices */
#define MESH_COUNTS_BYTES 288u      /* for struct level_counts and the requests */

/* The control memory of the row cache has five parts, in this order. The first is a ring of MESH_RING_CAPACITY requests
 * of 64 bits for each block. The second is the flag that ends the prefetch clusters and the number of the searching
 * cluster, 64 bits each. The third is MESH_CACHE_COUNT_WORDS words for rows missed and pages transferred. A word for
 * each page and a word for each page of slots follow. */
#define MESH_PAGE_ROWS 32u
#define MESH_CACHE_LINES 2u
#define MESH_CACHE_SHARING 8u /* host rows for each slot */
#define MESH_RING_CAPACITY 1024u
#define MESH_CACHE_COUNT_WORDS 4u

#endif
