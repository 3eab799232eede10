/* SPDX-License-Identifier: MIT */
/* Betweenness centrality: the sources, the sums over them, and their scale. */
#include <string.h>

#include "../../engine/sample.h"
#include "state.h"

/* ---- the sources ---- */

gws_status gws__bc_list_sources(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws_betweenness_options *options, struct gws_betweenness_result *result)
{
    bool samples = !options->source && options->samples > 0 && options->samples < graph->vertices;
    result->sources = options->source ? options->sources : samples ? options->samples : graph->vertices;
    result->source = NULL;
    if (!options->source && !samples) return GWS_OK;
    uint32_t *source = gws__bc_array_of(result->scratch, GWS__BC_SOURCE, result->sources, sizeof *source);
    if (!source) return GWS_NO_MEMORY;
    result->source = source;
    if (samples) return gws__sample_vertices(runtime, graph, result->sources, options->seed, source);
    memmove(source, options->source, result->sources * sizeof *source);
    return GWS_OK;
}

/* ---- the sums ---- */

static void clear(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    memset((double *)context + begin, 0, (end - begin) * sizeof(double));
}

static double *zeros(struct gws_runtime *runtime, struct gws__betweenness_scratch *scratch, enum gws__bc_array name,
                     uint64_t count)
{
    double *array = gws__bc_array_of(scratch, name, count, sizeof *array);
    struct gws_loop loop = {.count = count, .grain = 8192, .body = clear, .context = array, .uncounted = true};
    if (array) gws_parallel_run(runtime, &loop);
    return array;
}

static gws_status add_sources(struct gws__bc *bc, const struct gws_betweenness_options *options,
                              const struct gws_betweenness_result *result)
{
    uint8_t *done = gws__bc_array_of(bc->scratch, GWS__BC_DONE, result->sources, 1);
    if (!done) return GWS_NO_MEMORY;
    memset(done, 0, result->sources);
    gws_status status = gws__bc_add_serial(bc, result->source, result->sources, options->memory, done);
    for (uint64_t i = 0; i < result->sources && status == GWS_OK; i++) {
        if (!done[i]) status = gws__bc_add_source(bc, result->source ? result->source[i] : (uint32_t)i);
        gws_report_progress(bc->runtime, "betweenness", i + 1, result->sources);
        if (status == GWS_OK && gws_cancelled(bc->runtime)) status = GWS_CANCELLED;
    }
    return status;
}

/* ---- the scale ---- */

struct scaling {
    const struct gws_graph *graph;
    double *value;
    double factor;
};

static void scale_values(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct scaling *scaling = context;
    for (uint64_t i = begin; i < end; i++) scaling->value[i] *= scaling->factor;
}

/* Gives both arcs of an undirected edge the sum of both values. The iteration of the smaller end writes the sum. */
static void join_arcs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct scaling *scaling = context;
    const struct gws_graph *graph = scaling->graph;
    for (uint64_t v = begin; v < end; v++)
        for (uint64_t arc = graph->offset[v], back = 0; arc < graph->offset[v + 1]; arc++) {
            uint32_t to = graph->target[arc];
            if (to <= v) continue;
            bool parallel = arc > graph->offset[v] && graph->target[arc - 1] == to;
            back = parallel ? back + 1 : gws_graph_find_arc(graph, to, v);
            scaling->value[arc] = scaling->value[back] = scaling->factor * (scaling->value[arc] + scaling->value[back]);
        }
}

struct gws__bc_factors gws__bc_factors_of(const struct gws_graph *graph, const struct gws_betweenness_options *options,
                                          const struct gws_betweenness_result *result)
{
    double n = (double)graph->vertices, samples = 1;
    if (!options->source && result->source) samples = n / (double)result->sources;
    double plain = samples * (graph->directed ? 1 : 0.5);
    struct gws__bc_factors factors = {plain, plain};
    if (options->normalised) factors.vertex = graph->vertices > 2 ? samples / ((n - 1) * (n - 2)) : samples;
    if (options->normalised && graph->vertices > 1) factors.arc = samples / (n * (n - 1));
    return factors;
}

static gws_status run_scaling(struct gws_runtime *runtime, uint64_t count, gws_body *body, struct scaling *scaling)
{
    struct gws_loop loop = {.count = count, .grain = 4096, .body = body, .context = scaling, .uncounted = true};
    return gws_parallel_try(runtime, &loop);
}

gws_status gws__bc_scale(struct gws_runtime *runtime, const struct gws_graph *graph,
                         const struct gws__bc_factors *factors, const struct gws_betweenness_result *result)
{
    struct scaling vertices = {graph, result->centrality, factors->vertex}, arcs = {graph, result->arc, factors->arc};
    gws_status status = run_scaling(runtime, graph->vertices, scale_values, &vertices);
    if (status != GWS_OK || !result->arc) return status;
    return run_scaling(runtime, graph->directed ? graph->arcs : graph->vertices,
                       graph->directed ? scale_values : join_arcs, &arcs);
}

/* ---- the call ---- */

static gws_status run(struct gws_runtime *runtime, const struct gws_graph *graph,
                      const struct gws_betweenness_options *options, struct gws_betweenness_result *result)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    double began = gws_clock_ms();
    gws_status status = gws__bc_prepare(runtime, graph, &result->scratch);
    if (status == GWS_OK) status = gws__bc_list_sources(runtime, graph, options, result);
    if (status != GWS_OK) return status;
    struct gws__bc bc = {.runtime = runtime, .graph = graph, .in = in, .scratch = result->scratch};
    result->prepare_ms = gws_clock_ms() - began;
    bc.centrality = result->centrality = zeros(runtime, bc.scratch, GWS__BC_CENTRALITY, graph->vertices);
    result->arc = NULL;
    if (options->arcs) bc.arc = result->arc = zeros(runtime, bc.scratch, GWS__BC_ARC, graph->arcs);
    if (!result->centrality || (options->arcs && !result->arc)) return GWS_NO_MEMORY;
    status = add_sources(&bc, options, result);
    struct gws__bc_factors factors = gws__bc_factors_of(graph, options, result);
    if (status == GWS_OK) status = gws__bc_scale(runtime, graph, &factors, result);
    if (status != GWS_OK) return status;
    result->vertices = graph->vertices;
    result->arcs = graph->arcs;
    result->reached = bc.reached;
    result->levels = bc.max_levels;
    result->ms = gws_clock_ms() - began - result->prepare_ms;
    return GWS_OK;
}

static gws_status betweenness(struct gws_runtime *runtime, const struct gws_graph *graph,
                              const struct gws_betweenness_options *options, struct gws_betweenness_result *result)
{
    static const struct gws_betweenness_options defaults;
    if (!options) options = &defaults;
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        if (options->source[i] >= graph->vertices) return GWS_OUT_OF_RANGE;
    if (graph->directed && !graph->reverse) return GWS_NEEDS_REVERSE;
    gws_status status = run(runtime, graph, options, result);
    if (status != GWS_OK) gws_betweenness_result_clear(result);
    return status;
}

gws_status gws_betweenness(struct gws_runtime *runtime, const struct gws_graph *graph,
                           const struct gws_betweenness_options *options, struct gws_betweenness_result *result)
{
    return GWS_CALL(runtime, NULL, betweenness(runtime, graph, options, result));
}

void gws_betweenness_result_clear(struct gws_betweenness_result *result)
{
    if (!result) return;
    gws__bc_free(result->scratch);
    *result = (struct gws_betweenness_result){0};
}
