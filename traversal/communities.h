/* SPDX-License-Identifier: MIT */
/* Communities are groups of vertices with more arcs inside than a random graph with the same degrees has, by
 * modularity. Label propagation finds groups by the rule of LDBC Graphalytics instead.
 *
 * The modularity of a partition is the sum over communities of inside / total - resolution * (degrees / total)^2.
 * inside is the weight of the arcs inside, degrees the degrees of the members, and total the degrees of all vertices.
 * An arc of a directed graph counts like an edge without direction. Both directions of an edge count, so a self-loop
 * counts twice. */
#ifndef GWS_COMMUNITIES_H
#define GWS_COMMUNITIES_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_communities_method {
    /* Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities", Scientific Reports 9,
     * 2019. Every community is connected. */
    GWS_COMMUNITIES_LEIDEN,
    /* Blondel, Guillaume, Lambiotte, Lefebvre, "Fast unfolding of communities in large networks", 2008. */
    GWS_COMMUNITIES_LOUVAIN,
    /* Synchronous label propagation (LDBC Graphalytics, "Community detection using label propagation"). Every vertex
     * starts with its own label. In each iteration a vertex takes the most frequent label of its neighbours, or the
     * smallest of several most frequent labels. Incoming and outgoing arcs of a directed graph both count, so a
     * neighbour in both directions counts twice. The method does not read weights. */
    GWS_COMMUNITIES_CDLP
};

struct gws_communities_options {
    enum gws_communities_method method;
    double resolution;   /* larger values make smaller communities; 0: 1. The modularity uses the same value */
    uint32_t max_levels; /* max number of levels in a pass of Leiden, or of Louvain; 0: continue until no move improves
                            the modularity */
    uint32_t passes;     /* number of passes of Leiden; each begins with the communities of the previous pass; 0: 2 */
    uint32_t iterations; /* number of iterations of label propagation; 0: 10 */
    bool ignore_weights; /* every arc weighs 1 */
};

/* {0} is a valid empty result. A caller may pass a filled result again, which the call replaces.
 * gws_communities_result_clear() frees the array. */
struct gws_communities_result {
    uint64_t vertices;
    /* vertices entries. Leiden and Louvain: the smallest vertex of the community. Label propagation: the vertex that
     * started with this label, which need not be a member. Ids of the input ascend, so the smallest label is also the
     * smallest id. */
    uint32_t *community;
    uint64_t count;    /* number of communities */
    uint64_t largest;  /* number of vertices of the largest community */
    double modularity; /* modularity for the weights that the method reads; 0 for a graph without arcs */
    uint32_t levels;   /* number of partitioned graphs in all passes, or number of iterations */
    double ms;
    double fetch_ms;                /* on a device: time of the copy to the host */
    struct gws_allocator allocator; /* private */
};

/* Finds communities. options may be NULL. Results do not depend on the number of threads or on the policy.
 *
 * In each round, a hash divides the vertices into 16 classes. The classes move one after the other, and the vertices
 * of one class move at the same time. Sums of weights are 64-bit integers. The function rounds real weights to
 * multiples of a power of two, about 2^-33 of the largest weight in a graph of 10^8 arcs. Leiden's refinement merges
 * greedily (the paper's limit of theta to 0) and tests the connection of each vertex that joins a part.
 *
 * Errors, all of which leave result unchanged: GWS_INVALID (an unknown method, a negative resolution, a negative
 * weight), GWS_NEEDS_REVERSE (a directed graph without gws_graph_add_reverse()), GWS_TOO_LARGE (integer weights whose
 * sum might exceed 2^62), GWS_NO_MEMORY.
 *
 * Time: some dozens of passes over the arcs, of 5 to 20 ns per arc. Label propagation takes one pass per iteration.
 *
 * Memory besides the CSR and the result: 21 bytes per vertex, or 16 for label propagation. From the second level on, 5
 * bytes per vertex and 28 bytes per node take the place of the 21. The graph of the nodes takes 8 bytes for each
 * ordered pair of adjacent nodes, or 12 if the weights add up to more than 2^31 - 1. Two such graphs exist while the
 * function makes one from the other. In Leiden, the first of them has about half as many nodes as the graph has
 * vertices. So Leiden takes 31 bytes per vertex on road networks and 50 on grids. On Kronecker graphs, the first graph
 * of nodes has nearly as many pairs as the graph has arcs. Each worker has a table of 32 to 64 bytes for each label
 * that the longest row of a level may have. */
GWS_API gws_status gws_communities(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   const struct gws_communities_options *options,
                                   struct gws_communities_result *result);

/* Frees the array of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_communities_result_clear(struct gws_communities_result *result);

/* Checks a result for the graph and the options of its run, by separate code. Labels are vertices. The number of
 * communities and the size of the largest one agree with the result. The modularity, summed up in double, agrees
 * within 1e-7. A label of Leiden and Louvain is the smallest vertex of its community. Communities of Leiden are
 * connected. A serial run of label propagation by the rule gives the same labels. where->message (may be NULL)
 * describes the fault. Errors: GWS_WRONG_RESULT, those of gws_communities(). The check runs serially. Time: O(arcs),
 * or O(arcs * log(degree)) in each iteration of label propagation. Memory: 20 bytes per vertex. */
GWS_API gws_status gws_communities_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                         const struct gws_communities_options *options,
                                         const struct gws_communities_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
