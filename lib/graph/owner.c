/* SPDX-License-Identifier: MIT */
/* Creating and destroying graphs, and their ids and positions. The shell is one allocation: the public struct, then its
 * owner (build.h). */
#include "build.h"

#include <stddef.h>
#include <string.h>

#include "../base/memory.h"
#include "../base/services.h"

struct shell {
    struct gws_graph graph;
    struct gws__graph_owner owner;
};

static const uint64_t part_size[GWS__GRAPH_PARTS] = {
    [GWS__PART_OFFSET] = sizeof(uint64_t),      [GWS__PART_TARGET] = sizeof(uint32_t),
    [GWS__PART_WEIGHT] = sizeof(int32_t),       [GWS__PART_REAL_WEIGHT] = sizeof(float),
    [GWS__PART_POSITION] = sizeof(double),      [GWS__PART_ID] = sizeof(uint64_t),
    [GWS__PART_NAME_OFFSET] = sizeof(uint64_t), [GWS__PART_NAME_TEXT] = 1,
    [GWS__PART_NAME_ORDER] = sizeof(uint32_t),  [GWS__PART_ID_ORDER] = sizeof(uint32_t),
};

gws_status gws__graph_new(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs, struct gws_graph **graph)
{
    struct shell *shell = gws__memory_zero(gws_runtime_allocator(runtime), 1, sizeof *shell);
    if (!shell) return GWS_NO_MEMORY;
    shell->owner.allocator = *gws_runtime_allocator(runtime);
    shell->graph.owner = &shell->owner;
    shell->graph.vertices = vertices;
    shell->graph.arcs = arcs;
    shell->graph.directed = true;
    *graph = &shell->graph;
    return GWS_OK;
}

/* The offset in struct gws_graph of the pointer to each part. */
static const size_t part_pointer[GWS__GRAPH_PARTS] = {
    [GWS__PART_OFFSET] = offsetof(struct gws_graph, offset),
    [GWS__PART_TARGET] = offsetof(struct gws_graph, target),
    [GWS__PART_WEIGHT] = offsetof(struct gws_graph, weight),
    [GWS__PART_REAL_WEIGHT] = offsetof(struct gws_graph, real_weight),
    [GWS__PART_POSITION] = offsetof(struct gws_graph, position),
    [GWS__PART_ID] = offsetof(struct gws_graph, id),
    [GWS__PART_NAME_OFFSET] = offsetof(struct gws_graph, names.offset),
    [GWS__PART_NAME_TEXT] = offsetof(struct gws_graph, names.text),
    [GWS__PART_NAME_ORDER] = offsetof(struct gws_graph, names.order),
    [GWS__PART_ID_ORDER] = offsetof(struct gws_graph, id_order),
};

static void set_pointer(struct gws_graph *graph, enum gws__graph_part part, const void *memory)
{
    memcpy((char *)graph + part_pointer[part], &memory, sizeof memory);
}

void gws__graph_own(struct gws_graph *graph, enum gws__graph_part part, void *memory, uint64_t count)
{
    struct gws__graph_array *array = &graph->owner->owned[part];
    gws__memory_free(&graph->owner->allocator, array->memory, array->count, part_size[part]);
    *array = (struct gws__graph_array){.memory = memory, .count = count};
    set_pointer(graph, part, memory);
}

void gws__graph_borrow(struct gws_graph *graph, enum gws__graph_part part, const void *memory)
{
    gws__graph_own(graph, part, NULL, 0);
    set_pointer(graph, part, memory);
}

static void destroy_one(struct gws_graph *graph)
{
    struct gws__graph_owner owner = *graph->owner;
    for (int part = 0; part < GWS__GRAPH_PARTS; ++part)
        gws__memory_free(&owner.allocator, owner.owned[part].memory, owner.owned[part].count, part_size[part]);
    if (owner.release) owner.release(owner.context);
    gws__memory_free(&owner.allocator, graph, 1, sizeof(struct shell));
}

void gws_graph_destroy(struct gws_graph *graph)
{
    if (!graph) return;
    /* The cast is legal: the library created the reverse as a mutable graph, and only the member is const. */
    struct gws_graph *reverse = (struct gws_graph *)graph->reverse;
    destroy_one(graph);
    if (reverse) destroy_one(reverse);
}

void gws_graph_adopt_ids(struct gws_graph *graph, uint64_t *id)
{
    gws__graph_own(graph, GWS__PART_ID, id, graph->vertices);
    gws__graph_borrow(graph, GWS__PART_ID_ORDER, NULL);
}

void gws_graph_adopt_id_order(struct gws_graph *graph, uint32_t *order)
{
    gws__graph_own(graph, GWS__PART_ID_ORDER, order, graph->vertices);
}

void gws_graph_adopt_positions(struct gws_graph *graph, double *position)
{
    gws__graph_own(graph, GWS__PART_POSITION, position, 2 * graph->vertices);
}

void gws_graph_borrow_ids(struct gws_graph *graph, const uint64_t *id)
{
    gws__graph_borrow(graph, GWS__PART_ID, id);
    gws__graph_borrow(graph, GWS__PART_ID_ORDER, NULL);
}

void gws_graph_borrow_id_order(struct gws_graph *graph, const uint32_t *order)
{
    gws__graph_borrow(graph, GWS__PART_ID_ORDER, order);
}

void gws_graph_borrow_positions(struct gws_graph *graph, const double *position)
{
    gws__graph_borrow(graph, GWS__PART_POSITION, position);
}

void gws_graph_set_first_id(struct gws_graph *graph, uint64_t first_id)
{
    gws_graph_borrow_ids(graph, NULL);
    graph->first_id = first_id;
}

void gws_graph_on_destroy(struct gws_graph *graph, void (*release)(void *context), void *context)
{
    graph->owner->release = release;
    graph->owner->context = context;
}

gws_status gws__graph_copy_names(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph *to)
{
    to->first_id = from->first_id;
    if (from->id) {
        uint64_t *id = gws_allocate(runtime, from->vertices, sizeof *id);
        if (!id) return GWS_NO_MEMORY;
        memcpy(id, from->id, from->vertices * sizeof *id);
        gws_graph_adopt_ids(to, id);
    }
    if (from->id_order) {
        uint32_t *order = gws_allocate(runtime, from->vertices, sizeof *order);
        if (!order) return GWS_NO_MEMORY;
        memcpy(order, from->id_order, from->vertices * sizeof *order);
        gws_graph_adopt_id_order(to, order);
    }
    if (from->position) {
        double *position = gws_allocate(runtime, 2 * from->vertices, sizeof *position);
        if (!position) return GWS_NO_MEMORY;
        memcpy(position, from->position, 2 * from->vertices * sizeof *position);
        gws_graph_adopt_positions(to, position);
    }
    return gws__graph_move_names(runtime, from, NULL, to);
}

uint64_t gws_graph_id(const struct gws_graph *graph, uint32_t vertex)
{
    return graph->id ? graph->id[vertex] : graph->first_id + vertex;
}

/* Returns vertex i of the ascending order of ids. */
static uint32_t vertex_at(const struct gws_graph *graph, uint64_t i)
{
    return graph->id_order ? graph->id_order[i] : (uint32_t)i;
}

static gws_status find_sparse(const struct gws_graph *graph, uint64_t id, uint32_t *vertex)
{
    uint64_t low = 0, high = graph->vertices;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->id[vertex_at(graph, middle)] < id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == graph->vertices || graph->id[vertex_at(graph, low)] != id) return GWS_OUT_OF_RANGE;
    *vertex = vertex_at(graph, low);
    return GWS_OK;
}

gws_status gws_graph_find(const struct gws_graph *graph, uint64_t id, uint32_t *vertex)
{
    if (graph->id) return find_sparse(graph, id, vertex);
    if (id < graph->first_id || id - graph->first_id >= graph->vertices) return GWS_OUT_OF_RANGE;
    *vertex = (uint32_t)(id - graph->first_id);
    return GWS_OK;
}
