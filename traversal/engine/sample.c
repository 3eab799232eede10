/* SPDX-License-Identifier: MIT */
/* Draws random vertices, which are the first ones of a random permutation. */
#include "sample.h"

#include "../../lib/parallel.h"

gws_status gws__sample_vertices(struct gws_runtime *runtime, const struct gws_graph *graph, uint64_t samples,
                                uint64_t seed, uint32_t *source)
{
    uint32_t *place = gws_allocate(runtime, graph->vertices, sizeof *place);
    if (!place) return GWS_NO_MEMORY;
    gws_status status = gws_graph_order(runtime, graph, GWS_ORDER_RANDOM, seed, place);
    for (uint64_t v = 0, count = 0; status == GWS_OK && v < graph->vertices; v++)
        if (place[v] < samples) source[count++] = (uint32_t)v;
    gws_release(runtime, place, graph->vertices, sizeof *place);
    return status;
}
