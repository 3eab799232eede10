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
    uint64_t max_degree; /* of the rows */
};

struct gws__rank_bfs {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph, *reverse; /* reverse: of incoming arcs, NULL if there are none */
    struct gws__rank_bfs_memory *memory;
    uint32_t level; /* the depth of the frontier */
    bool pulling;   /* the frontier is in `next`, else in frontier[0 .. count - 1] */
    uint32_t *frontier, *output;
    uint64_t count, arcs;           /* this rank's vertices in the frontier, and their arcs */
    uint64_t step;                  /* the first entry of the frontier in the step of a level */
    _Atomic uint64_t found;         /* vertices of this rank that the level reached, ... */
    _Atomic uint64_t found_arcs;    /* ... and the sum of their degrees */
    uint64_t max_degree;            /* of all ranks */
    uint64_t max_size, max_arcs;    /* bounds of all ranks' frontier, and of its arcs; max_size 0: the search is over */
    uint64_t reached, reached_arcs; /* of this rank, in the levels before */
    uint64_t levels;                /* of this rank: the depth of its last frontier, and 1 */
    uint64_t sent, pulls;
    gws_status status; /* of this rank */
};

static inline uint64_t gws__rank_degree(const struct gws_rank_graph *graph, uint64_t row)
{
    return graph->offset[row + 1] - graph->offset[row];
}

static inline bool gws__rank_is_known(const struct gws__rank_bfs_memory *memory, uint32_t vertex)
{
    return atomic_load_explicit(&memory->known[vertex / 64], memory_order_relaxed) >> vertex % 64 & 1;
}

/* Adds to the known vertices of a word, which no other thread writes at this time. */
static inline void gws__rank_bfs_mark_word(struct gws__rank_bfs_memory *memory, uint64_t word, uint64_t bits)
{
    const uint64_t old = atomic_load_explicit(&memory->known[word], memory_order_relaxed);
    atomic_store_explicit(&memory->known[word], old | bits, memory_order_relaxed);
}

/* The same for a vertex; other workers may write the word if there are any. */
static inline void gws__rank_bfs_mark(struct gws__rank_bfs_memory *memory, uint64_t vertex)
{
    const uint64_t bit = UINT64_C(1) << vertex % 64;
    if (memory->outbox.workers == 1)
        gws__rank_bfs_mark_word(memory, vertex / 64, bit);
    else
        atomic_fetch_or_explicit(&memory->known[vertex / 64], bit, memory_order_relaxed);
}

/* Each runs a level, and sets the next frontier and its bounds; those of pull are exact. The next level's direction
 * remains. Returns the status of all ranks. */
gws_status gws__rank_bfs_push(struct gws__rank_bfs *search);
gws_status gws__rank_bfs_pull(struct gws__rank_bfs *search);

#endif
