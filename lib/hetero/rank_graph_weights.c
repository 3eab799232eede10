/* SPDX-License-Identifier: MIT */
/* Random weights of a parted graph. They are hashes of the arcs' ends, so each rank draws its own. */
#include "../graph/build.h"
#include "rank_graph.h"

static gws_status draw(struct gws_runtime *runtime, struct gws_rank_graph *graph, int32_t min, int32_t max,
                       uint64_t seed)
{
    gws_status status = gws__graph_draw_weights(runtime, graph->part, graph->first, min, max, seed);
    if (status == GWS_OK) gws__rank_graph_set_rows(graph, graph->part);
    return status;
}

static gws_status rank_graph_draw_weights(struct gws_runtime *runtime, struct gws_rank_graph *graph, int32_t min,
                                          int32_t max, uint64_t seed, struct gws_diagnostic *where)
{
    gws_status status = draw(runtime, graph, min, max, seed);
    if (status == GWS_OK && graph->reverse) status = draw(runtime, graph->reverse, min, max, seed);
    return gws__ranks_agree(graph->transport, status, where);
}

gws_status gws_rank_graph_draw_weights(struct gws_runtime *runtime, struct gws_rank_graph *graph, int32_t min,
                                       int32_t max, uint64_t seed, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where,
                           rank_graph_draw_weights(runtime, graph, min, max, seed, where));
}
