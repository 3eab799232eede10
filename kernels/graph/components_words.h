/* SPDX-License-Identifier: MIT */
/* The counts of kernels/graph/components.cl, 32 bits each. */
#ifndef GWS_KERNELS_COMPONENTS_WORDS_H
#define GWS_KERNELS_COMPONENTS_WORDS_H

#define COMPONENTS_ROOTS 0u   /* number of components */
#define COMPONENTS_SAMPLED 1u /* number of vertices of one of the larger components */
#define COMPONENTS_LARGEST 2u /* number of vertices of the largest component, unless SAMPLED has half of all */
#define COMPONENTS_LONG 3u    /* number of rows of at least COMPONENTS_HEAVY arcs */
#define COMPONENTS_COUNTS 4u

#endif
