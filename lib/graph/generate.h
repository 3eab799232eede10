/* SPDX-License-Identifier: MIT */
/* The generators, once their descriptions are read. Each draws by number (lib/random.h), so the same arguments make the
 * same graph on any number of threads. GWS_TOO_LARGE, GWS_NO_MEMORY. */
#ifndef GWS_GRAPH_GENERATE_H
#define GWS_GRAPH_GENERATE_H

#include "../graph.h"
#include "../parallel.h"

/* scale is at most 31. */
gws_status gws__generate_kron(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, uint64_t seed,
                              struct gws_graph **graph);
gws_status gws__generate_uniform(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, uint64_t seed,
                                 struct gws_graph **graph);

/* width and height are at least 1. */
gws_status gws__generate_grid(struct gws_runtime *runtime, uint64_t width, uint64_t height, struct gws_graph **graph);

/* 1 <= vertices <= 2^32 - 1. */
gws_status gws__generate_road(struct gws_runtime *runtime, uint64_t vertices, uint64_t seed, struct gws_graph **graph);

/* What kron and uniform share: makes `count` edges with draw (a loop body whose context is a struct
 * gws__edge_maker or starts with one), then the undirected graph of them without loops and duplicates. */
struct gws__edge_maker {
    struct gws_edge *edge;
    uint64_t seed;
    uint32_t scale;
};

gws_status gws__generate_edges(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, gws_body *draw,
                               struct gws__edge_maker *maker, struct gws_graph **graph);

#endif
