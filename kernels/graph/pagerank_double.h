/* SPDX-License-Identifier: MIT */
/* The type of the values that arcs carry in kernels/graph/pagerank.cl. */
#define SHARE double
