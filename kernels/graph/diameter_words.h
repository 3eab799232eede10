/* SPDX-License-Identifier: MIT */
/* The words of kernels/graph/diameter.cl that host and kernel share. */
#ifndef GWS_KERNELS_DIAMETER_WORDS_H
#define GWS_KERNELS_DIAMETER_WORDS_H

/* The words of `found`, each the smallest such vertex, or all bits set if there is none. */
#define DIAMETER_HIGH 0u     /* a candidate with the largest upper bound */
#define DIAMETER_LOW 1u      /* a candidate with the smallest lower bound */
#define DIAMETER_FARTHEST 2u /* a vertex at the largest distance of the search */
#define DIAMETER_FOUND 3u

#define DIAMETER_SIZES 0u /* steps of the kernel */
#define DIAMETER_BEGIN 1u
#define DIAMETER_BOUND 2u

#endif
