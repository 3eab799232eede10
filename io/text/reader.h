/* SPDX-License-Identifier: MIT */
/* The readers of the text formats and their common parts: header lines, declared counts, building. */
#ifndef GWS_IO_READER_H
#define GWS_IO_READER_H

#include "../../lib/graph.h"
#include "../graph_io.h"
#include "../input/input.h"
#include "edges.h"

/* ---- lines with edges (two ids and an optional weight) in five similar formats ---- */

struct gws__syntax {
    char tag;            /* the letter before each edge, or 0 */
    const char *comment; /* letters that begin a line without an edge */
    bool comma;          /* a comma may separate ids, with or without blanks */
    bool weighted;       /* each edge has a third number, its weight */
    enum gws_weights weights;
    uint64_t base;     /* the smallest id */
    uint64_t vertices; /* ids are below base + vertices; 0 with free: any 64-bit number */
    bool free;
};

/* Reads the rest of the input as lines with edges. Lines may be blank. The function subtracts the base from the ids.
 * Without free the result has at most 2^32 - 1 vertices, and no wide blocks. */
gws_status gws__lines_read(struct gws__input *input, const struct gws__syntax *syntax, struct gws__edges *edges);

/* Reads an id of base .. base + vertices - 1 at *p and moves *p past it. */
gws_status gws__lines_id(const struct gws__chunk *chunk, const struct gws__syntax *syntax, const char **p,
                         const char *end, uint64_t *id);

/* Reads a weight under the given rule. */
gws_status gws__lines_weight(const struct gws__chunk *chunk, enum gws_weights weights, const char **p, const char *end,
                             struct gws__weight *weight);

/* Checks skipped text such as the comment at p. Returns GWS_SYNTAX if the text has a flaw (see
 * gws__text_line_flaw()). */
gws_status gws__lines_check_skipped(const struct gws__chunk *chunk, const char *p, const char *end);

/* Quotes the token at p for a message, as at most 24 printable bytes or "the end of the line". */
struct gws__quoted {
    char text[32];
};
struct gws__quoted gws__lines_quote(const char *p, const char *end);

/* ---- readers ---- */

/* Reads a graph from an input at its start. options is never NULL. */
typedef gws_status gws__reader(struct gws__input *input, const struct gws_read_options *options,
                               struct gws_graph **graph);

gws__reader gws__dimacs_read, gws__dimacs_edge_read, gws__pace_read, gws__edge_list_read, gws__matrix_market_read,
    gws__metis_read;

/* A line's tokens, separated by blanks. count may exceed eight, but the struct stores only the first eight tokens. */
struct gws__tokens {
    struct gws__text_line line;
    unsigned count;
    struct {
        const char *at, *end;
    } token[8];
};

void gws__tokens_split(const struct gws__text_line *line, struct gws__tokens *tokens);

/* Returns true if token i exists and equals text, ignoring case. */
bool gws__tokens_is(const struct gws__tokens *tokens, unsigned i, const char *text);

/* Reads token i as a number without sign. `what` is the meaning of the number, for messages. */
gws_status gws__tokens_number(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                              const char *what, uint64_t *number);

/* Reads token i and all later tokens of the line as numbers without sign. `what` has their meanings and ends with
 * NULL. */
gws_status gws__tokens_numbers(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                               const char *const *what, uint64_t *number);

/* Reports "expected WHAT, found TOKEN" at token i. */
gws_status gws__tokens_expected(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                                const char *what);

/* Reads the next line that is not blank and does not begin with one of the comment letters. Returns GWS_TRUNCATED at
 * the end, with a message that `what` was expected. */
gws_status gws__tokens_next(struct gws__input *input, const char *comment, const char *what,
                            struct gws__tokens *tokens);

/* The counts that a file's header declares, and the number of the header's line. */
struct gws__header_counts {
    uint64_t vertices, edges, line;
    bool approximate; /* the number of edges may be off by a factor of two */
};

/* Checks that the number of vertices is possible. */
gws_status gws__header_counts_check(const struct gws__input *input, const struct gws__header_counts *counts);

/* Checks, after reading, that the number of vertices is plausible for the input's size. */
gws_status gws__header_counts_plausible(const struct gws__input *input, const struct gws__header_counts *counts);

/* Returns the build options for a file with directed or undirected edges, under the caller's options. */
struct gws_build_options gws__build_options(const struct gws_read_options *options, bool directed);

/* ---- positions of vertices: DIMACS .co files, "p aux sp co N" and "v ID X Y" ---- */

/* Adds the positions in a .co file to the graph. The file must have a position for each vertex. Errors: those of
 * gws_graph_read(). */
gws_status gws__coordinates_read(struct gws_runtime *runtime, const char *path, struct gws_graph *graph,
                                 struct gws_diagnostic *where);
gws_status gws__coordinates_read_input(struct gws__input *input, struct gws_graph *graph);

/* Does the work of gws_sources_read() with an open input. */

gws_status gws__sources_read_input(struct gws__input *input, const struct gws_graph *graph, uint32_t **source,
                                   uint64_t *count);

/* ---- reading a graph from an open input ---- */

/* Does the work of gws_graph_read() with an open input, which the caller closes. options is not NULL. The function
 * ignores options->positions. */
gws_status gws__graph_read_input(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph);

/* Does the work of gws_graph_read(), on several ranks if ranks is not NULL (io/ranks/ranks.h). Then *graph has no arcs,
 * and stays NULL on a rank without the .gwsg that it should have read. */
gws_status gws__graph_read_path(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                                struct gws__read_ranks *ranks, struct gws_graph **graph, struct gws_diagnostic *where);

/* ---- format detection ---- */

/* Returns the format of a name's suffix, before .gz, or GWS_FORMAT_AUTO if no format has the suffix. */
enum gws_format gws__format_of_name(const char *name);

/* Returns true if the name has the suffix, before .gz, ignoring case. */
bool gws__format_has_suffix(const char *name, const char *suffix);

/* ---- symmetry of undirected graphs ---- */

/* Checks that every arc has its reverse arc, with the same weight and multiplicity: of the graph, or of the input's
 * ranks' graph. The message of GWS_CORRUPT names the first arc without a reverse arc, but not with ranks. The check
 * runs in parallel at memory speed. The arcs in both directions must have the same sum of hashes, under a key drawn for
 * this call. A symmetric graph always passes. An asymmetric graph passes with a probability of about 2^-64, the
 * probability that a sum of random 64-bit numbers, unknown to the author of the graph, is 0. */
gws_status gws__symmetry_check(const struct gws__input *input, const struct gws_graph *graph);

/* ---- the lines of a METIS file, one for each vertex, with its neighbours ---- */

struct gws__row_syntax {
    struct gws__header_counts counts;
    bool size_skipped;        /* each row that is not blank begins with the vertex's size */
    uint64_t weights_skipped; /* number of the vertex's weights, which follow the size */
    bool weighted;            /* an edge's weight follows each neighbour */
    enum gws_weights weights;
};

/* Reads all rows as arcs, and compares the number of rows with the declared vertices. */
gws_status gws__rows_read(struct gws__input *input, const struct gws__row_syntax *syntax, struct gws__edges *edges);

#endif
