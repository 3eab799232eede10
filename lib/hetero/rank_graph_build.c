/* SPDX-License-Identifier: MIT */
/* Graphs that all ranks build together. Each rank draws its edges, a batch at a time, in parallel: chunk by chunk into
 * fixed places. Each arc then goes to the owner of its source, with the number of the source's row there. The edges are
 * drawn twice, so that no rank keeps generated ones: first the owners count the arcs of their rows, then they put the
 * arcs into the rows. Edges that the caller lets the build drop are put into the rows in several passes
 * (rank_graph_drop.c). */
#include <string.h>

#include "../graph/build.h"
#include "rank_graph_draw.h"

enum {
    batch_grain = 1 << 13, /* arcs that a worker takes at a time */
    ahead = 16,            /* arcs between requesting memory and using it */
    drop_passes = 6        /* of rank_graph_drop.c at most, for progress */
};

/* ---- receiving ---- */

/* Adds 1 to a row's offset, and returns what it was. A single worker needs no atomic addition, which would wait for the
 * memory of one row after the other. relaxed: the calling thread reads the offsets after the loop's barrier. */
static inline uint64_t count_arc(const struct gws__drawing *drawing, uint32_t row)
{
    if (!drawing->serial) return atomic_fetch_add_explicit(&drawing->offset[row], 1, memory_order_relaxed);
    const uint64_t old = atomic_load_explicit(&drawing->offset[row], memory_order_relaxed);
    atomic_store_explicit(&drawing->offset[row], old + 1, memory_order_relaxed);
    return old;
}

/* Returns the row of a received arc. */
static inline uint32_t row_at(const struct gws__drawing *drawing, uint64_t i)
{
    uint32_t row;
    memcpy(&row, drawing->received + i * drawing->item_bytes, sizeof row);
    return row;
}

static void count_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__drawing *drawing = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        if (i + ahead < end) __builtin_prefetch((const void *)&drawing->offset[row_at(drawing, i + ahead)], 1);
        (void)count_arc(drawing, row_at(drawing, i));
    }
}

/* Requests the offset of an arc to come, and the place of the one halfway there. */
static inline void request(const struct gws__drawing *drawing, uint64_t i, uint64_t end)
{
    if (i + 2 * ahead >= end) return;
    __builtin_prefetch((const void *)&drawing->offset[row_at(drawing, i + 2 * ahead)], 1);
    const uint64_t place =
        atomic_load_explicit(&drawing->offset[row_at(drawing, i + ahead)], memory_order_relaxed); /* only a hint */
    __builtin_prefetch(&drawing->target[place], 1);
    if (drawing->weights) __builtin_prefetch(&drawing->weights[place], 1);
}

static void move_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__drawing *drawing = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        struct gws__sent_arc arc;
        request(drawing, i, end);
        if (drawing->weights)
            memcpy(&arc, drawing->received + i * sizeof arc, sizeof arc);
        else
            memcpy(&arc.edge, drawing->received + i * sizeof arc.edge, sizeof arc.edge);
        const uint64_t place = count_arc(drawing, arc.edge.from);
        drawing->target[place] = arc.edge.to;
        if (drawing->weights) drawing->weights[place] = arc.weight;
    }
}

static void take_arcs(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__drawing *drawing = context;
    (void)rank;
    drawing->received = data;
    if (drawing->status == GWS_OK)
        gws_parallel_for(drawing->runtime, items, batch_grain, drawing->moves ? move_arcs : count_arcs, drawing);
}

/* Draws and sends all batches. All ranks make as many steps. */
static gws_status run_pass(struct gws__drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_transport *transport = drawing->graph->transport;
    const uint64_t last = drawing->last, steps = drawing->steps, passes = drawing->droppable ? drop_passes : 2;
    drawing->end = drawing->first;
    for (uint64_t step = 0, failed = 0; step < steps && !failed; step++) {
        drawing->begin = drawing->end;
        drawing->end = last - drawing->begin < gws__batch_items ? last : drawing->begin + gws__batch_items;
        gws__draw_batch(drawing);
        failed = drawing->status != GWS_OK;
        const struct gws_exchange exchange = {.from = drawing->sent,
                                              .items = drawing->items,
                                              .item_bytes = drawing->item_bytes,
                                              .receive = take_arcs,
                                              .context = drawing,
                                              .sum = &failed,
                                              .sums = 1};
        gws_transport_exchange(transport, &exchange);
        gws_report_progress(drawing->runtime, drawing->phase, drawing->passes * steps + step + 1, passes * steps);
    }
    drawing->passes++;
    return gws__ranks_agree(transport, drawing->status, where);
}

/* Moves the arcs of edges that the build drops, in several passes. */
static gws_status move_droppable(struct gws__drawing *drawing, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    while (status == GWS_OK && gws__droppable_next(drawing)) {
        status = run_pass(drawing, where);
        if (status == GWS_OK) gws__droppable_drop(drawing);
    }
    return status;
}

/* ---- building ---- */

/* Makes the part and its offsets, all of them 0. */
static gws_status make_part(struct gws__drawing *drawing)
{
    const uint64_t rows = drawing->graph->rows;
    gws_status status = gws__graph_new(drawing->runtime, rows, 0, &drawing->graph->part);
    if (status != GWS_OK) return status;
    uint64_t *offset = gws_allocate(drawing->runtime, rows + 1, sizeof *offset);
    gws__graph_own(drawing->graph->part, GWS__PART_OFFSET, offset, rows + 1);
    if (!offset) return GWS_NO_MEMORY;
    memset(offset, 0, (rows + 1) * sizeof *offset);
    drawing->offset = (_Atomic uint64_t *)offset;
    return GWS_OK;
}

/* Makes the arrays of arcs, when their number is known. */
static gws_status make_arcs(struct gws__drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_graph *part = drawing->graph->part;
    const bool weighted = drawing->stream.weighted;
    const uint64_t arcs = part->arcs = gws__prefix_sum((uint64_t *)drawing->offset, part->vertices + 1);
    gws_status status = gws__rank_graph_check_memory(drawing->runtime, arcs * (weighted ? 8 : 4), where);
    if (status != GWS_OK) return status;
    drawing->target = gws_allocate(drawing->runtime, arcs, sizeof *drawing->target);
    gws__graph_own(part, GWS__PART_TARGET, drawing->target, arcs);
    if (weighted && drawing->target) {
        drawing->weights = gws_allocate(drawing->runtime, arcs, sizeof *drawing->weights);
        gws__graph_own(part, GWS__PART_WEIGHT, drawing->weights, arcs);
    }
    return drawing->target && (!weighted || drawing->weights) ? GWS_OK : GWS_NO_MEMORY;
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

/* Each row's offset is the end of its arcs, which is the beginning of the next row. Sorts the rows. */
static gws_status build_rows(struct gws__drawing *drawing)
{
    struct gws_graph *part = drawing->graph->part;
    uint64_t *offset = (uint64_t *)drawing->offset;
    memmove(offset + 1, offset, part->vertices * sizeof *offset);
    offset[0] = 0;
    gws_status status =
        gws__graph_sort_rows(drawing->runtime, part, drawing->stream.vertices, drawing->options.remove_duplicates);
    if (status == GWS_OK && drawing->real) status = make_real(drawing);
    if (status != GWS_OK) return status;
    part->directed = drawing->graph->directed = drawing->options.kind == GWS_BUILD_DIRECTED;
    gws__rank_graph_set_rows(drawing->graph, part);
    return GWS_OK;
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
    drawing->sent = gws_allocate(runtime, 2 * edges, sizeof(struct gws__sent_arc));
    return drawing->edge && drawing->weight && drawing->drawn && drawing->place && drawing->items && drawing->sent
               ? make_part(drawing)
               : GWS_NO_MEMORY;
}

static void close_drawing(struct gws__drawing *drawing)
{
    struct gws_runtime *runtime = drawing->runtime;
    const uint64_t edges = gws__batch_items * gws__item_edges;
    gws_release(runtime, drawing->edge, edges, sizeof *drawing->edge);
    gws_release(runtime, drawing->weight, edges, sizeof *drawing->weight);
    gws_release(runtime, drawing->drawn, gws__batch_chunks, sizeof *drawing->drawn);
    gws_release(runtime, drawing->place, gws__batch_chunks * (uint64_t)drawing->ranks, sizeof *drawing->place);
    gws_release(runtime, drawing->items, drawing->ranks, sizeof *drawing->items);
    gws_release(runtime, drawing->sent, 2 * edges, sizeof(struct gws__sent_arc));
}

/* The peak of lib/rank_graph.h for a part of mean size. Only kron: and uniform: have an arc twice for nearly each item
 * among the generators. */
static uint64_t mean_bytes(const struct gws__drawing *drawing)
{
    const uint64_t arcs = drawing->mean_items * (drawing->options.kind == GWS_BUILD_SYMMETRISE ? 2 : 1);
    return arcs * (drawing->stream.weighted ? 10 : 5) + 8 * drawing->graph->rows + 5000000;
}

static gws_status build_parts(struct gws__drawing *drawing, struct gws_diagnostic *where)
{
    struct gws_rank_graph *graph = drawing->graph;
    gws_status status = gws__rank_graph_check_memory(drawing->runtime, mean_bytes(drawing), where);
    if (status == GWS_OK) status = open_drawing(drawing);
    status = gws__ranks_agree(graph->transport, status, where);
    drawing->item_bytes = sizeof(uint32_t);
    if (status == GWS_OK) status = run_pass(drawing, where);
    if (status != GWS_OK) return status;
    status = gws__ranks_agree(graph->transport, make_arcs(drawing, where), where);
    drawing->moves = true;
    drawing->item_bytes = drawing->stream.weighted ? sizeof(struct gws__sent_arc) : sizeof(struct gws_edge);
    if (status == GWS_OK) status = drawing->droppable ? move_droppable(drawing, where) : run_pass(drawing, where);
    if (status != GWS_OK) return status;
    if (drawing->options.on_read) drawing->options.on_read(drawing->options.context);
    status = gws__ranks_agree(graph->transport, build_rows(drawing), where);
    if (status != GWS_OK) return status;
    graph->arcs = graph->offset[graph->rows];
    gws_transport_sum(graph->transport, &graph->arcs, 1);
    return GWS_OK;
}

gws_status gws__drawing_build(struct gws__drawing *drawing, struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = drawing->runtime;
    drawing->ranks = gws_transport_ranks(drawing->transport);
    drawing->serial = gws_runtime_workers(runtime) == 1;
    gws_status status = gws__rank_graph_new(runtime, drawing->transport, drawing->stream.vertices, &drawing->graph);
    status = gws__ranks_agree(drawing->transport, status, where);
    if (status == GWS_OK) status = build_parts(drawing, where);
    close_drawing(drawing);
    if (status == GWS_OK)
        *graph = drawing->graph;
    else
        gws_rank_graph_destroy(drawing->graph);
    return status;
}
