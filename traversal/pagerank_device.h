/* SPDX-License-Identifier: MIT */
/* PageRank on a device. One persistent kernel runs all iterations. traversal/pagerank.h explains options and result. */
#ifndef GWS_PAGERANK_DEVICE_H
#define GWS_PAGERANK_DEVICE_H

#include "device_graph.h"
#include "pagerank.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_pagerank_device;

/* Uploads the graph, and the rows of a directed graph's reverse (GWS_INDEX_REVERSE), and builds the program. options
 * may be NULL. The function copies the sources and ignores .index, see gws_pagerank_device_order(). Errors, with a
 * message in *where (may be NULL): GWS_INVALID, GWS_OUT_OF_RANGE, GWS_NEEDS_REVERSE (see gws_pagerank()),
 * GWS_UNSUPPORTED (the rows lie on the host, groups of this device cannot wait for each other, or the device graph was
 * opened without GWS_INDEX_REVERSE), GWS_TOO_LARGE (2^31 vertices or more), GWS_NO_MEMORY (20 bytes per vertex on the
 * device, 4 more if personalised, and about an eighth of a byte per arc), GWS_DEVICE (a device without double precision
 * does not build the program). */
GWS_API gws_status gws_pagerank_device_open(struct gws_device_graph *on_device,
                                            const struct gws_pagerank_options *options,
                                            struct gws_pagerank_device **pagerank, struct gws_diagnostic *where);
GWS_API void gws_pagerank_device_close(struct gws_pagerank_device *pagerank); /* accepts NULL */

/* Builds an index on the device, unless it exists: a copy of the arcs that numbers vertices by descending out-degree,
 * so the most frequently read values share cache lines, and rows of equal length are adjacent. Later runs use it, with
 * the same results. It saves time on graphs with hubs and more than 2^18 vertices. *ms: time to build the index, 6 to
 * 15 iterations' time, so an index pays after 20 to 40 iterations. *bytes: its memory on the device, 4 bytes per arc
 * and 16 bytes per vertex; in double, ranks take 8 bytes more per vertex, and the build 4. Errors: GWS_NO_MEMORY,
 * GWS_TOO_LARGE, GWS_DEVICE, GWS_CANCELLED. */
GWS_API gws_status gws_pagerank_device_order(struct gws_pagerank_device *pagerank, double *ms, uint64_t *bytes,
                                             struct gws_diagnostic *where);

/* Computes the ranks again. Sets all fields of result except .rank and .fetch_ms. .ms is the time of the kernel. Sums
 * of ranks are integers, multiples of 2^-60, so the number of groups does not change the result. The
 * kernel sees in every iteration whether the call is cancelled, if the device shares memory with the host. Errors,
 * which leave result unchanged: GWS_DEVICE, GWS_CANCELLED. */
GWS_API gws_status gws_pagerank_device_run(struct gws_pagerank_device *pagerank, struct gws_pagerank_result *result,
                                           struct gws_diagnostic *where);

/* Returns the ranks of the last run, a double for each vertex. The object owns the buffer. */
GWS_API struct gws_device_buffer *gws_pagerank_device_buffer(const struct gws_pagerank_device *pagerank);

/* Copies the ranks of the last run to result->rank, an array that result owns, and sets .fetch_ms. Errors, which leave
 * .rank unchanged or undefined: GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_pagerank_device_fetch(struct gws_pagerank_device *pagerank, struct gws_pagerank_result *result,
                                             struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
