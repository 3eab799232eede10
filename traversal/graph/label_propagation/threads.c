/* SPDX-License-Identifier: MIT */
/* Label propagation on the runtime's threads: the operator inlined into the engine's loops. */
#include "../../label_propagation.h"

#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"

#include "../../../kernels/operator/operator.h"
#include "../../engine/engine.h"

#include "../../../kernels/operator/label_propagation.cl"

#include "../../engine/rounds_body.h"

gws_status gws_label_propagation(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 struct gws_label_propagation_result *result)
{
    struct engine engine = {.runtime = runtime, .graph = graph, .data = {result->label}};
    double began = gws_clock_ms();
    gws_status status = run_rounds(&engine, &result->rounds, &result->kept);
    if (status != GWS_OK) return status;
    result->device_rounds = result->handoffs = 0;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}
