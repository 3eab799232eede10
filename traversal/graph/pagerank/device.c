/* SPDX-License-Identifier: MIT */
/* PageRank on a device: the host's side of kernels/graph/pagerank.cl. */
#include "../../pagerank_device.h"

#include <math.h>
#include <string.h>

#include "../../../kernels/graph/pagerank_words.h"
#include "order.h"
#include "state.h"

enum buffer {
    restarts,
    shares,
    more_shares,
    listed,
    long_row,
    heavy,
    heavy_sum,
    piece,
    rank,
    count,
    sums,
    arrived,
    buffers
};

struct gws_pagerank_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
    struct gws_pagerank_options options; /* options.source is NULL: the list of sources is not kept */
    struct gws__order order;             /* empty without an index */
    bool personal;
};

static bool is_float(const struct gws_pagerank_device *pagerank)
{
    return pagerank->options.precision == GWS_PAGERANK_FLOAT;
}

/* In double, and without an index, the ranks take the place of the shares. */
static struct gws_device_buffer *ranks_of(const struct gws_pagerank_device *pagerank)
{
    return pagerank->buffer[pagerank->buffer[rank] ? rank : shares];
}

static gws_status open_rank(struct gws_pagerank_device *made, struct gws_diagnostic *where)
{
    return gws_device_buffer_new(made->kernel.info->device, made->kernel.info->graph->vertices * 8, &made->buffer[rank],
                                 where);
}

/* The sizes of the buffers suffice, since a long row has more than PAGERANK_MIDDLE arcs, and a heavy row has at least
 * PAGERANK_PIECE. */
static gws_status open_buffers(struct gws_pagerank_device *made, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = made->kernel.info->graph;
    const uint64_t share = is_float(made) ? sizeof(float) : sizeof(double);
    const uint64_t rows = graph->arcs / PAGERANK_PIECE + 1;
    const uint64_t bytes[buffers] = {[restarts] = made->personal ? graph->vertices * 4 : 4,
                                     [shares] = graph->vertices * share,
                                     [more_shares] = graph->vertices * share,
                                     [listed] = graph->vertices * 4,
                                     [long_row] = (graph->arcs / PAGERANK_MIDDLE + 1) * 4,
                                     [heavy] = rows * 8,
                                     [heavy_sum] = rows * 8,
                                     [piece] = rows * 8,
                                     [count] = PAGERANK_COUNTS * 4,
                                     [sums] = PAGERANK_GENERATIONS * PAGERANK_SUMS * 8,
                                     [arrived] = 8};
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < buffers && status == GWS_OK; i++)
        if (i != rank) status = gws_device_buffer_new(made->kernel.info->device, bytes[i], &made->buffer[i], where);
    if (status == GWS_OK && is_float(made)) status = open_rank(made, where);
    return status == GWS_OK ? gws_device_fill(made->buffer[arrived], 0, 0, 2, where) : status;
}

static gws_status write_restarts(const struct gws_pagerank_device *made, const uint32_t *source,
                                 struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = made->kernel.info->runtime;
    const uint64_t vertices = made->kernel.info->graph->vertices;
    uint32_t *entries = gws_allocate(runtime, vertices, sizeof *entries);
    if (!entries) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(entries, 0, vertices * sizeof *entries);
    for (uint64_t i = 0; source && i < made->options.sources; i++) entries[source[i]]++;
    gws_status status = gws_device_write(made->buffer[restarts], 0, entries, vertices * sizeof *entries, where);
    gws_release(runtime, entries, vertices, sizeof *entries);
    return status;
}

static gws_status pagerank_device_open(struct gws_device_graph *on_device, const struct gws_pagerank_options *options,
                                       struct gws_pagerank_device **pagerank, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    struct gws_pagerank_options all;
    gws_status status = gws__pagerank_options(info->graph, options, &all);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    struct gws_pagerank_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_pagerank_device){.options = all, .personal = all.source != NULL};
    const char *program = all.precision == GWS_PAGERANK_FLOAT ? "graph_pagerank_float" : "graph_pagerank_double";
    status = gws__device_kernel_open(on_device, program, "graph_pagerank", &made->kernel, where);
    if (status == GWS_OK && info->graph->directed)
        status = gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
    if (status == GWS_OK) status = open_buffers(made, where);
    if (status == GWS_OK && made->personal) status = write_restarts(made, all.source, where);
    made->options.source = NULL;
    if (status == GWS_OK)
        *pagerank = made;
    else
        gws_pagerank_device_close(made);
    return status;
}

gws_status gws_pagerank_device_open(struct gws_device_graph *on_device, const struct gws_pagerank_options *options,
                                    struct gws_pagerank_device **pagerank, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    pagerank_device_open(on_device, options, pagerank, where));
}

void gws_pagerank_device_close(struct gws_pagerank_device *pagerank)
{
    if (!pagerank) return;
    for (uint32_t i = 0; i < buffers; i++) gws_device_buffer_free(pagerank->buffer[i]);
    gws__order_clear(&pagerank->order);
    gws__device_kernel_close(&pagerank->kernel);
    gws_release(pagerank->kernel.info->runtime, pagerank, 1, sizeof *pagerank);
}

static gws_status pagerank_device_order(struct gws_pagerank_device *pagerank, struct gws_diagnostic *where)
{
    if (pagerank->order.buffer[ORDER_SOURCE]) return GWS_OK;
    gws_status status = pagerank->buffer[rank] ? GWS_OK : open_rank(pagerank, where);
    return status == GWS_OK ? gws__order_build(pagerank->kernel.on_device, &pagerank->order, where) : status;
}

gws_status gws_pagerank_device_order(struct gws_pagerank_device *pagerank, double *ms, uint64_t *bytes,
                                     struct gws_diagnostic *where)
{
    gws_status status = GWS_CALL(pagerank->kernel.info->runtime, where, pagerank_device_order(pagerank, where));
    if (status != GWS_OK) return status;
    *ms = pagerank->order.ms;
    *bytes = pagerank->order.bytes;
    return GWS_OK;
}

static void add_rows(const struct gws_pagerank_device *pagerank, struct gws_device_argument *argument, uint32_t *at)
{
    static const uint64_t none = 0;
    const struct gws_device_argument null = {.value = &none, .bytes = sizeof none};
    struct gws_device_graph *on_device = pagerank->kernel.on_device;
    struct gws_device_buffer *const *order = pagerank->order.buffer;
    const bool ordered = order[ORDER_SOURCE] != NULL;
    const enum gws_device_graph_array array[] = {GWS_ARRAY_IN_OFFSET, GWS_ARRAY_SOURCE, GWS_ARRAY_OFFSET};
    for (uint32_t i = 0; i < 3; i++)
        argument[(*at)++] = (struct gws_device_argument){.buffer = gws_device_graph_buffer(on_device, array[i])};
    if (ordered) argument[*at - 3].buffer = order[ORDER_ROW];
    if (ordered) argument[*at - 2].buffer = order[ORDER_SOURCE];
    argument[(*at)++] = ordered ? (struct gws_device_argument){.buffer = order[ORDER_DEGREE]} : null;
    argument[(*at)++] = ordered ? (struct gws_device_argument){.buffer = order[ORDER_VERTEX]} : null;
}

static gws_status launch(struct gws_pagerank_device *pagerank, struct gws_diagnostic *where)
{
    struct gws__device_kernel *kernel = &pagerank->kernel;
    const struct gws_pagerank_options *options = &pagerank->options;
    struct gws_device_buffer *const *buffer = pagerank->buffer;
    const uint32_t vertices = (uint32_t)kernel->info->graph->vertices, personal = pagerank->personal;
    const double entries = personal ? (double)options->sources : (double)vertices;
    const uint64_t bound = gws__pagerank_bound(options->tolerance);
    struct gws_device_argument argument[5 + buffers + 1 + 6];
    uint32_t at = 0;
    add_rows(pagerank, argument, &at);
    for (uint32_t i = 0; i < buffers; i++) argument[at++].buffer = i == rank ? ranks_of(pagerank) : buffer[i];
    argument[at++] = gws__stop_argument(&kernel->stop);
    const struct gws_device_argument value[] = {{.value = &options->damping, .bytes = 8},
                                                {.value = &entries, .bytes = 8},
                                                {.value = &bound, .bytes = 8},
                                                {.value = &vertices, .bytes = 4},
                                                {.value = &personal, .bytes = 4},
                                                {.value = &options->max_iterations, .bytes = 4}};
    memcpy(argument + at, value, sizeof value);
    return gws__device_kernel_run(kernel, argument, sizeof argument / sizeof *argument, where);
}

static gws_status pagerank_device_run(struct gws_pagerank_device *pagerank, struct gws_pagerank_result *result,
                                      struct gws_diagnostic *where)
{
    struct gws_device_buffer *const *buffer = pagerank->buffer;
    uint32_t counts[PAGERANK_COUNTS] = {0};
    uint64_t sum[PAGERANK_GENERATIONS * PAGERANK_SUMS] = {0};
    gws_status status = gws_device_fill(buffer[count], 0, 0, PAGERANK_COUNTS, where);
    if (status == GWS_OK) status = gws_device_fill(buffer[sums], 0, 0, sizeof sum / 4, where);
    gws_report_progress(pagerank->kernel.info->runtime, "ranking", 0, 0);
    double began = gws_clock_ms();
    if (status == GWS_OK && pagerank->kernel.info->graph->vertices > 0) status = launch(pagerank, where);
    double ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = gws_device_read(buffer[count], 0, counts, sizeof counts, where);
    if (status == GWS_OK) status = gws_device_read(buffer[sums], 0, sum, sizeof sum, where);
    if (status != GWS_OK) return status;
    result->iterations = counts[PAGERANK_ITERATIONS];
    uint32_t generation = result->iterations % PAGERANK_GENERATIONS;
    result->error = (double)sum[generation * PAGERANK_SUMS + PAGERANK_ERROR] * 0x1p-60;
    result->converged = pagerank->kernel.info->graph->vertices == 0 || result->error <= pagerank->options.tolerance;
    result->ms = ms;
    return GWS_OK;
}

gws_status gws_pagerank_device_run(struct gws_pagerank_device *pagerank, struct gws_pagerank_result *result,
                                   struct gws_diagnostic *where)
{
    return GWS_CALL(pagerank->kernel.info->runtime, where, pagerank_device_run(pagerank, result, where));
}

struct gws_device_buffer *gws_pagerank_device_buffer(const struct gws_pagerank_device *pagerank)
{
    return ranks_of(pagerank);
}

static gws_status pagerank_device_fetch(struct gws_pagerank_device *pagerank, struct gws_pagerank_result *result,
                                        struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = pagerank->kernel.info->runtime;
    const uint64_t vertices = pagerank->kernel.info->graph->vertices;
    double began = gws_clock_ms();
    gws_status status = gws__pagerank_reserve(runtime, vertices, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (vertices > 0)
        status = gws_device_read(ranks_of(pagerank), 0, result->rank, vertices * sizeof *result->rank, where);
    if (status == GWS_OK) result->fetch_ms = gws_clock_ms() - began;
    return status;
}

gws_status gws_pagerank_device_fetch(struct gws_pagerank_device *pagerank, struct gws_pagerank_result *result,
                                     struct gws_diagnostic *where)
{
    return GWS_CALL(pagerank->kernel.info->runtime, where, pagerank_device_fetch(pagerank, result, where));
}
