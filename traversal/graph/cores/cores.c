/* SPDX-License-Identifier: MIT */
/* Coreness: the initial degrees, and the arrays of the result. */
#include "cores_state.h"

enum { grain = 1 << 12 };

struct degrees {
    struct gws__cores *cores;
    atomic_bool simple;
};

static void count_neighbours(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct degrees *degrees = context;
    const struct gws_graph *graph = degrees->cores->graph;
    bool simple = true;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t neighbours = 0;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
            neighbours += gws__cores_counts(graph, false, v, a);
        simple = simple && neighbours == gws_graph_degree(graph, (uint32_t)v);
        atomic_init(&degrees->cores->core[v], neighbours);
    }
    /* relaxed: the caller reads the value after the loop's barrier. */
    if (!simple) atomic_store_explicit(&degrees->simple, false, memory_order_relaxed);
}

static gws_status compute(struct gws__cores *cores)
{
    struct degrees degrees = {.cores = cores};
    atomic_init(&degrees.simple, true);
    const uint32_t workers = gws_runtime_workers(cores->runtime);
    gws_status status = gws_parallel_try_for(cores->runtime, cores->graph->vertices, grain, count_neighbours, &degrees);
    if (status != GWS_OK) return status;
    cores->simple = degrees.simple;
    return workers > 1 ? gws__cores_peel_team(cores, workers) : gws__cores_peel_alone(cores);
}

/* ---- the result ---- */

struct maximum {
    const struct gws__cores *cores;
    _Atomic uint32_t core;
};

static void find_max(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct maximum *maximum = context;
    uint32_t max = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t core = gws__cores_at(maximum->cores, v);
        max = core > max ? core : max;
    }
    /* relaxed: the caller reads the value after the loop's barrier. */
    uint32_t known = atomic_load_explicit(&maximum->core, memory_order_relaxed);
    while (max > known && !atomic_compare_exchange_weak_explicit(&maximum->core, &known, max, memory_order_relaxed,
                                                                 memory_order_relaxed))
        continue;
}

void gws_cores_result_clear(struct gws_cores_result *result)
{
    if (!result) return;
    if (result->core)
        result->allocator.release(result->allocator.context, result->core,
                                  (result->vertices + 1) * sizeof *result->core);
    *result = (struct gws_cores_result){0};
}

/* The array has one entry more than vertices. */
gws_status gws__cores_reserve(struct gws_runtime *runtime, uint64_t vertices, struct gws_cores_result *result)
{
    if (result->core && result->vertices == vertices) return GWS_OK;
    gws_cores_result_clear(result);
    uint32_t *core = gws_allocate(runtime, vertices + 1, sizeof *core);
    if (!core) return GWS_NO_MEMORY;
    result->core = core;
    result->vertices = vertices;
    result->allocator = *gws_runtime_allocator(runtime);
    return GWS_OK;
}

static gws_status finish(struct gws__cores *cores, struct gws_cores_result *result)
{
    struct maximum maximum = {.cores = cores};
    gws_status status = gws_parallel_try_for(cores->runtime, cores->graph->vertices, grain, find_max, &maximum);
    result->max_core = maximum.core;
    result->rounds = cores->rounds;
    return status;
}

static gws_status cores(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_cores_result *result)
{
    struct gws_graph *symmetric = NULL;
    double began = gws_clock_ms(), prepare_ms = 0;
    gws_status status = graph->directed ? gws_graph_symmetrise(runtime, graph, &symmetric) : GWS_OK;
    if (status != GWS_OK) return status;
    if (symmetric) prepare_ms = gws_clock_ms() - began;
    struct gws__cores cores = {.runtime = runtime, .graph = symmetric ? symmetric : graph};
    status = gws__cores_reserve(runtime, graph->vertices, result);
    cores.core = (_Atomic uint32_t *)result->core;
    if (status == GWS_OK) status = compute(&cores);
    if (status == GWS_OK) status = finish(&cores, result);
    if (status != GWS_OK) gws_cores_result_clear(result);
    gws_graph_destroy(symmetric);
    if (status != GWS_OK) return status;
    result->fetch_ms = 0;
    result->prepare_ms = prepare_ms;
    result->ms = gws_clock_ms() - began - prepare_ms;
    return status;
}

gws_status gws_cores(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_cores_result *result)
{
    return GWS_CALL(runtime, NULL, cores(runtime, graph, result));
}
