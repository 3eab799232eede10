/* SPDX-License-Identifier: MIT */
/* Edges that a build of ranks drops while it fills the rows.
 *
 * The edges of a rank take 8 bytes each, and the rows 4 bytes for each arc, so an undirected graph's edges take as much
 * as its rows. A pass fills consecutive rows of each rank. Afterwards an edge whose ends both have filled rows is
 * needed no more. If the passes before have dropped a share d of the edges, a pass fills the rows up to a share d +
 * excess of the arcs. So edges and rows together take 1 + excess of the rows' size at most, if
 * the edges lie in random order.
 *
 * When the rows of a share x are filled, the ends of a share x * x of random edges are. So the least possible excess is
 * 0.25, the maximum of x - x * x. Each pass reads all edges that are left; with 0.5, three passes suffice. A rank whose
 * edges lie in another order may drop less. A pass then fills a share min_step all the same. */
#include <string.h>

#include "rank_graph_draw.h"

static const double excess = 0.5, min_step = 0.125;

static uint64_t groups_of(const struct gws__edge_source *source)
{
    return source->vertices / 64 + 1;
}

/* gws__edge_stream's draw: copies the edges of which the pass sends an arc. */
static uint64_t draw_droppable(const struct gws__edge_stream *stream, uint64_t begin, uint64_t end,
                               struct gws_edge *edge, int32_t *weight)
{
    const struct gws__droppable *droppable = stream->of.droppable;
    struct gws__edge_cursor cursor;
    struct gws_edge_block block;
    uint64_t count = 0;
    gws__edge_cursor_open(&cursor, &droppable->source, begin, end);
    while (gws__edge_cursor_next(&cursor, &block)) {
        if (droppable->pass == 0 && block.count > 0) { /* all edges */
            memcpy(edge + count, block.edge, block.count * sizeof *edge);
            if (stream->weighted) memcpy(weight + count, block.weight, block.count * sizeof *weight);
            count += block.count;
            continue;
        }
        for (uint64_t i = 0; i < block.count; i++) {
            edge[count] = block.edge[i]; /* without a branch, which would often be mispredicted */
            if (stream->weighted) weight[count] = block.weight[i];
            count += (uint64_t)gws__droppable_sends(droppable, edge[count].from) |
                     (uint64_t)gws__droppable_sends(droppable, edge[count].to);
        }
    }
    return count;
}

gws_status gws__droppable_open(struct gws__drawing *drawing, struct gws__droppable *droppable,
                               const struct gws__edge_source *source)
{
    const struct gws_edges *given = source->edges;
    *droppable = (struct gws__droppable){.given = source, .source = *source};
    droppable->block = gws_allocate(drawing->runtime, given->blocks, sizeof *droppable->block);
    droppable->high = gws_allocate(drawing->runtime, gws_transport_ranks(drawing->transport), sizeof *droppable->high);
    droppable->pass_of = gws_allocate(drawing->runtime, groups_of(source), sizeof *droppable->pass_of);
    drawing->droppable = droppable;
    drawing->stream.draw = draw_droppable;
    drawing->stream.of.droppable = droppable;
    if (!droppable->block || !droppable->high || !droppable->pass_of) return GWS_NO_MEMORY;
    if (given->blocks > 0) memcpy(droppable->block, given->block, given->blocks * sizeof *droppable->block);
    memset(droppable->pass_of, 0, groups_of(source) * sizeof *droppable->pass_of);
    droppable->edges = *given;
    droppable->edges.block = droppable->block;
    droppable->source.edges = &droppable->edges;
    return GWS_OK;
}

void gws__droppable_close(const struct gws__drawing *drawing, const struct gws__droppable *droppable)
{
    gws_release(drawing->runtime, droppable->block, droppable->given->edges->blocks, sizeof *droppable->block);
    gws_release(drawing->runtime, droppable->high, gws_transport_ranks(drawing->transport), sizeof *droppable->high);
    gws_release(drawing->runtime, droppable->pass_of, groups_of(droppable->given), sizeof *droppable->pass_of);
}

/* ---- choosing rows ---- */

/* Returns the first row from `row` on that does not begin before that arc, in the rows that are not filled. */
static uint64_t find_row(const struct gws__drawing *drawing, uint64_t row, uint64_t arc)
{
    uint64_t end = drawing->graph->rows;
    while (row < end) {
        const uint64_t middle = row + (end - row) / 2;
        /* relaxed: no worker runs now */
        if (atomic_load_explicit(&drawing->offset[middle], memory_order_relaxed) < arc)
            row = middle + 1;
        else
            end = middle;
    }
    return row;
}

/* Marks the rows of all ranks up to their high. */
static void mark_rows(const struct gws__drawing *drawing)
{
    const struct gws__droppable *droppable = drawing->droppable;
    for (uint32_t r = 0; r < drawing->ranks; r++) {
        const uint64_t first = r * drawing->graph->block / 64;
        for (uint64_t group = 0; group * 64 < droppable->high[r]; group++)
            if (droppable->pass_of[first + group] == 0) droppable->pass_of[first + group] = droppable->pass;
    }
}

bool gws__droppable_next(struct gws__drawing *drawing)
{
    struct gws__droppable *droppable = drawing->droppable;
    const struct gws_rank_graph *graph = drawing->graph;
    const uint32_t rank = gws_transport_rank(drawing->transport);
    const double by_edges = droppable->dropped + excess, by_step = droppable->filled + min_step;
    if (droppable->filled >= 1) return false;
    droppable->filled = by_edges > by_step ? by_edges : by_step;
    if (droppable->filled < 1) {
        const uint64_t row =
            find_row(drawing, droppable->row, (uint64_t)(droppable->filled * (double)graph->part->arcs));
        droppable->row = (row + 63) / 64 * 64 < graph->rows ? (row + 63) / 64 * 64 : graph->rows;
    } else {
        droppable->row = graph->rows;
    }
    memset(droppable->high, 0, drawing->ranks * sizeof *droppable->high);
    droppable->high[rank] = droppable->row;
    gws_transport_sum(drawing->transport, droppable->high, drawing->ranks);
    droppable->pass++;
    mark_rows(drawing);
    return true;
}

/* ---- dropping ---- */

/* Returns 1 if a later pass sends an arc of the edge, else 0, without a branch. */
static inline uint64_t is_needed(const struct gws__drawing *drawing, struct gws_edge edge)
{
    const uint8_t *pass_of = drawing->droppable->pass_of;
    const bool back = gws__edge_has_back(drawing, edge);
    return (uint64_t)!gws__edge_is_dropped(drawing, edge) &
           ((uint64_t)(pass_of[edge.from / 64] == 0) | ((uint64_t)back & (uint64_t)(pass_of[edge.to / 64] == 0)));
}

/* The entries of a block, which the caller lets the build overwrite. All weights are words of 4 bytes. */
static struct gws_edge *edges_of(const struct gws_edge_block *block)
{
    return (struct gws_edge *)(uintptr_t)block->edge;
}

static char *weights_of(const struct gws_edge_block *block)
{
    return block->weight ? (char *)(uintptr_t)block->weight : (char *)(uintptr_t)block->real_weight;
}

enum { weight_bytes = sizeof(int32_t) };

static inline void move_edges(const struct gws_edge_block *from, uint64_t at, const struct gws_edge_block *to,
                              uint64_t place, uint64_t count)
{
    memmove(edges_of(to) + place, from->edge + at, count * sizeof *from->edge);
    if (weights_of(from))
        memmove(weights_of(to) + place * weight_bytes, weights_of(from) + at * weight_bytes, count * weight_bytes);
}

/* Moves the edges that are needed to the front of their blocks. */
static void filter_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__drawing *drawing = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        struct gws_edge_block *block = &drawing->droppable->block[i];
        uint64_t count = 0;
        for (uint64_t e = 0; e < block->count; e++) {
            const struct gws_edge edge = block->edge[e];
            move_edges(block, e, block, count, 1);
            count += is_needed(drawing, edge);
        }
        block->count = count;
    }
}

/* Fills the first blocks with the edges of the last ones, and gives back the blocks that become empty. */
static void pack_blocks(const struct gws__drawing *drawing)
{
    const struct gws__droppable *droppable = drawing->droppable;
    struct gws_edge_block *block = droppable->block;
    for (uint64_t first = 0, end = droppable->edges.blocks; first < end;) {
        struct gws_edge_block *last = &block[end - 1];
        const uint64_t free = droppable->given->edges->block[first].count - block[first].count;
        const uint64_t count = first + 1 == end ? 0 : free < last->count ? free : last->count;
        move_edges(last, last->count - count, &block[first], block[first].count, count);
        block[first].count += count;
        last->count -= count;
        if (last->count == 0) {
            if (last->edge) drawing->options.on_block_read(drawing->options.context, end - 1);
            last->edge = NULL;
            end--;
        } else {
            first++;
        }
    }
}

void gws__droppable_drop(struct gws__drawing *drawing)
{
    struct gws__droppable *droppable = drawing->droppable;
    uint64_t count = 0;
    if (droppable->filled >= 1) return; /* the caller frees all edges */
    gws_parallel_for(drawing->runtime, droppable->edges.blocks, 1, filter_blocks, drawing);
    pack_blocks(drawing);
    for (uint64_t i = 0; i < droppable->edges.blocks; i++) count += droppable->block[i].count;
    drawing->last = droppable->source.count = count;
    /* The largest number of edges that a rank still has, and the largest share of its edges, in millionths. */
    uint64_t left[] = {count, droppable->given->count > 0 ? count * 1000000 / droppable->given->count : 0};
    gws_transport_max(drawing->transport, left, 2);
    drawing->steps = (left[0] + gws__batch_items - 1) / gws__batch_items;
    droppable->dropped = 1 - (double)left[1] / 1e6;
}
