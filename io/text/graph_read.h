/* SPDX-License-Identifier: MIT */
/* Reading a graph from an input that is open. */
#ifndef GWS_IO_GRAPH_READ_H
#define GWS_IO_GRAPH_READ_H

#include "../graph_io.h"
#include "../input/input.h"

/* gws_graph_read() from an input, which stays the caller's to close. options is not NULL; its positions are not read.
 */
gws_status gws__graph_read_input(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph, struct gws_where *where);

#endif
