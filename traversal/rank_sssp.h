/* SPDX-License-Identifier: MIT */
/* Shortest paths from one source in a graph that is parted among ranks. All functions but gws_rank_sssp_result_clear()
 * are collective, and all ranks return the same status and message. */
#ifndef GWS_RANK_SSSP_H
#define GWS_RANK_SSSP_H

#include "../lib/rank_graph.h"
#include "sssp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the search reuses its arrays if
 * the graph is the same. */
struct gws_rank_sssp_result {
    uint32_t source;
    /* Of this rank's vertices, graph->rows entries each: */
    uint64_t *distance;    /* GWS_NO_DISTANCE: unreached; NULL if the graph has real weights */
    double *real_distance; /* INFINITY: unreached; NULL unless the graph has real weights */
    uint32_t *parent;      /* the source is its own parent; GWS_NO_VERTEX: unreached */
    /* Of all ranks, and the same on all: */
    uint64_t reached;                     /* number of vertices that have a distance */
    uint64_t reached_arcs;                /* sum of the degrees of the reached vertices */
    double max_distance;                  /* largest distance of a reached vertex */
    double delta;                         /* the width of a bucket */
    uint64_t rounds;                      /* number of rounds, at each end of which the ranks meet twice */
    uint64_t relaxations;                 /* number of arcs that the rounds read; at least reached_arcs */
    uint64_t sent;                        /* paths that ranks found to vertices of other ranks and told them */
    double ms;                            /* time of the whole search */
    struct gws__rank_sssp_memory *memory; /* private */
};

/* Searches from source. options may be NULL; they are the same on all ranks. Weights and distances are those of
 * gws_sssp(). A parent is the smallest neighbour over which a shortest path leads and that is nearer to the source. If
 * all neighbours on shortest paths are equally near, over arcs of weight 0 or so small that the sum rounds to the same
 * distance, the parent is the smallest of those from which the fewest such arcs lead back to a nearer vertex. So
 * distance and parent do not depend on the numbers of ranks and threads, nor on delta.
 *
 * The search is delta-stepping as by gws_sssp(), and the ranks agree on the lowest bucket. If all ranks run on one
 * host, they lower the distances of all vertices in shared memory, and mark the vertices of other ranks. Otherwise a
 * round sends each path to a vertex of another rank to that rank, at most 2^18 paths or one row at a time: vertices
 * whose arcs might not fit wait for the next round. Between several hosts, some 2^15 paths travel while the rank
 * expands the next vertices of the round.
 *
 * Errors: GWS_OUT_OF_RANGE (source), GWS_INVALID (an arc that the source reaches has a weight that is negative,
 * infinite or not a number, and the message names the arc by the numbers of its vertices; or options->delta is negative
 * or not finite), GWS_NO_MEMORY, GWS_CANCELLED. After an error the result is empty. Memory of a rank: that of
 * gws_sssp() for its own vertices, and if weights are 0, 8 bytes more for each own vertex. Ranks of one host share 8.2
 * bytes for each vertex of the graph, 12.2 with real weights or distances from about 2^31 up; an equal share counts as
 * memory of each. Otherwise, and for arcs
 * of weight 0, a rank needs 32 bytes for each arc of a step, and at most 2 MB per worker or a byte for each own arc.
 * Time: a round costs one exchange or sum and one maximum among all ranks, a few microseconds within a host. */
GWS_API gws_status gws_rank_sssp(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t source,
                                 const struct gws_sssp_options *options, struct gws_rank_sssp_result *result,
                                 struct gws_diagnostic *where);

/* Frees this rank's arrays, while the runtime of the search is open, and sets the result to {0}. Not collective.
 * Accepts NULL. */
GWS_API void gws_rank_sssp_result_clear(struct gws_rank_sssp_result *result);

/* Checks a result by the rules of gws_sssp_check(). For every arc from a reached vertex its owner sends the largest
 * legal distance to the target's owner, and for every tree arc the target's exact distance to the parent's owner, in
 * steps of 2^18 messages. Vertices at the distance of their parents ask for the parents' ancestors, in as many steps as
 * the longest chain of them is long. where->message describes the fault of the smallest vertex. Errors:
 * GWS_WRONG_RESULT, GWS_INVALID (a result without distances or parents), GWS_NO_MEMORY, GWS_CANCELLED. Runs on the
 * calling threads in O(arcs / ranks). */
GWS_API gws_status gws_rank_sssp_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                       const struct gws_rank_sssp_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
