/* SPDX-License-Identifier: MIT */
/* The counts of a team in kernels/graph/betweenness.cl, 32 bits each. The first five have a slot for each of three
 * steps. */
#ifndef GWS_KERNELS_BETWEENNESS_WORDS_H
#define GWS_KERNELS_BETWEENNESS_WORDS_H

#define BC_FOUND 0u     /* number of vertices found in a step */
#define BC_PIECES 3u    /* number of parts of long rows */
#define BC_ROWS 6u      /* number of long rows whose sums the kernel needs */
#define BC_TAKEN 9u     /* number of vertices that warps have taken beyond their first ones */
#define BC_STOP 12u     /* 1: the host has cancelled the run */
#define BC_OVERFLOW 15u /* no slots; 1: sigma exceeds the range of a double, or scale exceeds the range of a word */
#define BC_AT 16u       /* first of six words: the position after the levels that one group ran */
#define BC_COUNTS 32u
#define BC_BLOCK 32u /* places of the queue that share two words of first */
#define BC_FIRST_WORDS(vertices) (((vertices) + BC_BLOCK - 1u) / BC_BLOCK * 2u)
#define BC_ARRIVED 16u /* a team's barrier has a cache line of its own */

#ifndef BC_HEAVY
#define BC_HEAVY 2048u /* min arcs of a row that all groups share */
#define BC_PIECE 1024u /* arcs of a part of a shared row */
#endif

#endif
