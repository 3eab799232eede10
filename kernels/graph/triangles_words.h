/* SPDX-License-Identifier: MIT */
/* The sums of kernels/graph/triangles.cl, 64 bits each. */
#ifndef GWS_KERNELS_TRIANGLES_WORDS_H
#define GWS_KERNELS_TRIANGLES_WORDS_H

#define TRIANGLES_FOUND 0u  /* number of triangles */
#define TRIANGLES_WEDGES 1u /* number of pairs of neighbours of a vertex, summed over all vertices */
#define TRIANGLES_SUMS 2u

#endif
