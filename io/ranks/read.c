/* SPDX-License-Identifier: MIT */
/* Reading a graph on all ranks. */
#include "../rank_graph_io.h"
#include "../text/reader.h"
#include "ranks.h"

static gws_status read_path(struct gws_runtime *runtime, const char *path, const struct gws_read_options *options,
                            struct gws__read_ranks *ranks, struct gws_graph **read)
{
    gws_status status = gws__graph_read_path(runtime, path, options, ranks, read, ranks->where);
    if (!ranks->failed) status = gws__read_ranks_agree(ranks, status);
    if (status == GWS_OK) return GWS_OK;
    gws_graph_destroy(*read);
    gws_rank_graph_destroy(ranks->graph);
    return status;
}

/* Parts a graph that rank 0 has read. */
static gws_status part_whole(struct gws_runtime *runtime, struct gws__read_ranks *ranks, struct gws_graph *read)
{
    gws_status status = gws_rank_graph_spread(runtime, ranks->transport, read, &ranks->graph, ranks->where);
    gws_graph_destroy(read);
    return status;
}

static void set_names(const struct gws__read_ranks *ranks, struct gws_graph *names)
{
    if (gws__read_ranks_first(ranks))
        ranks->graph->names = names;
    else
        gws_graph_destroy(names);
}

gws_status gws_rank_graph_read(struct gws_runtime *runtime, struct gws_transport *transport, const char *path,
                               const struct gws_read_options *options, struct gws_rank_graph **graph,
                               struct gws_diagnostic *where)
{
    struct gws__read_ranks ranks = {.transport = transport, .where = where};
    struct gws_graph *read = NULL;
    const gws_status own = gws_call_begin(runtime);
    gws_status status = gws_transport_agree_on(transport, own, where);
    if (status == GWS_OK) status = read_path(runtime, path, options, &ranks, &read);
    if (own == GWS_OK) status = gws_call_end(runtime, status);
    if (status != GWS_OK) return status;
    if (ranks.graph)
        set_names(&ranks, read);
    else
        status = part_whole(runtime, &ranks, read);
    if (status != GWS_OK) return status;
    ranks.graph->bytes_read = atomic_load_explicit(&ranks.bytes_read, memory_order_relaxed);
    *graph = ranks.graph;
    return GWS_OK;
}
