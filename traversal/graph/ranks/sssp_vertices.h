/* SPDX-License-Identifier: MIT */
/* Vertices of a search among ranks, and the tags of their distances: a vertex is a row of this rank, or, from rows on,
 * a vertex of another rank, by its distance from this rank's first vertex modulo 2^32. */
#ifndef GWS_TRAVERSAL_RANKS_SSSP_VERTICES_H
#define GWS_TRAVERSAL_RANKS_SSSP_VERTICES_H

#include "sssp_state.h"

static inline uint32_t vertex_at(const struct sssp *search, uint64_t arc)
{
    return (uint32_t)(search->graph->target[arc] - search->first);
}

static inline uint32_t tag_of(uint64_t distance)
{
    return (uint32_t)(distance ^ distance >> 32);
}

#endif
