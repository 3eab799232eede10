/* SPDX-License-Identifier: MIT */
#include "device_symmetric.h"

gws_status gws__device_symmetric_open(struct gws_device_graph *on_device, struct gws__device_symmetric *made,
                                      struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    const struct gws_device_graph_options options = {.placement = info->chosen ? GWS_PLACE_AUTO : info->placement,
                                                     .memory = info->limited ? info->memory : 0};
    *made = (struct gws__device_symmetric){.runtime = info->runtime, .on_device = on_device};
    if (!info->graph->directed) return GWS_OK;
    made->on_device = NULL;
    gws_status status = gws_graph_symmetrise(info->runtime, info->graph, &made->copy);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    return gws_device_graph_open(info->runtime, info->device, made->copy, &options, &made->on_device, where);
}

void gws__device_symmetric_close(struct gws__device_symmetric *symmetric)
{
    if (symmetric->copy) gws_device_graph_close(symmetric->on_device);
    gws_graph_destroy(symmetric->copy);
}
