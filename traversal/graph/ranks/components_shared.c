/* SPDX-License-Identifier: MIT */
/* Weak components of ranks that share memory: the union-find of lib/graph/components.c, in which all ranks link their
 * rows in one array. Then the array's entries count the vertices of each component, at its smallest vertex. All atomic
 * operations are relaxed, because the ranks meet between the loops. */
#include "components_state.h"

#include "../../../lib/hetero/rank_graph.h"

struct shared {
    const struct gws_rank_graph *graph;
    _Atomic uint32_t *of; /* an entry for each vertex of the graph */
    uint32_t *component;  /* the result's */
    uint32_t large;       /* a component with many vertices, which a loop counts apart */
    _Atomic uint64_t max_size;
};

/* Copies the components, and makes the array the counts. */
static void copy_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct shared *shared = context;
    _Atomic uint32_t *own = shared->of + shared->graph->first;
    (void)worker;
    for (uint64_t row = begin; row < end; row++) {
        shared->component[row] = atomic_load_explicit(&own[row], memory_order_relaxed);
        atomic_store_explicit(&own[row], 0, memory_order_relaxed);
    }
}

/* A vertex without arcs counts as a component of its own. */
static void count_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct shared *shared = context;
    uint32_t in_large = 0;
    (void)worker;
    for (uint64_t row = begin; row < end; row++)
        if (shared->component[row] == shared->large)
            in_large++;
        else if (gws__rank_has_arcs(shared->graph, row))
            atomic_fetch_add_explicit(&shared->of[shared->component[row]], 1, memory_order_relaxed);
    if (in_large > 0) atomic_fetch_add_explicit(&shared->of[shared->large], in_large, memory_order_relaxed);
}

static void find_max(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct shared *shared = context;
    const _Atomic uint32_t *own = shared->of + shared->graph->first;
    uint64_t max = 1;
    (void)worker;
    for (uint64_t row = begin; row < end; row++) {
        const uint32_t size = atomic_load_explicit(&own[row], memory_order_relaxed);
        if (size > max) max = size;
    }
    gws__rank_raise(&shared->max_size, max);
}

gws_status gws__rank_components_shared(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t *all,
                                       struct gws_rank_components_result *result)
{
    struct shared shared = {.graph = graph, .component = result->component};
    gws_body *const step[] = {copy_rows, count_rows, find_max};
    gws_status status = gws__rank_graph_components(runtime, graph, all, &shared.large, &result->components);
    shared.of = (_Atomic uint32_t *)all; /* both types have the same size */
    for (int i = 0; i < 3; i++) {
        status = gws_transport_agree(graph->transport, status);
        if (status != GWS_OK) return status;
        gws_parallel_for(runtime, graph->rows, 4096, step[i], &shared);
    }
    result->largest = atomic_load_explicit(&shared.max_size, memory_order_relaxed);
    gws_transport_sum(graph->transport, &result->components, 1);
    gws_transport_max(graph->transport, &result->largest, 1);
    return GWS_OK;
}
