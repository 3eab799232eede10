/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a graph that is parted among ranks. All functions but gws_rank_bfs_result_clear() are
 * collective, and all ranks return the same status and message. */
#ifndef GWS_RANK_BFS_H
#define GWS_RANK_BFS_H

#include "../lib/rank_graph.h"
#include "bfs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the search reuses its arrays if
 * the graph is the same. */
struct gws_rank_bfs_result {
    uint32_t source;
    uint32_t *depth;  /* of this rank's vertices, graph->rows entries; GWS_NO_VERTEX: unreached */
    uint32_t *parent; /* the same; the source is its own parent; GWS_NO_VERTEX: unreached */
    /* Of all ranks, and the same on all: */
    uint64_t reached;                    /* number of vertices that have a depth */
    uint64_t reached_arcs;               /* sum of the degrees of the reached vertices */
    uint32_t levels;                     /* largest depth + 1 */
    uint32_t pulls;                      /* levels that ran bottom-up */
    uint32_t walked;                     /* levels that rank 0 ran alone, in the memory of all ranks */
    uint64_t sent;                       /* vertices that ranks found for other ranks and sent to them */
    double ms;                           /* time of the whole search */
    struct gws__rank_bfs_memory *memory; /* private */
};

/* Searches from source. Depths are exact. A parent is the smallest neighbour one level closer to the source. So depth
 * and parent do not depend on the numbers of ranks and threads.
 *
 * The search runs level by level. A top-down level sends each vertex that it finds on another rank to that rank, with
 * the parent, in steps of at most 2^18 arcs or one row. A bottom-up level first gathers the frontier of all ranks as a
 * bitmap. Between several hosts, steps have 2^15 arcs, and travel while the rank expands the next one; the bitmap's
 * words travel while the level before searches other vertices. GWS_BFS_AUTO chooses by Beamer's rule (SC 2012) as
 * gws_bfs() does; a directed graph without its reverse runs top-down.
 *
 * If all ranks run on one host, and a search has many levels, rank 0 runs series of small levels alone, where that is
 * faster, in the rows and results of all ranks, while the others wait. Then the graph's rows and the result's arrays
 * move into memory that rank 0 maps (memfd_create(2)), in place, so that they take no more memory than before. This
 * needs Linux, and the library's own allocator on all ranks.
 *
 * Errors: GWS_OUT_OF_RANGE (source), GWS_NEEDS_REVERSE (bottom-up on a directed graph without reverse), GWS_NO_MEMORY,
 * GWS_CANCELLED. After an error the result's arrays have no meaning. Memory of a rank: 16 bytes for each own vertex, 3
 * bits for each vertex of the graph, 16 bytes for each arc of a step, 20 KB per worker, 1 MB, and 2 MB more on rank 0.
 * Time: a level costs one exchange among all ranks, and one sum if it may be large: a few microseconds within a host.
 */
GWS_API gws_status gws_rank_bfs(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t source,
                                enum gws_bfs_direction direction, struct gws_rank_bfs_result *result,
                                struct gws_diagnostic *where);

/* Frees this rank's arrays, while the runtime of the search is open, and sets the result to {0}. Not collective.
 * Accepts NULL. */
GWS_API void gws_rank_bfs_result_clear(struct gws_rank_bfs_result *result);

/* Checks a result by the five rules of Graph500, like gws_bfs_check(). For every arc from a reached vertex its owner
 * sends the largest legal depth to the target's owner, and for every tree edge the parent's exact depth, in steps of
 * 2^18 messages. where->message describes the fault of the smallest vertex. Errors: GWS_WRONG_RESULT, GWS_NEEDS_REVERSE
 * (a directed graph without reverse), GWS_NO_MEMORY, GWS_CANCELLED. Runs on the calling threads in O(arcs / ranks). */
GWS_API gws_status gws_rank_bfs_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                      const struct gws_rank_bfs_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
