/* SPDX-License-Identifier: MIT */
/* What relax_body.h demands, where a search has all vertices. */
#ifndef GWS_TRAVERSAL_SSSP_ONE_PROCESS_H
#define GWS_TRAVERSAL_SSSP_ONE_PROCESS_H

#include "state.h"

static inline uint32_t vertex_at(const struct sssp *search, uint64_t arc)
{
    return search->graph->target[arc];
}

static inline void prefetch_vertex(const struct sssp *search, const struct gws__sssp_worker *me, uint32_t vertex)
{
    (void)me;
    __builtin_prefetch((const void *)&search->word[vertex]);
}

#endif
