/* SPDX-License-Identifier: MIT */
/* The changes of gconvert. It removes loops and duplicates while it reads. Then it symmetrises, extracts the largest
 * component, and relabels, in this order. */
#include "../common/console.h"
#include "gconvert.h"

/* Replaces the session's graph with the changed one. */
static gws_status replace(struct session *session, gws_status status, struct gws_graph *graph)
{
    if (status == GWS_OK) gws_graph_destroy(session->graph);
    if (status == GWS_OK) session->graph = graph;
    return status;
}

static gws_status relabel(struct session *session, enum gws_order order, uint64_t seed)
{
    struct gws_runtime *runtime = session->runtime;
    struct gws_graph *graph = NULL;
    const uint64_t vertices = session->graph->vertices;
    uint32_t *new_of_old = gws_allocate(runtime, vertices, sizeof *new_of_old);
    if (!new_of_old) return GWS_NO_MEMORY;
    console_progress_begin("relabelling", session->name);
    gws_status status = gws_graph_order(runtime, session->graph, order, seed, new_of_old);
    if (status == GWS_OK) status = gws_graph_relabel(runtime, session->graph, new_of_old, vertices, &graph);
    gws_release(runtime, new_of_old, vertices, sizeof *new_of_old);
    return replace(session, status, graph);
}

typedef gws_status remake(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph **to);

static gws_status change_by(struct session *session, const char *work, remake *make)
{
    struct gws_graph *graph = NULL;
    console_progress_begin(work, session->name);
    gws_status status = make(session->runtime, session->graph, &graph);
    return replace(session, status, graph);
}

gws_status convert_change(struct session *session, const struct convert_settings *settings, bool keep_ids)
{
    gws_status status = settings->symmetrise ? change_by(session, "symmetrising", gws_graph_symmetrise) : GWS_OK;
    if (status == GWS_OK && settings->largest)
        status = change_by(session, "looking for the largest component of", gws_graph_largest_component);
    if (status == GWS_OK && settings->relabel != RELABEL_NONE)
        status = relabel(session, (enum gws_order)(settings->relabel - 1), settings->session.options.seed);
    /* A reader of text would put the vertices into the order of their ids again. Names stay in any case. */
    if (status == GWS_OK && settings->relabel != RELABEL_NONE && !keep_ids) gws_graph_set_first_id(session->graph, 0);
    console_progress_end();
    return status;
}
