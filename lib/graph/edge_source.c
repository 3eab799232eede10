/* SPDX-License-Identifier: MIT */
/* The input of a build (build.h). A cursor returns the caller's edge blocks without copying. It copies the arcs of a
 * graph, and edges that the caller keeps in another form, to its buffer, a few kilobytes at a time. It converts real
 * weights to sort keys, so the build handles one kind of input only. */
#include "../range.h"
#include "build.h"

gws_status gws__edge_source_of_edges(const struct gws_edges *edges, const struct gws_build_options *options,
                                     struct gws__edge_source *source)
{
    if (edges->vertices > GWS_NO_VERTEX) return GWS_TOO_LARGE;
    uint64_t count = 0, filled = 0, integers = 0, reals = 0;
    for (uint64_t i = 0; i < edges->blocks; ++i) {
        const struct gws_edge_block *block = &edges->block[i];
        if (block->count > UINT64_MAX / 32 - count) return GWS_TOO_LARGE;
        count += block->count;
        filled += block->count != 0;
        integers += block->count != 0 && block->weight;
        reals += block->count != 0 && block->real_weight;
    }
    if ((integers != 0 && integers != filled) || (reals != 0 && reals != filled)) return GWS_INVALID;
    if (integers != 0 && reals != 0) return GWS_INVALID;
    enum gws__weight_kind kind = integers ? GWS__WEIGHT_INTEGER : reals ? GWS__WEIGHT_REAL : GWS__WEIGHT_NONE;
    *source =
        (struct gws__edge_source){.vertices = edges->vertices, .count = count, .weight_kind = kind, .edges = edges};
    if (options) source->read = options->read;
    if (options) source->context = options->context;
    return GWS_OK;
}

enum gws__weight_kind gws__weight_kind_of(const struct gws_graph *graph)
{
    if (graph->weight) return GWS__WEIGHT_INTEGER;
    return graph->real_weight ? GWS__WEIGHT_REAL : GWS__WEIGHT_NONE;
}

struct gws__edge_source gws__edge_source_of_graph(const struct gws_graph *graph)
{
    return (struct gws__edge_source){
        .vertices = graph->vertices, .count = graph->arcs, .weight_kind = gws__weight_kind_of(graph), .graph = graph};
}

void gws__edge_cursor_open(struct gws__edge_cursor *cursor, const struct gws__edge_source *source, uint64_t begin,
                           uint64_t end)
{
    cursor->not_finite = false;
    cursor->source = source;
    cursor->at = begin;
    cursor->end = end;
    cursor->part = 0;
    cursor->part_begin = 0;
    if (begin == end) return;
    if (!source->edges) {
        cursor->part = gws_bounds_find(source->graph->offset, 1, source->graph->vertices, begin);
        return;
    }
    while (begin - cursor->part_begin >= source->edges->block[cursor->part].count)
        cursor->part_begin += source->edges->block[cursor->part++].count;
}

/* Converts count weights into the cursor's buffer and returns the buffer. */
static const int32_t *read_keys(struct gws__edge_cursor *cursor, const float *real_weight, uint64_t count)
{
    bool finite = true;
    for (uint64_t i = 0; i < count; ++i) {
        finite &= gws__weight_is_finite(real_weight[i]);
        cursor->weight[i] = gws__weight_key(real_weight[i]);
    }
    cursor->not_finite |= !finite;
    return cursor->weight;
}

static void next_of_edges(struct gws__edge_cursor *cursor, struct gws_edge_block *block)
{
    const struct gws__edge_source *source = cursor->source;
    const struct gws_edge_block *whole = &source->edges->block[cursor->part];
    uint64_t skip = cursor->at - cursor->part_begin;
    uint64_t count = whole->count - skip;
    if (count > cursor->end - cursor->at) count = cursor->end - cursor->at;
    if ((whole->real_weight || !whole->edge) && count > GWS__CURSOR_EDGES) count = GWS__CURSOR_EDGES;
    *block = (struct gws_edge_block){.edge = whole->edge ? whole->edge + skip : cursor->edge, .count = count};
    if (!whole->edge && count > 0) source->read(source->context, cursor->part, skip, skip + count, cursor->edge);
    if (whole->weight) block->weight = whole->weight + skip;
    if (whole->real_weight) block->weight = read_keys(cursor, whole->real_weight + skip, count);
    cursor->at += count;
    if (skip + count == whole->count) {
        cursor->part_begin += whole->count;
        ++cursor->part;
    }
}

/* Appends the arcs up to end - 1 of row `row` to the `filled` arcs in the buffer. Returns the new number of arcs
 * there. */
static uint64_t write_arcs(struct gws__edge_cursor *cursor, uint64_t row, uint64_t end, uint64_t filled)
{
    const struct gws__edge_source *source = cursor->source;
    const struct gws_graph *graph = source->graph;
    uint32_t from = source->new_of_old ? source->new_of_old[row] : (uint32_t)(source->first + row);
    if (from == GWS_NO_VERTEX) return filled;
    for (uint64_t arc = cursor->at; arc < end; ++arc) {
        uint32_t to = source->new_of_old ? source->new_of_old[graph->target[arc]] : graph->target[arc];
        cursor->edge[filled] = source->reversed ? (struct gws_edge){to, from} : (struct gws_edge){from, to};
        if (graph->weight) cursor->weight[filled] = graph->weight[arc];
        if (graph->real_weight) cursor->weight[filled] = gws__weight_key(graph->real_weight[arc]);
        filled += to != GWS_NO_VERTEX;
    }
    return filled;
}

static void next_of_graph(struct gws__edge_cursor *cursor, struct gws_edge_block *block)
{
    const struct gws_graph *graph = cursor->source->graph;
    uint64_t filled = 0;
    while (cursor->at < cursor->end && filled < GWS__CURSOR_EDGES) {
        while (graph->offset[cursor->part + 1] <= cursor->at) ++cursor->part;
        uint64_t end = graph->offset[cursor->part + 1];
        if (end > cursor->end) end = cursor->end;
        if (end - cursor->at > GWS__CURSOR_EDGES - filled) end = cursor->at + GWS__CURSOR_EDGES - filled;
        filled = write_arcs(cursor, cursor->part, end, filled);
        cursor->at = end;
    }
    const bool weighted = cursor->source->weight_kind != GWS__WEIGHT_NONE;
    *block = (struct gws_edge_block){.edge = cursor->edge, .weight = weighted ? cursor->weight : NULL, .count = filled};
}

bool gws__edge_cursor_next(struct gws__edge_cursor *cursor, struct gws_edge_block *block)
{
    if (cursor->at == cursor->end) return false;
    if (cursor->source->edges)
        next_of_edges(cursor, block);
    else
        next_of_graph(cursor, block);
    return true;
}
