/* SPDX-License-Identifier: MIT */
/* Weakly connected components of a graph that is parted among ranks. All functions but
 * gws_rank_components_result_clear() are collective, and all ranks return the same status and message. */
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
    uint64_t rounds;             /* exchanges of unions among the ranks; 0: they share memory */
    uint64_t sent;               /* unions that ranks sent to others */
    double ms;                   /* time of the call */
    struct gws_runtime *runtime; /* private */
    uint64_t rows;               /* private */
};

/* Finds the weak components.
 *
 * If all ranks run on one host, they unite vertices in one array in shared memory, as threads do (Afforest, lock-free
 * union-find). The array has 4 bytes for each vertex of the graph; the transport keeps it for the next call. An equal
 * share of it counts as memory of each rank's runtime during the call.
 *
 * Otherwise, or if there is too little shared memory, each rank first unites its own vertices along some of its own
 * arcs to fragments. Then vertices tell one neighbour on another rank the label of their fragment, which is the
 * smallest vertex that the fragment knows. Owners unite fragments by labels. Then only the vertices outside one large
 * component tell all their neighbours.
 *
 * Errors: GWS_NEEDS_REVERSE (a directed graph without its reverse), GWS_NO_MEMORY, GWS_CANCELLED. After an error the
 * result is empty. Memory of a rank: 8 bytes for each own vertex; without shared memory, 20 bytes, 16 bytes for each
 * arc of a step of 2^18 arcs or one row, 16 bytes for each union that waits for another rank, 20 KB per worker, and 1
 * MB. Time: O(vertices / ranks) and two arcs of each vertex, and the arcs of the vertices outside the large component;
 * without shared memory, O(vertices / ranks) for each round, and also the arcs outside the large fragment of their
 * rank. */
GWS_API gws_status gws_rank_components(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                       struct gws_rank_components_result *result, struct gws_diagnostic *where);

/* Frees this rank's array, while the runtime of the call is open, and sets the result to {0}. Not collective.
 * Accepts NULL. */
GWS_API void gws_rank_components_result_clear(struct gws_rank_components_result *result);

/* Checks a result: a search along all arcs from the vertices that are named after themselves reaches all vertices, and
 * meets one name in each component. Ranks send what their arcs demand of other ranks' vertices, in steps of 2^18
 * messages. where->message describes the fault of the smallest vertex. Errors: GWS_WRONG_RESULT, GWS_NEEDS_REVERSE,
 * GWS_INVALID (a result without components, or of another graph), GWS_NO_MEMORY (9 bytes for each own vertex, and the
 * messages), GWS_CANCELLED. Runs on the calling threads in O(arcs / ranks), with as many exchanges as a path of the
 * search crosses between ranks. */
GWS_API gws_status gws_rank_components_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                             const struct gws_rank_components_result *result,
                                             struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
