/* SPDX-License-Identifier: MIT */
/* Graphs that all ranks build together. Each rank draws its edges, a batch at a time, in parallel: chunk by chunk into
 * fixed places. Each arc then goes to the owner of its source, with the number of the source's row there. The owner
 * keeps the arcs packed until all have arrived, and then fills its rows in order (lib/graph/arc_store.h). */
#include <string.h>

#include "../graph/build.h"
#include "rank_graph_draw.h"

enum { batch_grain = 1 << 13 }; /* weights that a worker takes at a time */

/* ---- sending ---- */

static void take_arcs(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__drawing *drawing = context;
    (void)rank;
    if (drawing->status == GWS_OK) drawing->status = gws__arc_store_add(&drawing->store, data, items);
}

/* Tells the caller which blocks have been read. */
static void give_back(struct gws__drawing *drawing)
{
    const struct gws_edges *edges = drawing->edges;
    while (edges && drawing->blocks < edges->blocks &&
           drawing->block_items + edges->block[drawing->blocks].count <= drawing->end) {
        drawing->block_items += edges->block[drawing->blocks].count;
        drawing->options.on_block_read(drawing->options.context, drawing->blocks++);
    }
}

/* Draws and sends all batches. All ranks make as many steps. */
static gws_status send_arcs(struct gws__drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_transport *transport = drawing->graph->transport;
    const uint64_t last = drawing->last, steps = drawing->steps;
    drawing->end = drawing->first;
    for (uint64_t step = 0, failed = 0; step < steps && !failed; step++) {
        drawing->begin = drawing->end;
        drawing->end = last - drawing->begin < gws__batch_items ? last : drawing->begin + gws__batch_items;
        gws__draw_batch(drawing);
        if (drawing->status == GWS_OK) give_back(drawing);
        failed = drawing->status != GWS_OK;
        const struct gws_exchange exchange = {.from = drawing->sent,
                                              .items = drawing->items,
                                              .item_bytes = drawing->item_bytes,
                                              .receive = take_arcs,
                                              .context = drawing,
                                              .sum = &failed,
                                              .sums = 1};
        gws_transport_exchange(transport, &exchange);
        gws_report_progress(drawing->runtime, drawing->phase, step + 1, 2 * steps);
    }
    return gws__ranks_agree(transport, drawing->status, where);
}

/* ---- building ---- */

/* Makes the part and its arrays. */
static gws_status make_part(struct gws__drawing *drawing, uint64_t arcs, struct gws_diagnostic *where)
{
    const bool weighted = drawing->stream.weighted;
    const uint64_t rows = drawing->graph->rows, bytes = arcs * (weighted ? 8 : 4) + rows * 8;
    gws_status status = gws__rank_graph_check_memory(drawing->runtime, bytes, where);
    return status == GWS_OK
               ? gws__graph_allocate(drawing->runtime, rows, arcs, weighted ? GWS__WEIGHT_INTEGER : GWS__WEIGHT_NONE,
                                     &drawing->graph->part)
               : status;
}

static void restore_reals(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    gws__restore_weights((int32_t *)context + begin, end - begin);
}

/* Replaces the keys of real weights by the weights, in place. */
static gws_status make_real(const struct gws__drawing *drawing)
{
    struct gws_graph *part = drawing->graph->part;
    struct gws__graph_array *keys = &part->owner->owned[GWS__PART_WEIGHT];
    const struct gws__graph_array weights = *keys;
    *keys = (struct gws__graph_array){0};
    part->weight = NULL;
    gws__graph_own(part, GWS__PART_REAL_WEIGHT, weights.memory, weights.count);
    return gws_parallel_try_for(drawing->runtime, part->arcs, batch_grain, restore_reals, weights.memory);
}

/* Makes the rows of the arcs that have arrived. */
static gws_status build_rows(struct gws__drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_graph *part = NULL;
    uint64_t arcs = 0;
    gws_status status = gws__arc_store_end(&drawing->store, &arcs);
    if (status == GWS_OK) status = make_part(drawing, arcs, where);
    if (status != GWS_OK) return status;
    part = drawing->graph->part;
    status = gws__arc_store_move(&drawing->store, part, drawing->options.remove_duplicates);
    if (status == GWS_OK && drawing->real) status = make_real(drawing);
    if (status != GWS_OK) return status;
    part->directed = drawing->graph->directed = drawing->options.kind == GWS_BUILD_DIRECTED;
    gws__rank_graph_set_rows(drawing->graph, part);
    gws_report_progress(drawing->runtime, drawing->phase, 1, 1);
    return GWS_OK;
}

/* The arcs of a rank with a part of mean size, at most. Only kron: and uniform: have an arc twice for nearly each item
 * among the generators. */
static uint64_t mean_arcs(const struct gws__drawing *drawing)
{
    return drawing->mean_items * (drawing->options.kind == GWS_BUILD_SYMMETRISE ? 2 : 1);
}

static gws_status open_drawing(struct gws__drawing *drawing)
{
    struct gws_runtime *runtime = drawing->runtime;
    const uint64_t edges = gws__batch_items * gws__item_edges;
    drawing->edge = gws_allocate(runtime, edges, sizeof *drawing->edge);
    drawing->weight = gws_allocate(runtime, edges, sizeof *drawing->weight);
    drawing->drawn = gws_allocate(runtime, gws__batch_chunks, sizeof *drawing->drawn);
    drawing->place = gws_allocate(runtime, gws__batch_chunks * (uint64_t)drawing->ranks, sizeof *drawing->place);
    drawing->items = gws_allocate(runtime, drawing->ranks, sizeof *drawing->items);
    drawing->sent = gws_allocate(runtime, 2 * edges, drawing->item_bytes);
    if (!drawing->edge || !drawing->weight || !drawing->drawn || !drawing->place || !drawing->items || !drawing->sent)
        return GWS_NO_MEMORY;
    return gws__arc_store_open(runtime, drawing->graph->rows, drawing->stream.vertices, mean_arcs(drawing),
                               drawing->stream.weighted, &drawing->store);
}

/* Frees the buffers of sending. */
static void close_drawing(struct gws__drawing *drawing)
{
    struct gws_runtime *runtime = drawing->runtime;
    const uint64_t edges = gws__batch_items * gws__item_edges;
    gws_release(runtime, drawing->edge, edges, sizeof *drawing->edge);
    gws_release(runtime, drawing->weight, edges, sizeof *drawing->weight);
    gws_release(runtime, drawing->drawn, gws__batch_chunks, sizeof *drawing->drawn);
    gws_release(runtime, drawing->place, gws__batch_chunks * (uint64_t)drawing->ranks, sizeof *drawing->place);
    gws_release(runtime, drawing->items, drawing->ranks, sizeof *drawing->items);
    gws_release(runtime, drawing->sent, 2 * edges, drawing->item_bytes);
}

/* The peak of lib/rank_graph.h for a part of mean size. */
static uint64_t mean_bytes(const struct gws__drawing *drawing)
{
    return mean_arcs(drawing) * (drawing->stream.weighted ? 10 : 5) + 8 * drawing->graph->rows + 5000000;
}

static gws_status build_parts(struct gws__drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_rank_graph *graph = drawing->graph;
    gws_status status = gws__rank_graph_check_memory(drawing->runtime, mean_bytes(drawing), where);
    drawing->item_bytes = gws__arc_item_bytes(drawing->stream.weighted);
    if (status == GWS_OK) status = open_drawing(drawing);
    status = gws__ranks_agree(graph->transport, status, where);
    if (status == GWS_OK) status = send_arcs(drawing, where);
    close_drawing(drawing);
    if (status != GWS_OK) return status;
    if (drawing->options.on_read) drawing->options.on_read(drawing->options.context);
    status = gws__ranks_agree(graph->transport, build_rows(drawing, where), where);
    if (status != GWS_OK) return status;
    graph->arcs = graph->offset[graph->rows];
    gws_transport_sum(graph->transport, &graph->arcs, 1);
    return GWS_OK;
}

gws_status gws__drawing_build(struct gws__drawing *drawing, struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = drawing->runtime;
    drawing->ranks = gws_transport_ranks(drawing->transport);
    gws_status status = gws__rank_graph_new(runtime, drawing->transport, drawing->stream.vertices, &drawing->graph);
    status = gws__ranks_agree(drawing->transport, status, where);
    if (status == GWS_OK) status = build_parts(drawing, where);
    gws__arc_store_close(&drawing->store);
    if (status == GWS_OK)
        *graph = drawing->graph;
    else
        gws_rank_graph_destroy(drawing->graph);
    return status;
}
