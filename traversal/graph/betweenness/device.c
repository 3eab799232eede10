/* SPDX-License-Identifier: MIT */
/* Betweenness centrality on a device: the host's side of kernels/graph/betweenness.cl. */
#include "../../../kernels/graph/betweenness_words.h"
#include "../../engine/device_kernel.h"
#include "state.h"

enum buffer { depth, queue, first, value, centrality, scale, row, piece, partial, part_scale, count, arrived, buffers };

enum {
    max_mesh_degree = 8, /* max mean degree of a graph whose narrow levels run on one group */
    narrow_items = 256,  /* max vertices of a narrow level, if a group has one item */
};

struct gws_betweenness_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
    uint32_t scaled; /* 1 if scale has a word for each vertex */
    double factor;   /* scale factor of the last run */
};

static gws_status open_buffers(struct gws_betweenness_device *made, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = made->kernel.info->graph;
    const uint64_t vertices = graph->vertices, rows = graph->arcs / BC_HEAVY + 1;
    const uint64_t pieces = 2 * (graph->arcs / BC_PIECE + rows);
    const uint64_t bytes[buffers] = {[depth] = vertices * 4,    [queue] = vertices * 4,      [first] = vertices * 4 + 4,
                                     [value] = vertices * 8,    [centrality] = vertices * 8, [scale] = 4,
                                     [row] = rows * 8,          [piece] = pieces * 8,        [partial] = pieces * 8,
                                     [part_scale] = pieces * 4, [count] = BC_COUNTS * 4,     [arrived] = 8};
    gws_status status = gws__device_kernel_buffers(&made->kernel, bytes, buffers, made->buffer, where);
    return status == GWS_OK ? gws_device_fill(made->buffer[arrived], 0, 0, 2, where) : status;
}

static gws_status betweenness_device_open(struct gws_device_graph *on_device,
                                          struct gws_betweenness_device **betweenness, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    if (info->graph->directed && !info->graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    struct gws_betweenness_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_betweenness_device){.buffer = {NULL}};
    gws_status status =
        gws__device_kernel_open(on_device, "graph_betweenness", "graph_betweenness", &made->kernel, where);
    if (status == GWS_OK && info->graph->directed)
        status = gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
    if (status == GWS_OK) status = open_buffers(made, where);
    if (status == GWS_OK)
        *betweenness = made;
    else
        gws_betweenness_device_close(made);
    return status;
}

gws_status gws_betweenness_device_open(struct gws_device_graph *on_device, struct gws_betweenness_device **betweenness,
                                       struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    betweenness_device_open(on_device, betweenness, where));
}

void gws_betweenness_device_close(struct gws_betweenness_device *betweenness)
{
    if (!betweenness) return;
    for (uint32_t i = 0; i < buffers; i++) gws_device_buffer_free(betweenness->buffer[i]);
    gws__device_kernel_close(&betweenness->kernel);
    gws_release(betweenness->kernel.info->runtime, betweenness, 1, sizeof *betweenness);
}

/* Launches the kernel for one source, and reads the counts. */
static gws_status launch(struct gws_betweenness_device *betweenness, uint32_t source, uint32_t counts[BC_COUNTS],
                         struct gws_diagnostic *where)
{
    struct gws__device_kernel *kernel = &betweenness->kernel;
    const struct gws_graph *graph = kernel->info->graph;
    const bool mesh = graph->arcs <= max_mesh_degree * graph->vertices;
    const uint32_t narrow = kernel->group_size > 1 ? kernel->group_size : narrow_items;
    const uint32_t word[] = {(uint32_t)graph->vertices, source, betweenness->scaled, mesh ? narrow : 0};
    static const enum gws_device_graph_array rows[] = {GWS_ARRAY_OFFSET, GWS_ARRAY_TARGET, GWS_ARRAY_IN_OFFSET,
                                                       GWS_ARRAY_SOURCE};
    struct gws_device_argument argument[4 + buffers + 1 + 4];
    uint32_t arguments = 0;
    for (uint32_t i = 0; i < 4; i++)
        argument[arguments++] =
            (struct gws_device_argument){.buffer = gws_device_graph_buffer(kernel->on_device, rows[i])};
    for (uint32_t i = 0; i < buffers; i++)
        argument[arguments++] = (struct gws_device_argument){.buffer = betweenness->buffer[i]};
    argument[arguments++] = gws__stop_argument(&kernel->stop);
    for (uint32_t i = 0; i < 4; i++)
        argument[arguments++] = (struct gws_device_argument){.value = &word[i], .bytes = sizeof word[i]};
    gws_status status = gws__device_kernel_run(kernel, argument, arguments, where);
    return status == GWS_OK ? gws_device_read(betweenness->buffer[count], 0, counts, BC_COUNTS * 4, where) : status;
}

/* Allocates the scales. The kernel then scales the values of all further sources. */
static gws_status add_scale(struct gws_betweenness_device *betweenness, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    struct gws_device_buffer *larger = NULL;
    gws_status status = gws_device_buffer_new(info->device, info->graph->vertices * 4, &larger, where);
    if (status != GWS_OK) return status;
    gws_device_buffer_free(betweenness->buffer[scale]);
    betweenness->buffer[scale] = larger;
    betweenness->scaled = 1;
    return GWS_OK;
}

static gws_status add_source(struct gws_betweenness_device *betweenness, uint32_t source,
                             struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    uint32_t counts[BC_COUNTS];
    gws_status status = launch(betweenness, source, counts, where);
    if (status == GWS_OK && counts[BC_OVERFLOW] && !betweenness->scaled) {
        status = add_scale(betweenness, where);
        if (status == GWS_OK) status = launch(betweenness, source, counts, where);
    }
    if (status != GWS_OK) return status;
    if (counts[BC_OVERFLOW]) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    result->reached += counts[BC_REACHED];
    if (counts[BC_LEVELS] > result->levels) result->levels = counts[BC_LEVELS];
    return GWS_OK;
}

static gws_status check_options(const struct gws_graph *graph, const struct gws_betweenness_options *options,
                                struct gws_diagnostic *where)
{
    if (options->arcs)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "devices have no betweenness of arcs");
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        if (options->source[i] >= graph->vertices) return gws_diagnostic_status(where, GWS_OUT_OF_RANGE);
    return GWS_OK;
}

static gws_status betweenness_device_run(struct gws_betweenness_device *betweenness,
                                         const struct gws_betweenness_options *options,
                                         struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    static const struct gws_betweenness_options defaults;
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    if (!options) options = &defaults;
    gws_status status = check_options(info->graph, options, where);
    if (status != GWS_OK) return status;
    status = gws__bc_open_scratch(info->runtime, &result->scratch);
    if (status == GWS_OK) status = gws__bc_list_sources(info->runtime, info->graph, options, result);
    (void)gws_diagnostic_status(where, status);
    double began = gws_clock_ms();
    result->reached = result->levels = 0;
    if (status == GWS_OK && info->graph->vertices > 0)
        status = gws_device_fill(betweenness->buffer[centrality], 0, 0, 2 * info->graph->vertices, where);
    for (uint64_t i = 0; i < result->sources && status == GWS_OK; i++) {
        status = add_source(betweenness, result->source ? result->source[i] : (uint32_t)i, result, where);
        gws_report_progress(info->runtime, "betweenness", i + 1, result->sources);
    }
    result->ms = gws_clock_ms() - began;
    betweenness->factor = gws__bc_factors_of(info->graph, options, result).vertex;
    if (status != GWS_OK) gws_betweenness_result_clear(result);
    return status;
}

gws_status gws_betweenness_device_run(struct gws_betweenness_device *betweenness,
                                      const struct gws_betweenness_options *options,
                                      struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(betweenness->kernel.info->runtime, where,
                    betweenness_device_run(betweenness, options, result, where));
}

struct gws_device_buffer *gws_betweenness_device_buffer(const struct gws_betweenness_device *betweenness)
{
    return betweenness->buffer[centrality];
}

static gws_status betweenness_device_fetch(struct gws_betweenness_device *betweenness,
                                           struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = betweenness->kernel.info;
    const uint64_t vertices = info->graph->vertices;
    double began = gws_clock_ms();
    if (!result->scratch) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the result is not the last run's");
    double *values = gws__bc_array_of(result->scratch, GWS__BC_CENTRALITY, vertices, sizeof *values);
    if (!values) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    result->centrality = values;
    gws_status status =
        vertices > 0 ? gws_device_read(betweenness->buffer[centrality], 0, values, vertices * 8, where) : GWS_OK;
    if (status != GWS_OK) return status;
    gws__bc_scale(info->runtime, values, vertices, betweenness->factor);
    result->vertices = vertices;
    result->arcs = info->graph->arcs;
    result->arc = NULL;
    result->fetch_ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_betweenness_device_fetch(struct gws_betweenness_device *betweenness,
                                        struct gws_betweenness_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(betweenness->kernel.info->runtime, where, betweenness_device_fetch(betweenness, result, where));
}
