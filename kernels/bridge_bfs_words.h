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

/* A chunk has at most so many words of 32 vertices. */
#define BRIDGE_MOST_WORDS 64u

/* More of the device's state (bridge_words.h). */
#define BRIDGE_DEGREE_SUM 80u
#define BRIDGE_BFS_STATE 96u

#endif
