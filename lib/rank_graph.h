/* SPDX-License-Identifier: MIT */
/* A graph parted among the ranks of a job (lib/transport.h): rank r owns the vertices r * block .. (r + 1) * block - 1,
 * and has their rows. Algorithms on it are in traversal/rank_*.h.
 *
 * All functions are collective, and all ranks return the same status: the highest of all ranks. */
#ifndef GWS_RANK_GRAPH_H
#define GWS_RANK_GRAPH_H

#include "graph.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* transport may be NULL: one rank has the whole graph. */

/* Read-only to users. Row i is that of vertex first + i: target[offset[i]] .. target[offset[i + 1] - 1], in ascending
 * order. Targets are vertices of the whole graph. */
struct gws_rank_graph {
    struct gws_transport *transport;
    uint64_t vertices, arcs;        /* of the whole graph */
    uint64_t block;                 /* vertices of each rank but the last ones; a multiple of 64 */
    uint64_t first, rows;           /* this rank's vertices, which may be none */
    const uint64_t *offset;         /* rows + 1 entries */
    const uint32_t *target;         /* offset[rows] entries */
    const int32_t *weight;          /* beside target, or NULL */
    const float *real_weight;       /* weights that are not integers, or NULL */
    double draw_ms;                 /* the longest time that a rank took to draw edges; 0: not generated */
    uint64_t bytes_read;            /* bytes of a file that this rank read (io/rank_graph_io.h), or 0 */
    bool directed;                  /* false: the graph is its own reverse */
    struct gws_rank_graph *reverse; /* of a directed graph that came with its reverse, otherwise NULL */
    struct gws_graph *names;        /* on rank 0: all vertices without arcs, with the ids or names; otherwise NULL */
    struct gws_graph *part;         /* private: owns the rows */
    struct gws__rank_rows *shared;  /* private */
    struct gws_allocator allocator; /* private */
};

/* Returns the rank that owns a vertex. */
static inline uint32_t gws_rank_graph_owner(const struct gws_rank_graph *graph, uint64_t vertex)
{
    return (uint32_t)(vertex / 64) / (uint32_t)(graph->block / 64); /* a division of 32 bits is faster than one of 64 */
}

/* Makes the graph that gws_graph_generate() makes, arc by arc, from the same description. Each rank draws its part of
 * the edges and sends their arcs to the owners, 2^16 items of the generator at a time. The owner keeps the arcs packed,
 * at about the size of the rows or less, and frees them while it fills the rows in order.
 *
 * Memory of a rank with A arcs before the removal of duplicates and V vertices: at most 5 A + 8 V bytes at the peak,
 * 10 A + 8 V with weights, and 5 MB. Before the edges are drawn, every rank whose part is of mean size tests whether it
 * may have as much. Errors: those of gws_graph_generate(). where->message names the memory that the rank lacks. */
GWS_API gws_status gws_rank_graph_generate(struct gws_runtime *runtime, struct gws_transport *transport,
                                           const char *description, struct gws_rank_graph **graph,
                                           struct gws_diagnostic *where);

/* Builds the graph that gws_graph_build() builds of the edges of all ranks. Each rank passes its own edges, with the
 * same number of vertices and the same kind of weights, and the same options (NULL: as there). Memory: as
 * gws_rank_graph_generate(), and the edges until options->on_read. With options->on_block_read the caller may free each
 * block when its arcs have been sent. Errors: those of gws_graph_build(), also GWS_INVALID for ranks that differ. */
GWS_API gws_status gws_rank_graph_build(struct gws_runtime *runtime, struct gws_transport *transport,
                                        const struct gws_edges *edges, const struct gws_build_options *options,
                                        struct gws_rank_graph **graph, struct gws_diagnostic *where);

/* Parts a graph that rank 0 has, with its reverse if it has one. The other ranks pass NULL. Rank 0 may destroy the
 * graph then. Memory: 8 bytes for each own vertex, 4 for each own arc, 8 with weights, of both directions. Errors:
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_rank_graph_spread(struct gws_runtime *runtime, struct gws_transport *transport,
                                         const struct gws_graph *whole, struct gws_rank_graph **graph,
                                         struct gws_diagnostic *where);

/* Does what gws_graph_add_reverse() does: adds the reverse to a directed graph that has none, or finds that the graph
 * is its own reverse. Each rank sends its arcs to their targets' owners. Errors: GWS_NO_MEMORY, GWS_CANCELLED. Memory:
 * as gws_rank_graph_generate(). */
GWS_API gws_status gws_rank_graph_add_reverse(struct gws_runtime *runtime, struct gws_rank_graph *graph,
                                              struct gws_diagnostic *where);

/* Draws the weights that gws_graph_draw_weights() draws for the whole graph, and replaces those of the graph and of its
 * reverse. After an error some ranks may have the new weights. Errors: GWS_INVALID (a negative min, or max < min),
 * GWS_NO_MEMORY, GWS_CANCELLED. Memory: 4 bytes for each own arc, of both directions, beside the old weights. */
GWS_API gws_status gws_rank_graph_draw_weights(struct gws_runtime *runtime, struct gws_rank_graph *graph, int32_t min,
                                               int32_t max, uint64_t seed, struct gws_diagnostic *where);

/* Rows that each rank can read itself, such as those of a file: a graph, the same on all ranks, and functions that read
 * items of its arrays. They are called by the rank's own thread, for its own rows, and are not collective. A status
 * other than GWS_OK ends the call on all ranks. */
struct gws_rank_rows {
    uint64_t vertices, arcs; /* of the whole graph */
    bool directed;
    bool weights, reals; /* the arcs have weights that are integers, or real ones; not both */
    gws_status (*read_offsets)(void *context, uint64_t first, uint64_t count, uint64_t *offset);
    /* weight: int32_t or float, or NULL without weights. Targets must be below vertices, in ascending rows. */
    gws_status (*read_arcs)(void *context, uint64_t first, uint64_t count, uint32_t *target, void *weight);
    void *context;
};

/* Makes a graph of which each rank reads its own rows. The offsets must ascend; the call checks the first and the last
 * of each rank. Before the arcs are read, every rank tests whether it may have the memory: 8 bytes for each own vertex,
 * 4 for each own arc, 8 with weights. Errors: GWS_INVALID (the ranks describe different graphs), GWS_CORRUPT (wrong
 * offsets), GWS_NO_MEMORY, and those of the functions. */
GWS_API gws_status gws_rank_graph_from_rows(struct gws_runtime *runtime, struct gws_transport *transport,
                                            const struct gws_rank_rows *rows, struct gws_rank_graph **graph,
                                            struct gws_diagnostic *where);

/* Copies an array with an entry of item_bytes bytes (1 .. 4096) for each vertex of this rank, from every rank into
 * `all` on rank 0, in the order of the vertices. Other ranks may pass NULL as `all`. Errors: GWS_NO_MEMORY (8 bytes a
 * rank). */
GWS_API gws_status gws_rank_graph_gather(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                         const void *own, uint64_t item_bytes, void *all);

/* Frees this rank's part, and that of the reverse. Not collective. NULL is allowed. */
GWS_API void gws_rank_graph_destroy(struct gws_rank_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
