/* SPDX-License-Identifier: MIT */
/* Integer distances among ranks: a missing weight is 1. */
#ifndef GWS_TRAVERSAL_RANKS_SSSP_INTEGER_SUM_H
#define GWS_TRAVERSAL_RANKS_SSSP_INTEGER_SUM_H

#include "../sssp/state.h"

static inline uint64_t plus(const struct sssp *search, struct gws__sssp_worker *me, uint64_t distance, uint64_t arc)
{
    if (!search->graph->weight) return distance + 1;
    const int32_t weight = search->graph->weight[arc];
    me->bad_weight |= weight < 0;
    return distance + (weight < 0 ? 0 : (uint64_t)weight);
}

static inline void prefetch_weight(const struct gws_graph *graph, uint64_t arc)
{
    if (graph->weight) __builtin_prefetch(&graph->weight[arc]);
}

static inline uint64_t bucket_of(const struct sssp *search, uint64_t distance)
{
    return distance >> search->shift;
}

#endif
