/* SPDX-License-Identifier: MIT */
#ifndef GWS_TRAVERSAL_SSSP_PLAN_H
#define GWS_TRAVERSAL_SSSP_PLAN_H

#include "state.h"

/* Chooses the width of a bucket: a power of two near delta, or a computed width if delta is 0. */
void gws__sssp_plan(struct sssp *search, double delta);

/* Rounds the width up to a power of two. */
void gws__sssp_set_delta(struct sssp *search, double wanted);

/* Returns the mean weight of at most 1024 arcs, or 1 for a graph without weights. */
double gws__sssp_mean_weight(const struct gws_graph *graph);

/* Names the first arc whose weight is invalid. Returns GWS_INVALID. Runs serially. Time: O(arcs). */
gws_status gws__sssp_bad_weight(const struct gws_graph *graph, struct gws_diagnostic *where);

/* Checks all weights in parallel. Errors: GWS_INVALID, GWS_CANCELLED. */
gws_status gws__sssp_check_weights(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   struct gws_diagnostic *where);

#endif
