/* SPDX-License-Identifier: MIT */
/* State shared by the parts of a breadth-first search. data[0] and data[1] of the engine hold depth and parent. An
 * entry is valid if the bit of its vertex in visited is set. All entries are valid once the engine has set `filled`. */
#ifndef GWS_TRAVERSAL_BFS_STATE_H
#define GWS_TRAVERSAL_BFS_STATE_H

#include "../../bfs.h"
#include "../../engine/engine.h"

struct gws__bfs_regions;

/* State that persists between searches in gws_bfs_result. */
struct gws__bfs_scratch {
    struct gws_allocator allocator;
    struct gws__engine_memory *memory; /* also holds the result's levels */
    struct gws__bfs_regions *regions;  /* NULL until a graph is suitable for a search by regions */
    uint32_t *depth, *parent;          /* the arrays of the result, which may be attached to it */
    void *narrow;                      /* narrow_capacity bytes */
    uint64_t narrow_capacity;
    const struct gws_graph *graph; /* the graph searched last, to which the next field belongs */
    struct gws__autotune strategy; /* level by level, or by regions */
};

struct gws__bfs {
    struct engine engine;
    struct gws_bfs_result *result;
};

/* Creates the arrays for a search of graph by the runtime's workers, or reuses arrays that fit. gws_bfs_result_clear()
 * frees the arrays. */
gws_status gws__bfs_prepare(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_result *result);

/* gws__bfs_attach_arrays() sets those of the result's arrays that parts selects, a set of enum gws_bfs_part.
 * gws__bfs_reserve_narrow() must come before attaching narrow. */
void gws__bfs_attach_arrays(struct gws_bfs_result *result, uint32_t parts);
gws_status gws__bfs_reserve_narrow(struct gws_runtime *runtime, struct gws_bfs_result *result, uint64_t bytes);

/* Appends a level to the result. Errors: GWS_NO_MEMORY. */
gws_status gws__bfs_level_add(struct gws_bfs_result *result, struct gws_bfs_level level, struct gws_diagnostic *where);

/* gws__bfs_bind() points the engine at the arrays of a prepared result. The caller has set the engine's runtime, graph
 * and in. gws__bfs_finish() runs after the search. It writes GWS_NO_VERTEX for unreached vertices and attaches the
 * list of levels. */
void gws__bfs_bind(struct gws__bfs *bfs, struct gws_bfs_result *result);
void gws__bfs_finish(struct gws__bfs *bfs);

/* Runs a level on one worker without atomic operations, as an entry of struct gws__loops. */
uint32_t gws__bfs_push_serial(struct engine *engine);

/* gws__bfs_supports_regions() returns true if the graph is suitable for a search by regions. gws__bfs_by_regions()
 * runs that search (see regions.c). */
bool gws__bfs_supports_regions(const struct gws__bfs *bfs);
gws_status gws__bfs_by_regions(struct gws__bfs *bfs);
void gws__bfs_regions_free(struct gws__bfs_regions *regions);

/* gws__bfs_choose() selects one of two methods for a search of the graph by the cost of recent searches, `first`
 * without any. gws__bfs_add_time() adds the time of a search that reached many vertices. */
uint32_t gws__bfs_choose(struct gws__autotune *tune, const struct gws_graph *graph, uint32_t first);
void gws__bfs_add_time(struct gws__autotune *tune, const struct gws_graph *graph, uint32_t chosen, double ms,
                       uint64_t reached);

/* gws__bfs_use_regions() selects the faster method for this graph, regions or levels. gws__bfs_add_cost() adds the
 * search's time. */
bool gws__bfs_use_regions(struct gws__bfs *bfs);
void gws__bfs_add_cost(struct gws__bfs *bfs, bool by_regions);

#endif
