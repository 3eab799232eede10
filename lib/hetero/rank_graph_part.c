/* SPDX-License-Identifier: MIT */
/* Parts a graph that every rank has: each copies its own rows, and nothing is sent. */
#include <string.h>

#include "../graph/build.h"
#include "rank_graph.h"

/* Returns whether all ranks have graphs of the same size and kind. Collective. */
static bool are_alike(struct gws_transport *transport, const struct gws_graph *whole)
{
    enum { about = 4 };
    const uint64_t own[about] = {whole->vertices, whole->arcs,
                                 (uint64_t)gws__weight_kind_of(whole) * 2 + whole->directed, whole->reverse != NULL};
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

static void copy_rows(const struct gws_graph *whole, uint64_t first, struct gws_graph *part)
{
    const struct gws__graph_owner *owner = part->owner;
    const uint64_t base = whole->offset[first], arcs = part->arcs;
    uint64_t *offset = owner->owned[GWS__PART_OFFSET].memory;
    for (uint64_t row = 0; row <= part->vertices; row++) offset[row] = whole->offset[first + row] - base;
    if (arcs == 0) return;
    memcpy(owner->owned[GWS__PART_TARGET].memory, whole->target + base, arcs * sizeof *whole->target);
    if (whole->weight)
        memcpy(owner->owned[GWS__PART_WEIGHT].memory, whole->weight + base, arcs * sizeof *whole->weight);
    if (whole->real_weight)
        memcpy(owner->owned[GWS__PART_REAL_WEIGHT].memory, whole->real_weight + base,
               arcs * sizeof *whole->real_weight);
}

/* Not collective. */
static gws_status make_part(struct gws_runtime *runtime, struct gws_transport *transport, const struct gws_graph *whole,
                            struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    struct gws_graph *part = NULL;
    gws_status status = gws__rank_graph_new(runtime, transport, whole->vertices, graph);
    if (status != GWS_OK) return status;
    struct gws_rank_graph *made = *graph;
    const uint64_t begin = whole->offset[made->first], end = whole->offset[made->first + made->rows];
    const enum gws__weight_kind kind = gws__weight_kind_of(whole);
    if (begin > end || end > whole->arcs) return GWS_CORRUPT; /* a file that nobody checked */
    made->arcs = whole->arcs;
    made->directed = whole->directed;
    status = gws__rank_graph_check_memory(runtime, 8 * made->rows + (kind == GWS__WEIGHT_NONE ? 4 : 8) * (end - begin),
                                          where);
    if (status == GWS_OK) status = gws__graph_allocate(runtime, made->rows, end - begin, kind, &part);
    if (status != GWS_OK || !part) return status;
    gws__rank_graph_set_rows(made, part);
    copy_rows(whole, made->first, part);
    return whole->reverse ? make_part(runtime, transport, whole->reverse, &made->reverse, where) : GWS_OK;
}

static gws_status rank_graph_part(struct gws_runtime *runtime, struct gws_transport *transport,
                                  const struct gws_graph *whole, struct gws_rank_graph **graph,
                                  struct gws_diagnostic *where)
{
    struct gws_rank_graph *made = NULL;
    if (!are_alike(transport, whole))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the ranks have different graphs");
    gws_status status = gws_cancelled(runtime) ? GWS_CANCELLED : make_part(runtime, transport, whole, &made, where);
    if (status == GWS_OK && made->names) status = gws__graph_copy_names(runtime, whole, made->names);
    status = gws__ranks_agree(transport, status, where);
    if (status == GWS_OK)
        *graph = made;
    else
        gws_rank_graph_destroy(made);
    return status;
}

gws_status gws_rank_graph_part(struct gws_runtime *runtime, struct gws_transport *transport,
                               const struct gws_graph *whole, struct gws_rank_graph **graph,
                               struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, transport, where, rank_graph_part(runtime, transport, whole, graph, where));
}
