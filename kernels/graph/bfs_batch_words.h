/* SPDX-License-Identifier: MIT */
/* The counts of kernels/graph/bfs_batch.cl. */
#ifndef GWS_KERNELS_BFS_BATCH_WORDS_H
#define GWS_KERNELS_BFS_BATCH_WORDS_H

#define BATCH_WORDS 4u /* max words of 64 bits for each vertex; a batch has 1 or BATCH_WORDS */
#define BATCH_SOURCES (64u * BATCH_WORDS)

/* Counts have 32 bits each. After the pieces come the slots of three depths. Depth d uses slot d % 3. */
#define BATCH_OUT_PIECES 0u /* number of pieces of long outgoing rows */
#define BATCH_IN_PIECES 1u  /* number of pieces of long incoming rows */
#define BATCH_LEVELS 2u     /* after a launch: the largest depth of a vertex, plus 1 */
#define BATCH_UNFINISHED 3u /* after a launch: 1: max_depth has ended the searches */
#define BATCH_SLOT 4u       /* the first slot */
#define BATCH_SIZE 0u       /* in a slot: number of vertices that a search reaches at this depth */
#define BATCH_LISTED 1u     /* in a slot: end of the list of the frontier */
#define BATCH_TOUCHED 2u    /* in a slot: end of the list of vertices that push has reached */
#define BATCH_STOP 3u       /* in a slot: 1: the host has cancelled the run */
#define BATCH_FOUND 4u      /* in a slot: for each source, number of vertices at this depth */
#define BATCH_SLOT_WORDS (BATCH_FOUND + BATCH_SOURCES)
#define BATCH_SLOTS 3u
#define BATCH_COUNTS (BATCH_SLOT + BATCH_SLOTS * BATCH_SLOT_WORDS)

/* A long row has at least BATCH_PIECE arcs. Its pieces have BATCH_PIECE arcs each. */
#ifndef BATCH_PIECE
#define BATCH_PIECE 2048u
#endif

#endif
