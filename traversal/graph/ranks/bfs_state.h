/* SPDX-License-Identifier: MIT */
/* The state of a search of a parted graph. */
#ifndef GWS_TRAVERSAL_RANKS_BFS_STATE_H
#define GWS_TRAVERSAL_RANKS_BFS_STATE_H

#include "../../engine/rank_outbox.h"
#include "../../rank_bfs.h"

#define GWS__RANK_NO_ROW UINT32_MAX

/* A region of levels (bfs_region.c). */
enum { gws__region_levels = 128, gws__region_cache = 4096 };

/* A vertex that another rank owns, and the depth and parent that it may have. */
struct gws__rank_offer {
    uint32_t vertex, depth, parent;
};

struct gws__rank_region_level {
    uint32_t head;       /* the first row of the list of those that are to be searched */
    uint64_t size, arcs; /* rows with this depth that the region found, and their arcs */
};

struct gws__rank_region {
    uint32_t levels; /* of this region, or of the next one */
    uint32_t lowest; /* no list of a lower level has rows; levels are numbered from the region's first one */
    struct gws__rank_region_level level[gws__region_levels + 1]; /* the last one is behind the region */
    uint64_t found, found_arcs, corrected; /* rows, their arcs, and smaller depths for rows that were found before */
    struct gws__rank_offer *offer;         /* `offers` of at most `capacity`, in the outbox's memory */
    uint64_t offers, capacity;
    struct gws__rank_offer known[gws__region_cache]; /* what other ranks' vertices have at most */
};

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
    struct gws__rank_region region;
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
    uint64_t last_size;              /* of the frontier before */
    uint64_t workers;                /* of all ranks */
    uint32_t min_region;             /* the first level at which a region may begin */
    uint64_t sent, pulls, reached, reached_arcs;
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

static inline void gws__rank_bfs_mark(struct gws__rank_bfs_memory *memory, uint64_t vertex)
{
    atomic_fetch_or_explicit(&memory->known[vertex / 64], UINT64_C(1) << vertex % 64, memory_order_relaxed);
}

/* The same for a word of the bitmap that no other thread writes at this time. */
static inline void gws__rank_bfs_mark_word(struct gws__rank_bfs_memory *memory, uint64_t word, uint64_t bits)
{
    const uint64_t old = atomic_load_explicit(&memory->known[word], memory_order_relaxed);
    atomic_store_explicit(&memory->known[word], old | bits, memory_order_relaxed);
}

/* Each runs a level, sets size and arcs of the next frontier, and the next level's direction remains. Returns the
 * status of all ranks. */
gws_status gws__rank_bfs_push(struct gws__rank_bfs *search);
gws_status gws__rank_bfs_pull(struct gws__rank_bfs *search);

/* Returns whether a region of levels may begin here, the same on all ranks. */
bool gws__rank_bfs_allows_region(const struct gws__rank_bfs *search);
/* Runs several levels, without pull, and ends at the last one of them: as the functions above. *done: false if the
 * frontier grew too large; then the state is that before the call. */
gws_status gws__rank_bfs_region(struct gws__rank_bfs *search, bool *done);
/* Before a search. */
void gws__rank_bfs_reset_region(struct gws__rank_bfs_memory *memory);

/* bfs_region_rows.c. Adds a row to the list of a level. */
void gws__rank_region_link(struct gws__rank_bfs *search, uint32_t row, uint32_t level);
/* Searches all levels of the region. Returns false if a level is large. A full outbox ends the round early. */
bool gws__rank_region_search(struct gws__rank_bfs *search);
/* Takes offers of other ranks, as the receive() of an exchange. context: the search. */
void gws__rank_region_take(void *context, uint32_t rank, const void *data, uint64_t items);

#endif
