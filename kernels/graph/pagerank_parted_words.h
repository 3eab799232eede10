/* SPDX-License-Identifier: MIT */
/* The layout of the exchange buffers of kernels/graph/pagerank_parted.cl: the posts (engine/peers_words.h), and two
 * arrays of shares of all vertices. The second one begins PAGERANK_STRIDE(vertices) shares after the first one. */
#ifndef GWS_KERNELS_PAGERANK_PARTED_WORDS_H
#define GWS_KERNELS_PAGERANK_PARTED_WORDS_H

/* The words of a post: the sums of pagerank_words.h, in two words of 32 bits each, the lower one first. */
#define POST_STOP 6u /* 1: the host has cancelled the run */
#define POST_EPOCH 7u
#define POST_WORDS 8u

/* The devices look in one of so many iterations, an even number, whether the host has cancelled the run. A look crosses
 * the bus, which takes as long as an iteration on a small graph. */
#define PAGERANK_LOOK 8u

#define PAGERANK_STRIDE(vertices) (((vertices) + 31u) / 32u * 32u)

/* Words of the statistics of a group, in ticks. */
#define PAGERANK_IDLE 0u /* the time at barriers */
#define PAGERANK_TIME 1u
#define PAGERANK_STATS 2u

#endif
