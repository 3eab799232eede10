/* SPDX-License-Identifier: MIT */
/* Breadth-first search. */
#ifndef GWS_BFS_H
#define GWS_BFS_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_bfs_direction {
    GWS_BFS_AUTO,     /* direction-optimising (Beamer, Asanovic, Patterson, SC 2012) if the graph allows it */
    GWS_BFS_TOP_DOWN, /* every level pushes from the frontier */
    GWS_BFS_BOTTOM_UP /* every level pulls into the unreached vertices; a directed graph needs its reverse */
};

/* An index for searches of one graph, which must not change while the index is in use. The index holds the neighbour of
 * highest degree for each vertex. Bottom-up levels look at that neighbour first. On skewed graphs, the search then need
 * not read the rows of most vertices. {0} is an empty index. */
struct gws_bfs_index {
    const struct gws_graph *graph; /* the graph of the index */
    uint32_t *likely;              /* vertices entries; GWS_NO_VERTEX: the vertex has no incoming arc */
    double ms;                     /* time to build the index */
    uint64_t bytes;                /* memory of the index */
    struct gws_allocator allocator;
};

struct gws_bfs_options {
    enum gws_bfs_direction direction;
    const struct gws_bfs_index *index; /* may be NULL; the search ignores an index of another graph */
    bool time_levels; /* fill level[].ms, for which the search runs level by level, never by regions (see gws_bfs()) */
};

struct gws_bfs_level {
    uint64_t size;    /* vertices at this depth */
    double ms;        /* time to run the level that starts from these vertices; 0 unless time_levels */
    bool bottom_up;   /* true if the level ran bottom-up */
    uint32_t workers; /* workers that ran the level; all workers if the search ran by regions */
};

/* Arrays of a result, as bits of a set. */
enum gws_bfs_part { GWS_BFS_DEPTH = 1, GWS_BFS_PARENT = 2, GWS_BFS_NARROW = 4 };

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the search reuses its arrays if
 * they are large enough. gws_bfs_result_clear() frees the arrays. */
struct gws_bfs_result {
    uint64_t vertices;
    uint32_t source;
    uint32_t *depth;  /* vertices entries; GWS_NO_VERTEX: unreached */
    uint32_t *parent; /* vertices entries; the source is its own parent; GWS_NO_VERTEX: unreached */
    void *narrow;     /* a copy of the depths with narrow_bytes per entry; all ones: unreached */
    uint32_t
        narrow_bytes; /* 1, 2 or 4. gws_bfs() fills depth and parent. After a search on a device, gws_bfs_device_fetch()
                         fills the arrays that the caller selects, and the others are NULL */
    uint64_t reached; /* number of vertices that have a depth */
    uint64_t reached_arcs;            /* sum of the degrees of the reached vertices */
    uint32_t levels;                  /* largest depth + 1 */
    struct gws_bfs_level *level;      /* levels entries */
    double ms;                        /* time of the whole search */
    struct gws__bfs_scratch *scratch; /* private */
};

/* Searches from source. options may be NULL. Depths are exact. A parent is any neighbour one level closer to the
 * source. Errors: GWS_OUT_OF_RANGE (source) and GWS_NEEDS_REVERSE (bottom-up on a directed graph without reverse,
 * where AUTO runs top-down) leave result unchanged. GWS_NO_MEMORY leaves result unchanged or empty.
 *
 * The search runs level by level, except on a mesh. A mesh is a graph of at least 2^19 vertices with a mean degree of
 * at most 8, in which nearly all arcs join vertices with close numbers. The search may process a mesh by regions. A
 * task is then a range of consecutive vertices and runs 32 levels at once. With two or more workers, the first search
 * of such a graph into a result runs by regions and the second level by level. Later searches use the faster method
 * and occasionally retry the slower method. GWS_BFS_BOTTOM_UP and time_levels disable regions.
 *
 * A level with few arcs runs on the caller alone, or on a team of 2, 4, 8 or 16 workers that stays together for some
 * dozens of levels. The search measures which team size is fastest. result stores that size for the graph.
 *
 * Memory: 12 bytes and 3 bits per vertex, up to 72 bytes per level, 37 KB per worker, and 2.4 MB. Regions add 18 KB per
 * worker, 30 KB, and vertex lists and messages that grow with the frontier. At the end, a search by regions needs a
 * temporary array of 8 bytes per level and worker, at most 8 bytes per vertex. result keeps the other arrays for the
 * next search. */
GWS_API gws_status gws_bfs(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source,
                           const struct gws_bfs_options *options, struct gws_bfs_result *result);

/* Builds the index of graph into *index, which must be empty. Errors: GWS_NEEDS_REVERSE (a directed graph without its
 * reverse), GWS_NO_MEMORY. Memory: 4 bytes per vertex. Time: O(arcs), in parallel, with one random access per arc. */
GWS_API gws_status gws_bfs_index_build(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       struct gws_bfs_index *index);

/* Frees the index and sets the struct to {0}. Accepts NULL. */
GWS_API void gws_bfs_index_clear(struct gws_bfs_index *index);

/* gws_bfs_many() calls this function after each search. A status other than GWS_OK ends the call with that status. */
typedef gws_status gws_bfs_visit(void *context, uint64_t index, const struct gws_bfs_result *result);

/* Searches from each of count sources in turn and passes each result to visit. All searches reuse one set of arrays.
 * The result is valid until visit returns. */
GWS_API gws_status gws_bfs_many(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *source,
                                uint64_t count, const struct gws_bfs_options *options, gws_bfs_visit *visit,
                                void *context);

/* One depth of the searches from up to 256 sources at once. The arrays are valid until visit returns. */
struct gws_bfs_batch_level {
    uint64_t first;          /* bit i belongs to source[first + i] */
    uint32_t sources;        /* sources of this batch */
    uint32_t depth;          /* 0: the sources */
    uint32_t words;          /* 64-bit words of a vertex: 1 or 4 */
    const uint64_t *reached; /* vertices * words entries; bit i % 64 of a vertex's word i / 64 is set if search i
                              * reaches the vertex at this depth */
    const uint64_t *count;   /* sources entries: the vertices that each search reaches at this depth */
};

typedef gws_status gws_bfs_batch_visit(void *context, const struct gws_bfs_batch_level *level);

/* Searches from many sources, 64 at a time, or 256 if wide. Calls visit for every depth of every batch, in order, on
 * the calling thread. If several searches reach a vertex at the same depth, the batch visits that vertex once (MS-BFS:
 * Then et al., PVLDB 8 (4), 2014). A batch costs little more than one search on graphs of few levels. gws_bfs_many()
 * is faster on meshes, unless the sources lie close together. A status other than GWS_OK from visit ends the call with
 * that status. Errors: GWS_OUT_OF_RANGE (a source), GWS_NEEDS_REVERSE (a directed graph without reverse),
 * GWS_NO_MEMORY (24 bytes per vertex, 96 if wide, 8 KiB per worker, and 0.6 MB). bfs_batch_device.h has the form for
 * devices. */
GWS_API gws_status gws_bfs_batch(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *source,
                                 uint64_t count, bool wide, gws_bfs_batch_visit *visit, void *context);

/* Frees the arrays of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_bfs_result_clear(struct gws_bfs_result *result);

/* Overwrites the arrays of a result with values that no search produces. A caller that verifies the next search then
 * detects a search that wrote nothing. The function runs serially in O(vertices). Accepts NULL. */
GWS_API void gws_bfs_result_poison(struct gws_bfs_result *result);

/* Checks a result by the rules of Graph500 (specification 2.0, validation). The source is its own parent at depth 0.
 * Every tree edge exists and joins depths that differ by one. Every arc from a reached vertex leads at most one level
 * deeper, so the search has missed no reachable vertex. The counts and the size of each level agree. The check shares
 * no code with the search. where->message describes the first fault. Errors: GWS_WRONG_RESULT (a rule is broken),
 * GWS_INVALID (a result without depth or parent), GWS_NO_MEMORY (the check takes 8 bytes per level). The check runs in
 * parallel in O(arcs). */
GWS_API gws_status gws_bfs_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_bfs_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
