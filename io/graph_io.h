/* SPDX-License-Identifier: MIT */
/* Functions that read and write graphs. Every reader takes plain or gzip input, from a path or ("-") from standard
 * input. A reader reports malformed input with the file, line, column and the expected content. */
#ifndef GWS_GRAPH_IO_H
#define GWS_GRAPH_IO_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_format {
    GWS_FORMAT_AUTO,        /* the format by content, then by the name's suffix */
    GWS_FORMAT_DIMACS,      /* 9th DIMACS shortest paths, .gr: "p sp N M", "a U V W"; directed, 1-based */
    GWS_FORMAT_DIMACS_EDGE, /* DIMACS colouring, .col: "p edge N M" or "p col N M", "e U V"; undirected, 1-based; M may
                               also be twice the number of lines or half of it, as in many such files */
    GWS_FORMAT_PACE,        /* PACE 2016, .gr: "p tw N M", "U V"; undirected, 1-based */
    GWS_FORMAT_EDGE_LIST, /* .el .wel .txt .csv .tsv: two ids and an optional weight per line; see gws_graph_read(). .e
                             and .v: the pair of files of LDBC Graphalytics, of which the caller may pass either name */
    GWS_FORMAT_MATRIX_MARKET, /* .mtx: coordinate; pattern, integer or real; general or symmetric; square, 1-based. The
                                 reader accepts a file without the banner, as general, only if the caller gives this
                                 format */
    GWS_FORMAT_METIS, /* .graph: undirected, 1-based; the reader skips sizes and weights of vertices. The graph is
                         directed if M counts the listed neighbours, as in files of gapbs. The caller must give this
                         format for a pipe */
    GWS_FORMAT_GWSG   /* .gwsg: the library's binary CSR, read without parsing */
};

/* Finds a format by its name ("auto", "dimacs", "dimacs-edge", "pace", "edge-list", "matrix-market", "metis", "gwsg").
 * Returns false if no format has the name. gws_format_name() returns a format's name and one sentence about the
 * format, or NULL past the end. */
GWS_API bool gws_format_named(const char *name, enum gws_format *format);
GWS_API const char *gws_format_name(enum gws_format format, const char **about);

enum gws_weights {
    GWS_WEIGHTS_KEEP,  /* keep weights: as 32-bit integers if all are 32-bit integers, otherwise rounded to the nearest
                          32-bit float (gws_graph.real_weight); nan, inf and numbers beyond a float are errors */
    GWS_WEIGHTS_ROUND, /* round weights to the nearest integer; a number beyond a 32-bit integer is an error */
    GWS_WEIGHTS_DROP   /* skip weights, which may be any numbers; saves 4 bytes per arc */
};

enum gws_direction_of_edges {
    GWS_EDGES_AS_FILE,   /* the format determines the direction. In an edge list the first comment with "Directed" or
                            "Undirected" does (no such comment: directed). The reader treats an undirected file as under
                            GWS_EDGES_UNDIRECTED */
    GWS_EDGES_DIRECTED,  /* one arc for each line */
    GWS_EDGES_UNDIRECTED /* two opposite arcs for each line, without parallel arcs */
};

struct gws_read_options {
    enum gws_format format;
    enum gws_weights weights;
    enum gws_direction_of_edges direction;
    bool remove_loops;
    bool remove_duplicates;
    bool names; /* edge lists: ids are names, even if the first ids are numbers. Other formats refuse this option */
    const char *positions; /* a DIMACS .co file with the coordinates, or NULL */
    bool trust;  /* .gwsg: check only the head, not the bytes, the rows and the symmetry. Other formats refuse this
                    option */
    bool mapped; /* .gwsg: map the file instead of reading it into memory. With trust, opening takes microseconds for
                    any size. The file must not change until the graph is destroyed. Later writes to the file change the
                    graph without any check, and reading the graph raises SIGBUS after the file was shortened. Pipes,
                    compressed files and other formats refuse this option */
};

/* Reads a graph. Text is UTF-8 or ASCII, with or without a byte-order mark. The reader refuses UTF-16.
 *
 * Tabs, semicolons, commas or blanks separate the columns of an edge list, and fields may be in double quotes (RFC
 * 4180). The first columns are the ends and the weight. The reader skips other columns and logs this. The first line
 * is a header in three cases. It names columns source, src or from, and target, dst or to, in any order, and the
 * weight is the column weight. Or its first field is empty, and that column is an index. Or it has text where the next
 * line has numbers. The last column may be a dictionary such as {'weight': 3}, as networkx writes it.
 *
 * If an end of the first edge is text, all ids are names (see struct gws_names): vertices have the order of their
 * names. Otherwise the vertices are the ids that appear (up to 64 bits, arbitrarily sparse), or the ids that a comment
 * declares: "# Ids: FIRST to LAST" before the edges. Edges may not have other ids then. If a file NAME.v exists, the
 * vertices of NAME.e are the ids in NAME.v, one per line, and ids are numbers. In the other formats the header declares
 * the vertices 1 .. N; N may not exceed max(2^24, 64 * bytes of text). The reader checks declared counts before it
 * allocates memory for them.
 *
 * Workers read a plain file in parallel, with the file's size at opening. A file that becomes shorter is
 * GWS_TRUNCATED. A file that grows in the middle of a line is GWS_SYSTEM. The reader checks that every arc of an
 * undirected .gwsg has its reverse arc, by sums of hashes under a key drawn for the call. The check overlooks a
 * missing reverse arc with a probability of about 2^-64.
 *
 * options may be NULL ({0}). where receives details of an error. Errors: GWS_SYSTEM (cannot open or read), GWS_SYNTAX,
 * GWS_TRUNCATED, GWS_CORRUPT, GWS_OUT_OF_RANGE, GWS_TOO_LARGE, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED, GWS_INVALID
 * (options.trust, mapped, names), GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_read(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                                  struct gws_graph **graph, struct gws_diagnostic *where);

/* Calls gws_graph_generate() if name belongs to a generator, otherwise gws_graph_read(). The tools' argument GRAPH has
 * this meaning. */
GWS_API gws_status gws_graph_load(struct gws_runtime *runtime, const char *name, const struct gws_read_options *options,
                                  struct gws_graph **graph, struct gws_diagnostic *where);

/* Writes a graph, whole or not at all (see output_io.h). "-" is standard output. GWS_FORMAT_AUTO chooses by the name's
 * suffix, before a final .gz. A final .gz compresses the file. The suffix .co writes only the positions. Errors:
 * GWS_SYSTEM, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED (the format cannot hold this graph: METIS, PACE and DIMACS edge
 * files only hold undirected graphs, METIS weights are integers from 1, .co needs positions), GWS_NO_MEMORY. Real
 * weights have as many digits as needed to read back the same float. Some programs cannot read real weights in DIMACS
 * files. */
GWS_API gws_status gws_graph_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                                   enum gws_format format, struct gws_diagnostic *where);

/* Reads a DIMACS .ss list of sources ("p aux sp ss N", "s ID") into a new array of vertices. The caller releases it
 * with gws_release(runtime, *source, *count, 4). */
GWS_API gws_status gws_sources_read(struct gws_runtime *runtime, const char *path, const struct gws_graph *graph,
                                    uint32_t **source, uint64_t *count, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
