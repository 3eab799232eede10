/* SPDX-License-Identifier: MIT */
/* Label propagation on a device and the CPU's threads, which hand rounds off to each other. */
#include "../../label_propagation.h"

#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"

#include "../../../kernels/operator/operator.h"
#include "../../engine/engine.h"

#include "../../../kernels/operator/label_propagation.cl"

#include "../../engine/rounds_body.h"

gws_status gws_label_propagation_hybrid(struct gws_device_graph *on_device, struct gws_label_propagation_result *result,
                                        struct gws_where *where)
{
    const struct gws__hybrid both = {.program = "engine_label_propagation_hybrid", .loops = &rounds_loops, .arrays = 1};
    struct gws__hybrid_report report;
    gws_status status = gws__hybrid_run(on_device, &both, &result->label, &report, where);
    if (status != GWS_OK) return status;
    result->kept = report.counted;
    result->rounds = report.rounds;
    result->device_rounds = report.device_rounds;
    result->handoffs = (uint32_t)report.model.passes;
    result->ms = report.ms;
    return GWS_OK;
}
