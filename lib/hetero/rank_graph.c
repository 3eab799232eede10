/* SPDX-License-Identifier: MIT */
/* Parts of graphs: making and freeing them, and parting a graph of rank 0. Blocks of consecutive vertices keep the
 * neighbours of a road map on one rank, and lie in one piece in rank 0's arrays, which therefore are sent as they are.
 */
#include "rank_graph.h"

#include <inttypes.h>
#include <string.h>

#include "../base/memory.h"
#include "../graph/build.h"

/* ---- making and freeing ---- */

/* One allocation. */
struct part_shell {
    struct gws_rank_graph graph;
    struct gws__rank_rows shared;
};

static uint64_t first_of(const struct gws_rank_graph *graph, uint64_t rank)
{
    return gws_smaller(rank * graph->block, graph->vertices);
}

gws_status gws__rank_graph_new(struct gws_runtime *runtime, struct gws_transport *transport, uint64_t vertices,
                               struct gws_rank_graph **graph)
{
    const uint64_t rank = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    struct part_shell *shell = gws_allocate(runtime, 1, sizeof *shell);
    if (!shell) return GWS_NO_MEMORY;
    struct gws_rank_graph *made = &shell->graph;
    *shell = (struct part_shell){.graph = {.transport = transport, .vertices = vertices, .shared = &shell->shared}};
    made->block = gws_smaller(((vertices + ranks - 1) / ranks + 63) / 64 * 64, UINT64_C(1) << 32);
    if (made->block == 0) made->block = 64;
    made->first = first_of(made, rank);
    made->rows = first_of(made, rank + 1) - made->first;
    made->allocator = *allocator;
    gws_status status = rank == 0 ? gws__graph_new(runtime, vertices, 0, &made->names) : GWS_OK;
    if (status == GWS_OK)
        *graph = made;
    else
        gws_rank_graph_destroy(made);
    return status;
}

void gws__rank_graph_set_rows(struct gws_rank_graph *graph, struct gws_graph *part)
{
    graph->part = part;
    graph->offset = part->offset;
    graph->target = part->target;
    graph->weight = part->weight;
    graph->real_weight = part->real_weight;
}

void gws_rank_graph_destroy(struct gws_rank_graph *graph)
{
    if (!graph) return;
    const struct gws_allocator allocator = graph->allocator;
    gws_rank_graph_destroy(graph->reverse);
    gws_graph_destroy(graph->names);
    gws__pages_restore(&graph->shared->offset);
    gws__pages_restore(&graph->shared->target);
    gws_graph_destroy(graph->part);
    gws__memory_free(&allocator, graph, 1, sizeof(struct part_shell));
}

static bool move_array(const struct gws_graph *part, enum gws__graph_part which, uint64_t bytes,
                       struct gws__pages *pages)
{
    void *memory = part->owner->owned[which].memory;
    if (pages->opened) return pages->complete;
    return (memory || bytes == 0) && gws__pages_move(pages, &part->owner->allocator, memory, bytes);
}

bool gws__rank_graph_move_rows(const struct gws_rank_graph *graph)
{
    return move_array(graph->part, GWS__PART_OFFSET, (graph->rows + 1) * sizeof *graph->offset,
                      &graph->shared->offset) &&
           move_array(graph->part, GWS__PART_TARGET, graph->offset[graph->rows] * sizeof *graph->target,
                      &graph->shared->target);
}

gws_status gws__rank_graph_check_memory(struct gws_runtime *runtime, uint64_t bytes, struct gws_diagnostic *where)
{
    if (gws__has_memory(runtime, bytes)) return GWS_OK;
    return gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0,
                              "out of memory: this rank's part of the graph takes about %" PRIu64 " MB",
                              bytes / 1000000 + 1);
}

/* ---- parting a graph of rank 0 ---- */

struct spread {
    struct gws_runtime *runtime;
    struct gws_transport *transport;
    const struct gws_graph *whole; /* NULL on other ranks */
    uint64_t *items;               /* for each rank */
};

struct fill {
    char *at;
    uint64_t item_bytes;
};

static void take(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct fill *fill = context;
    (void)rank;
    memcpy(fill->at, data, items * fill->item_bytes);
    fill->at += items * fill->item_bytes;
}

/* Sends to each rank its items of an array on rank 0. */
static void spread_array(const struct spread *spread, const void *from, uint64_t item_bytes, void *to)
{
    struct fill fill = {to, item_bytes};
    const struct gws_exchange exchange = {
        .from = from, .items = spread->items, .item_bytes = item_bytes, .receive = take, .context = &fill};
    gws_transport_exchange(spread->transport, &exchange);
}

static void count_rows(const struct spread *spread, const struct gws_rank_graph *graph)
{
    for (uint32_t r = 0; spread->whole && r < gws_transport_ranks(spread->transport); r++)
        spread->items[r] = first_of(graph, r + UINT64_C(1)) - first_of(graph, r);
}

static void count_arcs(const struct spread *spread, const struct gws_rank_graph *graph)
{
    const struct gws_graph *whole = spread->whole;
    for (uint32_t r = 0; whole && r < gws_transport_ranks(spread->transport); r++)
        spread->items[r] = whole->offset[first_of(graph, r + UINT64_C(1))] - whole->offset[first_of(graph, r)];
}

enum { about_vertices, about_arcs, about_directed, about_reverse, about_weight, about_words };

/* Tells all ranks about the graph of rank 0. */
static void describe(const struct spread *spread, uint64_t about[about_words])
{
    const struct gws_graph *whole = spread->whole;
    memset(about, 0, about_words * sizeof *about);
    if (whole) {
        about[about_vertices] = whole->vertices;
        about[about_arcs] = whole->arcs;
        about[about_directed] = whole->directed;
        about[about_reverse] = whole->directed && whole->reverse;
        about[about_weight] = gws__weight_kind_of(whole);
    }
    gws_transport_sum(spread->transport, about, about_words);
}

/* Returns the arcs of this rank. */
static uint64_t own_arcs(const struct spread *spread, const struct gws_rank_graph *graph)
{
    uint64_t arcs = 0;
    struct fill fill = {(char *)&arcs, sizeof arcs};
    const uint32_t ranks = gws_transport_ranks(spread->transport);
    uint64_t *count = spread->items + ranks;
    count_arcs(spread, graph);
    memcpy(count, spread->items, ranks * sizeof *count);
    for (uint32_t r = 0; r < ranks; r++) spread->items[r] = spread->whole != NULL;
    const struct gws_exchange exchange = {
        .from = count, .items = spread->items, .item_bytes = sizeof arcs, .receive = take, .context = &fill};
    gws_transport_exchange(spread->transport, &exchange);
    return arcs;
}

static void fill_part(const struct spread *spread, struct gws_rank_graph *graph, uint64_t arcs)
{
    const struct gws_graph *whole = spread->whole;
    const struct gws__graph_owner *owner = graph->part->owner;
    uint64_t *offset = owner->owned[GWS__PART_OFFSET].memory;
    count_rows(spread, graph);
    spread_array(spread, whole ? whole->offset : NULL, sizeof *offset, offset);
    const uint64_t base = graph->rows ? offset[0] : 0;
    for (uint64_t row = 0; row < graph->rows; row++) offset[row] -= base;
    offset[graph->rows] = arcs;
    count_arcs(spread, graph);
    spread_array(spread, whole ? whole->target : NULL, 4, owner->owned[GWS__PART_TARGET].memory);
    if (graph->weight) spread_array(spread, whole ? whole->weight : NULL, 4, owner->owned[GWS__PART_WEIGHT].memory);
    if (graph->real_weight)
        spread_array(spread, whole ? whole->real_weight : NULL, 4, owner->owned[GWS__PART_REAL_WEIGHT].memory);
}

static gws_status spread_one(const struct spread *spread, struct gws_rank_graph **graph, struct gws_diagnostic *where)
{
    uint64_t about[about_words];
    struct gws_graph *part = NULL;
    describe(spread, about);
    gws_status status = gws__rank_graph_new(spread->runtime, spread->transport, about[about_vertices], graph);
    status = gws__ranks_agree(spread->transport, status, where);
    if (status != GWS_OK) return status;
    (*graph)->arcs = about[about_arcs];
    (*graph)->directed = about[about_directed];
    const uint64_t arcs = own_arcs(spread, *graph), each = about[about_weight] ? 8 : 4;
    status = gws__rank_graph_check_memory(spread->runtime, 8 * (*graph)->rows + each * arcs, where);
    if (status == GWS_OK)
        status = gws__graph_allocate(spread->runtime, (*graph)->rows, arcs, (enum gws__weight_kind)about[about_weight],
                                     &part);
    if (part) gws__rank_graph_set_rows(*graph, part);
    status = gws__ranks_agree(spread->transport, status, where);
    if (status != GWS_OK || !part) return status;
    fill_part(spread, *graph, arcs);
    if (!about[about_reverse]) return GWS_OK;
    struct spread reverse = *spread;
    if (reverse.whole) reverse.whole = reverse.whole->reverse;
    return spread_one(&reverse, &(*graph)->reverse, where);
}

static gws_status rank_graph_spread(struct gws_runtime *runtime, struct gws_transport *transport,
                                    const struct gws_graph *whole, struct gws_rank_graph **graph,
                                    struct gws_diagnostic *where)
{
    const uint64_t words = 2 * (uint64_t)gws_transport_ranks(transport);
    struct spread spread = {runtime, transport, whole, gws_allocate(runtime, words, sizeof *spread.items)};
    struct gws_rank_graph *made = NULL;
    if (spread.items) memset(spread.items, 0, words * sizeof *spread.items);
    gws_status status = !spread.items ? GWS_NO_MEMORY : gws_cancelled(runtime) ? GWS_CANCELLED : GWS_OK;
    status = gws__ranks_agree(transport, status, where);
    if (status == GWS_OK) status = spread_one(&spread, &made, where);
    if (status == GWS_OK)
        status =
            gws__ranks_agree(transport, whole ? gws__graph_copy_names(runtime, whole, made->names) : GWS_OK, where);
    gws_release(runtime, spread.items, words, sizeof *spread.items);
    if (status == GWS_OK)
        *graph = made;
    else
        gws_rank_graph_destroy(made);
    return status;
}

gws_status gws_rank_graph_spread(struct gws_runtime *runtime, struct gws_transport *transport,
                                 const struct gws_graph *whole, struct gws_rank_graph **graph,
                                 struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, transport, where, rank_graph_spread(runtime, transport, whole, graph, where));
}

/* ---- gathering ---- */

struct gathering {
    char *all;
    uint64_t item_bytes;
    uint64_t *place; /* of the next item of each rank */
};

static void take_items(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gathering *gathering = context;
    memcpy(gathering->all + gathering->place[rank] * gathering->item_bytes, data, items * gathering->item_bytes);
    gathering->place[rank] += items;
}

static gws_status rank_graph_gather(struct gws_runtime *runtime, const struct gws_rank_graph *graph, const void *own,
                                    uint64_t item_bytes, void *all)
{
    const uint32_t ranks = gws_transport_ranks(graph->transport);
    uint64_t *items = gws_allocate(runtime, 2 * (uint64_t)ranks, sizeof *items);
    gws_status status = !items ? GWS_NO_MEMORY : gws_cancelled(runtime) ? GWS_CANCELLED : GWS_OK;
    status = gws_transport_agree(graph->transport, status);
    if (items && status == GWS_OK) {
        struct gathering gathering = {all, item_bytes, items + ranks};
        for (uint32_t r = 0; r < ranks; r++) {
            items[r] = r == 0 ? graph->rows : 0;
            gathering.place[r] = first_of(graph, r);
        }
        const struct gws_exchange exchange = {
            .from = own, .items = items, .item_bytes = item_bytes, .receive = take_items, .context = &gathering};
        gws_transport_exchange(graph->transport, &exchange);
    }
    gws_release(runtime, items, 2 * (uint64_t)ranks, sizeof *items);
    return status;
}

gws_status gws_rank_graph_gather(struct gws_runtime *runtime, const struct gws_rank_graph *graph, const void *own,
                                 uint64_t item_bytes, void *all)
{
    return GWS__RANKS_CALL(runtime, graph->transport, NULL, rank_graph_gather(runtime, graph, own, item_bytes, all));
}
