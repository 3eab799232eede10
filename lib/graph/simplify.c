/* SPDX-License-Identifier: MIT */
/* Simplification of graphs. It counts each row's remaining arcs, computes prefix sums, and copies the arcs. */
#include "../parallel.h"
#include "build.h"

enum { rows_per_wake = 1024 };

struct simplify {
    const struct gws_graph *graph;
    bool loops, duplicates;
    uint64_t *offset; /* offsets of the new graph; the arrays below also belong to the new graph */
    uint32_t *target;
    int32_t *weight;    /* NULL unless the graph has integer weights */
    float *real_weight; /* NULL unless the graph has real weights */
};

/* Returns whether arc i of row v is the first of a run to keep. */
static bool starts_run(const struct simplify *simplify, uint64_t v, uint64_t i)
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
        uint64_t remaining = 0;
        for (uint64_t i = offset[v]; i < offset[v + 1]; i++) remaining += starts_run(simplify, v, i);
        simplify->offset[v + 1] = remaining;
    }
}

static void copy_weight(const struct simplify *simplify, uint64_t from, uint64_t to)
{
    if (simplify->weight) simplify->weight[to] = simplify->graph->weight[from];
    if (simplify->real_weight) simplify->real_weight[to] = simplify->graph->real_weight[from];
}

/* Returns whether arc i weighs less than the new graph's arc `to`. */
static bool is_lighter(const struct simplify *simplify, uint64_t i, uint64_t to)
{
    if (simplify->weight) return simplify->graph->weight[i] < simplify->weight[to];
    return simplify->real_weight && simplify->graph->real_weight[i] < simplify->real_weight[to];
}

static void copy_row(const struct simplify *simplify, uint64_t v)
{
    const struct gws_graph *graph = simplify->graph;
    uint64_t at = simplify->offset[v];
    for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
        if (starts_run(simplify, v, i)) {
            simplify->target[at] = graph->target[i];
            copy_weight(simplify, i, at++);
        } else if (!(simplify->loops && graph->target[i] == v) && is_lighter(simplify, i, at - 1)) {
            copy_weight(simplify, i, at - 1);
        }
    }
}

static void copy_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t v = begin; v < end; v++) copy_row(context, v);
}

/* Fills the new graph with the arcs to keep. */
static gws_status fill(struct gws_runtime *runtime, struct simplify *simplify, struct gws_graph *made)
{
    const struct gws_graph *old = simplify->graph;
    simplify->target = gws_allocate(runtime, made->arcs, sizeof *simplify->target);
    gws__graph_own(made, GWS__PART_TARGET, simplify->target, made->arcs);
    if (old->weight) simplify->weight = gws_allocate(runtime, made->arcs, sizeof *simplify->weight);
    gws__graph_own(made, GWS__PART_WEIGHT, simplify->weight, made->arcs);
    if (old->real_weight) simplify->real_weight = gws_allocate(runtime, made->arcs, sizeof *simplify->real_weight);
    gws__graph_own(made, GWS__PART_REAL_WEIGHT, simplify->real_weight, made->arcs);
    if (!simplify->target || gws__weight_kind_of(made) != gws__weight_kind_of(old)) return GWS_NO_MEMORY;
    made->directed = old->directed;
    gws_status status = gws_parallel_try_for(runtime, old->vertices, rows_per_wake, copy_rows, simplify);
    return status == GWS_OK ? gws__graph_copy_names(runtime, old, made) : status;
}

/* Makes offsets of the rows' lengths, and returns the number of arcs. */
static uint64_t sum_rows(uint64_t *offset, uint64_t vertices)
{
    offset[0] = 0;
    for (uint64_t v = 0; v < vertices; v++) offset[v + 1] += offset[v];
    return offset[vertices];
}

static gws_status graph_simplify(struct gws_runtime *runtime, bool loops, bool duplicates, struct gws_graph **graph)
{
    struct gws_graph *old = *graph, *made = NULL;
    struct simplify simplify = {.graph = old, .loops = loops, .duplicates = duplicates};
    uint64_t vertices = old->vertices;
    if (!loops && !duplicates) return GWS_OK;
    simplify.offset = gws_allocate(runtime, vertices + 1, sizeof *simplify.offset);
    if (!simplify.offset) return GWS_NO_MEMORY;
    gws_status status = gws_parallel_try_for(runtime, vertices, rows_per_wake, count_rows, &simplify);
    const uint64_t arcs = status == GWS_OK ? sum_rows(simplify.offset, vertices) : old->arcs;
    if (status == GWS_OK && arcs < old->arcs) status = gws__graph_new(runtime, vertices, arcs, &made);
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

gws_status gws_graph_simplify(struct gws_runtime *runtime, bool loops, bool duplicates, struct gws_graph **graph)
{
    return GWS_CALL(runtime, NULL, graph_simplify(runtime, loops, duplicates, graph));
}
