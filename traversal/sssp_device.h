/* SPDX-License-Identifier: MIT */
/* Shortest paths from one source on a device. */
#ifndef GWS_SSSP_DEVICE_H
#define GWS_SSSP_DEVICE_H

#include "device_graph.h"
#include "sssp.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_sssp_device;

/* Prepares searches of a graph on its device. Uploads the weights and builds two programs. The device graph must
 * outlive the search. options may be NULL. With integer weights, options->delta is at least 1.
 *
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (a weight anywhere in the graph that is
 * negative, infinite or not a number; delta), GWS_UNSUPPORTED (the rows lie on the host; groups of this device cannot
 * wait for each other), GWS_TOO_LARGE (2^31 vertices or more), GWS_NO_MEMORY, GWS_DEVICE (also if the device lacks
 * doubles, which real weights need).
 *
 * Memory on the device: 20 bytes and 3 bits per vertex, 4 more with distances of 64 bits, 4 bytes per arc for the
 * weights, and 1 byte per 32 arcs. Opening a graph without weights also takes 4 bytes per arc on the host. */
GWS_API gws_status gws_sssp_device_open(struct gws_device_graph *graph, const struct gws_sssp_options *options,
                                        struct gws_sssp_device **search, struct gws_diagnostic *where);

/* Frees the search but not its graph. Accepts NULL. */
GWS_API void gws_sssp_device_close(struct gws_sssp_device *search);

/* Searches from source. Sets .source, .reached, .rounds, .delta and .ms of *result. Distances and parents stay on the
 * device until gws_sssp_device_fetch() copies them. The distances are those of gws_sssp(): exact sums, or with real
 * weights sums in double, rounded after each arc. Method: the near-far form of delta-stepping (Davidson, Baxter,
 * Garland, Owens, IPDPS 2014). Then a pass over the arcs finds the parents. Arcs between equal distances may need
 * several passes.
 *
 * A search by integer weights begins with distances of 32 bits. The first search with a distance of 2^32 - 1 or more
 * frees the arrays, builds two programs for 64 bits and runs again. Later searches begin with 64 bits.
 *
 * The kernel sees in every round whether the call is cancelled, if the device shares memory with the host. Errors:
 * GWS_OUT_OF_RANGE (source), GWS_NO_MEMORY, GWS_CANCELLED, GWS_DEVICE. Errors leave result unchanged or empty. */
GWS_API gws_status gws_sssp_device_run(struct gws_sssp_device *search, uint32_t source, struct gws_sssp_result *result,
                                       struct gws_diagnostic *where);

/* Copies the distances and parents of the last run into its result, and sets .reached_arcs, .max_distance and
 * .relaxations (0). Adds the time of the copy to result->fetch_ms. Errors: GWS_INVALID (result is not the result of
 * the last run), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_sssp_device_fetch(struct gws_sssp_device *search, struct gws_sssp_result *result,
                                         struct gws_diagnostic *where);

/* Return the buffers on the device, for kernels that continue with them. A parent is a 32-bit word, GWS_NO_VERTEX if
 * the vertex is unreached. A distance is a double with real weights, INFINITY if unreached. Otherwise it is an unsigned
 * integer, of 32 or 64 bits as the size of the buffer says, with all bits set if unreached. The search owns the
 * buffers, and its next run overwrites or replaces them. NULL: the last run failed without memory for 64 bits. */
GWS_API struct gws_device_buffer *gws_sssp_device_distances(const struct gws_sssp_device *search);
GWS_API struct gws_device_buffer *gws_sssp_device_parents(const struct gws_sssp_device *search);

#ifdef __cplusplus
}
#endif
#endif
