/* SPDX-License-Identifier: MIT */
/* The messages of host and device in a breadth-first search of a graph in the host's memory
 * (kernels/hetero/protocol_words.h). */
#ifndef GWS_KERNELS_BFS_HOST_RESIDENT_WORDS_H
#define GWS_KERNELS_BFS_HOST_RESIDENT_WORDS_H

/* Orders for a level. The range consists of the graph's vertices in chunks. */
#define ORDER_TOP_DOWN ORDER_RUN
#define ORDER_BOTTOM_UP (ORDER_RUN + 1u)

/* In an order's slot. */
#define ORDER_LEVEL ORDER_PAYLOAD       /* in a merge: the depth of the frontier before it */
#define ORDER_SIDE (ORDER_PAYLOAD + 1u) /* the host's bitmap (0 or 1) that does not change now */
/* In a level: 1 if the device must copy frontier and visited vertices from the host, which has run levels by itself. */
#define ORDER_FRESH (ORDER_PAYLOAD + 2u)

/* In a reply's slot: the sum of the degrees of all vertices that merged levels reached. */
#define REPLY_DEGREES REPLY_PAYLOAD

/* The maximum number of bitmap words in a chunk. A word has 32 vertices. */
#define BFS_CHUNK_WORDS 64u

/* Words of the device's state that belong to the search. */
#define BFS_DEGREES PROTOCOL_STATE
#define BFS_STATE (PROTOCOL_STATE + 16u)

#endif
