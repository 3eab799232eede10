/* SPDX-License-Identifier: MIT */
/* The counts and sums of kernels/graph/pagerank.cl. */
#ifndef GWS_KERNELS_PAGERANK_WORDS_H
#define GWS_KERNELS_PAGERANK_WORDS_H

#define PAGERANK_ITERATIONS 0u /* number of iterations; counts have 32 bits each */
#define PAGERANK_HEAVY 1u      /* number of heavy rows */
#define PAGERANK_PIECES 2u     /* number of pieces of heavy rows */
#define PAGERANK_STOP 4u       /* slots for two iterations; 1: the host has cancelled the run */
#define PAGERANK_COUNTS 6u

#define PAGERANK_ERROR 0u /* changes of all ranks; sums are multiples of 2^-60 in 64 bits */
#define PAGERANK_GIVEN 1u /* ranks of vertices with outgoing arcs */
#define PAGERANK_TOTAL 2u /* ranks of all vertices */
#define PAGERANK_SUMS 4u  /* number of sums of an iteration */
#define PAGERANK_GENERATIONS 3u

/* A heavy row has at least PAGERANK_PIECE arcs. Its pieces have PAGERANK_PIECE arcs each. */
#ifndef PAGERANK_PIECE
#define PAGERANK_PIECE 2048u
#endif

#endif
