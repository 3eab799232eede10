/* SPDX-License-Identifier: MIT */
/* Betweenness centrality (Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology
 * 25, 2001). The betweenness of a vertex v is the sum over pairs s, t of other vertices of the fraction of the
 * shortest paths from s to t that pass through v. The betweenness of an arc counts the paths that use the arc, and s
 * and t may then be its ends. */
#ifndef GWS_BETWEENNESS_H
#define GWS_BETWEENNESS_H

#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_betweenness_options {
    /* The sources s. source has `sources` entries, and a vertex counts once for each occurrence in source. If source
     * is NULL, the sources are `samples` different vertices that seed selects. 0 samples, or at least as many as
     * vertices, select every vertex, for exact values. */
    const uint32_t *source;
    uint64_t sources;
    uint64_t samples;
    uint64_t seed;
    bool normalised; /* divide by the number of pairs, which gws_betweenness() defines */
    bool arcs;       /* compute arc[] as well */
    uint64_t memory; /* bytes for searches in which each worker has its own source (small graphs); 0: 64 MiB. On a
                        device: bytes for several sources at once; 0: a quarter of the device's memory */
};

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the call reuses its arrays if
 * they fit. gws_betweenness_result_clear() frees the arrays. */
struct gws_betweenness_result {
    uint64_t vertices, arcs;
    double *centrality; /* vertices entries */
    double *arc;        /* arcs entries, parallel to graph->target; NULL unless options->arcs */
    uint64_t sources;
    uint32_t *source;  /* sources entries: the sources, in their given order; NULL: every vertex */
    uint64_t reached;  /* number of reached vertices, including the source, summed over the sources */
    uint32_t levels;   /* largest distance from a source + 1 */
    double ms;         /* time of the call without prepare_ms */
    double fetch_ms;   /* on a device: time of the copy to the host */
    double prepare_ms; /* time to find the rows that are divided, and to allocate memory */
    struct gws__betweenness_scratch *scratch; /* private */
};

/* Computes betweenness from the sources. If options is NULL, the sources are all vertices, and the values are not
 * normalised.
 *
 * Values are those of networkx. The sum runs over ordered pairs. An undirected graph counts each pair twice, so the
 * function halves the values, also if the caller gives sources. The function scales samples by vertices / samples, but
 * does not scale given sources. With normalised, the function divides by the ordered pairs instead of halving. There
 * are (n - 1) * (n - 2) pairs for vertices (no division if n <= 2), and n * (n - 1) for arcs. Both arcs of an
 * undirected edge have the value of the edge. Parallel arcs are different paths, as in igraph. A Graph of networkx has
 * no parallel arcs. A directed graph that equals its reverse counts as undirected, since gws_graph_add_reverse() marks
 * it so. networkx does not halve the values of such a graph. Self-loops have the value 0. The function ignores
 * weights.
 *
 * Errors: GWS_OUT_OF_RANGE (a source) and GWS_NEEDS_REVERSE (a directed graph without reverse) leave result unchanged.
 * GWS_TOO_LARGE (more than 2^(2^24) shortest paths between two vertices), GWS_NO_MEMORY and GWS_CANCELLED (asked in
 * every level of both passes) leave result empty.
 *
 * A source takes one breadth-first search, by gws_bfs(), and two passes over the arcs of the reached vertices. The
 * first pass counts shortest paths. The second pass sums up dependencies, from the farthest level back to the source.
 * Both passes pull. A worker reads the row of a vertex and adds up the values of the neighbours one level closer or
 * farther. So no two workers write the same value. Workers share long rows. Teams of workers run narrow levels with
 * one barrier for each. The result does not depend on the workers.
 *
 * If options->memory suffices for 24 bytes per vertex and worker (with arcs also 8 bytes per arc), each worker searches
 * from sources of its own instead. The last bits of the sums then depend on the schedule.
 *
 * Memory besides the result's arrays: that of gws_bfs(), 9 bytes per vertex, 16 bytes per level and 1 KiB per worker.
 * The call needs 2 bytes per vertex more once the paths between two vertices exceed 2^1000. result keeps this memory
 * for the next call. */
GWS_API gws_status gws_betweenness(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   const struct gws_betweenness_options *options,
                                   struct gws_betweenness_result *result);

/* Computes betweenness on a device. Opening uploads the graph and builds the program. options are those of
 * gws_betweenness().
 *
 * A run searches from several sources at once. The groups of one persistent kernel form teams. A team runs both passes
 * from one source after the other. There are as many teams as sources, groups and memory permit, in large
 * dense graphs fewer, so that their arrays stay in the cache. A launch has at most four sources for each team. A team
 * with one group needs no barrier between groups. The mean time of a source on a mesh of thousands of narrow levels is
 * thus far below the time of a single source. The result depends on the number of teams in its last bits, and otherwise
 * not on the schedule.
 *
 * A run sets all fields of result except centrality, arc, vertices, arcs and fetch_ms. prepare_ms is the time to
 * allocate the memory of teams. Errors, with a message in *where (may be NULL): GWS_UNSUPPORTED (the rows lie on the
 * host; groups of this device cannot wait for each other), GWS_NEEDS_REVERSE, GWS_OUT_OF_RANGE, GWS_TOO_LARGE (2^31
 * vertices or more), GWS_DEVICE (also a device without numbers of double precision), GWS_NO_MEMORY, and GWS_CANCELLED,
 * which a run asks before each launch, and the kernel in every level if the device shares memory with the host. Later
 * errors of a run leave result empty.
 *
 * Memory on the device: 24 bytes and 2 bits per vertex and 1 byte per 16 arcs for one team, and 4 bytes per vertex more
 * once the paths between two vertices exceed 2^1000, and with options->arcs 8 bytes per arc. Further teams take as much
 * each, up to options->memory bytes in total, or a quarter of the device's memory if options->memory is 0.
 * options->memory of 1 byte thus gives one team. The object keeps the memory for the next run. */
struct gws_betweenness_device;
GWS_API gws_status gws_betweenness_device_open(struct gws_device_graph *on_device,
                                               struct gws_betweenness_device **betweenness,
                                               struct gws_diagnostic *where);
GWS_API void gws_betweenness_device_close(struct gws_betweenness_device *betweenness); /* accepts NULL */
GWS_API gws_status gws_betweenness_device_run(struct gws_betweenness_device *betweenness,
                                              const struct gws_betweenness_options *options,
                                              struct gws_betweenness_result *result, struct gws_diagnostic *where);

/* Returns the sums of the last run, a double for each vertex, before the options scale them. The object owns the
 * buffer. */
GWS_API struct gws_device_buffer *gws_betweenness_device_buffer(const struct gws_betweenness_device *betweenness);

/* Returns the sums of the arcs in the last run, a double for each arc, in the order of graph->target. The sums of both
 * arcs of an undirected edge are still apart. Returns NULL if options->arcs was false. */
GWS_API struct gws_device_buffer *gws_betweenness_device_arcs(const struct gws_betweenness_device *betweenness);

/* Copies the sums of the last run to result->centrality and, with options->arcs, result->arc, scales them as
 * gws_betweenness() does, and sets .vertices, .arcs and .fetch_ms. result must be the result of the run. */
GWS_API gws_status gws_betweenness_device_fetch(struct gws_betweenness_device *betweenness,
                                                struct gws_betweenness_result *result, struct gws_diagnostic *where);

/* Frees the arrays of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_betweenness_result_clear(struct gws_betweenness_result *result);

/* Checks a result. options are those of the call. The check shares no code with gws_betweenness(). If arcs times
 * sources is at most 2^28, a serial Brandes algorithm in long double computes every value again for comparison.
 * Otherwise the check compares sums. The centralities add up to the sum of (distance - 1) over all pairs of a source
 * and a vertex that the source reaches. The values of arcs add up to the sum of the distances. The values of the arcs
 * out of a vertex exceed the vertex's centrality by the number of vertices that it reaches as a source. No value is
 * negative. The relative tolerance is 1e-9. where->message describes the first fault. Errors: GWS_WRONG_RESULT,
 * GWS_NO_MEMORY (up to 44 bytes per vertex and, with arcs, 16 bytes per arc). */
GWS_API gws_status gws_betweenness_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                         const struct gws_betweenness_options *options,
                                         const struct gws_betweenness_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
