/* SPDX-License-Identifier: MIT */
/* What host and device tell each other in a bridged breadth-first search: orders (bridge_words.h) and their words. */
#ifndef GWS_KERNELS_BRIDGE_BFS_WORDS_H
#define GWS_KERNELS_BRIDGE_BFS_WORDS_H

/* Orders besides BRIDGE_END: run a level together with the host, whose range is the graph's vertices in chunks; and
 * put together what both found in it. */
#define BRIDGE_TOP_DOWN 1u
#define BRIDGE_BOTTOM_UP 2u
#define BRIDGE_MERGE 3u

/* In an order's slot. */
#define BRIDGE_LEVEL 3u /* the depth of the frontier */
#define BRIDGE_SIDE 4u  /* which of the host's two bitmaps of visited vertices holds still */
#define BRIDGE_FRESH 5u /* a level: take frontier and visited vertices from the host, which ran some levels alone */

#define BRIDGE_SPLIT 6u /* a level: the first chunk that was to be the device's; who goes beyond it steals */

/* What the device did of a search, BRIDGE_STATS_STRIDE words for each group, in memory of the host's: vertices of the
 * chunks it ran; those of them that were to be the host's, and the chunks. */
#define BRIDGE_STATS_STRIDE 8u
#define BRIDGE_STATS_RAN 0u
#define BRIDGE_STATS_STOLEN 1u
#define BRIDGE_STATS_STEALS 2u

/* In the slot of the reply to BRIDGE_END: the degrees of all that merged levels reached, summed. */
#define BRIDGE_DEGREES 1u

/* Where the device finds the rows of a graph. A row lies in two parts: its first words, which are kept on the device,
 * and the rest, with the host; either may be empty. Each part is packed, in the vertices' order. bound[v], v from 0 to
 * the number of vertices, says how many words there are of the rows before v: kept ones in the lower half, others in
 * the upper half, both modulo 2^32, so that two neighbours tell a row's lengths. The whole numbers come from base[2 *
 * block] (kept) and base[2 * block + 1] (others), which are those of the block's first vertex: the rows of a block of
 * BRIDGE_BLOCK vertices have less than BRIDGE_BLOCK_ARCS arcs. So a row costs one place in bound, whichever part of it
 * is read, as the blocks' numbers are few and stay in the cache. */
#define BRIDGE_BLOCK 1024u
#define BRIDGE_BLOCK_ARCS 0x80000000u

/* Words of a piece, the least that crosses the bus. */
#define BRIDGE_PIECE 8u

/* A chunk has at most so many words of 32 vertices. */
#define BRIDGE_MOST_WORDS 64u

/* More of the device's state (bridge_words.h). */
#define BRIDGE_DEGREE_SUM 80u
#define BRIDGE_BFS_STATE 96u

#endif
