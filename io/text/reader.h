/* SPDX-License-Identifier: MIT */
/* The readers of the text formats, and what they have in common: header lines, counts sizes, building. */
#ifndef GWS_IO_READER_H
#define GWS_IO_READER_H

#include "../../lib/graph.h"
#include "../graph_io.h"
#include "../input/buffer.h"
#include "edges.h"

/* ---- lines that are edges: two ids and perhaps a weight, in five formats that differ in little ---- */

struct gws__syntax {
    char tag;            /* the letter before each edge, or 0 */
    const char *comment; /* letters that begin a line without an edge */
    bool comma;          /* ids may be apart by one, with or without blanks */
    bool weighted;       /* a third number follows */
    enum gws_weights weights;
    uint64_t base;     /* the smallest id */
    uint64_t vertices; /* ids are below base + vertices; 0 with free: any 64-bit number */
    bool free;
};

/* Reads all that is left of the input as such lines; blank ones are allowed. Ids come out less the base. Without free
 * there are at most 2^32 - 1 vertices, and no wide blocks. */
gws_status gws__lines_read(struct gws__input *input, const struct gws__syntax *syntax, struct gws__edges *edges);

/* Reads an id of base .. base + vertices - 1 at *p and moves *p behind it. */
gws_status gws__lines_id(const struct gws__chunk *chunk, const struct gws__syntax *syntax, const char **p,
                         const char *end, uint64_t *id);

/* Reads a weight as syntax->weights says. */
gws_status gws__lines_weight(const struct gws__chunk *chunk, enum gws_weights weights, const char **p, const char *end,
                             int32_t *weight);

/* Looks at the comment at p, which is passed over: GWS_SYNTAX where it has a flaw (see gws__text_line_flaw()). */
gws_status gws__lines_check_skipped(const struct gws__chunk *chunk, const char *p, const char *end);

/* The token at p as it can be quoted in a message: at most 24 bytes, printable; "the end of the line". */
struct gws__quoted {
    char text[32];
};
struct gws__quoted gws__lines_quote(const char *p, const char *end);

/* ---- readers ---- */

/* Reads a graph from an input that is at its start. options is never NULL. */
typedef gws_status gws__reader(struct gws__input *input, const struct gws_read_options *options,
                               struct gws_graph **graph);

gws__reader gws__dimacs_read, gws__dimacs_edge_read, gws__pace_read, gws__edge_list_read, gws__matrix_market_read,
    gws__metis_read;

/* A line's tokens: what stands between blanks. More than eight are counted, not kept. */
struct gws__tokens {
    struct gws__text_line line;
    unsigned count;
    struct {
        const char *at, *end;
    } token[8];
};

void gws__tokens_split(const struct gws__text_line *line, struct gws__tokens *tokens);

/* True if token i is there and is text, in upper or lower case. */
bool gws__tokens_is(const struct gws__tokens *tokens, unsigned i, const char *text);

/* Word i as a number without sign; what says what it should be. */
gws_status gws__tokens_number(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                              const char *what, uint64_t *number);

/* Word i and those behind it as such numbers, which end the line; what names them, and ends with NULL. */
gws_status gws__tokens_numbers(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                               const char *const *what, uint64_t *number);

/* The failure "expected WHAT, found WORD" at token i. */
gws_status gws__tokens_expected(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                                const char *what);

/* The next line that is not blank and does not begin with one of the comment letters; GWS_TRUNCATED (expected what) at
 * the end. */
gws_status gws__tokens_next(struct gws__input *input, const char *comment, const char *what,
                            struct gws__tokens *tokens);

/* The sizes that a file declares, and the line that does. */
struct gws__header_counts {
    uint64_t vertices, edges, line;
    bool approximate; /* the number of edges may be off by a factor of two */
};

/* Checks that there may be so many vertices at all. */
gws_status gws__header_counts_check(const struct gws__input *input, const struct gws__header_counts *counts);

/* When all is read: checks that the number of vertices is in proportion to the input. */
gws_status gws__header_counts_plausible(const struct gws__input *input, const struct gws__header_counts *counts);

/* How to build a graph of a file whose edges are directed or not, under the caller's options. */
struct gws_build_options gws__build_options(const struct gws_read_options *options, bool directed);

/* Reads the lines of a format whose header has been read, and builds; ids start at 1. Fills in what the syntax takes
 * from the options and the counts sizes. */
gws_status gws__declared_read(struct gws__input *input, const struct gws_read_options *options,
                              const struct gws__header_counts *counts, struct gws__syntax syntax, bool directed,
                              struct gws_graph **graph);

/* Positions of vertices: DIMACS .co files, "p aux sp co N" and "v ID X Y". */

/* Gives the graph the positions in a .co file, which must have one for each of its vertices. Errors as for
 * gws_graph_read(). */
gws_status gws__coordinates_read(struct gws_runtime *runtime, const char *path, struct gws_graph *graph,
                                 struct gws_where *where);
gws_status gws__coordinates_read_input(struct gws__input *input, struct gws_graph *graph);

/* gws_sources_read() from an open input. */

gws_status gws__sources_read_input(struct gws__input *input, const struct gws_graph *graph, uint32_t **source,
                                   uint64_t *count);

/* Reading a graph from an input that is open. */

/* gws_graph_read() from an input, which stays the caller's to close. options is not NULL; its positions are not read.
 */
gws_status gws__graph_read_input(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph);

/* The table of formats, and telling them apart. */

/* The format of a name's ending, before .gz; GWS_FORMAT_AUTO: none. */
enum gws_format gws__format_of_name(const char *name);

/* True if the name ends so, before .gz, in upper or lower case. */
bool gws__format_ending(const char *name, const char *ending);

/* Whether a graph that is said to be undirected is. */

/* Checks that every arc has its twin, with the same weight and as often. GWS_CORRUPT names the first arc that has not.
 * In parallel and at the speed of memory: the arcs of one direction must have the sum of hashes that those of the other
 * have, under a key that is drawn for this call. A graph with all twins always passes; one without passes with the
 * probability that a sum of random numbers of 64 bits, none of which the graph's author knew, is 0: about 2^-64. */
gws_status gws__symmetry_check(const struct gws__input *input, const struct gws_graph *graph);

/* The lines of a METIS file: one for each vertex, with its neighbours. */

struct gws__row_syntax {
    struct gws__header_counts counts;
    bool size_skipped;        /* a row that is not blank begins with the vertex's size ... */
    uint64_t weights_skipped; /* ... and so many weights of it */
    bool weighted;            /* each neighbour is followed by the edge's weight */
    enum gws_weights weights;
};

/* Reads all rows as arcs, and compares their number with the counts vertices. */
gws_status gws__rows_read(struct gws__input *input, const struct gws__row_syntax *syntax, struct gws__edges *edges);

#endif
