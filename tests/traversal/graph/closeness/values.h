/* SPDX-License-Identifier: MIT */
/* The oracle of closeness, harmonic centrality and eccentricity: a serial search from each vertex. Include it after
 * bfs/shapes.h. */
#ifndef GWS_TESTS_CLOSENESS_VALUES_H
#define GWS_TESTS_CLOSENESS_VALUES_H

#include <math.h>

#include "../../../../traversal/closeness.h"

static bool near(double found, double wanted)
{
    return fabs(found - wanted) <= 1e-9 * fabs(wanted);
}

/* Compares the values of one entry with a search of `searched` from its vertex. */
static void compare_entry(const struct gws_graph *searched, uint32_t vertex, uint64_t i,
                          const struct gws_closeness_result *result, bool unscaled)
{
    struct oracle oracle = oracle_new(searched, vertex);
    uint64_t total = 0;
    double harmonic = 0, closeness = 0;
    for (uint32_t depth = 1; depth < oracle.levels; depth++) {
        total += oracle.size[depth] * depth;
        harmonic += (double)oracle.size[depth] / depth;
    }
    if (total) closeness = (double)(oracle.reached - 1) / (double)total;
    if (!unscaled && total) closeness *= (double)(oracle.reached - 1) / (double)(searched->vertices - 1);
    if (result->reached[i] != oracle.reached || result->total[i] != total ||
        result->eccentricity[i] != oracle.levels - 1 || !near(result->harmonic[i], harmonic) ||
        !near(result->closeness[i], closeness))
        ck_abort_msg("vertex %u: reached %u, total %llu, eccentricity %u, harmonic %g, closeness %g", vertex,
                     result->reached[i], (unsigned long long)result->total[i], result->eccentricity[i],
                     result->harmonic[i], result->closeness[i]);
    oracle_free(&oracle);
}

/* Compares at most 200 entries with serial searches. */
static void compare_entries(const struct gws_graph *graph, const struct gws_closeness_options *options,
                            const struct gws_closeness_result *result)
{
    const struct gws_graph *searched = graph->directed && !options->outgoing ? graph->reverse : graph;
    for (uint64_t i = 0; i < result->sources; i += result->sources / 200 + 1)
        compare_entry(searched, result->source ? result->source[i] : (uint32_t)i, i, result, options->unscaled);
}

#endif
