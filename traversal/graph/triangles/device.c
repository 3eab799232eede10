/* SPDX-License-Identifier: MIT */
/* Triangles on a device: the host's side of kernels/graph/triangles.cl. */
#include "../../../kernels/graph/triangles_words.h"
#include "../../engine/device_kernel.h"
#include "../../engine/device_symmetric.h"
#include "result.h"

enum buffer { rank, order, row, out, unit, words, count, sums, cursors, arrived, buffers };
enum { group_size = 128 };

struct gws_triangles_device {
    struct gws__device_symmetric graph;
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
    uint32_t parts;
    const struct gws_graph *directed; /* for options->directed; NULL: coefficients ignore directions */
};

/* Creates the buffers. The directed rows have at most half of the arcs, since they have one arc of each edge, and no
 * loops. */
static gws_status open_buffers(struct gws_triangles_device *triangles, struct gws_diagnostic *where)
{
    const struct gws__device_kernel *kernel = &triangles->kernel;
    const struct gws_graph *graph = kernel->info->graph;
    const uint64_t vertices = graph->vertices, units = graph->arcs / TRIANGLES_HEAVY + graph->arcs / TRIANGLES_CHUNK;
    const uint64_t bytes[buffers] = {[rank] = vertices * 4,
                                     [order] = vertices * 4,
                                     [row] = vertices * 8,
                                     [out] = (graph->arcs / 2 + 1) * 4,
                                     [unit] = (units + 1) * 8,
                                     [words] = TRIANGLES_WORDS * 4,
                                     [count] = triangles->parts ? vertices * 8 : 8,
                                     [sums] = TRIANGLES_SUMS * 8,
                                     [cursors] = kernel->groups * 8,
                                     [arrived] = 8};
    gws_status status = gws__device_kernel_buffers(kernel, bytes, buffers, triangles->buffer, where);
    return status == GWS_OK ? gws_device_fill(triangles->buffer[arrived], 0, 0, 2, where) : status;
}

static gws_status triangles_device_open(struct gws_device_graph *on_device, const struct gws_triangles_options *options,
                                        struct gws_triangles_device **triangles, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    uint32_t parts = options ? options->parts : 0;
    if (parts & ~(uint32_t)(GWS_TRIANGLES_COUNT | GWS_TRIANGLES_CLUSTERING))
        return gws_diagnostic_status(where, GWS_INVALID);
    struct gws_triangles_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_triangles_device){.parts = parts};
    if (parts & GWS_TRIANGLES_CLUSTERING && options->directed && info->graph->directed) made->directed = info->graph;
    gws_status status = gws__device_symmetric_open(on_device, &made->graph, where);
    if (status == GWS_OK)
        status = gws__device_kernel_open_sized(made->graph.on_device, "graph_triangles", "graph_triangles", group_size,
                                               &made->kernel, where);
    if (status == GWS_OK) status = open_buffers(made, where);
    if (status == GWS_OK)
        *triangles = made;
    else
        gws_triangles_device_close(made);
    return status;
}

gws_status gws_triangles_device_open(struct gws_device_graph *on_device, const struct gws_triangles_options *options,
                                     struct gws_triangles_device **triangles, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    triangles_device_open(on_device, options, triangles, where));
}

void gws_triangles_device_close(struct gws_triangles_device *triangles)
{
    if (!triangles) return;
    for (uint32_t i = 0; i < buffers; i++) gws_device_buffer_free(triangles->buffer[i]);
    gws__device_kernel_close(&triangles->kernel);
    gws__device_symmetric_close(&triangles->graph);
    gws_release(triangles->graph.runtime, triangles, 1, sizeof *triangles);
}

static gws_status launch(struct gws_triangles_device *triangles, struct gws_diagnostic *where)
{
    struct gws__device_kernel *kernel = &triangles->kernel;
    const uint32_t vertices = (uint32_t)kernel->info->graph->vertices, counts = triangles->parts != 0;
    struct gws_device_argument argument[2 + buffers + 3] = {
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_OFFSET)},
        {.buffer = gws_device_graph_buffer(kernel->on_device, GWS_ARRAY_TARGET)}};
    for (uint32_t i = 0; i < buffers; i++) argument[2 + i].buffer = triangles->buffer[i];
    argument[2 + buffers] = gws__stop_argument(&kernel->stop);
    argument[3 + buffers] = (struct gws_device_argument){.value = &vertices, .bytes = sizeof vertices};
    argument[4 + buffers] = (struct gws_device_argument){.value = &counts, .bytes = sizeof counts};
    return vertices > 0 ? gws__device_kernel_run(kernel, argument, sizeof argument / sizeof *argument, where) : GWS_OK;
}

static gws_status triangles_device_run(struct gws_triangles_device *triangles, struct gws_triangles_result *result,
                                       struct gws_diagnostic *where)
{
    uint64_t found[TRIANGLES_SUMS], vertices = triangles->kernel.info->graph->vertices;
    gws_status status = gws_device_fill(triangles->buffer[sums], 0, 0, 2 * TRIANGLES_SUMS, where);
    if (status == GWS_OK) status = gws_device_fill(triangles->buffer[words], 0, 0, TRIANGLES_WORDS, where);
    if (status == GWS_OK)
        status = gws_device_fill(triangles->buffer[cursors], 0, 0, triangles->kernel.groups * 2, where);
    if (status == GWS_OK && triangles->parts && vertices > 0)
        status = gws_device_fill(triangles->buffer[count], 0, 0, vertices * 2, where);
    gws_report_progress(triangles->kernel.info->runtime, "counting triangles", 0, 0);
    double began = gws_clock_ms();
    if (status == GWS_OK) status = launch(triangles, where);
    double ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = gws_device_read(triangles->buffer[sums], 0, found, sizeof found, where);
    if (status != GWS_OK) return status;
    result->triangles = found[TRIANGLES_FOUND];
    result->wedges = found[TRIANGLES_WEDGES];
    result->transitivity = result->wedges ? 3 * (double)result->triangles / (double)result->wedges : 0;
    result->prepare_ms = 0;
    result->ms = ms;
    return GWS_OK;
}

gws_status gws_triangles_device_run(struct gws_triangles_device *triangles, struct gws_triangles_result *result,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(triangles->kernel.info->runtime, where, triangles_device_run(triangles, result, where));
}

struct gws_device_buffer *gws_triangles_device_buffer(const struct gws_triangles_device *triangles)
{
    return triangles->parts ? triangles->buffer[count] : NULL;
}

static gws_status fetch(struct gws_triangles_device *triangles, struct gws_triangles_result *made,
                        struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = triangles->kernel.info;
    uint64_t vertices = info->graph->vertices, *counts = gws_allocate(info->runtime, vertices, sizeof *counts);
    if (!counts) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = GWS_OK;
    if (vertices > 0) status = gws_device_read(triangles->buffer[count], 0, counts, vertices * sizeof *counts, where);
    const struct gws__triangles_sums all = {counts, NULL, triangles->directed};
    if (status == GWS_OK)
        status = gws_diagnostic_status(where, gws__triangles_fill(info->runtime, info->graph, &all, made));
    gws_release(info->runtime, counts, vertices, sizeof *counts);
    return status;
}

static gws_status triangles_device_fetch(struct gws_triangles_device *triangles, struct gws_triangles_result *result,
                                         struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = triangles->kernel.info;
    struct gws_triangles_result made = *result;
    double began = gws_clock_ms();
    made.vertices = info->graph->vertices;
    made.count = NULL;
    made.clustering = NULL;
    made.directed = triangles->directed != NULL;
    made.mean_clustering = 0;
    gws_status status = gws__triangles_begin(info->runtime, triangles->parts, result, &made);
    if (status != GWS_OK) (void)gws_diagnostic_status(where, status);
    if (status == GWS_OK && triangles->parts) status = fetch(triangles, &made, where);
    made.fetch_ms = gws_clock_ms() - began;
    return gws__triangles_end(status, &made, result);
}

gws_status gws_triangles_device_fetch(struct gws_triangles_device *triangles, struct gws_triangles_result *result,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(triangles->kernel.info->runtime, where, triangles_device_fetch(triangles, result, where));
}
