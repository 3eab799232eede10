/* SPDX-License-Identifier: MIT */
/* Writes text formats with a line for each vertex: METIS (Karypis, manual of METIS 5, 4.1.1), and coordinates.
 *
 * A METIS file begins with the numbers of vertices and edges. Then each vertex has a line with its neighbours. The
 * writer divides rows into items, so several workers share a hub. The items of vertex v are its arcs and finally its
 * line feed. */
#include <inttypes.h>

#include "../output/text.h"
#include "arcs.h"

static char *format_arc(const struct gws_graph *graph, uint64_t arc, bool first, char *text)
{
    if (!first) *text++ = ' ';
    text = gws__text_u64(text, (uint64_t)graph->target[arc] + 1);
    if (!graph->weight) return text;
    *text++ = ' ';
    return gws__text_i32(text, graph->weight[arc]);
}

static char *format_rows(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws_graph *graph = context;
    uint64_t v = gws__row_of(graph, begin, 1);
    for (uint64_t item = begin; item < end; item++) {
        uint64_t arc = item - v;
        if (arc < graph->offset[v + 1]) {
            text = format_arc(graph, arc, arc == graph->offset[v], text);
        } else {
            *text++ = '\n';
            v++;
        }
    }
    return text;
}

gws_status gws__write_metis(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct gws__output_chunks chunks = {.count = graph->arcs + graph->vertices,
                                        .item_bytes = GWS__TEXT_U64 + GWS__TEXT_I32 + 2,
                                        .format = format_rows,
                                        .context = (void *)graph}; /* format_rows() only reads the graph */
    gws_status status = gws_output_print(writing->output, "%" PRIu64 " %" PRIu64 "%s\n", graph->vertices,
                                         graph->arcs / 2, graph->weight ? " 001" : "");
    return status == GWS_OK ? gws__output_chunks(writing->output, &chunks) : status;
}

static char *format_positions(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws_graph *graph = context;
    for (uint64_t v = begin; v < end; v++) {
        text = gws__text_string(text, "v ");
        text = gws__text_u64(text, v + 1);
        for (int i = 0; i < 2; i++) {
            *text++ = ' ';
            text = gws__text_f64(text, graph->position[2 * v + i]);
        }
        *text++ = '\n';
    }
    return text;
}

gws_status gws__write_positions(const struct gws__writing *writing)
{
    const struct gws_graph *graph = writing->graph;
    struct gws__output_chunks chunks = {.count = graph->vertices,
                                        .item_bytes = GWS__TEXT_U64 + 2 * GWS__TEXT_F64 + 5,
                                        .format = format_positions,
                                        .context = (void *)graph}; /* format_positions() only reads the graph */
    gws_status status = gws_output_print(writing->output, "p aux sp co %" PRIu64 "\n", graph->vertices);
    return status == GWS_OK ? gws__output_chunks(writing->output, &chunks) : status;
}
