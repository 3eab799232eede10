/* SPDX-License-Identifier: MIT */
/* What the parts of a breadth-first search share. depth and parent of a vertex, data[0] and data[1] of the engine, mean
 * something once its bit in visited is set, and for every vertex once the engine has `filled` them. */
#ifndef GWS_TRAVERSAL_BFS_STATE_H
#define GWS_TRAVERSAL_BFS_STATE_H

#include "../../bfs.h"
#include "../../engine/engine.h"

struct gws__bfs_regions;

/* Kept between searches, in gws_bfs_result. */
struct gws__bfs_scratch {
    struct gws_allocator allocator;
    struct gws__engine_memory *memory; /* has the result's levels, too */
    struct gws__bfs_regions *regions;  /* NULL until a graph suits a search by regions */
    uint32_t *depth, *parent;          /* the result's arrays, whether it shows them or not */
    void *narrow;                      /* narrow_capacity bytes */
    uint64_t narrow_capacity;
    const struct gws_graph *graph; /* that was searched last; what follows is of it */
    struct gws__autotune strategy; /* level by level, or by regions */
};

struct gws__bfs {
    struct engine engine;
    struct gws_bfs_result *result;
};

enum gws__direction gws__bfs_direction(enum gws_bfs_direction direction);

/* Arrays for a search of graph by the runtime's workers, kept where they fit; freed by gws_bfs_result_clear(). */
gws_status gws__bfs_prepare(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_result *result);

/* Takes depth, parent and narrow out of the result, which keeps them. Then shows those again that are asked for, a set
 * of enum gws_bfs_part; for narrow there has to be room first. */
void gws__bfs_detach_arrays(struct gws_bfs_result *result);
void gws__bfs_attach_arrays(struct gws_bfs_result *result, uint32_t parts);
gws_status gws__bfs_reserve_narrow(struct gws_runtime *runtime, struct gws_bfs_result *result, uint64_t bytes);

/* One more level in the result. Errors: GWS_NO_MEMORY. */
gws_status gws__bfs_level_add(struct gws_bfs_result *result, struct gws_bfs_level level);

/* Points the engine, whose runtime, graph and in are set, at the arrays of result, which is prepared; and, after the
 * search, gives those that were not reached GWS_NO_VERTEX and shows the list of levels. */
void gws__bfs_bind(struct gws__bfs *bfs, struct gws_bfs_result *result);
void gws__bfs_finish(struct gws__bfs *bfs);

/* A level by one worker without atomic operations; a slot of struct gws__loops. */
uint32_t gws__bfs_push_serial(struct engine *engine);

/* The whole search by regions, and whether the graph suits that; see regions.c. */
bool gws__bfs_supports_regions(const struct gws__bfs *bfs);
gws_status gws__bfs_by_regions(struct gws__bfs *bfs);
void gws__bfs_regions_free(struct gws__bfs_regions *regions);

/* Which of two ways a search of the graph goes, by what searches of it cost lately, `first` if nothing is known; and
 * what one cost, which says something if it reached many vertices. */
uint32_t gws__bfs_choose(struct gws__autotune *tune, const struct gws_graph *graph, uint32_t first);
void gws__bfs_add_time(struct gws__autotune *tune, const struct gws_graph *graph, uint32_t chosen, double ms,
                       uint64_t reached);

/* By regions or level by level: whichever is faster on this graph; and what the search cost. */
bool gws__bfs_use_regions(struct gws__bfs *bfs);
void gws__bfs_add_cost(struct gws__bfs *bfs, bool by_regions);

#endif
