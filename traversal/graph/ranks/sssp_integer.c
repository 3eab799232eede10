/* SPDX-License-Identifier: MIT */
/* Shortest paths among ranks, with integer weights or none. */
#include "sssp_state.h"

#define NO_PATH GWS_NO_DISTANCE

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

#include "sssp_loops.h"

const struct gws__rank_sssp_loops gws__rank_sssp_integer = {
    {fill, start, by_blocks, by_segments, fuse, nearer, finish}, parents, pull_parents, receive, is_level, NO_PATH};
