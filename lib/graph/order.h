/* SPDX-License-Identifier: MIT */
/* The orders of gws_graph_order() that have a file of their own. */
#ifndef GWS_GRAPH_ORDER_H
#define GWS_GRAPH_ORDER_H

#include "../graph.h"

/* Fill new_of_old (vertices entries) with a permutation. Errors: GWS_NO_MEMORY, GWS_CANCELLED. gws__order_hilbert()
 * requires positions. */
gws_status gws__order_rcm(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *new_of_old);
gws_status gws__order_hilbert(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *new_of_old);

#endif
