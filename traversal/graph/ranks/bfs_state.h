/* SPDX-License-Identifier: MIT */
/* The state of a search of a parted graph. */
#ifndef GWS_TRAVERSAL_RANKS_BFS_STATE_H
#define GWS_TRAVERSAL_RANKS_BFS_STATE_H

#include "../../../lib/hetero/autotune.h"
#include "../../../lib/hetero/rank_pages.h"
#include "../../engine/rank_outbox.h"
#include "../../rank_bfs.h"

/* What rank 0 reads and writes when it walks through the vertices of all ranks. It lies in one piece of memory. */
struct gws__rank_bfs_shared {
    _Atomic uint64_t *known; /* vertices that were reached, as far as this rank knows: its own, and others' */
    _Atomic uint32_t *depth; /* rows entries, as the next three; these two are the result's */
    _Atomic uint32_t *parent;
    uint32_t *list[2]; /* frontiers of push: rows of this rank */
    uint64_t *count;   /* in list[0] after a walk; before it, in list[*which] */
    uint64_t *arcs;    /* of these vertices, after a walk */
    uint64_t *which;
};

struct gws__rank_bfs_walk {
    uint64_t id;             /* of the opened walks, the same on all ranks; 0: not open */
    bool impossible;         /* some rank cannot share its memory */
    bool deep;               /* a search had many levels, so the next ones may walk from the start */
    bool is_mapped;          /* of rank 0: `mapped` is filled */
    struct gws__pages pages; /* the shared arrays */
    /* Of rank 0: */
    struct gws__mapped_pages *mapped;   /* offset, target and shared memory of each rank */
    struct gws__rank_walk_part *part;   /* of each rank */
    struct gws__rank_walk_entry *entry; /* the frontier */
    struct gws__pair *claim;            /* of a level */
    struct gws__autotune tune;          /* 0: levels of all ranks; 1: walks */
};

struct gws__rank_bfs_memory {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    uint64_t vertices, arcs, rows;
    uint32_t ranks;
    uint64_t *block, block_words; /* all arrays */
    uint64_t words, own_words;    /* of a bitmap of the graph's vertices, and of the rank's */
    struct gws__rank_bfs_shared shared;
    uint64_t shared_bytes; /* whole pages */
    uint64_t *front;       /* all ranks' frontier, in levels of pull; in walks, the reached vertices */
    uint64_t *next;        /* the output frontier of pull */
    uint64_t sent;         /* the rank's words of it that have been sent */
    uint64_t *items;       /* words for each rank in a message */
    uint64_t *place;       /* where the next words of each rank belong */
    uint64_t *gathered;    /* own_words of each rank */
    struct gws__outbox outbox;
    uint64_t max_degree; /* of the rows */
    struct gws__rank_bfs_walk walk;
};

struct gws__rank_bfs {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph, *reverse; /* reverse: of incoming arcs, NULL if there are none */
    struct gws__rank_bfs_memory *memory;
    uint32_t level; /* the depth of the frontier */
    bool pulling;   /* the rank's frontier is in memory->front, else in frontier[0 .. count - 1] */
    bool gathered;  /* memory->front has all ranks' frontier */
    uint32_t *frontier, *output;
    uint64_t count, arcs;           /* this rank's vertices in the frontier, and their arcs */
    uint64_t step;                  /* the first entry of the frontier in the step of a level; of pull, a word */
    _Atomic uint64_t found;         /* vertices of this rank that the level reached, ... */
    _Atomic uint64_t found_arcs;    /* ... and the sum of their degrees */
    uint64_t max_degree;            /* of all ranks */
    uint64_t max_size, max_arcs;    /* bounds of all ranks' frontier, and of its arcs; max_size 0: the search is over */
    uint64_t reached, reached_arcs; /* of this rank, in the levels before */
    uint64_t levels;                /* of this rank: the depth of its last frontier, and 1 */
    uint64_t sent, pulls;
    const uint64_t *merged;  /* by gws__rank_bfs_merge() */
    _Atomic uint64_t *marks; /* where push marks what it has sent; NULL: nothing in this level */
    uint32_t walked;         /* levels of rank 0 alone */
    gws_status status;       /* of this rank */
    /* The series of small levels: */
    bool walks;      /* whether rank 0 may walk; the same on all ranks */
    bool may_pull;   /* the same */
    uint32_t until;  /* the level at which the series ends */
    uint64_t passed; /* arcs of all levels before the series */
    uint64_t work;   /* arcs of the series' first level, or 0: rank 0 does not measure it */
    double began_ms;
};

static inline uint64_t gws__rank_degree(const struct gws_rank_graph *graph, uint64_t row)
{
    return graph->offset[row + 1] - graph->offset[row];
}

static inline bool gws__rank_is_known(const struct gws__rank_bfs_memory *memory, uint32_t vertex)
{
    return atomic_load_explicit(&memory->shared.known[vertex / 64], memory_order_relaxed) >> vertex % 64 & 1;
}

/* Adds to the known vertices of a word, which no other thread writes at this time. */
static inline void gws__rank_bfs_mark_word(struct gws__rank_bfs_memory *memory, uint64_t word, uint64_t bits)
{
    const uint64_t old = atomic_load_explicit(&memory->shared.known[word], memory_order_relaxed);
    atomic_store_explicit(&memory->shared.known[word], old | bits, memory_order_relaxed);
}

/* Adds a vertex to a bitmap; other workers may write the word if there are any. */
static inline void gws__rank_bfs_mark(const struct gws__rank_bfs_memory *memory, _Atomic uint64_t *bitmap,
                                      uint64_t vertex)
{
    _Atomic uint64_t *word = &bitmap[vertex / 64];
    const uint64_t bit = UINT64_C(1) << vertex % 64;
    if (memory->outbox.workers == 1)
        atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) | bit, memory_order_relaxed);
    else
        atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

/* Lays out the memory that a rank shares: sets the pointers from `at` on. */
void gws__rank_bfs_lay_out(const struct gws_rank_graph *graph, uint64_t rank, uint64_t *at,
                           struct gws__rank_bfs_shared *shared);

/* Adds the bitmap to the known vertices. */
void gws__rank_bfs_merge(struct gws__rank_bfs *search, const uint64_t *bitmap);

/* Returns the number of a rank's vertices. */
uint64_t gws__rank_bfs_rows(const struct gws_rank_graph *graph, uint64_t rank);

/* Returns whether a frontier of that size leads to a level of pull. */
bool gws__rank_bfs_leads_to_pull(const struct gws__rank_bfs *search, uint64_t size, uint64_t arcs, uint64_t unexplored);

/* bfs_walk.c. Each is collective. gws__rank_bfs_begin_walks() begins a search, and sums up its maxima.
 * gws__rank_bfs_walk() begins a series of small levels, if one is due, and runs it if rank 0 is to walk. */
void gws__rank_bfs_begin_walks(struct gws__rank_bfs *search);
gws_status gws__rank_bfs_walk(struct gws__rank_bfs *search);
void gws__rank_bfs_close_walks(struct gws__rank_bfs_memory *memory); /* not collective */

/* Each runs a level, and sets the next frontier and its bounds; those of pull are exact. The next level's direction
 * remains. Returns the status of all ranks. */
gws_status gws__rank_bfs_push(struct gws__rank_bfs *search);
gws_status gws__rank_bfs_pull(struct gws__rank_bfs *search);

#endif
