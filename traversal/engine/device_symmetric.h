/* SPDX-License-Identifier: MIT */
/* The symmetric copy of a directed graph, for algorithms on devices that read undirected graphs. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_SYMMETRIC_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_SYMMETRIC_H

#include "../device_graph.h"

struct gws__device_symmetric {
    struct gws_runtime *runtime;
    struct gws_device_graph *on_device; /* the graph that the algorithm reads: the copy, or the caller's */
    struct gws_graph *copy;             /* NULL: the caller's graph is undirected */
};

/* Symmetrises a directed graph on the host, and opens the copy on the device with the placement and the memory of the
 * caller's device graph. Nothing is uploaded. The caller must close the struct, also after an error. Errors: those of
 * gws_graph_symmetrise() and gws_device_graph_open(). Memory on the host: at most twice that of the graph's CSR. */
gws_status gws__device_symmetric_open(struct gws_device_graph *on_device, struct gws__device_symmetric *made,
                                      struct gws_diagnostic *where);

/* Frees the copy. Accepts {0}. */
void gws__device_symmetric_close(struct gws__device_symmetric *symmetric);

#endif
