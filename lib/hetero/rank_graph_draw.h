/* SPDX-License-Identifier: MIT */
/* The state of a build by all ranks, and a batch of edges: drawn in parallel, chunk by chunk into fixed places, then
 * sorted by owner. */
#ifndef GWS_HETERO_RANK_GRAPH_DRAW_H
#define GWS_HETERO_RANK_GRAPH_DRAW_H

#include "../graph/arc_store.h"
#include "../graph/generate.h"
#include "rank_graph.h"

enum { gws__chunk_items = 1 << 9, gws__batch_items = 1 << 16, gws__batch_chunks = gws__batch_items / gws__chunk_items };

struct gws__drawing {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    struct gws_rank_graph *graph;
    struct gws__edge_stream stream;
    struct gws_build_options options;
    bool real;            /* the weights are keys of reals (lib/graph/build.h) */
    uint64_t first, last; /* this rank draws items first .. last - 1 of the stream */
    uint64_t steps;       /* batches of the rank with most items */
    uint64_t mean_items;  /* of a rank */
    const char *phase;    /* for progress */
    uint32_t ranks;
    uint64_t item_bytes; /* of an arc that is sent */
    uint64_t begin, end; /* the items of the batch */
    gws_status status;   /* of this rank; after a failure it draws and keeps nothing more */

    struct gws_edge *edge; /* gws__batch_items * gws__item_edges entries, as the next one */
    int32_t *weight;
    uint64_t *drawn; /* edges of each chunk: gws__batch_chunks entries */
    uint64_t *place; /* [chunk * ranks + owner]: arcs, then the place of the next arc */
    uint64_t *items; /* arcs for each owner */
    char *sent;      /* arcs by owner, 2 * gws__batch_items * gws__item_edges of item_bytes (struct gws__arc_item) */

    /* The caller's edges, if it wants to know which blocks have been read: */
    const struct gws_edges *edges;
    uint64_t blocks, block_items; /* blocks that have been read, and their edges */

    struct gws__arc_store store; /* the arcs of this rank's rows */
    double draw_ms;
};

/* Builds the graph of all ranks' drawings, with the fields from runtime to phase. Sets draw_ms. Collective; all ranks
 * return the same status and message. */
gws_status gws__drawing_build(struct gws__drawing *drawing, struct gws_rank_graph **graph,
                              struct gws_diagnostic *where);

/* Draws items begin .. end - 1, and writes what is sent, and items[]. */
void gws__draw_batch(struct gws__drawing *drawing);

static inline bool gws__edge_is_dropped(const struct gws__drawing *drawing, struct gws_edge edge)
{
    return drawing->options.remove_loops && edge.from == edge.to;
}

/* Returns whether the edge gives an arc back, too. */
static inline bool gws__edge_has_back(const struct gws__drawing *drawing, struct gws_edge edge)
{
    return drawing->options.kind == GWS_BUILD_SYMMETRISE && edge.from != edge.to;
}

#endif
