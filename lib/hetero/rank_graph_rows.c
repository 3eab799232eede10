/* SPDX-License-Identifier: MIT */
/* Makes a graph of which each rank reads its own rows, so nothing is sent. */
#include "../graph/build.h"
#include "rank_graph.h"

/* Returns whether all ranks describe the same graph. Collective. */
static bool are_alike(struct gws_transport *transport, const struct gws_rank_rows *rows)
{
    enum { about = 3 };
    const uint64_t own[about] = {rows->vertices, rows->arcs,
                                 (uint64_t)rows->directed + 2 * (uint64_t)rows->weights + 4 * (uint64_t)rows->reals};
    uint64_t max[2 * about];
    for (int i = 0; i < about; i++) {
        max[i] = own[i];
        max[about + i] = ~own[i];
    }
    gws_transport_max(transport, max, 2 * about);
    for (int i = 0; i < about; i++)
        if (max[i] != ~max[about + i]) return false;
    return true;
}

static gws_status fail_offsets(struct gws_diagnostic *where)
{
    return gws_diagnostic_set(where, GWS_CORRUPT, NULL, 0, 0, "the offsets do not ascend from 0 to the number of arcs");
}

/* Reads the first and the last offset of this rank's rows. */
static gws_status read_ends(const struct gws_rank_rows *rows, const struct gws_rank_graph *graph, uint64_t end[2],
                            struct gws_diagnostic *where)
{
    const uint64_t first = graph->first, last = first + graph->rows;
    gws_status status = rows->read_offsets(rows->context, first, 1, &end[0]);
    if (status == GWS_OK) status = rows->read_offsets(rows->context, last, 1, &end[1]);
    if (status != GWS_OK) return status;
    const bool valid = end[0] <= end[1] && end[1] <= rows->arcs && (first > 0 || end[0] == 0) &&
                       (last < rows->vertices || end[1] == rows->arcs);
    return valid ? GWS_OK : fail_offsets(where);
}

static gws_status read_part(const struct gws_rank_rows *rows, const struct gws_rank_graph *graph, const uint64_t end[2],
                            const struct gws_graph *part, struct gws_diagnostic *where)
{
    const struct gws__graph_owner *owner = part->owner;
    uint64_t *offset = owner->owned[GWS__PART_OFFSET].memory;
    gws_status status = rows->read_offsets(rows->context, graph->first, graph->rows + 1, offset);
    if (status != GWS_OK) return status;
    if (offset[0] != end[0] || offset[graph->rows] != end[1]) return fail_offsets(where); /* changed meanwhile */
    for (uint64_t row = 0; row <= graph->rows; row++) offset[row] -= end[0];
    void *weight = owner->owned[rows->reals ? GWS__PART_REAL_WEIGHT : GWS__PART_WEIGHT].memory;
    return rows->read_arcs(rows->context, end[0], part->arcs, owner->owned[GWS__PART_TARGET].memory, weight);
}

/* Not collective. */
static gws_status make(struct gws_runtime *runtime, struct gws_transport *transport, const struct gws_rank_rows *rows,
                       struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    const enum gws__weight_kind kind = rows->reals     ? GWS__WEIGHT_REAL
                                       : rows->weights ? GWS__WEIGHT_INTEGER
                                                       : GWS__WEIGHT_NONE;
    struct gws_graph *part = NULL;
    uint64_t end[2];
    gws_status status = gws__rank_graph_new(runtime, transport, rows->vertices, graph);
    if (status != GWS_OK) return status;
    struct gws_rank_graph *made = *graph;
    made->arcs = rows->arcs;
    made->directed = rows->directed;
    status = read_ends(rows, made, end, where);
    if (status != GWS_OK) return status;
    const uint64_t arcs = end[1] - end[0], each = kind == GWS__WEIGHT_NONE ? 4 : 8;
    status = gws__rank_graph_check_memory(runtime, 8 * made->rows + each * arcs, where);
    if (status == GWS_OK) status = gws__graph_allocate(runtime, made->rows, arcs, kind, &part);
    if (status != GWS_OK || !part) return status;
    gws__rank_graph_set_rows(made, part);
    return read_part(rows, made, end, part, where);
}

static gws_status rank_graph_from_rows(struct gws_runtime *runtime, struct gws_transport *transport,
                                       const struct gws_rank_rows *rows, struct gws_rank_graph **graph,
                                       struct gws_diagnostic *where)
{
    struct gws_rank_graph *made = NULL;
    if (!are_alike(transport, rows))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the ranks have different graphs");
    gws_status status = gws_cancelled(runtime) ? GWS_CANCELLED : make(runtime, transport, rows, &made, where);
    status = gws__ranks_agree(transport, status, where);
    if (status == GWS_OK)
        *graph = made;
    else
        gws_rank_graph_destroy(made);
    return status;
}

gws_status gws_rank_graph_from_rows(struct gws_runtime *runtime, struct gws_transport *transport,
                                    const struct gws_rank_rows *rows, struct gws_rank_graph **graph,
                                    struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, transport, where, rank_graph_from_rows(runtime, transport, rows, graph, where));
}
