/* SPDX-License-Identifier: MIT */
/* The counts of kernels/graph/betweenness.cl, 32 bits each. The first three have a slot for each of three steps. */
#ifndef GWS_KERNELS_BETWEENNESS_WORDS_H
#define GWS_KERNELS_BETWEENNESS_WORDS_H

#define BC_FOUND 0u     /* number of vertices found in a step */
#define BC_PIECES 3u    /* number of parts of long rows */
#define BC_ROWS 6u      /* number of long rows whose sums the kernel needs */
#define BC_LEVELS 9u    /* number of levels of the search */
#define BC_REACHED 10u  /* number of vertices that the search reached */
#define BC_OVERFLOW 11u /* 1: sigma exceeds the range of a double, or scale exceeds the range of a word */
#define BC_AT 12u       /* first word of the position after the levels that one group ran */
#define BC_STOP 18u     /* slots for three steps; 1: the host has cancelled the run */
#define BC_COUNTS 21u

#ifndef BC_HEAVY
#define BC_HEAVY 4096u /* min arcs of a row that all groups share */
#define BC_PIECE 2048u /* arcs of a part of a shared row */
#endif

#endif
