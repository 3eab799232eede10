/* SPDX-License-Identifier: MIT */
/* Writes arcs as lines of text, one line for each arc or for each row. */
#ifndef GWS_IO_WRITE_ARCS_H
#define GWS_IO_WRITE_ARCS_H

#include "../../lib/graph.h"
#include "../graph_io.h"
#include "../output/output.h"

/* The arcs of row u that a format lists. Half of the arcs list each edge of an undirected graph once. */
enum gws__arc_part {
    GWS__ARCS_ALL,
    GWS__ARCS_UPPER, /* arcs to targets u and above */
    GWS__ARCS_LOWER  /* arcs to targets u and below */
};

/* Counts the listed arcs. Errors: GWS_CANCELLED. */
gws_status gws__arc_lines_count(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws__arc_part part,
                                uint64_t *lines);

/* Sets *below to true if an arc has a weight below `weight`, and to false for a graph without weights. Errors:
 * GWS_CANCELLED. */
gws_status gws__arcs_weigh_below(struct gws_runtime *runtime, const struct gws_graph *graph, int32_t weight,
                                 bool *below);

/* Returns the last vertex whose items begin at or before item. The items of vertex v begin at offset[v] + extra * v. */
uint64_t gws__row_of(const struct gws_graph *graph, uint64_t item, uint64_t extra);

/* One writer for each text format. */

/* A writer's input. The caller has checked that the format can hold the graph. */
struct gws__writing {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws_output *output;
    const char *path; /* the suffix determines an edge list's separator */
};

gws_status gws__write_dimacs(const struct gws__writing *writing);
gws_status gws__write_dimacs_edge(const struct gws__writing *writing);
gws_status gws__write_pace(const struct gws__writing *writing);
gws_status gws__write_edge_list(const struct gws__writing *writing);
gws_status gws__write_matrix_market(const struct gws__writing *writing);
gws_status gws__write_metis(const struct gws__writing *writing);
gws_status gws__write_positions(const struct gws__writing *writing);

#endif
