/* SPDX-License-Identifier: MIT */
/* Graphs that igraph makes or reads. A build without igraph knows them by name, and refuses them. */
#ifndef TOOLS_COMMON_BRIDGE_H
#define TOOLS_COMMON_BRIDGE_H

#include "../../graphws.h"

/* Row i of the formats and its sentence, which in a build without igraph says so; NULL past the end. */
const char *bridge_format_at(uint32_t i, const char **about);

/* True if name is a generator of igraph's. */
bool bridge_is_generator(const char *name);

/* True if igraph is to read or make the graph called name: of that format (NULL: none is said), by its ending, or as
 * one of its generators. */
bool bridge_takes(const char *name, const char *format);

/* gws_graph_load() of what bridge_takes(). GWS_UNSUPPORTED in a build without igraph. */
gws_status bridge_load(struct gws_runtime *runtime, const char *name, const char *format,
                       const struct gws_read_options *options, struct gws_graph **graph, struct gws_where *where);

#endif
