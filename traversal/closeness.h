/* SPDX-License-Identifier: MIT */
/* Closeness and harmonic centrality, eccentricities, and the diameter of a graph. */
#ifndef GWS_CLOSENESS_H
#define GWS_CLOSENESS_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_closeness_options {
    /* The selected vertices, `sources` entries. If source is NULL, the call selects `samples` different vertices by
     * seed. 0 samples, or at least as many as vertices, select every vertex. */
    const uint32_t *source;
    uint64_t sources;
    uint64_t samples;
    uint64_t seed;
    bool outgoing;   /* true: use the distances from the vertex; false: to the vertex, as networkx does */
    bool unscaled;   /* omit the factor (r - 1) / (n - 1) of closeness */
    uint64_t memory; /* bytes for searches by each worker alone (small graphs) or from more sources; 0: 64 MiB */
};

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the call reuses its arrays if
 * they fit. Entry i of the arrays belongs to source[i], or to vertex i if source is NULL. */
struct gws_closeness_result {
    uint64_t vertices;
    uint64_t sources;       /* number of entries of the arrays */
    uint32_t *source;       /* NULL: every vertex */
    double *closeness;      /* (r - 1) / (sum of distances) * (r - 1) / (n - 1); 0 if r is 1 */
    double *harmonic;       /* sum of 1 / distance */
    uint64_t *total;        /* sum of the distances */
    uint32_t *reached;      /* r: number of vertices at a finite distance, including the vertex itself */
    uint32_t *eccentricity; /* largest finite distance */
    uint32_t diameter;      /* largest eccentricity of the entries */
    uint32_t radius;        /* smallest eccentricity of the entries with r > 1; 0 if there is none */
    double ms;
    double fetch_ms;                        /* on a device: time of the copy to the host */
    struct gws__closeness_scratch *scratch; /* private */
};

/* Computes the values of the selected vertices exactly. If options is NULL, the call selects every vertex and uses
 * distances to the vertex.
 *
 * The definition of closeness is that of networkx. With r reached vertices of n, the formula of Wasserman and Faust
 * ("Social Network Analysis", 1994) multiplies by (r - 1) / (n - 1). Otherwise vertices of small components would have
 * the largest values. Distances count arcs, without weights.
 *
 * Searches run from 64 or 256 vertices at once (MS-BFS; see gws_bfs_batch()). On small graphs, each worker runs batches
 * of its own. On large graphs of many levels, one gws_bfs() runs for each vertex. closeness_device.h has the device
 * form.
 *
 * Errors: GWS_OUT_OF_RANGE (a source) and GWS_NEEDS_REVERSE (a directed graph without reverse) leave result unchanged.
 * GWS_NO_MEMORY leaves result unchanged or empty. Memory besides the result: the largest of options->memory, that of
 * gws_bfs(), and 24 bytes per vertex with 1 MiB. result keeps only its own 32 bytes per source. */
GWS_API gws_status gws_closeness(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_closeness_options *options, struct gws_closeness_result *result);

/* Frees the arrays of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_closeness_result_clear(struct gws_closeness_result *result);

/* Checks a result. options are those of the call. The check shares no code with gws_closeness(). Serial searches
 * compute the values of all entries again. If all searches would read more than 2^28 arcs, they compute only entries
 * spread over the result. The values of each entry must be consistent. If the result covers all vertices of an
 * undirected graph, the values of neighbours must differ by no more than one arc allows. Errors: GWS_WRONG_RESULT,
 * GWS_NO_MEMORY (8 bytes per vertex). */
GWS_API gws_status gws_closeness_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       const struct gws_closeness_options *options,
                                       const struct gws_closeness_result *result, struct gws_diagnostic *where);

/* The largest distance between two vertices of one weak component. */
struct gws_diameter_result {
    uint64_t vertices;
    uint32_t diameter;
    uint32_t from, to; /* two vertices at this distance; GWS_NO_VERTEX in an empty graph */
    uint64_t searches; /* number of breadth-first searches that prove the diameter */
    double ms;         /* time of the call without prepare_ms */
    double prepare_ms; /* time to find the components and to symmetrise a directed graph */
};

/* Computes the exact diameter. The function ignores the directions of arcs. Bounds on the eccentricity of each vertex
 * shrink with every search (BoundingDiameters: Takes, Kosters, "Determining the diameter of small world networks",
 * CIKM 2011), until no vertex can exceed the largest eccentricity found. Searches start in turn from the vertex of
 * largest upper bound and from the vertex of smallest lower bound. Most graphs need some dozens of searches. Graphs in
 * which all eccentricities are equal need one search for each vertex. Errors: GWS_NO_MEMORY, which leaves result
 * unchanged. Memory: that of gws_bfs(), 8 bytes per vertex, and the symmetric copy of a directed graph.
 * closeness_device.h has the form for devices. */
GWS_API gws_status gws_diameter(struct gws_runtime *runtime, const struct gws_graph *graph,
                                struct gws_diameter_result *result);

/* Checks a result. A search from result->from finds result->to at the distance of the diameter, and no vertex farther
 * away. No vertex of a sample has a larger eccentricity, or one so small that its component could not have this
 * diameter. If searches from all vertices take at most 2^28 arcs, the sample is every vertex. Errors: GWS_WRONG_RESULT,
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_diameter_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                      const struct gws_diameter_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
