/* SPDX-License-Identifier: MIT */
/* Builds the graph of a generator without its edges in memory. The generator draws all edges again for each window of
 * rows. The scatter keeps the arcs of the window, and its rows are finished before the next window. */
#include <string.h>

#include "build.h"
#include "generate.h"

struct drawn_rows {
    const struct gws__edge_stream *stream;
    struct gws__scatter scatter;
    uint64_t arcs; /* of the window, while its arrays exist */
};

static void draw(void *context, uint64_t block, uint64_t begin, uint64_t end, struct gws_edge *edge)
{
    const struct gws__edge_stream *stream = ((const struct drawn_rows *)context)->stream;
    (void)block;
    (void)stream->draw(stream, begin, end, edge, NULL);
}

static void free_window(struct drawn_rows *drawn)
{
    struct gws__scatter *scatter = &drawn->scatter;
    gws_release(scatter->runtime, scatter->target, drawn->arcs, sizeof *scatter->target);
    gws_release(scatter->runtime, scatter->low, drawn->arcs, sizeof *scatter->low);
    scatter->target = NULL;
    scatter->low = NULL;
}

static gws_status prepare(void *context, uint64_t first, uint64_t end)
{
    struct drawn_rows *drawn = context;
    struct gws__scatter *scatter = &drawn->scatter;
    scatter->window = first;
    scatter->window_end = end;
    drawn->arcs = scatter->start[end] - scatter->start[first];
    scatter->target = gws_allocate(scatter->runtime, drawn->arcs, sizeof *scatter->target);
    scatter->low = gws_allocate(scatter->runtime, drawn->arcs, sizeof *scatter->low);
    gws_report_progress(scatter->runtime, "building", scatter->start[first], scatter->arcs);
    return scatter->target && scatter->low ? gws__scatter_move(scatter) : GWS_NO_MEMORY;
}

static void fill(void *context, uint64_t bucket, const struct gws__arcs *arcs)
{
    const struct drawn_rows *drawn = context;
    const struct gws__scatter *scatter = &drawn->scatter;
    const uint64_t at = scatter->start[bucket] - scatter->start[scatter->window];
    memcpy(arcs->target, scatter->target + at, arcs->count * sizeof *arcs->target);
    memcpy(arcs->low, scatter->low + at, arcs->count * sizeof *arcs->low);
}

static void filled(void *context, uint64_t end)
{
    (void)end;
    free_window(context);
}

static gws_status draw_rows(struct drawn_rows *drawn, uint64_t windows, struct gws_graph *graph)
{
    const struct gws__scatter *scatter = &drawn->scatter;
    const struct gws__row_source rows = {.context = drawn,
                                         .shift = scatter->shift,
                                         .target_bits = gws__bits_below(graph->vertices),
                                         .buckets = scatter->buckets,
                                         .start = scatter->start,
                                         .windows = windows,
                                         .prepare = prepare,
                                         .fill = fill,
                                         .filled = filled};
    gws_status status = gws__graph_fill_rows(scatter->runtime, graph, &rows, true);
    free_window(drawn);
    return status;
}

gws_status gws__graph_draw(struct gws_runtime *runtime, const struct gws__edge_stream *stream, uint64_t windows,
                           struct gws_graph **graph)
{
    const struct gws_edge_block block = {.count = stream->items};
    const struct gws_edges edges = {.vertices = stream->vertices, .blocks = 1, .block = &block};
    struct drawn_rows drawn = {.stream = stream};
    const struct gws__edge_source source = {
        .vertices = stream->vertices, .count = stream->items, .edges = &edges, .read = draw, .context = &drawn};
    struct gws_graph *made = NULL;
    drawn.scatter = (struct gws__scatter){.runtime = runtime, .source = &source, .both = true, .drop_loops = true};
    gws_status status = gws__scatter_count(&drawn.scatter);
    if (status == GWS_OK)
        status = gws__graph_allocate(runtime, stream->vertices, drawn.scatter.arcs, GWS__WEIGHT_NONE, &made);
    if (status == GWS_OK) status = draw_rows(&drawn, windows, made);
    gws__scatter_clear(&drawn.scatter);
    if (status != GWS_OK) {
        gws_graph_destroy(made);
        return status;
    }
    made->directed = false;
    *graph = made;
    return GWS_OK;
}
