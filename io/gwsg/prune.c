/* SPDX-License-Identifier: MIT */
/* Counts what stays in each row, adds up, copies. The new rows are wrapped; they go when the new graph does. */
#include "gwsg.h"

#include <string.h>

#include "../../lib/parallel.h"

enum { rows_per_wake = 1024 };

/* The new rows, and what is needed to free them after the runtime. */
struct rows {
    struct gws_allocator allocator;
    uint64_t vertices, arcs;
    uint64_t *offset;
    uint32_t *target;
    int32_t *weight;
};

struct prune {
    const struct gws_graph *graph;
    bool loops, duplicates;
    struct rows *rows;
};

static void give_back(struct rows *rows, void *memory, uint64_t count, uint64_t size)
{
    /* The same sizes as gws_allocate() asked for: none is 0 but arcs', and that is one byte there. */
    if (memory) rows->allocator.release(rows->allocator.context, memory, count ? count * size : 1);
}

static void rows_free(void *context)
{
    struct rows *rows = context;
    if (!rows) return;
    struct gws_allocator allocator = rows->allocator;
    give_back(rows, rows->offset, rows->vertices + 1, sizeof *rows->offset);
    give_back(rows, rows->target, rows->arcs, sizeof *rows->target);
    give_back(rows, rows->weight, rows->arcs, sizeof *rows->weight);
    allocator.release(allocator.context, rows, sizeof *rows);
}

/* Whether arc i of row v begins a run that stays. */
static bool stays(const struct prune *prune, uint64_t v, uint64_t i)
{
    const uint32_t *target = prune->graph->target;
    if (prune->loops && target[i] == v) return false;
    return !prune->duplicates || i == prune->graph->offset[v] || target[i] != target[i - 1];
}

static void count_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct prune *prune = context;
    const uint64_t *offset = prune->graph->offset;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t kept = 0;
        for (uint64_t i = offset[v]; i < offset[v + 1]; i++) kept += stays(prune, v, i);
        prune->rows->offset[v + 1] = kept;
    }
}

static void copy_row(const struct prune *prune, uint64_t v)
{
    const struct gws_graph *graph = prune->graph;
    struct rows *rows = prune->rows;
    uint64_t at = rows->offset[v];
    for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
        if (stays(prune, v, i)) {
            rows->target[at] = graph->target[i];
            if (rows->weight) rows->weight[at] = graph->weight[i];
            at++;
        } else if (rows->weight && graph->target[i] != v && graph->weight[i] < rows->weight[at - 1]) {
            rows->weight[at - 1] = graph->weight[i];
        }
    }
}

static void copy_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t v = begin; v < end; v++) copy_row(context, v);
}

static uint64_t add_up(uint64_t *offset, uint64_t vertices)
{
    offset[0] = 0;
    for (uint64_t v = 0; v < vertices; v++) offset[v + 1] += offset[v];
    return offset[vertices];
}

/* Ids and positions of one graph for another of the same vertices. */
static gws_status copy_names(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph *to)
{
    uint64_t *id = from->id ? gws_allocate(runtime, from->vertices, sizeof *id) : NULL;
    if (from->id && !id) return GWS_NO_MEMORY;
    gws_graph_set_first_id(to, from->first_id);
    if (id) gws_graph_adopt_ids(to, memcpy(id, from->id, from->vertices * sizeof *id));
    double *position = from->position ? gws_allocate(runtime, 2 * from->vertices, sizeof *position) : NULL;
    if (from->position && !position) return GWS_NO_MEMORY;
    if (position)
        gws_graph_adopt_positions(to, memcpy(position, from->position, 2 * from->vertices * sizeof *position));
    return GWS_OK;
}

/* Makes the graph of rows, which it owns from the moment that this succeeds. */
static gws_status wrap(struct gws_runtime *runtime, const struct gws_graph *old, struct rows *rows,
                       struct gws_graph **graph)
{
    struct gws_graph *made = NULL;
    gws_status status =
        gws_graph_wrap(runtime, rows->vertices, rows->offset, rows->target, rows->weight, old->directed, true, &made);
    if (status == GWS_OK) status = copy_names(runtime, old, made);
    if (status == GWS_OK) {
        gws_graph_on_destroy(made, rows_free, rows);
        *graph = made;
    } else {
        gws_graph_destroy(made);
    }
    return status;
}

static struct rows *rows_new(struct gws_runtime *runtime, uint64_t vertices)
{
    struct rows *rows = gws_allocate(runtime, 1, sizeof *rows);
    if (!rows) return NULL;
    *rows = (struct rows){.allocator = *gws_runtime_allocator(runtime), .vertices = vertices};
    rows->offset = gws_allocate(runtime, vertices + 1, sizeof *rows->offset);
    if (rows->offset) return rows;
    rows_free(rows);
    return NULL;
}

static gws_status fill_rows(struct gws_runtime *runtime, struct prune *prune)
{
    struct rows *rows = prune->rows;
    rows->target = gws_allocate(runtime, rows->arcs, sizeof *rows->target);
    if (prune->graph->weight) rows->weight = gws_allocate(runtime, rows->arcs, sizeof *rows->weight);
    if (!rows->target || (prune->graph->weight && !rows->weight)) return GWS_NO_MEMORY;
    gws_parallel_for(runtime, rows->vertices, rows_per_wake, copy_rows, prune);
    return GWS_OK;
}

gws_status gws__graph_prune(struct gws_runtime *runtime, bool loops, bool duplicates, struct gws_graph **graph)
{
    struct gws_graph *old = *graph;
    if (!loops && !duplicates) return GWS_OK;
    struct prune prune = {.graph = old, .loops = loops, .duplicates = duplicates};
    prune.rows = rows_new(runtime, old->vertices);
    if (!prune.rows) return GWS_NO_MEMORY;
    gws_parallel_for(runtime, old->vertices, rows_per_wake, count_rows, &prune);
    prune.rows->arcs = add_up(prune.rows->offset, old->vertices);
    gws_status status = GWS_OK;
    bool fewer = prune.rows->arcs < old->arcs;
    if (fewer) status = fill_rows(runtime, &prune);
    if (fewer && status == GWS_OK) status = wrap(runtime, old, prune.rows, graph);
    if (fewer && status == GWS_OK)
        gws_graph_destroy(old);
    else
        rows_free(prune.rows);
    return status;
}
