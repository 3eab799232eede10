/* SPDX-License-Identifier: MIT */
/* Reading a graph from bytes at hand, for tests. */
#ifndef GWS_IO_GRAPH_READ_H
#define GWS_IO_GRAPH_READ_H

#include "../graph_io.h"

/* gws_graph_read() from size bytes, which may be gzip; name is for messages and its ending. Positions are not read. */
gws_status gws__graph_read_memory(struct gws_runtime *runtime, const void *bytes, uint64_t size, const char *name,
                                  const struct gws_read_options *options, struct gws_graph **graph,
                                  struct gws_where *where);

#endif
