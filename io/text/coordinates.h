/* SPDX-License-Identifier: MIT */
/* Positions of vertices: DIMACS .co files, "p aux sp co N" and "v ID X Y". */
#ifndef GWS_IO_COORDINATES_H
#define GWS_IO_COORDINATES_H

#include "../../lib/graph.h"
#include "../input/input.h"

/* Gives the graph the positions in a .co file, which must have one for each of its vertices. Errors as for
 * gws_graph_read(). */
gws_status gws__coordinates_read(struct gws_runtime *runtime, const char *path, struct gws_graph *graph,
                                 struct gws_where *where);
gws_status gws__coordinates_read_input(struct gws__input *input, struct gws_graph *graph, struct gws_where *where);

#endif
