/* SPDX-License-Identifier: MIT */
/* What searches for shortest paths on one device and on several have alike. */
#ifndef GWS_TRAVERSAL_SSSP_DEVICE_STATE_H
#define GWS_TRAVERSAL_SSSP_DEVICE_STATE_H

#include "../../engine/device_run.h"
#include "../../sssp.h"

/* The types of distances (kernels/operator/sssp_word.h, sssp_long.h, sssp_double.h). */
enum gws__sssp_form { SSSP_WORD, SSSP_LONG, SSSP_DOUBLE };

/* Checks delta and all weights. Errors: GWS_INVALID, GWS_CANCELLED. */
gws_status gws__sssp_device_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  const struct gws_sssp_options *options, struct gws_diagnostic *where);

/* Uploads the weights of the graph on the device, 1 for each arc if it has none. Errors: GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__sssp_device_weigh(struct gws_device_graph *on_device, struct gws_device_buffer **weight,
                                  struct gws_diagnostic *where);

/* Finds the operator's words 2 and 3 for a width of buckets, and returns the width. wanted: 0 for a computed one.
 * groups, group_size: of all devices. */
double gws__sssp_device_delta(const struct gws_graph *graph, enum gws__sssp_form form, double wanted, uint64_t groups,
                              uint32_t group_size, uint32_t word[2]);

/* Widens distances of 32 bits in place. */
void gws__sssp_device_widen(uint64_t *distance, uint64_t vertices);

/* Reads distances, 8 bytes for each vertex, and parents from devices. */
typedef gws_status gws__sssp_device_read(void *search, void *distance, uint32_t *parent, struct gws_diagnostic *where);

/* Copies distances and parents to the result of the last run, and counts. Errors: GWS_NO_MEMORY, those of read(). */
gws_status gws__sssp_device_fetch(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  gws__sssp_device_read *read, void *search, struct gws_sssp_result *result,
                                  struct gws_diagnostic *where);

#endif
