/* SPDX-License-Identifier: MIT */
/* Communities on a device: Leiden, Louvain and label propagation. traversal/communities.h explains methods, options and
 * result. Labels, levels and modularity equal those of gws_communities() in every bit. */
#ifndef GWS_COMMUNITIES_DEVICE_H
#define GWS_COMMUNITIES_DEVICE_H

#include "communities.h"
#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_communities_device;

/* Uploads the graph, and the rows of a directed graph's reverse (GWS_INDEX_REVERSE), and the weights, unless the method
 * ignores them, and builds the program. options may be NULL.
 *
 * Errors, with a message in *where (may be NULL): GWS_INVALID (also a negative weight), GWS_NEEDS_REVERSE,
 * GWS_TOO_LARGE (see gws_communities(); also 2^31 vertices or more), GWS_UNSUPPORTED (the rows lie on the host, groups
 * of this device cannot wait for each other, or the device graph was opened without GWS_INDEX_REVERSE), GWS_DEVICE
 * (also a device without numbers of double precision), GWS_NO_MEMORY, GWS_CANCELLED.
 *
 * Memory on the device besides the rows: 25 bytes per vertex, of which 4 are the result. Weights take 4 bytes per arc.
 * Hash tables take at most 6 KiB for each warp that the device runs at once, and either 192 KiB for each group, in all
 * about 50 MB on a GPU with 132 processors, or for the groups 4 bytes per arc, whichever is more. */
GWS_API gws_status gws_communities_device_open(struct gws_device_graph *on_device,
                                               const struct gws_communities_options *options,
                                               struct gws_communities_device **communities,
                                               struct gws_diagnostic *where);
GWS_API void gws_communities_device_close(struct gws_communities_device *communities); /* accepts NULL */

/* Finds the communities again. Sets all fields of result except .vertices, .community and .fetch_ms. .ms is the time of
 * all launches and of the allocations between them.
 *
 * One persistent kernel runs all iterations of label propagation, or all rounds of a level. A vertex without a changed
 * neighbour keeps its label and is not read. Levels stay on the device: the host reads only the numbers of nodes and
 * arcs of the next level, to allocate its rows. These take 8 bytes per node, and per ordered pair of adjacent nodes 8
 * bytes, or 12 if the weights add up to more than 2^31 - 1, and for Leiden 4 more per node. Two such graphs exist while
 * the kernel makes one from the other.
 *
 * The kernel sees in every iteration and round whether the call is cancelled, if the device shares memory with the
 * host. Errors, which leave result unchanged: GWS_CANCELLED, GWS_DEVICE, GWS_NO_MEMORY. */
GWS_API gws_status gws_communities_device_run(struct gws_communities_device *communities,
                                              struct gws_communities_result *result, struct gws_diagnostic *where);

/* Returns the labels of the last run, a u32 for each vertex. The object owns the buffer. */
GWS_API struct gws_device_buffer *gws_communities_device_buffer(const struct gws_communities_device *communities);

/* Copies the labels of the last run to result->community, an array that result owns, and sets .vertices and .fetch_ms.
 * Errors, which leave .community unchanged, empty or undefined: GWS_INVALID (the last run has failed), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_communities_device_fetch(struct gws_communities_device *communities,
                                                struct gws_communities_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
