/* SPDX-License-Identifier: MIT */
/* The igraph adapter: graphs from and to igraph_t, the formats that igraph reads, and its generators.
 *
 * The adapter is a separate library, libgraphws-igraph (`pkg-config --cflags --libs graphws-igraph`), because igraph
 * is under the GPL (version 2 or later). The GPL also applies to every program that links igraph. The GPL does not
 * affect libgraphws. The adapter supports igraph 0.10 and 1.x.
 *
 * igraph allocates memory with malloc, not with the runtime's allocator. The functions below change igraph's attribute
 * table, error handlers and random number generator, and restore these settings. If IGRAPH_THREAD_SAFE is set, each
 * thread has its own settings. Otherwise all threads share one set of settings, and only one thread at a time may use
 * igraph. */
#ifndef GWS_GRAPH_IGRAPH_H
#define GWS_GRAPH_IGRAPH_H

#include <igraph.h>

#include "../io/graph_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs ---- */

/* Makes a graph with igraph's vertices, in their order, and igraph's edges. An undirected edge becomes two opposite
 * arcs. weights may be NULL. Otherwise weights has one weight for each edge. options may be NULL ({0}). The call
 * ignores the options format, positions, trust and mapped. The graph shares no memory with from, because igraph stores
 * 64-bit endpoints in its own order, not rows of 32-bit targets. The call needs 8 bytes per edge beside the graph, 12
 * with weights. Errors: GWS_TOO_LARGE (more than 2^32 - 1 vertices), GWS_OUT_OF_RANGE (a weight that is NaN, or beyond
 * a float or, under GWS_WEIGHTS_ROUND, a 32-bit integer), GWS_INVALID (the numbers of weights and edges differ),
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_from_igraph(struct gws_runtime *runtime, const igraph_t *from,
                                         const igraph_vector_t *weights, const struct gws_read_options *options,
                                         struct gws_graph **graph, struct gws_diagnostic *where);

/* Makes *to (uninitialised before; call igraph_destroy() after success) from the graph. Vertex v is igraph's vertex v.
 * An arc and its reverse arc become one edge. Edges are in the order of rows. weights may be NULL or an initialised
 * vector. The call resizes weights to the number of edges and writes the edges' weights, or 1 for each edge if the
 * graph has no weights. The call does not copy ids and positions, and needs 16 bytes per edge beside the graph.
 * Errors: GWS_NO_MEMORY, GWS_TOO_LARGE (igraph was built for 32 bits). */
GWS_API gws_status gws_graph_to_igraph(struct gws_runtime *runtime, const struct gws_graph *graph, igraph_t *to,
                                       igraph_vector_t *weights, struct gws_diagnostic *where);

/* ---- files ---- */

enum gws_igraph_format {
    GWS_IGRAPH_GRAPHML, /* .graphml, an XML format, of which igraph reads only the first graph; igraph must have libxml2
                         */
    GWS_IGRAPH_GML,     /* .gml */
    GWS_IGRAPH_PAJEK,   /* .net .paj */
    GWS_IGRAPH_LGL,     /* .lgl: "# U", then lines "V [WEIGHT]"; undirected */
    GWS_IGRAPH_NCOL     /* .ncol: lines "U V [WEIGHT]" of names; undirected */
};

/* Finds a format by its name ("graphml", "gml", "pajek", "lgl", "ncol"), or by path's suffix, before a final .gz.
 * Returns false if no format matches. gws_igraph_format_name() returns the name of format i and one sentence about the
 * format, or NULL past the end. */
GWS_API bool gws_igraph_format_named(const char *name, enum gws_igraph_format *format);
GWS_API bool gws_igraph_format_of(const char *path, enum gws_igraph_format *format);
GWS_API const char *gws_igraph_format_name(uint32_t i, const char **about);

/* Reads a graph through igraph, from plain or gzip input, a path or ("-") standard input. If all names of vertices in
 * the file are different numbers, the numbers become ids, and the vertices are in ascending order of ids. If the names
 * are different texts, the graph has these names, and the vertices are in the file's order. Otherwise ids count from 0
 * (Pajek: from 1), and the log says so. Weights come from the edge attribute "weight", else from "value". Vertex
 * attributes "x" and "y" become positions if all vertices have both as numbers. Text may begin with a byte-order mark
 * of UTF-8. A Pajek file may declare at most max(2^24, 64 * bytes of text) vertices (2^24 in a pipe), because igraph
 * allocates memory for all declared vertices at once. options may be NULL. The call ignores the options format,
 * positions, trust and mapped. Errors: GWS_SYSTEM (cannot open or read), GWS_SYNTAX (with igraph's message and, if it
 * has one, the line), GWS_TRUNCATED, GWS_TOO_LARGE, GWS_UNSUPPORTED (UTF-16, or this igraph was built without the
 * format), and those of gws_graph_from_igraph(). */
GWS_API gws_status gws_igraph_read(struct gws_runtime *runtime, const char *path, enum gws_igraph_format format,
                                   const struct gws_read_options *options, struct gws_graph **graph,
                                   struct gws_diagnostic *where);

/* ---- generators ---- */

/* Returns true if name begins with "igraph:". */
GWS_API bool gws_igraph_is_generator(const char *name);

/* Returns the form of generator i, such as "igraph:barabasi:N:M[:SEED]", or NULL past the end. Sets *about to one
 * sentence about the generator. */
GWS_API const char *gws_igraph_generator_at(uint32_t i, const char **about);

/* Makes an undirected graph with one of igraph's generators. SEED (default 1) seeds the random number generator, so one
 * description always gives the same graph in one version of igraph. Errors: GWS_SYNTAX, GWS_TOO_LARGE, GWS_NO_MEMORY,
 * GWS_INVALID (igraph refuses the numbers; where has its message). */
GWS_API gws_status gws_igraph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                                       struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
