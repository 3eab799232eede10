/* SPDX-License-Identifier: MIT */
/* The state of a search of a parted graph. */
#ifndef GWS_TRAVERSAL_RANKS_BFS_STATE_H
#define GWS_TRAVERSAL_RANKS_BFS_STATE_H

#include "../../engine/rank_outbox.h"
#include "../../rank_bfs.h"

struct gws__rank_bfs_memory {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    uint64_t vertices, arcs, rows;
    uint64_t *block, block_words; /* all arrays */
    uint64_t words, own_words;    /* of a bitmap of the graph's vertices, and of the rank's */
    _Atomic uint32_t *depth;      /* rows entries, as the next three; these two are the result's */
    _Atomic uint32_t *parent;
    uint32_t *list[2];       /* frontiers of push: rows of this rank */
    _Atomic uint64_t *known; /* vertices that were reached, as far as this rank knows: its own, and others' */
    uint64_t *front;         /* all ranks' frontier, in levels of pull */
    uint64_t *next;          /* own_words words: the output frontier of pull */
    uint64_t *gathered;      /* own_words of each rank */
    struct gws__outbox outbox;
};

struct gws__rank_bfs {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph, *reverse; /* reverse: of incoming arcs, NULL if there are none */
    struct gws__rank_bfs_memory *memory;
    uint32_t level; /* the depth of the frontier */
    bool pulling;   /* the frontier is in `next`, else in frontier[0 .. count - 1] */
    uint32_t *frontier, *output;
    uint64_t count;
    uint64_t step;                   /* the first entry of the frontier in the step of a level */
    _Atomic uint64_t found;          /* vertices of this rank that the level reached, ... */
    _Atomic uint64_t found_arcs;     /* ... and the sum of their degrees */
    uint64_t size, arcs, unexplored; /* of all ranks: see kernels/engine/direction.h */
    uint64_t sent, pulls, reached, reached_arcs;
    gws_status status; /* of this rank */
};

static inline uint64_t gws__rank_degree(const struct gws_rank_graph *graph, uint64_t row)
{
    return graph->offset[row + 1] - graph->offset[row];
}

/* Each runs a level, sets size and arcs of the next frontier, and the next level's direction remains. Returns the
 * status of all ranks. */
gws_status gws__rank_bfs_push(struct gws__rank_bfs *search);
gws_status gws__rank_bfs_pull(struct gws__rank_bfs *search);

#endif
