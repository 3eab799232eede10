/* SPDX-License-Identifier: MIT */
/* The graph of all ranks' edges. */
#include "ranks.h"

gws_status gws__read_ranks_take_names(struct gws__read_ranks *ranks, struct gws_runtime *runtime,
                                      struct gws_graph **names)
{
    const struct gws_edges none = {0};
    *names = ranks->graph->names;
    ranks->graph->names = NULL;
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
    return status == GWS_OK ? gws__read_ranks_take_names(ranks, runtime, names) : status;
}
