/* SPDX-License-Identifier: MIT */
/* What host and device tell each other in a breadth-first search of a graph in the host's memory
 * (kernels/hetero/protocol_words.h). */
#ifndef GWS_KERNELS_BFS_HOST_RESIDENT_WORDS_H
#define GWS_KERNELS_BFS_HOST_RESIDENT_WORDS_H

/* Orders: a level, whose range is the graph's vertices in chunks. */
#define ORDER_TOP_DOWN ORDER_RUN
#define ORDER_BOTTOM_UP (ORDER_RUN + 1u)

/* In an order's slot. */
#define ORDER_LEVEL ORDER_PAYLOAD       /* a merge: the depth of the frontier before it */
#define ORDER_SIDE (ORDER_PAYLOAD + 1u) /* which of the host's two bitmaps of visited vertices holds still */
#define ORDER_FRESH                                                                                                    \
    (ORDER_PAYLOAD + 2u) /* a level: take frontier and visited vertices from the host, which ran some alone */

/* In a reply's slot: the degrees of all that merged levels reached, summed. */
#define REPLY_DEGREES REPLY_PAYLOAD

/* A chunk has at most so many words of 32 vertices. */
#define BFS_CHUNK_WORDS 64u

/* More of the device's state. */
#define BFS_DEGREES PROTOCOL_STATE
#define BFS_STATE (PROTOCOL_STATE + 16u)

#endif
