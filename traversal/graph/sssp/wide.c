/* SPDX-License-Identifier: MIT */
/* Integer distances of 63 bits: for graphs whose distances leave no space for the parent in a word. */
#include "state.h"

#define NO_PATH ((uint64_t)INT64_MAX)
#define NO_DISTANCE GWS_NO_DISTANCE

static inline uint64_t plus(const struct sssp *search, struct gws__sssp_worker *me, uint64_t distance, uint64_t arc)
{
    int32_t weight = search->graph->weight[arc];
    me->bad_weight |= weight < 0;
    return distance + (weight < 0 ? 0 : (uint64_t)weight);
}

static inline void prefetch_weight(const struct gws_graph *graph, uint64_t arc)
{
    __builtin_prefetch(&graph->weight[arc]);
}

static inline uint64_t bucket_of(const struct sssp *search, uint64_t distance)
{
    return distance >> search->shift;
}

#include "wide_body.h"

const struct gws__sssp_loops gws__sssp_wide = {fill, start, by_blocks, by_segments, fuse, nearer, finish};
