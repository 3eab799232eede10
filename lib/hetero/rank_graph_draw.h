/* SPDX-License-Identifier: MIT */
/* The state of a build by all ranks, and a batch of edges: drawn in parallel, chunk by chunk into fixed places, then
 * sorted by owner. */
#ifndef GWS_HETERO_RANK_GRAPH_DRAW_H
#define GWS_HETERO_RANK_GRAPH_DRAW_H

#include <stdatomic.h>

#include "../graph/generate.h"
#include "rank_graph.h"

enum { gws__chunk_items = 1 << 9, gws__batch_items = 1 << 16, gws__batch_chunks = gws__batch_items / gws__chunk_items };

struct gws__sent_arc {
    struct gws_edge edge;
    int32_t weight; /* not sent without weights */
};

struct gws__drawing {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    struct gws_rank_graph *graph;
    struct gws__edge_stream stream;
    struct gws_build_options options;
    bool real;            /* the weights are keys of reals (lib/graph/build.h) */
    uint64_t first, last; /* this rank draws items first .. last - 1 of the stream */
    uint64_t steps;       /* batches of the rank with most items, in this pass */
    uint32_t passes;      /* passes so far */
    uint64_t mean_items;  /* of a rank */
    const char *phase;    /* for progress */
    uint32_t ranks;
    bool serial;         /* the runtime has one worker */
    bool moves;          /* not the first pass, which sends only the arcs' rows, of 4 bytes */
    uint64_t item_bytes; /* of what is sent */
    uint64_t begin, end; /* the items of the batch */
    gws_status status;   /* of this rank; after a failure it draws and keeps nothing more */

    struct gws_edge *edge; /* gws__batch_items * gws__item_edges entries, as the next one */
    int32_t *weight;
    uint64_t *drawn; /* edges of each chunk: gws__batch_chunks entries */
    uint64_t *place; /* [chunk * ranks + owner]: arcs, then the place of the next arc */
    uint64_t *items; /* arcs for each owner */
    char *sent;      /* arcs by owner, 2 * gws__batch_items * gws__item_edges of item_bytes */

    struct gws__droppable *droppable; /* edges that the build drops (rank_graph_drop.c), or NULL */

    /* Of this rank's part: */
    _Atomic uint64_t *offset; /* arcs of each row; then the place of its next arc */
    uint32_t *target;
    int32_t *weights; /* beside target, or NULL */
    const char *received;
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

/* ---- edges that the build drops (rank_graph_drop.c) ---- */

struct gws__droppable {
    const struct gws__edge_source *given; /* by the caller */
    struct gws__edge_source source;       /* the edges that are left: */
    struct gws_edges edges;
    struct gws_edge_block *block; /* of edges */
    double filled;                /* the share of the arcs whose rows the passes fill, with this one */
    double dropped;               /* the smallest share of its edges that a rank has dropped */
    uint64_t row;                 /* the first row of this rank that the passes do not fill */
    uint64_t *high;               /* this row of all ranks */
    uint8_t *pass_of;             /* [vertex / 64]: the pass that fills these rows; 0: none so far */
    uint8_t pass;                 /* 0: the first one, which counts all arcs */
};

/* Makes the drawing's stream one of edges that the build drops. Errors: GWS_NO_MEMORY. The caller closes it in any
 * case.
 */
gws_status gws__droppable_open(struct gws__drawing *drawing, struct gws__droppable *droppable,
                               const struct gws__edge_source *source);
void gws__droppable_close(const struct gws__drawing *drawing, const struct gws__droppable *droppable);

/* Chooses the rows of the next pass that moves arcs. Returns false if all rows are filled. Collective. */
bool gws__droppable_next(struct gws__drawing *drawing);

/* Drops the edges whose arcs the passes have moved. Collective. */
void gws__droppable_drop(struct gws__drawing *drawing);

/* Returns whether this pass sends the arcs of a vertex. */
static inline bool gws__droppable_sends(const struct gws__droppable *droppable, uint32_t vertex)
{
    return droppable->pass_of[vertex / 64] == droppable->pass;
}

#endif
