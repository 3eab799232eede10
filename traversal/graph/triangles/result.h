/* SPDX-License-Identifier: MIT */
/* Creates a new result of triangles beside the caller's result, which does not change until the end. */
#ifndef GWS_TRIANGLES_RESULT_H
#define GWS_TRIANGLES_RESULT_H

#include <stdatomic.h>

#include "../../../lib/parallel.h"
#include "../../triangles.h"

/* Sets the arrays of *made, of which the caller has set made->vertices. Uses the arrays of the old result where they
 * fit, otherwise new arrays. Errors: GWS_INVALID (an unknown part), GWS_NO_MEMORY. Call gws__triangles_end() in any
 * case. */
gws_status gws__triangles_begin(struct gws_runtime *runtime, uint32_t parts, const struct gws_triangles_result *old,
                                struct gws_triangles_result *made);

/* If status is GWS_OK, replaces the result by *made. Otherwise releases the new arrays of *made. Returns status. */
gws_status gws__triangles_end(gws_status status, const struct gws_triangles_result *made,
                              struct gws_triangles_result *result);

/* The triangles of each vertex. */
struct gws__triangles_sums {
    const uint64_t *count; /* indexed by rank, or by vertex if rank is NULL */
    const uint32_t *rank;
    const struct gws_graph *original; /* the directed graph, if clustering[] counts its arcs; otherwise NULL */
};

/* Fills the arrays. graph: an undirected graph. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__triangles_fill(struct gws_runtime *runtime, const struct gws_graph *graph,
                               const struct gws__triangles_sums *sums, struct gws_triangles_result *made);

/* Counts, for each vertex of a directed graph, the triangles whose two other vertices have arcs in both directions.
 * symmetric: the symmetrised graph. count: vertices entries. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__triangles_mutual(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_graph *symmetric, _Atomic uint64_t *count);

#endif
