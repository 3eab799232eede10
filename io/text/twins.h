/* SPDX-License-Identifier: MIT */
/* Whether a graph that is said to be undirected is. */
#ifndef GWS_IO_TWINS_H
#define GWS_IO_TWINS_H

#include "../../lib/graph.h"

/* Checks that every arc has its twin with the same weight. GWS_CORRUPT names the first arc that has not. The graph's
 * first id is taken to be 1. */
gws_status gws__twins_check(struct gws_runtime *runtime, const struct gws_graph *graph, const char *name,
                            struct gws_where *where);

#endif
