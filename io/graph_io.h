/* SPDX-License-Identifier: MIT */
/* Graphs from and to files. Every reader takes plain or gzip input, from a path or ("-") from standard input, and
 * answers malformed input with file, line, column and what was expected. */
#ifndef GWS_GRAPH_IO_H
#define GWS_GRAPH_IO_H

#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gws_format {
    GWS_FORMAT_AUTO,          /* by content, then by the name's ending */
    GWS_FORMAT_DIMACS,        /* 9th DIMACS shortest paths, .gr: "p sp N M", "a U V W"; directed, 1-based */
    GWS_FORMAT_DIMACS_EDGE,   /* DIMACS colouring, .col: "p edge N M" or "p col N M", "e U V"; undirected, 1-based;
                               * M may be twice the lines or half of them, as it is in many of these files */
    GWS_FORMAT_PACE,          /* PACE 2016, .gr: "p tw N M", "U V"; undirected, 1-based */
    GWS_FORMAT_EDGE_LIST,     /* .el .wel .txt .csv .tsv: two ids and an optional weight a line; before them a line of
                               * column names (without a digit) in a .csv or .tsv, or where this format is asked for */
    GWS_FORMAT_MATRIX_MARKET, /* .mtx: coordinate; pattern, integer or real; general or symmetric; square, 1-based; a
                               * file without the banner is read (as general) only when this format is asked for */
    GWS_FORMAT_METIS,         /* .graph: undirected, 1-based; sizes and weights of vertices are read past; directed when
                               * M counts the neighbours listed, as gapbs writes it. On a pipe it must be asked for */
    GWS_FORMAT_GWSG           /* .gwsg: our binary CSR, read without parsing */
};

/* The format called name ("auto", "dimacs", "dimacs-edge", "pace", "edge-list", "matrix-market", "metis", "gwsg");
 * false if there is none. And back: name and one sentence, NULL past the end. */
GWS_API bool gws_format_named(const char *name, enum gws_format *format);
GWS_API const char *gws_format_name(enum gws_format format, const char **about);

enum gws_weights {
    GWS_WEIGHTS_KEEP,  /* keep them; a weight that is not a 32-bit integer is an error */
    GWS_WEIGHTS_ROUND, /* keep them, rounded to the nearest integer; out of range is still an error */
    GWS_WEIGHTS_DROP   /* read past them: any number will do; saves 4 bytes an arc */
};

enum gws_direction_of_edges {
    GWS_EDGES_AS_FILE,   /* as the format says, or the first comment of an edge list with "Directed" or "Undirected" in
                          * it; one that says nothing is directed. Undirected ones are read as by the last row */
    GWS_EDGES_DIRECTED,  /* one arc for each line */
    GWS_EDGES_UNDIRECTED /* an arc each way for each line, without parallel arcs */
};

struct gws_read_options {
    enum gws_format format;
    enum gws_weights weights;
    enum gws_direction_of_edges direction;
    bool remove_loops;
    bool remove_duplicates;
    const char *positions; /* a DIMACS .co file to take coordinates from, or NULL */
    bool trust;  /* .gwsg: check the head only, and not every byte, row and twin. Refused for files of other formats */
    bool mapped; /* .gwsg: map the file rather than reading it into memory: with trust it opens in microseconds whatever
                  * the size. The file must stay as it is until the graph is destroyed: what others write to it changes
                  * the graph behind all checks, and if one shortens it, whoever reads the graph gets SIGBUS. Refused
                  * for pipes, compressed files and other formats */
};

/* Reads a graph. Text is UTF-8 or ASCII, behind a byte-order mark or not; UTF-16 is refused. The vertices of an edge
 * list are the ids that appear in it (up to 64 bits, as sparse as they come), or those of a comment "# Ids: FIRST to
 * LAST" before the edges, and then no others may appear; those of the other formats are 1 .. N as declared, where N may
 * not exceed the larger of 2^24 and 64 a byte of text. What is declared is checked, and allocated only when it has
 * been. options may be NULL ({0}). Errors: GWS_SYSTEM (cannot open or read), GWS_SYNTAX, GWS_TRUNCATED, GWS_CORRUPT,
 * GWS_OUT_OF_RANGE, GWS_TOO_LARGE, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED, GWS_INVALID (options.trust, mapped),
 * GWS_NO_MEMORY; where says more. Plain files are read in parallel, as long as they were when they were opened: one
 * that is shortened meanwhile is GWS_TRUNCATED, one that grows in the middle of a line GWS_SYSTEM. A .gwsg that is not
 * directed is checked for the twin of every arc, by sums of hashes under a key that is drawn for the call: a missing
 * twin stays unseen with a probability of about 2^-64. */
GWS_API gws_status gws_graph_read(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                                  struct gws_graph **graph, struct gws_where *where);

/* gws_graph_generate() if name is a generator's, gws_graph_read() otherwise: what the tools take as GRAPH. */
GWS_API gws_status gws_graph_load(struct gws_runtime *runtime, const char *name, const struct gws_read_options *options,
                                  struct gws_graph **graph, struct gws_where *where);

/* Writes a graph, whole or not at all (output_io.h says how); "-" is standard output. GWS_FORMAT_AUTO takes the
 * name's ending, before a final .gz, which compresses text formats. An ending of .co writes the positions alone.
 * Errors: GWS_SYSTEM, GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED (the format cannot hold this graph: METIS and PACE and
 * DIMACS edge files hold undirected graphs only, .co needs positions), GWS_NO_MEMORY. */
GWS_API gws_status gws_graph_write(struct gws_runtime *runtime, const struct gws_graph *graph, const char *path,
                                   enum gws_format format, struct gws_where *where);

/* Reads a DIMACS .ss list of sources ("p aux sp ss N", "s ID") into a new array of vertices, which the caller gives
 * back with gws_release(runtime, *source, *count, 4). */
GWS_API gws_status gws_sources_read(struct gws_runtime *runtime, const char *path, const struct gws_graph *graph,
                                    uint32_t **source, uint64_t *count, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
