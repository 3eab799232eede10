/* SPDX-License-Identifier: MIT */
/* A graph without self-loops or without parallel arcs, for inputs that come as CSR and not as edges. */
#ifndef GWS_IO_GWSG_PRUNE_H
#define GWS_IO_GWSG_PRUNE_H

#include "../../lib/graph.h"

/* Puts in *graph's place the same graph without loops (if asked) and with one of each run of parallel arcs, the one of
 * least weight (if asked); nothing is done when there are none. On failure *graph stays. GWS_NO_MEMORY. */
gws_status gws__graph_prune(struct gws_runtime *runtime, bool loops, bool duplicates, struct gws_graph **graph);

#endif
