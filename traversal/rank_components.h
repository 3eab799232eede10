/* SPDX-License-Identifier: MIT */
/* Weakly connected components of a graph that is parted among ranks. */
#ifndef GWS_RANK_COMPONENTS_H
#define GWS_RANK_COMPONENTS_H

#include "../lib/rank_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A result. {0} is a valid empty result. Each call frees the previous result. */
struct gws_rank_components_result {
    uint32_t *component; /* of this rank's vertices, graph->rows entries: the smallest vertex of the component */
    /* Of all ranks, and the same on all: */
    uint64_t components;         /* number of components */
    uint64_t largest;            /* number of vertices of the largest one */
    uint64_t rounds;             /* exchanges of unions among the ranks */
    uint64_t sent;               /* unions that ranks sent to others */
    double ms;                   /* time of the call */
    struct gws_runtime *runtime; /* private */
    uint64_t rows;               /* private */
};

/* Finds the weak components. Collective; all ranks return the same status and message.
 *
 * Each rank first unites its own vertices along its own arcs to fragments (lock-free union-find). Then every vertex
 * tells one neighbour on another rank the label of its fragment, which is the smallest vertex that the fragment knows.
 * Owners unite fragments by labels. Then only the vertices outside one large component tell all their neighbours.
 *
 * Errors: GWS_NEEDS_REVERSE (a directed graph without its reverse), GWS_NO_MEMORY, GWS_CANCELLED. After an error the
 * result is empty. Memory of a rank: 24 bytes for each own vertex, 16 bytes for each arc of a step of 2^18 arcs or one
 * row, 16 bytes for each union that waits for another rank, 20 KB per worker. Time: O(vertices / ranks) for each round,
 * and the arcs within a rank and those of the vertices outside the large component. */
GWS_API gws_status gws_rank_components(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                       struct gws_rank_components_result *result, struct gws_diagnostic *where);

/* Frees this rank's array, while the runtime of the call is open, and sets the result to {0}. Accepts NULL. */
GWS_API void gws_rank_components_result_clear(struct gws_rank_components_result *result);

#ifdef __cplusplus
}
#endif
#endif
