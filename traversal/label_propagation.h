/* SPDX-License-Identifier: MIT */
/* Label propagation: every vertex begins with its own number as its label, and takes the least label of the vertices
 * that have an arc towards it, until no label changes. So a vertex ends with the least vertex from which it can be
 * reached; on an undirected graph, that is the least vertex of its component (gws_graph_components() finds those of a
 * directed one, and in fewer steps). docs/algorithm.md shows how it is written. */
#ifndef GWS_LABEL_PROPAGATION_H
#define GWS_LABEL_PROPAGATION_H

#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_label_propagation_result {
    uint32_t *label;        /* vertices entries, the caller's */
    uint64_t kept;          /* vertices that keep their own number: the components of an undirected graph */
    uint32_t rounds;        /* the last one changed nothing */
    uint32_t device_rounds; /* of these so many ran on the device */
    uint32_t handoffs;      /* from the device to the threads, or back */
    double ms;
};

/* On the runtime's threads, into *result, whose label the caller has set. Errors: GWS_NO_MEMORY (2 bits a vertex): the
 * labels are then undefined, and the rest as it was. Time: O(arcs) a round, and at most as many rounds as the longest
 * shortest path has vertices. */
GWS_API gws_status gws_label_propagation(struct gws_runtime *runtime, const struct gws_graph *graph,
                                         struct gws_label_propagation_result *result);

/* On the device that the graph is on, and the labels then into the caller's memory; .ms is the run without that. It
 * pulls where the graph is undirected, or where the index GWS_INDEX_REVERSE is built. Errors, with a message in *where
 * (may be NULL): GWS_UNSUPPORTED (the rows lie with the host, or groups of this device cannot wait for each other),
 * GWS_TOO_LARGE (2^31 vertices or more), GWS_NO_MEMORY (it takes 12 bytes and 3 bits a vertex there), GWS_DEVICE. */
GWS_API gws_status gws_label_propagation_device(struct gws_device_graph *on_device,
                                                struct gws_label_propagation_result *result, struct gws_where *where);

/* On the device that the graph is on and the threads of its runtime together: whole rounds pass from one side to the
 * other, as they are expected to be faster there. What a round costs either side is calibrated first, which takes some
 * milliseconds that .ms does not have. Errors: as on a device. Memory: as there, a bit a vertex more, and here 4 bytes
 * and 2 bits a vertex, unless both sides have one memory. */
GWS_API gws_status gws_label_propagation_hybrid(struct gws_device_graph *on_device,
                                                struct gws_label_propagation_result *result, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif
