/* SPDX-License-Identifier: MIT */
/* Text ids of vertices (struct gws_names): lookup by binary search in the order of names, ownership, and copies. */
#include <string.h>

#include "../parallel.h"
#include "build.h"

const char *gws_graph_name(const struct gws_graph *graph, uint32_t vertex, uint64_t *length)
{
    const struct gws_names *names = &graph->names;
    if (!names->text) return NULL;
    *length = names->offset[vertex + (uint64_t)1] - names->offset[vertex];
    return names->text + names->offset[vertex];
}

/* Compares two names by bytes and returns the sign of a - b. A prefix comes first. */
static int compare(const char *a, uint64_t a_length, const char *b, uint64_t b_length)
{
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

gws_status gws_graph_find_name(const struct gws_graph *graph, const char *name, uint64_t length, uint32_t *vertex)
{
    const uint32_t *order = graph->names.order;
    uint64_t low = 0, high = graph->names.text ? graph->vertices : 0;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, other_length = 0;
        uint32_t other = order ? order[middle] : (uint32_t)middle;
        const char *text = gws_graph_name(graph, other, &other_length);
        int sign = compare(text, other_length, name, length);
        if (sign == 0) {
            *vertex = other;
            return GWS_OK;
        }
        if (sign < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return GWS_OUT_OF_RANGE;
}

void gws_graph_adopt_names(struct gws_graph *graph, uint64_t *offset, char *text, uint32_t *order)
{
    gws_graph_set_first_id(graph, 0);
    gws__graph_own(graph, GWS__PART_NAME_OFFSET, offset, graph->vertices + 1);
    gws__graph_own(graph, GWS__PART_NAME_TEXT, text, offset ? offset[graph->vertices] : 0);
    gws__graph_own(graph, GWS__PART_NAME_ORDER, order, graph->vertices);
}

void gws_graph_borrow_names(struct gws_graph *graph, const struct gws_names *names)
{
    gws_graph_set_first_id(graph, 0);
    gws__graph_borrow(graph, GWS__PART_NAME_OFFSET, names->offset);
    gws__graph_borrow(graph, GWS__PART_NAME_TEXT, names->text);
    gws__graph_borrow(graph, GWS__PART_NAME_ORDER, names->order);
}

/* ---- names of a graph's vertices, in another graph ---- */

/* Returns the number that vertex v of the old graph has in the new graph, or GWS_NO_VERTEX if the new graph lacks v. */
static uint32_t new_vertex(const uint32_t *new_of_old, uint64_t v)
{
    return new_of_old ? new_of_old[v] : (uint32_t)v;
}

static gws_status copy_texts(struct gws_runtime *runtime, const struct gws_graph *from, const uint32_t *new_of_old,
                             const uint64_t *offset, char *text)
{
    uint64_t length = 0;
    for (uint64_t v = 0; v < from->vertices; v++) {
        if (gws_cancelled_at(runtime, v)) return GWS_CANCELLED;
        uint32_t to = new_vertex(new_of_old, v);
        if (to == GWS_NO_VERTEX) continue;
        const char *name = gws_graph_name(from, (uint32_t)v, &length);
        memcpy(text + offset[to], name, length);
    }
    return GWS_OK;
}

/* Fills offset. Its last entry is the size of the text. */
static gws_status place_texts(struct gws_runtime *runtime, const struct gws_graph *from, const uint32_t *new_of_old,
                              uint64_t remaining, uint64_t *offset)
{
    uint64_t length = 0;
    for (uint64_t v = 0; v < from->vertices; v++) {
        if (gws_cancelled_at(runtime, v)) return GWS_CANCELLED;
        uint32_t to = new_vertex(new_of_old, v);
        if (to == GWS_NO_VERTEX) continue;
        (void)gws_graph_name(from, (uint32_t)v, &length);
        offset[to] = length;
    }
    offset[remaining] = gws__prefix_sum(offset, remaining);
    return GWS_OK;
}

bool gws__graph_move_order(const uint32_t *old_order, uint64_t vertices, const uint32_t *new_of_old, uint32_t *order)
{
    uint64_t made = 0;
    bool ascending = true;
    for (uint64_t i = 0; i < vertices; i++) {
        uint32_t to = new_vertex(new_of_old, old_order ? old_order[i] : i);
        if (to == GWS_NO_VERTEX) continue;
        ascending &= to == made;
        order[made++] = to;
    }
    return ascending;
}

gws_status gws__graph_move_names(struct gws_runtime *runtime, const struct gws_graph *from, const uint32_t *new_of_old,
                                 struct gws_graph *to)
{
    uint64_t bytes = 0;
    char *text = NULL;
    if (!from->names.text) return GWS_OK;
    uint64_t *offset = gws_allocate(runtime, to->vertices + 1, sizeof *offset);
    uint32_t *order = gws_allocate(runtime, to->vertices, sizeof *order);
    gws_status status = offset && order ? place_texts(runtime, from, new_of_old, to->vertices, offset) : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        bytes = offset[to->vertices];
        text = gws_allocate(runtime, bytes, 1);
        status = text ? copy_texts(runtime, from, new_of_old, offset, text) : GWS_NO_MEMORY;
    }
    if (status != GWS_OK) {
        gws_release(runtime, offset, to->vertices + 1, sizeof *offset);
        gws_release(runtime, order, to->vertices, sizeof *order);
        gws_release(runtime, text, bytes, 1);
        return status;
    }
    if (gws__graph_move_order(from->names.order, from->vertices, new_of_old, order)) {
        gws_release(runtime, order, to->vertices, sizeof *order);
        order = NULL;
    }
    gws_graph_adopt_names(to, offset, text, order);
    return GWS_OK;
}
