/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rank_graph_draw.h"

static void draw_chunks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__drawing *drawing = context;
    (void)worker;
    for (uint64_t chunk = begin; chunk < end; chunk++) {
        const uint64_t from = drawing->begin + chunk * gws__chunk_items,
                       place = chunk * gws__chunk_items * gws__item_edges;
        const uint64_t to = from + gws__chunk_items < drawing->end ? from + gws__chunk_items : drawing->end;
        const struct gws_edge *edge = drawing->edge + place;
        uint64_t *count = drawing->place + chunk * drawing->ranks;
        memset(count, 0, drawing->ranks * sizeof *count);
        drawing->drawn[chunk] =
            drawing->stream.draw(&drawing->stream, from, to, drawing->edge + place, drawing->weight + place);
        for (uint64_t i = 0; i < drawing->drawn[chunk]; i++) {
            const struct gws_edge one = edge[i];
            if (gws__edge_is_dropped(drawing, one)) continue;
            count[gws_rank_graph_owner(drawing->graph, one.from)]++;
            if (gws__edge_has_back(drawing, one)) count[gws_rank_graph_owner(drawing->graph, one.to)]++;
        }
    }
}

static void write_arc(const struct gws__drawing *drawing, uint64_t *place, struct gws_edge edge, int32_t weight)
{
    const uint32_t owner = gws_rank_graph_owner(drawing->graph, edge.from);
    const struct gws__arc_item arc = {{(uint32_t)(edge.from - owner * drawing->graph->block), edge.to}, weight};
    char *to = drawing->sent + place[owner]++ * drawing->item_bytes;
    if (drawing->stream.weighted)
        memcpy(to, &arc, sizeof arc);
    else
        memcpy(to, &arc.edge, sizeof arc.edge);
}

static void sort_chunks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__drawing *drawing = context;
    (void)worker;
    for (uint64_t chunk = begin; chunk < end; chunk++) {
        const uint64_t first = chunk * gws__chunk_items * gws__item_edges;
        uint64_t *place = drawing->place + chunk * drawing->ranks;
        for (uint64_t i = first; i < first + drawing->drawn[chunk]; i++) {
            const struct gws_edge edge = drawing->edge[i], back = {edge.to, edge.from};
            const int32_t weight = drawing->stream.weighted ? drawing->weight[i] : 0;
            if (gws__edge_is_dropped(drawing, edge)) continue;
            write_arc(drawing, place, edge, weight);
            if (gws__edge_has_back(drawing, edge)) write_arc(drawing, place, back, weight);
        }
    }
}

/* Turns the counts into places, owner by owner. */
static void place_arcs(const struct gws__drawing *drawing, uint64_t chunks)
{
    uint64_t sum = 0;
    for (uint32_t owner = 0; owner < drawing->ranks; owner++) {
        const uint64_t begin = sum;
        for (uint64_t chunk = 0; chunk < chunks; chunk++) {
            uint64_t *place = &drawing->place[chunk * drawing->ranks + owner], count = *place;
            *place = sum;
            sum += count;
        }
        drawing->items[owner] = sum - begin;
    }
}

void gws__draw_batch(struct gws__drawing *drawing)
{
    const uint64_t chunks = (drawing->end - drawing->begin + gws__chunk_items - 1) / gws__chunk_items;
    memset(drawing->items, 0, drawing->ranks * sizeof *drawing->items);
    if (drawing->status != GWS_OK || chunks == 0) return;
    const double begin = gws_clock_ms();
    drawing->status = gws_parallel_try_for(drawing->runtime, chunks, 8, draw_chunks, drawing);
    drawing->draw_ms += gws_clock_ms() - begin;
    if (drawing->status != GWS_OK) return;
    place_arcs(drawing, chunks);
    gws_parallel_for(drawing->runtime, chunks, 8, sort_chunks, drawing);
}
