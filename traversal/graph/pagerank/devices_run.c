/* SPDX-License-Identifier: MIT */
/* PageRank on a graph that is parted among devices: one launch on each device, sums, and copies of the ranks
 * (kernels/graph/pagerank_parted.cl). */
#include <string.h>

#include "../../../kernels/graph/pagerank_parted_words.h"
#include "../../../kernels/graph/pagerank_words.h"
#include "../../../lib/parallel.h"
#include "devices.h"
#include "state.h"

/* ---- a run ---- */

static gws_status launch(void *context, uint32_t which, struct gws_diagnostic *where)
{
    enum { rows = 2, values = 6, arguments = rows + ranks_exchange + gws__parts_arguments_count + values };
    static const uint64_t none = 0;
    const struct gws_pagerank_devices *pagerank = context;
    const struct gws__ranks_part *part = &pagerank->part[which];
    const struct gws_pagerank_options *options = &pagerank->options;
    const uint64_t vertices = pagerank->graph->vertices, bound = gws__pagerank_bound(options->tolerance);
    const double entries = pagerank->personal ? (double)options->sources : (double)vertices;
    const uint32_t personal = pagerank->personal, dense = pagerank->in.arcs > PAGERANK_DENSE * vertices;
    struct gws_device_argument argument[arguments] = {
        {.buffer = gws_device_graph_buffer(part->on_device, GWS_ARRAY_OFFSET)},
        {.buffer = gws_device_graph_buffer(part->on_device, GWS_ARRAY_TARGET)}};
    struct parted_bounds bounds;
    uint32_t count = rows;
    for (int i = 0; i < ranks_exchange; i++) argument[count++].buffer = part->buffer[i];
    if (!pagerank->has_degrees)
        argument[rows + ranks_degree] = (struct gws_device_argument){.value = &none, .bytes = sizeof none};
    gws__parts_arguments(&pagerank->parts, which, &bounds, argument, &count);
    const struct gws_device_argument value[values] = {{.value = &options->damping, .bytes = 8},
                                                      {.value = &entries, .bytes = 8},
                                                      {.value = &bound, .bytes = 8},
                                                      {.value = &personal, .bytes = 4},
                                                      {.value = &dense, .bytes = 4},
                                                      {.value = &options->max_iterations, .bytes = 4}};
    memcpy(argument + count, value, sizeof value);
    return gws__device_kernel_start(&part->kernel, argument, count + values, where);
}

/* Clears the counts, which is not part of a run's time. */
static gws_status prepare(struct gws_pagerank_devices *pagerank, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t p = 0; p < pagerank->parts.count && status == GWS_OK; p++) {
        struct gws_device_buffer *const *buffer = pagerank->part[p].buffer;
        status = gws_device_fill(buffer[ranks_count], 0, 0, PAGERANK_COUNTS, where);
        if (status == GWS_OK)
            status = gws_device_fill(buffer[ranks_sums], 0, 0, PAGERANK_GENERATIONS * PAGERANK_SUMS * 2, where);
    }
    return status;
}

static gws_status read_stats(const struct gws_pagerank_devices *pagerank, struct gws__ranks_part *part,
                             struct gws_diagnostic *where)
{
    uint64_t idle = 0, all = 0, *stats = gws_allocate(pagerank->runtime, part->stats_bytes, 1);
    if (!stats) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = gws_device_read(part->buffer[ranks_stats], 0, stats, part->stats_bytes, where);
    for (uint64_t g = 0; g < part->kernel.groups && status == GWS_OK; g++) {
        idle += stats[g * PAGERANK_STATS + PAGERANK_IDLE];
        all += stats[g * PAGERANK_STATS + PAGERANK_TIME];
    }
    gws_release(pagerank->runtime, stats, part->stats_bytes, 1);
    part->idle = all > 0 && idle < all ? (double)idle / (double)all : 0;
    return status;
}

/* All devices have the same number of iterations. The error is the sum of theirs. */
static gws_status read_part(struct gws_pagerank_devices *pagerank, uint32_t which, uint64_t *error,
                            struct gws_diagnostic *where)
{
    struct gws__ranks_part *part = &pagerank->part[which];
    uint64_t sum[PAGERANK_GENERATIONS * PAGERANK_SUMS];
    uint32_t counts[PAGERANK_COUNTS];
    gws_status status = gws_device_read(part->buffer[ranks_count], 0, counts, sizeof counts, where);
    if (status == GWS_OK) status = gws_device_read(part->buffer[ranks_sums], 0, sum, sizeof sum, where);
    if (status != GWS_OK) return status;
    pagerank->iterations = counts[PAGERANK_ITERATIONS];
    *error += sum[pagerank->iterations % PAGERANK_GENERATIONS * PAGERANK_SUMS + PAGERANK_ERROR];
    return read_stats(pagerank, part, where);
}

static gws_status pagerank_devices_run(struct gws_pagerank_devices *pagerank, struct gws_pagerank_result *result,
                                       struct gws_diagnostic *where)
{
    const bool empty = pagerank->graph->vertices == 0;
    uint64_t error = 0;
    double ms = 0;
    gws_report_progress(pagerank->runtime, "ranking", 0, 0);
    gws_status status = empty ? GWS_OK : prepare(pagerank, where);
    if (status == GWS_OK && !empty) status = gws__parts_run(&pagerank->parts, launch, pagerank, &ms, where);
    for (uint32_t p = 0; p < pagerank->parts.count && !empty && status == GWS_OK; p++)
        status = read_part(pagerank, p, &error, where);
    if (status != GWS_OK) return status;
    result->iterations = pagerank->iterations;
    result->error = (double)error * 0x1p-60;
    result->converged = empty || result->error <= pagerank->options.tolerance;
    result->ms = ms;
    return GWS_OK;
}

gws_status gws_pagerank_devices_run(struct gws_pagerank_devices *pagerank, struct gws_pagerank_result *result,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(pagerank->runtime, where, pagerank_devices_run(pagerank, result, where));
}

/* ---- the ranks ---- */

static gws_status read_ranks(const struct gws_pagerank_devices *pagerank, double *rank, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t p = 0; p < pagerank->parts.count && status == GWS_OK; p++) {
        const uint64_t bytes = gws__parts_size(&pagerank->parts, p) * sizeof *rank;
        if (bytes > 0)
            status =
                gws_device_read(pagerank->part[p].buffer[ranks_rank], 0, rank + pagerank->parts.first[p], bytes, where);
    }
    return status;
}

struct by_place {
    const uint32_t *number;
    const double *from;
    double *to;
};

static void find_ranks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct by_place *places = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) places->to[v] = places->from[places->number[v]];
}

/* Reads the ranks of places, and finds those of vertices. */
static gws_status read_by_place(const struct gws_pagerank_devices *pagerank, double *rank, struct gws_diagnostic *where)
{
    const uint64_t vertices = pagerank->graph->vertices;
    double *from = gws_allocate(pagerank->runtime, vertices, sizeof *from);
    if (!from) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    struct by_place places = {pagerank->options.index->number, from, rank};
    gws_status status = read_ranks(pagerank, from, where);
    if (status == GWS_OK) gws_parallel_for(pagerank->runtime, vertices, 4096, find_ranks, &places);
    gws_release(pagerank->runtime, from, vertices, sizeof *from);
    return status;
}

static gws_status pagerank_devices_fetch(struct gws_pagerank_devices *pagerank, struct gws_pagerank_result *result,
                                         struct gws_diagnostic *where)
{
    const double began = gws_clock_ms();
    gws_status status =
        gws_diagnostic_status(where, gws__pagerank_reserve(pagerank->runtime, pagerank->graph->vertices, result));
    if (status != GWS_OK) return status;
    status = pagerank->options.index ? read_by_place(pagerank, result->rank, where)
                                     : read_ranks(pagerank, result->rank, where);
    if (status == GWS_OK) result->fetch_ms = gws_clock_ms() - began;
    return status;
}

gws_status gws_pagerank_devices_fetch(struct gws_pagerank_devices *pagerank, struct gws_pagerank_result *result,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(pagerank->runtime, where, pagerank_devices_fetch(pagerank, result, where));
}

/* ---- parts ---- */

uint32_t gws_pagerank_devices_count(const struct gws_pagerank_devices *pagerank)
{
    return pagerank->parts.count;
}

void gws_pagerank_devices_describe(const struct gws_pagerank_devices *pagerank, uint32_t device,
                                   struct gws_pagerank_devices_part *part)
{
    const struct gws__ranks_part *own = &pagerank->part[device];
    const uint64_t writes = own->sending * (pagerank->parts.count - 1) * gws__ranks_share(pagerank);
    *part = (struct gws_pagerank_devices_part){
        .device = own->kernel.device,
        .first = pagerank->parts.first[device],
        .vertices = own->rows.vertices,
        .arcs = own->rows.arcs,
        .rank = own->buffer[ranks_rank],
        .bytes = gws_device_memory_held(own->kernel.device),
        .upload_ms = gws_device_graph_describe(own->on_device)->upload_ms,
        .groups = own->kernel.groups,
        .group_size = own->kernel.group_size,
        .sent_bytes = writes * (pagerank->iterations > 0 ? pagerank->iterations + (uint64_t)1 : 0),
        .idle = own->idle};
}
