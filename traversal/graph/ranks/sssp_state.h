/* SPDX-License-Identifier: MIT */
/* The state of a search for shortest paths in a parted graph; sssp.c explains it. */
#ifndef GWS_TRAVERSAL_RANKS_SSSP_STATE_H
#define GWS_TRAVERSAL_RANKS_SSSP_STATE_H

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
    gws_body *parents;      /* tasks are rows: offers them as parents to the vertices of this rank */
    gws_body *pull_parents; /* the same in an undirected graph: tasks are rows, which look for parents */
    /* Takes paths from other ranks; context: a struct sssp. */
    void (*receive)(void *context, uint32_t rank, const void *data, uint64_t items);
    /* Returns whether a path over the arc is as long as to the row. */
    bool (*is_level)(struct sssp *search, uint64_t row, uint64_t arc);
    uint64_t no_path; /* the distance of an unreached vertex */
};

extern const struct gws__rank_sssp_loops gws__rank_sssp_integer, gws__rank_sssp_real;

struct gws__rank_sssp {
    struct sssp search; /* of this rank's rows */
    const struct gws_rank_graph *graph;
    const struct gws__rank_sssp_loops *loops;
    struct gws__outbox *outbox;
    uint64_t workers, arcs, sent; /* of all ranks */
};

static inline uint64_t gws__rank_sssp_distance(const struct gws__rank_sssp *self, uint64_t row)
{
    return atomic_load_explicit(&self->search.word[row], memory_order_relaxed);
}

/* sssp_level.c: finds the parents of vertices that only arcs of weight 0 reach at their distance. Collective. Errors:
 * GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__rank_sssp_level(struct gws__rank_sssp *self, struct gws_diagnostic *where);

#endif
