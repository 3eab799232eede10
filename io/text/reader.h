/* SPDX-License-Identifier: MIT */
/* The readers of the text formats, and what they have in common: header lines, declared sizes, building. */
#ifndef GWS_IO_READER_H
#define GWS_IO_READER_H

#include "../graph_io.h"
#include "lines.h"

/* Reads a graph from an input that is at its start. options is never NULL. */
typedef gws_status gws__reader(struct gws__input *input, const struct gws_read_options *options,
                               struct gws_graph **graph, struct gws_where *where);

gws__reader gws__dimacs_read, gws__dimacs_edge_read, gws__pace_read, gws__edge_list_read, gws__matrix_market_read,
    gws__metis_read;

/* A line's words: what stands between blanks. More than eight are counted, not kept. */
struct gws__words {
    struct gws__line line;
    unsigned count;
    struct {
        const char *at, *end;
    } word[8];
};

void gws__words_split(const struct gws__line *line, struct gws__words *words);

/* True if word i is there and is text, in upper or lower case. */
bool gws__words_is(const struct gws__words *words, unsigned i, const char *text);

/* Word i as a number without sign; what says what it should be. */
gws_status gws__words_number(const struct gws__input *input, const struct gws__words *words, unsigned i,
                             const char *what, uint64_t *number, struct gws_where *where);

/* The failure "expected WHAT, found WORD" at word i. */
gws_status gws__words_expected(const struct gws__input *input, const struct gws__words *words, unsigned i,
                               const char *what, struct gws_where *where);

/* The next line that is not blank and does not begin with one of the comment letters; GWS_TRUNCATED (expected what) at
 * the end. */
gws_status gws__words_next(struct gws__input *input, const char *comment, const char *what, struct gws__words *words,
                           struct gws_where *where);

/* The sizes that a file declares, and the line that does. */
struct gws__declared {
    uint64_t vertices, edges, line;
    bool loosely; /* the number of edges may be off by a factor of two */
};

/* Checks that there may be so many vertices at all. */
gws_status gws__declared_check(const struct gws__input *input, const struct gws__declared *declared,
                               struct gws_where *where);

/* When all is read: checks that the number of vertices is in proportion to the input. */
gws_status gws__declared_likely(const struct gws__input *input, const struct gws__declared *declared,
                                struct gws_where *where);

/* The same, and checks the number of edges. */
gws_status gws__declared_compare(const struct gws__input *input, const struct gws__declared *declared, uint64_t edges,
                                 struct gws_where *where);

/* Reads "p KIND N M" of a DIMACS or PACE file; kinds is a list of names ended by NULL, of which the first is shown. */
gws_status gws__problem_read(struct gws__input *input, const char *const *kinds, struct gws__declared *declared,
                             struct gws_where *where);

/* How to build a graph of a file whose edges are directed or not, under the caller's options. */
struct gws_build_options gws__build_options(const struct gws_read_options *options, bool directed);

/* Reads the lines of a format whose header has been read, and builds; ids start at 1. */
gws_status gws__declared_read(struct gws__input *input, const struct gws__declared *declared,
                              const struct gws__syntax *syntax, const struct gws_build_options *build,
                              struct gws_graph **graph, struct gws_where *where);

#endif
