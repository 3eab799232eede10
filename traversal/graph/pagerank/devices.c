/* SPDX-License-Identifier: MIT */
/* Parts a graph among devices for PageRank, and makes the memory of runs on each of them. */
#include "devices.h"

#include <stdatomic.h>
#include <string.h>

#include "../../../kernels/graph/pagerank_parted_words.h"
#include "../../../kernels/graph/pagerank_words.h"
#include "../../../lib/parallel.h"
#include "../../engine/engine.h"
#include "state.h"

enum { vertex_cost = 4 /* the cost of a vertex in an iteration, in arcs */ };

/* ---- what a part reads ---- */

static uint64_t degree_at(const struct gws_pagerank_devices *pagerank, uint64_t place)
{
    const struct gws_pagerank_index *index = pagerank->options.index;
    return index ? index->degree[place] : gws_graph_degree(pagerank->graph, (uint32_t)place);
}

struct out_degrees {
    const struct gws_pagerank_devices *pagerank;
    uint64_t first;
    uint32_t *degree; /* NULL: the kernel needs none */
    _Atomic uint64_t sending;
};

static void find_degrees(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct out_degrees *degrees = context;
    uint64_t sending = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        const uint64_t degree = degree_at(degrees->pagerank, degrees->first + v);
        if (degrees->degree) degrees->degree[v] = (uint32_t)degree;
        sending += degree > 0;
    }
    /* relaxed: the end of the loop orders the sums. */
    atomic_fetch_add_explicit(&degrees->sending, sending, memory_order_relaxed);
}

/* Counts the vertices whose shares other devices read, and writes the degrees to the device. */
static gws_status write_degrees(struct gws_pagerank_devices *pagerank, uint32_t which, struct gws_diagnostic *where)
{
    enum { min_parallel = 1 << 17 };
    struct gws__ranks_part *part = &pagerank->part[which];
    const uint64_t size = part->rows.vertices, bytes = size * sizeof(uint32_t);
    struct out_degrees degrees = {.pagerank = pagerank, .first = pagerank->parts.first[which]};
    gws_status status = GWS_OK;
    if (pagerank->has_degrees) {
        degrees.degree = gws_allocate(pagerank->runtime, size, sizeof *degrees.degree);
        if (!degrees.degree) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    }
    gws__engine_uncounted(pagerank->runtime, size, min_parallel, find_degrees, &degrees);
    part->sending = atomic_load_explicit(&degrees.sending, memory_order_relaxed);
    if (degrees.degree && size > 0)
        status = gws_device_write(part->buffer[ranks_degree], 0, degrees.degree, bytes, where);
    gws_release(pagerank->runtime, degrees.degree, size, sizeof *degrees.degree);
    return status;
}

static gws_status write_restarts(struct gws_pagerank_devices *pagerank, uint32_t which, const uint32_t *source,
                                 struct gws_diagnostic *where)
{
    const struct gws_pagerank_index *index = pagerank->options.index;
    const uint64_t first = pagerank->parts.first[which], size = gws__parts_size(&pagerank->parts, which);
    if (!source || size == 0) return GWS_OK;
    uint32_t *entries = gws_allocate(pagerank->runtime, size, sizeof *entries);
    if (!entries) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(entries, 0, size * sizeof *entries);
    for (uint64_t i = 0; i < pagerank->options.sources; i++) {
        const uint64_t place = (index ? index->number[source[i]] : source[i]) - first;
        if (place < size) entries[place]++;
    }
    gws_status status =
        gws_device_write(pagerank->part[which].buffer[ranks_restarts], 0, entries, size * sizeof *entries, where);
    gws_release(pagerank->runtime, entries, size, sizeof *entries);
    return status;
}

/* ---- opening and closing ---- */

/* Copies the rows to the device, and builds the program. */
static gws_status open_rows(struct gws_pagerank_devices *pagerank, uint32_t which, struct gws_device *device,
                            struct gws_diagnostic *where)
{
    const struct gws_device_graph_options options = {.placement = GWS_PLACE_DEVICE};
    const bool is_float = pagerank->options.precision == GWS_PAGERANK_FLOAT;
    struct gws__ranks_part *part = &pagerank->part[which];
    gws_status status = gws_diagnostic_status(
        where, gws__parts_rows(pagerank->runtime, &pagerank->parts, which, &pagerank->in, &part->bounds, &part->rows));
    if (status == GWS_OK)
        status = gws_device_graph_open(pagerank->runtime, device, &part->rows, &options, &part->on_device, where);
    if (status == GWS_OK)
        status = gws__device_kernel_open(part->on_device,
                                         is_float ? "graph_pagerank_parted_float" : "graph_pagerank_parted_double",
                                         "graph_pagerank_parted", &part->kernel, where);
    return status;
}

/* The sizes suffice for the same reason as in device.c. */
static gws_status open_buffers(struct gws_pagerank_devices *pagerank, uint32_t which, struct gws_diagnostic *where)
{
    struct gws__ranks_part *part = &pagerank->part[which];
    const uint64_t size = part->rows.vertices, rows = part->rows.arcs / PAGERANK_PIECE + 1;
    const uint64_t stride = PAGERANK_STRIDE(pagerank->graph->vertices);
    part->stats_bytes = part->kernel.groups * PAGERANK_STATS * 8;
    const uint64_t bytes[ranks_buffers] = {[ranks_degree] = pagerank->has_degrees ? size * 4 : 4,
                                           [ranks_restarts] = pagerank->personal ? size * 4 : 4,
                                           [ranks_listed] = size * 4,
                                           [ranks_long_row] = (part->rows.arcs / PAGERANK_MIDDLE + 1) * 4,
                                           [ranks_heavy] = rows * 8,
                                           [ranks_heavy_sum] = rows * 8,
                                           [ranks_piece] = rows * 8,
                                           [ranks_rank] = size * 8,
                                           [ranks_count] = PAGERANK_COUNTS * 4,
                                           [ranks_sums] = PAGERANK_GENERATIONS * PAGERANK_SUMS * 8,
                                           [ranks_stats] = part->stats_bytes,
                                           [ranks_arrived] = 8,
                                           [ranks_exchange] =
                                               PARTED_POSTS * 8 + 2 * stride * gws__ranks_share(pagerank)};
    gws_status status = gws__device_kernel_buffers(&part->kernel, bytes, ranks_buffers, part->buffer, where);
    if (status == GWS_OK) status = gws_device_fill(part->buffer[ranks_arrived], 0, 0, 2, where);
    return status == GWS_OK
               ? gws__parts_add(&pagerank->parts, which, &part->kernel, part->buffer[ranks_exchange], where)
               : status;
}

static gws_status open_parts(struct gws_pagerank_devices *pagerank, struct gws_device *const *device,
                             const uint32_t *source, struct gws_diagnostic *where)
{
    const uint32_t parts = pagerank->parts.count;
    gws_status status = GWS_OK;
    gws__parts_divide(&pagerank->parts, &pagerank->in, NULL, vertex_cost);
    for (uint32_t p = 0; p < parts && status == GWS_OK; p++) status = open_rows(pagerank, p, device[p], where);
    for (uint32_t p = 0; p < parts && status == GWS_OK; p++) status = open_buffers(pagerank, p, where);
    for (uint32_t p = 0; p < parts && status == GWS_OK; p++) status = write_degrees(pagerank, p, where);
    for (uint32_t p = 0; p < parts && status == GWS_OK; p++) status = write_restarts(pagerank, p, source, where);
    for (uint32_t p = 0; p < parts && status == GWS_OK; p++) status = gws_device_wait(device[p], where);
    return status;
}

static void set_rows(struct gws_pagerank_devices *made)
{
    const struct gws_graph *graph = made->graph;
    const struct gws_pagerank_index *index = made->options.index;
    if (index && index->graph != graph) index = made->options.index = NULL;
    made->in = graph->directed ? *graph->reverse : *graph;
    made->has_degrees = graph->directed || index;
    if (!index) return;
    made->in.offset = index->offset;
    made->in.target = index->source;
}

static gws_status pagerank_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                        const struct gws_graph *graph, const struct gws_pagerank_options *options,
                                        struct gws_pagerank_devices **pagerank, struct gws_diagnostic *where)
{
    struct gws_pagerank_options all;
    gws_status status = gws__parts_connect(device, devices, where);
    if (status == GWS_OK) status = gws_diagnostic_status(where, gws__pagerank_options(graph, options, &all));
    if (status != GWS_OK) return status;
    if (graph->vertices >> 31) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    struct gws_pagerank_devices *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_pagerank_devices){.runtime = runtime, .graph = graph, .options = all};
    made->personal = all.source != NULL;
    made->options.source = NULL;
    made->parts.count = devices;
    made->parts.post_words = PARTED_POSTS;
    set_rows(made);
    status = open_parts(made, device, all.source, where);
    if (status == GWS_OK)
        *pagerank = made;
    else
        gws_pagerank_devices_close(made);
    return status;
}

gws_status gws_pagerank_devices_open(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                     const struct gws_graph *graph, const struct gws_pagerank_options *options,
                                     struct gws_pagerank_devices **pagerank, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, pagerank_devices_open(runtime, device, devices, graph, options, pagerank, where));
}

void gws_pagerank_devices_close(struct gws_pagerank_devices *pagerank)
{
    if (!pagerank) return;
    for (uint32_t p = 0; p < pagerank->parts.count; p++) {
        struct gws__ranks_part *part = &pagerank->part[p];
        for (uint32_t i = 0; i < ranks_buffers; i++) gws_device_buffer_free(part->buffer[i]);
        gws__device_kernel_close(&part->kernel);
        gws_device_graph_close(part->on_device);
        gws__parts_release(pagerank->runtime, &pagerank->parts, p, part->bounds);
    }
    gws_release(pagerank->runtime, pagerank, 1, sizeof *pagerank);
}
