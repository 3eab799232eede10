/* SPDX-License-Identifier: MIT */
/* The formats with a "p" line: 9th DIMACS challenge (shortest paths, "a U V W"; format page of the challenge, 2006),
 * DIMACS colouring ("e U V"; 2nd challenge, 1993) and PACE 2016 ("U V"). Comments begin with c. */
#include "reader.h"

static struct gws__syntax syntax_of(const struct gws__declared *declared, const struct gws_read_options *options)
{
    return (struct gws__syntax){.comment = "c", .weights = options->weights, .base = 1, .vertices = declared->vertices};
}

gws_status gws__dimacs_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    static const char *const kinds[] = {"sp", NULL};
    struct gws__declared declared;
    gws_status status = gws__problem_read(input, kinds, &declared);
    if (status != GWS_OK) return status;
    struct gws__syntax syntax = syntax_of(&declared, options);
    syntax.tag = 'a';
    syntax.weighted = true;
    struct gws_build_options build = gws__build_options(options, true);
    return gws__declared_read(input, &declared, &syntax, &build, graph);
}

/* Many colouring files list an edge once and count it twice, or the other way round, so the declared number may be
 * twice that of the lines, or half. Lines of nodes and of a drawing's data ("n", "d", "v", "x") carry no edges. */
gws_status gws__dimacs_edge_read(struct gws__input *input, const struct gws_read_options *options,
                                 struct gws_graph **graph)
{
    static const char *const kinds[] = {"edge", "edges", "col", NULL};
    struct gws__declared declared;
    gws_status status = gws__problem_read(input, kinds, &declared);
    if (status != GWS_OK) return status;
    struct gws__syntax syntax = syntax_of(&declared, options);
    declared.loosely = true;
    syntax.tag = 'e';
    syntax.comment = "cndvx";
    struct gws_build_options build = gws__build_options(options, false);
    return gws__declared_read(input, &declared, &syntax, &build, graph);
}

gws_status gws__pace_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    static const char *const kinds[] = {"tw", NULL};
    struct gws__declared declared;
    gws_status status = gws__problem_read(input, kinds, &declared);
    if (status != GWS_OK) return status;
    struct gws__syntax syntax = syntax_of(&declared, options);
    struct gws_build_options build = gws__build_options(options, false);
    return gws__declared_read(input, &declared, &syntax, &build, graph);
}
