/* SPDX-License-Identifier: MIT */
/* The counts of kernels/graph/strong.cl, 32 bits each. */
#ifndef GWS_KERNELS_STRONG_WORDS_H
#define GWS_KERNELS_STRONG_WORDS_H

#define STRONG_OPEN 0u        /* number of open vertices after a launch */
#define STRONG_WHICH 1u       /* the list that has them */
#define STRONG_PASS 2u        /* number of passes so far */
#define STRONG_SIZE 3u        /* size of the frontier when all groups continue a search */
#define STRONG_ROOTS 4u       /* number of components */
#define STRONG_GIANT 5u       /* number of vertices of the pivot's component */
#define STRONG_LARGEST 6u     /* number of vertices of the largest other component */
#define STRONG_TAIL 8u        /* length of the list of a pass, in three generations */
#define STRONG_HEAVY_TAIL 12u /* number of heavy rows of a pass, in three generations */
#define STRONG_COUNTS 16u

#define STRONG_LISTS 3u /* lists of `vertices` words each */

/* A heavy row has at least STRONG_HEAVY arcs. */
#ifndef STRONG_HEAVY
#define STRONG_HEAVY 4096u
#endif

#endif
