/* SPDX-License-Identifier: MIT */
/* Each arc is looked up in the row of its target. */
#include "twins.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "../../lib/parallel.h"

struct check {
    const struct gws_graph *graph;
    _Atomic uint64_t worst; /* the first vertex with an arc that has no twin */
};

/* Arc a of the row of from, or one equal to it, in the row of to. */
static bool has_arc(const struct gws_graph *graph, uint32_t from, uint32_t to, const int32_t *weight)
{
    uint64_t low = graph->offset[from], high = graph->offset[(uint64_t)from + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        bool before =
            graph->target[middle] < to || (graph->target[middle] == to && weight && graph->weight[middle] < *weight);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->offset[(uint64_t)from + 1] && graph->target[low] == to &&
           (!weight || graph->weight[low] == *weight);
}

static bool row_has_twins(const struct gws_graph *graph, uint32_t vertex, uint32_t *without)
{
    for (uint64_t a = graph->offset[vertex]; a < graph->offset[(uint64_t)vertex + 1]; a++) {
        *without = graph->target[a];
        if (!has_arc(graph, graph->target[a], vertex, graph->weight ? &graph->weight[a] : NULL)) return false;
    }
    return true;
}

static void check_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct check *check = context;
    uint32_t without;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        /* relaxed, as below: the end of the loop orders it before what reads the result. */
        uint64_t worst = atomic_load_explicit(&check->worst, memory_order_relaxed);
        if (v >= worst) return;
        if (row_has_twins(check->graph, (uint32_t)v, &without)) continue;
        while (v < worst && !atomic_compare_exchange_weak_explicit(&check->worst, &worst, v, memory_order_relaxed,
                                                                   memory_order_relaxed)) {
        }
        return;
    }
}

gws_status gws__twins_check(struct gws_runtime *runtime, const struct gws_graph *graph, const char *name,
                            struct gws_where *where)
{
    struct check check = {.graph = graph};
    uint32_t without = 0;
    atomic_init(&check.worst, UINT64_MAX);
    gws_parallel_for(runtime, graph->vertices, 1024, check_rows, &check);
    uint64_t worst = atomic_load_explicit(&check.worst, memory_order_relaxed);
    if (worst == UINT64_MAX) return GWS_OK;
    (void)row_has_twins(graph, (uint32_t)worst, &without);
    return gws_where_set(where, GWS_CORRUPT, name, 0, 0,
                         "vertex %" PRIu64 " lists %" PRIu64 "%s, but not the other way round", worst + 1,
                         (uint64_t)without + 1, graph->weight ? " with this weight" : "");
}
