/* SPDX-License-Identifier: MIT */
/* A serial oracle of PageRank, independent of the library. It pushes along the outgoing arcs, in double, until no rank
 * changes. */
#ifndef GWS_TESTS_RANKS_H
#define GWS_TESTS_RANKS_H

#include "../../engine/devices.h"

#include <math.h>

#include "../../../../traversal/pagerank.h"

/* Returns the ranks after `steps` steps, starting from the mass that restarts. The caller frees the array. */
static inline double *rank_serially(const struct gws_graph *graph, const struct gws_pagerank_options *options,
                                    uint32_t steps)
{
    uint64_t n = graph->vertices;
    double damping = options->damping == 0 ? 0.85 : options->damping;
    double *restart = calloc(n + 1, sizeof *restart), *rank = calloc(n + 1, sizeof *rank),
           *next = calloc(n + 1, sizeof *next);
    for (uint64_t v = 0; !options->source && v < n; v++) restart[v] = 1.0 / (double)n;
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        restart[options->source[i]] += 1.0 / (double)options->sources;
    memcpy(rank, restart, n * sizeof *rank);
    for (uint32_t step = 0; step < steps; step++) {
        double dangling = 0;
        memset(next, 0, n * sizeof *next);
        for (uint64_t v = 0; v < n; v++) {
            uint64_t degree = gws_graph_degree(graph, (uint32_t)v);
            double sent = damping * rank[v] / (double)degree; /* not read if there is no arc */
            if (degree == 0) dangling += rank[v];
            for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) next[graph->target[a]] += sent;
        }
        for (uint64_t v = 0; v < n; v++) next[v] += (1 - damping + damping * dangling) * restart[v];
        double *old = rank;
        rank = next;
        next = old;
    }
    free(restart);
    free(next);
    return rank;
}

static inline double distance(const double *a, const double *b, uint64_t n)
{
    double sum = 0;
    for (uint64_t v = 0; v < n; v++) sum += fabs(a[v] - b[v]);
    return sum;
}

#endif
