/* SPDX-License-Identifier: MIT */
/* Arcs that arrive in any order and become the rows of a graph when all have arrived. Until then they are packed: an
 * arc takes about as much as in the rows. While the rows are filled in order, the store frees the arcs that are in
 * rows, so rows and packed arcs take hardly more memory together than the larger of both. */
#ifndef GWS_GRAPH_ARC_STORE_H
#define GWS_GRAPH_ARC_STORE_H

#include "build.h"

/* An arc as it arrives: its row, its target, and its weight, which an item without weights does not have. */
struct gws__arc_item {
    struct gws_edge edge;
    int32_t weight;
};

static inline uint64_t gws__arc_item_bytes(bool weighted)
{
    return weighted ? sizeof(struct gws__arc_item) : sizeof(struct gws_edge);
}

struct gws__arc_run;

struct gws__arc_store {
    struct gws_runtime *runtime;
    uint64_t rows;
    bool weighted;
    uint32_t shift;              /* a bucket has 2^shift rows */
    uint32_t target_bits, width; /* bits of a target, and of a packed arc */
    uint64_t buckets, *start;    /* [bucket]: its arcs; when all have arrived, where they begin */
    uint64_t run_arcs, pieces;   /* arcs of a run; runs that are packed at a time, one for each worker */
    char *staged;                /* pieces * run_arcs items that are not packed yet */
    uint64_t staged_arcs;
    struct gws__arc_run **made; /* pieces entries: the runs that the workers pack */
    struct gws__arc_run *runs;  /* all runs, as a list */
};

/* Opens a store for a graph with that many rows. targets: every target is smaller. expected: the number of arcs, about.
 * The caller closes the store in any case. Errors: GWS_NO_MEMORY. */
gws_status gws__arc_store_open(struct gws_runtime *runtime, uint64_t rows, uint64_t targets, uint64_t expected,
                               bool weighted, struct gws__arc_store *store);
void gws__arc_store_close(struct gws__arc_store *store);

/* Adds items of gws__arc_item_bytes(weighted) bytes. One thread calls. Errors: GWS_NO_MEMORY. */
gws_status gws__arc_store_add(struct gws__arc_store *store, const void *items, uint64_t count);

/* Returns the number of arcs, when all have arrived. Errors: GWS_NO_MEMORY. */
gws_status gws__arc_store_end(struct gws__arc_store *store, uint64_t *arcs);

/* Moves all arcs, after the end, to the arrays of a graph with these rows: offset, target, and weight. Sorts the rows,
 * and removes duplicates if that is wanted. Errors: GWS_NO_MEMORY, GWS_CANCELLED. */
gws_status gws__arc_store_move(struct gws__arc_store *store, struct gws_graph *graph, bool remove_duplicates);

#endif
