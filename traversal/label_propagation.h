/* SPDX-License-Identifier: MIT */
/* Label propagation. Every vertex starts with its own number as its label and repeatedly takes the smallest label
 * among the sources of its incoming arcs, until no label changes. The final label of a vertex is the smallest vertex
 * from which a path leads to it. On an undirected graph the final label is the smallest vertex of the component. (For
 * a directed graph, gws_graph_components() finds the components, and in fewer steps.) docs/algorithm.md explains the
 * implementation. */
#ifndef GWS_LABEL_PROPAGATION_H
#define GWS_LABEL_PROPAGATION_H

#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_label_propagation_result {
    uint32_t *label; /* vertices entries; the caller owns the array */
    uint64_t
        roots; /* number of vertices that end with their own label, which is the number of components if undirected */
    uint32_t rounds;        /* number of rounds, the last of which changes no label */
    uint32_t device_rounds; /* number of rounds that ran on the device */
    uint32_t handoffs;      /* number of handoffs from the device to the threads or back */
    double ms;
};

/* Runs on the runtime's threads and fills *result. The caller sets result->label. Errors: GWS_NO_MEMORY (the run takes
 * 2 bits per vertex). An error leaves the labels undefined and the other fields unchanged. Time: O(arcs) per round.
 * The number of rounds is at most the number of vertices on the longest shortest path. */
GWS_API gws_status gws_label_propagation(struct gws_runtime *runtime, const struct gws_graph *graph,
                                         struct gws_label_propagation_result *result);

/* Runs on the graph's device and copies the labels into the caller's memory. .ms excludes the copy. The kernel pulls
 * if the graph is undirected or the index GWS_INDEX_REVERSE is built. Errors, with a message in *where (may be NULL):
 * GWS_UNSUPPORTED (the rows lie on the host, or groups of this device cannot wait for each other), GWS_TOO_LARGE (2^31
 * vertices or more), GWS_NO_MEMORY (12 bytes and 3 bits per vertex, 1 byte per 32 arcs on the device), GWS_DEVICE. */
GWS_API gws_status gws_label_propagation_device(struct gws_device_graph *on_device,
                                                struct gws_label_propagation_result *result,
                                                struct gws_diagnostic *where);

/* Runs on the graph's device and the threads of its runtime. Each round runs on one side. The run moves to the other
 * side when a model predicts faster rounds there. The calibration of this model takes some milliseconds, which .ms
 * excludes. Errors: as for gws_label_propagation_device(). Memory: 1 more bit per vertex on the device, and 4 bytes
 * and 2 bits per vertex on the host unless both sides share one memory. */
GWS_API gws_status gws_label_propagation_hybrid(struct gws_device_graph *on_device,
                                                struct gws_label_propagation_result *result,
                                                struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
