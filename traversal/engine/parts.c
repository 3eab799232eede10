/* SPDX-License-Identifier: MIT */
#include "parts.h"

#include <string.h>

#include "../../lib/parallel.h"
#include "engine.h"

/* ---- devices ---- */

static gws_status connect_pair(struct gws_device *device, struct gws_device *other, struct gws_diagnostic *where)
{
    const char *address = gws_device_describe(device)->address, *peer = gws_device_describe(other)->address;
    if (gws_device_same(device, other))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s is given twice", address);
    if (!gws_device_sharing(device, other).fine_grained)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "a graph cannot be parted: %s does not reach the memory of %s", address, peer);
    return gws_device_reach(device, other, where);
}

gws_status gws__parts_connect(struct gws_device *const *device, uint32_t devices, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if (devices == 0 || devices > PARTED_MAX)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%u devices: expected 1 to %u", devices, PARTED_MAX);
    for (uint32_t i = 0; i < devices * devices && status == GWS_OK; i++)
        if (i / devices != i % devices) status = connect_pair(device[i / devices], device[i % devices], where);
    return status;
}

/* ---- parts ---- */

struct costs {
    const struct gws_graph *graph, *in;
    uint32_t vertex;
};

static uint64_t cost_before(const struct costs *costs, uint64_t vertex)
{
    uint64_t arcs = costs->graph->offset[vertex] + vertex * costs->vertex;
    return costs->in ? arcs + costs->in->offset[vertex] : arcs;
}

/* Returns the first multiple of 32 before which the vertices cost at least `cost`, or the end of the graph. */
static uint32_t bound_of(const struct costs *costs, uint64_t cost)
{
    const uint64_t vertices = costs->graph->vertices;
    uint64_t low = 0, high = (vertices + 31) / 32;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (cost_before(costs, middle * 32) < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)(high * 32 < vertices ? high * 32 : vertices);
}

void gws__parts_divide(struct gws__parts *parts, const struct gws_graph *graph, const struct gws_graph *in,
                       uint32_t vertex_cost)
{
    const struct costs costs = {graph, in, vertex_cost};
    const uint64_t share = cost_before(&costs, graph->vertices) / parts->count;
    for (uint32_t p = 1; p < parts->count; p++) parts->first[p] = bound_of(&costs, share * p);
    parts->first[0] = 0;
    parts->first[parts->count] = (uint32_t)graph->vertices;
}

/* Offsets of rows of the vertices first .. end - 1 of a graph. from, to: those of the graph and of the rows. */
struct row_bounds {
    const uint64_t *from;
    uint64_t *to, first, end;
    uint64_t begin; /* the vertex of to[0] */
};

static void find_bounds(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct row_bounds *bounds = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t v = bounds->begin + i, own = v < bounds->first ? bounds->first
                                                    : v < bounds->end ? v
                                                                      : bounds->end;
        bounds->to[i] = bounds->from[own] - bounds->from[bounds->first];
    }
}

/* Makes a graph of `size` vertices from vertex `begin` on, with the rows of the part. */
static gws_status make_rows(struct gws_runtime *runtime, const struct gws__parts *parts, uint32_t part,
                            const struct gws_graph *graph, uint64_t begin, uint64_t size, uint64_t **to,
                            struct gws_graph *rows)
{
    enum { min_parallel = 1 << 17 };
    struct row_bounds bounds = {
        .from = graph->offset, .first = parts->first[part], .end = parts->first[part + 1], .begin = begin};
    bounds.to = *to = gws_allocate(runtime, size + 1, sizeof **to);
    if (!*to) return GWS_NO_MEMORY;
    gws__engine_uncounted(runtime, size + 1, min_parallel, find_bounds, &bounds);
    const uint64_t arc = graph->offset[bounds.first];
    *rows = (struct gws_graph){.vertices = size, .arcs = (*to)[size], .offset = *to, .target = graph->target + arc};
    if (graph->weight) rows->weight = graph->weight + arc;
    if (graph->real_weight) rows->real_weight = graph->real_weight + arc;
    return GWS_OK;
}

gws_status gws__parts_rows(struct gws_runtime *runtime, const struct gws__parts *parts, uint32_t part,
                           const struct gws_graph *graph, uint64_t **bounds, struct gws_graph *rows)
{
    return make_rows(runtime, parts, part, graph, parts->first[part], gws__parts_size(parts, part), bounds, rows);
}

gws_status gws__parts_all_rows(struct gws_runtime *runtime, const struct gws__parts *parts, uint32_t part,
                               const struct gws_graph *graph, uint64_t **bounds, struct gws_graph *rows)
{
    gws_status status = make_rows(runtime, parts, part, graph, 0, graph->vertices, bounds, rows);
    if (status == GWS_OK) rows->directed = graph->directed || parts->count > 1;
    return status;
}

void gws__parts_release(struct gws_runtime *runtime, const struct gws__parts *parts, uint32_t part, uint64_t *bounds)
{
    gws_release(runtime, bounds, gws__parts_size(parts, part) + 1, sizeof *bounds);
}

/* ---- launches ---- */

void gws__parts_arguments(const struct gws__parts *parts, uint32_t which, struct parted_bounds *bounds,
                          struct gws_device_argument *argument, uint32_t *count)
{
    *bounds = (struct parted_bounds){.part = which, .parts = parts->count};
    memcpy(bounds->first, parts->first, sizeof bounds->first);
    argument[(*count)++] = gws__stop_argument(&parts->kernel[which]->stop);
    for (uint32_t p = 0; p < PARTED_MAX; p++)
        argument[(*count)++].buffer = parts->exchange[p < parts->count ? p : which];
    argument[(*count)++] = (struct gws_device_argument){.value = bounds, .bytes = sizeof *bounds};
}

static gws_status clear_posts(const struct gws__parts *parts, uint32_t which, struct gws_diagnostic *where)
{
    if (parts->post_words == 0) return GWS_OK;
    return gws_device_fill(parts->exchange[which], 0, 0, parts->post_words * 2, where);
}

gws_status gws__parts_add(struct gws__parts *parts, uint32_t which, struct gws__device_kernel *kernel,
                          struct gws_device_buffer *exchange, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    parts->kernel[which] = kernel;
    parts->exchange[which] = exchange;
    if (parts->count > 1 && !kernel->stop.buffer) status = gws__stop_open(&kernel->stop, NULL, kernel->device, where);
    return status == GWS_OK ? clear_posts(parts, which, where) : status;
}

/* A launch has failed, so the kernels launched before it wait at their first barrier. Ends them. Without the word that
 * ends a kernel they never end, and their devices are lost when the wait exceeds its limit. */
static void abandon(const struct gws__parts *parts, uint32_t launched)
{
    for (uint32_t p = 0; p < launched; p++) {
        struct gws__stop *stop = &parts->kernel[p]->stop;
        /* relaxed, here and below: the word carries no other data. */
        if (stop->word) atomic_store_explicit(stop->word, PEERS_ABANDON, memory_order_relaxed);
    }
    for (uint32_t p = 0; p < launched; p++) {
        struct gws__stop *stop = &parts->kernel[p]->stop;
        (void)gws_device_wait(parts->kernel[p]->device, NULL);
        if (stop->word) atomic_store_explicit(stop->word, 0, memory_order_relaxed);
    }
    /* Some devices have posted to a barrier, and others have not. */
    for (uint32_t p = 0; p < parts->count; p++) (void)clear_posts(parts, p, NULL);
    for (uint32_t p = 0; p < parts->count; p++) (void)gws_device_wait(parts->kernel[p]->device, NULL);
}

/* Once a device sees that the call is cancelled, all kernels end at the same barrier. */
static gws_status wait_all(const struct gws__parts *parts, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t p = 0; p < parts->count; p++) {
        struct gws__device_kernel *kernel = parts->kernel[p];
        gws_status ended = gws__stop_wait(&kernel->stop, kernel->device, status == GWS_OK ? where : NULL);
        if (status == GWS_OK) status = ended;
    }
    return status;
}

gws_status gws__parts_run(struct gws__parts *parts, gws__parts_launch *launch, void *context, double *ms,
                          struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if (gws_cancelled(parts->kernel[0]->runtime)) return gws_diagnostic_status(where, GWS_CANCELLED);
    for (uint32_t p = 0; p < parts->count && status == GWS_OK; p++)
        status = gws__device_trace_begin(&parts->kernel[p]->trace, where);
    const double began = gws_clock_ms();
    uint32_t launched = 0;
    while (launched < parts->count && status == GWS_OK) {
        status = launch(context, launched, where);
        if (status == GWS_OK) launched++;
    }
    if (status == GWS_OK)
        status = wait_all(parts, where);
    else
        abandon(parts, launched);
    *ms = gws_clock_ms() - began;
    for (uint32_t p = 0; p < parts->count && status == GWS_OK; p++)
        status = gws__device_trace_end(&parts->kernel[p]->trace, where);
    return status;
}
