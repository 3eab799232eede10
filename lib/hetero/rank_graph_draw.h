/* SPDX-License-Identifier: MIT */
/* The state of gws_rank_graph_generate(), and a batch of edges: drawn in parallel, chunk by chunk into fixed places,
 * then sorted by owner. */
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
    struct gws_rank_graph *graph;
    struct gws__edge_stream stream;
    uint32_t ranks;
    bool serial;         /* the runtime has one worker */
    bool moves;          /* the second pass, which sends arcs; the first one sends only their rows, of 4 bytes */
    uint64_t item_bytes; /* of what is sent */
    uint64_t begin, end; /* the items of the batch */
    gws_status status;   /* of this rank; after a failure it draws and keeps nothing more */

    struct gws_edge *edge; /* gws__batch_items * gws__item_edges entries, as the next one */
    int32_t *weight;
    uint64_t *drawn; /* edges of each chunk: gws__batch_chunks entries */
    uint64_t *place; /* [chunk * ranks + owner]: arcs, then the place of the next arc */
    uint64_t *items; /* arcs for each owner */
    char *sent;      /* arcs by owner, 2 * gws__batch_items * gws__item_edges of item_bytes */

    /* Of this rank's part: */
    _Atomic uint64_t *offset; /* arcs of each row; then the place of its next arc */
    uint32_t *target;
    int32_t *weights; /* beside target, or NULL */
    const char *received;
    double draw_ms;
};

/* Draws items begin .. end - 1, and writes what is sent, and items[]. */
void gws__draw_batch(struct gws__drawing *drawing);

#endif
