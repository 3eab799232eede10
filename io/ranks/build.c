/* SPDX-License-Identifier: MIT */
/* The graph of all ranks' edges. */
#include "ranks.h"

/* Moves the names from rank 0's part, which the caller completes. Other ranks get an empty graph. */
static gws_status take_names(struct gws_runtime *runtime, struct gws_rank_graph *graph, struct gws_graph **names)
{
    const struct gws_edges none = {0};
    *names = graph->names;
    graph->names = NULL;
    return *names ? GWS_OK : gws_graph_build(runtime, &none, NULL, names);
}

gws_status gws__read_ranks_build(struct gws__read_ranks *ranks, struct gws_runtime *runtime, gws_status status,
                                 const struct gws_edges *own, const struct gws_build_options *options,
                                 struct gws_graph **names)
{
    status = gws__read_ranks_agree(ranks, status);
    if (status != GWS_OK) return status;
    status = gws_rank_graph_build(runtime, ranks->transport, own, options, &ranks->graph, ranks->where);
    ranks->failed = status != GWS_OK;
    return status == GWS_OK ? take_names(runtime, ranks->graph, names) : status;
}
