/* SPDX-License-Identifier: MIT */
/* The state of a search for shortest paths in a parted graph; sssp.c explains it. */
#ifndef GWS_TRAVERSAL_RANKS_SSSP_STATE_H
#define GWS_TRAVERSAL_RANKS_SSSP_STATE_H

#include "../../../lib/hetero/rank_memory.h"
#include "../../engine/rank_outbox.h"
#include "../../rank_sssp.h"
#include "../sssp/rounds.h"

struct gws__rank_sssp_memory {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    uint64_t vertices, arcs;
    struct gws_graph rows;      /* the part of the graph as a graph, whose targets are vertices of the whole */
    struct gws_sssp_result own; /* owns distances and parents */
    struct gws__outbox outbox;
};

/* The loops and functions of one kind of weights, which sssp_loops.h defines. */
struct gws__rank_sssp_loops {
    struct gws__sssp_loops rounds;
    gws_body *parents; /* tasks are rows: offers them as parents to the vertices whose distances this rank can read */
    gws_body *pull_parents; /* the same in an undirected graph: tasks are rows, which look for parents */
    /* Takes paths from other ranks; context: a struct sssp. NULL: the ranks share memory. */
    void (*receive)(void *context, uint32_t rank, const void *data, uint64_t items);
    /* Takes the vertices that other ranks have marked, and returns their number. NULL: ranks send paths. */
    uint64_t (*take)(struct sssp *search);
    /* Returns whether the arc, from a row at this distance, adds nothing to it. */
    bool (*is_level)(struct sssp *search, uint64_t distance, uint64_t arc);
    uint64_t no_path; /* the distance of an unreached vertex in a result */
};

/* sssp_loops.h: ranks send paths. sssp_shared.h: ranks share memory. */
extern const struct gws__rank_sssp_loops gws__rank_sssp_integer, gws__rank_sssp_real, gws__rank_sssp_shared_integer,
    gws__rank_sssp_shared_real;

struct gws__rank_sssp {
    struct sssp search; /* of this rank's rows */
    const struct gws_rank_graph *graph;
    const struct gws__rank_sssp_loops *loops;
    struct gws__outbox *outbox;
    struct gws__rank_memory shared;
    uint64_t workers, arcs, sent; /* of all ranks */
    bool too_far;                 /* distances leave no space for parents; on all ranks */
};

/* sssp_memory.c: reserves the memory of a search. Collective. The caller closes self->shared in any case. Errors:
 * GWS_NO_MEMORY. */
gws_status gws__rank_sssp_open(struct gws__rank_sssp *self, struct gws_rank_sssp_result *result,
                               struct gws_diagnostic *where);

/* Divides shared memory among the arrays of a search, or leaves search->all NULL if the ranks have none. Collective.
 * Errors: GWS_NO_MEMORY. */
gws_status gws__rank_sssp_share(struct gws__rank_sssp *self, uint32_t parent_bits, struct gws_diagnostic *where);

/* Opens the outbox for paths, or empties it. Not collective. Errors: GWS_NO_MEMORY. */
gws_status gws__rank_sssp_open_outbox(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                      struct gws__outbox *outbox);

/* Takes from word i of mark_of_64 the bits of this rank's vertices. */
static inline uint64_t gws__rank_sssp_take_words(const struct sssp *search, uint64_t i)
{
    const uint64_t begin = search->first / 64, end = (search->first + search->graph->vertices + 63) / 64;
    uint64_t own = search->graph->vertices > 0 ? UINT64_MAX : 0;
    if (i * 64 < begin) own <<= begin % 64;
    if (end - i * 64 < 64) own &= (UINT64_C(1) << end % 64) - 1;
    /* relaxed: barriers order the rounds. Most words have no bits. */
    if (!(atomic_load_explicit(&search->mark_of_64[i], memory_order_relaxed) & own)) return 0;
    return atomic_fetch_and_explicit(&search->mark_of_64[i], ~own, memory_order_relaxed) & own;
}

/* The distance of a row after the search. */
static inline uint64_t gws__rank_sssp_distance(const struct gws__rank_sssp *self, uint64_t row)
{
    return ((const uint64_t *)self->search.scratch->distance)[row];
}

/* sssp_level.c: finds the parents of vertices that only arcs of weight 0 reach at their distance. Collective. Errors:
 * GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__rank_sssp_level(struct gws__rank_sssp *self, struct gws_diagnostic *where);

#endif
