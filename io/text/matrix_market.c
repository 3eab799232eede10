/* SPDX-License-Identifier: MIT */
/* MatrixMarket coordinate files (Boisvert, Pozo, Remington, NISTIR 5935): entry I J is an arc from I to J. A symmetric
 * matrix is an undirected graph, each entry off the diagonal standing for both. A file without the banner is refused,
 * unless the format is forced: then it is a general matrix, with values if its first entry has one. Repeated entries,
 * which the format forbids, are parallel arcs. */
#include <inttypes.h>

#include "reader.h"

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
    return gws__declared_read(input, options, &matrix.declared, syntax, !matrix.symmetric, graph);
}
