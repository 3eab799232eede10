/* SPDX-License-Identifier: MIT */
/* Coreness on a device: the operator kernels/operator/cores.cl on the frontier engine. */
#include "../../engine/device_run.h"
#include "../../engine/device_symmetric.h"
#include "cores_state.h"

struct gws_cores_device {
    struct gws__device_symmetric graph;
    const struct gws_device_graph_info *info; /* of graph */
    struct gws__device_run *run;
    bool simple;
};

static gws_status open_on(struct gws_cores_device *made, struct gws_device_graph *on_device,
                          struct gws_diagnostic *where)
{
    struct gws_graph_summary summary;
    gws_status status = gws__device_symmetric_open(on_device, &made->graph, where);
    if (status != GWS_OK) return status;
    made->info = gws_device_graph_describe(made->graph.on_device);
    status = gws_graph_summarise(made->info->runtime, made->info->graph, &summary);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    made->simple = summary.loops == 0 && summary.duplicates == 0;
    return gws__device_run_open(made->graph.on_device, "engine_cores", 1, NULL, false, &made->run, where);
}

static gws_status cores_device_open(struct gws_device_graph *on_device, struct gws_cores_device **cores,
                                    struct gws_diagnostic *where)
{
    struct gws_cores_device *made = gws_allocate(gws_device_graph_describe(on_device)->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_cores_device){.run = NULL};
    gws_status status = open_on(made, on_device, where);
    if (status == GWS_OK)
        *cores = made;
    else
        gws_cores_device_close(made);
    return status;
}

gws_status gws_cores_device_open(struct gws_device_graph *on_device, struct gws_cores_device **cores,
                                 struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where, cores_device_open(on_device, cores, where));
}

void gws_cores_device_close(struct gws_cores_device *cores)
{
    if (!cores) return;
    gws__device_run_close(cores->run);
    gws__device_symmetric_close(&cores->graph);
    gws_release(cores->graph.runtime, cores, 1, sizeof *cores);
}

/* The last bucket that has vertices is max_core .. max_core + 1, of the largest coreness. The run ends when it finds
 * no further bucket. */
static gws_status cores_device_run(struct gws_cores_device *cores, struct gws_cores_result *result,
                                   struct gws_diagnostic *where)
{
    const uint32_t word[4] = {cores->simple, 0, 0, 1};
    struct gws__device_run_report report;
    gws_report_progress(cores->info->runtime, "peeling", 0, 0);
    gws_status status = gws__device_run_go(cores->run, word, &report, where);
    if (status != GWS_OK) return status;
    result->max_core = report.threshold - 2;
    result->rounds = report.rounds;
    result->prepare_ms = 0;
    result->ms = report.ms;
    return GWS_OK;
}

gws_status gws_cores_device_run(struct gws_cores_device *cores, struct gws_cores_result *result,
                                struct gws_diagnostic *where)
{
    return GWS_CALL(cores->info->runtime, where, cores_device_run(cores, result, where));
}

struct gws_device_buffer *gws_cores_device_buffer(const struct gws_cores_device *cores)
{
    return cores->run->data[0].buffer;
}

static gws_status cores_device_fetch(struct gws_cores_device *cores, struct gws_cores_result *result,
                                     struct gws_diagnostic *where)
{
    const struct gws_cores_result summary = *result;
    double began = gws_clock_ms();
    gws_status status = gws__cores_reserve(cores->info->runtime, cores->info->graph->vertices, result);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    result->max_core = summary.max_core;
    result->rounds = summary.rounds;
    result->ms = summary.ms;
    status = gws__device_run_fetch(cores->run, 0, result->core, where);
    if (status == GWS_OK) result->fetch_ms = gws_clock_ms() - began;
    return status;
}

gws_status gws_cores_device_fetch(struct gws_cores_device *cores, struct gws_cores_result *result,
                                  struct gws_diagnostic *where)
{
    return GWS_CALL(cores->info->runtime, where, cores_device_fetch(cores, result, where));
}
