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

gws_status gws__declared_compare(const struct gws__input *input, const struct gws__declared *declared, uint64_t edges)
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

gws_status gws__declared_read(struct gws__input *input, const struct gws_read_options *options,
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
    if (status == GWS_OK) status = gws__declared_compare(input, declared, gws__edges_count(&edges, false));
    if (status == GWS_OK) status = gws__edges_build(&edges, declared->vertices, &build, graph);
    gws__edges_close(&edges);
    if (status == GWS_OK) gws_graph_set_first_id(*graph, 1);
    return status;
}
