/* SPDX-License-Identifier: MIT */
/* A walk of rank 0 (bfs_walk.c), and its levels (bfs_walk_level.c). */
#ifndef GWS_TRAVERSAL_RANKS_BFS_WALK_H
#define GWS_TRAVERSAL_RANKS_BFS_WALK_H

#include "bfs_state.h"

enum {
    gws__rank_walk_max = 1 << 15, /* arcs of a level, and its vertices */
    gws__rank_walk_claims = gws__rank_walk_max + 2,
    gws__rank_walk_strip = 4 /* arcs of a row that its entry holds; most rows of a road map have no more */
};

struct gws__rank_walk_part {
    const uint64_t *offset;
    const uint32_t *target;
    uint32_t *depth, *parent;
    const uint32_t *end; /* of target */
    uint64_t first;
    struct gws__rank_bfs_shared shared;
    uint64_t unused[2]; /* a size of 128 bytes makes the address of a part cheap */
};

/* A vertex of the frontier, and its arcs. */
struct gws__rank_walk_entry {
    const uint32_t *target;
    uint32_t vertex, degree;
    uint32_t first[gws__rank_walk_strip]; /* targets; beyond degree: any */
};

struct gws__rank_walk {
    struct gws__rank_bfs *search;
    const struct gws_rank_graph *graph;
    struct gws__rank_walk_part *part;
    uint64_t inverse;          /* gws__rank_walk_inverse() */
    uint64_t *known, *reached; /* bitmaps: reached before this level, and with its output */
    struct gws__rank_walk_entry *entry;
    struct gws__pair *claim; /* from the beginning: vertices that the level reached; to the end: their other parents */
    uint64_t claims, others;
    uint64_t count, arcs;   /* of the frontier */
    uint64_t total, passed; /* vertices and arcs of the frontiers that the walk has run */
};

/* Owners are found by a multiplication, which is faster than a division. Let n be a vertex / 64, d the block / 64, and
 * the inverse (2^52 + e) / d with e < d. The quotient is right, because n and d are below 2^26 and so n e < 2^52. The
 * product fits into 64 bits, because n / d is a rank. */
enum { gws__rank_walk_shift = 52, gws__rank_walk_ranks = 4095 /* at most */ };

static inline uint64_t gws__rank_walk_inverse(const struct gws_rank_graph *graph)
{
    const uint64_t words = graph->block / 64;
    return ((UINT64_C(1) << gws__rank_walk_shift) + words - 1) / words;
}

static inline uint64_t gws__rank_walk_owner(uint64_t inverse, uint32_t vertex)
{
    return vertex / 64 * inverse >> gws__rank_walk_shift;
}

static inline const struct gws__rank_walk_part *gws__rank_walk_part_of(const struct gws__rank_walk *walk,
                                                                       uint32_t vertex)
{
    return &walk->part[gws__rank_walk_owner(walk->inverse, vertex)];
}

/* Makes the claims the frontier: writes their depths, which are the search's level, and their parents. */
void gws__rank_walk_commit(struct gws__rank_walk *walk);

/* Runs a level. */
void gws__rank_walk_level(struct gws__rank_walk *walk);

#endif
