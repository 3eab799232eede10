/* SPDX-License-Identifier: MIT */
/* What ranks build graphs from: the edges of a generator, of which each rank draws a slice of the items
 * (lib/graph/generate.h), or edges that each rank has. */
#include <string.h>

#include "rank_graph_draw.h"

/* ---- a generator ---- */

static gws_status rank_graph_generate(struct gws_runtime *runtime, struct gws_transport *transport,
                                      const char *description, struct gws_rank_graph **graph,
                                      struct gws_diagnostic *where)
{
    struct gws__drawing drawing = {.runtime = runtime, .transport = transport, .phase = "generating"};
    const uint64_t rank = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    gws_status status = gws__edge_stream_open(description, &drawing.stream, where);
    if (status != GWS_OK) return status; /* alike on all ranks */
    const uint64_t total = drawing.stream.items, each = total / ranks + 1;
    drawing.options = (struct gws_build_options){.kind = GWS_BUILD_SYMMETRISE,
                                                 .remove_loops = drawing.stream.simple,
                                                 .remove_duplicates = drawing.stream.simple};
    drawing.first = rank * each < total ? rank * each : total;
    drawing.last = (rank + 1) * each < total ? (rank + 1) * each : total;
    drawing.steps = (each + gws__batch_items - 1) / gws__batch_items;
    drawing.mean_items = total / ranks;
    status = gws__drawing_build(&drawing, graph, where);
    if (status != GWS_OK) return status;
    uint64_t longest = (uint64_t)(drawing.draw_ms * 1e6);
    gws_transport_max(transport, &longest, 1);
    (*graph)->draw_ms = (double)longest * 1e-6;
    return GWS_OK;
}

gws_status gws_rank_graph_generate(struct gws_runtime *runtime, struct gws_transport *transport,
                                   const char *description, struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, transport, where,
                           rank_graph_generate(runtime, transport, description, graph, where));
}

/* ---- edges that each rank has ---- */

static uint64_t draw_source(const struct gws__edge_stream *stream, uint64_t begin, uint64_t end, struct gws_edge *edge,
                            int32_t *weight)
{
    struct gws__edge_cursor cursor;
    struct gws_edge_block block;
    uint64_t count = 0;
    gws__edge_cursor_open(&cursor, stream->of.source, begin, end);
    while (gws__edge_cursor_next(&cursor, &block)) {
        if (block.count == 0) continue;
        memcpy(edge + count, block.edge, block.count * sizeof *edge);
        if (stream->weighted) memcpy(weight + count, block.weight, block.count * sizeof *weight);
        count += block.count;
    }
    return count;
}

gws_status gws__rank_graph_build(struct gws_runtime *runtime, struct gws_transport *transport,
                                 const struct gws__edge_source *source, const struct gws_build_options *options,
                                 struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    struct gws__drawing drawing = {.runtime = runtime,
                                   .transport = transport,
                                   .phase = "building",
                                   .options = *options,
                                   .real = source->weight_kind == GWS__WEIGHT_REAL,
                                   .last = source->count};
    uint64_t total = source->count, max = source->count;
    drawing.stream = (struct gws__edge_stream){.vertices = source->vertices,
                                               .items = source->count,
                                               .weighted = source->weight_kind != GWS__WEIGHT_NONE,
                                               .draw = draw_source,
                                               .of.source = source};
    gws_transport_sum(transport, &total, 1);
    gws_transport_max(transport, &max, 1);
    drawing.mean_items = total / gws_transport_ranks(transport);
    drawing.steps = (max + gws__batch_items - 1) / gws__batch_items;
    if (options->on_block_read) drawing.edges = source->edges;
    return gws__drawing_build(&drawing, graph, where);
}

struct edge_check {
    const struct gws__edge_source *source;
    atomic_bool out_of_range, not_finite; /* relaxed: read after the loop's barrier */
};

static void check_edges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct edge_check *check = context;
    struct gws__edge_cursor cursor;
    struct gws_edge_block block;
    uint32_t max = 0;
    (void)worker;
    gws__edge_cursor_open(&cursor, check->source, begin, end);
    while (gws__edge_cursor_next(&cursor, &block)) {
        for (uint64_t i = 0; i < block.count; i++) {
            const uint32_t from = block.edge[i].from, to = block.edge[i].to;
            max = from > max ? from : max;
            max = to > max ? to : max;
        }
    }
    if (begin < end && max >= check->source->vertices)
        atomic_store_explicit(&check->out_of_range, true, memory_order_relaxed);
    if (cursor.not_finite) atomic_store_explicit(&check->not_finite, true, memory_order_relaxed);
}

/* Makes the source of this rank's edges, and checks them. */
static gws_status open_source(struct gws_runtime *runtime, const struct gws_edges *edges,
                              const struct gws_build_options *options, struct gws__edge_source *source)
{
    gws_status status = gws__edge_source_of_edges(edges, options, source);
    if (status != GWS_OK) return status;
    struct edge_check check = {.source = source};
    status = gws_parallel_try_for(runtime, source->count, 1 << 16, check_edges, &check);
    if (status != GWS_OK) return status;
    if (atomic_load_explicit(&check.out_of_range, memory_order_relaxed)) return GWS_OUT_OF_RANGE;
    return atomic_load_explicit(&check.not_finite, memory_order_relaxed) ? GWS_INVALID : GWS_OK;
}

/* Sets the kind of weights to that of all ranks with edges. */
static gws_status unify(struct gws_transport *transport, struct gws__edge_source *source, struct gws_diagnostic *where)
{
    enum { kinds = GWS__WEIGHT_REAL + 1 };
    uint64_t found[kinds + 2] = {0}; /* ranks with each kind; then the vertices and their complement */
    if (source->count > 0) found[source->weight_kind] = 1;
    found[kinds] = source->vertices;
    found[kinds + 1] = ~source->vertices;
    gws_transport_max(transport, found, kinds + 2);
    if (found[0] + found[1] + found[2] > 1 || found[kinds] != ~found[kinds + 1])
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the ranks have edges of different graphs");
    source->weight_kind = found[GWS__WEIGHT_REAL]      ? GWS__WEIGHT_REAL
                          : found[GWS__WEIGHT_INTEGER] ? GWS__WEIGHT_INTEGER
                                                       : GWS__WEIGHT_NONE;
    return GWS_OK;
}

static gws_status rank_graph_build(struct gws_runtime *runtime, struct gws_transport *transport,
                                   const struct gws_edges *edges, const struct gws_build_options *options,
                                   struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    static const struct gws_build_options everything = {.kind = GWS_BUILD_DIRECTED};
    struct gws__edge_source source = {0};
    gws_status status = gws__ranks_agree(transport, open_source(runtime, edges, options, &source), where);
    if (status == GWS_OK) status = unify(transport, &source, where);
    return status == GWS_OK
               ? gws__rank_graph_build(runtime, transport, &source, options ? options : &everything, graph, where)
               : status;
}

gws_status gws_rank_graph_build(struct gws_runtime *runtime, struct gws_transport *transport,
                                const struct gws_edges *edges, const struct gws_build_options *options,
                                struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, transport, where,
                           rank_graph_build(runtime, transport, edges, options, graph, where));
}
