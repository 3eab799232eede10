/* SPDX-License-Identifier: MIT */
/* Formats that declare their sizes: the declared is compared with what is there, and nothing is allocated by it before.
 */
#include <inttypes.h>

#include "reader.h"

/* Vertices without edges need not appear in a file, so their number cannot be checked; but 16 million of them, and 64
 * for each byte, is more than any real file declares. The offsets of so many would fill the memory. */
enum { few_vertices = 1 << 24, vertices_a_byte = 64 };

gws_status gws__declared_check(const struct gws__input *input, const struct gws__declared *declared)
{
    if (declared->vertices < GWS_NO_VERTEX) return GWS_OK;
    return gws__input_fail(input, GWS_TOO_LARGE, declared->line, 0,
                           "%" PRIu64 " vertices declared, at most 4294967294 are possible", declared->vertices);
}

static bool agree(const struct gws__declared *declared, uint64_t edges)
{
    if (edges == declared->edges) return true;
    if (!declared->loosely) return false;
    return (declared->edges % 2 == 0 && edges == declared->edges / 2) ||
           (edges % 2 == 0 && edges / 2 == declared->edges);
}

gws_status gws__declared_likely(const struct gws__input *input, const struct gws__declared *declared)
{
    if (declared->vertices <= few_vertices || declared->vertices / vertices_a_byte <= input->offset) return GWS_OK;
    return gws__input_fail(input, GWS_TOO_LARGE, declared->line, 0,
                           "%" PRIu64 " vertices declared in only %" PRIu64 " bytes", declared->vertices,
                           input->offset);
}

/* The same, and checks the number of edges. */
static gws_status compare(const struct gws__input *input, const struct gws__declared *declared, uint64_t edges)
{
    if (agree(declared, edges)) return gws__declared_likely(input, declared);
    return gws__input_fail(input, edges < declared->edges ? GWS_TRUNCATED : GWS_SYNTAX, declared->line, 0,
                           "%" PRIu64 " edges declared, %" PRIu64 " found", declared->edges, edges);
}

struct gws_build_options gws__build_options(const struct gws_read_options *options, bool directed)
{
    if (options->direction != GWS_EDGES_AS_FILE) directed = options->direction == GWS_EDGES_DIRECTED;
    return (struct gws_build_options){.kind = directed ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE,
                                      .remove_loops = options->remove_loops,
                                      .remove_duplicates = options->remove_duplicates || !directed};
}

/* Reads the lines of a format whose header has been read, and builds; ids start at 1. Fills in what the syntax takes
 * from the options and the declared sizes. */
static gws_status read_lines(struct gws__input *input, const struct gws_read_options *options,
                             const struct gws__declared *declared, struct gws__syntax syntax, bool directed,
                             struct gws_graph **graph)
{
    struct gws__edges edges = {0};
    struct gws_build_options build = gws__build_options(options, directed);
    syntax.weights = options->weights;
    syntax.base = 1;
    syntax.vertices = declared->vertices;
    gws_status status = gws__edges_open(&edges, input->runtime, syntax.weighted && syntax.weights != GWS_WEIGHTS_DROP);
    if (status == GWS_OK) status = gws__lines_read(input, &syntax, &edges);
    if (status == GWS_OK) status = compare(input, declared, gws__edges_count(&edges, false));
    if (status == GWS_OK) status = gws__edges_build(&edges, declared->vertices, &build, graph);
    gws__edges_close(&edges);
    if (status == GWS_OK) gws_graph_set_first_id(*graph, 1);
    return status;
}

/* The formats with a "p" line: 9th DIMACS challenge (shortest paths, "a U V W"; format page of the challenge, 2006),
 * DIMACS colouring ("e U V"; 2nd challenge, 1993) and PACE 2016 ("U V"). Comments begin with c. */

/* Reads "p KIND N M", where kinds is a list of names ended by NULL, of which the first is shown. */
static gws_status read_problem(struct gws__input *input, const char *const *kinds, struct gws__declared *declared)
{
    static const char *const what[] = {"the number of vertices", "the number of edges", NULL};
    struct gws__words words;
    uint64_t number[2];
    const char *const *kind = kinds;
    gws_status status = gws__words_next(input, "c", "a line \"p ...\"", &words);
    if (status != GWS_OK) return status;
    if (!gws__words_is(&words, 0, "p")) return gws__words_expected(input, &words, 0, "a line \"p ...\"");
    while (*kind && !gws__words_is(&words, 1, *kind)) kind++;
    if (!*kind) return gws__words_expected(input, &words, 1, *kinds);
    status = gws__words_numbers(input, &words, 2, what, number);
    if (status != GWS_OK) return status;
    *declared = (struct gws__declared){.vertices = number[0], .edges = number[1], .line = words.line.number};
    return gws__declared_check(input, declared);
}

gws_status gws__dimacs_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    static const char *const kinds[] = {"sp", NULL};
    const struct gws__syntax syntax = {.tag = 'a', .comment = "c", .weighted = true};
    struct gws__declared declared = {0};
    gws_status status = read_problem(input, kinds, &declared);
    return status == GWS_OK ? read_lines(input, options, &declared, syntax, true, graph) : status;
}

/* Many colouring files list an edge once and count it twice, or the other way round, so the declared number may be
 * twice that of the lines, or half. Lines of nodes and of a drawing's data ("n", "d", "v", "x") carry no edges. */
gws_status gws__dimacs_edge_read(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph)
{
    static const char *const kinds[] = {"edge", "edges", "col", NULL};
    const struct gws__syntax syntax = {.tag = 'e', .comment = "cndvx"};
    struct gws__declared declared = {0};
    gws_status status = read_problem(input, kinds, &declared);
    declared.loosely = true;
    return status == GWS_OK ? read_lines(input, options, &declared, syntax, false, graph) : status;
}

gws_status gws__pace_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    static const char *const kinds[] = {"tw", NULL};
    const struct gws__syntax syntax = {.comment = "c"};
    struct gws__declared declared = {0};
    gws_status status = read_problem(input, kinds, &declared);
    return status == GWS_OK ? read_lines(input, options, &declared, syntax, false, graph) : status;
}

/* MatrixMarket coordinate files (Boisvert, Pozo, Remington, NISTIR 5935): entry I J is an arc from I to J. A symmetric
 * matrix is an undirected graph, each entry off the diagonal standing for both. A file without the banner is refused,
 * unless the format is forced: then it is a general matrix, with values if its first entry has one. Repeated entries,
 * which the format forbids, are parallel arcs. */

struct matrix {
    struct gws__declared declared;
    bool symmetric, weighted;
};

static gws_status unsupported(const struct gws__input *input, const struct gws__words *words, unsigned i)
{
    const char *at = words->word[i].at;
    return gws__input_fail(input, GWS_UNSUPPORTED, words->line.number, (uint64_t)(at - words->line.at) + 1,
                           "%s matrices are not supported as graphs", gws__lines_show(at, words->word[i].end).text);
}

/* One word of the banner: one of those that are read, or one of those that are known but not supported. */
static gws_status check_word(const struct gws__input *input, const struct gws__words *words, unsigned i,
                             const char *const *good, const char *const *known, const char *what)
{
    for (; *good; good++) {
        if (gws__words_is(words, i, *good)) return GWS_OK;
    }
    for (; *known; known++) {
        if (gws__words_is(words, i, *known)) return unsupported(input, words, i);
    }
    return gws__words_expected(input, words, i, what);
}

static gws_status read_banner(struct gws__input *input, const struct gws__words *words, struct matrix *matrix)
{
    static const char *const none[] = {NULL}, *const object[] = {"matrix", NULL}, *const array[] = {"array", NULL},
                             *const coordinate[] = {"coordinate", NULL},
                             *const field[] = {"pattern", "integer", "real", "double", NULL},
                             *const complex[] = {"complex", NULL}, *const symmetry[] = {"general", "symmetric", NULL},
                             *const skew[] = {"skew-symmetric", "hermitian", NULL};
    gws_status status = check_word(input, words, 1, object, none, "\"matrix\"");
    if (status == GWS_OK) status = check_word(input, words, 2, coordinate, array, "\"coordinate\"");
    if (status == GWS_OK) status = check_word(input, words, 3, field, complex, "pattern, integer or real");
    if (status == GWS_OK) status = check_word(input, words, 4, symmetry, skew, "general or symmetric");
    if (status == GWS_OK && words->count > 5) status = gws__words_expected(input, words, 5, "the end of the line");
    matrix->weighted = !gws__words_is(words, 3, "pattern");
    matrix->symmetric = gws__words_is(words, 4, "symmetric");
    return status;
}

static gws_status read_size(struct gws__input *input, struct matrix *matrix)
{
    static const char *const what[] = {"the number of rows", "the number of columns", "the number of entries", NULL};
    struct gws__words words;
    uint64_t size[3];
    gws_status status = gws__words_next(input, "%", "the matrix's size", &words);
    if (status == GWS_OK) status = gws__words_numbers(input, &words, 0, what, size);
    if (status != GWS_OK) return status;
    matrix->declared = (struct gws__declared){.vertices = size[0], .edges = size[2], .line = words.line.number};
    if (size[0] == size[1]) return gws__declared_check(input, &matrix->declared);
    return gws__input_fail(input, GWS_UNSUPPORTED, words.line.number, 0,
                           "a graph needs a square matrix, this one has %" PRIu64 " rows and %" PRIu64 " columns",
                           size[0], size[1]);
}

/* Without a banner, the first entry says whether there are values. */
static gws_status look_at_entry(struct gws__input *input, struct matrix *matrix)
{
    struct gws__line line;
    struct gws__words words;
    bool got = false;
    gws_status status = gws__input_line(input, &line, &got);
    if (status != GWS_OK || !got) return status;
    gws__words_split(&line, &words);
    matrix->weighted = words.count == 3;
    gws__input_unread(input, &line);
    return GWS_OK;
}

static gws_status read_head(struct gws__input *input, bool forced, struct matrix *matrix)
{
    struct gws__words words;
    gws_status status = gws__words_next(input, "", "\"%%MatrixMarket\"", &words);
    if (status != GWS_OK) return status;
    bool banner = gws__words_is(&words, 0, "%%MatrixMarket");
    if (!banner && !forced) return gws__words_expected(input, &words, 0, "\"%%MatrixMarket\"");
    if (banner) status = read_banner(input, &words, matrix);
    if (!banner) gws__input_unread(input, &words.line);
    if (status == GWS_OK) status = read_size(input, matrix);
    if (status == GWS_OK && !banner) status = look_at_entry(input, matrix);
    return status;
}

gws_status gws__matrix_market_read(struct gws__input *input, const struct gws_read_options *options,
                                   struct gws_graph **graph)
{
    struct matrix matrix = {0};
    gws_status status = read_head(input, options->format == GWS_FORMAT_MATRIX_MARKET, &matrix);
    if (status != GWS_OK) return status;
    const struct gws__syntax syntax = {.comment = "%", .weighted = matrix.weighted};
    return read_lines(input, options, &matrix.declared, syntax, !matrix.symmetric, graph);
}
