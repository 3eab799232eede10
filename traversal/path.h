/* SPDX-License-Identifier: MIT */
/* One shortest path between two vertices. */
#ifndef GWS_PATH_H
#define GWS_PATH_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_path_options {
    bool hops; /* the length of a path is its number of arcs, also if the graph has weights */
};

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the search reuses its memory if
 * it fits. gws_path_result_clear() frees the memory. */
struct gws_path_result {
    uint64_t vertices; /* number of vertices of the graph */
    uint32_t source, target;
    bool hops;                         /* the value of options->hops */
    uint64_t length;                   /* number of vertices on the path, with both ends; 0: no path exists */
    uint32_t *vertex;                  /* length entries, from the source to the target */
    uint64_t *distance;                /* length entries: distance from the source; NULL if the distances are real */
    double *real_distance;             /* length entries; NULL unless the distances are real */
    uint64_t visited;                  /* number of vertices to which the search gave a distance, on either side */
    uint64_t arcs;                     /* number of arcs that the search read */
    double ms;                         /* time of the whole search */
    struct gws__path_scratch *scratch; /* private */
};

/* Finds a shortest path from source to target. options and where may be NULL. Weights are graph->real_weight if the
 * graph has them, otherwise graph->weight, otherwise 1. With real weights, the distances are sums in double along the
 * path, and rounding may make a path longer than the shortest one. A result without a path is a success.
 *
 * Errors, with a message in *where: GWS_OUT_OF_RANGE (source or target), GWS_INVALID (the search reads an arc whose
 * weight is negative, infinite or not a number; the message names the arc), GWS_NO_MEMORY. Errors leave result
 * unchanged or empty.
 *
 * Method: Dijkstra's algorithm from both ends (Nicholson 1966; Pohl 1971), with a queue in place of the heap if all
 * arcs have length 1. The side that has read fewer arcs advances. The search runs from the source alone if a directed
 * graph has no reverse (gws_graph_add_reverse()). The caller's thread runs the search. Time: O(n log n) in the arcs
 * read.
 *
 * Memory of each side: 12 bytes per vertex in pages of 64 vertices, 0.3 bytes per vertex, and 16 bytes for each entry
 * of the queue, whose array doubles when it is full. A search allocates a page when it first visits one of the page's
 * vertices. result keeps the memory for the next search, whose cost does not depend on unvisited vertices.
 * path_device.h has the form for devices. */
GWS_API gws_status gws_path(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                            uint32_t target, const struct gws_path_options *options, struct gws_path_result *result,
                            struct gws_diagnostic *where);

/* Frees the arrays of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_path_result_clear(struct gws_path_result *result);

/* Checks a result. The path leads from the source to the target over arcs of the graph. The distances are the sums of
 * the lengths of these arcs. gws_sssp() or gws_bfs() finds no shorter path. where->message describes the first fault.
 * Errors: GWS_WRONG_RESULT, GWS_NO_MEMORY, GWS_INVALID (an invalid weight anywhere that the source reaches). The check
 * runs in parallel in O(arcs). */
GWS_API gws_status gws_path_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  const struct gws_path_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
