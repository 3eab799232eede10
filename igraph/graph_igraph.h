/* SPDX-License-Identifier: MIT */
/* The adapter to igraph: graphs from and to igraph_t, the formats that igraph reads, and its generators.
 *
 * It is a library of its own, libgraphws-igraph (`pkg-config --cflags --libs graphws-igraph`): igraph is under the GPL
 * (version 2 or later), and so is every program that links it; libgraphws itself is not touched by that. igraph 0.10
 * and 1.x.
 *
 * igraph takes memory with malloc, not from the runtime's allocator. Its table of attributes, its error handlers and
 * its random numbers are settings, which the calls below change and put back as they were: of a thread where
 * IGRAPH_THREAD_SAFE says so, of the process otherwise, and then only one thread at a time may use igraph. */
#ifndef GWS_GRAPH_IGRAPH_H
#define GWS_GRAPH_IGRAPH_H

#include <igraph.h>

#include "../io/graph_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- graphs ---- */

/* A new graph with igraph's vertices, in their order, and its edges, an undirected one as an arc each way. weights may
 * be NULL; otherwise it has one for each edge. options may be NULL ({0}); format, positions, trust and mapped in it
 * mean nothing here. Nothing of from is kept: igraph has edges with 64-bit ends in an order of their own, never rows of
 * 32-bit targets, so there is no CSR in it that could be shared.
 * Errors: GWS_TOO_LARGE (more than 2^32 - 1 vertices), GWS_OUT_OF_RANGE (a weight that is not a 32-bit integer, or not
 * as options ask for it), GWS_INVALID (not as many weights as edges), GWS_NO_MEMORY. 8 bytes an edge beside the graph,
 * 12 with weights. */
GWS_API gws_status gws_graph_from_igraph(struct gws_runtime *runtime, const igraph_t *from,
                                         const igraph_vector_t *weights, const struct gws_read_options *options,
                                         struct gws_graph **graph, struct gws_where *where);

/* Makes *to (not initialised before; igraph_destroy() is due after success) from the graph: vertex v is igraph's v, an
 * arc and its twin are one edge, edges are in the order of rows. weights may be NULL; otherwise it is initialised, and
 * made as long as there are edges: their weights, or 1 each where the graph has none. Ids and positions stay behind.
 * Errors: GWS_NO_MEMORY, GWS_TOO_LARGE (igraph was built for 32 bits). 16 bytes an edge beside the graph. */
GWS_API gws_status gws_graph_to_igraph(struct gws_runtime *runtime, const struct gws_graph *graph, igraph_t *to,
                                       igraph_vector_t *weights, struct gws_where *where);

/* ---- files ---- */

enum gws_igraph_format {
    GWS_IGRAPH_GRAPHML, /* .graphml, an XML format; the file's first graph. Needs an igraph with libxml2 */
    GWS_IGRAPH_GML,     /* .gml */
    GWS_IGRAPH_PAJEK,   /* .net .paj */
    GWS_IGRAPH_LGL,     /* .lgl: "# U", then lines "V [WEIGHT]"; undirected */
    GWS_IGRAPH_NCOL     /* .ncol: lines "U V [WEIGHT]" of names; undirected */
};

/* The format called name ("graphml", "gml", "pajek", "lgl", "ncol"), and the one that path's ending stands for, before
 * a final .gz; false if there is none. And back: row i's name and one sentence, NULL past the end. */
GWS_API bool gws_igraph_format_named(const char *name, enum gws_igraph_format *format);
GWS_API bool gws_igraph_format_of(const char *path, enum gws_igraph_format *format);
GWS_API const char *gws_igraph_format_name(uint32_t i, const char **about);

/* Reads a graph through igraph, from plain or gzip input, a path or ("-") standard input. Vertices are called what the
 * file calls them where all these names are numbers, and are sorted by them; otherwise they are counted from 0 (Pajek:
 * from 1) in the file's order, and the log says so. Weights are the edge attribute "weight", else "value". Vertex
 * attributes "x" and "y" become positions where all vertices have both as numbers. options may be NULL; format,
 * positions, trust and mapped in it mean nothing here. Text behind a byte-order mark of UTF-8 is read; a Pajek file may
 * declare the larger of 2^24 vertices and 64 a byte of text (in a pipe 2^24), as igraph takes memory for them at once.
 * Errors: GWS_SYSTEM (cannot open or read), GWS_SYNTAX (with igraph's words; the line where it says one),
 * GWS_TRUNCATED, GWS_TOO_LARGE, GWS_UNSUPPORTED (UTF-16, or this igraph was built without the format), and those of
 * gws_graph_from_igraph(). */
GWS_API gws_status gws_igraph_read(struct gws_runtime *runtime, const char *path, enum gws_igraph_format format,
                                   const struct gws_read_options *options, struct gws_graph **graph,
                                   struct gws_where *where);

/* ---- generators ---- */

/* True if name begins with "igraph:". */
GWS_API bool gws_igraph_is_generator(const char *name);

/* The table of generators: row i's form, such as "igraph:barabasi:N:M[:SEED]", and one sentence; NULL past the end. */
GWS_API const char *gws_igraph_generator_at(uint32_t i, const char **about);

/* Makes an undirected graph by one of igraph's generators, with random numbers of its own from SEED (1 if there is
 * none): the same description gives the same graph, with one version of igraph. Errors: GWS_SYNTAX, GWS_TOO_LARGE,
 * GWS_NO_MEMORY, GWS_INVALID (igraph refuses, and says why). */
GWS_API gws_status gws_igraph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                                       struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
