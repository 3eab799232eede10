/* SPDX-License-Identifier: MIT */
/* The parts of closeness that threads and devices share: the result. */
#ifndef GWS_TRAVERSAL_CLOSENESS_STATE_H
#define GWS_TRAVERSAL_CLOSENESS_STATE_H

#include "../../closeness.h"

/* Makes the arrays of a result, or keeps them if they fit. Sets .vertices and .sources, and lists the sources in
 * .source. Errors: GWS_OUT_OF_RANGE and GWS_NEEDS_REVERSE leave result unchanged. GWS_NO_MEMORY leaves result unchanged
 * or empty. */
gws_status gws__closeness_list_sources(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       const struct gws_closeness_options *options,
                                       struct gws_closeness_result *result);

/* Computes .closeness, .diameter and .radius from the other arrays. */
void gws__closeness_finish(struct gws_closeness_result *result, bool unscaled);

#endif
