/* SPDX-License-Identifier: MIT */
/* Graphs that all ranks draw together. Each rank draws the edges of its slice of the items (lib/graph/generate.h), a
 * batch at a time, in parallel: chunk by chunk into fixed places. Each arc then goes to the owner of its source, with
 * the number of the source's row there. The owner collects the arcs in blocks and builds its rows like any graph. */
#include <string.h>

#include "../graph/build.h"
#include "../graph/generate.h"
#include "rank_graph.h"

enum { chunk_items = 1 << 9, batch_items = 1 << 16, batch_chunks = batch_items / chunk_items, block_arcs = 1 << 18 };

struct sent_arc {
    struct gws_edge edge;
    int32_t weight; /* not sent without weights */
};

struct drawing {
    struct gws_runtime *runtime;
    struct gws_rank_graph *graph;
    struct gws__edge_stream stream;
    uint32_t ranks;
    uint64_t item_bytes; /* of a sent arc */
    uint64_t begin, end; /* the items of the batch */
    gws_status status;   /* of this rank; after a failure it draws and keeps nothing more */

    struct gws_edge *edge; /* batch_items * gws__item_edges entries, as the next one */
    int32_t *weight;
    uint64_t *drawn; /* edges of each chunk: batch_chunks entries */
    uint64_t *place; /* [chunk * ranks + owner]: arcs, then the place of the next arc */
    uint64_t *items; /* arcs for each owner */
    char *sent;      /* arcs by owner, 2 * batch_items * gws__item_edges of item_bytes */

    struct gws_edge_block *block; /* the received arcs: blocks_held of block_arcs, the last one not full */
    uint64_t blocks, blocks_held;
};

/* ---- drawing ---- */

static inline bool is_dropped(const struct drawing *drawing, struct gws_edge edge)
{
    return drawing->stream.simple && edge.from == edge.to;
}

static void draw_chunks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct drawing *drawing = context;
    (void)worker;
    for (uint64_t chunk = begin; chunk < end; chunk++) {
        const uint64_t from = drawing->begin + chunk * chunk_items, place = chunk * chunk_items * gws__item_edges;
        const uint64_t to = from + chunk_items < drawing->end ? from + chunk_items : drawing->end;
        const struct gws_edge *edge = drawing->edge + place;
        uint64_t *count = drawing->place + chunk * drawing->ranks;
        memset(count, 0, drawing->ranks * sizeof *count);
        drawing->drawn[chunk] =
            drawing->stream.draw(&drawing->stream, from, to, drawing->edge + place, drawing->weight + place);
        for (uint64_t i = 0; i < drawing->drawn[chunk]; i++) {
            if (is_dropped(drawing, edge[i])) continue;
            count[gws_rank_graph_owner(drawing->graph, edge[i].from)]++;
            if (edge[i].from != edge[i].to) count[gws_rank_graph_owner(drawing->graph, edge[i].to)]++;
        }
    }
}

static void write_arc(const struct drawing *drawing, uint64_t *place, struct gws_edge edge, int32_t weight)
{
    const uint32_t owner = gws_rank_graph_owner(drawing->graph, edge.from);
    const struct sent_arc arc = {{(uint32_t)(edge.from - owner * drawing->graph->block), edge.to}, weight};
    memcpy(drawing->sent + place[owner]++ * drawing->item_bytes, &arc, drawing->item_bytes);
}

static void sort_chunks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct drawing *drawing = context;
    (void)worker;
    for (uint64_t chunk = begin; chunk < end; chunk++) {
        const uint64_t first = chunk * chunk_items * gws__item_edges;
        uint64_t *place = drawing->place + chunk * drawing->ranks;
        for (uint64_t i = first; i < first + drawing->drawn[chunk]; i++) {
            const struct gws_edge edge = drawing->edge[i], back = {edge.to, edge.from};
            const int32_t weight = drawing->stream.weighted ? drawing->weight[i] : 0;
            if (is_dropped(drawing, edge)) continue;
            write_arc(drawing, place, edge, weight);
            if (edge.from != edge.to) write_arc(drawing, place, back, weight);
        }
    }
}

/* Turns the counts into places, owner by owner. */
static void place_arcs(const struct drawing *drawing, uint64_t chunks)
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

static void draw_batch(struct drawing *drawing)
{
    const uint64_t chunks = (drawing->end - drawing->begin + chunk_items - 1) / chunk_items;
    memset(drawing->items, 0, drawing->ranks * sizeof *drawing->items);
    if (drawing->status != GWS_OK || chunks == 0) return;
    drawing->status = gws_parallel_try_for(drawing->runtime, chunks, 8, draw_chunks, drawing);
    if (drawing->status != GWS_OK) return;
    place_arcs(drawing, chunks);
    gws_parallel_for(drawing->runtime, chunks, 8, sort_chunks, drawing);
}

/* ---- collecting ---- */

static uint64_t max_blocks(const struct drawing *drawing)
{
    return 2 * gws__item_edges * (drawing->stream.items / block_arcs + 1);
}

/* Adds an empty block. */
static bool add_block(struct drawing *drawing)
{
    struct gws_edge *edge = gws_allocate(drawing->runtime, block_arcs, sizeof *edge);
    int32_t *weight =
        drawing->stream.weighted && edge ? gws_allocate(drawing->runtime, block_arcs, sizeof *weight) : NULL;
    if (!edge || (drawing->stream.weighted && !weight)) {
        gws_release(drawing->runtime, edge, block_arcs, sizeof *edge);
        drawing->status = GWS_NO_MEMORY;
        return false;
    }
    drawing->block[drawing->blocks_held++] = (struct gws_edge_block){.edge = edge, .weight = weight};
    return true;
}

static void collect(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct drawing *drawing = context;
    const char *at = data;
    (void)rank;
    while (items > 0 && drawing->block && drawing->status == GWS_OK) {
        struct gws_edge_block *block = drawing->blocks_held ? &drawing->block[drawing->blocks_held - 1] : NULL;
        if (!block || block->count == block_arcs) {
            if (!add_block(drawing)) return;
            continue;
        }
        const uint64_t free = block_arcs - block->count, count = items < free ? items : free;
        struct gws_edge *edge = (struct gws_edge *)block->edge + block->count;
        int32_t *weight = (int32_t *)block->weight;
        if (!weight) memcpy(edge, at, count * sizeof *edge);
        for (uint64_t i = 0; weight && i < count; i++) {
            struct sent_arc arc;
            memcpy(&arc, at + i * sizeof arc, sizeof arc);
            edge[i] = arc.edge;
            weight[block->count + i] = arc.weight;
        }
        block->count += count;
        at += count * drawing->item_bytes;
        items -= count;
    }
}

/* Draws and moves all batches. All ranks make as many steps. */
static gws_status move_arcs(struct drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_transport *transport = drawing->graph->transport;
    const uint64_t rank = gws_transport_rank(transport), total = drawing->stream.items;
    const uint64_t each = total / drawing->ranks + 1, last = (rank + 1) * each < total ? (rank + 1) * each : total;
    const uint64_t steps = (each + batch_items - 1) / batch_items;
    drawing->end = rank * each < total ? rank * each : total;
    for (uint64_t step = 0, failed = 0; step < steps && !failed; step++) {
        drawing->begin = drawing->end;
        drawing->end = last - drawing->begin < batch_items ? last : drawing->begin + batch_items;
        draw_batch(drawing);
        failed = drawing->status != GWS_OK;
        const struct gws_exchange exchange = {.from = drawing->sent,
                                              .items = drawing->items,
                                              .item_bytes = drawing->item_bytes,
                                              .receive = collect,
                                              .context = drawing,
                                              .sum = &failed,
                                              .sums = 1};
        gws_transport_exchange(transport, &exchange);
        gws_report_progress(drawing->runtime, "generating", step + 1, steps);
    }
    return gws__ranks_agree(transport, drawing->status, where);
}

/* ---- building ---- */

static gws_status build_rows(struct drawing *drawing)
{
    const struct gws_edges edges = {
        .vertices = drawing->graph->rows, .blocks = drawing->blocks_held, .block = drawing->block};
    const struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRIC, .remove_duplicates = drawing->stream.simple};
    struct gws__edge_source source;
    struct gws_graph *part = NULL;
    gws_status status = gws__edge_source_of_edges(&edges, &source);
    if (drawing->stream.weighted) source.weight_kind = GWS__WEIGHT_INTEGER; /* without any arc, too */
    source.targets = drawing->stream.vertices;
    if (status == GWS_OK) status = gws__graph_build(drawing->runtime, &source, &options, &part);
    if (part) gws__rank_graph_set_rows(drawing->graph, part);
    return status;
}

static gws_status open_drawing(struct drawing *drawing)
{
    struct gws_runtime *runtime = drawing->runtime;
    const uint64_t edges = batch_items * gws__item_edges;
    drawing->blocks = max_blocks(drawing);
    drawing->edge = gws_allocate(runtime, edges, sizeof *drawing->edge);
    drawing->weight = gws_allocate(runtime, edges, sizeof *drawing->weight);
    drawing->drawn = gws_allocate(runtime, batch_chunks, sizeof *drawing->drawn);
    drawing->place = gws_allocate(runtime, batch_chunks * (uint64_t)drawing->ranks, sizeof *drawing->place);
    drawing->items = gws_allocate(runtime, drawing->ranks, sizeof *drawing->items);
    drawing->sent = gws_allocate(runtime, 2 * edges, drawing->item_bytes);
    drawing->block = gws_allocate(runtime, drawing->blocks, sizeof *drawing->block);
    return drawing->edge && drawing->weight && drawing->drawn && drawing->place && drawing->items && drawing->sent &&
                   drawing->block
               ? GWS_OK
               : GWS_NO_MEMORY;
}

static void close_drawing(struct drawing *drawing)
{
    struct gws_runtime *runtime = drawing->runtime;
    const uint64_t edges = batch_items * gws__item_edges;
    for (uint64_t i = 0; i < drawing->blocks_held; i++) {
        gws_release(runtime, (void *)drawing->block[i].edge, block_arcs, sizeof *drawing->edge);
        gws_release(runtime, (void *)drawing->block[i].weight, block_arcs, sizeof *drawing->weight);
    }
    gws_release(runtime, drawing->edge, edges, sizeof *drawing->edge);
    gws_release(runtime, drawing->weight, edges, sizeof *drawing->weight);
    gws_release(runtime, drawing->drawn, batch_chunks, sizeof *drawing->drawn);
    gws_release(runtime, drawing->place, batch_chunks * (uint64_t)drawing->ranks, sizeof *drawing->place);
    gws_release(runtime, drawing->items, drawing->ranks, sizeof *drawing->items);
    gws_release(runtime, drawing->sent, 2 * edges, drawing->item_bytes);
    gws_release(runtime, drawing->block, drawing->blocks, sizeof *drawing->block);
}

/* The peak of lib/rank_graph.h for a part of mean size. Only kron: and uniform: have an arc twice for nearly each
 * item. */
static uint64_t mean_bytes(const struct drawing *drawing)
{
    const uint64_t arcs = 2 * (drawing->stream.items / drawing->ranks);
    return arcs * (drawing->stream.weighted ? 20 : 16) + 16 * drawing->graph->rows;
}

static gws_status generate(struct drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_rank_graph *graph = drawing->graph;
    gws_status status = gws__rank_graph_check_memory(drawing->runtime, mean_bytes(drawing), where);
    if (status == GWS_OK) status = open_drawing(drawing);
    status = gws__ranks_agree(graph->transport, status, where);
    if (status == GWS_OK) status = move_arcs(drawing, where);
    if (status != GWS_OK) return status;
    status = gws__ranks_agree(graph->transport, build_rows(drawing), where);
    if (status != GWS_OK) return status;
    graph->arcs = graph->offset[graph->rows];
    gws_transport_sum(graph->transport, &graph->arcs, 1);
    return GWS_OK;
}

static gws_status rank_graph_generate(struct gws_runtime *runtime, struct gws_transport *transport,
                                      const char *description, struct gws_rank_graph **graph,
                                      struct gws_diagnostic *where)
{
    struct drawing drawing = {.runtime = runtime, .ranks = gws_transport_ranks(transport)};
    gws_status status = gws__edge_stream_open(description, &drawing.stream, where);
    if (status != GWS_OK) return status; /* alike on all ranks */
    drawing.item_bytes = drawing.stream.weighted ? sizeof(struct sent_arc) : sizeof(struct gws_edge);
    status = gws__rank_graph_new(runtime, transport, drawing.stream.vertices, &drawing.graph);
    status = gws__ranks_agree(transport, status, where);
    if (status == GWS_OK) status = generate(&drawing, where);
    close_drawing(&drawing);
    if (status == GWS_OK)
        *graph = drawing.graph;
    else
        gws_rank_graph_destroy(drawing.graph);
    return status;
}

gws_status gws_rank_graph_generate(struct gws_runtime *runtime, struct gws_transport *transport,
                                   const char *description, struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, transport, where,
                           rank_graph_generate(runtime, transport, description, graph, where));
}
