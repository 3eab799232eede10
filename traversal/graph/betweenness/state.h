/* SPDX-License-Identifier: MIT */
/* State shared by the parts of betweenness centrality.
 *
 * A source takes three steps. (1) gws_bfs() finds the depths, and order.c sorts the reached vertices by depth and
 * number. (2) accumulate.c goes through the levels from the source outwards. The number of shortest paths of a vertex
 * is sigma(v) = sum of sigma(u) over the arcs u -> v from the level before. (3) accumulate.c goes through the levels
 * inwards. The dependency of a vertex is delta(v) = sum of sigma(v) / sigma(w) * (1 + delta(w)) over the arcs v -> w
 * to the next level.
 *
 * State encoding. value[v] is sigma(v) after (2). Step (3) replaces value[v] by x(v) = (1 + delta(v)) / sigma(v). So
 * delta(v) = sigma(v) * (sum of x(w)), and both steps are the same sum over a row. tag[v] is the low byte of the
 * depth, and decides which arcs count. One byte per vertex stays in cache. The depth decides ties in a directed graph
 * of 256 levels or more. On meshes sigma exceeds the range of a double. Then sigma(v) is value[v] * 2^(512 *
 * scale[v]), and x(v) is value[v] / 2^(512 * scale[v]). */
#ifndef GWS_TRAVERSAL_BETWEENNESS_STATE_H
#define GWS_TRAVERSAL_BETWEENNESS_STATE_H

#include <stdatomic.h>

#include "../../../lib/parallel.h"
#include "../../betweenness.h"
#include "../../bfs.h"

enum {
    gws__bc_heavy = 8192, /* min arcs of a divided row */
    gws__bc_piece = 4096, /* arcs of a part of a divided row */
};

/* Larger numbers of paths need scale[]. */
#define GWS__BC_MAX_PATHS 0x1p1000

struct gws__bc_level {
    uint64_t begin;           /* first entry of the level in order[] */
    bool heavy_in, heavy_out; /* true if some vertex has a long row of incoming or outgoing arcs */
};

struct gws__bc_sum {
    double value;
    uint32_t scale;
};

/* A part of a long row. */
struct gws__bc_piece {
    uint32_t vertex;
    uint64_t begin, end; /* range of arcs */
    struct gws__bc_sum sum;
};

/* The vertices with long rows in one direction, in any order. */
struct gws__bc_heavy_rows {
    uint32_t *vertex;
    _Atomic uint64_t count;
};

enum gws__bc_array {
    GWS__BC_TAG,
    GWS__BC_VALUE,
    GWS__BC_SCALE,
    GWS__BC_LEVEL,
    GWS__BC_HISTOGRAM,
    GWS__BC_IN,
    GWS__BC_OUT,
    GWS__BC_PIECE,
    GWS__BC_SOURCE,
    GWS__BC_DONE,
    GWS__BC_CENTRALITY,
    GWS__BC_ARC,
    gws__bc_arrays
};

/* The memory that persists between calls in gws_betweenness_result. */
struct gws__betweenness_scratch {
    struct gws_allocator allocator;
    void *array[gws__bc_arrays]; /* all memory of the result and of the call */
    uint64_t bytes[gws__bc_arrays];
    struct gws_bfs_result bfs; /* parent holds order[] after the search */
    uint8_t *tag;
    double *value;
    uint16_t *scale; /* NULL: all scales are 0 */
    struct gws__bc_level *level;
    struct gws__bc_heavy_rows in, out;
    struct gws__bc_piece *piece; /* parts of one level */
};

struct gws__bc {
    struct gws_runtime *runtime;
    const struct gws_graph *graph, *in; /* in: the rows of incoming arcs */
    struct gws__betweenness_scratch *scratch;
    double *centrality, *arc; /* sums over the sources; arc may be NULL */
    uint32_t *order;          /* the reached vertices by level, then by number */
    uint32_t levels;
    const uint32_t *exact; /* the depths; NULL: tags suffice */
    uint64_t reached;      /* number of vertices reached from all sources so far */
    uint32_t max_levels;
    _Atomic bool overflow; /* true if sigma exceeds GWS__BC_MAX_PATHS, or scale[] exceeds 16 bits */
};

/* Makes an empty *scratch, unless *scratch already has the runtime's allocator. */
gws_status gws__bc_open_scratch(struct gws_runtime *runtime, struct gws__betweenness_scratch **scratch);

/* Prepares *scratch for a call on graph, or reuses it. _free accepts NULL. */
gws_status gws__bc_prepare(struct gws_runtime *runtime, const struct gws_graph *graph,
                           struct gws__betweenness_scratch **scratch);
void gws__bc_free(struct gws__betweenness_scratch *scratch);

/* Returns an array of at least count items of size bytes, valid until the next call for the same array. The content is
 * lost if the array has to grow. Returns NULL if memory ran out. */
void *gws__bc_array_of(struct gws__betweenness_scratch *scratch, enum gws__bc_array name, uint64_t count,
                       uint64_t size);

/* Sets result->sources and source[], an array of result->scratch. */
gws_status gws__bc_list_sources(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws_betweenness_options *options, struct gws_betweenness_result *result);

/* The factors by which the options scale the sums over the sources of `result`, one for vertices and one for arcs. */
struct gws__bc_factors {
    double vertex, arc;
};
struct gws__bc_factors gws__bc_factors_of(const struct gws_graph *graph, const struct gws_betweenness_options *options,
                                          const struct gws_betweenness_result *result);

/* Multiplies centrality and, if it is not NULL, arc by the factors. Both arcs of an undirected edge get the sum of
 * both. Errors: GWS_CANCELLED. */
gws_status gws__bc_scale(struct gws_runtime *runtime, const struct gws_graph *graph,
                         const struct gws__bc_factors *factors, const struct gws_betweenness_result *result);

/* Fills tag, order, levels and scratch->level after a breadth-first search. */
gws_status gws__bc_sort(struct gws__bc *bc);

/* Adds the dependencies of one source to centrality and arc. All workers share the work. */
gws_status gws__bc_add_source(struct gws__bc *bc, uint32_t source);

/* Adds the dependencies of many sources, each computed by one worker, if `memory` bytes suffice. Sets done[i] for each
 * source that it has added. source NULL: source i is vertex i. */
gws_status gws__bc_add_serial(struct gws__bc *bc, const uint32_t *source, uint64_t sources, uint64_t memory,
                              uint8_t *done);

static inline uint64_t gws__bc_level_size(const struct gws__betweenness_scratch *scratch, uint32_t level)
{
    return scratch->level[level + 1].begin - scratch->level[level].begin;
}

#endif
