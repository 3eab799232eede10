/* SPDX-License-Identifier: MIT */
/* A graph without its loops or parallel arcs: counts what stays of each row, adds up, copies. */
#include "../parallel.h"
#include "build.h"

enum { rows_per_wake = 1024 };

struct simplify {
    const struct gws_graph *graph;
    bool loops, duplicates;
    uint64_t *offset; /* of the new graph, as the next two */
    uint32_t *target;
    int32_t *weight;
};

/* Whether arc i of row v begins a run that stays. */
static bool stays(const struct simplify *simplify, uint64_t v, uint64_t i)
{
    const uint32_t *target = simplify->graph->target;
    if (simplify->loops && target[i] == v) return false;
    return !simplify->duplicates || i == simplify->graph->offset[v] || target[i] != target[i - 1];
}

static void count_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct simplify *simplify = context;
    const uint64_t *offset = simplify->graph->offset;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t kept = 0;
        for (uint64_t i = offset[v]; i < offset[v + 1]; i++) kept += stays(simplify, v, i);
        simplify->offset[v + 1] = kept;
    }
}

static void copy_row(const struct simplify *simplify, uint64_t v)
{
    const struct gws_graph *graph = simplify->graph;
    uint64_t at = simplify->offset[v];
    for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
        if (stays(simplify, v, i)) {
            simplify->target[at] = graph->target[i];
            if (graph->weight) simplify->weight[at] = graph->weight[i];
            at++;
        } else if (graph->weight && graph->target[i] != v && graph->weight[i] < simplify->weight[at - 1]) {
            simplify->weight[at - 1] = graph->weight[i];
        }
    }
}

static void copy_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t v = begin; v < end; v++) copy_row(context, v);
}

/* Gives the new graph what the old one keeps. */
static gws_status fill(struct gws_runtime *runtime, struct simplify *simplify, struct gws_graph *made)
{
    const struct gws_graph *old = simplify->graph;
    simplify->target = gws_allocate(runtime, made->arcs, sizeof *simplify->target);
    gws__graph_own(made, GWS__PART_TARGET, simplify->target, made->arcs);
    if (old->weight) simplify->weight = gws_allocate(runtime, made->arcs, sizeof *simplify->weight);
    gws__graph_own(made, GWS__PART_WEIGHT, simplify->weight, made->arcs);
    if (!simplify->target || (old->weight && !simplify->weight)) return GWS_NO_MEMORY;
    made->directed = old->directed;
    gws_parallel_for(runtime, old->vertices, rows_per_wake, copy_rows, simplify);
    return gws__graph_copy_names(runtime, old, made);
}

gws_status gws_graph_simplify(struct gws_runtime *runtime, bool loops, bool duplicates, struct gws_graph **graph)
{
    struct gws_graph *old = *graph, *made = NULL;
    struct simplify simplify = {.graph = old, .loops = loops, .duplicates = duplicates};
    uint64_t vertices = old->vertices;
    if (!loops && !duplicates) return GWS_OK;
    simplify.offset = gws_allocate(runtime, vertices + 1, sizeof *simplify.offset);
    if (!simplify.offset) return GWS_NO_MEMORY;
    gws_parallel_for(runtime, vertices, rows_per_wake, count_rows, &simplify);
    simplify.offset[0] = 0;
    for (uint64_t v = 0; v < vertices; v++) simplify.offset[v + 1] += simplify.offset[v];
    uint64_t arcs = simplify.offset[vertices];
    gws_status status = arcs < old->arcs ? gws__graph_new(runtime, vertices, arcs, &made) : GWS_OK;
    if (!made) {
        gws_release(runtime, simplify.offset, vertices + 1, sizeof *simplify.offset);
        return status;
    }
    gws__graph_own(made, GWS__PART_OFFSET, simplify.offset, vertices + 1);
    status = fill(runtime, &simplify, made);
    gws_graph_destroy(status == GWS_OK ? old : made);
    if (status == GWS_OK) *graph = made;
    return status;
}
