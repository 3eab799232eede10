/* SPDX-License-Identifier: MIT */
/* Closeness on a device: the host's side of kernels/graph/bfs_batch.cl. */
#include "../../closeness_device.h"

#include "../../../kernels/graph/bfs_batch_words.h"
#include "../../../lib/parallel.h"
#include "../../../lib/poison.h"
#include "../../engine/device_kernel.h"
#include "state.h"

enum buffer {
    source,
    seen,
    front,
    next,
    mark,
    list,
    touched,
    piece,
    in_piece,
    reached,
    eccentricity,
    total,
    harmonic,
    count,
    arcs,
    arrived,
    buffers
};

enum { push_fraction = 16 }; /* a level pushes if its frontier has at most this fraction of all vertices and arcs */

struct gws_closeness_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
    struct gws_closeness_result chosen; /* only .sources, and .source, the list of sources */
    bool outgoing, unscaled;
    bool ran;       /* the arrays are those of a complete run */
    uint32_t words; /* for each vertex: 1, or BATCH_WORDS */
};

/* Returns the bytes of the arrays that have `words` words for each vertex, and of the other words of a vertex. */
static uint64_t vertex_bytes(const struct gws_graph *graph, uint32_t words)
{
    return graph->vertices * (3 * 8 * words + 3 * 4);
}

static uint32_t choose_words(const struct gws_closeness_device *made)
{
    const struct gws_device_graph_info *info = made->kernel.info;
    uint64_t left = info->memory > info->bytes ? info->memory - info->bytes : 0;
    return made->chosen.sources > 64 && vertex_bytes(info->graph, BATCH_WORDS) <= left ? BATCH_WORDS : 1;
}

/* The sizes of the buffers of pieces suffice, since a long row has at least BATCH_PIECE arcs. */
static gws_status open_buffers(struct gws_closeness_device *made, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = made->kernel.info->graph;
    const uint64_t vertices = graph->vertices, sources = made->chosen.sources;
    const uint64_t bits = vertices * made->words * 8, pieces = 2 * (graph->arcs / BATCH_PIECE) + 1;
    const uint64_t bytes[buffers] = {[source] = made->chosen.source ? sources * 4 : 4,
                                     [seen] = bits,
                                     [front] = bits,
                                     [next] = bits,
                                     [mark] = vertices * 4,
                                     [list] = vertices * 4,
                                     [touched] = vertices * 4,
                                     [piece] = pieces * 8,
                                     [in_piece] = pieces * 8,
                                     [reached] = sources * 4,
                                     [eccentricity] = sources * 4,
                                     [total] = sources * 8,
                                     [harmonic] = sources * 8,
                                     [count] = BATCH_COUNTS * 4,
                                     [arcs] = BATCH_SLOTS * 8,
                                     [arrived] = 8};
    gws_status status = gws__device_kernel_buffers(&made->kernel, bytes, buffers, made->buffer, where);
    if (status == GWS_OK && made->chosen.source && sources > 0)
        status = gws_device_write(made->buffer[source], 0, made->chosen.source, sources * 4, where);
    return status == GWS_OK ? gws_device_fill(made->buffer[arrived], 0, 0, 2, where) : status;
}

static gws_status open_on(struct gws_closeness_device *made, struct gws_device_graph *on_device,
                          const struct gws_closeness_options *options, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    gws_status status = gws__device_kernel_open(on_device, "graph_bfs_batch", "graph_bfs_batch", &made->kernel, where);
    if (status != GWS_OK) return status;
    status = gws__closeness_list_sources(info->runtime, info->graph, options, &made->chosen);
    if (status == GWS_OK && made->chosen.sources >> 32) status = GWS_TOO_LARGE;
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (info->graph->directed) status = gws_device_graph_prepare(on_device, GWS_INDEX_REVERSE, where);
    made->words = choose_words(made);
    return status == GWS_OK ? open_buffers(made, where) : status;
}

static gws_status closeness_device_open(struct gws_device_graph *on_device, const struct gws_closeness_options *options,
                                        struct gws_closeness_device **closeness, struct gws_diagnostic *where)
{
    static const struct gws_closeness_options defaults;
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    if (!options) options = &defaults;
    struct gws_closeness_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_closeness_device){.outgoing = options->outgoing, .unscaled = options->unscaled};
    made->kernel.info = info;
    gws_status status = open_on(made, on_device, options, where);
    if (status == GWS_OK)
        *closeness = made;
    else
        gws_closeness_device_close(made);
    return status;
}

gws_status gws_closeness_device_open(struct gws_device_graph *on_device, const struct gws_closeness_options *options,
                                     struct gws_closeness_device **closeness, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    closeness_device_open(on_device, options, closeness, where));
}

void gws_closeness_device_close(struct gws_closeness_device *closeness)
{
    if (!closeness) return;
    for (uint32_t i = 0; i < buffers; i++) gws_device_buffer_free(closeness->buffer[i]);
    gws_closeness_result_clear(&closeness->chosen);
    gws__device_kernel_close(&closeness->kernel);
    gws_release(closeness->kernel.info->runtime, closeness, 1, sizeof *closeness);
}

/* ---- runs ---- */

/* Searches from one batch of sources. Distances to a vertex are those from it in the reverse graph. */
static gws_status launch(struct gws_closeness_device *closeness, uint32_t first, uint32_t sources,
                         struct gws_diagnostic *where)
{
    static const enum gws_device_graph_array rows[] = {GWS_ARRAY_OFFSET, GWS_ARRAY_TARGET, GWS_ARRAY_IN_OFFSET,
                                                       GWS_ARRAY_SOURCE};
    struct gws__device_kernel *kernel = &closeness->kernel;
    const struct gws_graph *graph = kernel->info->graph;
    const uint64_t limit = (graph->vertices + graph->arcs) / push_fraction;
    const uint32_t word[] = {(uint32_t)graph->vertices, closeness->chosen.source != NULL, first, sources,
                             closeness->words};
    enum { words = sizeof word / sizeof *word };
    struct gws_device_argument argument[4 + buffers + 2 + words];
    uint32_t at = 0;
    for (uint32_t i = 0; i < 4; i++)
        argument[at++] = (struct gws_device_argument){
            .buffer = gws_device_graph_buffer(kernel->on_device, rows[closeness->outgoing ? i : (i + 2) % 4])};
    for (uint32_t i = 0; i < buffers; i++)
        argument[at++] = (struct gws_device_argument){.buffer = closeness->buffer[i]};
    argument[at++] = gws__stop_argument(&kernel->stop);
    argument[at++] = (struct gws_device_argument){.value = &limit, .bytes = sizeof limit};
    for (uint32_t i = 0; i < words; i++)
        argument[at++] = (struct gws_device_argument){.value = &word[i], .bytes = sizeof word[i]};
    gws_status status = gws_device_fill(closeness->buffer[count], 0, 0, BATCH_COUNTS, where);
    if (status == GWS_OK) status = gws_device_fill(closeness->buffer[arcs], 0, 0, 2 * BATCH_SLOTS, where);
    return status == GWS_OK ? gws__device_kernel_run(kernel, argument, at, where) : status;
}

static gws_status poison(const struct gws_closeness_device *closeness, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t i = reached; i <= harmonic && status == GWS_OK && closeness->chosen.sources > 0; i++)
        status = gws_buffer_poison(closeness->buffer[i], GWS_POISON, where);
    return status;
}

static gws_status closeness_device_run(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                       struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = closeness->kernel.info->runtime;
    const uint64_t sources = closeness->chosen.sources, batch = 64 * closeness->words;
    closeness->ran = false;
    gws_status status = poison(closeness, where);
    double began = gws_clock_ms();
    for (uint64_t first = 0; first < sources && status == GWS_OK; first += batch) {
        uint64_t end = first + batch < sources ? first + batch : sources;
        status = launch(closeness, (uint32_t)first, (uint32_t)(end - first), where);
        if (status == GWS_OK) gws_report_progress(runtime, "closeness", end, sources);
    }
    if (status != GWS_OK) return status;
    closeness->ran = true;
    result->vertices = closeness->kernel.info->graph->vertices;
    result->sources = sources;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_closeness_device_run(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(closeness->kernel.info->runtime, where, closeness_device_run(closeness, result, where));
}

struct gws_device_buffer *gws_closeness_device_buffer(const struct gws_closeness_device *closeness,
                                                      enum gws_closeness_array array)
{
    static const enum buffer which[GWS_CLOSENESS_ARRAYS] = {reached, eccentricity, total, harmonic};
    return closeness->buffer[which[array]];
}

static gws_status closeness_device_fetch(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                         struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = closeness->kernel.info;
    const struct gws_closeness_options options = {.source = closeness->chosen.source,
                                                  .sources = closeness->chosen.sources};
    const double began = gws_clock_ms(), ms = result->ms;
    if (!closeness->ran) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no run is complete");
    gws_status status = gws__closeness_list_sources(info->runtime, info->graph, &options, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    void *const to[] = {result->reached, result->eccentricity, result->total, result->harmonic};
    for (uint32_t i = 0; i < GWS_CLOSENESS_ARRAYS && status == GWS_OK && options.sources > 0; i++) {
        struct gws_device_buffer *from = gws_closeness_device_buffer(closeness, (enum gws_closeness_array)i);
        status = gws_device_read(from, 0, to[i], gws_device_buffer_bytes(from), where);
    }
    if (status != GWS_OK) return status;
    gws__closeness_finish(result, closeness->unscaled);
    result->ms = ms;
    result->fetch_ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_closeness_device_fetch(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(closeness->kernel.info->runtime, where, closeness_device_fetch(closeness, result, where));
}
