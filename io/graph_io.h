/* SPDX-License-Identifier: MIT */
/* Reading and writing graphs. Every reader takes plain or gzip input, from a path or ("-") from standard input, and
 * reports malformed input with file, line, column and what it expected. */
#ifndef GWS_GRAPH_IO_H
#define GWS_GRAPH_IO_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_format {
    GWS_FORMAT_AUTO,        /* by content, then by the name's suffix */
    GWS_FORMAT_DIMACS,      /* 9th DIMACS shortest paths, .gr: "p sp N M", "a U V W"; directed, 1-based */
    GWS_FORMAT_DIMACS_EDGE, /* DIMACS colouring, .col: "p edge N M" or "p col N M", "e U V"; undirected, 1-based; M may
                               be twice the number of lines or half of it, as in many of these files */
    GWS_FORMAT_PACE,        /* PACE 2016, .gr: "p tw N M", "U V"; undirected, 1-based */
    GWS_FORMAT_EDGE_LIST,   /* .el .wel .txt .csv .tsv: two ids and an optional weight a line. A line of column names
                               (without a digit) may come first in a .csv or .tsv, or if the caller gives this format */
    GWS_FORMAT_MATRIX_MARKET, /* .mtx: coordinate; pattern, integer or real; general or symmetric; square, 1-based. A
                                 file without the banner is only read (as general) if the caller gives this format */
    GWS_FORMAT_METIS, /* .graph: undirected, 1-based; sizes and weights of vertices are skipped. Directed if M counts
                         the listed neighbours, as gapbs writes it. On a pipe the caller must give this format */
    GWS_FORMAT_GWSG   /* .gwsg: the library's binary CSR, read without parsing */
};

/* Finds a format by its name ("auto", "dimacs", "dimacs-edge", "pace", "edge-list", "matrix-market", "metis", "gwsg");
 * false if there is none. gws_format_name() returns a format's name and one sentence about it, NULL past the end. */
GWS_API bool gws_format_named(const char *name, enum gws_format *format);
GWS_API const char *gws_format_name(enum gws_format format, const char **about);

enum gws_weights {
    GWS_WEIGHTS_KEEP,  /* keep them; a weight that is not a 32-bit integer is an error */
    GWS_WEIGHTS_ROUND, /* keep them, rounded to the nearest integer; out of range is still an error */
    GWS_WEIGHTS_DROP   /* skip them: any number is accepted; saves 4 bytes an arc */
};

enum gws_direction_of_edges {
    GWS_EDGES_AS_FILE,   /* as the format says; for an edge list, as the first comment with "Directed" or "Undirected"
                            says (no such comment: directed). Undirected files are read as under GWS_EDGES_UNDIRECTED */
    GWS_EDGES_DIRECTED,  /* one arc for each line */
    GWS_EDGES_UNDIRECTED /* two opposite arcs for each line, without parallel arcs */
};

struct gws_read_options {
    enum gws_format format;
    enum gws_weights weights;
    enum gws_direction_of_edges direction;
    bool remove_loops;
    bool remove_duplicates;
    const char *positions; /* a DIMACS .co file with the coordinates, or NULL */
    bool trust;  /* .gwsg: check only the head, not the bytes, the rows and the symmetry. Refused for other formats */
    bool mapped; /* .gwsg: map the file instead of reading it into memory; together with trust it opens in microseconds,
                    whatever its size. The file must not change until the graph is destroyed: later writes to it change
                    the graph without any check, and reading the graph raises SIGBUS after the file was shortened.
                    Refused for pipes, compressed files and other formats */
};

/* Reads a graph. Text is UTF-8 or ASCII, with or without a byte-order mark; UTF-16 is refused.
 *
 * The vertices of an edge list are the ids that appear in it (up to 64 bits, arbitrarily sparse), or the ids of a
 * comment "# Ids: FIRST to LAST" before the edges; no others may appear then. In the other formats the vertices are 1
 * .. N as declared; N may not exceed the larger of 2^24 and 64 for each byte of text. Declared counts are checked, and
 * memory is allocated only afterwards.
 *
 * Plain files are read in parallel, with the size that they had when they were opened. A file that becomes shorter is
 * GWS_TRUNCATED, one that grows in the middle of a line GWS_SYSTEM. An undirected .gwsg is checked for the reverse of
 * every arc, by sums of hashes under a key drawn for the call: a missing reverse arc is overlooked with a probability
 * of about 2^-64.
 *
 * options may be NULL ({0}). where receives details of an error. Errors: GWS_SYSTEM (cannot open or read), GWS_SYNTAX,
 * GWS_TRUNCATED, GWS_CORRUPT, GWS_OUT_OF_RANGE, GWS_TOO_LARGE, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED, GWS_INVALID
 * (options.trust, mapped), GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_read(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                                  struct gws_graph **graph, struct gws_diagnostic *where);

/* Calls gws_graph_generate() if name belongs to a generator, otherwise gws_graph_read(). The tools' argument GRAPH has
 * this meaning. */
GWS_API gws_status gws_graph_load(struct gws_runtime *runtime, const char *name, const struct gws_read_options *options,
                                  struct gws_graph **graph, struct gws_diagnostic *where);

/* Writes a graph, whole or not at all (see output_io.h); "-" is standard output. GWS_FORMAT_AUTO chooses by the name's
 * suffix, before a final .gz, which compresses text formats. The suffix .co writes the positions alone. Errors:
 * GWS_SYSTEM, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED (the format cannot hold this graph: METIS, PACE and DIMACS edge files
 * only hold undirected graphs, .co needs positions), GWS_NO_MEMORY. */
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
