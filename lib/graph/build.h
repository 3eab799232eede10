/* SPDX-License-Identifier: MIT */
/* The CSR build behind gws_graph_build() and everything that makes one graph out of another. */
#ifndef GWS_GRAPH_BUILD_H
#define GWS_GRAPH_BUILD_H

#include "feed.h"

/* As gws_graph_build(), from any feed. The new graph has no ids and no positions. */
gws_status gws__graph_build(struct gws_runtime *runtime, const struct gws__feed *feed,
                            const struct gws_build_options *options, struct gws_graph **graph);

/* Gives a new graph arrays of its own for what its vertices and arcs say: offset and target to be filled, and weight
 * if it is weighted. GWS_NO_MEMORY. */
gws_status gws__graph_allocate(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, bool weighted,
                               struct gws_graph **graph);

#endif
