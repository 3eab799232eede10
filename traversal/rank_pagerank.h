/* SPDX-License-Identifier: MIT */
/* PageRank, also personalised, of a graph that is parted among ranks of a job. All functions but
 * gws_rank_pagerank_result_clear() are collective, and all ranks of the job return the same status and message. */
#ifndef GWS_RANK_PAGERANK_H
#define GWS_RANK_PAGERANK_H

#include "../lib/rank_graph.h"
#include "pagerank.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A result. {0} is a valid empty result. Each call frees the previous result. */
struct gws_rank_pagerank_result {
    double *rank; /* of this part's vertices, graph->rows entries */
    /* Of all parts, and the same on all: */
    uint32_t iterations;
    bool converged;              /* true if the error is at most the tolerance */
    double error;                /* the sum of the absolute changes of all ranks in the last iteration */
    uint64_t received;           /* values that the parts get from others in an iteration; 0: they share memory */
    double ms;                   /* time of the call */
    struct gws_runtime *runtime; /* private */
    uint64_t rows;               /* private */
};

/* Computes the ranks of gws_pagerank(), with the same options, which are the same on all parts; options->index has no
 * effect. options may be NULL. A part pulls along the incoming arcs of its vertices. Ranks of one host read
 * each other's values in shared memory. Otherwise the parts exchange in each iteration the values that others need,
 * while they compute more: each value that any arc reads goes to each part that has such an arc; if these are most of
 * all values, all parts get all of them.
 *
 * Sums over 64 vertices are in double, and these add up in fixed point, in units of 2^-72. So the ranks do not depend
 * on the numbers of parts and threads, to the last bit. They differ from those of gws_pagerank() by rounding alone.
 *
 * Errors: those of gws_pagerank(), and GWS_CANCELLED. After an error the result is empty. Memory of a part: 4 bytes in
 * float or 8 in double for each vertex of the graph (untouched where no arc reads it; ranks of one host share them, and
 * an equal share counts as memory of each), 12 or 8 bytes for each own vertex, 4 more if personalised, 4 or 8 bytes for
 * each value that arrives, and, unless all parts get all of them, 4 more for each of these and 8 or 12 for each that is
 * sent. Time: an iteration reads the part's arcs once, and costs one exchange, or on one host a maximum and a sum. */
GWS_API gws_status gws_rank_pagerank(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                     const struct gws_pagerank_options *options,
                                     struct gws_rank_pagerank_result *result, struct gws_diagnostic *where);

/* Frees this part's array, while the runtime of the call is open, and sets the result to {0}. Not collective. Accepts
 * NULL. */
GWS_API void gws_rank_pagerank_result_clear(struct gws_rank_pagerank_result *result);

/* Checks a result by the rules of gws_pagerank_check(). Errors: GWS_WRONG_RESULT, GWS_TOO_LARGE (2^31 vertices or
 * more), those of gws_rank_pagerank(). Memory: 8 bytes for each vertex of the graph. Runs on the calling threads in
 * O(arcs / parts + vertices). */
GWS_API gws_status gws_rank_pagerank_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                           const struct gws_pagerank_options *options,
                                           const struct gws_rank_pagerank_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
