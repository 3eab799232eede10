/* SPDX-License-Identifier: MIT */
/* Breadth-first search. */
#ifndef GWS_BFS_H
#define GWS_BFS_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_bfs_direction {
    GWS_BFS_AUTO,     /* direction-optimising (Beamer, Asanovic, Patterson, SC 2012) where the graph allows it */
    GWS_BFS_TOP_DOWN, /* every level from the frontier outwards */
    GWS_BFS_BOTTOM_UP /* every level from the unreached vertices; a directed graph needs its reverse */
};

/* An index for searches of one graph, which must not change while it is used: of each vertex the neighbour of highest
 * degree, at which bottom-up levels look first. On skewed graphs that spares most of them the row. {0} is an empty one.
 */
struct gws_bfs_index {
    const struct gws_graph *graph; /* that it is of */
    uint32_t *likely;              /* vertices entries; GWS_NO_VERTEX: no arc leads there */
    double ms;                     /* that building it took */
    uint64_t bytes;                /* that it holds */
    struct gws_allocator allocator;
};

struct gws_bfs_options {
    enum gws_bfs_direction direction;
    const struct gws_bfs_index *index; /* may be NULL; that of another graph is not used */
    bool time_levels; /* fill level[].ms; the search then goes level by level, never by regions (see gws_bfs()) */
};

struct gws_bfs_level {
    uint64_t size;    /* vertices at this depth */
    double ms;        /* time to run the level that starts from them; 0 unless time_levels */
    bool bottom_up;   /* the direction in which it ran */
    uint32_t workers; /* how many took part in it; by regions that is not known of a level: all of them */
};

/* Arrays of a result, as a set. */
enum gws_bfs_part { GWS_BFS_DEPTH = 1, GWS_BFS_PARENT = 2, GWS_BFS_NARROW = 4 };

/* A result. {0} is a valid empty one; a filled one may be passed again, and keeps its arrays where they are large
 * enough. Freed by gws_bfs_result_clear(). */
struct gws_bfs_result {
    uint64_t vertices;
    uint32_t source;
    uint32_t *depth;                  /* vertices entries; GWS_NO_VERTEX: not reached */
    uint32_t *parent;                 /* vertices entries; the source is its own parent; GWS_NO_VERTEX: not reached */
    void *narrow;                     /* the depths once more, in narrow_bytes each; all ones: not reached */
    uint32_t narrow_bytes;            /* 1, 2 or 4. A search on a device fills what is asked for of these three, and the
                                       * others are NULL (gws_bfs_device_fetch()); gws_bfs() depth and parent */
    uint64_t reached;                 /* vertices with a depth */
    uint64_t reached_arcs;            /* the sum of their degrees */
    uint32_t levels;                  /* largest depth + 1 */
    struct gws_bfs_level *level;      /* levels entries */
    double ms;                        /* the whole search */
    struct gws__bfs_scratch *scratch; /* private */
};

/* Searches from source. options may be NULL. Depths are exact; a parent is any neighbour one level nearer.
 * Errors: GWS_OUT_OF_RANGE (source), GWS_NEEDS_REVERSE (bottom-up on a directed graph without reverse; AUTO goes
 * top-down there instead): result is then as it was; GWS_NO_MEMORY: it is as it was, or empty.
 *
 * Level by level, except on a mesh: of at least 2^19 vertices, with at most 8 arcs each in the mean and nearly all arcs
 * between vertices near in number. That may be searched by regions: stretches of vertices that are neighbours in memory
 * are the tasks, and each runs 32 levels at once. The first search of such a graph into a result goes by regions if
 * there are two workers or more, the next one the other way, and later ones whichever was faster, the other being
 * tried again now and then. GWS_BFS_BOTTOM_UP and time_levels prevent regions.
 *
 * Levels of few arcs are run by the caller alone, or by a team of 2, 4, 8 or 16 workers that stays together for some
 * dozens of levels: how many is measured as the search goes, and remembered in result for the graph.
 *
 * Memory: 12 bytes and 3 bits a vertex, up to 72 bytes a level, 37 KB a worker and 2.4 MB. Regions add 18 KB a worker
 * and 30 KB; lists of vertices, and messages between regions, that grow with the frontier; and at the end 8 bytes a
 * level and worker, at most 8 a vertex, for a moment. The rest stays in result for the next search. */
GWS_API gws_status gws_bfs(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                           const struct gws_bfs_options *options, struct gws_bfs_result *result);

/* Builds the index of graph into *index, which is empty. Errors: GWS_NEEDS_REVERSE (a directed graph without its
 * reverse), GWS_NO_MEMORY. 4 bytes a vertex; O(arcs), in parallel, with an access at random for each arc. */
GWS_API gws_status gws_bfs_index_build(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       struct gws_bfs_index *index);

/* Frees what it holds and makes it {0}; NULL is allowed. */
GWS_API void gws_bfs_index_clear(struct gws_bfs_index *index);

/* Called after each search of gws_bfs_many(); what it returns other than GWS_OK ends the call with that status. */
typedef gws_status gws_bfs_visit(void *context, uint64_t index, const struct gws_bfs_result *result);

/* Searches from each of count sources in turn, reusing one set of arrays, and shows each result to visit, which may
 * read it until it returns. */
GWS_API gws_status gws_bfs_many(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *source,
                                uint64_t count, const struct gws_bfs_options *options, gws_bfs_visit *visit,
                                void *context);

/* Frees a result's arrays and makes it {0}; NULL is allowed. */
GWS_API void gws_bfs_result_clear(struct gws_bfs_result *result);

/* Overwrites what a result says with what no search finds, and keeps its arrays: for who verifies the next search into
 * it, so that one that wrote nothing cannot pass for right. O(vertices), serially. NULL is allowed. */
GWS_API void gws_bfs_result_poison(struct gws_bfs_result *result);

/* Checks a result by the rules of Graph500 (specification 2.0, validation): the source is its own parent at depth 0;
 * every tree edge exists and joins depths that differ by one; every arc leads from a reached vertex to one at most one
 * level deeper, so nothing reachable is missed; the counts and the size of each level agree. Written apart from the
 * search. where->message says what was wrong first. Errors: GWS_WRONG_RESULT if it does not hold, GWS_INVALID (a result
 * without depth or parent), GWS_NO_MEMORY (it takes 8 bytes a level). O(arcs), in parallel. */
GWS_API gws_status gws_bfs_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_bfs_result *result, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
