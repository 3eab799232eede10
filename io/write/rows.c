/* SPDX-License-Identifier: MIT */
/* Text with a line for each vertex: neighbours, or coordinates. Rows are cut into items so that a hub is shared between
 * workers: those of vertex v are its arcs and, as the last, its line feed. */
#include "../output/text.h"
#include "arcs.h"

static char *set_arc(const struct gws_graph *graph, uint64_t arc, bool first, char *text)
{
    if (!first) *text++ = ' ';
    text = gws__text_u64(text, (uint64_t)graph->target[arc] + 1);
    if (!graph->weight) return text;
    *text++ = ' ';
    return gws__text_i32(text, graph->weight[arc]);
}

static char *set_rows(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct gws_graph *graph = context;
    uint64_t v = gws__row_of(graph, begin, 1);
    for (uint64_t item = begin; item < end; item++) {
        uint64_t arc = item - v;
        if (arc < graph->offset[v + 1]) {
            text = set_arc(graph, arc, arc == graph->offset[v], text);
        } else {
            *text++ = '\n';
            v++;
        }
    }
    return text;
}

gws_status gws__rows_write(struct gws_output *output, const struct gws_graph *graph)
{
    struct gws__output_pieces pieces = {.count = graph->arcs + graph->vertices,
                                        .item_bytes = GWS__TEXT_U64 + GWS__TEXT_I32 + 2,
                                        .set = set_rows,
                                        .context = (void *)graph}; /* set_rows takes it as const again */
    return gws__output_pieces(output, &pieces);
}

static char *set_positions(void *context, uint64_t begin, uint64_t end, char *text)
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

gws_status gws__positions_write(struct gws_output *output, const struct gws_graph *graph)
{
    struct gws__output_pieces pieces = {.count = graph->vertices,
                                        .item_bytes = GWS__TEXT_U64 + 2 * GWS__TEXT_F64 + 5,
                                        .set = set_positions,
                                        .context = (void *)graph}; /* as above */
    return gws__output_pieces(output, &pieces);
}
