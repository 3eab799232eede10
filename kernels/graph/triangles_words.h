/* SPDX-License-Identifier: MIT */
/* What the host and kernels/graph/triangles.cl share. */
#ifndef GWS_KERNELS_TRIANGLES_WORDS_H
#define GWS_KERNELS_TRIANGLES_WORDS_H

/* The sums, 64 bits each. */
#define TRIANGLES_FOUND 0u   /* number of triangles */
#define TRIANGLES_WEDGES 1u  /* number of pairs of neighbours of a vertex, summed over all vertices */
#define TRIANGLES_ENTRIES 2u /* number of entries of the directed rows */
#define TRIANGLES_SUMS 3u

/* The words, 32 bits each. */
#define TRIANGLES_UNITS 0u  /* length of the list of units */
#define TRIANGLES_SORTED 1u /* units that groups have acquired to sort rows, beyond the first unit of each group */
#define TRIANGLES_TAKEN 2u  /* units that groups have acquired to count, beyond the first unit of each group */
#define TRIANGLES_KEY 3u    /* number of vertices of each key */
#define TRIANGLES_KEYS 512u
#define TRIANGLES_WORDS (TRIANGLES_KEY + TRIANGLES_KEYS)

#ifndef TRIANGLES_HEAVY
#define TRIANGLES_HEAVY 64u /* vertices of at least as many arcs are heavy */
#endif
#ifndef TRIANGLES_CHUNK
#define TRIANGLES_CHUNK 1024u /* arcs of a unit */
#endif

#endif
