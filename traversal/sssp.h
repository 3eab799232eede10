/* SPDX-License-Identifier: MIT */
/* Shortest paths from one source over arcs of non-negative weights. */
#ifndef GWS_SSSP_H
#define GWS_SSSP_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The distance of an unreached vertex. With real weights the distance is INFINITY instead. */
#define GWS_NO_DISTANCE UINT64_MAX

struct gws_sssp_options {
    double delta; /* the width of a bucket, rounded up to a power of two; 0: computed from a sample of the weights and
                     the mean degree */
};

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the search reuses its memory if
 * it fits. gws_sssp_result_clear() frees the memory. */
struct gws_sssp_result {
    uint64_t vertices;
    uint32_t source;
    uint64_t *distance;    /* vertices entries; NULL if the graph has real weights */
    double *real_distance; /* vertices entries; NULL unless the graph has real weights */
    uint32_t *parent; /* vertices entries: the previous vertex on a shortest path, the source for the source itself;
                         GWS_NO_VERTEX: unreached */
    uint64_t reached; /* number of vertices that have a distance */
    uint64_t reached_arcs;             /* sum of the degrees of the reached vertices */
    double max_distance;               /* largest distance of a reached vertex */
    double delta;                      /* the width of a bucket */
    uint64_t rounds;                   /* number of rounds of the search, each with one or two barriers */
    uint64_t relaxations;              /* number of arcs that the rounds read; at least reached_arcs */
    double ms;                         /* time of the whole search */
    double fetch_ms;                   /* time to copy the arrays from a device; 0: the threads searched */
    struct gws__sssp_scratch *scratch; /* private */
};

/* Searches from source. options and where may be NULL. Weights are graph->real_weight if the graph has them, otherwise
 * graph->weight, otherwise 1 for every arc. Distances are exact sums, or with real weights sums in double, rounded
 * after each arc. The parents are a tree, also where weights are 0. If a vertex has several shortest paths, the tree
 * may contain a different one in each run.
 *
 * Errors, with a message in *where: GWS_OUT_OF_RANGE (source), GWS_INVALID (an arc that the source reaches has a
 * weight that is negative, infinite or not a number, and the message names the arc; or options->delta is negative or
 * not finite), GWS_NO_MEMORY. Errors leave result unchanged or empty.
 *
 * Method: delta-stepping (Meyer, Sanders, J. Algorithms 2003) with bucket fusion (Zhang et al., CGO 2020). Time:
 * O(arcs) if few vertices change their distance within a bucket, as the chosen delta makes likely.
 *
 * Memory: 12 bytes per vertex for the result, at most about 10 bytes per vertex for the entries of buckets (a vertex
 * whose distance fell meanwhile has several), 8 bytes for every 500 arcs in long rows, and 0.2 MB per worker. result
 * keeps all memory for the next search. */
GWS_API gws_status gws_sssp(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                            const struct gws_sssp_options *options, struct gws_sssp_result *result,
                            struct gws_diagnostic *where);

/* Frees the arrays of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_sssp_result_clear(struct gws_sssp_result *result);

/* Checks a result. The source is its own parent at distance 0. No arc from a reached vertex offers a shorter distance,
 * so no distance is too large and the search misses no vertex. Every other reached vertex has an arc from its parent,
 * whose weight is the difference of the two distances. The parents lead to the source, so no distance is too small.
 * The counts agree. The check shares no code with the search. where->message describes the first fault. Errors:
 * GWS_WRONG_RESULT (a rule is broken), GWS_INVALID (a result without distances or parents), GWS_NO_MEMORY (the check
 * takes 4 bytes per vertex if weights are 0). The check runs in parallel. Time: O(arcs). */
GWS_API gws_status gws_sssp_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  const struct gws_sssp_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
