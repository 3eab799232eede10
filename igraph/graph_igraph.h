/* SPDX-License-Identifier: MIT */
/* The igraph adapter: graphs from and to igraph_t, the formats that igraph reads, and its generators.
 *
 * It is a library of its own, libgraphws-igraph (`pkg-config --cflags --libs graphws-igraph`): igraph is under the GPL
 * (version 2 or later), and so is every program that links it; libgraphws itself is not affected. It supports igraph
 * 0.10 and 1.x.
 *
 * igraph allocates memory with malloc, not with the runtime's allocator. The functions below change igraph's attribute
 * table, error handlers and random number generator, and restore them. These settings belong to a thread if
 * IGRAPH_THREAD_SAFE is set, otherwise to the process; then only one thread at a time may use igraph. */
#ifndef GWS_GRAPH_IGRAPH_H
#define GWS_GRAPH_IGRAPH_H

#include <igraph.h>

#include "../io/graph_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs ---- */

/* Makes a graph with igraph's vertices, in their order, and its edges; an undirected edge becomes two opposite arcs.
 * weights may be NULL; otherwise it has one weight for each edge. options may be NULL ({0}); its format, positions,
 * trust and mapped are ignored. The graph shares no memory with from, because igraph stores edges with 64-bit endpoints
 * in an order of its own and has no rows of 32-bit targets. Cost: 8 bytes an edge beside the graph, 12 with weights.
 * Errors: GWS_TOO_LARGE (more than 2^32 - 1 vertices), GWS_OUT_OF_RANGE (a weight that is not a 32-bit integer, or not
 * allowed by options.weights), GWS_INVALID (the numbers of weights and edges differ), GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_from_igraph(struct gws_runtime *runtime, const igraph_t *from,
                                         const igraph_vector_t *weights, const struct gws_read_options *options,
                                         struct gws_graph **graph, struct gws_diagnostic *where);

/* Makes *to (uninitialised before; call igraph_destroy() after success) from the graph: vertex v is igraph's vertex v,
 * an arc and its reverse arc are one edge, edges are in the order of rows. weights may be NULL; otherwise it is
 * initialised, and resized to the number of edges: it receives their weights, or 1 each if the graph has none. Ids and
 * positions are not copied. Cost: 16 bytes an edge beside the graph. Errors: GWS_NO_MEMORY, GWS_TOO_LARGE (igraph was
 * built for 32 bits). */
GWS_API gws_status gws_graph_to_igraph(struct gws_runtime *runtime, const struct gws_graph *graph, igraph_t *to,
                                       igraph_vector_t *weights, struct gws_diagnostic *where);

/* ---- files ---- */

enum gws_igraph_format {
    GWS_IGRAPH_GRAPHML, /* .graphml, an XML format; reads the file's first graph. Needs an igraph with libxml2 */
    GWS_IGRAPH_GML,     /* .gml */
    GWS_IGRAPH_PAJEK,   /* .net .paj */
    GWS_IGRAPH_LGL,     /* .lgl: "# U", then lines "V [WEIGHT]"; undirected */
    GWS_IGRAPH_NCOL     /* .ncol: lines "U V [WEIGHT]" of names; undirected */
};

/* Finds a format by its name ("graphml", "gml", "pajek", "lgl", "ncol"), or by path's suffix, before a final .gz; false
 * if there is none. gws_igraph_format_name() returns row i's name and one sentence about it, NULL past the end. */
GWS_API bool gws_igraph_format_named(const char *name, enum gws_igraph_format *format);
GWS_API bool gws_igraph_format_of(const char *path, enum gws_igraph_format *format);
GWS_API const char *gws_igraph_format_name(uint32_t i, const char **about);

/* Reads a graph through igraph, from plain or gzip input, a path or ("-") standard input. If all names of vertices in
 * the file are numbers, they become ids, and the vertices are sorted by them. Otherwise ids count from 0 (Pajek: from
 * 1) in the file's order, and the log says so. Weights are the edge attribute "weight", else "value". Vertex attributes
 * "x" and "y" become positions if all vertices have both as numbers. Text may begin with a byte-order mark of UTF-8. A
 * Pajek file may declare at most the larger of 2^24 vertices and 64 a byte of text (in a pipe 2^24), because igraph
 * allocates memory for them at once. options may be NULL; its format, positions, trust and mapped are ignored. Errors:
 * GWS_SYSTEM (cannot open or read), GWS_SYNTAX (with igraph's message and, if it has one, the line), GWS_TRUNCATED,
 * GWS_TOO_LARGE, GWS_UNSUPPORTED (UTF-16, or this igraph was built without the format), and those of
 * gws_graph_from_igraph(). */
GWS_API gws_status gws_igraph_read(struct gws_runtime *runtime, const char *path, enum gws_igraph_format format,
                                   const struct gws_read_options *options, struct gws_graph **graph,
                                   struct gws_diagnostic *where);

/* ---- generators ---- */

/* True if name begins with "igraph:". */
GWS_API bool gws_igraph_is_generator(const char *name);

/* The table of generators: row i's form, such as "igraph:barabasi:N:M[:SEED]", and one sentence; NULL past the end. */
GWS_API const char *gws_igraph_generator_at(uint32_t i, const char **about);

/* Makes an undirected graph with one of igraph's generators and a random number generator seeded by SEED (default 1):
 * the same description gives the same graph in one version of igraph. Errors: GWS_SYNTAX, GWS_TOO_LARGE, GWS_NO_MEMORY,
 * GWS_INVALID (igraph refuses, with its message). */
GWS_API gws_status gws_igraph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                                       struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
