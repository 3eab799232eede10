/* SPDX-License-Identifier: MIT */
/* Feeds for the CSR build; see build.h. Edge blocks are handed on without copying. The arcs of a graph are written out
 * into the cursor's buffer, a few kilobytes at a time, so that the build knows one kind of input only. */
#include "build.h"

gws_status gws__feed_edges(const struct gws_edges *edges, struct gws__feed *feed)
{
    if (edges->vertices > GWS_NO_VERTEX) return GWS_TOO_LARGE;
    uint64_t count = 0, weighted = 0, filled = 0;
    for (uint64_t i = 0; i < edges->blocks; ++i) {
        const struct gws_edge_block *block = &edges->block[i];
        if (block->count > UINT64_MAX / 32 - count) return GWS_TOO_LARGE;
        count += block->count;
        filled += block->count != 0;
        weighted += block->count != 0 && block->weight;
    }
    if (weighted != 0 && weighted != filled) return GWS_INVALID;
    *feed = (struct gws__feed){.vertices = edges->vertices, .count = count, .weighted = weighted != 0, .edges = edges};
    return GWS_OK;
}

struct gws__feed gws__feed_graph(const struct gws_graph *graph)
{
    return (struct gws__feed){
        .vertices = graph->vertices, .count = graph->arcs, .weighted = graph->weight != NULL, .graph = graph};
}

static uint64_t row_of(const struct gws_graph *graph, uint64_t arc)
{
    uint64_t low = 0, high = graph->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->offset[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void gws__feed_open(struct gws__feed_cursor *cursor, const struct gws__feed *feed, uint64_t begin, uint64_t end)
{
    cursor->feed = feed;
    cursor->at = begin;
    cursor->end = end;
    cursor->part = 0;
    cursor->part_begin = 0;
    if (begin == end) return;
    if (!feed->edges) {
        cursor->part = row_of(feed->graph, begin);
        return;
    }
    while (begin - cursor->part_begin >= feed->edges->block[cursor->part].count)
        cursor->part_begin += feed->edges->block[cursor->part++].count;
}

static void next_of_edges(struct gws__feed_cursor *cursor, struct gws_edge_block *block)
{
    const struct gws_edge_block *whole = &cursor->feed->edges->block[cursor->part];
    uint64_t skip = cursor->at - cursor->part_begin;
    uint64_t count = whole->count - skip;
    if (count > cursor->end - cursor->at) count = cursor->end - cursor->at;
    block->edge = whole->edge + skip;
    block->weight = whole->weight ? whole->weight + skip : NULL;
    block->count = count;
    cursor->at += count;
    if (skip + count == whole->count) {
        cursor->part_begin += whole->count;
        ++cursor->part;
    }
}

/* Writes arcs at .. end - 1 of row `row` behind the `filled` ones in the buffer; returns how many there are then. */
static uint64_t write_arcs(struct gws__feed_cursor *cursor, uint64_t row, uint64_t end, uint64_t filled)
{
    const struct gws__feed *feed = cursor->feed;
    const struct gws_graph *graph = feed->graph;
    uint32_t from = feed->new_of_old ? feed->new_of_old[row] : (uint32_t)row;
    if (from == GWS_NO_VERTEX) return filled;
    for (uint64_t arc = cursor->at; arc < end; ++arc) {
        uint32_t to = feed->new_of_old ? feed->new_of_old[graph->target[arc]] : graph->target[arc];
        cursor->edge[filled] = feed->turned ? (struct gws_edge){to, from} : (struct gws_edge){from, to};
        if (graph->weight) cursor->weight[filled] = graph->weight[arc];
        filled += to != GWS_NO_VERTEX;
    }
    return filled;
}

static void next_of_graph(struct gws__feed_cursor *cursor, struct gws_edge_block *block)
{
    const struct gws_graph *graph = cursor->feed->graph;
    uint64_t filled = 0;
    while (cursor->at < cursor->end && filled < gws__feed_buffer) {
        while (graph->offset[cursor->part + 1] <= cursor->at) ++cursor->part;
        uint64_t end = graph->offset[cursor->part + 1];
        if (end > cursor->end) end = cursor->end;
        if (end - cursor->at > gws__feed_buffer - filled) end = cursor->at + gws__feed_buffer - filled;
        filled = write_arcs(cursor, cursor->part, end, filled);
        cursor->at = end;
    }
    *block =
        (struct gws_edge_block){.edge = cursor->edge, .weight = graph->weight ? cursor->weight : NULL, .count = filled};
}

bool gws__feed_next(struct gws__feed_cursor *cursor, struct gws_edge_block *block)
{
    if (cursor->at == cursor->end) return false;
    if (cursor->feed->edges)
        next_of_edges(cursor, block);
    else
        next_of_graph(cursor, block);
    return true;
}
