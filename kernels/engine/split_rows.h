/* SPDX-License-Identifier: MIT */
/* How the rows of a graph lie that are split between a device and the host. */
#ifndef GWS_KERNELS_ENGINE_SPLIT_ROWS_H
#define GWS_KERNELS_ENGINE_SPLIT_ROWS_H

/* Where the device finds the rows of a graph. A row lies in two parts: its first words, which are kept on the device,
 * and the rest, with the host; either may be empty. Each part is packed, in the vertices' order. bound[v], v from 0 to
 * the number of vertices, says how many words there are of the rows before v: kept ones in the lower half, others in
 * the upper half, both modulo 2^32, so that two neighbours tell a row's lengths. The whole numbers come from base[2 *
 * block] (kept) and base[2 * block + 1] (others), which are those of the block's first vertex: the rows of a block of
 * SPLIT_ROWS_BLOCK vertices have less than SPLIT_ROWS_ARCS arcs. So a row costs one place in bound, whichever part of
 * it is read, as the blocks' numbers are few and stay in the cache. */
#define SPLIT_ROWS_BLOCK 1024u
#define SPLIT_ROWS_ARCS 0x80000000u

/* Words of a piece, the least that crosses the bus. */
#define SPLIT_ROWS_PIECE 8u

#endif
