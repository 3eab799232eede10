/* SPDX-License-Identifier: MIT */
/* What host and device tell each other in a breadth-first search of a graph in the host's memory
 * (kernels/hetero/protocol_words.h), and how a graph's rows lie. */
#ifndef GWS_KERNELS_BFS_HOST_RESIDENT_WORDS_H
#define GWS_KERNELS_BFS_HOST_RESIDENT_WORDS_H

/* Orders: a level, whose range is the graph's vertices in chunks. */
#define ORDER_TOP_DOWN ORDER_RUN
#define ORDER_BOTTOM_UP (ORDER_RUN + 1u)

/* In an order's slot. */
#define ORDER_LEVEL ORDER_MORE       /* a merge: the depth of the frontier before it */
#define ORDER_SIDE (ORDER_MORE + 1u) /* which of the host's two bitmaps of visited vertices holds still */
#define ORDER_FRESH                                                                                                    \
    (ORDER_MORE + 2u) /* a level: take frontier and visited vertices from the host, which ran some alone */

/* In a reply's slot: the degrees of all that merged levels reached, summed. */
#define REPLY_DEGREES REPLY_MORE

/* Where the device finds the rows of a graph. A row lies in two parts: its first words, which are kept on the device,
 * and the rest, with the host; either may be empty. Each part is packed, in the vertices' order. bound[v], v from 0 to
 * the number of vertices, says how many words there are of the rows before v: kept ones in the lower half, others in
 * the upper half, both modulo 2^32, so that two neighbours tell a row's lengths. The whole numbers come from base[2 *
 * block] (kept) and base[2 * block + 1] (others), which are those of the block's first vertex: the rows of a block of
 * BFS_ROW_BLOCK vertices have less than BFS_ROW_BLOCK_ARCS arcs. So a row costs one place in bound, whichever part of
 * it is read, as the blocks' numbers are few and stay in the cache. */
#define BFS_ROW_BLOCK 1024u
#define BFS_ROW_BLOCK_ARCS 0x80000000u

/* Words of a piece, the least that crosses the bus. */
#define BFS_PIECE 8u

/* A chunk has at most so many words of 32 vertices. */
#define BFS_CHUNK_WORDS 64u

/* More of the device's state. */
#define BFS_DEGREES PROTOCOL_STATE
#define BFS_STATE (PROTOCOL_STATE + 16u)

#endif
