/* SPDX-License-Identifier: MIT */
/* What a graph is built from, seen as numbered edges that several workers read in pieces: the caller's edge blocks as
 * they lie, or the arcs of another graph, turned round or renamed on the way. */
#ifndef GWS_GRAPH_FEED_H
#define GWS_GRAPH_FEED_H

#include "../graph.h"

struct gws__feed {
    uint64_t vertices; /* of the graph to build */
    uint64_t count;    /* edges numbered 0 .. count - 1, before any are dropped */
    bool weighted;
    const struct gws_edges *edges; /* set, or else: */
    const struct gws_graph *graph;
    const uint32_t *new_of_old; /* with graph: new names, GWS_NO_VERTEX drops a vertex; NULL keeps all */
    bool turned;                /* with graph: each arc the other way */
};

enum { gws__feed_buffer = 1024 };

/* A place in a feed; private to one worker. */
struct gws__feed_cursor {
    const struct gws__feed *feed;
    uint64_t at, end;                       /* the edges still to come */
    uint64_t part;                          /* block or row of edge `at` */
    uint64_t part_begin;                    /* number of that block's first edge; unused for rows */
    struct gws_edge edge[gws__feed_buffer]; /* arcs of a graph, written out */
    int32_t weight[gws__feed_buffer];
};

/* Feeds of edges (GWS_INVALID, GWS_TOO_LARGE: see gws_graph_build()) and of all arcs of a graph. */
gws_status gws__feed_edges(const struct gws_edges *edges, struct gws__feed *feed);
struct gws__feed gws__feed_graph(const struct gws_graph *graph);

/* Goes to edges begin .. end - 1, and gives them block by block; false when there are no more. A block is valid until
 * the next call and may be empty. */
void gws__feed_open(struct gws__feed_cursor *cursor, const struct gws__feed *feed, uint64_t begin, uint64_t end);
bool gws__feed_next(struct gws__feed_cursor *cursor, struct gws_edge_block *block);

#endif
