/* SPDX-License-Identifier: MIT */
/* The state of a call of gws_rank_components(). */
#ifndef GWS_TRAVERSAL_RANKS_COMPONENTS_STATE_H
#define GWS_TRAVERSAL_RANKS_COMPONENTS_STATE_H

#include "../../engine/rank_outbox.h"
#include "../../rank_components.h"

enum { GWS__RANK_MERGING_RECENT = 1024 };

struct gws__rank_merging {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    struct gws__outbox outbox;
    uint32_t *root;     /* of each row: the smallest row of its fragment */
    uint32_t *label;    /* of each root: the smallest vertex that its fragment knows */
    uint32_t *rows;     /* of each root: rows of its fragment */
    uint32_t *size;     /* of each root: vertices of the component whose smallest vertex is there */
    uint32_t large;     /* the root of a large fragment */
    uint32_t *fragment; /* the roots that have arcs; in the memory of the result, until it is written */
    uint64_t fragments;
    uint64_t step;                         /* the first row of the step */
    uint64_t answers;                      /* see shorten() */
    uint64_t lowered;                      /* labels that became smaller since they were counted */
    uint32_t largest;                      /* the label of a large component */
    _Atomic uint64_t components, max_size; /* of this rank's labels */
    uint32_t *component;                   /* the result's */
    struct gws__pair *wait;                /* `waiting` messages of `capacity` that are to be sent */
    uint64_t waiting, capacity;
    struct gws__pair recent[GWS__RANK_MERGING_RECENT]; /* messages that were added lately */
    struct gws__pair query[GWS__RANK_MERGING_RECENT];  /* labels, and the root of a fragment that asks about each */
    gws_status status;
};

static inline bool gws__rank_owns(const struct gws_rank_graph *graph, uint64_t vertex)
{
    return vertex - graph->first < graph->rows;
}

static inline bool gws__rank_has_arcs(const struct gws_rank_graph *graph, uint64_t row)
{
    const struct gws_rank_graph *reverse = graph->reverse;
    return graph->offset[row] < graph->offset[row + 1] || (reverse && reverse->offset[row] < reverse->offset[row + 1]);
}

/* Raises *max. relaxed: the caller reads it after the loop has ended. */
static inline void gws__rank_raise(_Atomic uint64_t *max, uint64_t value)
{
    uint64_t old = atomic_load_explicit(max, memory_order_relaxed);
    while (old < value &&
           !atomic_compare_exchange_weak_explicit(max, &old, value, memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* components_shared.c: sets component, components and largest of a result. all: memory that all ranks share, with an
 * entry for each vertex of the graph. Collective. Returns the status of all ranks: GWS_CANCELLED. */
gws_status gws__rank_components_shared(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t *all,
                                       struct gws_rank_components_result *result);

/* components_labels.c: unites the fragments of all ranks. Collective. Returns the status of all ranks. */
gws_status gws__rank_merge_labels(struct gws__rank_merging *merging, struct gws_rank_components_result *result);

#endif
