/* SPDX-License-Identifier: MIT */
/* PageRank (Brin and Page, "The anatomy of a large-scale hypertextual web search engine", WWW 1998), also personalised.
 *
 * The rank of a vertex is the probability that a random walk is there after many steps. With probability `damping`, a
 * step follows one of the arcs that leave the vertex, each with the same probability. Otherwise, and always at a
 * vertex without outgoing arcs (a dangling vertex), the walk restarts at a random vertex, or at a random one of the
 * given sources. Ranks sum to 1. Each parallel arc counts, a self-loop is an arc like any other, and weights have no
 * effect. */
#ifndef GWS_PAGERANK_H
#define GWS_PAGERANK_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of the values that an iteration reads along the arcs. Sums are double with both types. */
enum gws_pagerank_precision {
    GWS_PAGERANK_AUTO,  /* float if 2.5e-7 <= tolerance, otherwise double */
    GWS_PAGERANK_FLOAT, /* faster, with a relative error of ranks of 1e-7 and an error of at least 3e-8 */
    GWS_PAGERANK_DOUBLE
};

/* An index for graphs with hubs. The index is a copy of the arcs that numbers vertices by descending out-degree, so
 * the most frequently read values share cache lines. The graph must not change while the index is in use. {0} is an
 * empty index. One index serves many calls. */
struct gws_pagerank_index {
    const struct gws_graph *graph; /* the graph of the index */
    uint64_t vertices, arcs;       /* numbers of vertices and arcs of the graph */
    uint32_t *number;              /* vertices entries: the place of the vertex in the new order */
    uint64_t *offset;              /* vertices + 1 entries: rows of source[], indexed by place */
    uint32_t *source;              /* arcs entries: the places of the vertices whose arcs lead to the row's vertex */
    uint32_t *degree;              /* out-degrees, indexed by place */
    double ms;                     /* time to build the index */
    uint64_t bytes;                /* memory of the index */
    struct gws_allocator allocator;
};

struct gws_pagerank_options {
    double damping;          /* from 0 to below 1; 0: 0.85 */
    double tolerance;        /* stop when the error is at most this value; 0: 1e-6; negative: run max_iterations */
    uint32_t max_iterations; /* 0: 1000 */
    enum gws_pagerank_precision precision;
    const uint32_t
        *source;      /* vertices where the walk restarts, each entry with equal probability; NULL: all vertices */
    uint64_t sources; /* entries of source, at least 1 and at most 2^32 - 1 unless source is NULL */
    const struct gws_pagerank_index *index; /* may be NULL; the call ignores an index of another graph */
};

/* {0} is a valid empty result. A caller may pass a filled result again, and the call reuses its array if it fits.
 * gws_pagerank_result_clear() frees the array. */
struct gws_pagerank_result {
    uint64_t vertices;
    double *rank; /* vertices entries */
    uint32_t iterations;
    bool converged;                 /* true if the error is at most the tolerance */
    double error;                   /* the sum of the absolute changes of all ranks in the last iteration */
    double ms;                      /* time of all iterations and of writing the ranks, without building the index */
    double fetch_ms;                /* on a device: time of the copy to the host */
    struct gws_allocator allocator; /* private */
};

/* Computes ranks. options may be NULL. The iteration is Jacobi's. It starts with equal ranks (personalised: at the
 * sources), and each iteration computes all ranks from the ranks of the previous iteration. Each iteration multiplies
 * the error by at most `damping`. The distance of the ranks from the exact ones is at most error * damping / (1 -
 * damping). Results do not depend on the number of threads or on the policy. An index changes the order of the sums.
 *
 * Errors: GWS_INVALID (damping, tolerance not a number, no source or too many), GWS_OUT_OF_RANGE (a source),
 * GWS_NEEDS_REVERSE (a directed graph without gws_graph_add_reverse()), GWS_NO_MEMORY. Errors leave result unchanged.
 * A run that ends by max_iterations is not an error.
 *
 * Time: an iteration reads the arcs once, 4 bytes each, and for each arc a value of 4 or 8 bytes from a random place
 * of an array with one entry per vertex. Memory: 16 bytes per vertex including the result, 20 bytes if personalised,
 * and 4 bytes more in double with an index. */
GWS_API gws_status gws_pagerank(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws_pagerank_options *options, struct gws_pagerank_result *result);

/* Builds the index of graph into *index, which must be empty. An index saves time if the graph has hubs and more than
 * 2^18 vertices, and some iterations follow. Errors: GWS_NEEDS_REVERSE (a directed graph without its reverse),
 * GWS_NO_MEMORY. Memory: 4 bytes per arc and 16 bytes per vertex. Time: about that of three iterations without an
 * index. */
GWS_API gws_status gws_pagerank_index_build(struct gws_runtime *runtime, const struct gws_graph *graph,
                                            struct gws_pagerank_index *index);

/* Frees the index and sets the struct to {0}. Accepts NULL. */
GWS_API void gws_pagerank_index_clear(struct gws_pagerank_index *index);

/* Frees the array of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_pagerank_result_clear(struct gws_pagerank_result *result);

/* Checks a result for the graph and the options of its run. Ranks are numbers from 0 to 1 whose sum is 1 (within
 * 1e-9). One more step, computed in double by separate code, changes the ranks by at most the error (plus 2.5e-7 if
 * the precision is float). `converged` is true exactly if the error is at most the tolerance. where->message (may be
 * NULL) describes the fault. Errors: GWS_WRONG_RESULT, those of gws_pagerank(). The check runs in parallel. Time:
 * O(arcs). Memory: 8 bytes per vertex. */
GWS_API gws_status gws_pagerank_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                      const struct gws_pagerank_options *options,
                                      const struct gws_pagerank_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
