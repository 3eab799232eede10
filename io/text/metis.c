/* SPDX-License-Identifier: MIT */
/* METIS graphs (METIS 5 manual, section 4.1.1). The header "N M [FMT [NCON]]" precedes a line for each vertex with its
 * neighbours. The digits of FMT say whether the line begins with a size, whether NCON weights of the vertex follow,
 * and whether the edge's weight follows each neighbour. Comments begin with %.
 *
 * M counts each edge once, although the lines of both ends list the edge. The reader checks that every arc has its
 * reverse arc. A line may list a loop once. gapbs and others list the arcs of a directed graph, and M counts these
 * arcs. So a file that lists exactly M neighbours is a directed graph. These programs also write FMT 100 without sizes.
 * A file with sizes has no blank line for a vertex, so the reader expects no sizes in a file with such a line. */
#include <inttypes.h>

#include "../ranks/ranks.h"
#include "reader.h"
#include "scan.h"

/* Reads FMT: one to three digits of 0 and 1. */
static bool read_format(const struct gws__tokens *tokens, unsigned digit[3])
{
    const char *at = tokens->token[2].at, *end = tokens->token[2].end;
    digit[0] = digit[1] = digit[2] = 0;
    if (tokens->count < 3) return true;
    if (end - at > 3) return false;
    for (; at < end; at++) {
        if (*at != '0' && *at != '1') return false;
        digit[0] = digit[1];
        digit[1] = digit[2];
        digit[2] = (unsigned)(*at - '0');
    }
    return true;
}

/* Returns true if the first chunk contains a blank row. */
static bool has_blank_row(const struct gws__input *input, uint64_t rows)
{
    const struct gws__chunk *chunk = &input->chunk;
    if (!chunk->text) return false;
    for (const char *p = chunk->at; p < chunk->end && rows > 0;) {
        const char *newline = memchr(p, '\n', (size_t)(chunk->end - p));
        const char *first = gws__scan_blanks(p, newline);
        if (first == newline || *first == '\r') return true;
        rows -= *first != '%';
        p = newline + 1;
    }
    return false;
}

static gws_status read_head(struct gws__input *input, struct gws__row_syntax *syntax)
{
    struct gws__tokens tokens;
    unsigned digit[3];
    uint64_t weights = 1; /* NCON */
    gws_status status = gws__tokens_next(input, "%", "the numbers of vertices and edges", &tokens);
    if (status != GWS_OK) return status;
    syntax->counts.line = tokens.line.number;
    status = gws__tokens_number(input, &tokens, 0, "the number of vertices", &syntax->counts.vertices);
    if (status == GWS_OK) status = gws__tokens_number(input, &tokens, 1, "the number of edges", &syntax->counts.edges);
    if (status == GWS_OK && !read_format(&tokens, digit))
        status = gws__tokens_expected(input, &tokens, 2, "up to three digits 0 or 1");
    if (status == GWS_OK && tokens.count > 3)
        status = gws__tokens_number(input, &tokens, 3, "the number of weights of a vertex", &weights);
    if (status == GWS_OK && tokens.count > 4) status = gws__tokens_expected(input, &tokens, 4, "the end of the line");
    if (status == GWS_OK && tokens.count > 3 && weights > 0 && !digit[1])
        status = gws__tokens_expected(input, &tokens, 3, "no NCON, as FMT says that vertices have no weights");
    if (status == GWS_OK) status = gws__header_counts_check(input, &syntax->counts);
    if (status == GWS_OK) status = gws__input_peek(input);
    if (status != GWS_OK) return status;
    syntax->weighted = digit[2];
    syntax->weights_skipped = digit[1] ? weights : 0;
    syntax->size_skipped = digit[0] && !has_blank_row(input, syntax->counts.vertices);
    return GWS_OK;
}

/* Returns the loops of this rank. */
static uint64_t count_loops(const struct gws__edges *edges)
{
    struct gws_edge buffer[GWS__PACK_EDGES];
    uint64_t loops = 0, count;
    const struct gws__block *block;
    for (uint64_t i = 0; (block = gws__edges_block(edges, false, i)); i++)
        for (uint64_t begin = 0; begin < block->count; begin += count) {
            const struct gws_edge *edge = gws__block_edges(block, begin, block->count, &count, buffer);
            for (uint64_t k = 0; k < count; k++) loops += edge[k].from == edge[k].to;
        }
    return loops;
}

/* Finds the direction by the number of arcs. An undirected file lists each edge at both ends, and a directed file
 * lists each arc once. */
static gws_status find_direction(const struct gws__input *input, const struct gws__row_syntax *syntax,
                                 const struct gws__edges *edges, bool *directed)
{
    uint64_t total[2], loops;
    gws_status status = gws__edges_total(edges, total);
    if (status != GWS_OK) return status;
    const uint64_t arcs = total[0];
    *directed = arcs == syntax->counts.edges && arcs > 0;
    bool halves = arcs % 2 == 0 && arcs / 2 == syntax->counts.edges;
    if (!*directed && !halves) {
        loops = count_loops(edges);
        status = gws__read_ranks_sum(edges->ranks, GWS_OK, &loops, 1);
        if (status != GWS_OK) return status;
        uint64_t ends = arcs + loops;
        halves = ends % 2 == 0 && ends / 2 == syntax->counts.edges;
    }
    if (*directed || halves) return gws__header_counts_plausible(input, &syntax->counts);
    return gws__input_fail(input, arcs / 2 < syntax->counts.edges ? GWS_TRUNCATED : GWS_SYNTAX, syntax->counts.line, 0,
                           "%" PRIu64 " edges declared, which are twice as many neighbours, but %" PRIu64 " found",
                           syntax->counts.edges, arcs);
}

static gws_status build(struct gws__input *input, const struct gws__row_syntax *syntax,
                        const struct gws_read_options *options, struct gws__edges *edges, struct gws_graph **graph)
{
    struct gws_graph *built = NULL;
    bool directed = false;
    gws_status status = find_direction(input, syntax, edges, &directed);
    if (status != GWS_OK) return status;
    struct gws_build_options build_options = gws__build_options(options, directed);
    bool both = !directed && options->direction != GWS_EDGES_DIRECTED;
    if (both) build_options.kind = GWS_BUILD_SYMMETRIC;
    status = gws__edges_build(edges, syntax->counts.vertices, &build_options, &built);
    if (status == GWS_OK) gws_graph_set_first_id(built, 1);
    if (status == GWS_OK && both) status = gws__symmetry_check(input, built);
    if (status != GWS_OK) {
        gws_graph_destroy(built);
        return status;
    }
    *graph = built;
    return GWS_OK;
}

gws_status gws__metis_read(struct gws__input *input, const struct gws_read_options *options, struct gws_graph **graph)
{
    struct gws__row_syntax syntax = {.weights = options->weights};
    struct gws__edges edges = {0};
    gws_status status = read_head(input, &syntax);
    bool weighted = syntax.weighted && syntax.weights != GWS_WEIGHTS_DROP;
    if (status == GWS_OK) status = gws__edges_open(&edges, input, weighted);
    if (status == GWS_OK) status = gws__rows_read(input, &syntax, &edges);
    if (status == GWS_OK) status = build(input, &syntax, options, &edges, graph);
    gws__edges_close(&edges);
    return status;
}
