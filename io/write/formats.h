/* SPDX-License-Identifier: MIT */
/* One writer of text for each format. */
#ifndef GWS_IO_WRITE_FORMATS_H
#define GWS_IO_WRITE_FORMATS_H

#include "../graph_io.h"
#include "../output/output.h"

/* What a writer gets; it may take for granted that the format can hold the graph. */
struct gws__writing {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws_output *output;
    const char *path; /* its ending chooses an edge list's separator */
};

gws_status gws__write_dimacs(const struct gws__writing *writing);
gws_status gws__write_dimacs_edge(const struct gws__writing *writing);
gws_status gws__write_pace(const struct gws__writing *writing);
gws_status gws__write_edge_list(const struct gws__writing *writing);
gws_status gws__write_matrix_market(const struct gws__writing *writing);
gws_status gws__write_metis(const struct gws__writing *writing);
gws_status gws__write_positions(const struct gws__writing *writing);

#endif
