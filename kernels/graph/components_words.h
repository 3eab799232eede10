/* SPDX-License-Identifier: MIT */
/* The counts of kernels/graph/components.cl, 32 bits each. */
#ifndef GWS_KERNELS_COMPONENTS_WORDS_H
#define GWS_KERNELS_COMPONENTS_WORDS_H

#define COMPONENTS_ROOTS 0u    /* number of components */
#define COMPONENTS_SAMPLED 1u  /* number of vertices of one of the larger components */
#define COMPONENTS_LARGEST 2u  /* number of vertices of the largest component, unless that is SAMPLED */
#define COMPONENTS_LONG 3u     /* number of rows of at least COMPONENTS_HEAVY arcs */
#define COMPONENTS_SMALLEST 4u /* 2^32 - 1 minus the smallest vertex that the hub's search visited */
#define COMPONENTS_VISITED 5u  /* number of vertices that it visited */
#define COMPONENTS_OPEN 6u     /* number of vertices with arcs that it did not visit */
#define COMPONENTS_COUNTS 7u

#define COMPONENTS_DEVICES 8u /* the maximum number of devices */

/* Whether no component is larger than the sampled one. Each other component has a vertex at least, so the largest of
 * them has at most vertices - sampled - (roots - 2) vertices. */
#define COMPONENTS_IS_LARGEST(sampled, roots, vertices) (2 * (sampled) + (roots) >= (vertices) + 2)

#endif
