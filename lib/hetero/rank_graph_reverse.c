/* SPDX-License-Identifier: MIT */
/* The reverse of a parted graph: a build from the arcs of all parts, reversed. */
#include <string.h>

#include "rank_graph.h"

static bool same(const void *a, const void *b, uint64_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

/* Compares values, not bytes, because -0 and 0 are equal. */
static bool same_reals(const float *a, const float *b, uint64_t count)
{
    uint64_t i = 0;
    while (i < count && a[i] == b[i]) i++;
    return i == count;
}

/* Returns whether this rank has the same rows in both graphs. */
static bool rows_are_equal(const struct gws_rank_graph *a, const struct gws_rank_graph *b)
{
    const uint64_t arcs = a->offset[a->rows];
    return same(a->offset, b->offset, (a->rows + 1) * sizeof *a->offset) &&
           same(a->target, b->target, arcs * sizeof *a->target) &&
           (!a->weight || same(a->weight, b->weight, arcs * sizeof *a->weight)) &&
           (!a->real_weight || same_reals(a->real_weight, b->real_weight, arcs));
}

static gws_status rank_graph_add_reverse(struct gws_runtime *runtime, struct gws_rank_graph *graph,
                                         struct gws_diagnostic *where)
{
    const struct gws_build_options options = {.kind = GWS_BUILD_DIRECTED};
    struct gws_rank_graph *reverse = NULL;
    if (!graph->directed || graph->reverse) return GWS_OK;
    struct gws__edge_source source = gws__edge_source_of_graph(graph->part);
    source.vertices = graph->vertices;
    source.first = graph->first;
    source.reversed = true;
    gws_status status = gws_cancelled(runtime) ? GWS_CANCELLED : GWS_OK;
    status = gws__ranks_agree(graph->transport, status, where);
    if (status == GWS_OK) status = gws__rank_graph_build(runtime, graph->transport, &source, &options, &reverse, where);
    if (status != GWS_OK) return status;
    uint64_t differ = !rows_are_equal(graph, reverse);
    gws_transport_max(graph->transport, &differ, 1);
    graph->directed = differ > 0;
    if (differ > 0)
        graph->reverse = reverse;
    else
        gws_rank_graph_destroy(reverse);
    return GWS_OK;
}

gws_status gws_rank_graph_add_reverse(struct gws_runtime *runtime, struct gws_rank_graph *graph,
                                      struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where, rank_graph_add_reverse(runtime, graph, where));
}
