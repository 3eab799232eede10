/* SPDX-License-Identifier: MIT */
/* The state of one computation of coreness. */
#ifndef GWS_CORES_STATE_H
#define GWS_CORES_STATE_H

#include <stdatomic.h>

#include "../../../lib/parallel.h"
#include "../../cores.h"

struct gws__cores {
    struct gws_runtime *runtime;
    const struct gws_graph *graph; /* an undirected graph */
    _Atomic uint32_t *core;        /* initially the number of neighbours, at the end the coreness */
    bool simple;                   /* the graph has no loops and no parallel arcs */
    uint32_t rounds;
};

/* relaxed: see remove_vertex() in peel_team.c. */
static inline uint32_t gws__cores_at(const struct gws__cores *cores, uint64_t vertex)
{
    return atomic_load_explicit(&cores->core[vertex], memory_order_relaxed);
}

/* Returns false for loops, and for all parallel arcs but the first. If the function is inlined with a constant
 * `simple`, the test costs nothing. */
static inline bool gws__cores_counts(const struct gws_graph *graph, bool simple, uint64_t vertex, uint64_t arc)
{
    if (simple) return true;
    uint32_t to = graph->target[arc];
    return to != vertex && (arc == graph->offset[vertex] || graph->target[arc - 1] != to);
}

/* Makes the array large enough and sets result->vertices. Releases the old array if it is too small. GWS_NO_MEMORY
 * leaves the result empty. */
gws_status gws__cores_reserve(struct gws_runtime *runtime, uint64_t vertices, struct gws_cores_result *result);

enum { GWS__CORES_MEMBERS = 64 }; /* workers that can take part in gws__cores_peel_team() */

/* Replace each number of neighbours by the coreness, on the caller alone or on several workers. Errors: GWS_NO_MEMORY,
 * GWS_CANCELLED. */
gws_status gws__cores_peel_alone(struct gws__cores *cores);
gws_status gws__cores_peel_team(struct gws__cores *cores, uint32_t workers);

#endif
