/* SPDX-License-Identifier: MIT */
/* Whether a graph that is said to be undirected is. */
#ifndef GWS_IO_TWINS_H
#define GWS_IO_TWINS_H

#include "../../lib/graph.h"

/* Checks that every arc has its twin, with the same weight and as often. GWS_CORRUPT names the first arc that has not.
 * In parallel and at the speed of memory: the arcs of one direction must have the sum of hashes that those of the other
 * have, under a key that is drawn for this call. A graph with all twins always passes; one without passes with the
 * probability that a sum of random numbers of 64 bits, none of which the graph's author knew, is 0: about 2^-64. */
gws_status gws__twins_check(struct gws_runtime *runtime, const struct gws_graph *graph, const char *name,
                            struct gws_where *where);

#endif
