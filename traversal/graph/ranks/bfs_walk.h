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
    uint64_t first, arcs;
    struct gws__rank_bfs_shared shared;
};

/* A vertex of the frontier, and its arcs. */
struct gws__rank_walk_entry {
    const struct gws__rank_walk_part *part;
    const uint32_t *target;
    uint32_t vertex, degree;
    uint32_t first[gws__rank_walk_strip]; /* targets; beyond degree: any */
};

struct gws__rank_walk {
    struct gws__rank_bfs *search;
    const struct gws_rank_graph *graph;
    struct gws__rank_walk_part *part;
    uint64_t *known, *reached; /* bitmaps: reached before this level, and with its output */
    struct gws__rank_walk_entry *entry;
    struct gws__pair *claim; /* from the beginning: vertices that the level reached; to the end: their other parents */
    uint64_t claims, others;
    uint64_t count, arcs;   /* of the frontier */
    uint64_t total, passed; /* vertices and arcs of the frontiers that the walk has run */
};

/* Makes the claims the frontier: writes their depths, which are the search's level, and their parents. */
void gws__rank_walk_commit(struct gws__rank_walk *walk);

/* Runs a level. */
void gws__rank_walk_level(struct gws__rank_walk *walk);

#endif
