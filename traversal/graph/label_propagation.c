/* SPDX-License-Identifier: MIT */
/* Label propagation on the runtime's threads, with the operator inlined into the engine's loops, on a device, or on
 * both with handoff of rounds. The only array holds the labels. */
#include "../label_propagation.h"

#define GWS_HOST_WORKER
#include "../../kernels/portability/host.h"

#include "../../kernels/operator/operator.h"
#include "../engine/engine.h"

#include "../../kernels/operator/label_propagation.cl"

#include "../engine/device_run.h"
#include "../engine/rounds_body.h"

static gws_status label_propagation(struct gws_runtime *runtime, const struct gws_graph *graph,
                                    struct gws_label_propagation_result *result)
{
    struct engine engine = {.runtime = runtime, .graph = graph, .data = {result->label}};
    double began = gws_clock_ms();
    gws_status status = run_rounds(&engine, &result->rounds, &result->roots);
    if (status != GWS_OK) return status;
    result->device_rounds = result->handoffs = 0;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_label_propagation(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 struct gws_label_propagation_result *result)
{
    return GWS_CALL(runtime, NULL, label_propagation(runtime, graph, result));
}

static gws_status label_propagation_device(struct gws_device_graph *on_device,
                                           struct gws_label_propagation_result *result, struct gws_diagnostic *where)
{
    static const uint32_t no_words[4];
    struct gws__device_run *run = NULL;
    struct gws__device_run_report report;
    gws_status status = gws__device_run_open(on_device, "engine_label_propagation", 1, NULL, false, &run, where);
    if (status == GWS_OK) status = gws__device_run_go(run, no_words, &report, where);
    if (status == GWS_OK) status = gws__device_run_fetch(run, 0, result->label, where);
    gws__device_run_close(run);
    if (status != GWS_OK) return status;
    result->roots = report.counted;
    result->rounds = result->device_rounds = report.rounds;
    result->handoffs = 0;
    result->ms = report.ms;
    return GWS_OK;
}

gws_status gws_label_propagation_device(struct gws_device_graph *on_device, struct gws_label_propagation_result *result,
                                        struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    label_propagation_device(on_device, result, where));
}

static gws_status label_propagation_hybrid(struct gws_device_graph *on_device,
                                           struct gws_label_propagation_result *result, struct gws_diagnostic *where)
{
    const struct gws__hybrid both = {.program = "engine_label_propagation_hybrid", .loops = &rounds_loops, .arrays = 1};
    struct gws__hybrid_report report;
    gws_status status = gws__hybrid_run(on_device, &both, &result->label, &report, where);
    if (status != GWS_OK) return status;
    result->roots = report.counted;
    result->rounds = report.rounds;
    result->device_rounds = report.device_rounds;
    result->handoffs = (uint32_t)report.model.handoffs;
    result->ms = report.ms;
    return GWS_OK;
}

gws_status gws_label_propagation_hybrid(struct gws_device_graph *on_device, struct gws_label_propagation_result *result,
                                        struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    label_propagation_hybrid(on_device, result, where));
}
