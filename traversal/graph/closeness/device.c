/* SPDX-License-Identifier: MIT */
/* Closeness on a device: the host's side of kernels/graph/bfs_batch.cl. */
#include "../../closeness_device.h"

#include "../../../lib/parallel.h"
#include "../../../lib/poison.h"
#include "../../engine/batch_device.h"
#include "state.h"

struct gws_closeness_device {
    struct gws__batch_device batch;
    struct gws_closeness_result chosen; /* only .sources, and .source, the list of sources */
    bool outgoing, unscaled;
    bool ran; /* the arrays are those of a complete run */
};

static gws_status open_on(struct gws_closeness_device *made, struct gws_device_graph *on_device,
                          const struct gws_closeness_options *options, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    struct gws_closeness_result *chosen = &made->chosen;
    gws_status status = gws__closeness_list_sources(info->runtime, info->graph, options, chosen);
    if (status == GWS_OK && chosen->sources >> 32) status = GWS_TOO_LARGE;
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    status = gws__batch_device_open(&made->batch, on_device, where);
    if (status == GWS_OK) status = gws__batch_device_reserve(&made->batch, chosen->sources, chosen->source, where);
    if (status != GWS_OK || !chosen->source || chosen->sources == 0) return status;
    return gws_device_write(made->batch.buffer[BATCH_SOURCE_LIST], 0, chosen->source, chosen->sources * 4, where);
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
    made->batch.kernel.info = info;
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
    struct gws_runtime *runtime = closeness->batch.kernel.info->runtime;
    gws_closeness_result_clear(&closeness->chosen);
    gws__batch_device_close(&closeness->batch);
    gws_release(runtime, closeness, 1, sizeof *closeness);
}

/* ---- runs ---- */

static gws_status poison(const struct gws_closeness_device *closeness, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t i = BATCH_REACHED; i <= BATCH_HARMONIC && status == GWS_OK && closeness->chosen.sources > 0; i++)
        status = gws_buffer_poison(closeness->batch.buffer[i], GWS_POISON, where);
    return status;
}

static gws_status closeness_device_run(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                       struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = closeness->batch.kernel.info->runtime;
    const uint64_t sources = closeness->chosen.sources, step = UINT64_C(64) * closeness->batch.words;
    struct gws__batch_launch launch = {
        .outgoing = closeness->outgoing, .listed = closeness->chosen.source, .max_depth = UINT32_MAX};
    closeness->ran = false;
    gws_status status = poison(closeness, where);
    double began = gws_clock_ms();
    for (uint64_t first = 0; first < sources && status == GWS_OK; first += step) {
        uint64_t end = first + step < sources ? first + step : sources;
        launch.first = (uint32_t)first;
        launch.sources = (uint32_t)(end - first);
        status = gws__batch_device_launch(&closeness->batch, &launch, where);
        if (status == GWS_OK) gws_report_progress(runtime, "closeness", end, sources);
    }
    if (status != GWS_OK) return status;
    closeness->ran = true;
    result->vertices = closeness->batch.kernel.info->graph->vertices;
    result->sources = sources;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_closeness_device_run(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                    struct gws_diagnostic *where)
{
    return GWS_CALL(closeness->batch.kernel.info->runtime, where, closeness_device_run(closeness, result, where));
}

struct gws_device_buffer *gws_closeness_device_buffer(const struct gws_closeness_device *closeness,
                                                      enum gws_closeness_array array)
{
    static const enum gws__batch_buffer which[GWS_CLOSENESS_ARRAYS] = {BATCH_REACHED, BATCH_ECCENTRICITY, BATCH_TOTAL,
                                                                       BATCH_HARMONIC};
    return closeness->batch.buffer[which[array]];
}

static gws_status closeness_device_fetch(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                         struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = closeness->batch.kernel.info;
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
    return GWS_CALL(closeness->batch.kernel.info->runtime, where, closeness_device_fetch(closeness, result, where));
}
