/* SPDX-License-Identifier: MIT */
/* Label propagation on a device: the program "engine_label_propagation", whose only array has the labels. */
#include "../../engine/device_run.h"
#include "../../label_propagation.h"

gws_status gws_label_propagation_device(struct gws_device_graph *on_device, struct gws_label_propagation_result *result,
                                        struct gws_where *where)
{
    static const uint32_t no_words[4];
    struct gws__device_run *run = NULL;
    struct gws__device_run_report report;
    gws_status status = gws__device_run_open(on_device, "engine_label_propagation", 1, NULL, &run, where);
    if (status == GWS_OK) status = gws__device_run_go(run, no_words, &report, where);
    if (status == GWS_OK) status = gws__device_run_fetch(run, 0, result->label, where);
    gws__device_run_close(run);
    if (status != GWS_OK) return status;
    result->kept = report.counted;
    result->rounds = result->device_rounds = report.rounds;
    result->handoffs = 0;
    result->ms = report.ms;
    return GWS_OK;
}
