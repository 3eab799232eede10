/* SPDX-License-Identifier: MIT */
/* The counts and sums of kernels/graph/pagerank.cl. */
#ifndef GWS_KERNELS_PAGERANK_WORDS_H
#define GWS_KERNELS_PAGERANK_WORDS_H

#define PAGERANK_ITERATIONS 0u /* number of iterations; counts have 32 bits each */
#define PAGERANK_HEAVY 1u      /* number of heavy rows */
#define PAGERANK_PIECES 2u     /* number of pieces of heavy rows */
#define PAGERANK_SHORTS 3u     /* numbers of short, middle and long rows */
#define PAGERANK_STOP 4u       /* slots for two iterations; 1: the host has cancelled the run */
#define PAGERANK_MIDDLES 6u
#define PAGERANK_LONGS 7u
#define PAGERANK_COUNTS 8u

#define PAGERANK_ERROR 0u /* changes of all ranks; sums are multiples of 2^-60 in 64 bits */
#define PAGERANK_GIVEN 1u /* ranks of vertices with outgoing arcs */
#define PAGERANK_TOTAL 2u /* ranks of all vertices */
#define PAGERANK_SUMS 4u  /* number of sums of an iteration */
#define PAGERANK_GENERATIONS 3u
#define PAGERANK_DEVICES 8u /* the maximum number of devices */

/* A short row has at most PAGERANK_SHORT arcs, a middle row at most PAGERANK_MIDDLE, and a long row fewer than
 * PAGERANK_PIECE. A heavy row consists of pieces of PAGERANK_PIECE arcs each, and the last piece may be shorter. */
#define PAGERANK_SHORT 4u
#define PAGERANK_DENSE 6u /* a dense graph has more arcs per vertex */
#ifndef PAGERANK_PIECE
#define PAGERANK_MIDDLE 64u
#define PAGERANK_PIECE 1024u
#endif

#endif
