/* SPDX-License-Identifier: MIT */
/* The formats with a "p" line: 9th DIMACS challenge (shortest paths, "a U V W"; format page of the challenge, 2006),
 * DIMACS colouring ("e U V"; 2nd challenge, 1993) and PACE 2016 ("U V"). Comments begin with c. */
#include "reader.h"

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
    struct gws__declared declared;
    gws_status status = read_problem(input, kinds, &declared);
    return status == GWS_OK ? gws__declared_read(input, options, &declared, syntax, true, graph) : status;
}

/* Many colouring files list an edge once and count it twice, or the other way round, so the declared number may be
 * twice that of the lines, or half. Lines of nodes and of a drawing's data ("n", "d", "v", "x") carry no edges. */
gws_status gws__dimacs_edge_read(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph)
{
    static const char *const kinds[] = {"edge", "edges", "col", NULL};
    const struct gws__syntax syntax = {.tag = 'e', .comment = "cndvx"};
    struct gws__declared declared;
    gws_status status = read_problem(input, kinds, &declared);
    declared.loosely = true;
    return status == GWS_OK ? gws__declared_read(input, options, &declared, syntax, false, graph) : status;
}

gws_status gws__pace_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    static const char *const kinds[] = {"tw", NULL};
    const struct gws__syntax syntax = {.comment = "c"};
    struct gws__declared declared;
    gws_status status = read_problem(input, kinds, &declared);
    return status == GWS_OK ? gws__declared_read(input, options, &declared, syntax, false, graph) : status;
}
