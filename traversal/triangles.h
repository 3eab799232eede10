/* SPDX-License-Identifier: MIT */
/* Triangles are sets of three vertices of which each two are neighbours. All functions treat the graph as simple and
 * undirected. They skip loops and parallel arcs, and ignore the direction of arcs. Only clustering coefficients may
 * count directions; see struct gws_triangles_options. */
#ifndef GWS_TRIANGLES_H
#define GWS_TRIANGLES_H

#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays of a result, one bit each. */
enum gws_triangles_part { GWS_TRIANGLES_COUNT = 1, GWS_TRIANGLES_CLUSTERING = 2 };

struct gws_triangles_options {
    uint32_t parts; /* a set of enum gws_triangles_part; 0: no arrays, only the totals of the graph */
    /* Clustering coefficients of a directed graph by the rule of LDBC Graphalytics ("local clustering coefficient"):
     * the number of arcs from a neighbour to a neighbour, divided by the number of ordered pairs of neighbours. A
     * vertex is a neighbour if an arc leads to it or from it. An undirected graph has the same values without this
     * option. */
    bool directed;
};

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the call reuses its arrays for a
 * graph with as many vertices. gws_triangles_result_clear() frees the arrays. */
struct gws_triangles_result {
    uint64_t vertices;
    uint64_t *count;        /* vertices entries: triangles that contain the vertex; NULL unless GWS_TRIANGLES_COUNT */
    double *clustering;     /* vertices entries: the local clustering coefficient, that is the fraction of the pairs of
                               neighbours that are adjacent, or that of options->directed; 0 for vertices with fewer
                               than 2 neighbours. NULL unless GWS_TRIANGLES_CLUSTERING */
    bool directed;          /* clustering[] counts the arcs of a directed graph */
    double mean_clustering; /* the mean of clustering[]; 0 without clustering[] */
    uint64_t triangles;     /* number of triangles in the graph */
    uint64_t wedges;        /* number of pairs of neighbours of a vertex, summed over all vertices */
    double transitivity;    /* the global clustering coefficient, 3 triangles / wedges; 0 without wedges */
    double prepare_ms;      /* time to orient the graph */
    double ms;              /* time of the call without prepare_ms; on a device: time of the kernel */
    double fetch_ms;        /* on a device: time of the copy to the host */
    struct gws_allocator allocator; /* private */
};

/* Counts triangles. options may be NULL (no arrays). Errors, which leave the result unchanged: GWS_INVALID (an unknown
 * part), GWS_NO_MEMORY.
 *
 * The function directs every edge from the end of lower degree to the end of higher degree (Chiba, Nishizeki, SIAM J.
 * Comput. 14, 1985; Schank, Wagner, WEA 2005), and renumbers vertices by descending degree. For each arc (u, v) a
 * worker counts the common targets of u and v with a bitmap of u's row. The rows of vertices with the highest degrees
 * are bitmaps too, where a bitmap is shorter to read. If no vertex has more than 32 arcs, workers merge the unchanged
 * rows.
 *
 * Time: O(arcs^1.5). Without bitmaps, the count takes at most one probe for each arc (u, v) and target of v. Workers
 * share long rows, so a vertex of high degree does not delay the others. Memory: 12 bytes per vertex and 4 bytes per
 * edge for the directed copy. The bitmaps take 1 bit per vertex and worker, 8 bytes per vertex and 1 MB. count or
 * clustering takes 8 bytes per vertex and 72 KB per worker. The function first symmetrises a directed graph. The
 * symmetric copy takes at most twice the memory of the graph's CSR. With options->directed, clustering takes 8 bytes
 * per vertex and 1 bit per vertex and worker more, and a second pass: for each pair of vertices with arcs in both
 * directions it reads the shorter row. Graphs with at most 32 arcs per vertex need no copy and no bitmaps. */
GWS_API gws_status gws_triangles(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_triangles_options *options, struct gws_triangles_result *result);

/* Counts triangles on a device. Opening builds the program and uploads the graph, or in place of a directed graph a
 * symmetric copy, which the host makes. Each run directs the edges by degree and counts again; prepare_ms is 0 because
 * the kernel does both. options are those of gws_triangles(). Errors, with a message in *where (may be NULL):
 * GWS_INVALID (an unknown part), GWS_UNSUPPORTED (the rows lie on the host; groups of this device cannot wait for each
 * other), GWS_TOO_LARGE (2^31 vertices or more), GWS_NO_MEMORY, GWS_DEVICE.
 *
 * The kernel ranks the vertices by descending degree, where degrees that differ by at most a sixteenth may share a
 * place. It directs every edge to the end of lower rank. For each vertex v a bitmap in local memory marks the targets
 * of v, and for each arc (u, v) the kernel looks up the targets of u below v. So it looks up each pair of targets of a
 * vertex at most once, in groups of 16 ranks where the targets lie close together. A bitmap has 2^16 bits for vertices
 * of many arcs and 2^12 bits for the others. Where a bitmap has too few bits, a binary search in v's row confirms each
 * hit. If no vertex has more than 31 arcs, the kernel merges the unchanged rows instead.
 *
 * Time: O(arcs^1.5). Memory on the device beside the graph: 16 bytes per vertex, 4 per edge and at most 0.14 per arc,
 * and 8 per vertex if options->parts is not 0. */
struct gws_triangles_device;
GWS_API gws_status gws_triangles_device_open(struct gws_device_graph *on_device,
                                             const struct gws_triangles_options *options,
                                             struct gws_triangles_device **triangles, struct gws_diagnostic *where);
GWS_API void gws_triangles_device_close(struct gws_triangles_device *triangles); /* accepts NULL */

/* Sets all fields of result except its arrays, .mean_clustering and .fetch_ms. The kernel sees between parts of its
 * work whether the call is cancelled, if the device shares memory with the host. Errors leave result unchanged. */
GWS_API gws_status gws_triangles_device_run(struct gws_triangles_device *triangles, struct gws_triangles_result *result,
                                            struct gws_diagnostic *where);

/* Returns the number of triangles of each vertex in the last run, as 64-bit words. The object owns the buffer. Returns
 * NULL if options->parts was 0. */
GWS_API struct gws_device_buffer *gws_triangles_device_buffer(const struct gws_triangles_device *triangles);

/* Copies the counts of the last run to the host, and fills the arrays of result that options->parts selected. With
 * options->directed and a directed graph, threads count the pairs of neighbours with arcs in both directions. Sets
 * .mean_clustering and .fetch_ms. */
GWS_API gws_status gws_triangles_device_fetch(struct gws_triangles_device *triangles,
                                              struct gws_triangles_result *result, struct gws_diagnostic *where);

/* Frees the arrays of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_triangles_result_clear(struct gws_triangles_result *result);

/* Checks a result by separate code. The totals must agree, which are wedges, transitivity, the sum of count (3 *
 * triangles) and the mean of clustering. If at most 2^28 binary searches in the rows suffice, the check counts all
 * triangles again and compares every number. On a larger graph the check recounts a sample of 4,096 vertices, but
 * skips vertices of more than 1,024 arcs. The check also draws 2^20 random wedges. The fraction of closed wedges must
 * lie within 8 standard deviations of the transitivity. where->message (may be NULL) describes the first fault.
 * Errors: GWS_WRONG_RESULT, GWS_NO_MEMORY. The check runs in parallel. Memory: 16 bytes per vertex, 8 more if
 * result->directed, and the symmetrised graph if the graph is directed. */
GWS_API gws_status gws_triangles_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       const struct gws_triangles_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
