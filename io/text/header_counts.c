/* SPDX-License-Identifier: MIT */
/* Reads formats that declare their counts. The readers compare the counts with the content before they allocate memory
 * for them. */
#include <inttypes.h>

#include "reader.h"

/* Vertices without edges need not appear in a file, so no reader can verify the number of vertices. The offsets of a
 * false number of vertices could fill the memory. No real file declares more than 16 million vertices and also more
 * than 64 vertices for each byte. */
enum { unchecked_vertices = 1 << 24, vertices_per_byte = 64 };

gws_status gws__header_counts_check(const struct gws__input *input, const struct gws__header_counts *counts)
{
    if (counts->vertices < GWS_NO_VERTEX) return GWS_OK;
    return gws__input_fail(input, GWS_TOO_LARGE, counts->line, 0,
                           "%" PRIu64 " vertices declared, at most 4294967294 are possible", counts->vertices);
}

static bool edges_agree(const struct gws__header_counts *counts, uint64_t edges)
{
    if (edges == counts->edges) return true;
    if (!counts->approximate) return false;
    return (counts->edges % 2 == 0 && edges == counts->edges / 2) || (edges % 2 == 0 && edges / 2 == counts->edges);
}

gws_status gws__header_counts_plausible(const struct gws__input *input, const struct gws__header_counts *counts)
{
    if (counts->vertices <= unchecked_vertices || counts->vertices / vertices_per_byte <= input->offset) return GWS_OK;
    return gws__input_fail(input, GWS_TOO_LARGE, counts->line, 0,
                           "%" PRIu64 " vertices declared in only %" PRIu64 " bytes", counts->vertices, input->offset);
}

/* Checks the number of edges, and then the number of vertices. */
static gws_status compare(const struct gws__input *input, const struct gws__header_counts *counts, uint64_t edges)
{
    if (edges_agree(counts, edges)) return gws__header_counts_plausible(input, counts);
    return gws__input_fail(input, edges < counts->edges ? GWS_TRUNCATED : GWS_SYNTAX, counts->line, 0,
                           "%" PRIu64 " edges declared, %" PRIu64 " found", counts->edges, edges);
}

struct gws_build_options gws__build_options(const struct gws_read_options *options, bool directed)
{
    if (options->direction != GWS_EDGES_AS_FILE) directed = options->direction == GWS_EDGES_DIRECTED;
    return (struct gws_build_options){.kind = directed ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE,
                                      .remove_loops = options->remove_loops,
                                      .remove_duplicates = options->remove_duplicates || !directed};
}

/* Reads the lines of a format after its header and builds the graph. Ids start at 1. Completes the syntax from the
 * options and the declared counts. */
static gws_status read_lines(struct gws__input *input, const struct gws_read_options *options,
                             const struct gws__header_counts *counts, struct gws__syntax syntax, bool directed,
                             struct gws_graph **graph)
{
    struct gws__edges edges = {0};
    struct gws_build_options build = gws__build_options(options, directed);
    syntax.weights = options->weights;
    syntax.base = 1;
    syntax.vertices = counts->vertices;
    uint64_t total[2];
    gws_status status = gws__edges_open(&edges, input, syntax.weighted && syntax.weights != GWS_WEIGHTS_DROP);
    if (status == GWS_OK) status = gws__lines_read(input, &syntax, &edges);
    if (status == GWS_OK) status = gws__edges_total(&edges, total);
    if (status == GWS_OK) status = compare(input, counts, total[0]);
    if (status == GWS_OK) status = gws__edges_build(&edges, counts->vertices, &build, graph);
    gws__edges_close(&edges);
    if (status == GWS_OK) gws_graph_set_first_id(*graph, 1);
    return status;
}

/* The formats with a "p" line: 9th DIMACS challenge (shortest paths, "a U V W"; format page of the challenge, 2006),
 * DIMACS colouring ("e U V"; 2nd challenge, 1993) and PACE 2016 ("U V"). Comments begin with c. */

/* Reads "p KIND N M". kinds is a list of names that ends with NULL. Messages show the first name. */
static gws_status read_problem(struct gws__input *input, const char *const *kinds, struct gws__header_counts *counts)
{
    static const char *const what[] = {"the number of vertices", "the number of edges", NULL};
    struct gws__tokens tokens;
    uint64_t number[2];
    const char *const *kind = kinds;
    gws_status status = gws__tokens_next(input, "c", "a line \"p ...\"", &tokens);
    if (status != GWS_OK) return status;
    if (!gws__tokens_is(&tokens, 0, "p")) return gws__tokens_expected(input, &tokens, 0, "a line \"p ...\"");
    while (*kind && !gws__tokens_is(&tokens, 1, *kind)) kind++;
    if (!*kind) return gws__tokens_expected(input, &tokens, 1, *kinds);
    status = gws__tokens_numbers(input, &tokens, 2, what, number);
    if (status != GWS_OK) return status;
    *counts = (struct gws__header_counts){.vertices = number[0], .edges = number[1], .line = tokens.line.number};
    return gws__header_counts_check(input, counts);
}

gws_status gws__dimacs_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    static const char *const kinds[] = {"sp", NULL};
    const struct gws__syntax syntax = {.tag = 'a', .comment = "c", .weighted = true};
    struct gws__header_counts counts = {0};
    gws_status status = read_problem(input, kinds, &counts);
    return status == GWS_OK ? read_lines(input, options, &counts, syntax, true, graph) : status;
}

/* Reads a colouring file. Many such files list an edge once and count it twice, or the reverse. So the declared number
 * may be twice the number of lines, or half of it. Lines about nodes and drawings ("n", "d", "v", "x") have no
 * edges. */
gws_status gws__dimacs_edge_read(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph)
{
    static const char *const kinds[] = {"edge", "edges", "col", NULL};
    const struct gws__syntax syntax = {.tag = 'e', .comment = "cndvx"};
    struct gws__header_counts counts = {0};
    gws_status status = read_problem(input, kinds, &counts);
    counts.approximate = true;
    return status == GWS_OK ? read_lines(input, options, &counts, syntax, false, graph) : status;
}

gws_status gws__pace_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    static const char *const kinds[] = {"tw", NULL};
    const struct gws__syntax syntax = {.comment = "c"};
    struct gws__header_counts counts = {0};
    gws_status status = read_problem(input, kinds, &counts);
    return status == GWS_OK ? read_lines(input, options, &counts, syntax, false, graph) : status;
}

/* MatrixMarket coordinate files (Boisvert, Pozo, Remington, NISTIR 5935). The entry I J is an arc from I to J. A
 * symmetric matrix is an undirected graph, in which an entry off the diagonal stands for both arcs. The reader refuses
 * a file without the banner unless the caller gives the format. Such a file is a general matrix, with values if its
 * first entry has a value. Repeated entries, which the format forbids, are parallel arcs. */

struct matrix {
    struct gws__header_counts counts;
    bool symmetric, weighted;
};

static gws_status unsupported(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i)
{
    const char *at = tokens->token[i].at;
    return gws__input_fail(input, GWS_UNSUPPORTED, tokens->line.number, (uint64_t)(at - tokens->line.at) + 1,
                           "%s matrices are not supported as graphs", gws__lines_quote(at, tokens->token[i].end).text);
}

/* Checks one token of the banner. Accepts a value in `good`. A value in `known` is GWS_UNSUPPORTED, and other values
 * are errors. */
static gws_status check_token(const struct gws__input *input, const struct gws__tokens *tokens, unsigned i,
                              const char *const *good, const char *const *known, const char *what)
{
    for (; *good; good++) {
        if (gws__tokens_is(tokens, i, *good)) return GWS_OK;
    }
    for (; *known; known++) {
        if (gws__tokens_is(tokens, i, *known)) return unsupported(input, tokens, i);
    }
    return gws__tokens_expected(input, tokens, i, what);
}

static gws_status read_banner(struct gws__input *input, const struct gws__tokens *tokens, struct matrix *matrix)
{
    static const char *const none[] = {NULL}, *const object[] = {"matrix", NULL}, *const array[] = {"array", NULL},
                             *const coordinate[] = {"coordinate", NULL},
                             *const field[] = {"pattern", "integer", "real", "double", NULL},
                             *const complex[] = {"complex", NULL}, *const symmetry[] = {"general", "symmetric", NULL},
                             *const skew[] = {"skew-symmetric", "hermitian", NULL};
    gws_status status = check_token(input, tokens, 1, object, none, "\"matrix\"");
    if (status == GWS_OK) status = check_token(input, tokens, 2, coordinate, array, "\"coordinate\"");
    if (status == GWS_OK) status = check_token(input, tokens, 3, field, complex, "pattern, integer or real");
    if (status == GWS_OK) status = check_token(input, tokens, 4, symmetry, skew, "general or symmetric");
    if (status == GWS_OK && tokens->count > 5) status = gws__tokens_expected(input, tokens, 5, "the end of the line");
    matrix->weighted = !gws__tokens_is(tokens, 3, "pattern");
    matrix->symmetric = gws__tokens_is(tokens, 4, "symmetric");
    return status;
}

static gws_status read_size(struct gws__input *input, struct matrix *matrix)
{
    static const char *const what[] = {"the number of rows", "the number of columns", "the number of entries", NULL};
    struct gws__tokens tokens;
    uint64_t size[3];
    gws_status status = gws__tokens_next(input, "%", "the matrix's size", &tokens);
    if (status == GWS_OK) status = gws__tokens_numbers(input, &tokens, 0, what, size);
    if (status != GWS_OK) return status;
    matrix->counts = (struct gws__header_counts){.vertices = size[0], .edges = size[2], .line = tokens.line.number};
    if (size[0] == size[1]) return gws__header_counts_check(input, &matrix->counts);
    return gws__input_fail(input, GWS_UNSUPPORTED, tokens.line.number, 0,
                           "a graph needs a square matrix, this one has %" PRIu64 " rows and %" PRIu64 " columns",
                           size[0], size[1]);
}

/* Finds out from the first entry whether a matrix without a banner has values. */
static gws_status read_first_entry(struct gws__input *input, struct matrix *matrix)
{
    struct gws__text_line line;
    struct gws__tokens tokens;
    bool got = false;
    gws_status status = gws__input_line(input, &line, &got);
    if (status != GWS_OK || !got) return status;
    gws__tokens_split(&line, &tokens);
    matrix->weighted = tokens.count == 3;
    gws__input_unread(input, &line);
    return GWS_OK;
}

static gws_status read_head(struct gws__input *input, bool forced, struct matrix *matrix)
{
    struct gws__tokens tokens;
    gws_status status = gws__tokens_next(input, "", "\"%%MatrixMarket\"", &tokens);
    if (status != GWS_OK) return status;
    bool banner = gws__tokens_is(&tokens, 0, "%%MatrixMarket");
    if (!banner && !forced) return gws__tokens_expected(input, &tokens, 0, "\"%%MatrixMarket\"");
    if (banner) status = read_banner(input, &tokens, matrix);
    if (!banner) gws__input_unread(input, &tokens.line);
    if (status == GWS_OK) status = read_size(input, matrix);
    if (status == GWS_OK && !banner) status = read_first_entry(input, matrix);
    return status;
}

gws_status gws__matrix_market_read(struct gws__input *input, const struct gws_read_options *options,
                                   struct gws_graph **graph)
{
    struct matrix matrix = {0};
    gws_status status = read_head(input, options->format == GWS_FORMAT_MATRIX_MARKET, &matrix);
    if (status != GWS_OK) return status;
    const struct gws__syntax syntax = {.comment = "%", .weighted = matrix.weighted};
    return read_lines(input, options, &matrix.counts, syntax, !matrix.symmetric, graph);
}
