/* SPDX-License-Identifier: MIT */
#ifndef GWS_TRAVERSAL_ENGINE_SAMPLE_H
#define GWS_TRAVERSAL_ENGINE_SAMPLE_H

#include "../../lib/graph.h"

/* Fills source[] with `samples` (at most `vertices`) different random vertices in ascending order. */
gws_status gws__sample_vertices(struct gws_runtime *runtime, const struct gws_graph *graph, uint64_t samples,
                                uint64_t seed, uint32_t *source);

#endif
